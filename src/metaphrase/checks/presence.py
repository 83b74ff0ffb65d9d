"""The checks whether there is a translation at all: empty targets, and targets that repeat the source."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from metaphrase.analysis.languages.codes import base_language
from metaphrase.analysis.registry import lemmatises, shared
from metaphrase.checks.check import Check, Numbered, by_pair
from metaphrase.checks.finding import Finding, Kind
from metaphrase.checks.pair import MASK, Pair
from metaphrase.corpus.normalisation import is_blank

if TYPE_CHECKING:
    from metaphrase.checks.settings import Settings

EMPTY_TARGET = Kind("empty/target", "critical", "there is no translation")
NOT_YET = Kind("empty/not-yet", "minor", "a unit of a file that is not translated yet")
EMPTY_SOURCE = Kind("empty/source", "major", "a translation of nothing")
UNTRANSLATED = Kind("untranslated/segment", "major", "the target repeats the source")
SHORT = Kind(
    "untranslated/short",
    "minor",
    "the target repeats the source, a few words that may be the same in both languages",
)

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_IDENTIFIER = re.compile(r"\w[_./\\=:]\w|--\w")
#: So many words are no sentence; so many with capitals may be a title.
_FEW, _TITLE = 2, 4
#: Letters of an abbreviation in capitals.
_ACRONYM = 5
#: Universal tags of words that are no words of one language.
_NAMES = frozenset({"PROPN", "NUM", "PUNCT", "SYM", "X"})


def _find_empty(pair: Pair) -> Iterator[Finding]:
    no_source, no_target = is_blank(pair.source), is_blank(pair.target)
    if no_target and not no_source:
        kind = EMPTY_TARGET if pair.is_translated else NOT_YET
        message = "The target is empty." if pair.is_translated else "There is no translation yet."
        yield kind.finding("target", (0, len(pair.target)), message, expected=pair.source)
    elif no_source and not no_target:
        end = len(pair.target)
        yield EMPTY_SOURCE.finding("target", (0, end), "The source is empty.", found=pair.target)


def _find_untranslated(pairs: Sequence[Pair], settings: Settings) -> Iterator[Numbered]:
    maybe: list[int] = []  # names, as far as capitals tell
    for number, pair in enumerate(pairs):
        if not _is_repeated(pair):
            continue
        words = _WORD.findall(pair.target_words)
        # Numbers, codes, abbreviations and placeholders stay what they are.
        if not any(len(word) > 1 and not _is_acronym(word) for word in words):
            continue
        few = len(words) <= _FEW
        # An identifier such as file_name.txt or --verbose is no word of a language.
        if len(pair.target.split()) <= _FEW and _IDENTIFIER.search(pair.target_words):
            continue
        if few or all(map(_is_capitalised, words)):
            maybe.append(number)
        else:
            yield number, _repeated(UNTRANSLATED, pair)
    for number in _without_names(maybe, pairs):
        words = _WORD.findall(pairs[number].target_words)
        kind = SHORT if len(words) <= _TITLE else UNTRANSLATED
        yield number, _repeated(kind, pairs[number])


def _is_repeated(pair: Pair) -> bool:
    languages = base_language(pair.source_language), base_language(pair.target_language)
    if languages[0] and languages[0] == languages[1]:
        return False
    return pair.source.split() == pair.target.split()


def _repeated(kind: Kind, pair: Pair) -> Finding:
    start = len(pair.target) - len(pair.target.lstrip())
    text = pair.target.strip()
    message = "The target repeats the source."
    return kind.finding("target", (start, start + len(text)), message, found=text)


def _without_names(rows: Sequence[int], pairs: Sequence[Pair]) -> Iterator[int]:
    """Rows whose words are not all names, as far as an analyser can say."""
    by_language: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        by_language[base_language(pairs[row].source_language)].append(row)
    for language, those in by_language.items():
        if not lemmatises(language):
            yield from those
            continue
        texts = [pairs[row].source_words.replace(MASK, " ") for row in those]
        batch = shared(f"builtin:{language}").analyse(texts, ["upos"])
        for row, sentence in zip(those, batch, strict=True):
            if any(
                tag not in _NAMES and _WORD.search(form) and len(form) > 1
                for form, tag in zip(sentence.form, sentence.upos or (), strict=True)
            ):
                yield row


def _is_acronym(word: str) -> bool:
    return word.isupper() and len(word) <= _ACRONYM


def _is_capitalised(word: str) -> bool:
    return not word[0].islower() or any(letter.isupper() for letter in word)


EMPTY = Check(
    "empty",
    "omission",
    "translations that are not there",
    (EMPTY_TARGET, NOT_YET, EMPTY_SOURCE),
    by_pair(_find_empty),
    for_any=True,
)
REPEATED = Check(
    "untranslated",
    "untranslated",
    "targets that repeat the source",
    (UNTRANSLATED, SHORT),
    _find_untranslated,
)
