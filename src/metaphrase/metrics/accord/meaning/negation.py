"""Predicates that are denied on one side alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metaphrase.arrays import BoolArray, FloatArray
from metaphrase.metrics.accord.meaning.opposites import opposites
from metaphrase.metrics.accord.meaning.pairs import Pairs, Shift, shift_of
from metaphrase.metrics.accord.meaning.words import MeaningWords

#: Verbs that deny what they govern, and how it is governed.
_DENYING_VERBS = {
    **dict.fromkeys(("fail", "refuse", "decline"), ("xcomp",)),
    "deny": ("ccomp", "xcomp"),
}
#: What says the same as *deny*, in either text.
_DISPUTING = frozenset("deny reject dispute refute dismiss contest rebut contradict".split())


def negations(
    pairs: Pairs, words: MeaningWords, denials: list[FloatArray], uneven: BoolArray
) -> Iterator[Shift]:
    """Negations lost or added, and denials of which it is not clear what they deny."""
    implied = [
        pairs.sums(side, words.implies[pairs.token[side]] & (pairs.partner[side] < 0))
        for side in (0, 1)
    ]
    for pair in np.flatnonzero(uneven | (implied[0] + implied[1] > 0)).tolist():
        if uneven[pair]:
            side = int(denials[1][pair] > denials[0][pair])
            tokens = pairs.token[side][pairs.here(side, pair)]
            extra = [
                token
                for token in tokens[words.denies[tokens]].tolist()
                if (other := pairs.partner_of(side, pair, token)) < 0 or not words.denies[other]
            ]
            certain = [
                (token, aligned)
                for token in extra
                if (aligned := _denied_alone(pairs, words, side, pair, token)) >= 0
                and not words.implies[aligned]  # never ending, and endless
            ]
            if implied[1 - side][pair] or _has_opposite(pairs, words, pair):
                continue  # not bad, and good
            if any(
                words.denies_more[token] and pairs.partner_of(side, pair, token + 1) < 0
                for token in extra
            ):
                continue  # no less than, and at least
            kind = "negation" if certain else "denial"
            denying = [certain[0][0]] if certain else extra[:1]
            beside = [certain[0][1]] if certain else []
            named = (denying, beside) if side == 0 else (beside, denying)
            yield shift_of(pairs, pair, kind, 1.0, named)
            continue
        for side in (0, 1):
            if implied[1 - side][pair] or denials[0][pair] or denials[1][pair]:
                continue
            tokens = pairs.token[side][pairs.here(side, pair)]
            for token in tokens[words.implies[tokens]].tolist():
                if not _denies_alone(pairs, words, side, pair, token):
                    continue
                governed = tokens[(words.head[tokens] == token)].tolist()
                partners = [
                    other
                    for one in governed
                    if words.relation(one) in _DENYING_VERBS[words.lemma(token)]
                    and (other := pairs.partner_of(side, pair, one)) >= 0
                ]
                if partners:
                    named = ([token], partners[:1]) if side == 0 else (partners[:1], [token])
                    yield shift_of(pairs, pair, "negation", 1.0, named)
                    break


def _denies_alone(pairs: Pairs, words: MeaningWords, side: int, pair: int, token: int) -> bool:
    """Whether it is a denying verb that nothing of the other text stands for.

    *Denied* may be aligned with *said*: what they govern is what counts.
    """
    verb = words.lemma(token)
    if verb == "deny":
        there = pairs.token[1 - side][pairs.here(1 - side, pair)]
        return not any(words.lemma(other) in _DISPUTING for other in there.tolist())
    return verb in _DENYING_VERBS and pairs.partner_of(side, pair, token) < 0


def _denied_alone(pairs: Pairs, words: MeaningWords, side: int, pair: int, token: int) -> int:
    """What the predicate that ``token`` denies is aligned with, if nothing denies that; else -1."""
    head = int(words.head[token])
    other = pairs.partner_of(side, pair, head)
    if other < 0 and head >= 0 and words.form(head) == "one":  # no one
        other = pairs.partner_of(side, pair, int(words.head[head]))
    if other < 0:
        return -1
    tokens = pairs.token[1 - side][pairs.here(1 - side, pair)]
    own = ~words.clause[tokens]  # of another clause, what is denied is something else
    near = ((words.head[tokens] == other) & own) | (tokens == other)
    if not words.clause[other]:
        near |= tokens == words.head[other]
    near |= np.isin(words.head[tokens], tokens[near]) & own
    return -1 if words.denies[tokens[near]].any() else other


def _has_opposite(pairs: Pairs, words: MeaningWords, pair: int) -> bool:
    """Whether opposites make up for a denial, as *not bad* and *good*; *never* and *always* do not."""
    return any(
        not words.denies[token] and not words.denies[other]
        for token, other, _ in opposites(pairs, words, pair)
    )
