"""The checks whether there is a translation at all: empty targets, and targets that repeat the source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from metaphrase.analysis.languages.codes import base_language
from metaphrase.checks.check import Check, by_pair
from metaphrase.checks.finding import Finding, Kind
from metaphrase.checks.pair import MASK, Pair

EMPTY_TARGET = Kind("empty/target", "critical", "there is no translation")
EMPTY_SOURCE = Kind("empty/source", "major", "a translation of nothing")
UNTRANSLATED = Kind("untranslated/segment", "major", "the target repeats the source")
NAMES = Kind(
    "untranslated/names",
    "minor",
    "the target repeats the source, which may be a name: few words, all with capitals",
)

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
#: So many words with capitals are a title, more are a sentence.
_NAME_WORDS = 4


def _find_empty(pair: Pair) -> Iterator[Finding]:
    if pair.source.strip() and not pair.target.strip():
        end = len(pair.target)
        yield EMPTY_TARGET.finding("target", (0, end), "The target is empty.", expected=pair.source)
    elif pair.target.strip() and not pair.source.strip():
        end = len(pair.target)
        yield EMPTY_SOURCE.finding("target", (0, end), "The source is empty.", found=pair.target)


def _find_untranslated(pair: Pair) -> Iterator[Finding]:
    if _squeezed(pair.source) != _squeezed(pair.target):
        return
    languages = base_language(pair.source_language), base_language(pair.target_language)
    if all(languages) and languages[0] == languages[1]:
        return
    words = _WORD.findall(pair.target_words)
    # Numbers, codes and placeholders stay what they are.
    if not any(len(word) > 1 for word in words):
        return
    like_a_name = len(words) <= _NAME_WORDS and all(map(_is_capitalised, words))
    # An identifier such as file_name.txt or --verbose is no word of a language.
    if not like_a_name and len(words) <= 2 and re.search(r"\w[_./\\=:]\w|--\w", pair.target_words):
        return
    kind = NAMES if like_a_name else UNTRANSLATED
    start = len(pair.target) - len(pair.target.lstrip())
    yield kind.finding(
        "target",
        (start, start + len(pair.target.strip())),
        "The target repeats the source.",
        found=pair.target.strip(),
    )


def _squeezed(text: str) -> str:
    return " ".join(text.replace(MASK, "").split())


def _is_capitalised(word: str) -> bool:
    return not word[0].islower() or any(letter.isupper() for letter in word)


EMPTY = Check(
    "empty",
    "translations that are not there",
    (EMPTY_TARGET, EMPTY_SOURCE),
    by_pair(_find_empty),
    for_empty=True,
)
REPEATED = Check(
    "untranslated",
    "targets that repeat the source",
    (UNTRANSLATED, NAMES),
    by_pair(_find_untranslated),
)
