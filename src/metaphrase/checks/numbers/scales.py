"""Words that stand behind a number and multiply it: 1.5 million, 2 Mrd., 150万."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

_WORDS: dict[int, str] = {
    100: "hundred(?:s)?|hundert|cents?|cientos|stovk\\w*|сот\\w*",
    1_000: "thousands?|tausend\\w*|tsd|mille|mil|tisíc\\w*|tis|тыс\\w*|tuhat\\w*|bin|mii|tys|tysi\\w*|"
    "duizend|k",
    100_000: "lakhs?",
    1_000_000: "millions?|million(?:en|er|s|a)?|mio|mill|mln|mn|m|millón|millones|mili[oó]n\\w*|milione\\w*|"
    "milhão|milhões|mil\\.|млн|миллион\\w*|miljoon\\w*|milyon|milioane|milion|miljoen",
    10_000_000: "crores?",
    1_000_000_000: "billions?|bn|b|milliard\\w*|milliarde\\w*|mrd|mld|md|mil millones|mil milhões|"
    "miliard\\w*|млрд|миллиард\\w*|miljard\\w*|milyar|bilh(?:ão|ões)",
    1_000_000_000_000: "trillions?|billion(?:en)?|billions|bil(?:lón|lones)|bilion\\w*|триллион\\w*|trilyon|"
    "biljoen|tn|bln",
}
_ASIAN = {
    "万亿": 10**12,
    "兆": 10**12,
    "조": 10**12,
    "十亿": 10**9,
    "亿": 10**8,
    "億": 10**8,
    "억": 10**8,
    "千万": 10**7,
    "百万": 10**6,
    "百萬": 10**6,
    "十万": 10**5,
    "万": 10**4,
    "萬": 10**4,
    "만": 10**4,
    "千": 10**3,
    "천": 10**3,
    "百": 10**2,
}
_BEHIND = re.compile(
    # Largest first: mil millones is not mil.
    rf"[\s\u00a0-]?(?:{'|'.join(reversed(_WORDS.values()))})(?![^\W\d_])",
    re.IGNORECASE,
)
_ASIAN_BEHIND = re.compile(
    r"\s?(?:余|多|几)?(" + "|".join(sorted(_ASIAN, key=len, reverse=True)) + ")"
)
_SOMEWHERE = {
    n: re.compile(rf"(?<![^\W\d_])(?:{words})(?![^\W\d_])", re.IGNORECASE)
    for n, words in _WORDS.items()
}


def scale_after(text: str, end: int) -> tuple[frozenset[Decimal], int] | None:
    """The factors that the word behind a number may mean, and where the word ends."""
    asian = _ASIAN_BEHIND.match(text, end)
    if asian is not None:
        return frozenset({Decimal(_ASIAN[asian[1]])}), asian.end()
    match = _BEHIND.match(text, end)
    if match is None:
        return None
    factors = {
        Decimal(n)
        for n, words in _WORDS.items()
        if re.fullmatch(words, match[0].lstrip("- \u00a0\t"), re.IGNORECASE)
    }
    return frozenset(factors), match.end()


def scales_combine(text: str, end: int) -> bool:
    """Whether what ends there is a number that the next one is added to."""
    return text[end - 1 : end] in _ASIAN


@lru_cache(maxsize=256)
def scale_words(text: str) -> tuple[int, ...]:
    """The factors of which words stand somewhere in the text, largest first."""
    found = {n for n, pattern in _SOMEWHERE.items() if pattern.search(text)}
    found |= {n for word, n in _ASIAN.items() if word in text}
    return tuple(sorted(found, reverse=True))
