"""How far error spans that metrics or others predict agree with those that raters marked.

Each rating of a translation is compared with what was predicted for it, on the target side: by characters and
by matched spans (:mod:`metaphrase.statistics.span_overlap`). Intervals are those of a bootstrap that draws
segments, each with the translations by all systems, which share what is hard about the source.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import permutations
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus.ratings import Item, MarkedError, Rating, Ratings
from metaphrase.errors import InputError
from metaphrase.meta.predicted_spans import Marked, everything, nothing, unaligned
from metaphrase.meta.span_categories import CategoryRow, category_rows
from metaphrase.meta.span_counts import (
    MEASURES,
    Estimate,
    SpanCounts,
    SpanMeasure,
    estimate,
    figures,
)
from metaphrase.statistics.resampling import RESAMPLES, SEED, check_resamples

#: Measures of which a gain is shown: precision or recall alone is easily had.
GAINS: tuple[SpanMeasure, ...] = ("character_f1", "micro_f1", "macro_f1")
#: Of fewer translations with several raters, their agreement says little.
LEAST_DOUBLED = 30
RATERS = "another rater"
_Rated = Sequence[tuple[Rating, Item]]


@dataclass(frozen=True, slots=True)
class SpanRow:
    """How far one prediction agrees with the raters.

    marked:   the share of all characters that it marks
    severity: of a baseline, which severity its spans were given: the one that suits it best
    figures:  by measure
    gains:    over the best baseline, by measure; baselines have none
    """

    name: str
    marked: float
    severity: str | None
    figures: Mapping[SpanMeasure, Estimate]
    gains: Mapping[SpanMeasure, Estimate]


@dataclass(frozen=True, slots=True)
class SpanAgreement:
    """The table: predictions as they were given, then the baselines.

    of_translations: how many were rated; ``translations`` are those that all predictions have
    spans, unplaced: errors on the target side, and those of the source or without a place, which are left out
    best_baseline:   by measure, the one over which gains are
    doubled:         translations with several raters; ``ceiling`` is how far one of these agrees with another
                     one, unless there are fewer than 30
    learned:         predictions by metrics that have learned from the scores of this very set

    >>> (gold,) = metaphrase.corpus.opening.read_marked_errors(["error-spans.jsonl"])
    >>> marked = metaphrase.meta.metric_spans(gold, metaphrase.Chrf())
    >>> table = metaphrase.meta.span_agreement(gold, {"chrf": marked})
    >>> [(row.name, row.severity) for row in table.rows]
    [('chrf', None), ('everything', 'major'), ('unaligned', 'major'), ('no spans', None)]
    >>> round(table.rows[1].figures["character_f1"].value, 3)
    0.317
    """

    name: str
    language_pair: str
    translations: int
    of_translations: int
    segments: int
    ratings: int
    spans: int
    unplaced: int
    doubled: int
    rows: tuple[SpanRow, ...]
    best_baseline: Mapping[SpanMeasure, str]
    ceiling: SpanRow | None
    categories: tuple[CategoryRow, ...]
    learned: tuple[str, ...]
    resamples: int
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and dictionaries, for JSON."""
        return asdict(self)


