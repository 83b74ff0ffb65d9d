"""Choosing among candidates as papers write it down: a loop over candidates, and one over samples."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from metaphrase import Corpus
from metaphrase.arrays import FloatArray
from metaphrase.metrics import Metric, compare

Weights = Sequence[float]


def statistics(metric: Metric, *segments: tuple[str, ...]) -> FloatArray:
    """Those of segments, each a hypothesis and its references, that are the whole corpus."""
    hypotheses, *references = zip(*segments, strict=True)
    corpus = Corpus({"a": hypotheses}, references, empty_references="keep")
    (comparison,) = compare(corpus, metric)
    return metric.statistics(comparison)


def score(metric: Metric, hypothesis: str, *references: str) -> float:
    return float(metric.segment_score(statistics(metric, (hypothesis, *references)))[0])


def all_statistics(
    metric: Metric, candidates: Sequence[str], samples: Sequence[str]
) -> dict[tuple[str, str], FloatArray]:
    """Those of each pair: by itself, or in a corpus of all pairs if the metric needs one."""
    pairs = list(dict.fromkeys((one, other) for one in candidates for other in samples))
    if metric.needs_whole_corpus:
        return dict(zip(pairs, statistics(metric, *pairs), strict=True))
    return {pair: statistics(metric, pair)[0] for pair in pairs}


def expected_scores(
    metric: Metric,
    candidates: Sequence[str],
    samples: Sequence[str] | None = None,
    weights: Weights | None = None,
    *,
    leave_self_out: bool = False,
) -> list[float]:
    """Of each candidate c: Σ_s w_s · score(c, s) / Σ_s w_s, itself left out if anything else is there."""
    others = candidates if samples is None else samples
    shares = [1.0] * len(others) if weights is None else weights
    rows = all_statistics(metric, candidates, others)
    scores = {pair: float(metric.segment_score(row[None])[0]) for pair, row in rows.items()}
    found = []
    for number, candidate in enumerate(candidates):
        pairs = [(weight, other) for weight, other in zip(shares, others, strict=True)]
        if leave_self_out and samples is None:
            rest = pairs[:number] + pairs[number + 1 :]
            pairs = rest if any(weight for weight, _ in rest) else pairs
        largest = max(weight for weight, _ in pairs)
        scaled = [(weight / largest, other) for weight, other in pairs]
        sums = math.fsum(weight * scores[candidate, other] for weight, other in scaled)
        found.append(sums / math.fsum(weight for weight, _ in scaled))
    return found


def aggregated_scores(
    metric: Metric, candidates: Sequence[str], samples: Sequence[str], weights: Weights
) -> list[float]:
    """Of each candidate the score of its statistics with every sample, times its weight, added up.

    A sample weighs 1 in the mean.
    """
    mean = math.fsum(weights) / len(weights)
    pairs = all_statistics(metric, candidates, samples)
    found = []
    for candidate in candidates:
        rows = [
            pairs[candidate, sample] * (weight / mean)
            for sample, weight in zip(samples, weights, strict=True)
        ]
        found.append(float(metric.segment_score(np.sum(rows, axis=0)[None])[0]))
    return found


def standard_scores(values: Sequence[float]) -> list[float]:
    """How many standard deviations a value is above the mean; 0 if all are the same."""
    mean = math.fsum(values) / len(values)
    spread = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))
    if spread <= 1e-12 * max(map(abs, values)):
        return [0.0] * len(values)
    return [(value - mean) / spread for value in values]


def best_first(values: Sequence[float], *, rises: bool = True) -> list[int]:
    """The first comes first of equal ones."""
    return sorted(range(len(values)), key=lambda i: (-values[i] if rises else values[i], i))
