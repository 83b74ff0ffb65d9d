"""Words that stand where the reference has their opposite."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metaphrase.arrays import BoolArray
from metaphrase.lexicon.antonyms import Antonyms
from metaphrase.metrics.accord.meaning.pairs import Pairs, Shift, shift_of
from metaphrase.metrics.accord.meaning.words import MeaningWords

#: What denies the adjective or noun that it stands before.
_DENYING_PREFIXES = frozenset("un in im il ir dis non non-".split())


def antonyms(pairs: Pairs, words: MeaningWords, uneven: BoolArray) -> Iterator[Shift]:
    """Opposites in the same context, and those without one."""
    candidates = [
        pairs.sums(side, words.opposed[pairs.token[side]] & ~pairs.sure[side]) for side in (0, 1)
    ]
    for pair in np.flatnonzero((candidates[0] > 0) & (candidates[1] > 0) & ~uneven).tolist():
        for token, other, how in opposites(pairs, words, pair):
            one, opposite = words.lemma(token), words.lemma(other)
            if Antonyms.is_converse(one, opposite) and not _same_agent(
                pairs, words, pair, token, other
            ):
                continue
            if denied_before(words, token) or denied_before(words, other):
                continue  # not all, and some … not
            alike = words.part(token) == words.part(other) or words.relation(
                token
            ) == words.relation(other)
            opposed = (
                how == "opposite" or _is_prefixed(one, opposite) or _is_prefixed(opposite, one)
            )
            if _same_neighbours(pairs, pair, token, other):
                # A particle is one however it is parsed, and *harder* is not *easier*; but *have no* is
                # *don't have any*.
                denied = bool(words.denies[[token, other]].any())
                certain = (opposed and alike) or ((opposed or alike) and not denied)
            else:
                certain = opposed and alike and same_context(pairs, words, pair, token, other)
            yield shift_of(
                pairs, pair, "antonym" if certain else "opposite", 1.0, ([token], [other])
            )


def opposites(pairs: Pairs, words: MeaningWords, pair: int) -> Iterator[tuple[int, int, str]]:
    """Tokens of both sides that are opposites, and not aligned by what they are."""
    sides = []
    for side in (0, 1):
        here = pairs.here(side, pair)
        tokens = pairs.token[side][here]
        open_ = ~pairs.sure[side][here]
        sides.append(tokens[open_ & words.opposed[tokens]].tolist())
    if not sides[0] or not sides[1]:
        return
    others: dict[str, int] = {}
    for other in sides[1]:
        others.setdefault(words.form(other), other)
        others.setdefault(words.lemma(other), other)
    for token in sides[0]:
        own = {words.form(token), words.lemma(token)}
        how = {
            others[opposite]: kind
            for one in own
            for opposite, kind in words.antonyms.of(one).items()
            if opposite in others
        }
        for other, kind in how.items():
            # "The old and the new" has both, whatever else it says.
            if not _says(pairs, words, 1, pair, own) and not _says(
                pairs, words, 0, pair, {words.form(other), words.lemma(other)}
            ):
                yield token, other, kind


def _says(pairs: Pairs, words: MeaningWords, side: int, pair: int, wanted: set[str]) -> bool:
    """Whether a text has one of some words, in any form."""
    tokens = pairs.token[side][pairs.here(side, pair)].tolist()
    return any(words.form(token) in wanted or words.lemma(token) in wanted for token in tokens)


def _is_prefixed(word: str, stem: str) -> bool:
    """Whether a word is another one with a prefix that denies: *unsafe* of *safe*."""
    return word.endswith(stem) and word[: len(word) - len(stem)] in _DENYING_PREFIXES


def denied_before(words: MeaningWords, token: int) -> bool:
    """Whether the word before a quantifier denies it: *not all*, *not many*."""
    return bool(words.quantifies[token] and token > 0 and words.denies[token - 1])


def _same_neighbours(pairs: Pairs, pair: int, token: int, other: int) -> bool:
    """Whether two tokens stand between aligned ones, or where both texts begin or end."""
    sides = [
        (int(pairs.first[side][pair]), int(pairs.start[side][pair + 1] - pairs.start[side][pair]))
        for side in (0, 1)
    ]
    for step in (-1, 1):
        beside = token + step, other + step
        outside = [
            not first <= at < first + length
            for at, (first, length) in zip(beside, sides, strict=True)
        ]
        if outside[0] != outside[1]:
            return False
        if not outside[0] and pairs.partner_of(0, pair, beside[0]) != beside[1]:
            return False
    return True


def _same_agent(pairs: Pairs, words: MeaningWords, pair: int, token: int, other: int) -> bool:
    agents = int(words.agent[token]), int(words.agent[other])
    if min(agents) < 0:
        return False
    # Pronouns are aligned only where their verbs are, and these are opposites.
    same = words.form(agents[0]) == words.form(agents[1])
    return same or pairs.partner_of(0, pair, agents[0]) == agents[1]


def same_context(pairs: Pairs, words: MeaningWords, pair: int, token: int, other: int) -> bool:
    """Whether two tokens are aligned, have heads that are aligned, or a child in common."""
    if pairs.partner_of(0, pair, token) == other:
        return True
    heads = int(words.head[token]), int(words.head[other])
    if heads[0] >= 0 and pairs.partner_of(0, pair, heads[0]) == heads[1] and heads[1] >= 0:
        return True
    if (heads[0] < 0) != (heads[1] < 0):
        return False
    here = pairs.here(0, pair)
    tokens = pairs.token[0][here]
    children = tokens[words.head[tokens] == token].tolist()
    return any(
        (partner := pairs.partner_of(0, pair, child)) >= 0
        and words.head[partner] == other
        and words.relation(child) != "punct"
        for child in children
    )
