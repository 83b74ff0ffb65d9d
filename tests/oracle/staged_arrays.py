"""MaxSim's stages with dictionaries and NumPy, as quick as Python is."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from metaphrase.matching import Synonymy, TransportProblems, transport_batch

ORDERS = (1, 2, 3)
_Positions = list[int]


def staged_arrays(
    offsets: NDArray[np.int64],
    lemmas: NDArray[np.int32],
    tags: NDArray[np.int32],
    *,
    hypothesis_rows: NDArray[np.int32],
    reference_rows: NDArray[np.int32],
    synonymy: Synonymy,
) -> NDArray[np.float64]:
    """What is matched, one row a pair; columns are n = 1, 2, 3."""
    related = _Related(synonymy)
    certain = np.zeros((len(hypothesis_rows), len(ORDERS)))
    problems = []
    for p, rows in enumerate(zip(hypothesis_rows, reference_rows, strict=True)):
        sides = [slice(offsets[row], offsets[row + 1]) for row in rows]
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
    optima = transport_batch(TransportProblems.pack(problems)).values
    return certain + optima.reshape(certain.shape) / (2.0 * np.array(ORDERS))


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
