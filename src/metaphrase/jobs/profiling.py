"""Profiles of a job: what points are lost by, from the sums of its shards."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.jobs.plan import Plan
from metaphrase.jobs.profile_sums import WIDTH, ProfileSums
from metaphrase.metrics import Metric
from metaphrase.scoring.repair_losses import LOSSES
from metaphrase.scoring.repair_profile import (
    LEAST,
    LEVEL,
    Ends,
    GroupLoss,
    Profile,
    ProfileDifference,
    SystemProfile,
    group_loss,
    half_of,
    kind_losses,
    knows_means,
)
from metaphrase.statistics.resampling import PairedResult, interval

_KINDS = len(LOSSES)
#: What rounding may change of a sum of differences, beside its size.
_ROUNDING = 1e-12


def added_profile(plan: Plan, metric: Metric, sums: ProfileSums) -> Profile:
    """The profile of a metric; intervals are those of a Poisson bootstrap."""
    totals = sums.totals.value().reshape(-1, WIDTH) / sums.rows
    drawn = sums.resampled.sums.value()
    drawn = drawn[drawn[:, 0] > 0]
    means = (drawn[:, 1:] / drawn[:, :1]).reshape(len(drawn), -1, WIDTH)
    return Profile(
        metric.label,
        metric.signature(plan.references),
        metric.higher_is_better,
        sums.rows,
        sums.all_rows,
        tuple(_systems(plan, metric, sums, totals, means)),
        _difference(plan.systems, sums, totals, means) if len(plan.systems) == 2 else None,
    )


def _reaches(sums: ProfileSums, resampled: FloatArray) -> list[Ends]:
    """The interval of each column of resampled means, unless there are too few rows for one."""
    if sums.rows < LEAST:
        return [(None, None)] * resampled.shape[1]
    found = [interval(column) for column in resampled.T]
    return [(one.low, one.high) for one in found]


def _systems(
    plan: Plan, metric: Metric, sums: ProfileSums, totals: FloatArray, means: FloatArray
) -> Iterator[SystemProfile]:
    known = sums.rows < sums.all_rows and knows_means(metric, plan.references)
    of_all = sums.of_all.value() / sums.all_rows if known else None
    for place, name in enumerate(plan.systems):
        points, reaches = totals[place, :_KINDS], _reaches(sums, means[:, place])
        score, maximum = totals[place, _KINDS:].tolist()
        counts = sums.counts[place]
        yield SystemProfile(
            name,
            score,
            *reaches[_KINDS],
            None if of_all is None else float(of_all[place]),
            maximum,
            float(points.sum()),
            kind_losses(points, sums.touched[place], reaches.__getitem__),
            counts.frequent(),
            tuple(_documents(sums, place)),
            counts.missed,
        )


def _documents(sums: ProfileSums, place: int) -> Iterator[GroupLoss]:
    for name, count in sums.documents.items():
        points = sums.by_document[name].value().reshape(-1, WIDTH)[place, :_KINDS]
        yield group_loss("document", name, count, points / count)


def _difference(
    systems: tuple[str, ...], sums: ProfileSums, totals: FloatArray, means: FloatArray
) -> ProfileDifference:
    points = totals[1, :_KINDS] - totals[0, :_KINDS]
    drawn = means[:, 1, :_KINDS] - means[:, 0, :_KINDS]
    largest, better, worse = sums.largest, *systems
    if points.sum() < 0:
        points, drawn, largest, better, worse = -points, -drawn, -sums.smallest, worse, better
    whole = float(points.sum())
    *reaches, reach = _reaches(sums, np.column_stack([drawn, drawn.sum(axis=1)]))
    tested = _test(sums)
    return ProfileDifference(
        better,
        worse,
        whole,
        *reach,
        kind_losses(points, sums.touched[-1], reaches.__getitem__),
        half_of(largest, whole * sums.rows) if sums.differing else 0,
        tested.p_value,
        tested.untestable(LEVEL),
    )


def _test(sums: ProfileSums) -> PairedResult:
    """Randomisation, whose exchanges are functions of seed, resample and row."""
    if not sums.differing:
        return PairedResult(1.0, 0, exact=True, smallest_p=1.0)
    totals = sums.totals.value().reshape(-1, WIDTH)[:, :_KINDS].sum(axis=1)
    observed = totals[1] - totals[0]
    exchanged = np.abs(observed - 2 * sums.exchanged.sums.value()[:, 0])
    rounding = _ROUNDING * float(np.abs(totals).max())
    reached = int(np.count_nonzero(exchanged >= abs(observed) - rounding))
    by_ways, by_resamples = 0.5 ** (sums.differing - 1), 1 / (sums.resamples + 1)
    return PairedResult(
        (reached + 1) / (sums.resamples + 1),
        sums.differing,
        exact=by_ways > by_resamples,
        smallest_p=max(by_ways, by_resamples),
    )
