"""What accord is made of: what each family and group of losses brings, and how much judgements do.

Also what contextual embeddings bring, and how far points of MQM agree with those of raters.

``python -m experiments.accord [TABLE …] --encoders FOLDER`` with METAPHRASE_DATA set. All figures are of
weights that were learned without the set (``training/accord``), and FOLDER has the encoders that were adapted
without it (``training/encoder``).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from training.accord.__main__ import PLANS, Known, judged_sets, recipe_of
from training.encoder.years import YEARS

from experiments.frame import replace_section
from metaphrase.learning.accord import JudgedLosses, Recipe, Validation, fit_weights, validate
from metaphrase.learning.accord.adaptation import difference_interval
from metaphrase.learning.accord.error_points import RatedPoints, fit_points, rated_points
from metaphrase.learning.accord.training import agreement, folds
from metaphrase.metrics.accord.features import FAMILIES, losses_of
from metaphrase.statistics.coefficients import correlation
from metaphrase.statistics.pairwise import tie_calibration
from metaphrase.trained.accord_model import AccordModel

#: Sets of English by what they are, as the goals name them.
KINDS = {
    "direct assessments, r": ("daseg13", "daseg15", "daseg16", "mlqe_etmr", "tradopad"),
    "wmt21da, r": ("wmt21da",),
    "MQM, r": ("nt21mqm", "tedmqm", "biomqm"),
    "rankings, τ": ("wmt08deen", "wmt10deen", "wmt12", "wmt13fren", "wmt15"),
}
TABLES = ("coverage", "context", "points", "corruption", "ablation", "curve")
#: The families of penalties of the first edition.
FIRST = ("surface", "spelling", "alignment", "tags", "vectors")
#: How many judgements of each set and language pair a model learns from.
SIZES = (25, 100, 400, 1600, None)
#: What corrupted texts may count, and how much correlation with raters that may cost.
CORRUPTION = (0.0015, 0.003, 0.006, 0.012, 0.024)
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
    """All losses, then without each family, then each family alone."""
    names = losses_of(PLANS["en"].families)
    families = {
        family: members
        for family, members in FAMILIES.items()
        if not set(members).isdisjoint(names)
    }

    def with_only(kept: Sequence[str]) -> list[JudgedLosses]:
        columns = [place for place, name in enumerate(names) if name in kept]
        return [replace(one, texts=one.texts[:, columns]) for one in sets]

    yield from heading("penalties")
    yield row("all", validate(sets).agreements)
    for family, members in families.items():
        rest = [name for name in names if name not in members]
        yield row(f"without the family {family}", validate(with_only(rest)).agreements)
    for family, members in families.items():
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


def validated(known: Known, plan: str) -> Validation:
    """What a model says of sets that it was not learned from, by the recipe of the one that ships."""
    return validate(known.of(PLANS[plan]), recipe_of(plan, losses_of(PLANS[plan].families)))


def context(found: dict[str, Validation], chrf: Validation) -> Iterator[str]:
    """What contextual embeddings bring on each test set, with intervals over segments."""
    yield "| test set | `chrf` | `accord` | `accord:context` | difference, 95% interval |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    without, with_context = found["en"], found["en+context"]
    for kind, names in KINDS.items():
        for name in names:
            values = [
                float(np.mean(list(one.agreements[name].values())))
                for one in (chrf, without, with_context)
            ]
            unit = kind.rpartition(", ")[2]
            yield (
                f"| {name}, {unit} | {' | '.join(f'{value:.3f}' for value in values)} "
                f"| {values[2] - values[1]:+.3f} {gain(name, 'en+context', with_context, 'en', without)} |"
            )


def gain(name: str, plan: str, now: Validation, less: str, before: Validation) -> str:
    """The 95% interval of what one model gains over another, whose penalties are some of its own."""
    wide, names = (losses_of(families_of(one)) for one in (plan, less))
    columns = [wide.index(loss) for loss in names]
    others = []
    for (judged, _), (other, weights) in zip(now.parts, before.parts, strict=True):
        if other.name == name:
            found = np.zeros(len(wide))
            found[columns] = weights
            others.append((judged, found))
    parts = [part for part in now.parts if part[0].name == name]
    low, high = difference_interval(*(Validation({}, [], some) for some in (parts, others)))
    return f"[{low:+.3f}, {high:+.3f}]"


def families_of(plan: str) -> tuple[str, ...]:
    """The families of penalties of a model, or of the first edition."""
    return FIRST if plan == "first" else PLANS[plan].families


def editions(known: Known, now: Validation) -> Iterator[str]:
    """Accord beside its first edition, which had fewer penalties and learned from raters alone."""
    first = replace(PLANS["en"], families=FIRST)
    before = validate([one for one in known.of(first) if not one.corrupted])
    yield "| test set | first edition | `accord` | difference, 95% interval |"
    yield "| --- | ---: | ---: | ---: |"
    for kind, names in KINDS.items():
        for name in names:
            old, new = (
                float(np.mean(list(one.agreements[name].values()))) for one in (before, now)
            )
            yield (
                f"| {name}, {kind.rpartition(', ')[2]} | {old:.3f} | {new:.3f} "
                f"| {new - old:+.3f} {gain(name, 'en', now, 'first', before)} |"
            )


def within_segments(found: dict[str, Validation], chrf: Validation) -> Iterator[str]:
    """How translations of one source are ordered: Kendall's τ-b and acc-eq, averaged over segments."""
    names = ("wmt21da", *KINDS["MQM, r"])
    heads = [f"{name}, {measure}" for measure in ("τ", "acc-eq") for name in names]
    yield f"| | {' | '.join(heads)} |"
    yield f"| --- |{' ---: |' * (2 * len(names))}"
    for label, validation in {
        "chrf": chrf,
        "accord": found["en"],
        "accord:context": found["en+context"],
    }.items():
        cells: list[list[str]] = [[], []]
        for name in names:
            values = [
                _within(one, weights) for one, weights in validation.parts if one.name == name
            ]
            for row, value in zip(cells, np.mean(values, axis=0).tolist(), strict=True):
                row.append(f"{value:.3f}")
        yield f"| `{label}` | {' | '.join([*cells[0], *cells[1]])} |"


