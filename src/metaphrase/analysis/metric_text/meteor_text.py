"""Text as METEOR 1.5 sees it: the tokens of its option ``-norm``, stems, function words.

Denkowski and Lavie, Meteor Universal: Language Specific Translation Evaluation for Any Target Language,
WMT 2014.
The rules of the tokens are in ``src/core/meteor/text.hpp``, the lists in ``meteor-words.json``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, Literal

from metaphrase._core.meteor_text import Normaliser
from metaphrase.analysis.metric_text.snowball import STEMMERS, stem
from metaphrase.analysis.unusable_text import unusable_text
from metaphrase.corpus.validation import is_listed
from metaphrase.errors import InputError, OptionError, ResourceError
from metaphrase.shipped import shipped_file
from metaphrase.threads import check_threads

__all__ = ["LANGUAGES", "Language", "function_words", "normalise", "stem"]

_Apostrophes = Literal["clitic after", "clitic before", "apart"]


@dataclass(frozen=True)
class Language:
    """What METEOR can do in a language."""

    name: str
    normalises: bool  #: it has a tokeniser; other text is to be tokenised beforehand
    stems: bool


_NORMALISED = ("cs", "de", "en", "es", "fr", "ru")
#: By ISO code. Chinese and all others are to METEOR texts that somebody else has tokenised.
LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {
        code: Language(name, normalises=code in _NORMALISED, stems=code in STEMMERS)
        for code, name in sorted([*STEMMERS.items(), ("cs", "czech")])
    }
)
#: "It 's" in English, "l' eau" in French, and elsewhere an apostrophe is a token.
_APOSTROPHES: Mapping[str, _Apostrophes] = {"en": "clitic after", "fr": "clitic before"}


def normalise(
    texts: Sequence[str],
    *,
    lang: str = "en",
    lower: bool = True,
    punctuation: bool = True,
    threads: int = 1,
) -> list[str]:
    """The tokens of each text with one space between them, as ``-norm`` gives them.

    Split them at the space and at nothing else: a token may be a line separator, say. Without
    ``punctuation`` (METEOR's ``-noPunct``) only letters and digits stay. A line end within a text is a space.
    """
    if not is_listed(texts):
        raise InputError(
            "MP107", f"A {type(texts).__name__} was given where a list of texts is needed."
        )
    threads = check_threads(threads)
    if not _known(lang).normalises:
        raise OptionError(
            "MP596",
            f"METEOR has no tokeniser for the language {lang!r}.",
            hint=f"Tokenise the texts beforehand; it has one for {', '.join(_NORMALISED)}.",
        )
    rows = list(texts)
    try:
        lines = _normaliser(lang).normalise(rows, punctuation=punctuation, threads=threads)
    except (TypeError, ValueError):
        raise unusable_text(rows) from None
    # Java and Python agree here: METEOR takes Σ for a symbol, so that it never ends a word, and has no
    # other letters whose lower case depends on what stands around them. Only a letter that is younger than
    # the Unicode of either has two forms.
    return [line.lower() for line in lines] if lower else lines


def function_words(lang: str) -> frozenset[str]:
    """The words that METEOR gives less weight, δ of them to 1 − δ; empty where it knows none."""
    _known(lang)
    return _function_words().get(lang, frozenset())


def _known(lang: str) -> Language:
    if lang not in LANGUAGES:
        raise OptionError(
            "MP595",
            f"METEOR does not know the language {lang!r}.",
            hint=f"It knows {', '.join(LANGUAGES)}.",
        )
    return LANGUAGES[lang]


@cache
def _normaliser(lang: str) -> Normaliser:
    with _reading_words() as words:
        prefixes = words["prefixes"][lang]
        return Normaliser(
            apostrophes=_APOSTROPHES.get(lang, "apart"),
            always=prefixes["always"],
            before_numbers=prefixes["before_numbers"],
        )


@cache
def _function_words() -> dict[str, frozenset[str]]:
    with _reading_words() as words:
        return {lang: frozenset(listed) for lang, listed in words["function"].items()}


@contextmanager
def _reading_words() -> Iterator[Any]:
    """What the lists say; whatever is wrong with them is told as one error."""
    source = shipped_file("meteor-words.json")
    try:
        yield json.loads(source.read_text(encoding="utf-8"))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ResourceError(
            "MP599",
            f"METEOR's lists of words cannot be read: {error}.",
            hint="Install the package again.",
        ) from None
