"""What each system scores on each document or domain, from the statistics of its segments."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from metaphrase.arrays import FloatArray, spread
from metaphrase.metrics import Metric
from metaphrase.statistics.exact_sum import ExactSum


def document_scores(
    metric: Metric, statistics: Sequence[FloatArray], documents: Sequence[str]
) -> FloatArray:
    """Systems × documents, as ``score`` has them at the level of documents, in the order of the text.

    Unlike there, segments without a document are one of their own, with an empty name. Segments that the
    metric refused (NaN) do not count, and a document that has no others scores NaN. Domains are documents
    here.
    """
    kept = np.asarray(~np.isnan(statistics[0]).any(axis=1))
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(documents):
        of_document = rows.setdefault(name, [])
        if kept[row]:
            of_document.append(row)
    scored = np.array([bool(chosen) for chosen in rows.values()])
    return np.stack(
        [
            spread(
                metric.score(np.stack([_sum(table[chosen]) for chosen in rows.values() if chosen])),
                scored,
            )
            for table in statistics
        ]
    )


def _sum(statistics: FloatArray) -> FloatArray:
    total = ExactSum()
    total.add(statistics)
    return total.value()
