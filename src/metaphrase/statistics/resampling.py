"""Is one system better than another, or was the test set kind to it?

Philipp Koehn: Statistical Significance Tests for Machine Translation Evaluation. EMNLP 2004 (bootstrap).
Stefan Riezler, John T. Maxwell: On Some Pitfalls in Automatic Evaluation and Significance Testing for MT.
ACL workshop 2005 (approximate randomisation).

Both tests resample rows of a metric's sufficient statistics, so that no text is scored again, and draw as
sacreBLEU does: with its seed (12345) and number of resamples, its p-values come out of its formulas
(:func:`sacrebleu_bootstrap`, :func:`approximate_randomisation`), but for equal systems, which have p = 1 here
and the smallest one there. Draws are numbers of segments, hence results depend on the order of segments,
within the noise that another seed would show too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from metaphrase._core import meta as _core
from metaphrase.arrays import BoolArray, FloatArray, one_line
from metaphrase.errors import InputError, OptionError
from metaphrase.statistics.exact_sum import ExactSum
from metaphrase.threads import check_threads

#: Maps sums of statistics, (…, k), to scores, (…): ``Metric.score``.
ScoreFunction = Callable[[FloatArray], FloatArray]

SEED = 12345
RESAMPLES = 1000
MOST_RESAMPLES = 1_000_000
#: Draws held in memory at a time.
_DRAWS = 1 << 22
#: NumPy draws booleans from words of 32 bits, so only pieces of so many rows continue one stream.
_BOOLEAN_ROWS = 32


@dataclass(frozen=True, slots=True)
class Interval:
    """Mean of the resampled scores and the middle 95 % of them; ``half_width`` is what sacreBLEU prints."""

    mean: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the distance from ``low`` to ``high``."""
        return 0.5 * (self.high - self.low)


@dataclass(frozen=True, slots=True)
class ResampledScore:
    """A system's score with what resampling says about it.

    ``p_value`` is two-sided, against the baseline; the baseline has none, and a test has an ``interval`` only
    if it resampled the system by itself.
    """

    score: float
    p_value: float | None = None
    interval: Interval | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PairedScores:
    """Scores of systems with their intervals, and the tests of all pairs.

    ``p_values`` are (systems, systems) and two-sided, NaN on the diagonal.
    """

    scores: tuple[ResampledScore, ...]
    p_values: FloatArray

    __repr__ = one_line


def confidence_interval(
    statistics: FloatArray,
    score: ScoreFunction,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
) -> Interval:
    """The 95 % bootstrap interval of one system's score."""
    checked = _check([statistics], resamples, seed, at_least=1)
    return interval(score(_bootstrap_sums(checked, resamples, seed, threads)[0]))


def standard_error(
    statistics: FloatArray,
    score: ScoreFunction,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
) -> float:
    """The bootstrap's standard error of one system's score: the deviation of resampled scores."""
    checked = _check([statistics], resamples, seed, at_least=1)
    return float(np.std(score(_bootstrap_sums(checked, resamples, seed, threads)[0]), ddof=1))


def paired_bootstrap(
    statistics: Sequence[FloatArray],
    score: ScoreFunction,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
) -> tuple[ResampledScore, ...]:
    """Every system against the first by the bootstrap; all see the same resamples.

    Each resample draws as many segments as there are, with replacement. With dᵦ = system − baseline in
    resample b and d on the whole, p = (#{b: |dᵦ − d| ≥ |d|} + 1) / (resamples + 1): how often chance alone,
    which resamples show around d, would be as large as d. That is two-sided, and equal systems have p = 1.
    """
    checked = _check(statistics, resamples, seed)
    return _against_first(checked, score, _two_sided_p_value, resamples, seed, threads)


def sacrebleu_bootstrap(
    statistics: Sequence[FloatArray],
    score: ScoreFunction,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
) -> tuple[ResampledScore, ...]:
    """As :func:`paired_bootstrap`, by sacreBLEU's formula.

    With absolute differences dᵦ and d, p = (#{b: dᵦ − mean(dᵦ) > d} + 1) / (resamples + 1). It calls two
    equally good systems different twice as often as it says.
    """
    checked = _check(statistics, resamples, seed)
    return _against_first(checked, score, _sacrebleu_p_value, resamples, seed, threads)


def paired_bootstrap_of_all(
    statistics: Sequence[FloatArray],
    score: ScoreFunction,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
) -> PairedScores:
    """Every pair of systems by the bootstrap, from the same resamples; of one system, its interval.

    p-values are those of :func:`paired_bootstrap`.
    """
    checked = _check(statistics, resamples, seed, at_least=1)
    scores = [score(sums) for sums in _bootstrap_sums(checked, resamples, seed, threads)]
    whole = _whole(checked, score)
    p_values = np.full((len(whole), len(whole)), np.nan)
    for i in range(len(whole)):
        for j in range(i):
            p = _two_sided_p_value(scores[i] - scores[j], whole[i] - whole[j])
            p_values[i, j] = p_values[j, i] = p
    results = (
        ResampledScore(value, None, interval(resampled))
        for value, resampled in zip(whole, scores, strict=True)
    )
    return PairedScores(tuple(results), p_values)


