"""Segment consistency: the share of people's preferences that a metric reproduces.

The segment-level measure of WMT 2009 and of TESLA's paper (Liu, Dahlmeier and Ng 2010): of all pairs of
translations of which people prefer one, how often does the metric score that one higher?
"""

from __future__ import annotations

from typing import Literal, get_args

from numpy.typing import ArrayLike

from metaphrase.statistics.checked_scores import one_of
from metaphrase.statistics.preferences import Preferences
from metaphrase.statistics.wmt_tau import count_preferences

MetricTies = Literal["wrong", "half", "leave-out"]


def segment_consistency(
    metric: ArrayLike, preferences: Preferences, *, metric_ties: MetricTies = "wrong"
) -> float:
    """S / (S + O + T): same order, opposite order, tied by the metric. People's ties are left out.

    A metric's tie reproduces nothing (``wrong``), counts as ``half`` a success, or is left out. With
    ``wrong``, WMT's τ of 2010–2012 is 2·consistency − 1. NaN if no pair counts.
    """
    one_of(metric_ties, get_args(MetricTies), "metric_ties")
    counts = count_preferences(metric, preferences)
    ties = 0 if metric_ties == "leave-out" else counts.metric_tie
    right = counts.same_order + (counts.metric_tie / 2 if metric_ties == "half" else 0)
    total = counts.same_order + counts.opposite_order + ties
    return right / total if total > 0 else float("nan")
