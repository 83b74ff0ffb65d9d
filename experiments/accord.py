"""What accord is made of: what each family and group of losses brings, and how much judgements do.

``python -m experiments.accord`` with METAPHRASE_DATA set. All figures are of weights that were learnt without
the set (``training/accord``).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from training.accord.__main__ import PLANS, judged_sets, learnt_from
from training.encoder.years import YEARS

from experiments.frame import replace_section
from metaphrase.learning.accord import JudgedLosses, Recipe, fit_weights, validate
from metaphrase.learning.accord.training import agreement, folds
from metaphrase.metrics.accord.features import FAMILIES, GROUPS, losses_of
from metaphrase.trained.accord_model import AccordModel

#: Sets of English by what they are, as the goals name them.
KINDS = {
    "direct assessments, r": ("daseg13", "daseg15", "daseg16", "mlqe_etmr", "tradopad"),
    "wmt21da, r": ("wmt21da",),
    "MQM, r": ("nt21mqm", "tedmqm", "biomqm"),
    "rankings, τ": ("wmt08deen", "wmt10deen", "wmt12", "wmt13fren", "wmt15"),
}
#: How many judgements of each set and language pair a model learns from.
SIZES = (25, 100, 400, 1600, None)
#: What corrupted texts may count, and how much correlation with raters that may cost.
CORRUPTION = (0.00125, 0.0025, 0.005, 0.01, 0.02)
COST = 0.005


def means(agreements: dict[str, dict[str, float]]) -> list[float]:
    """The mean over sets of each kind, each set the mean over its language pairs."""
    return [
        float(np.mean([np.mean(list(agreements[name].values())) for name in names]))
        for names in KINDS.values()
    ]


def row(what: str, agreements: dict[str, dict[str, float]]) -> str:
    found = means(agreements)
    print(what, [round(value, 3) for value in found], file=sys.stderr, flush=True)
    return f"| {what} | {' | '.join(f'{value:.3f}' for value in found)} | {np.mean(found):.3f} |"


def heading(first: str) -> list[str]:
    return [f"| {first} | {' | '.join(KINDS)} | mean |", f"| --- |{' ---: |' * (len(KINDS) + 1)}"]


def ablation(sets: Sequence[JudgedLosses]) -> Iterator[str]:
    """All losses, then without each family and each group, then each family alone."""
    names = losses_of(PLANS["en"].families)

    def with_only(kept: Sequence[str]) -> list[JudgedLosses]:
        columns = [place for place, name in enumerate(names) if name in kept]
        return [replace(one, texts=one.texts[:, columns]) for one in sets]

    yield from heading("losses")
    yield row("all", validate(sets).agreements)
    for kind, parts in (("family", FAMILIES), ("group", GROUPS)):
        for part, members in parts.items():
            rest = [name for name in names if name not in members]
            yield row(f"without the {kind} {part}", validate(with_only(rest)).agreements)
    for family, members in FAMILIES.items():
        yield row(f"{family} alone", validate(with_only(members)).agreements)


def learning_curve(sets: Sequence[JudgedLosses]) -> Iterator[str]:
    """Of every set and language pair only the first segments, until there are so many judgements."""
    yield from heading("judgements of each set and language pair")
    for size in SIZES:
        found: dict[str, dict[str, float]] = {}
        for learnt, tested in folds(sets):
            weights = fit_weights([_first(one, size) for one in learnt])
            for one in tested:
                found.setdefault(one.name, {})[one.language_pair] = agreement(one, weights)
        yield row("all" if size is None else f"{size:,}", found)


def _first(judged: JudgedLosses, size: int | None) -> JudgedLosses:
    rows = judged.better if judged.is_ranked else np.arange(len(judged.texts))
    if size is None or len(rows) <= size:
        return judged
    segment = np.sort(judged.segment[rows])[size - 1]
    return judged.of_segments(np.arange(int(judged.segment.max()) + 1) <= segment)


def corruption(sets: Sequence[JudgedLosses]) -> Iterator[str]:
    """What corrupted texts should count: chosen without each group of years from the others.

    With it stands what comes of the choice: the most that costs no more than ``COST`` of the correlation with
    raters of held-out sets. Corruptions are always learnt better when they count more.
    """

    def measured(
        without: Sequence[str], tested: Sequence[str], weight: float
    ) -> tuple[float, float]:
        rest = [one for one in sets if one.name not in without]
        left = [one for one in sets if one.name in tested]
        rest = [one for one in rest if not any(map(one.shares_texts_with, left))]
        weights = fit_weights(rest, Recipe(corruption=weight))
        found = [(one.corrupted, agreement(one, weights)) for one in left]
        return tuple(
            float(np.mean([value for corrupted, value in found if corrupted == kind]))
            for kind in (False, True)
        )

    yield "| sets left out | chosen | correlation with raters | τ of corruptions | without corrupted texts |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for outer in YEARS:
        inner = [group for group in YEARS if group != outer]
        raters_of = {
            weight: float(
                np.mean([measured((*outer, *group), group, weight)[0] for group in inner])
            )
            for weight in (0.0, *CORRUPTION)
        }
        least = raters_of[0.0] - COST
        chosen = max(weight for weight, raters in raters_of.items() if raters >= least)
        raters, corrupted = measured(outer, outer, chosen)
        none = measured(outer, outer, 0.0)
        print(
            outer, {weight: round(value, 4) for weight, value in raters_of.items()}, file=sys.stderr
        )
        yield (
            f"| {', '.join(outer)} | {chosen:g} | {raters:.3f} | {corrupted:.3f} "
            f"| {none[0]:.3f}, {none[1]:.3f} |"
        )


def covered() -> Iterator[str]:
    """What the models that ship say of the sets that were held out of them."""
    yield "| model | set | segments | tens | systems |"
    yield "| --- | --- | ---: | ---: | ---: |"
    for name in PLANS:
        for judged, shares in AccordModel.find(name).training["within the interval"].items():
            if name == "any" and judged.rpartition("-")[2] in PLANS:
                continue
            cells = [
                f"{shares[what][0]:.0%} ({shares[what][1]:,})".replace("%", " %")
                if what in shares
                else "—"
                for what in ("segments", "tens", "systems")
            ]
            yield f"| `{name}` | {judged} | {' | '.join(cells)} |"


def main() -> None:
    replace_section("accord-coverage", list(covered()))
    every = learnt_from(PLANS["en"], judged_sets(1, english=True), english=True)
    replace_section("accord-corruption", list(corruption(every)))
    sets = [one for one in every if not one.corrupted]
    replace_section("accord-ablation", list(ablation(sets)))
    replace_section("accord-curve", list(learning_curve(sets)))


if __name__ == "__main__":
    main()
