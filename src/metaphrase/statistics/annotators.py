"""How far do judges agree with each other, and with themselves?

Cohen's kappa as WMT defines it on rankings (Bojar et al. 2013):

    κ = (P(A) − P(E)) / (1 − P(E)).

P(A) is the share of agreement among all pairs of judgements of the same two systems on the same segment, the
labels being A < B, A = B, A > B; P(E) is the agreement to be expected by chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from metaphrase.arrays import Int64Array
from metaphrase.statistics.checked_scores import one_of
from metaphrase.statistics.preferences import Preferences

Between = Literal["different-judges", "same-judge"]
Chance = Literal["ties", "labels", "uniform"]


@dataclass(frozen=True, slots=True)
class AnnotatorAgreement:
    """κ, P(A), P(E), and how many pairs of judgements were compared; NaN where undefined."""

    kappa: float
    observed: float
    expected: float
    comparisons: int


def annotator_agreement(
    preferences: Preferences, *, between: Between = "different-judges", chance: Chance = "ties"
) -> AnnotatorAgreement:
    """Inter-annotator (``different-judges``) or intra-annotator (``same-judge``) agreement.

    ``chance`` says where P(E) = P(A<B)² + P(A=B)² + P(A>B)² comes from. ``ties``: the frequency t of ties
    among all judgements, better and worse sharing the rest: t² + (1 − t)²/2, as in WMT 2013. ``labels``:
    the frequency of each label, A being the system of the lower number. ``uniform``: ⅓, as WMT assumed
    before it estimated.
    """
    one_of(between, get_args(Between), "between")
    one_of(chance, get_args(Chance), "chance")
    towards_lower = np.where(preferences.first < preferences.second, 1, -1)
    label = towards_lower * preferences.order.astype(np.int64)
    systems = np.sort(np.stack((preferences.first, preferences.second)), axis=0)
    item = (preferences.segment, systems[0], systems[1])
    compared = _pairs(*item, preferences.judge)
    agreeing = _pairs(*item, preferences.judge, label)
    if between == "different-judges":
        compared = _pairs(*item) - compared
        agreeing = _pairs(*item, label) - agreeing
    observed = agreeing / compared if compared > 0 else float("nan")
    expected = _by_chance(label, chance)
    kappa = (observed - expected) / (1 - expected) if expected < 1 else float("nan")
    return AnnotatorAgreement(kappa, observed, expected, compared)


def _pairs(*columns: Int64Array) -> int:
    """Pairs of judgements that are equal in all ``columns``."""
    _, counts = np.unique(np.stack(columns), axis=1, return_counts=True)
    return int((counts * (counts - 1) // 2).sum())


def _by_chance(label: Int64Array, chance: Chance) -> float:
    if chance == "uniform":
        return 1 / 3
    if label.size == 0:
        return float("nan")
    if chance == "ties":
        ties = np.count_nonzero(label == 0) / label.size
        return float(ties**2 + (1 - ties) ** 2 / 2)
    shares = np.bincount(label + 1, minlength=3) / label.size
    return float((shares**2).sum())
