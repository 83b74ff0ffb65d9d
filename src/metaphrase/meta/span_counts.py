"""What spans share with the gold ones of each rating, counted, summed by segment and resampled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus.ratings import Item, MarkedError, Rating
from metaphrase.statistics.cluster_bootstrap import cluster_sums
from metaphrase.statistics.resampling import interval
from metaphrase.statistics.span_overlap import (
    Span,
    character_counts,
    character_scores,
    match_counts,
    match_scores,
    text_scores,
)

SpanMeasure = Literal["precision", "recall", "character_f1", "micro_f1", "macro_f1"]
MEASURES: tuple[SpanMeasure, ...] = (
    "precision",
    "recall",
    "character_f1",
    "micro_f1",
    "macro_f1",
)
#: Of fewer segments a bootstrap's intervals are much too narrow.
LEAST_SEGMENTS = 10
#: Critical errors count as major, as in WMT 2025; what is neutral or undecided is left out.
_SEVERITIES = {"neutral": 0, "undecided": 0, "major": 2, "critical": 2}
_MINOR = 1
#: Counts of characters and of matches, the F of the rating, and one for the rating itself.
_CHARACTERS, _MATCHES, _TEXT, _ONES = slice(0, 3), slice(3, 7), 7, 8


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95% interval; None where it is undefined, or segments are too few for an interval."""

    value: float | None
    low: float | None = None
    high: float | None = None


def placed_spans(
    errors: Sequence[MarkedError], item: Item, *, severity: str | None = None
) -> list[Span]:
    """The errors on the target side as spans; with a ``severity`` all of them have that one."""
    found = []
    for error in errors:
        rank = _SEVERITIES.get(severity or error.severity, _MINOR)
        if error.span is not None and rank:
            start, end = max(error.span[0], 0), min(error.span[1], len(item.hypothesis))
            if start < end:
                found.append((start, end, rank))
    return found


class SpanCounts:
    """Gold ratings, and what any predictions for them share with them."""

    def __init__(
        self, ratings: Sequence[tuple[Rating, Item]], *, resamples: int, seed: int
    ) -> None:
        self._gold = [(item, placed_spans(rating.errors or (), item)) for rating, item in ratings]
        numbers: dict[tuple[str, str], int] = {}
        self._cluster = [
            numbers.setdefault((item.document, item.segment), len(numbers))
            for item, _ in self._gold
        ]
        self.segments = len(numbers)
        self.spans = sum(len(spans) for _, spans in self._gold)
        self._characters = sum(len(item.hypothesis) for item, _ in self._gold)
        self._resamples = resamples if self.segments >= LEAST_SEGMENTS else 0
        self._seed = seed

    def table(
        self, predicted: Sequence[Sequence[MarkedError]], *, severity: str | None = None
    ) -> FloatArray:
        """Sums for each segment of what each rating's prediction shares with it."""
        rows = np.zeros((len(self._gold), _ONES + 1))
        for row, (item, gold), errors in zip(rows, self._gold, predicted, strict=True):
            spans = placed_spans(errors, item, severity=severity)
            row[_CHARACTERS] = character_counts(gold, spans)
            row[_MATCHES] = match_counts(gold, spans)
        rows[:, _TEXT] = text_scores(rows[:, _MATCHES])
        rows[:, _ONES] = 1.0
        sums = np.zeros((self.segments, rows.shape[1]))
        np.add.at(sums, self._cluster, rows)
        return sums

    def suited(self, predicted: Sequence[Sequence[MarkedError]]) -> tuple[str | None, FloatArray]:
        """The severity with which a prediction without any does best, and its table; None without spans."""
        if not any(predicted):
            return None, self.table(predicted)
        tables = {one: self.table(predicted, severity=one) for one in ("minor", "major")}
        # MPP does not look at severities: characters decide.
        values = {one: figures(table.sum(axis=0))["character_f1"] for one, table in tables.items()}
        best = max(tables, key=lambda one: float(np.nan_to_num(values[one])))
        return best, tables[best]

    def marked(self, table: FloatArray) -> float:
        """The share of all characters that a prediction marks, each as often as it does."""
        return float(table[:, _CHARACTERS].sum(axis=0)[1]) / max(self._characters, 1)

    def resampled(self, tables: Sequence[FloatArray]) -> list[Mapping[SpanMeasure, FloatArray]]:
        """The figures of each table in each resample, the same ones for all; of none without resamples."""
        width = _ONES + 1
        whole = np.concatenate(tables, axis=1)
        sums = np.empty((0, whole.shape[1]))
        if self._resamples:
            sums = cluster_sums(whole, resamples=self._resamples, seed=self._seed)
        return [figures(sums[:, place : place + width]) for place in range(0, sums.shape[1], width)]


def figures(sums: FloatArray) -> Mapping[SpanMeasure, FloatArray]:
    """Every measure of (…, 9) sums."""
    precision, recall, character_f1 = character_scores(sums[..., _CHARACTERS])
    macro = sums[..., _TEXT] / np.maximum(sums[..., _ONES], 1)
    return {
        "precision": precision,
        "recall": recall,
        "character_f1": character_f1,
        "micro_f1": match_scores(sums[..., _MATCHES])[2],
        "macro_f1": macro,
    }


def estimate(value: FloatArray | float, resampled: FloatArray) -> Estimate:
    """The figure with the interval of its resamples; those in which it is undefined are passed over."""
    known = resampled[~np.isnan(resampled)]
    if np.isnan(value):
        return Estimate(None)
    if not len(known):
        return Estimate(float(value))
    found = interval(known)
    return Estimate(float(value), found.low, found.high)
