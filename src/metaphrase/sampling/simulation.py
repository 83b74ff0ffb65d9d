"""What choosing would have saved, on sets that people have judged already.

Some segments are chosen as if nobody had judged them, and systems are ranked by what people said of these;
how far is that the ranking by all that they said? The same is done with segments drawn at random, of growing
number, until they rank systems as well: so many random judgements would have been needed instead.

Every simulation is on another random half of the segments. The spread over halves is that of the delete-half
jackknife (Shao and Wu 1989), so it says how far another test set of this kind might come out otherwise; it
says nothing about other systems or languages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.corpus.judgements import Judgements
from metaphrase.corpus.reading_words import lengths
from metaphrase.errors import InputError, OptionError
from metaphrase.meta.judged_scores import score_judged
from metaphrase.metrics import Metric
from metaphrase.sampling import usefulness
from metaphrase.sampling.coverage import coverage
from metaphrase.sampling.ways import SIMILARITY, WAYS, check_way
from metaphrase.selection import pairwise
from metaphrase.statistics.system_level import paired_permutation_p_values, soft_pairwise_accuracy

#: Of the systems of a sample and of all judgements: the share of pairs in the same order, or how alike sure.
Agreement = Literal["accuracy", "soft-accuracy"]
_SIZES = (10, 25, 50, 100, 200)
_FEWEST_SYSTEMS, _FEWEST_SEGMENTS = 3, 40
#: Random samples for each half and size, and sizes between which the curve is straight.
_RANDOM, _STEPS = 10, 12
_PERMUTATIONS = 200


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way and number of segments: agreement with the whole, beside a random sample of that number.

    ``needed`` is how many random segments agree as well, with its 95% interval; infinite if all that were
    tried are too few. ``words`` is the mean length of what was chosen beside that of all segments, and
    ``beside_words`` the difference to a random sample of as many words: short segments cost less.
    """

    way: str
    segments: int
    agreement: float
    beside_random: float
    interval: tuple[float, float]
    needed: float
    needed_interval: tuple[float, float]
    words: float
    beside_words: float

    @property
    def saving(self) -> float:
        """The share of judgements that choosing saves; negative if it costs some."""
        return 1 - self.segments / self.needed

    @property
    def word_saving(self) -> float:
        """The share of words that judges need not read, for short segments cost less."""
        return 1 - self.segments * self.words / self.needed

    @property
    def beats_random(self) -> bool:
        """Whether all of the interval is above a random sample."""
        return self.interval[0] > 0


@dataclass(frozen=True, slots=True)
class Simulation:
    """The outcomes on one judged set, with what agreed how well at random by number of segments."""

    name: str
    language_pair: str
    measure: Agreement
    systems: int
    segments: int
    halves: int
    random: tuple[tuple[int, float], ...]
    outcomes: tuple[Outcome, ...]
    signatures: tuple[str, ...]


