"""How far a job is, as its folder tells anybody who looks."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike

from metaphrase.errors import InputError
from metaphrase.jobs.plan import Plan
from metaphrase.jobs.running import failures
from metaphrase.jobs.shard_run import done

#: Shards whose pace says how long the rest will take.
_LATEST = 50


@dataclass(frozen=True, slots=True)
class Status:
    """What is done and what is not.

    ``rate`` is rows a second over the latest shards, by all who work on the job, and ``seconds_left`` what
    follows from it; both are ``None`` as long as too little is done.
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

    @property
    def is_done(self) -> bool:
        """Whether the job can be finished."""
        return self.shards_done == self.shards


def status(folder: str | PathLike[str]) -> Status:
    """Look at the folder of a job; nothing is changed."""
    plan = Plan.load(folder)
    found, damaged = [], []
    for shard in plan.shards:
        try:
            manifest = done(folder, shard, plan)
        except InputError as error:
            if error.code != "MP935":
                raise
            damaged.append(shard.number)
            continue
        if manifest is not None:
            found.append((manifest.done, manifest.seconds, shard.rows))
    rows = sum(count for *_, count in found)
    latest = sorted(found)[-_LATEST:]
    rate = None
    if latest:
        begin = min(end - seconds for end, seconds, _ in latest)
        rate = sum(count for *_, count in latest) / max(latest[-1][0] - begin, 1e-6)
    return Status(
        job=plan.job,
        shards=len(plan.shards),
        shards_done=len(found),
        rows=plan.rows,
        rows_done=rows,
        failed=failures(folder, plan),
        damaged=tuple(damaged),
        rate=rate,
        seconds_left=None if rate is None else (plan.rows - rows) / rate,
    )
