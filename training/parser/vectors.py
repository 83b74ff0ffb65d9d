"""Vectors of words from tokenised raw text, one sentence per line.

python -m training.parser.vectors OUTPUT RAW...
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from metaphrase_training import word_vectors

MIN_COUNT = 5
OPTIONS = {"size": 64, "window": 2, "negatives": 5, "epochs": 5, "rate": 0.05, "seed": 1}


def sentences(paths: Iterable[Path]) -> Iterator[list[str]]:
    """Tokens as the parser looks them up: lower-cased, digits read as 0."""
    digits = re.compile("[0-9]")
    for path in paths:
        with path.open(encoding="utf-8") as file:
            for line in file:
                yield digits.sub("0", line).lower().split()


def train_vectors(paths: list[Path], **options: float) -> tuple[list[str], np.ndarray]:
    """Words from the most frequent on, and a row for each."""
    counts = Counter(word for sentence in sentences(paths) for word in sentence)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    words = [word for word, count in ranked if count >= MIN_COUNT]
    number = {word: i for i, word in enumerate(words)}
    rare = len(words)  # all other words are one word here
    numbers = (n for s in sentences(paths) for n in [*(number.get(w, rare) for w in s), -1])
    tokens = np.fromiter(numbers, dtype=np.int32)
    chosen = {**OPTIONS, **options}
    rows = word_vectors(tokens, words=rare + 1, **chosen).reshape(rare + 1, chosen["size"])
    return words, rows[:rare]


def main() -> None:
    """Write words and vectors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("raw", type=Path, nargs="+")
    parser.add_argument("--size", type=int, default=OPTIONS["size"], help="half the parser's units")
    parser.add_argument("--words", type=int, help="how many of the most frequent; all unless told")
    arguments = parser.parse_args()
    words, rows = train_vectors(arguments.raw, size=arguments.size)
    words, rows = words[: arguments.words], rows[: arguments.words]
    np.savez(arguments.output, words=np.array(words), vectors=rows)
    print(f"{len(words)} words")


if __name__ == "__main__":
    main()
