"""Runs the shards of a job that are not done, on whatever engine there is."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from os import PathLike
from pathlib import Path
from time import monotonic, sleep, time

from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError, MetaphraseError, OptionError, ResourceError
from metaphrase.jobs.engines import Engine, Local
from metaphrase.jobs.first_pass import (
    GATHERED,
    counts_path,
    is_gathered,
    is_merged,
    totals_path,
    unfinished,
)
from metaphrase.jobs.plan import Plan, Shard
from metaphrase.jobs.shard_run import (
    MANIFESTS,
    PARTS,
    gather_shard,
    manifest_path,
    merge_counts,
    run_shard,
    usable,
)
from metaphrase.memory import out_of_memory
from metaphrase.metrics import load_metrics

FAILURES = "failures"
#: Seconds after which nobody is writing to a temporary file any more.
_ABANDONED = 24 * 3600
#: Seconds until a file that another machine wrote must be seen here, too.
_PATIENCE = 60.0


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

    For metrics that count in the whole corpus all shards are looked through first, and one that fails there
    keeps the others from being scored; so do shards of other shares that have not come so far (MP946).
    A shard that fails later stops no other.
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
                _remove(manifest_path(folder, shard))
            missing.append(shard.number)
    noted = failures(folder, plan).keys() - missing
    for shard in (shard for shard in chosen if shard.number in noted):
        with suppress(OSError):  # it is done all the same: the disk had failed too late
            _note_path(folder, shard).unlink()
    if missing:
        for metric in plan.metrics:
            metric.create(plan.references)  # or each shard would fail for the same reason
    looked = _Ahead.of(folder, plan, chosen, missing, verify=verify)
    mapped = _Mapped(folder, plan, engine or Local(), threads, files)
    mapped.begin([*looked.shards, *missing], progress)
    before = len(chosen) - len(missing)
    mapped.over("gather", looked.shards)
    if mapped.failed:
        return Outcome(before, (), dict(sorted(mapped.failed.items())))
    if looked.merges:
        absent = [one.number for one in plan.shards if not counts_path(folder, one).exists()]
        if absent:
            raise unfinished(folder, absent, plan)
        mapped.merge(looked.merges, share)
    now = mapped.over("score", missing)
    return Outcome(before, tuple(sorted(now)), dict(sorted(mapped.failed.items())))


def failures(folder: str | PathLike[str], plan: Plan) -> dict[int, str]:
    """Shards that failed when they last ran, and why."""
    found = {}
    for path in sorted((Path(folder) / FAILURES).glob("part-*.json")):
        # A note, nothing more.
        with suppress(OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
            note = json.loads(path.read_bytes())
            number, error = int(note["shard"]), str(note["error"])
            if 0 <= number < len(plan.shards):
                found[number] = error
    return found


@dataclass(frozen=True, slots=True)
class _Ahead:
    """What the first pass has yet to do: shards to look through, and merges of what they have."""

    shards: list[int]
    merges: list[int]

    @classmethod
    def of(
        cls,
        folder: str | PathLike[str],
        plan: Plan,
        chosen: Sequence[Shard],
        missing: Sequence[int],
        *,
        verify: bool,
    ) -> _Ahead:
        """Nothing, if no metric counts or no shard is to be scored any more."""
        if not plan.first_pass or not missing:
            return cls([], [])
        merges = []
        for number in range(plan.merges):
            if not is_merged(folder, number, plan, verify=verify):
                if verify:
                    _remove(totals_path(folder, number))
                merges.append(number)
        shards = []
        for shard in chosen if merges else [plan.shards[number] for number in missing]:
            if not is_gathered(folder, shard, plan, verify=verify):
                if verify:
                    _remove(counts_path(folder, shard))
                shards.append(shard.number)
        return cls(shards, merges)


class _Mapped:
    """An engine at work on a job: steps over shards, with notes of what failed and rows for a bar."""

    def __init__(
        self,
        folder: str | PathLike[str],
        plan: Plan,
        engine: Engine,
        threads: int,
        load: tuple[str, ...],
    ) -> None:
        self._folder, self._plan, self._engine = folder, plan, engine
        self._step = partial(_Step, str(Path(folder).resolve()), threads, load)
        self.failed: dict[int, str] = {}

    def begin(self, numbers: Sequence[int], progress: Callable[[int, int], None] | None) -> None:
        """State what there is to do; a shard is there once for each step."""
        self._tell = progress or (lambda done, of: None)
        self._done, self._of = 0, sum(self._plan.shards[number].rows for number in numbers)
        self._tell(self._done, self._of)

    def over(self, name: str, numbers: Sequence[int]) -> list[int]:
        """Take a step with each of these shards; those that did not fail are returned."""
        if not numbers:
            return []
        succeeded: list[int] = []
        # Whatever ends us ends the engine's processes, too, at once.
        with closing(self._engine.map(self._step(name), numbers)) as results:
            for number, result in results:
                shard = self._plan.shards[number]
                note = _note_path(self._folder, shard)
                if isinstance(result, BaseException):
                    self.failed[number] = _told(result)
                    _write_note(note, number, self.failed[number])
                    continue
                with suppress(OSError):
                    note.unlink()
                if name == "score" and not succeeded and _unseen(self._folder, [shard]):
                    raise _elsewhere(self._folder, shard)  # nor will the others be seen
                succeeded.append(number)
                self._done += shard.rows
                self._tell(self._done, self._of)
        if name == "score":
            for shard in _unseen(self._folder, [self._plan.shards[one] for one in succeeded]):
                succeeded.remove(shard.number)
                self.failed[shard.number] = str(_elsewhere(self._folder, shard))
        return succeeded

    def merge(self, numbers: Sequence[int], share: tuple[int, int] | None) -> None:
        """Merge counts, which must not fail; each share begins elsewhere, and finds what others have done."""
        which, of = share or (1, 1)
        start = (which - 1) * len(numbers) // of
        ordered = [*numbers[start:], *numbers[:start]]
        with closing(self._engine.map(self._step("merge"), ordered)) as results:
            for _, result in results:
                if isinstance(result, BaseException):
                    raise result


@dataclass(frozen=True, slots=True)
class _Step:
    """A function that engines can send to other processes; it returns nothing worth sending back."""

    folder: str
    threads: int
    load: tuple[str, ...]
    name: str

    def __call__(self, number: int) -> int:
        for path in self.load:
            load_metrics(path)
        if self.name == "gather":
            gather_shard(self.folder, number, threads=self.threads)
        elif self.name == "merge":
            merge_counts(self.folder, number)
        else:
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


def _unseen(folder: str | PathLike[str], shards: Sequence[Shard]) -> Sequence[Shard]:
    """Those whose manifests are not there; a network's file system may take a while to show them."""
    until = monotonic() + _PATIENCE
    while True:
        shards = [shard for shard in shards if not manifest_path(folder, shard).exists()]
        if not shards or monotonic() > until:
            return shards
        sleep(0.5)


