"""N-grams matched one to one in stages, as in MaxSim (Chan & Ng, ACL 2008).

For n = 1, 2, 3 every n-gram of a hypothesis is matched with at most one of its reference:

1. those that agree in all lemmas and tags, from left to right on either side;
2. of what is left, those that agree in all lemmas, likewise;
3. of what is left then, so that the sum of similarities is largest. The similarity of two tokens is 1 if
   their lemmas are equal, else (a + b) / 2 with a = 1 if they are synonyms and b = 1 if their tags are
   equal; that of two n-grams is the mean over positions, and 0 if it is 0 anywhere.

The third stage is a problem of :mod:`metaphrase.matching.transport` in which everything weighs 1, and so
has an optimum that matches one to one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metaphrase.errors import InputError
from metaphrase.matching.checked_array import vector
from metaphrase.matching.ngram_bags import Synonymy
from metaphrase.matching.transport import TransportProblems, transport_batch

ORDERS = (1, 2, 3)
_Positions = list[int]


@dataclass(frozen=True, slots=True, eq=False)
class StagedMatches:
    """What was matched and how many n-grams there were, one row a pair; columns are n = 1, 2, 3."""

    matched: NDArray[np.float64]
    reference: NDArray[np.float64]
    hypothesis: NDArray[np.float64]


def staged_ngrams(
    offsets: ArrayLike,
    lemma: ArrayLike,
    tag: ArrayLike,
    *,
    hypothesis_rows: ArrayLike,
    reference_rows: ArrayLike,
    synonymy: Synonymy,
    threads: int = 1,
) -> StagedMatches:
    """Compare sentence ``hypothesis_rows[p]`` with sentence ``reference_rows[p]`` for every p.

    Arrays are as for :func:`~metaphrase.matching.ngram_bags`; synonymy is asked about lemmas.
    """
    places = vector(offsets, np.int64, "offsets")
    lemmas, tags = vector(lemma, np.int32, "lemma"), vector(tag, np.int32, "tag")
    hypotheses = vector(hypothesis_rows, np.int32, "hypothesis_rows")
    references = vector(reference_rows, np.int32, "reference_rows")
    lengths = np.diff(places)
    _check(places, lemmas, tags, (hypotheses, references), senses=len(synonymy.offsets) - 1)
    related = _Related(synonymy)
    certain = np.zeros((len(hypotheses), len(ORDERS)))
    problems = []
    for p, (one, other) in enumerate(zip(hypotheses.tolist(), references.tolist(), strict=True)):
        sides = [slice(places[row], places[row + 1]) for row in (one, other)]
        lemma_pair, tag_pair = [lemmas[side] for side in sides], [tags[side] for side in sides]
        twice = _twice_the_similarities(lemma_pair, tag_pair, related)
        words = [column.tolist() for column in lemma_pair]
        tagged = [
            list(zip(*columns, strict=True))
            for columns in zip(words, [column.tolist() for column in tag_pair], strict=True)
        ]
        for k, n in enumerate(ORDERS):
            left = [list(range(len(side) - n + 1)) for side in words]
            for tokens in (tagged, words):
                before = len(left[0])
                left = _without_equal(tokens, left, n)
                certain[p, k] += before - len(left[0])
            problems.append(_rest(twice, left, n))
    optima = transport_batch(TransportProblems.pack(problems), threads=threads).values
    uncertain = optima.reshape(certain.shape) / (2.0 * np.array(ORDERS))
    reference, hypothesis = (
        np.maximum(lengths[rows][:, None] - np.array(ORDERS) + 1, 0).astype(np.float64)
        for rows in (references, hypotheses)
    )
    return StagedMatches(certain + uncertain, reference, hypothesis)


def _check(
    offsets: NDArray[np.int64],
    lemmas: NDArray[np.int32],
    tags: NDArray[np.int32],
    rows: tuple[NDArray[np.int32], NDArray[np.int32]],
    *,
    senses: int,
) -> None:
    sentences = len(offsets) - 1
    if sentences < 0 or offsets[0] != 0 or (np.diff(offsets) < 0).any():
        raise InputError("MP406", "offsets must begin with 0 and not fall.")
    if not offsets[-1] == len(lemmas) == len(tags):
        raise InputError("MP406", "offsets, lemma and tag disagree on the number of tokens.")
    if len(rows[0]) != len(rows[1]):
        raise InputError("MP406", "hypothesis_rows and reference_rows differ in length.")
    for name, ids, most in (
        ("lemma", lemmas, senses),
        ("hypothesis_rows", rows[0], sentences),
        ("reference_rows", rows[1], sentences),
    ):
        if len(ids) and not (ids.min() >= 0 and ids.max() < most):
            raise InputError("MP403", f"{name} holds a number that is not in 0 to {most - 1}.")


class _Related:
    """Synonymy as a set of pairs of senses."""

    def __init__(self, synonymy: Synonymy) -> None:
        senses = len(synonymy.offsets) - 1
        first = np.repeat(np.arange(senses, dtype=np.int64), np.diff(synonymy.offsets))
        self._senses = max(senses, 1)
        self._keys = first * self._senses + synonymy.synonyms  # ascending, as the graph is

    def between(self, one: NDArray[np.int32], other: NDArray[np.int32]) -> NDArray[np.bool_]:
        keys = one.astype(np.int64)[:, None] * self._senses + other
        if len(self._keys) == 0:
            return np.zeros(keys.shape, dtype=bool)
        found = np.searchsorted(self._keys, keys)
        return np.asarray(self._keys[np.minimum(found, len(self._keys) - 1)] == keys)


def _twice_the_similarities(
    lemmas: Sequence[NDArray[np.int32]], tags: Sequence[NDArray[np.int32]], related: _Related
) -> NDArray[np.int64]:
    """Of every token of the hypothesis with every one of the reference, doubled to be whole numbers."""
    same_tag = tags[0][:, None] == tags[1]
    same_lemma = lemmas[0][:, None] == lemmas[1]
    halves = related.between(*lemmas).astype(np.int64) + same_tag
    return np.where(same_lemma, 2, halves)


def _without_equal(
    tokens: Sequence[Sequence[Hashable]], left: Sequence[_Positions], n: int
) -> list[_Positions]:
    """What is left when equal n-grams have been matched from left to right."""
    ngrams = [
        [tuple(side[at : at + n]) for at in positions]
        for side, positions in zip(tokens, left, strict=True)
    ]
    common = Counter(ngrams[0]) & Counter(ngrams[1])
    rest = []
    for positions, grams in zip(left, ngrams, strict=True):
        seen: defaultdict[Hashable, int] = defaultdict(int)
        kept = []
        for at, gram in zip(positions, grams, strict=True):
            seen[gram] += 1
            if seen[gram] > common[gram]:
                kept.append(at)
        rest.append(kept)
    return rest


def _rest(
    twice: NDArray[np.int64], left: Sequence[_Positions], n: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """The third stage as a problem of transport, its similarities multiplied by 2n."""
    rows, columns = (np.array(positions, dtype=np.int64) for positions in left)
    parts = np.stack([twice[np.ix_(rows + shift, columns + shift)] for shift in range(n)])
    similarities = np.where((parts > 0).all(axis=0), parts.sum(axis=0), 0)
    return similarities.astype(np.float64), np.ones(len(rows)), np.ones(len(columns))