def simulate(
    judgements: Judgements,
    metrics: Sequence[Metric],
    *,
    ways: Sequence[str] = WAYS[:-1],
    sizes: Sequence[int] = _SIZES,
    measure: Agreement = "accuracy",
    halves: int = 100,
    seed: int = 12345,
    threads: int | None = None,
    leave_out: Callable[[str], bool] = lambda system: False,
) -> Simulation:
    """Choose by each way, rank systems, and compare with random samples.

    ``leave_out`` tells which systems take no part, such as references that were judged among them.
    """
    if measure not in get_args(Agreement):
        raise OptionError(
            "MP786", f"there is no measure {measure!r}.", hint="accuracy, soft-accuracy"
        )
    judged = _Judged.of(judgements, leave_out)
    for way in ways:
        check_way(way, systems=len(judged.systems), metrics=len(metrics))
    half = len(judged.segments) // 2
    tried = sorted({size for size in sizes if size <= half // 2})
    if not tried:
        raise OptionError(
            "MP788",
            f"the smallest sample has {min(sizes, default=0)} segments, which leaves no choice of {half}.",
            hint="Try smaller samples, or a larger set.",
        )
    values = judged.usefulness(ways, metrics, seed, threads, most=max(tried))
    random = np.random.Generator(np.random.PCG64(seed))
    compare = _Comparison(judged.human, measure, seed)
    steps = np.unique(np.geomspace(min(tried) / 2, half, _STEPS).astype(np.int64).clip(1))
    steps = np.union1d(steps, tried)
    curve = np.zeros((halves, len(steps)))
    found = np.zeros((halves, len(ways), len(tried)))
    long = np.zeros((len(ways), len(tried)))
    for row in range(halves):
        pool = np.sort(random.permutation(len(judged.segments))[:half])
        for place, size in enumerate(steps.tolist()):
            drawn = [random.choice(pool, size, replace=False) for _ in range(_RANDOM)]
            curve[row, place] = np.mean([compare(sample) for sample in drawn])
        for number, way in enumerate(ways):
            order = pool[np.argsort(-values[way](pool), kind="stable")]
            for place, size in enumerate(tried):
                found[row, number, place] = compare(order[:size])
                long[number, place] += judged.words[order[:size]].mean() / halves
    at_random = curve[:, np.searchsorted(steps, tried)]
    outcomes = [
        _outcome(
            way,
            size,
            found[:, number, place],
            at_random[:, place],
            (steps, np.maximum.accumulate(curve.mean(axis=0))),
            float(long[number, place] / judged.words.mean()),
        )
        for number, way in enumerate(ways)
        for place, size in enumerate(tried)
    ]
    return Simulation(
        judgements.name,
        judgements.language_pair,
        measure,
        len(judged.systems),
        len(judged.segments),
        halves,
        tuple((size, float(at_random[:, place].mean())) for place, size in enumerate(tried)),
        tuple(outcomes),
        tuple(str(metric.signature(judged.references)) for metric in metrics),
    )


def _outcome(
    way: str,
    size: int,
    found: FloatArray,
    at_random: FloatArray,
    curve: tuple[Int64Array, FloatArray],
    words: float,
) -> Outcome:
    difference = found - at_random
    low, high = np.quantile(difference, [0.025, 0.975]).tolist()
    level = float(at_random.mean())
    return Outcome(
        way,
        size,
        float(found.mean()),
        float(difference.mean()),
        (low, high),
        _needed(level + float(difference.mean()), curve),
        (_needed(level + low, curve), _needed(level + high, curve)),
        words,
        float(found.mean() - np.interp(size * words, curve[0].astype(np.float64), curve[1])),
    )


def _needed(level: float, curve: tuple[Int64Array, FloatArray]) -> float:
    """How many random segments reach a level; infinite if those of a whole half do not."""
    sizes, reached = curve
    if level > reached[-1]:
        return float("inf")
    return float(np.interp(level, reached, sizes.astype(np.float64)))


class _Comparison:
    """How far a sample of segments says what all of them say about systems."""

    def __init__(self, human: FloatArray, measure: Agreement, seed: int) -> None:
        self._human = human
        self._known = ~np.isnan(human)
        self._filled = np.where(self._known, human, 0.0)
        self._pairs = np.triu_indices(len(human), 1)
        self._soft = measure == "soft-accuracy"
        self._seed = seed
        everything = np.arange(human.shape[1])
        self._p_values = self._p_values_of(everything) if self._soft else np.empty(0)
        self._order = self._orders(everything)

    def __call__(self, sample: Int64Array) -> float:
        if self._soft:
            return soft_pairwise_accuracy(self._p_values_of(sample), self._p_values)
        # A pair that is tied, or not judged, is a coin to toss; one that people tie says nothing.
        order = self._orders(sample)
        compared = self._order != 0
        right = np.where(order == 0, 0.5, order == self._order)
        return float(right[compared].mean())

    def _orders(self, sample: Int64Array) -> FloatArray:
        first, second = self._pairs
        counts = self._known[:, sample].sum(axis=1)
        means = self._filled[:, sample].sum(axis=1) / np.maximum(counts, 1)
        known = (counts[first] > 0) & (counts[second] > 0)
        difference = means[first] - means[second]
        # Sums of the same numbers in another order are equal, whatever rounding says.
        difference[np.abs(difference) < 1e-12 * np.abs(means).max(initial=1e-300)] = 0
        return np.where(known, np.sign(difference), 0.0)

    def _p_values_of(self, sample: Int64Array) -> FloatArray:
        return paired_permutation_p_values(
            self._human[:, sample], permutations=_PERMUTATIONS, seed=self._seed, equal="half"
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Judged:
    """A judged set, reduced to systems that take part and segments that tell two of them apart."""

    judgements: Judgements
    systems: Int64Array
    segments: Int64Array
    human: FloatArray
    words: FloatArray
    references: int

    @classmethod
    def of(cls, judgements: Judgements, leave_out: Callable[[str], bool]) -> _Judged:
        if judgements.is_ranked:
            raise InputError(
                "MP797",
                f"{judgements.name} {judgements.language_pair} has rankings, not scores.",
                hint="Simulations need scores of systems' segments.",
            )
        systems = np.array(
            [place for place, name in enumerate(judgements.systems) if not leave_out(name)],
            dtype=np.int64,
        )
        human = judgements.human[systems]
        segments = np.flatnonzero((~np.isnan(human)).sum(axis=0) > 1)
        if len(systems) < _FEWEST_SYSTEMS or len(segments) < _FEWEST_SEGMENTS:
            raise InputError(
                "MP797",
                f"{judgements.name} {judgements.language_pair} has {len(systems)} systems and "
                f"{len(segments)} segments that two of them were judged on.",
                hint=f"A simulation needs {_FEWEST_SYSTEMS} systems and {_FEWEST_SEGMENTS} segments.",
            )
        judged = cls(judgements, systems, segments, human[:, segments], np.empty(0), 1)
        texts = judged.texts()
        words = lengths(texts).astype(np.float64)
        references = max(len(text.references) for text in judgements.texts)
        return cls(judgements, systems, segments, human[:, segments], words, references)

    def texts(self) -> list[str]:
        """What a judge reads of each segment: the source, or a reference."""
        known = self.judgements.texts
        first = [next(iter(column[column >= 0]), -1) for column in self._text_of().T]
        return [known[place].source or known[place].references[0] for place in first]

    def usefulness(
        self,
        ways: Sequence[str],
        metrics: Sequence[Metric],
        seed: int,
        threads: int | None,
        *,
        most: int,
    ) -> dict[str, Callable[[Int64Array], FloatArray]]:
        """For each way the usefulness of the segments of a pool; nothing that people said is looked at."""
        found: dict[str, Callable[[Int64Array], FloatArray]] = {}
        table = np.empty((0, 0, 0))
        if {*ways} & {"variance", "disagreement", "consistency"}:
            table = np.array(
                [
                    score_judged(self.judgements, metric, threads=threads).segment[
                        np.ix_(self.systems, self.segments)
                    ]
                    for metric in metrics
                ]
            )
        texts = self.texts()
        for way in ways:
            if way == "coverage":
                found[way] = lambda pool: coverage(
                    [texts[one] for one in pool.tolist()], seed=seed, most=most
                )
                continue
            if way == "random":
                values = np.random.Generator(np.random.PCG64(seed)).random(len(self.segments))
            elif way == "diversity":
                values = usefulness.diversity(
                    pairwise(SIMILARITY, self._outputs(), threads=threads)
                )
            else:
                values = getattr(usefulness, way)(table)
            found[way] = lambda pool, values=values: values[pool]  # type: ignore[misc]
        return found

    def _text_of(self) -> Int64Array:
        return self.judgements.text_of[np.ix_(self.systems, self.segments)].astype(np.int64)

    def _outputs(self) -> list[list[str]]:
        texts = self.judgements.texts
        return [
            [texts[place].hypothesis for place in column[column >= 0].tolist()]
            for column in self._text_of().T
        ]
