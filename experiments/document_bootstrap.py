"""Pearson's r at document and segment level with intervals from a bootstrap over documents.

Segments of a document are not independent, nor are the systems that translated it, so that whole documents
are drawn, with all systems and segments. Metrics are compared on the same draws.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from experiments.frame import Floats
from metaphrase.meta import JudgedScores, Judgements, document_scores
from metaphrase.meta.judged_scores import document_numbers

LEVELS = ("document", "segment")
RESAMPLES = 1000
SEED = 1


@dataclass(frozen=True, slots=True, eq=False)
class Resampled:
    """A coefficient, and what it is in every resample."""

    value: float
    draws: Floats

    @property
    def interval(self) -> tuple[float, float]:
        """95 % of the resamples."""
        low, high = np.percentile(self.draws, [2.5, 97.5])
        return float(low), float(high)

    def minus(self, other: Resampled) -> Resampled:
        return Resampled(self.value - other.value, self.draws - other.draws)


def resampled_pearson(scores: JudgedScores, judged: Judgements, level: str) -> Resampled:
    """r over all cells of ``level``, systems pooled."""
    numbers = document_numbers(judged)
    documents = int(numbers.max()) + 1
    if level == "document":
        metric, human = scores.document, document_scores(judged.human, numbers)
        columns = np.arange(documents)
    else:
        metric, human, columns = scores.segment, judged.human, numbers
    moments = _moments(metric, human, columns, documents)
    generator = np.random.default_rng(SEED)
    drawn = generator.multinomial(documents, np.full(documents, 1 / documents), RESAMPLES)
    return Resampled(float(_pearson(moments.sum(axis=0))), _pearson(drawn @ moments))


def _moments(metric: Floats, human: Floats, columns: Floats, documents: int) -> Floats:
    """For each document: cells, and sums of m, h, m², h² and m·h, both sides standardised."""
    known = ~np.isnan(metric) & ~np.isnan(human)
    m, h = (_standardised(side[known]) for side in (metric, human))
    document = np.broadcast_to(columns, metric.shape)[known]
    return np.stack(
        [
            np.bincount(document, weights=weights, minlength=documents)
            for weights in (np.ones_like(m), m, h, m * m, h * h, m * h)
        ],
        axis=1,
    )


def _standardised(values: Floats) -> Floats:
    return np.asarray((values - values.mean()) / (values.std() or 1.0))


def _pearson(moments: Floats) -> Floats:
    n, m, h, mm, hh, mh = np.moveaxis(moments, -1, 0)
    spread = np.sqrt((n * mm - m * m) * (n * hh - h * h))
    return np.asarray((n * mh - m * h) / spread)
