"""How far a job is, as its folder tells anybody who looks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike

from metaphrase.errors import InputError
from metaphrase.jobs.first_pass import is_gathered
from metaphrase.jobs.manifest import Manifest
from metaphrase.jobs.plan import Plan
from metaphrase.jobs.running import failures
from metaphrase.jobs.shard_run import done

#: Shards whose pace says how long the rest will take.
_LATEST = 50


@dataclass(frozen=True, slots=True)
class Status:
    """What is done and what is not.

    ``rate`` is rows a second over the latest shards, by all who work on the job, and ``seconds_left`` what
    follows from it; both are ``None`` as long as nothing is done. ``shards_gathered`` have been through the
    first pass, if the job has one.
    """

    job: str
    shards: int
    shards_done: int
    rows: int
    rows_done: int
    failed: dict[int, str]
    damaged: tuple[int, ...]
    rate: float | None
    seconds_left: float | None
    shards_gathered: int | None = None
    #: Rows that metrics refused so far, by metric, if any.
    skipped: dict[str, int] = field(default_factory=dict)

    @property
    def is_done(self) -> bool:
        """Whether the job can be finished."""
        return self.shards_done == self.shards


def status(folder: str | PathLike[str]) -> Status:
    """Look at the folder of a job; nothing is changed."""
    plan = Plan.load(folder)
    found: list[Manifest] = []
    damaged = []
    for shard in plan.shards:
        try:
            manifest = done(folder, shard, plan)
        except InputError as error:
            if error.code != "MP935":
                raise
            damaged.append(shard.number)
            continue
        if manifest is not None:
            found.append(manifest)
    rows = sum(manifest.shard.rows for manifest in found)
    rate = _rate(sorted(found, key=lambda one: one.done)[-_LATEST:])
    complete = {manifest.shard.number for manifest in found}
    skipped: Counter[str] = Counter()
    for manifest in found:
        skipped.update(manifest.skipped)
    failed = {n: why for n, why in failures(folder, plan).items() if n not in complete}
    return Status(
        job=plan.job,
        shards=len(plan.shards),
        shards_done=len(found),
        rows=plan.rows,
        rows_done=rows,
        failed=failed,
        damaged=tuple(damaged),
        rate=rate,
        seconds_left=None if rate is None else (plan.rows - rows) / rate,
        shards_gathered=_gathered(folder, plan, complete) if plan.first_pass else None,
        skipped=dict(skipped),
    )


def _gathered(folder: str | PathLike[str], plan: Plan, scored: set[int]) -> int:
    """Shards that need not be looked through; of those that are scored, counts may be gone."""
    return sum(shard.number in scored or is_gathered(folder, shard, plan) for shard in plan.shards)


def _rate(latest: Sequence[Manifest]) -> float | None:
    """Rows a second while anybody was at work: a job that slept over night is not slow."""
    if not latest:
        return None
    busy = 0.0
    begun = end = min(one.done - one.seconds for one in latest)
    for one in sorted(latest, key=lambda one: one.done - one.seconds):
        if one.done - one.seconds > end:
            busy += end - begun
            begun = one.done - one.seconds
        end = max(end, one.done)
    busy += end - begun
    return sum(one.shard.rows for one in latest) / max(busy, 1e-6)
