"""The check of terms: translations that the glossary asks for, and words that it forbids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from metaphrase.checks.check import Check, Numbered
from metaphrase.checks.finding import Finding, Kind
from metaphrase.checks.pair import MASK, Pair
from metaphrase.checks.terms.glossary import Glossary, Term
from metaphrase.checks.terms.matching import (
    WordedText,
    has_in_compound,
    is_by_characters,
    keys_of,
    places_of,
    worded,
    worded_term,
)

if TYPE_CHECKING:
    from metaphrase.checks.settings import Settings

MISSING = Kind(
    "terms/missing", "major", "a term of the source is not translated as the glossary says"
)
FORBIDDEN = Kind("terms/forbidden", "major", "a word that the glossary forbids")


def _find(pairs: Sequence[Pair], settings: Settings) -> Iterator[Numbered]:
    glossary = settings.glossary
    if glossary is None:
        return
    by_language: dict[tuple[str, str], list[int]] = defaultdict(list)
    for row, pair in enumerate(pairs):
        key = (
            pair.source_language or glossary.source_language,
            pair.target_language or glossary.target_language,
        )
        by_language[key].append(row)
    for (source_language, target_language), rows in by_language.items():
        sources = worded([_words(pairs[row].source_words) for row in rows], source_language)
        targets = worded([_words(pairs[row].target_words) for row in rows], target_language)
        for row, source, target in zip(rows, sources, targets, strict=True):
            for finding in _compared(glossary, source, target, source_language, target_language):
                yield row, finding


def _words(text: str) -> str:
    """Masks as blanks: analysers need not know them."""
    return text.replace(MASK, " ")


def _compared(
    glossary: Glossary,
    source: WordedText,
    target: WordedText,
    source_language: str,
    target_language: str,
) -> Iterator[Finding]:
    for places, terms in _terms_of(glossary, source, source_language):
        allowed = tuple(dict.fromkeys(text for term in terms for text in term.targets))
        forbidden = tuple(dict.fromkeys(text for term in terms for text in term.forbidden))
        sensitive = all(term.case_sensitive for term in terms)
        found = any(
            _stands(text, target, target_language, sensitive)
            or has_in_compound(text, target, target_language)
            for text in allowed
        )
        written = source.text[slice(*places[0])]
        yield from _forbidden(forbidden, allowed, target, target_language, written)
        if allowed and not found:
            wanted = " or ".join(f"“{text}”" for text in allowed)
            yield MISSING.finding(
                "source",
                places[0],
                f"“{written}” should be {wanted}.",
                expected=" | ".join(allowed),
                suggestion=allowed[0],
            )
    for term in glossary.terms:
        if not term.source:
            yield from _forbidden(term.forbidden, (), target, target_language, "")


def _stands(text: str, target: WordedText, language: str, case_sensitive: bool) -> bool:
    places = places_of(text, target, language, case_sensitive=case_sensitive, loosely=True)
    return next(places, None) is not None


def _forbidden(
    forbidden: Sequence[str], allowed: Sequence[str], target: WordedText, language: str, term: str
) -> Iterator[Finding]:
    """Forbidden words, but for those inside of a longer one that is allowed."""
    good = [place for text in allowed for place in places_of(text, target, language)]
    for text in forbidden:
        for start, end in places_of(text, target, language):
            if not any(first <= start and end <= last for first, last in good):
                instead = f" for “{term}”" if term else ""
                yield FORBIDDEN.finding(
                    "target",
                    (start, end),
                    f"“{target.text[start:end]}” is forbidden{instead}.",
                    expected=" | ".join(allowed) or None,
                    found=target.text[start:end],
                    suggestion=allowed[0] if allowed else None,
                )


def _terms_of(
    glossary: Glossary, text: WordedText, language: str
) -> Iterator[tuple[list[tuple[int, int]], list[Term]]]:
    """The terms of the source with their places; a term inside a longer one is not meant.

    Terms of one spelling count together: any of their translations will do.
    """
    by_key, by_characters = _lookup(glossary, language)
    candidates = {number for key in text.index for number in by_key.get(key, ())}
    found: dict[str, list[tuple[int, int]]] = {}
    terms: dict[str, list[Term]] = defaultdict(list)
    for number in sorted(candidates.union(by_characters)):
        term = glossary.terms[number]
        places = list(places_of(term.source, text, language, case_sensitive=term.case_sensitive))
        if places:
            key = term.source if term.case_sensitive else term.source.lower()
            found[key] = places
            terms[key].append(term)
    every = [place for places in found.values() for place in places]
    for key, places in found.items():
        own = [
            (start, end)
            for start, end in places
            if not any(
                first <= start and end <= last and last - first > end - start
                for first, last in every
            )
        ]
        if own:
            yield own, terms[key]


@lru_cache(maxsize=4)
def _lookup(glossary: Glossary, language: str) -> tuple[dict[str, list[int]], tuple[int, ...]]:
    """The numbers of terms by what their first word may be looked up by, and those of the other terms."""
    by_key: dict[str, list[int]] = defaultdict(list)
    others = []
    for number, term in enumerate(glossary.terms):
        if term.source and is_by_characters(term.source, language):
            others.append(number)
        elif term.source:
            for key in keys_of(worded_term(term.source, language).words[0][2]):
                by_key[key].append(number)
    return by_key, tuple(others)


TERMS = Check(
    "terms", "terminology", "terms of a glossary (only with one)", (MISSING, FORBIDDEN), _find
)
