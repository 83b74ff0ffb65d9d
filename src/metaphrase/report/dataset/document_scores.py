"""What each system scores on each document, from the statistics of its segments."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.metrics import Metric
from metaphrase.statistics.exact_sum import ExactSum


def document_scores(
    metric: Metric, statistics: Sequence[FloatArray], documents: Sequence[str]
) -> FloatArray:
    """Systems × documents, as ``score`` has them at the level of documents, in the order of the text.

    Unlike there, segments without a document are one of their own, with an empty name.
    """
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(documents):
        rows.setdefault(name, []).append(row)
    return np.stack(
        [
            metric.score(np.stack([_sum(table[chosen]) for chosen in rows.values()]))
            for table in statistics
        ]
    )


def _sum(statistics: FloatArray) -> FloatArray:
    total = ExactSum()
    total.add(statistics)
    return total.value()
