"""Parallel text for phrase tables, English beside another language, tokenised and in lower case.

Reads ``parallel/`` in the directory METAPHRASE_DATA: Europarl by language pair, and news in several
languages whose lines correspond.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from metaphrase._core.analysis import tokenise
from metaphrase.corpus.lines import LineReader
from metaphrase.learning import PackedText, ParallelText

LANGUAGES = ("de", "es", "fr")
#: Longer sentences are mostly lists or misaligned, and cost the square of their length.
MOST_WORDS = 80
#: One side may be at most so many times as long as the other (and five words more).
MOST_RATIO = 2.0

#: A word, or any other character that is not a space. A hyphen or an apostrophe joins words, except
#: that French l', d', qu' … are words of their own: they come first.
_ELISION = re.compile(r"\b((?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu)['’])(?=\w)")
_TOKEN = re.compile(r"\w+(?:[-'’.]\w+)*['’]?|[^\w\s]")


def data_path() -> Path:
    directory = os.environ.get("METAPHRASE_DATA")
    if directory is None:
        sys.exit("Set METAPHRASE_DATA to the directory that holds parallel/.")
    return Path(directory)


def foreign_words(line: str, language: str) -> list[str]:
    line = line.lower()
    if language == "fr":
        line = _ELISION.sub(r"\1 ", line)
    return _TOKEN.findall(line)


def english_words(lines: Sequence[str]) -> list[list[str]]:
    return [[word.lower() for word in words] for words in tokenise(list(lines))]


def parallel_text(language: str) -> ParallelText:
    """English is the source, so that its phrases come first in tables; each line pair counts once."""
    directory = data_path() / "parallel"
    line_pairs: dict[tuple[str, str], None] = {}
    for english, foreign in (
        (f"europarl.{language}-en.en.gz", f"europarl.{language}-en.{language}.gz"),
        ("news.en.gz", f"news.{language}.gz"),
    ):
        pair = zip(_lines(directory / english), _lines(directory / foreign), strict=True)
        line_pairs.update(dict.fromkeys(pair))
    sources = english_words([english for english, _ in line_pairs])
    targets = [foreign_words(foreign, language) for _, foreign in line_pairs]
    kept = [pair for pair in zip(sources, targets, strict=True) if _is_usable(*pair)]
    return ParallelText(
        PackedText.pack([source for source, _ in kept]),
        PackedText.pack([target for _, target in kept]),
    )


def _lines(path: Path) -> list[str]:
    with LineReader(path) as reader:
        return [line for _, line in reader]


def _is_usable(source: Sequence[str], target: Sequence[str]) -> bool:
    shorter, longer = sorted((len(source), len(target)))
    return shorter > 0 and longer <= min(MOST_WORDS, MOST_RATIO * shorter + 5)
