"""WMT's τ on rankings: how far does a metric order pairs of translations as people do?

Macháček and Bojar (WMT 2014) write all variants with a table of coefficients C over the
order that people (h) and the metric (m) give a pair, S being the sets of such pairs:

    τ = Σ C[h, m] · |S[h, m]| / Σ |S[h, m]|, both sums over the cells that the table does not leave out.

With coefficients 1 and −1 it is (concordant − discordant) / (concordant + discordant).
"""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields
from math import isfinite

import numpy as np
from numpy.typing import ArrayLike

from metaphrase.arrays import BoolArray
from metaphrase.errors import OptionError
from metaphrase.statistics.checked_scores import one_of
from metaphrase.statistics.preferences import Preferences


@dataclass(frozen=True, slots=True, kw_only=True)
class TauTable:
    """What each kind of pair contributes; None leaves pairs of that kind out of both sums.

    The table of the paper has nine cells; better-worse symmetry leaves these five.
    """

    same_order: float | None = 1.0
    opposite_order: float | None = -1.0
    metric_tie: float | None  # people prefer one of the two, the metric does not
    human_tie: float | None = None  # the metric prefers one of the two, people do not
    both_tie: float | None = None

    def __post_init__(self) -> None:
        """Refuse what is no number."""
        for field in fields(self):
            value = getattr(self, field.name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
                raise OptionError(
                    "MP712",
                    f"the coefficient {field.name} is {value!r}.",
                    hint="It is a finite number, or None to leave such pairs out.",
                )


_METRIC_TIES_WRONG = TauTable(metric_tie=-1.0)
_METRIC_TIES_LEFT_OUT = TauTable(metric_tie=None)
_METRIC_TIES_NEUTRAL = TauTable(metric_tie=0.0)

#: Variants by name. People's ties are left out by all but ``human-ties``.
TAU_VARIANTS: dict[str, TauTable] = {
    "metric-ties-wrong": _METRIC_TIES_WRONG,
    # Callison-Burch et al. 2010–2012: anything but the same order is discordant (the task's script).
    "wmt10": _METRIC_TIES_WRONG,
    "wmt11": _METRIC_TIES_WRONG,
    "wmt12": _METRIC_TIES_WRONG,
    # Macháček and Bojar 2013.
    "wmt13": _METRIC_TIES_LEFT_OUT,
    # Macháček and Bojar 2014: a tie counts in the denominator, half right and half wrong; kept in 2015
    # and 2016 (so Ma et al. 2019).
    "wmt14": _METRIC_TIES_NEUTRAL,
    "wmt15": _METRIC_TIES_NEUTRAL,
    "wmt16": _METRIC_TIES_NEUTRAL,
    # "xties" of 2014, "hties" of 2016 in the task's scripts: people's ties are to be found as well.
    "human-ties": TauTable(metric_tie=0.0, human_tie=0.0, both_tie=1.0),
    # Ma et al. 2017–2019, on relative_ranking(): the table of 2012 again.
    "darr": _METRIC_TIES_WRONG,
}


@dataclass(frozen=True, slots=True)
class PreferenceCounts:
    """How many preferences a metric shares; ``unscored`` pairs lack a score and count nowhere."""

    same_order: int
    opposite_order: int
    metric_tie: int
    human_tie: int
    both_tie: int
    unscored: int


def count_preferences(metric: ArrayLike, preferences: Preferences) -> PreferenceCounts:
    """Compare the metric's scores (systems, segments) with people's preferences, pair by pair."""
    members = [*pair_kinds(metric, preferences), np.isnan(preferences.metric_order(metric))]
    return PreferenceCounts(*(int(np.count_nonzero(chosen)) for chosen in members))


def pair_kinds(metric: ArrayLike, preferences: Preferences) -> tuple[BoolArray, ...]:
    """Which preferences are of each kind of a :class:`TauTable`, in the order of its fields."""
    order = preferences.metric_order(metric)
    human = preferences.order
    decided = human != 0
    return (
        decided & (order == human),
        decided & (order == -human),
        decided & (order == 0),
        ~decided & (np.abs(order) == 1),
        ~decided & (order == 0),
    )


def ranking_tau(
    metric: ArrayLike, preferences: Preferences, *, variant: str | TauTable = "wmt14"
) -> float:
    """WMT's τ of a metric's scores (systems, segments) with people's preferences.

    ``variant`` is a name in ``TAU_VARIANTS`` or a table of your own. NaN if no pair counts.
    """
    if isinstance(variant, TauTable):
        table = variant
    else:
        table = TAU_VARIANTS[one_of(variant, tuple(TAU_VARIANTS), "variant")]
    *counts, _ = astuple(count_preferences(metric, preferences))
    counted = [(c, n) for c, n in zip(astuple(table), counts, strict=True) if c is not None]
    total = sum(n for _, n in counted)
    return sum(c * n for c, n in counted) / total if total > 0 else float("nan")