def _elsewhere(folder: str | PathLike[str], shard: Shard) -> ResourceError:
    return ResourceError(
        "MP945",
        f"shard {shard.number} was scored, but its scores are not here.",
        path=folder,
        hint="All machines must see the folder of the job, and its tables, under the same name.",
    )


def _sweep(folder: str | PathLike[str]) -> None:
    """Remove what processes left that were killed long ago."""
    for name in (PARTS, MANIFESTS, FAILURES, GATHERED):
        for path in (Path(folder) / name).glob(".metaphrase-*.tmp"):
            with suppress(OSError):
                if time() - path.stat().st_mtime > _ABANDONED:
                    path.unlink()


def _remove(path: Path) -> None:
    """Remove what is damaged."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            "MP132",
            f"The file is damaged and cannot be removed: {error.strerror}.",
            path=path,
            hint="Check that its directory may be written to.",
        ) from error


def _told(error: BaseException) -> str:
    error = out_of_memory(error) or error
    return str(error) if isinstance(error, MetaphraseError) else f"{type(error).__name__}: {error}"


def _write_note(path: Path, number: int, error: str) -> None:
    """For whoever asks how far the job is; a full disk has no room for it, and that stops nothing."""
    with suppress(OSError, MetaphraseError):
        path.parent.mkdir(exist_ok=True)
        with atomic_writer(path) as stream:
            stream.write(json.dumps({"shard": number, "error": error}).encode())


def _note_path(folder: str | PathLike[str], shard: Shard) -> Path:
    return Path(folder) / FAILURES / f"{shard.name}.json"
