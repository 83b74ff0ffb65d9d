"""Explanation by repair: what undoing each edit of a translation would gain, by any metric.

``words`` and ``alignment`` say which words stand for which, ``edits`` makes a short list of edits of them,
``script`` undoes any of these, ``kinds`` names them, and ``points`` asks the metric what each is worth.
"""

from metaphrase.metrics.repairs.kinds import KINDS
from metaphrase.metrics.repairs.points import (
    RepairedSegment,
    RepairPlan,
    corpus_totals,
    plan_repairs,
    repairs,
)

__all__ = ["KINDS", "RepairPlan", "RepairedSegment", "corpus_totals", "plan_repairs", "repairs"]
