"""Segments with different numbers of references, for metrics that know nothing of that.

A metric is given the segments that have one reference, those that have two, and so on, each time with as many
columns as all of them have. So a mean is of the references that there are, the best is the best of those, and
whoever looks at all of them together (BLEU, NIST) sees no other, which is what sacreBLEU does with ``None``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.errors import InputError
from metaphrase.metrics.comparison import Analysed, Comparison
from metaphrase.metrics.corpus_counts import CorpusCounts

if TYPE_CHECKING:
    from metaphrase.metrics.base import Metric

Statistics = Callable[..., FloatArray]


def of_any_references(statistics: Statistics) -> Statistics:
    """The method of a metric, for comparisons in which segments may lack further references, too."""

    @wraps(statistics)
    def of_parts(metric: Metric, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        if not comparison.ragged:
            return statistics(metric, comparison, threads=threads)
        rows: FloatArray | None = None
        for places, part in scored_parts(metric, comparison):
            found = statistics(metric, part, threads=threads)
            if rows is None:
                rows = np.empty((len(comparison), found.shape[1]))
            rows[places] = found
        assert rows is not None
        return rows

    return of_parts


def gathered(metric: Metric, comparisons: Sequence[Comparison]) -> CorpusCounts:
    """What a metric gathers of all systems, beside however many references segments have."""
    if not comparisons[0].ragged:
        return metric.gather(comparisons)
    of_systems = [[part for _, part in parts(one)] for one in comparisons]
    return CorpusCounts.joined([metric.gather(some) for some in zip(*of_systems, strict=True)])


def scored_parts(metric: Metric, comparison: Comparison) -> list[tuple[Int64Array, Comparison]]:
    """The comparisons that a metric can be given, and the rows of each: one, unless it is ragged."""
    if not comparison.ragged:
        return [(np.arange(len(comparison)), comparison)]
    found = parts(comparison)
    of_corpus = comparison.of_corpus
    if metric.needs_whole_corpus and of_corpus is None:
        _check_gathers(metric, comparison)
        of_corpus = gathered(metric, [comparison]).totals()
    return [(rows, replace(part, of_corpus=of_corpus)) for rows, part in found]


def parts(comparison: Comparison) -> list[tuple[Int64Array, Comparison]]:
    """The segments with as many references as each other, fewest first, and their rows.

    What is kept of references is kept for the other systems, part by part.
    """
    there = np.array([[text is not None for text in column] for column in comparison.references])
    counts = there.sum(axis=0)
    # Those that there are come first, in their order.
    order = np.argsort(~there, axis=0, kind="stable")
    return [
        (rows, _part(comparison, rows, order[:count, rows]))
        for count in np.unique(counts).tolist()
        for rows in [np.flatnonzero(counts == count)]
    ]


def _part(comparison: Comparison, rows: Int64Array, references: Int64Array) -> Comparison:
    """These segments, with the reference of each that ``references`` names, column by column."""
    places = rows.tolist()

    def chosen(texts: Sequence[str]) -> list[str]:
        return [texts[row] for row in places]

    sentences = comparison.sentences
    if sentences is not None:
        columns = np.stack(sentences.references)
        sentences = Analysed(
            sentences.batch,
            sentences.hypotheses[rows],
            [columns[numbers, rows] for numbers in references],
        )
    made: dict[str, Any] = comparison.kept(f"{len(references)} references", dict)
    return replace(
        comparison,
        hypotheses=chosen(comparison.hypotheses),
        references=[
            [
                comparison.references[number][row]
                for number, row in zip(numbers, places, strict=True)
            ]
            for numbers in references.tolist()
        ],
        sources=None if comparison.sources is None else chosen(comparison.sources),
        documents=None if comparison.documents is None else chosen(comparison.documents),
        sentences=sentences,
        ragged=False,
        rows=rows,
        _made=made,
    )


def _check_gathers(metric: Metric, comparison: Comparison) -> None:
    """Refuse a metric that must see whole columns of references at once."""
    if metric.gathers:
        return
    columns = comparison.references
    counts = [sum(text is not None for text in texts) for texts in zip(*columns, strict=True)]
    row = next(row for row, count in enumerate(counts) if count < len(columns))
    raise comparison.blamed(
        row,
        InputError(
            "MP119",
            f"{metric.label} needs equally many references of every segment: {comparison.place(row)} has "
            f"{counts[row]} of {len(columns)}.",
            hint="Give it complete references only: leave out the files that have gaps.",
        ),
    )
