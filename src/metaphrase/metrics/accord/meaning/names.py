"""Other names of a kind, names without a counterpart, and *she* for *he*."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from metaphrase.metrics.accord.meaning.opposites import same_context
from metaphrase.metrics.accord.meaning.pairs import Pairs, Shift, shift_of
from metaphrase.metrics.accord.meaning.words import MeaningWords

#: Names that share so many of their pairs of letters are one name in two spellings.
_SAME_NAME = 0.4
#: What spellings of one name differ in most: Kyiv and Kiev.
_VOWELS = frozenset("aeiouy")


def names(pairs: Pairs, words: MeaningWords) -> Iterator[Shift]:
    """Names that became others, and names without a counterpart."""
    left = [words.proper[pairs.token[side]] & (pairs.partner[side] < 0) for side in (0, 1)]
    counts = [pairs.sums(side, left[side]) for side in (0, 1)]
    for pair in np.flatnonzero(counts[0] + counts[1]).tolist():
        sides = [
            pairs.token[side][pairs.here(side, pair)][left[side][pairs.here(side, pair)]].tolist()
            for side in (0, 1)
        ]
        known = [
            [
                words.form(token)
                for token in tokens[words.proper[tokens] | words.content[tokens]].tolist()
            ]
            for tokens in (pairs.token[side][pairs.here(side, pair)] for side in (1, 0))
        ]
        sides = [
            [token for token in sides[side] if not _is_spelt_alike(words.form(token), known[side])]
            for side in (0, 1)
        ]
        sides = [_not_abbreviated(pairs, words, side, pair, sides[side]) for side in (0, 1)]
        total = max(pairs.start[1][pair + 1] - pairs.start[1][pair], 1)
        exchanged = next(
            (
                (token, other)
                for token in sides[0]
                for other in sides[1]
                if words.entity(token) == words.entity(other)
                and words.entity(token) in ("PERSON", "LOCATION")
                and words.relation(token) == words.relation(other)
                and same_context(pairs, words, pair, token, other)
            ),
            None,
        )
        if exchanged:
            yield shift_of(pairs, pair, "name", 1.0, ([exchanged[0]], [exchanged[1]]))
        for side, kind in ((0, "names extra"), (1, "names missing")):
            if sides[side]:
                named = (sides[0], []) if side == 0 else ([], sides[1])
                yield shift_of(pairs, pair, kind, min(len(sides[side]) / total, 1.0), named)


def _not_abbreviated(
    pairs: Pairs, words: MeaningWords, side: int, pair: int, names: list[int]
) -> list[int]:
    """Those names that are no part of what the other text abbreviates: *United Nations* and *U.N.*"""
    there = pairs.token[1 - side][pairs.here(1 - side, pair)]
    short = [words.form(token).replace(".", "") for token in there[words.proper[there]].tolist()]
    here = [
        token
        for token in pairs.token[side][pairs.here(side, pair)].tolist()
        if words.content[token] or words.proper[token]
    ]
    initials = "".join(words.form(token)[0] for token in here)
    abbreviated = {
        token
        for name in short
        if len(name) > 1 and (at := initials.find(name)) >= 0
        for token in here[at : at + len(name)]
    }
    return [token for token in names if token not in abbreviated]


def _is_spelt_alike(name: str, others: list[str]) -> bool:
    """Whether a name may be another spelling, an abbreviation or a derivation of one of the words."""
    if any(_alike(name, other) for other in others):
        return True
    return len(name) > 1 and name in "".join(word[:1] for word in others)


@lru_cache(maxsize=1 << 16)
def _alike(name: str, other: str) -> bool:
    """Whether two words begin alike or share most of their pairs of letters."""
    name, other = _plain(name), _plain(other)
    if name[:3] == other[:3] and min(len(name), len(other)) >= 3:
        return True
    consonants = ["".join(c for c in word if c not in _VOWELS) for word in (name, other)]
    if len(consonants[0]) > 1 and consonants[0] == consonants[1]:
        return True
    pairs = [{word[at : at + 2] for at in range(len(word) - 1)} for word in (name, other)]
    return 2 * len(pairs[0] & pairs[1]) > _SAME_NAME * (len(pairs[0]) + len(pairs[1]))


def _plain(name: str) -> str:
    """Without accents."""
    if name.isascii():
        return name
    return "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))


def genders(pairs: Pairs, words: MeaningWords) -> Iterator[Shift]:
    """Pronouns of the other gender."""
    counts = {
        (side, kind): pairs.sums(side, words.gender[pairs.token[side]] == kind)
        for side in (0, 1)
        for kind in (1, 2)
    }
    excess = [counts[0, kind] - counts[1, kind] for kind in (1, 2)]
    changed = np.minimum(np.maximum(excess[0], -excess[0]), np.maximum(excess[1], -excess[1]))
    for pair in np.flatnonzero((excess[0] * excess[1] < 0) & (changed > 0)).tolist():
        kind = 1 if excess[0][pair] > 0 else 2
        sides = []
        for side, wanted in ((0, kind), (1, 3 - kind)):
            tokens = pairs.token[side][pairs.here(side, pair)]
            sides.append(tokens[words.gender[tokens] == wanted].tolist()[:1])
        yield shift_of(pairs, pair, "gender", float(changed[pair]), (sides[0], sides[1]))
