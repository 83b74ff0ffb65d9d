"""What WordNet and lists know of names: which words are names of persons, places and groups, or part of one.

The bits are those of ``src/core/analysis/labeller_features.hpp``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

#: Lexicographer files of nouns (lexnames(5WN)) that hold names of our types.
FILES = {"18": "PERSON", "14": "ORGANIZATION", "15": "LOCATION", "17": "LOCATION"}
WHOLE = {"PERSON": 1, "ORGANIZATION": 2, "LOCATION": 4}
FIRST = {"PERSON": 8, "ORGANIZATION": 32, "LOCATION": 64}
LAST = {"PERSON": 16, "ORGANIZATION": 128, "LOCATION": 256}
COMMON = 512
#: The bits of the lists lie above those of WordNet.
LIST_SHIFT = 10


def read_gazetteer(wordnet: Path, lists: Mapping[str, int]) -> dict[str, int]:
    """Bits for each lower-cased name, of one word or of several with a blank between.

    A name is a noun that WordNet writes with a capital. Bits say whether it is the whole name of
    something, or the first or last word of a longer name; and whether it is a common noun too. The
    bits of ``lists`` come on top; the first word of a listed name counts as that of a place.
    """
    bits: defaultdict[str, int] = defaultdict(int)
    common: set[str] = set()
    for kind, words, _ in nouns(wordnet):
        if not words[0][:1].isupper():
            common.add(" ".join(words))
        elif kind:
            lower = [word.lower() for word in words]
            bits[" ".join(lower)] |= WHOLE[kind]
            if len(lower) > 1:
                bits[lower[0]] |= FIRST[kind]
                bits[lower[-1]] |= LAST[kind]
    for word in common & bits.keys():
        bits[word] |= COMMON
    for name, value in lists.items():
        bits[name] |= value << LIST_SHIFT
        if " " in name:
            bits[name.split()[0]] |= FIRST["LOCATION"]
    return dict(sorted(bits.items()))


def read_instances(wordnet: Path) -> dict[str, list[list[str]]]:
    """Names of single persons and places by type, of up to four words."""
    names: dict[str, list[list[str]]] = {"PERSON": [], "LOCATION": []}
    for kind, words, instance in nouns(wordnet):
        capitals = all(word[:1].isupper() or word in {"of", "the", "and"} for word in words)
        if instance and kind in names and capitals and words[0][0].isupper() and len(words) <= 4:
            names[kind].append(words)
    return names


def nouns(wordnet: Path) -> Iterator[tuple[str | None, list[str], bool]]:
    """Type, words and whether it is an instance, of every noun; the format is in wndb(5WN)."""
    for line in (wordnet / "data.noun").read_text(encoding="ascii").splitlines():
        if not line.startswith(" "):
            fields = line.split()
            for lemma in fields[4 : 4 + 2 * int(fields[3], 16) : 2]:
                yield FILES.get(fields[1]), lemma.split("_"), " @i " in line
