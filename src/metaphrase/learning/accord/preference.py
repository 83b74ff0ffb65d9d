"""How often raters prefer what ``accord`` scores higher, by the size of the difference and the segments.

Two systems that were judged on the same segments are compared on subsets of them: single segments, random
subsets of a few sizes, documents, and all segments. Each comparison says by how much the metric's means
differ and whether the raters' means, over the same segments, differ in the same direction; a tie of raters
counts half.

With a metric that sees a constant share of a true difference, is wrong about a system by some amount that
stays, and about each segment by some that averages out, the probability depends on d / √(1 + k/n) alone,
where d is the difference and n the number of segments. So k is chosen (the least Brier score), and the
probability is an isotonic function of that number: nothing is assumed of its shape but that it rises.

The comparisons of one test set and language pair are of few systems and the same raters. So those of each
number of segments together count as much as the square root of the number of pairs of systems.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import BoolArray, FloatArray, Int64Array
from metaphrase.errors import InputError
from metaphrase.statistics.isotonic import isotonic_means
from metaphrase.trained.preference_table import PreferenceTable

#: Numbers of segments in random subsets, beside documents and all segments.
SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500)
#: So many random subsets of each size are drawn for a pair of systems, and of single segments more.
_DRAWS, _SINGLE_DRAWS = 20, 100
#: Fewer segments in common are no system.
_FEWEST_SEGMENTS = 20
#: What k is chosen from.
_SEGMENTS = (0.0, 5.0, 10.0, 20.0, 30.0, 50.0, 70.0, 100.0, 150.0, 200.0, 300.0, 500.0, 1000.0)
#: Comparisons are pooled into so many bins of equal weight before the regression, the first of which has the
#: smallest differences. No bin, hence no step of the function, rests on less.
_BINS = 40
#: A step must rest on test sets of so many names, or else it is pooled with the one below it.
_FEWEST_SETS = 3


@dataclass(frozen=True, slots=True, eq=False)
class PairedSystems:
    """Two systems of one test set and language pair on the segments for which both were judged.

    ``metric`` and ``human`` are differences of each segment, the first system less the second; ``document``
    numbers its document, −1 without any.
    """

    name: str
    language_pair: str
    metric: FloatArray
    human: FloatArray
    document: Int64Array


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons:
    """Many comparisons: test set, level, difference of means, segments, raters' choice and weight.

    ``level`` is the number of segments that were drawn, 0 for documents and −1 for all segments;
    ``preferred`` is 1 where raters prefer what scores higher, 0 where they do not, 0.5 for a tie.
    """

    name: tuple[str, ...]
    of: Int64Array
    level: Int64Array
    difference: FloatArray
    segments: FloatArray
    preferred: FloatArray
    weight: FloatArray

    def select(self, chosen: BoolArray) -> Comparisons:
        """Those of a mask."""
        return Comparisons(
            self.name,
            self.of[chosen],
            self.level[chosen],
            self.difference[chosen],
            self.segments[chosen],
            self.preferred[chosen],
            self.weight[chosen],
        )

    def of_sets(self, names: Sequence[str]) -> BoolArray:
        """Which comparisons are of test sets of these names."""
        wanted = [place for place, name in enumerate(self.name) if name in names]
        return np.isin(self.of, wanted)


def comparisons(pairs: Sequence[PairedSystems], *, seed: int = 1) -> Comparisons:
    """All comparisons of pairs of systems; those of equal scores are left out, of which a half is known."""
    names = tuple(dict.fromkeys(pair.name for pair in pairs))
    rows: list[tuple[FloatArray, ...]] = []
    for number, pair in enumerate(pairs):
        for level, metric, human, segments in _means(pair, np.random.default_rng((seed, number))):
            agreed = 0.5 + 0.5 * np.sign(metric) * np.sign(human)
            columns = (
                np.full(len(metric), names.index(pair.name)),
                np.full(len(metric), number),
                np.full(len(metric), level),
                np.abs(metric),
                segments,
                agreed,
            )
            rows.append(tuple(column[metric != 0] for column in columns))
    of, group, level_of, difference, segments, preferred = (
        np.concatenate([np.empty(0), *(row[place] for row in rows)]) for place in range(6)
    )
    numbers = of.astype(np.int64), level_of.astype(np.int64)
    weight = _weights(pairs, group.astype(np.int64), numbers[1])
    return Comparisons(names, *numbers, difference, segments, preferred, weight)


def _means(
    pair: PairedSystems, generator: np.random.Generator
) -> Iterator[tuple[int, FloatArray, FloatArray, FloatArray]]:
    """By level the differences of means of subsets of segments, and how many segments each has."""
    both = np.stack([pair.metric, pair.human])
    count = both.shape[1]
    if count >= _FEWEST_SEGMENTS:
        yield -1, *_nearly(both.mean(axis=1, keepdims=True)), np.array([float(count)])
    in_document = pair.document >= 0
    if in_document.any():
        _, place, sizes = np.unique(
            pair.document[in_document], return_inverse=True, return_counts=True
        )
        sums = np.stack([np.bincount(place, weights=side) for side in both[:, in_document]])
        means = (sums / sizes)[:, sizes > 1]
        yield 0, *_nearly(means), sizes[sizes > 1].astype(np.float64)
    for size in SIZES:
        if size == 1:
            chosen = generator.permutation(count)[:_SINGLE_DRAWS, None]
        elif 2 * size <= count:
            chosen = np.argsort(generator.random((_DRAWS, count)), axis=1)[:, :size]
        else:
            continue
        yield size, *_nearly(both[:, chosen].mean(axis=2)), np.full(len(chosen), float(size))


def _nearly(means: FloatArray) -> FloatArray:
    """The mean of numbers that add up to 0 is only nearly that."""
    return np.where(np.abs(means) < 1e-12, 0.0, means)


def _weights(pairs: Sequence[PairedSystems], group: Int64Array, level: Int64Array) -> FloatArray:
    """Of each comparison: those of a test set, language pair and level count √(pairs of systems) together."""
    sets = list(dict.fromkeys((pair.name, pair.language_pair) for pair in pairs))
    of_pair = np.array([sets.index((pair.name, pair.language_pair)) for pair in pairs])
    cell = of_pair[group] * 4096 + level + 1
    _, place, count = np.unique(cell, return_inverse=True, return_counts=True)
    systems = np.array([len(np.unique(group[place == one])) for one in range(len(count))])
    return np.asarray((np.sqrt(systems) / count)[place], dtype=np.float64)


def fit_preferences(
    found: Comparisons,
    *,
    name: str,
    models: Sequence[str] = (),
    calibrated_on: str = "",
    licence: str = "",
) -> PreferenceTable:
    """The table by which the comparisons are told best."""
    if not len(found.of):
        raise InputError(
            "MP846",
            "No two systems were judged on the same segments.",
            hint="What raters prefer is learned from pairs of systems.",
        )
    fitted = [(_points(found, segments), segments) for segments in _SEGMENTS]
    tables = [
        PreferenceTable(
            name=name,
            models=tuple(models),
            calibrated_on=calibrated_on,
            segments=segments,
            differences=differences,
            probabilities=probabilities,
            licence=licence,
        )
        for (differences, probabilities), segments in fitted
    ]
    scores = [brier_score(found, probabilities_of(table, found)) for table in tables]
    return tables[int(np.argmin(scores))]


def probabilities_of(table: PreferenceTable, found: Comparisons) -> FloatArray:
    """What a table says of each comparison."""
    reduced = found.difference / np.sqrt(1.0 + table.segments / found.segments)
    return np.asarray(
        np.interp(reduced, [0.0, *table.differences], [0.5, *table.probabilities]),
        dtype=np.float64,
    )


def brier_score(found: Comparisons, probability: FloatArray) -> float:
    """The weighted mean squared distance from what raters chose; 0.25 for one who always says a half."""
    return float(np.average((probability - found.preferred) ** 2, weights=found.weight))


def _points(found: Comparisons, segments: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Means of bins of differences, and the probabilities that isotonic regression gives to these."""
    reduced = found.difference / np.sqrt(1.0 + segments / found.segments)
    order = np.argsort(reduced, kind="stable")
    reached = np.cumsum(found.weight[order])
    bin_of = np.minimum((_BINS * reached / reached[-1] * (1 - 1e-12)).astype(np.int64), _BINS - 1)
    rows = [order[bin_of == one] for one in range(_BINS)]
    rows = _on_enough_sets(found, [row for row in rows if len(row)])
    weight = np.array([found.weight[row].sum() for row in rows])
    place = np.array([np.average(reduced[row], weights=found.weight[row]) for row in rows])
    chosen = np.array([np.average(found.preferred[row], weights=found.weight[row]) for row in rows])
    # Never below a half: by this much raters would then prefer what scores lower.
    chance = np.maximum(isotonic_means(chosen, weight), 0.5)
    # One point for each step, in its middle, so that the function rises between steps.
    points: list[tuple[float, float]] = []
    for value in np.unique(chance):
        same = chance == value
        middle = float(np.average(place[same], weights=weight[same]))
        points.append((round(middle, 4), round(min(float(value), 0.999), 4)))
    points = [one for one in points if one[0] > 0]
    return tuple(d for d, _ in points), tuple(p for _, p in points)


def _on_enough_sets(found: Comparisons, rows: list[Int64Array]) -> list[Int64Array]:
    """The bins, of which the last ones are pooled until comparisons of enough test sets are in them."""
    needed = min(_FEWEST_SETS, len(np.unique(found.of)))
    while len(rows) > 1 and len(np.unique(found.of[rows[-1]])) < needed:
        rows = [*rows[:-2], np.concatenate(rows[-2:])]
    return rows
