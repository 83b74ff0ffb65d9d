"""Runs the shards of a job that are not done, on whatever engine there is."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError, MetaphraseError, OptionError
from metaphrase.jobs.engines import Engine, Local
from metaphrase.jobs.manifest import Manifest
from metaphrase.jobs.plan import Plan, Shard
from metaphrase.jobs.shard_run import done, manifest_path, part_path, run_shard

FAILURES = "failures"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the shards: how many were done before, which were done now, and which failed and why."""

    before: int
    now: tuple[int, ...]
    failed: dict[int, str]

    @property
    def is_complete(self) -> bool:
        """Whether nothing failed."""
        return not self.failed


def run(
    folder: str | PathLike[str],
    *,
    engine: Engine | None = None,
    threads: int = 1,
    share: tuple[int, int] | None = None,
    progress: Callable[[Manifest], None] | None = None,
) -> Outcome:
    """Score the shards of the job in ``folder`` that are not done yet.

    engine: what calls a function for each shard; by default one process after the other, as many as cores
    threads: of each shard
    share: with (i, n) only each n-th shard from the i-th on, from 1, for machines that share a folder and
        know nothing of each other
    progress: is called with the manifest of each shard that was done now

    A shard that fails does not stop the others.
    """
    plan = Plan.load(folder)
    chosen = _share(plan.shards, share)
    missing = [shard.number for shard in chosen if not _is_done(folder, shard, plan)]
    now: list[int] = []
    failed: dict[int, str] = {}
    runs = _ShardOf(str(Path(folder).resolve()), threads)
    for number, result in (engine or Local()).map(runs, missing):
        shard = plan.shards[number]
        note = _failure_path(folder, shard)
        if isinstance(result, BaseException):
            failed[number] = _told(result)
            note.parent.mkdir(exist_ok=True)
            with atomic_writer(note) as stream:
                stream.write(json.dumps({"shard": number, "error": failed[number]}).encode())
            continue
        note.unlink(missing_ok=True)
        now.append(number)
        if progress is not None:
            progress(Manifest.load(manifest_path(folder, shard), shard, plan))
    return Outcome(len(chosen) - len(missing), tuple(sorted(now)), dict(sorted(failed.items())))


def failures(folder: str | PathLike[str], plan: Plan) -> dict[int, str]:
    """Shards that failed when they last ran, and why."""
    found = {}
    for path in sorted((Path(folder) / FAILURES).glob("part-*.json")):
        try:
            note = json.loads(path.read_bytes())
            number, error = int(note["shard"]), str(note["error"])
        except (OSError, ValueError, KeyError, TypeError):
            continue  # a note, nothing more
        if number < len(plan.shards) and not _is_done(folder, plan.shards[number], plan):
            found[number] = error
    return found


@dataclass(frozen=True, slots=True)
class _ShardOf:
    """A function that engines can send to other processes; it returns nothing worth sending back."""

    folder: str
    threads: int

    def __call__(self, number: int) -> int:
        run_shard(self.folder, number, threads=self.threads)
        return number


def _is_done(folder: str | PathLike[str], shard: Shard, plan: Plan) -> bool:
    """Whether a shard is done; a damaged manifest or part is made anew."""
    try:
        return done(folder, shard, plan) is not None
    except InputError as error:
        if error.code != "MP935":
            raise
        manifest_path(folder, shard).unlink(missing_ok=True)
        part_path(folder, shard).unlink(missing_ok=True)
        return False


def _share(shards: Sequence[Shard], share: tuple[int, int] | None) -> Sequence[Shard]:
    if share is None:
        return shards
    which, of = share
    if not 1 <= which <= of:
        raise OptionError(
            "MP939", f"there is no share {which}/{of}.", hint="Shares are 1/N, 2/N, … N/N."
        )
    return shards[which - 1 :: of]


def _told(error: BaseException) -> str:
    return str(error) if isinstance(error, MetaphraseError) else f"{type(error).__name__}: {error}"


def _failure_path(folder: str | PathLike[str], shard: Shard) -> Path:
    return Path(folder) / FAILURES / f"{shard.name}.json"
