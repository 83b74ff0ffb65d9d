"""Which of many metrics agrees better with people by soft pairwise accuracy? All pairs of them at once.

The test is PERM-BOTH, as in :mod:`metaphrase.statistics.permutation`: a resample exchanges the standardised
scores of two metrics in some cells, and soft pairwise accuracy of both hybrids asks, for every two systems,
in which share of the permutations of segments the first one is as good.

With w = 1 for the cells that a resample leaves in place, the hybrid of metrics a and b has the scores
w a + (1 - w) b. Its sums over the segments of a permutation are X(a) + Y(b) - X(b), where Y sums a metric's
scores and X those that w leaves in place. All pairs of metrics see the same w, so that X, which costs most,
is computed for each metric once, not for each pair. Of the sums' differences between two systems, which
decide who is better, X(a) - X(b) serves both hybrids.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metaphrase.arrays import BoolArray, FloatArray, Int64Array
from metaphrase.statistics.judged_cells import standardised
from metaphrase.statistics.permutation import (
    EarlyStopping,
    PermutationResult,
    Tally,
    resample_blocks,
)
from metaphrase.statistics.system_level import exchanges, paired_permutation_p_values

#: Resamples whose bits are drawn at a time, and whose sums are in memory: systems × resamples × permutations.
_BATCH = 32
#: Resamples at a time whose differences of sums stay close to the processor.
_SLICE = 8
#: Sums that differ by no more than this are equal but for rounding; scores have the deviation 1.
_ROUNDING = 1e-9
#: Differences of agreements that rounding alone can make.
_SAME = 1e-12
#: Two metrics, the better one first.
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Certainty:
    """How sure people are of the better of two systems, and by which exchanges; it serves all metrics."""

    p_values: FloatArray
    #: 1 where a permutation exchanges a segment's two scores, (permutations, segments).
    exchanged: FloatArray

    @classmethod
    def of(cls, human: FloatArray, *, permutations: int = 1000, seed: int = 4) -> Certainty:
        """Of a matrix (systems, segments) without gaps, as ``soft_pairwise_accuracy_of_scores`` has it."""
        p_values = paired_permutation_p_values(human, permutations=permutations, seed=seed)
        return cls(p_values, exchanges(permutations, human.shape[1], seed))

    def agreement(self, as_good: Sequence[Int64Array]) -> FloatArray:
        """Soft pairwise accuracy of hybrids, of how often a system is as good as each of those after it.

        ``as_good`` has an array (systems after it, hybrids) for every system but the last one.
        """
        systems, permutations = len(self.p_values), len(self.exchanged)
        distance = np.zeros(as_good[0].shape[1])
        for system, counts in enumerate(as_good):
            share = np.ascontiguousarray(counts.T) / permutations
            distance += np.abs(share - self.p_values[system, system + 1 :]).sum(axis=1)
        return np.asarray(1.0 - distance / (systems * (systems - 1) / 2))


@dataclass(frozen=True, slots=True, eq=False)
class _Metric:
    """Standardised scores (systems, segments), and their sums over each permutation."""

    scores: FloatArray
    #: Y: (systems, permutations).
    whole: FloatArray
    #: For every system, its lead over each of those after it, less what is rounding; and the negatives.
    leads: tuple[FloatArray, ...]
    limits: tuple[FloatArray, ...]

    @classmethod
    def of(cls, scores: FloatArray, exchanged: FloatArray) -> _Metric:
        own = standardised(scores.ravel()).reshape(scores.shape)
        whole = own @ exchanged.T
        leads = tuple(
            (whole[s] - whole[s + 1 :] - _ROUNDING)[:, None, :] for s in range(len(whole) - 1)
        )
        return cls(own, whole, leads, tuple(-lead for lead in leads))

    def kept(self, own: FloatArray, exchanged: FloatArray) -> FloatArray:
        """X: the sums of what is left in place, of ``own`` (systems, resamples, segments)."""
        systems, count, segments = own.shape
        left = (own * self.scores[:, None, :]).reshape(systems * count, segments)
        return np.asarray(left @ exchanged.T).reshape(systems, count, len(exchanged))


def soft_accuracy_tests(
    scores: Mapping[str, FloatArray],
    pairs: Sequence[Pair],
    human: Certainty,
    *,
    resamples: int,
    seed: int,
    early: EarlyStopping | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> dict[Pair, PermutationResult]:
    """Test for every pair whether its first metric agrees better with people than its second.

    Scores are matrices (systems, segments) without gaps, of two systems and one segment at least.
    ``progress`` is told how many pairs are done.
    """
    exchanged = human.exchanged
    metrics = {name: _Metric.of(matrix, exchanged) for name, matrix in scores.items()}
    if not pairs:
        return {}
    shape = next(iter(metrics.values())).scores.shape
    # A metric exchanged with itself stays what it is.
    nothing = np.zeros((shape[0], 1, len(exchanged)))
    values = {
        name: float(human.agreement(_as_good(nothing, one, one)[0])[0])
        for name, one in metrics.items()
    }
    tallies = {pair: Tally(values[pair[0]] - values[pair[1]] - _SAME, early) for pair in pairs}
    running = list(pairs)
    generator = np.random.default_rng(seed)
    with ThreadPoolExecutor(threads) as pool:
        for size in resample_blocks(resamples, early, max(shape[0] * shape[1] // 64, 1)):
            drawn: dict[Pair, list[FloatArray]] = {pair: [] for pair in running}
            for start in range(0, size, _BATCH):
                count = min(_BATCH, size - start)
                bits = generator.integers(0, 2, size=(count, *shape), dtype=np.int8)
                own = np.ascontiguousarray(bits.transpose(1, 0, 2), dtype=np.float64)
                needed = dict.fromkeys(name for pair in running for name in pair)
                kept = {name: metrics[name].kept(own, exchanged) for name in needed}

                def differences(pair: Pair, kept: Mapping[str, FloatArray] = kept) -> FloatArray:
                    first, second = pair
                    between = kept[first] - kept[second]
                    ones, others = _as_good(between, metrics[first], metrics[second])
                    return human.agreement(ones) - human.agreement(others)

                for pair, found in zip(running, pool.map(differences, running), strict=True):
                    drawn[pair].append(found)
            running = [p for p in running if not tallies[p].add(np.concatenate(drawn[p]))]
            if progress is not None:
                progress(len(pairs) - len(running))
            if not running:
                break
    return {pair: tally.result(values[pair[0]], values[pair[1]]) for pair, tally in tallies.items()}


def _as_good(
    between: FloatArray, first: _Metric, second: _Metric
) -> tuple[list[Int64Array], list[Int64Array]]:
    """In how many permutations a system is as good as each after it, of both hybrids.

    ``between`` is X(a) - X(b), (systems, resamples, permutations). A system is as good in the first hybrid
    where its lead there, plus that in Y(b), is at most 0, and in the second where Y(a) leaves as little.
    """
    systems, count, permutations = between.shape
    found = [
        (np.empty((systems - 1 - s, count), np.int64), np.empty((systems - 1 - s, count), np.int64))
        for s in range(systems - 1)
    ]
    lead = np.empty((systems - 1, min(_SLICE, count), permutations))
    mask = np.empty(lead.shape, dtype=np.bool_)
    for start in range(0, count, _SLICE):
        some = between[:, start : start + _SLICE]
        for system, (ones, others) in enumerate(found):
            rest, few = systems - 1 - system, some.shape[1]
            ahead, as_good = lead[:rest, :few], mask[:rest, :few]
            np.subtract(some[system], some[system + 1 :], out=ahead)
            np.less_equal(ahead, second.limits[system], out=as_good)
            ones[:, start : start + few] = _counts(as_good)
            np.greater_equal(ahead, first.leads[system], out=as_good)
            others[:, start : start + few] = _counts(as_good)
    return [ones for ones, _ in found], [others for _, others in found]


def _counts(mask: BoolArray) -> NDArray[np.integer]:
    """How many are true along the last axis."""
    length = mask.shape[-1]
    if length % 8 or length > 8 * 255:
        return np.asarray(np.count_nonzero(mask, axis=-1))
    # Eight truths are a word; words are added, which overflows no byte of them before 255.
    words = mask.view(np.uint64).sum(axis=-1, dtype=np.uint64)
    return np.asarray(words[..., None].view(np.uint8).sum(axis=-1, dtype=np.int64))
