"""Explanation by repair: what undoing each edit of a translation would gain, by any metric.

``words`` and ``alignment`` say which words stand for which, ``edits`` makes a short list of edits of them,
``script`` undoes any of these, ``kinds`` names them, and ``points`` asks the metric what each is worth.
``error_spans`` marks them as raters mark errors.
"""

from metaphrase.metrics.repairs.error_spans import (
    SEVERITIES,
    UNMATCHED,
    MarkedSegment,
    Severities,
    marked_segments,
)
from metaphrase.metrics.repairs.kinds import KINDS
from metaphrase.metrics.repairs.points import (
    RepairedSegment,
    RepairPlan,
    corpus_totals,
    plan_repairs,
    repairs,
    with_best_references,
)

__all__ = [
    "KINDS",
    "SEVERITIES",
    "UNMATCHED",
    "MarkedSegment",
    "RepairPlan",
    "RepairedSegment",
    "Severities",
    "corpus_totals",
    "marked_segments",
    "plan_repairs",
    "repairs",
    "with_best_references",
]
