"""What each kind of error must be, said of two texts and nothing else: obvious, and without an analyser."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator

_WORD = re.compile(r"\w+|[^\w\s]")
_DENYING = {
    "en": r"\b(not|cannot)\b|n't\b",
    "de": r"\bnicht\b|\bkein\w*",
    "fr": r"\bpas\b",
    "es": r"\bno\b",
}


def words(text: str) -> list[str]:
    """Runs of letters and digits, and every mark by itself."""
    return _WORD.findall(text)


def is_part(part: list[str], whole: list[str]) -> bool:
    """Whether words are others with some left out."""
    left: Iterator[str] = iter(whole)
    return all(word in left for word in part)


def is_numbers(good: str, bad: str, language: str) -> bool:
    """Only digits differ, and of one number."""
    runs = zip(re.findall(r"\d[\d.,]*", good), re.findall(r"\d[\d.,]*", bad), strict=True)
    return re.sub(r"\d", "0", good) == re.sub(r"\d", "0", bad) and sum(a != b for a, b in runs) == 1


def is_negation(good: str, bad: str, language: str) -> bool:
    """One word that denies more or less; in Czech it is the beginning of a verb."""
    if language == "cs":
        pairs = [(a, b) for a, b in zip(words(good), words(bad), strict=True) if a != b]
        ((one, other),) = pairs
        short, long = sorted((one.lower(), other.lower()), key=len)
        return long in (f"ne{short}", "není")
    found = [len(re.findall(_DENYING[language], text.lower())) for text in (good, bad)]
    return abs(found[0] - found[1]) == 1


def is_names(good: str, bad: str, language: str) -> bool:
    """Some words with capitals in the place of as many others."""
    ours, theirs = words(good), words(bad)
    differing = [(a, b) for a, b in zip(ours, theirs, strict=True) if a != b]
    return bool(differing) and all(a[0].isupper() and b[0].isupper() for a, b in differing)


def is_omission(good: str, bad: str, language: str) -> bool:
    """Something is missing, and nothing else differs."""
    return len(words(bad)) < len(words(good)) and is_part(words(bad), words(good))


def is_addition(good: str, bad: str, language: str) -> bool:
    """Something is there in addition, and nothing else differs."""
    return is_omission(bad, good, language)


def is_order(good: str, bad: str, language: str) -> bool:
    """The same words, two neighbours of which have changed places."""
    ours, theirs = words(good), words(bad)
    places = [place for place, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b]
    neighbours = len(places) == 2 and places[1] == places[0] + 1
    return Counter(ours) == Counter(theirs) and neighbours


def is_agreement(good: str, bad: str, language: str) -> bool:
    """One word is another one; whether it is the same word in another form, a lexicon must say."""
    differing = [(a, b) for a, b in zip(words(good), words(bad), strict=True) if a != b]
    return len(differing) == 1


IS: dict[str, Callable[[str, str, str], bool]] = {
    "numbers": is_numbers,
    "negation": is_negation,
    "names": is_names,
    "omission": is_omission,
    "addition": is_addition,
    "order": is_order,
    "agreement": is_agreement,
}
