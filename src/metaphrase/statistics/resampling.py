"""Does one system score higher than another, or was the test set kind to it?

Philipp Koehn: Statistical Significance Tests for Machine Translation Evaluation. EMNLP 2004 (bootstrap).
Stefan Riezler, John T. Maxwell: On Some Pitfalls in Automatic Evaluation and Significance Testing for MT.
ACL workshop 2005 (approximate randomisation).

Intervals come from the bootstrap and tests from randomisation. Exchanging outputs of equal systems changes
nothing, so that its p-values hold for any number of segments and any metric; the bootstrap's are too small
when there are few segments. All resample rows of a metric's sufficient statistics: no text is scored again.

The bootstrap and the two tests by sacreBLEU's formulas draw as sacreBLEU does: with its seed (12345) and
number of resamples, its p-values come out (:func:`sacrebleu_bootstrap`, :func:`sacrebleu_randomisation`), but
for equal systems, which have p = 1 here and the smallest one there. Draws are numbers of segments, hence
results depend on the order of segments, within the noise that another seed would show too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from metaphrase._core import meta as _core
from metaphrase.arrays import FloatArray, Int64Array, one_line
from metaphrase.errors import InputError, OptionError
from metaphrase.statistics.exact_sum import ExactSum
from metaphrase.statistics.shared_exchanges import ROUNDING, exchanged_together
from metaphrase.threads import check_threads

#: Maps sums of statistics, (…, k), to scores, (…): ``Metric.score``.
ScoreFunction = Callable[[FloatArray], FloatArray]

SEED = 12345
RESAMPLES = 1000
MOST_RESAMPLES = 1_000_000
#: So many ways to exchange segments are all looked at, however few resamples are wanted.
_ALWAYS_EXACT = 1024
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
class PairedResult:
    """What a test says of two systems.

    p_value: two-sided
    differing: segments whose statistics differ; nothing else can tell the systems apart
    exact: whether the test looked at all exchanges of those segments, and not at a sample
    smallest_p: the smallest p-value that the test can give for these segments, whichever system each favours;
        none of sacreBLEU's formulas, which know no such limit
    bound: where no resample reached the difference, what the share of all exchanges that do is at most; a
        corrected test of many pairs asks for smaller p-values than resamples can give
    """

    p_value: float
    differing: int
    exact: bool = False
    smallest_p: float | None = None
    bound: float | None = field(default=None, compare=False)

    @property
    def smallest_known_p(self) -> float:
        """The p-value, or the bound where that says more."""
        return self.p_value if self.bound is None else min(self.p_value, self.bound)

    def is_significant(self, level: float) -> bool:
        """Whether the p-value is below the level, and the segments were enough to say so."""
        return self.p_value < level and 0.5 ** (self.differing - 1) < level

    def untestable(self, level: float) -> str | None:
        """Why no p-value below the level was possible, in words; ``None`` if it was."""
        if self.smallest_p is None or self.smallest_p < level:
            return None
        if not self.differing:
            return "no segment differs"
        return f"too few {'segments' if self.exact else 'resamples'} to test"


@dataclass(frozen=True, slots=True)
class ResampledScore:
    """A system's score with what resampling says about it.

    ``test`` is against the baseline; the baseline has none, and there is an ``interval`` only if the system
    was resampled by itself.
    """

    score: float
    test: PairedResult | None = None
    interval: Interval | None = None

    @property
    def p_value(self) -> float | None:
        """Of the test, if there is one."""
        return None if self.test is None else self.test.p_value


@dataclass(frozen=True, slots=True, eq=False)
class PairedScores:
    """Scores of systems with their intervals, and the tests of all pairs ``(i, j)`` with i > j."""

    scores: tuple[ResampledScore, ...]
    tests: Mapping[tuple[int, int], PairedResult]

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


def approximate_randomisation(
    statistics: Sequence[FloatArray],
    score: ScoreFunction,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
) -> tuple[ResampledScore, ...]:
    """Every system against the first by approximate randomisation, which is exact where few segments differ.

    Each resample exchanges the two systems' outputs on every segment with probability 1/2. With d the
    absolute difference of scores and dᵦ that of resample b, p = (#{b: dᵦ ≥ d} + 1) / (resamples + 1). Only
    the n segments that differ are exchanged. If there are no more than ``resamples`` (or 1,024) different
    ways to do so, 2ⁿ⁻¹, all of them are looked at, and p is their share with dᵦ ≥ d. Differences that are
    equal but for rounding, 10⁻¹² of the scores, are equal.

    Of equal systems, whose outputs are exchangeable, p < α comes about with probability α at most.
    """
    baseline, *systems = checked = _check(statistics, resamples, seed)
    first, *others = _whole(checked, score)
    tested = (_randomised(baseline, system, score, resamples, seed, threads) for system in systems)
    results = (ResampledScore(*pair) for pair in zip(others, tested, strict=True))
    return ResampledScore(first), *results


def randomisation_of_all(
    statistics: Sequence[FloatArray],
    score: ScoreFunction,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
) -> PairedScores:
    """Every pair of systems by approximate randomisation, and bootstrap intervals of all systems.

    The test of a pair is that of :func:`approximate_randomisation`, but of three systems and more all pairs
    see the same exchanges (:mod:`metaphrase.statistics.shared_exchanges`), which takes a small part of the
    time: p-values are other ones only as another seed gives other ones.
    """
    checked = _check(statistics, resamples, seed, at_least=1)
    sums = _bootstrap_sums(checked, resamples, seed, threads)
    scores = zip(_whole(checked, score), sums, strict=True)
    pairs = [(i, j) for i in range(len(checked)) for j in range(i)]
    differing = {(i, j): len(_differing(checked[j], checked[i])) for i, j in pairs}
    alone = [pair for pair in pairs if len(checked) < 3 or _is_exact(differing[pair], resamples)]
    tests = {
        (i, j): _randomised(checked[j], checked[i], score, resamples, seed, threads)
        for i, j in alone
    }
    together = [pair for pair in pairs if pair not in tests]
    for pair, found in exchanged_together(checked, together, score, resamples, seed).items():
        smallest = 1 / (resamples + 1)
        p = (found.reached + 1) / (resamples + 1)
        bound = None if found.reached else _tail_bound(found.observed, found.variance, resamples)
        tests[pair] = PairedResult(p, differing[pair], smallest_p=smallest, bound=bound)
    tests = {pair: tests[pair] for pair in pairs}
    return PairedScores(
        tuple(ResampledScore(value, None, interval(score(rows))) for value, rows in scores), tests
    )


def sacrebleu_bootstrap(
    statistics: Sequence[FloatArray],
    score: ScoreFunction,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
) -> tuple[ResampledScore, ...]:
    """Every system against the first by the bootstrap and sacreBLEU's formula; all see the same resamples.

    Each resample draws as many segments as there are, with replacement. With absolute differences dᵦ and d,
    p = (#{b: dᵦ − mean(dᵦ) > d} + 1) / (resamples + 1). It calls two equal systems different twice as often
    as it says.
    """
    checked = _check(statistics, resamples, seed)
    baseline = checked[0]
    scores = [score(sums) for sums in _bootstrap_sums(checked, resamples, seed, threads)]
    whole = _whole(checked, score)
    results = [ResampledScore(whole[0], None, interval(scores[0]))]
    for rows, value, resampled in zip(checked[1:], whole[1:], scores[1:], strict=True):
        differences = np.abs(resampled - scores[0])
        p = _sacrebleu_p_value(differences - differences.mean(), abs(value - whole[0]))
        test = PairedResult(p, len(_differing(baseline, rows)))
        results.append(ResampledScore(value, test, interval(resampled)))
    return tuple(results)


def sacrebleu_randomisation(
    statistics: Sequence[FloatArray],
    score: ScoreFunction,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
) -> tuple[ResampledScore, ...]:
    """Every system against the first by approximate randomisation and sacreBLEU's formula.

    p = (#{b: dᵦ > d} + 1) / (resamples + 1). It counts only differences that exceed the observed one: where
    few segments differ, rounding decides which of many equal ones do.
    """
    baseline, *systems = _check(statistics, resamples, seed)
    whole = _whole([baseline, *systems], score)
    results = [ResampledScore(whole[0])]
    for value, system in zip(whole[1:], systems, strict=True):
        first, second = _exchanged_sums(baseline, system, resamples, seed, threads)
        p = _sacrebleu_p_value(np.abs(score(first) - score(second)), abs(whole[0] - value))
        test = PairedResult(p, len(_differing(baseline, system)))
        results.append(ResampledScore(value, test))
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
    workers = check_threads(threads)
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
    workers = check_threads(threads)
    generator = np.random.default_rng(seed)
    pieces = []
    for rows in _pieces(resamples, len(first), _BOOLEAN_ROWS):
        stay = generator.integers(2, size=(rows, len(first)), dtype=np.bool_)
        pieces.append(_core.exchanged_sums(first, second, stay, workers))
    one, two = zip(*pieces, strict=True)
    return np.concatenate(one), np.concatenate(two)


def _all_exchanged_sums(
    first: FloatArray, second: FloatArray, threads: int | None
) -> tuple[FloatArray, FloatArray]:
    """Of every way to exchange rows, but for those that exchange all rows of another one."""
    workers = check_threads(threads)
    ways, rows = np.arange(1 << (len(first) - 1)), np.arange(len(first))
    stay = (ways[:, None] >> rows & 1) == 0
    sums: tuple[FloatArray, FloatArray] = _core.exchanged_sums(first, second, stay, workers)
    return sums


def _differing(first: FloatArray, second: FloatArray) -> Int64Array:
    return np.flatnonzero(np.any(first != second, axis=1))


def _is_exact(differing: int, resamples: int) -> bool:
    """Whether all exchanges of so many segments are looked at."""
    return differing <= max(resamples, _ALWAYS_EXACT).bit_length()


def _randomised(
    first: FloatArray,
    second: FloatArray,
    score: ScoreFunction,
    resamples: int,
    seed: int,
    threads: int | None,
) -> PairedResult:
    places = _differing(first, second)
    count = len(places)
    if not count:
        return PairedResult(1.0, 0, exact=True, smallest_p=1.0)
    alike = np.ones(len(first), dtype=np.bool_)
    alike[places] = False
    one, two = first[places], second[places]
    exact = _is_exact(count, resamples)
    sums = (
        _all_exchanged_sums(one, two, threads)
        if exact
        else _exchanged_sums(one, two, resamples, seed, threads)
    )
    # Scores before any exchange are from sums of the same order, so that rounding is the same.
    unchanged = _core.exchanged_sums(one, two, np.ones((1, count), dtype=np.bool_), 1)
    rest = first[alike].sum(axis=0)
    scores = [score(rest + np.concatenate(pair)) for pair in zip(unchanged, sums, strict=True)]
    differences = np.abs(scores[0] - scores[1])
    rounding = ROUNDING * max(float(np.nanmax(np.abs(found), initial=0.0)) for found in scores)
    observed = differences[0]
    if exact:
        differences = differences[1:]  # all ways begin with that of no exchange
    # What is not a number is not less either.
    p = float(np.mean(~(differences < differences[0] - rounding)))
    if not exact:
        smallest = 1 / (resamples + 1)
        variance = float(np.mean(np.square(differences[1:])))
        bound = _tail_bound(float(observed), variance, resamples) if p == smallest else None
        return PairedResult(p, count, smallest_p=smallest, bound=bound)
    largest = float(np.nanmax(differences, initial=0.0))
    smallest = float(np.mean(~(differences < largest - rounding)))
    return PairedResult(p, count, exact=True, smallest_p=smallest)


def _tail_bound(observed: float, variance: float, resamples: int) -> float:
    """Which share of all exchanges reaches a difference at most, by the spread of those that were drawn.

    An exchange turns the signs of segments' contributions dₛ at random, and by Hoeffding's inequality
    (1963, theorem 2) P(|Σ ±dₛ| ≥ t) ≤ 2 exp(−t² / 2σ²) with σ² = Σ dₛ². The variance of the resamples stands
    for σ², and three of its standard errors are added. For scores that are no sums of segments' contributions
    it holds as far as they are nearly so.
    """
    variance *= 1 + 3 * float(np.sqrt(2 / resamples))
    if not variance > 0:
        return 1.0
    return min(1.0, 2 * float(np.exp(-0.5 * observed**2 / variance)))


def difference_interval(
    first: FloatArray,
    second: FloatArray,
    score: ScoreFunction,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
) -> Interval:
    """The 95 % bootstrap interval of how much the second system scores above the first, on the same draws."""
    checked = _check([first, second], resamples, seed)
    one, other = _bootstrap_sums(checked, resamples, seed, threads)
    return interval(score(other) - score(one))


def interval(scores: FloatArray) -> Interval:
    """Of resampled scores: drops 1/40 of them on either side, as sacreBLEU counts it."""
    ordered = np.sort(scores)
    cut = len(ordered) // 40
    low, high = ordered[cut], ordered[len(ordered) - cut - 1]
    return Interval(float(ordered.mean()), float(low), float(high))


def _sacrebleu_p_value(resampled: FloatArray, observed: float) -> float:
    """How often a difference is exceeded; there is nothing to exceed if it is 0.

    The +1 keeps a test from rejecting more often than its level says (Noreen 1989).
    """
    if not observed:
        return 1.0
    return (int(np.count_nonzero(resampled > observed)) + 1) / (len(resampled) + 1)
