"""Distributional word classes from raw English: two sizes, one line a word: word, fine class, coarse class.

METAPHRASE_DATA=... python -m training.english.word_classes OUTPUT
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from training.english.treebank import data_path, training_sentences

from metaphrase._core.analysis import tokenise, word_classes

CORPORA = (
    "news.en",
    "europarl.de-en.en",
    "europarl.es-en.en",
    "europarl.fr-en.en",
    "extra.cs-en.en",
)
SIZES = {"fine": 400, "coarse": 60}
MIN_COUNT = 6
PASSES = 12


def raw_sentences() -> Iterator[list[str]]:
    """Tokens of every distinct line of the corpora, and the training treebanks."""
    seen = set()
    for name in CORPORA:
        with gzip.open(data_path() / "parallel" / f"{name}.gz", "rt", encoding="utf-8") as file:
            lines = [
                line
                for line in (raw.strip() for raw in file)
                if line not in seen and not seen.add(line)
            ]
        yield from tokenise(lines)
    for sentence in training_sentences():
        yield sentence.forms


def read_classes(path: Path) -> tuple[list[str], np.ndarray, np.ndarray]:
    """What :func:`main` wrote; the tagger counts classes from 1, 0 is an unknown word."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    fine, coarse = (np.array([int(row[i]) + 1 for row in rows], dtype=np.int32) for i in (1, 2))
    return [row[0] for row in rows], fine, coarse


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    digits = re.compile("[0-9]")
    sentences = [[digits.sub("0", form) for form in sentence] for sentence in raw_sentences()]
    counts = Counter(form for sentence in sentences for form in sentence)
    words = [
        w for w, n in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if n >= MIN_COUNT
    ]
    print(
        f"{len(sentences)} sentences, {sum(counts.values())} tokens, {len(words)} words with classes"
    )
    number = {word: i for i, word in enumerate(words)}
    rare = len(words)  # all words without a class of their own are one word here
    tokens = np.array(
        [n for s in sentences for n in [*(number.get(w, rare) for w in s), -1]], dtype=np.int32
    )
    columns = [
        word_classes(tokens, words=rare + 1, classes=size, passes=PASSES) for size in SIZES.values()
    ]
    lines = ["\t".join([word, *(str(c[i]) for c in columns)]) for i, word in enumerate(words)]
    arguments.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
