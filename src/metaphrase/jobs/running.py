"""Runs the shards of a job that are not done, on whatever engine there is."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from time import time

from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import MetaphraseError, OptionError
from metaphrase.jobs.engines import Engine, Local
from metaphrase.jobs.plan import Plan, Shard
from metaphrase.jobs.shard_run import (
    MANIFESTS,
    PARTS,
    manifest_path,
    run_shard,
    usable,
)
from metaphrase.metrics import load_metrics

FAILURES = "failures"
#: Seconds after which nobody is writing to a temporary file any more.
_ABANDONED = 24 * 3600


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the shards: how many were done before, which were done now, and which failed and why.

    >>> Outcome(2, (3,), {}).is_complete
    True
    """

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
    load: Sequence[str | PathLike[str]] = (),
    verify: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Outcome:
    """Score the shards of the job in ``folder`` that are not done yet.

    engine: what calls a function for each shard; by default processes, as many as there are cores
    threads: of each shard
    share: with (i, n) only each n-th shard from the i-th on, from 1, for machines that share a folder and
        know nothing of each other
    load: files with metrics of one's own, as the plan was made with
    verify: also read the parts that are there, and make those anew that are not as they were written
    progress: is called with the number of rows that are done now and of those to be done, first of all and
        after each shard

    A shard that fails does not stop the others. The default engine starts Python anew, so that a script
    that calls this must not do so when it is imported: ``if __name__ == "__main__":``.
    """
    files = tuple(str(Path(path).resolve()) for path in load)
    for path in files:
        load_metrics(path)
    plan = Plan.load(folder)
    chosen = _share(plan.shards, share)
    _sweep(folder)
    missing = []
    for shard in chosen:
        if usable(folder, shard, plan, verify=verify) is None:
            if verify:  # or whoever runs it would believe the manifest of a bad part
                manifest_path(folder, shard).unlink(missing_ok=True)
            missing.append(shard.number)
    if missing:
        for metric in plan.metrics:
            metric.create(plan.references)  # or each shard would fail for the same reason
    rows = sum(plan.shards[number].rows for number in missing)
    rows_done = 0
    tell = progress or (lambda done, of: None)
    tell(0, rows)
    now: list[int] = []
    failed: dict[int, str] = {}
    runs = _ShardOf(str(Path(folder).resolve()), threads, files)
    for number, result in (engine or Local()).map(runs, missing):
        shard = plan.shards[number]
        note = _note_path(folder, shard)
        if isinstance(result, BaseException):
            failed[number] = _told(result)
            _write_note(note, number, failed[number])
            continue
        with suppress(OSError):
            note.unlink()
        now.append(number)
        rows_done += shard.rows
        tell(rows_done, rows)
    return Outcome(len(chosen) - len(missing), tuple(sorted(now)), dict(sorted(failed.items())))


def failures(folder: str | PathLike[str], plan: Plan) -> dict[int, str]:
    """Shards that failed when they last ran, and why."""
    found = {}
    for path in sorted((Path(folder) / FAILURES).glob("part-*.json")):
        with suppress(OSError, ValueError, KeyError, TypeError):  # a note, nothing more
            note = json.loads(path.read_bytes())
            number, error = int(note["shard"]), str(note["error"])
            if 0 <= number < len(plan.shards):
                found[number] = error
    return found


@dataclass(frozen=True, slots=True)
class _ShardOf:
    """A function that engines can send to other processes; it returns nothing worth sending back."""

    folder: str
    threads: int
    load: tuple[str, ...]

    def __call__(self, number: int) -> int:
        for path in self.load:
            load_metrics(path)
        run_shard(self.folder, number, threads=self.threads)
        return number


def _share(shards: Sequence[Shard], share: tuple[int, int] | None) -> Sequence[Shard]:
    if share is None:
        return shards
    which, of = share
    if not 1 <= which <= of:
        raise OptionError(
            "MP939", f"there is no share {which}/{of}.", hint="Shares are 1/N, 2/N, … N/N."
        )
    return shards[which - 1 :: of]


def _sweep(folder: str | PathLike[str]) -> None:
    """Remove what processes left that were killed long ago."""
    for name in (PARTS, MANIFESTS, FAILURES):
        for path in (Path(folder) / name).glob(".metaphrase-*.tmp"):
            with suppress(OSError):
                if time() - path.stat().st_mtime > _ABANDONED:
                    path.unlink()


def _told(error: BaseException) -> str:
    return str(error) if isinstance(error, MetaphraseError) else f"{type(error).__name__}: {error}"


def _write_note(path: Path, number: int, error: str) -> None:
    """For whoever asks how far the job is; a full disk has no room for it, and that stops nothing."""
    with suppress(OSError, MetaphraseError):
        path.parent.mkdir(exist_ok=True)
        with atomic_writer(path) as stream:
            stream.write(json.dumps({"shard": number, "error": error}).encode())


def _note_path(folder: str | PathLike[str], shard: Shard) -> Path:
    return Path(folder) / FAILURES / f"{shard.name}.json"
