"""How well the probability that raters prefer what accord scores higher is calibrated.

``python -m experiments.preference FOLDS SCORES`` with METAPHRASE_DATA set; ``training/accord/preference.py``
says what the folders are. What is said of a test set is said by a table made without it, from scores by
weights that were learned without it. The diagrams of reliability go to docs/pictures.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from training.accord.preference import NEW, UNSEEN_YEAR, YEARS, all_pairs, learned_from

from experiments.frame import RESULTS, replace_section
from experiments.reliability_diagram import Point, ReliabilityDiagram, Series
from metaphrase.arrays import BoolArray, FloatArray
from metaphrase.corpus.writing import atomic_writer
from metaphrase.learning.accord.preference import (
    Comparisons,
    comparisons,
    fit_preferences,
    probabilities_of,
)
from metaphrase.statistics.proportions import wilson_interval
from metaphrase.trained.preference_table import PreferenceTable

#: What is compared, by its level in ``Comparisons``.
LEVELS = {"segments": 1, "ten segments": 10, "a hundred": 100, "documents": 0, "systems": -1}
#: Of these there is a table of reliability, and a diagram.
TOLD_LEVELS = ("segments", "documents", "systems")
PICTURES = RESULTS.parent / "pictures"
#: Ends of what was said, for the tables of reliability.
BINS = (0.5, 0.52, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 1.0)
#: Differences and segments of the table of what is said.
DIFFERENCES, SEGMENTS = (0.5, 1, 2, 3, 5, 10, 20, 40), (1, 10, 100, 500, 2000)
#: Fewer comparisons say nothing of a share.
FEWEST = 10


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """The comparisons of some sets, what was said of each, and what a constant would have said."""

    found: Comparisons
    probability: FloatArray
    constant: FloatArray

    def select(self, chosen: BoolArray) -> Told:
        return Told(self.found.select(chosen), self.probability[chosen], self.constant[chosen])

    def mean(self, values: FloatArray) -> float:
        return float(np.average(values, weights=self.found.weight))

    def brier(self, said: FloatArray | float) -> float:
        return self.mean((said - self.found.preferred) ** 2)


def years(first: int, last: int) -> list[str]:
    return [name for name, year in YEARS.items() if first <= year <= last]


def told(found: Comparisons, names: Sequence[str], base: Sequence[str]) -> Told:
    """Each set of ``names`` by a table of those of ``base`` that are others."""
    parts = []
    for name in names:
        learned = found.select(found.of_sets([one for one in base if one != name]))
        table = fit_preferences(learned, name="accord")
        own = found.select(found.of_sets([name]))
        parts.append(Told(own, probabilities_of(table, own), constants(learned, own)))
    joined = found.select(np.zeros(len(found.of), dtype=np.bool_))
    columns = ("of", "level", "difference", "segments", "preferred", "weight")
    whole = Comparisons(
        joined.name,
        *(np.concatenate([getattr(one.found, column) for one in parts]) for column in columns),
    )
    return Told(
        whole,
        np.concatenate([one.probability for one in parts]),
        np.concatenate([one.constant for one in parts]),
    )


def constants(learned: Comparisons, own: Comparisons) -> FloatArray:
    """How often raters prefer what scores higher at the same level of the other sets."""
    share = {
        level: float(np.average(learned.preferred[rows], weights=learned.weight[rows]))
        for level in np.unique(own.level).tolist()
        if (rows := learned.level == level).any()
    }
    return np.array([share.get(level, 0.5) for level in own.level.tolist()])


def what_is_said(table: PreferenceTable) -> Iterator[str]:
    yield f"| difference | {' | '.join(f'{count:,}' for count in SEGMENTS)} |"
    yield f"| ---: |{' ---: |' * len(SEGMENTS)}"
    for by in DIFFERENCES:
        cells = [f"{table.probability(by, count):.2f}" for count in SEGMENTS]
        yield f"| {by:g} | {' | '.join(cells)} |"


def by_set(whole: Told, names: Sequence[str]) -> Iterator[str]:
    """What was said and found of each set at each level, and the scores of Brier."""
    yield "| year, test set | level | comparisons | said | found | Brier | of a constant | of a half |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for name in names:
        of_name = whole.select(whole.found.of_sets([name]))
        for label, level in LEVELS.items():
            one = of_name.select(of_name.found.level == level)
            if len(one.probability) < FEWEST:
                continue
            numbers = (
                *(one.mean(values) for values in (one.probability, one.found.preferred)),
                *(one.brier(said) for said in (one.probability, one.constant, 0.5)),
            )
            cells = " | ".join(f"{number:.3f}" for number in numbers)
            yield f"| {YEARS[name]} {name} | {label} | {len(one.probability):,} | {cells} |"


def picture(label: str) -> str:
    return f"reliability-{label}.svg"


def diagram(label: str, whole: Told, names: Sequence[str]) -> ReliabilityDiagram:
    """What was said and found at a level, by test set."""
    series = tuple(
        Series(f"{name}, {YEARS[name]}", tuple(points(whole, name, LEVELS[label])))
        for name in names
    )
    every = [point for one in series for point in one.points]
    above = sum(point.found > point.said for point in every)
    return ReliabilityDiagram(
        f"Reliability: {label}",
        f"Reliability diagram of {label}, by test set: {above} of {len(every)} points lie above "
        "the diagonal, where raters agreed more often than was said.",
        series,
    )


def points(whole: Told, name: str, level: int) -> Iterator[Point]:
    """A set's means of what was said and found, where so much was said, with Wilson's interval.

    Of comparisons with unequal weights there are as many as Kish's effective number.
    """
    own = whole.select(whole.found.of_sets([name]) & (whole.found.level == level))
    for low, high in pairwise(BINS):
        one = own.select((own.probability >= low) & (own.probability < high))
        if (count := len(one.probability)) < FEWEST:
            continue
        weight, found = one.found.weight, one.mean(one.found.preferred)
        effective = float(weight.sum() ** 2 / (weight**2).sum())
        interval = wilson_interval(min(found, 1.0) * effective, effective)
        yield Point(one.mean(one.probability), found, *interval, count)


def reliability(parts: dict[str, Told], diagrams: dict[str, ReliabilityDiagram]) -> Iterator[str]:
    """How often raters agreed where so much was said."""
    for label in TOLD_LEVELS:
        level = LEVELS[label]
        yield f"**{label}**"
        yield ""
        yield f"![{diagrams[label].description}](../{PICTURES.name}/{picture(label)})"
        yield ""
        yield f"| said | {' | '.join(parts)} |"
        yield f"| --- |{' ---: |' * len(parts)}"
        for low, high in pairwise(BINS):
            cells = []
            for whole in parts.values():
                said = whole.probability
                one = whole.select((whole.found.level == level) & (said >= low) & (said < high))
                cells.append(
                    f"{one.mean(one.found.preferred):.3f} of {len(one.probability):,}"
                    if len(one.probability) >= FEWEST
                    else "–"
                )
            if set(cells) != {"–"}:
                yield f"| {low:.2f} to {high:.2f} | {' | '.join(cells)} |"
        yield ""


def choice(tables: dict[str, Told], names: Sequence[str]) -> Iterator[str]:
    """The Brier scores of tables that learned from other years."""
    yield f"| year, test set | {' | '.join(tables)} |"
    yield f"| --- |{' ---: |' * len(tables)}"
    for name in names:
        cells = []
        for whole in tables.values():
            one = whole.select(whole.found.of_sets([name]))
            cells.append(f"{one.brier(one.probability):.4f}")
        yield f"| {YEARS[name]} {name} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folds", type=Path)
    parser.add_argument("scores", type=Path)
    options = parser.parse_args()
    found = comparisons(all_pairs(options.folds, options.scores))
    publish(found)


def publish(found: Comparisons) -> None:
    """All tables of the page."""
    new, seen = years(NEW, NEW), years(0, NEW)
    old, unseen = years(0, NEW - 1), years(UNSEEN_YEAR, UNSEEN_YEAR)
    tables = {
        "all years to 2021": told(found, [*new, *unseen], seen),
        "2021 alone": told(found, [*new, *unseen], new),
        "before 2021": told(found, [*new, *unseen], old),
    }
    replace_section("preference-choice", list(choice(tables, [*new, *unseen])))
    whole = told(found, list(YEARS), new)
    replace_section("preference-sets", list(by_set(whole, sorted(YEARS, key=YEARS.__getitem__))))
    parts = {
        label: whole.select(whole.found.of_sets(names))
        for label, names in (
            ("2024, LLMs", unseen),
            ("2021", new),
            ("before 2021", old),
        )
    }
    diagrams = {label: diagram(label, whole, [*unseen, *new]) for label in TOLD_LEVELS}
    for label, one in diagrams.items():
        with atomic_writer(PICTURES / picture(label)) as stream:
            stream.write(one.svg().encode())
    replace_section("preference-reliability", list(reliability(parts, diagrams))[:-1])
    table = fit_preferences(learned_from(found), name="accord")
    replace_section("preference-said", list(what_is_said(table)))


if __name__ == "__main__":
    main()