def approximate_randomisation(
    statistics: Sequence[FloatArray],
    score: ScoreFunction,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
) -> tuple[ResampledScore, ...]:
    """Every system against the first by approximate randomisation.

    Each resample exchanges the two systems' outputs on every segment with probability 1/2. With d the
    absolute difference of scores, p = (#{b: dᵦ > d} + 1) / (resamples + 1), and 1 if d is 0.
    """
    baseline, *systems = _check(statistics, resamples, seed)
    whole = _whole([baseline, *systems], score)
    results = [ResampledScore(whole[0])]
    for value, system in zip(whole[1:], systems, strict=True):
        first, second = _exchanged_sums(baseline, system, resamples, seed, threads)
        p = _p_value(np.abs(score(first) - score(second)), abs(whole[0] - value))
        results.append(ResampledScore(value, p))
    return tuple(results)


def _check(
    statistics: Sequence[FloatArray], resamples: int, seed: int, at_least: int = 2
) -> list[FloatArray]:
    check_resamples(resamples, seed)
    if len(statistics) < at_least:
        raise InputError("MP741", "a paired test needs a baseline and another system.")
    arrays = [np.ascontiguousarray(rows, dtype=np.float64) for rows in statistics]
    for rows in arrays:
        if rows.ndim != 2 or rows.shape != arrays[0].shape or len(rows) == 0:
            raise InputError(
                "MP742",
                f"statistics of shape {rows.shape} beside {arrays[0].shape}.",
                hint="Every system needs a row for each segment, with the same columns.",
            )
        if not np.isfinite(rows).all():
            raise InputError("MP743", "statistics hold a number that is infinite or not a number.")
    return arrays


def check_resamples(resamples: int, seed: int) -> None:
    """Refuse what is no number of resamples or no seed."""
    for name, value, least in (("resamples", resamples, 1), ("seed", seed, 0)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
            raise OptionError(
                "MP740", f"{name} is {value!r}; it must be an integer of at least {least}."
            )
    if resamples > MOST_RESAMPLES:
        raise OptionError(
            "MP740",
            f"{resamples:,} resamples would fill the memory and tell nothing new.",
            hint=f"Ask for {MOST_RESAMPLES:,} at the most.",
        )


def _whole(statistics: Sequence[FloatArray], score: ScoreFunction) -> list[float]:
    """Scores as scoring reports them: from exact sums."""
    sums = []
    for rows in statistics:
        total = ExactSum()
        total.add(rows)
        sums.append(total.value())
    return [float(value) for value in score(np.stack(sums))]


def _pieces(resamples: int, size: int, multiple: int = 1) -> Iterator[int]:
    """Numbers of resamples that are drawn together, to bound the memory for draws."""
    rows = -(-max(_DRAWS // size, 1) // multiple) * multiple
    for first in range(0, resamples, rows):
        yield min(rows, resamples - first)


def _bootstrap_sums(
    statistics: Sequence[FloatArray], resamples: int, seed: int, threads: int | None
) -> list[FloatArray]:
    workers = check_threads(threads, "MP519")
    size = len(statistics[0])
    generator = np.random.default_rng(seed)
    sums: list[list[FloatArray]] = [[] for _ in statistics]
    for rows in _pieces(resamples, size):
        draws = generator.integers(0, size, size=(rows, size), dtype=np.int64)
        for system, piece in zip(statistics, sums, strict=True):
            piece.append(_core.bootstrap_sums(system, draws, workers))
    return [np.concatenate(piece) for piece in sums]


def _exchanged_sums(
    first: FloatArray, second: FloatArray, resamples: int, seed: int, threads: int | None
) -> tuple[FloatArray, FloatArray]:
    workers = check_threads(threads, "MP519")
    generator = np.random.default_rng(seed)
    pieces = []
    for rows in _pieces(resamples, len(first), _BOOLEAN_ROWS):
        stay = generator.integers(2, size=(rows, len(first)), dtype=np.bool_)
        pieces.append(_core.exchanged_sums(first, second, stay, workers))
    one, two = zip(*pieces, strict=True)
    return np.concatenate(one), np.concatenate(two)


def interval(scores: FloatArray) -> Interval:
    """Of resampled scores: drops 1/40 of them on either side, as sacreBLEU counts it."""
    ordered = np.sort(scores)
    cut = len(ordered) // 40
    low, high = ordered[cut], ordered[len(ordered) - cut - 1]
    return Interval(float(ordered.mean()), float(low), float(high))


def _against_first(
    statistics: Sequence[FloatArray],
    score: ScoreFunction,
    p_value: Callable[[FloatArray, float], float],
    resamples: int,
    seed: int,
    threads: int | None,
) -> tuple[ResampledScore, ...]:
    """``p_value`` is asked with the differences from the first system in the resamples and on the whole."""
    scores = [score(sums) for sums in _bootstrap_sums(statistics, resamples, seed, threads)]
    whole = _whole(statistics, score)
    results = [ResampledScore(whole[0], None, interval(scores[0]))]
    for value, resampled in zip(whole[1:], scores[1:], strict=True):
        p = p_value(resampled - scores[0], value - whole[0])
        results.append(ResampledScore(value, p, interval(resampled)))
    return tuple(results)


def _two_sided_p_value(resampled: FloatArray, observed: float) -> float:
    return _share(np.abs(resampled - observed) >= abs(observed))


def _sacrebleu_p_value(resampled: FloatArray, observed: float) -> float:
    differences = np.abs(resampled)
    return _p_value(differences - differences.mean(), abs(observed))


def _p_value(resampled: FloatArray, observed: float) -> float:
    """How often a difference is exceeded; there is nothing to exceed if it is 0."""
    return _share(resampled > observed) if observed else 1.0


def _share(extreme: BoolArray) -> float:
    """The +1 keeps the test from rejecting more often than its level says (Noreen 1989)."""
    return (int(np.count_nonzero(extreme)) + 1) / (len(extreme) + 1)