def span_agreement(
    gold: Ratings,
    predicted: Mapping[str, Marked],
    *,
    learned: Sequence[str] = (),
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int = 1,
    progress: Callable[[str], None] | None = None,
) -> SpanAgreement:
    """Compare predictions, by name, with what raters marked, and all of them with the baselines.

    ``learned`` are those by metrics that were trained on these translations, which the table says.
    ``resamples=0`` leaves intervals out. Baselines are given the severity that suits them best on these very
    ratings, which flatters them: what beats them does so.
    """
    if resamples:
        check_resamples(resamples, seed)
    rated = [(rating, item) for rating, item in gold.of_kind("target") if rating.errors is not None]
    known = [
        (rating, item)
        for rating, item in rated
        if all(item.id in marked for marked in predicted.values())
    ]
    if not known:
        raise _nothing_to_compare(gold, any_rated=bool(rated))
    tell = progress or (lambda _: None)
    gold = replace(gold, items={item.id: item for _, item in known})
    baselines: dict[str, Marked] = {"everything": everything(gold)}
    if all(any(item.references) for _, item in known):
        tell("aligning words")
        baselines["unaligned"] = unaligned(gold, threads=threads)
    baselines["no spans"] = nothing(gold)
    tell("comparing spans")
    counts = SpanCounts(known, resamples=resamples, seed=seed)
    tables: dict[str, tuple[str | None, FloatArray]] = {
        name: (None, counts.table(_of(known, marked))) for name, marked in predicted.items()
    }
    tables |= {name: counts.suited(_of(known, marked)) for name, marked in baselines.items()}
    rows, best = _rows(counts, tables, set(baselines))
    errors = [error for rating, _ in known for error in rating.errors or ()]
    doubled, ceiling = _ceiling(known, resamples, seed)
    return SpanAgreement(
        name=gold.name,
        language_pair=gold.language_pair,
        translations=len(gold.items),
        of_translations=len({item.id for _, item in rated}),
        segments=counts.segments,
        ratings=len(known),
        spans=counts.spans,
        unplaced=sum(error.span is None for error in errors),
        doubled=doubled,
        rows=rows,
        best_baseline=best,
        ceiling=ceiling,
        categories=category_rows(known, {**predicted, **baselines}),
        learned=tuple(name for name in predicted if name in learned),
        resamples=resamples,
        seed=seed,
    )


def by_system(gold: Ratings) -> list[Ratings]:
    """The ratings of each system alone, under its name."""
    systems = dict.fromkeys(item.system for _, item in gold.of_kind("target"))
    found = []
    for system in systems:
        items = {name: item for name, item in gold.items.items() if item.system == system}
        ratings = tuple(rating for rating in gold.ratings if rating.item in items)
        found.append(replace(gold, name=f"{gold.name} {system}", items=items, ratings=ratings))
    return found


def _of(known: _Rated, marked: Marked) -> list[Sequence[MarkedError]]:
    return [marked[item.id] for _, item in known]


def _rows(
    counts: SpanCounts, tables: Mapping[str, tuple[str | None, FloatArray]], baselines: set[str]
) -> tuple[tuple[SpanRow, ...], dict[SpanMeasure, str]]:
    values = {name: figures(table.sum(axis=0)) for name, (_, table) in tables.items()}
    resampled = dict(
        zip(tables, counts.resampled([table for _, table in tables.values()]), strict=True)
    )
    best = {
        measure: max(
            (name for name in tables if name in baselines),
            key=lambda name, measure=measure: float(np.nan_to_num(values[name][measure])),  # type: ignore[misc]
        )
        for measure in GAINS
    }
    rows = []
    for name, (severity, table) in tables.items():
        gains = {
            measure: estimate(
                np.nan_to_num(values[name][measure]) - np.nan_to_num(values[base][measure]),
                resampled[name][measure] - resampled[base][measure],
            )
            for measure, base in best.items()
            if name not in baselines
        }
        found = {
            measure: estimate(values[name][measure], resampled[name][measure])
            for measure in MEASURES
        }
        rows.append(SpanRow(name, counts.marked(table), severity, found, gains))
    return tuple(rows), best


def _ceiling(known: _Rated, resamples: int, seed: int) -> tuple[int, SpanRow | None]:
    """How many translations several raters have seen, and how far each agrees with each other one."""
    by_item: dict[str, list[tuple[Rating, Item]]] = {}
    for rating, item in known:
        by_item.setdefault(item.id, []).append((rating, item))
    doubled = [given for given in by_item.values() if len(given) > 1]
    if len(doubled) < LEAST_DOUBLED:
        return len(doubled), None
    pairs = [pair for given in doubled for pair in permutations(given, 2)]
    counts = SpanCounts([one for one, _ in pairs], resamples=resamples, seed=seed)
    table = counts.table([other.errors or () for _, (other, _) in pairs])
    ((row,), _) = _rows(counts, {RATERS: (None, table)}, {RATERS})
    return len(doubled), row


def _nothing_to_compare(gold: Ratings, *, any_rated: bool) -> InputError:
    if any_rated:
        return InputError(
            "MP780",
            "There is no rated translation that all predictions have.",
            path=gold.path,
            hint="Compare them one after the other.",
        )
    return InputError(
        "MP780",
        "Nobody has marked errors here.",
        path=gold.path,
        hint="Give ratings with marked errors: ESA, MQM, Pearmut, or error spans as JSON Lines.",
    )
