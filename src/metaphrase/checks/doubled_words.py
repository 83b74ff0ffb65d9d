"""The check of words that stand twice, one after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from metaphrase.analysis.languages.codes import base_language
from metaphrase.checks.check import Check, by_pair
from metaphrase.checks.finding import Finding, Kind
from metaphrase.checks.pair import Pair

DOUBLED = Kind("doubled-words", "minor", "a word stands twice, one after the other")

_DOUBLED = re.compile(
    r"(?<![\w'’.-])([^\W\d_]+(?:['’][^\W\d_]+)*)([ \t\u00a0]+)\1(?![\w'’-])", re.I
)
#: What grammar doubles, by language: relative pronoun and article in German, subject and reflexive pronoun
#: in French.
_GRAMMAR = {
    "en": "had that is her do so very no bye la ha you",
    "de": "der die das den dem sie ihr ihnen uns was wir",
    "nl": "die dat zijn haar er",
    "fr": "nous vous que des en faire",
    "es": "no sí lo",
    "it": "no sì",
    "pt": "que se",
    "cs": "se si to už ne ale je by až",
    "da": "der den det",
    "sv": "det den",
    "af": "nie",
    "ga": "do",
}
#: Letters of a name that is said twice.
_NAME = 4
#: Languages that double words to say much, slowly or every.
_DOUBLING = frozenset(
    {"bn", "fa", "fil", "gu", "hi", "id", "jv", "km", "kn", "lo", "ml", "mr", "ms", "my"}
)
_ALSO_DOUBLING = frozenset({"ne", "pa", "si", "su", "sw", "ta", "te", "th", "tr", "ur", "vi", "zu"})


def _find(pair: Pair) -> Iterator[Finding]:
    language = base_language(pair.target_language)
    if language in _DOUBLING | _ALSO_DOUBLING:
        return
    exceptions = _GRAMMAR.get(language, "").split()
    # What is doubled in the source is doubled on purpose: Duran Duran, bye bye.
    in_source = sum(1 for _ in _DOUBLED.finditer(pair.source_words))
    found = [
        match
        for match in _DOUBLED.finditer(pair.target_words)
        if match[1].lower() not in exceptions
        and not _is_abbreviation(match)
        and not _is_emphatic(match)
        and not (_is_name(match) and match[1] not in pair.source)
    ]
    if len(found) <= in_source:
        return
    for match in found:
        yield DOUBLED.finding(
            "target",
            (match.start(), match.end()),
            f"“{match[1]}” stands twice.",
            found=pair.target[match.start() : match.end()],
            suggestion=pair.target[match.start(1) : match.end(1)],
        )


def _is_abbreviation(match: re.Match[str]) -> bool:
    """Single letters (``A a``), and words that differ as a name and a verb do (``Will will``)."""
    first, second = match[1], match.string[match.end() - len(match[1]) : match.end()]
    return len(first) == 1 or (first != second and match.start() > 0)


def _is_name(match: re.Match[str]) -> bool:
    """Ni Ni, Bora Bora, La La Land."""
    second = match.string[match.end() - len(match[1]) :]
    return len(match[1]) <= _NAME and match[1][0].isupper() and second[0].isupper()


def _is_emphatic(match: re.Match[str]) -> bool:
    """Three of them in a row are meant."""
    following = match.string[match.end() :].lstrip().lower()
    return following.startswith(match[1].lower())


DOUBLED_WORDS = Check(
    "doubled-words",
    "duplication",
    "words that stand twice, one after the other",
    (DOUBLED,),
    by_pair(_find),
)
