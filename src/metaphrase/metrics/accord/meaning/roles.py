"""Subject and object, or two nouns, in each other's place."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metaphrase.metrics.accord.meaning.pairs import Pairs, Shift, shift_of
from metaphrase.metrics.accord.meaning.words import MeaningWords

#: Verbs whose subject and object may be exchanged, and what joins words that may be.
_MUTUAL = frozenset("be meet marry resemble equal".split())
_JOINING = frozenset("and or nor , ; & / - – plus with as well versus vs vs. v.".split())
#: The words of a noun that changed places.
_LONGEST_SWAP = 4


def roles(pairs: Pairs, words: MeaningWords) -> Iterator[Shift]:
    """Exchanged by the parse, or else by the order of words alone."""
    seen = set()
    for shift in _exchanged(pairs, words):
        seen.add(shift.pair)
        yield shift
    yield from (shift for shift in _swaps(pairs, words) if shift.pair not in seen)


def _exchanged(pairs: Pairs, words: MeaningWords) -> Iterator[Shift]:
    token = pairs.token[0]
    aligned = np.flatnonzero(
        (pairs.partner[0] >= 0) & (words.agent[token] >= 0) & (words.patient[token] >= 0)
    )
    for slot in aligned.tolist():
        verb, other, pair = int(token[slot]), int(pairs.partner[0][slot]), int(pairs.pair[0][slot])
        agent, patient = int(words.agent[verb]), int(words.patient[verb])
        theirs = int(words.agent[other]), int(words.patient[other])
        if min(theirs) < 0 or words.lemma(verb) in _MUTUAL:
            continue
        if (
            pairs.partner_of(0, pair, agent) == theirs[1]
            and pairs.partner_of(0, pair, patient) == theirs[0]
        ):
            yield shift_of(pairs, pair, "roles", 1.0, ([agent, patient], list(theirs)))


def _swaps(pairs: Pairs, words: MeaningWords) -> Iterator[Shift]:
    """Nouns or names that changed places in a text that is the same otherwise, however it is parsed."""
    lengths = [np.diff(pairs.start[side]) for side in (0, 1)]
    aligned = [pairs.sums(side, pairs.sure[side]) for side in (0, 1)]
    whole = (lengths[0] == lengths[1]) & (aligned[0] == lengths[0])
    for pair in np.flatnonzero(whole & (lengths[0] > 2)).tolist():
        tokens = [pairs.token[side][pairs.here(side, pair)].tolist() for side in (0, 1)]
        forms = [[words.form(token) for token in side] for side in tokens]
        if forms[0] == forms[1]:
            continue
        first = next(n for n, (a, b) in enumerate(zip(*forms, strict=True)) if a != b)
        last = len(forms[0]) - next(
            n
            for n, (a, b) in enumerate(zip(*(side[::-1] for side in forms), strict=True))
            if a != b
        )
        own, other = (side[first:last] for side in forms)
        place = tokens[0][first]
        for left in range(1, min(len(own) - 1, _LONGEST_SWAP + 1)):
            if own[:left] != other[-left:]:
                continue
            right = next(
                (
                    n
                    for n in range(1, min(len(own) - left, _LONGEST_SWAP + 1))
                    if own[-n:] == other[:n] and own[left:-n] == other[n : len(own) - left]
                ),
                0,
            )
            if (
                right
                and not _JOINING.issuperset(own[left:-right])
                and words.lemma(place + left) not in _MUTUAL
                and all(
                    _is_noun(words, range(place + at, place + at + size))
                    for at, size in ((0, left), (len(own) - right, right))
                )
            ):
                swapped = [place + left - 1, place + len(own) - 1]
                there = tokens[1][first]
                yield shift_of(
                    pairs,
                    pair,
                    "roles",
                    1.0,
                    (swapped, [there + right - 1, there + len(own) - 1]),
                )
                break


def _is_noun(words: MeaningWords, tokens: range) -> bool:
    """Whether words are a noun, with an article or adjective at most."""
    parts = [words.part(token) for token in tokens]
    return parts[-1] == "N" and set(parts) <= {"N", "D", "J"}