def _within(judged: JudgedLosses, weights: np.ndarray) -> tuple[float, float]:
    shape = int(judged.system.max()) + 1, int(judged.segment.max()) + 1
    metric, human = np.full(shape, np.nan), np.full(shape, np.nan)
    metric[judged.system, judged.segment] = -judged.texts @ weights
    human[judged.system, judged.segment] = judged.human
    return (
        correlation(metric, human, coefficient="kendall", group_by="segment"),
        tie_calibration(metric, human, group_by="segment").accuracy,
    )


def error_points(known: Known, found: dict[str, Validation]) -> Iterator[str]:
    """Points of MQM beside the length of the reference alone, and percentiles, of sets left out."""
    rows: dict[str, list[RatedPoints]] = {}
    for label, name in (("accord", "en"), ("accord:context", "en+context")):
        losses = {(one.name, one.language_pair): one for one in known.sets if not one.corrupted}
        rated = [
            rated_points(known.rated[key], losses[key], one)
            for one in found[name].held_out
            if (key := (one.name, one.language_pair)) in known.rated
        ]
        rows.setdefault(
            "length of the reference alone", [replace(one, lost=one.words) for one in rated]
        )
        rows[f"`{label}`"] = rated
        scaled = []
        for one in rated:
            worth = fit_points([other for other in rated if other.name != one.name]).worth
            scaled.append(replace(one, lost=one.lost * worth(one.words)))
        encoder = "" if name == "en" else ":encoder=shipped"
        rows[f"`accord:mqm{encoder}`"] = scaled
    names = KINDS["MQM, r"]
    heads = [f"{name}, {what}" for what in ("r", "points for a segment") for name in names]
    yield f"| | {' | '.join(heads)} |"
    yield f"| --- |{' ---: |' * (2 * len(names))}"
    for label, sets in rows.items():
        cells = []
        for name in names:
            own = [one for one in sets if one.name == name]
            cells.append(f"{np.mean([np.corrcoef(one.lost, one.points)[0, 1] for one in own]):.3f}")
        for name in names:
            own = [one for one in sets if one.name == name]
            raters = np.mean([one.points.mean() for one in own])
            given = np.mean([one.lost.mean() for one in own])
            cells.append(f"{given:.2f} ({raters:.2f})" if "mqm" in label else "–")
        print(label, cells, file=sys.stderr, flush=True)
        yield f"| {label} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", choices=[*TABLES, []], metavar="TABLE")
    parser.add_argument("--encoders", type=Path)
    options = parser.parse_args()
    wanted = options.tables or TABLES
    if "coverage" in wanted:
        replace_section("accord-coverage", list(covered()))
    if list(wanted) == ["coverage"]:
        return
    known = judged_sets(1, lambda lang: lang == "en", options.encoders)
    if not {"context", "points"}.isdisjoint(wanted):
        found = {name: validated(known, name) for name in ("en", "en+context")}
        names = losses_of(PLANS["en"].families)
        chrf = np.array([float(name == "chrf") for name in names])
        by_characters = validate(known.of(PLANS["en"]), weights=chrf)
        replace_section("accord-context", list(context(found, by_characters)))
        replace_section("accord-editions", list(editions(known, found["en"])))
        replace_section("accord-within", list(within_segments(found, by_characters)))
        replace_section("accord-points", list(error_points(known, found)))
    every = known.of(PLANS["en"])
    if "corruption" in wanted:
        replace_section("accord-corruption", list(corruption(every)))
    sets = [one for one in every if not one.corrupted]
    if "ablation" in wanted:
        replace_section("accord-ablation", list(ablation(sets)))
    if "curve" in wanted:
        replace_section("accord-curve", list(learning_curve(sets)))


if __name__ == "__main__":
    main()
