"""What raw English says of words: classes of two sizes, and how often each is capitalised.

    METAPHRASE_DATA=... python -m training.english.raw_text OUTPUT

writes lines ``class WORD FINE COARSE`` and ``case LOWERCASED STEP`` for ``training.english.train``.
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from metaphrase_training import word_classes
from training.english.treebank import data_path, training_sentences

from metaphrase._core.analysis import tokenise

CORPORA = (
    "news.en",
    "europarl.de-en.en",
    "europarl.es-en.en",
    "europarl.fr-en.en",
)
#: Tuned on the dev sets.
CLASS_COUNTS = {"fine": 800, "coarse": 120}
MIN_COUNT = 3
PASSES = 12
#: Upper bounds of the share of capitalised cases; the step counts from 1, 0 is an unknown word.
CAPITAL_STEPS = (0.02, 0.2, 0.5, 0.8, 0.98)
SENTENCE_STARTS = frozenset([*".!?:;([-–—…\"“‘`'", "``", "--", "..."])


@dataclass(frozen=True)
class RawTextLexicon:
    """Classes by exact form, steps by lower-cased form."""

    words: list[str]
    fine: np.ndarray
    coarse: np.ndarray
    case_words: list[str]
    capitals: np.ndarray


def raw_sentences() -> Iterator[list[str]]:
    """Tokens of every distinct line, and of the training treebanks; digits read as 0."""
    digits = re.compile("[0-9]")
    seen: set[str] = set()
    for name in CORPORA:
        with gzip.open(data_path() / "parallel" / f"{name}.gz", "rt", encoding="utf-8") as file:
            lines = dict.fromkeys(digits.sub("0", line.strip()) for line in file)
        yield from tokenise([line for line in lines if line not in seen])
        seen.update(lines)
    for sentence in training_sentences():
        yield [digits.sub("0", form) for form in sentence.forms]


def classes(sentences: list[list[str]]) -> Iterator[str]:
    counts = Counter(form for sentence in sentences for form in sentence)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    words = [word for word, count in ranked if count >= MIN_COUNT]
    number = {word: i for i, word in enumerate(words)}
    rare = len(words)  # all words without a class of their own are one word here
    numbers = (n for s in sentences for n in [*(number.get(w, rare) for w in s), -1])
    tokens = np.fromiter(numbers, dtype=np.int32)
    columns = [
        word_classes(tokens, words=rare + 1, classes=size, passes=PASSES)
        for size in CLASS_COUNTS.values()
    ]
    for i, word in enumerate(words):
        yield "\t".join(["class", word, *(str(column[i]) for column in columns)])


def capitals(sentences: list[list[str]]) -> Iterator[str]:
    """Counts only where a capital says something: within sentences that are not all capitals."""
    upper, total = Counter[str](), Counter[str]()
    for sentence in sentences:
        if sum(form[:1].isupper() for form in sentence) > len(sentence) / 2:
            continue
        for before, form in pairwise(sentence):
            if before not in SENTENCE_STARTS and form[0].isalpha():
                total[form.lower()] += 1
                upper[form.lower()] += form[0].isupper()
    for word, count in sorted(total.items()):
        if count >= MIN_COUNT:
            step = 1 + sum(upper[word] / count > bound for bound in CAPITAL_STEPS)
            yield f"case\t{word}\t{step}"


def read_lexicon(path: Path) -> RawTextLexicon:
    """What :func:`main` wrote; the tagger counts classes from 1, 0 is an unknown word."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").split("\n") if line]
    classed = [row for row in rows if row[0] == "class"]
    cased = [row for row in rows if row[0] == "case"]
    return RawTextLexicon(
        words=[row[1] for row in classed],
        fine=np.array([int(row[2]) + 1 for row in classed], dtype=np.int32),
        coarse=np.array([int(row[3]) + 1 for row in classed], dtype=np.int32),
        case_words=[row[1] for row in cased],
        capitals=np.array([int(row[2]) for row in cased], dtype=np.int32),
    )


def main() -> None:
    """Write the lexicon."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    sentences = list(raw_sentences())
    lines = [*classes(sentences), *capitals(sentences)]
    arguments.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(sentences)} sentences, {len(lines)} entries")


if __name__ == "__main__":
    main()
