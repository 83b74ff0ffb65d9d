"""The first pass of a job: counts what metrics need to know of the whole corpus.

Each shard leaves its counts in a file, in as many blocks as the plan says (``merges``), by a hash of what is
counted. So a merge reads one block of each shard, adds up, and writes for each shard what its counts come to
in the whole corpus: a block that stands beside its own. Whoever scores the shard reads these two, and nothing
of the others. All files are the same bytes whoever makes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from metaphrase.errors import InputError
from metaphrase.jobs.block_file import BlockFile, DamagedError, write_blocks
from metaphrase.jobs.plan import VERSION, Plan, Shard
from metaphrase.jobs.tables import changed, read
from metaphrase.jobs.tables.pieces import check_documents
from metaphrase.metrics import Metric
from metaphrase.metrics.corpus_counts import CorpusCounts, CorpusTotals
from metaphrase.metrics.refusals import Refusals
from metaphrase.metrics.segment_statistics import gathered_counts

GATHERED = "gathered"
#: Rows of the corpus for each merge, which holds about 100 bytes for each thing that is counted.
_ROWS_PER_MERGE = 50_000
#: More merges than this would open too many files.
_MOST_MERGES = 2_000


def merges_for(rows: int) -> int:
    """Into how many merges counts of so many rows are divided."""
    return min(-(-rows // _ROWS_PER_MERGE), _MOST_MERGES)


def counts_path(folder: str | PathLike[str], shard: Shard) -> Path:
    """Where the counts of a shard are."""
    return Path(folder) / GATHERED / f"{shard.name}.counts"


def totals_path(folder: str | PathLike[str], merge: int) -> Path:
    """Where a merge leaves what counts come to."""
    return Path(folder) / GATHERED / f"total-{merge:05}.counts"


def is_gathered(
    folder: str | PathLike[str], shard: Shard, plan: Plan, *, verify: bool = False
) -> bool:
    """Whether the counts of a shard are there; with ``verify``, all of them are read."""
    return _is_sound(counts_path(folder, shard), _of_shard(plan, shard), plan.merges, verify)


def is_merged(folder: str | PathLike[str], merge: int, plan: Plan, *, verify: bool = False) -> bool:
    """Whether a merge is done; with ``verify``, all of it is read."""
    return _is_sound(totals_path(folder, merge), _of_merge(plan, merge), len(plan.shards), verify)


def gather(
    folder: str | PathLike[str],
    shard: Shard,
    plan: Plan,
    metrics: dict[str, Metric],
    *,
    threads: int = 1,
    again: bool = False,
) -> None:
    """Count what the rows of a shard have, unless that is done already."""
    if not again and is_gathered(folder, shard, plan):
        return
    counting = {label: metrics[label] for label in plan.first_pass}
    summed: list[CorpusCounts] = []
    refusals = Refusals() if plan.on_error == "skip" else None
    rows = 0
    for piece in read(plan, shard):
        check_documents(piece.corpus, plan, shard, rows)
        found = gathered_counts(
            piece.corpus, counting, threads=threads, first=shard.first + rows, refusals=refusals
        )
        summed.append(CorpusCounts.joined([counts.apart(label) for label, counts in found]))
        rows += len(piece.corpus)
        # What waits is no longer than what is summed, so that each count is sorted only a few times.
        if len(summed) > 1 and sum(map(len, summed[1:])) > len(summed[0]):
            summed.append(_summed(summed))
    if rows != shard.rows:
        raise changed(plan.inputs[shard.input])
    path = counts_path(folder, shard)
    with suppress(OSError):  # whoever writes says what is wrong
        path.parent.mkdir(parents=True, exist_ok=True)
    counts = _summed(summed)
    blocks = list(_divided(counts, plan.merges))
    columns = 3 if counts.groups is None else 5
    write_blocks(path, _of_shard(plan, shard), blocks, columns=columns)


def merge(
    folder: str | PathLike[str],
    number: int,
    plan: Plan,
    metrics: dict[str, Metric],
    *,
    again: bool = False,
) -> None:
    """Add up one block of each shard, unless that is done already; damaged counts are made anew."""
    if not again and is_merged(folder, number, plan):
        return
    missing = [one.number for one in plan.shards if not counts_path(folder, one).exists()]
    if missing:
        raise unfinished(folder, missing, plan)
    counts = [_counts(folder, shard, number, plan, metrics) for shard in plan.shards]
    totals = CorpusCounts.joined(counts).totals()
    columns = [totals.counts] if totals.kinds is None else [totals.counts, totals.kinds]
    ends = np.cumsum([len(one) for one in counts])[:-1]
    blocks = np.split(np.stack(columns), ends, axis=1)
    path = totals_path(folder, number)
    write_blocks(path, _of_merge(plan, number), blocks, columns=len(columns))


def totals_for(
    folder: str | PathLike[str], shard: Shard, plan: Plan, metrics: dict[str, Metric]
) -> dict[str, CorpusTotals]:
    """What is counted in a shard, as often as the whole corpus has it, for each metric that counts.

    Merges that are missing or damaged are made.
    """
    if not plan.first_pass:
        return {}
    counts, totals = [], []
    for number in range(plan.merges):
        counts.append(_counts(folder, shard, number, plan, metrics))
        totals.append(_totals(folder, shard, number, plan, metrics))
    columns = np.concatenate(totals, axis=1).astype(np.int64)
    whole = CorpusTotals(
        np.concatenate([one.keys for one in counts]),
        columns[0],
        columns[1] if len(columns) > 1 else None,
    )
    return {label: whole.of(label) for label in plan.first_pass}


def unfinished(folder: str | PathLike[str], missing: Sequence[int], plan: Plan) -> InputError:
    """The error for a second pass that comes too early."""
    return InputError(
        "MP946",
        f"{', '.join(plan.first_pass)} must see all shards first, and {len(missing):,} of "
        f"{len(plan.shards):,} have not been looked through; the first is {missing[0]}.",
        path=folder,
        hint="Run all shares of the job once more when each of them has come so far.",
    )


def _summed(some: list[CorpusCounts]) -> CorpusCounts:
    """The sum of counts, which are taken out of the list: nobody has room for them twice."""
    joined = CorpusCounts.joined(some)
    some.clear()
    return joined.summed()


def _divided(counts: CorpusCounts, into: int) -> Iterator[Any]:
    """The blocks of counts: whatever is in one group is in one block."""
    groups = counts.all_groups
    blocks = (groups[:, 0] % np.uint64(into)).astype(np.int64)
    order = np.argsort(blocks, kind="stable")
    columns = [*counts.keys.T, counts.counts.astype(np.uint64)]
    if counts.groups is not None:
        columns += [*counts.groups.T]
    table = np.stack(columns)[:, order]
    ends = np.searchsorted(blocks[order], np.arange(1, into))
    yield from np.split(table, ends, axis=1)


def _counts(
    folder: str | PathLike[str],
    shard: Shard,
    number: int,
    plan: Plan,
    metrics: dict[str, Metric],
) -> CorpusCounts:
    """A block of a shard's counts, which are made anew if they are damaged."""
    path, facts = counts_path(folder, shard), _of_shard(plan, shard)
    try:
        found = _block(path, facts, plan.merges, number)
    except FileNotFoundError:
        raise unfinished(folder, [shard.number], plan) from None
    except _DAMAGES:
        gather(folder, shard, plan, metrics, again=True)
        found = _block(path, facts, plan.merges, number)
    groups = np.ascontiguousarray(found[3:5].T) if len(found) > 3 else None
    return CorpusCounts(np.ascontiguousarray(found[:2].T), found[2].astype(np.int64), groups)


def _totals(
    folder: str | PathLike[str],
    shard: Shard,
    number: int,
    plan: Plan,
    metrics: dict[str, Metric],
) -> Any:
    """A block of what a shard's counts come to, after a merge if that is missing or damaged."""
    path, facts = totals_path(folder, number), _of_merge(plan, number)
    try:
        return _block(path, facts, len(plan.shards), shard.number)
    except (FileNotFoundError, *_DAMAGES):
        merge(folder, number, plan, metrics, again=True)
        return _block(path, facts, len(plan.shards), shard.number)


_DAMAGES = (DamagedError, ValueError, KeyError, TypeError, AttributeError, RecursionError)


def _block(path: Path, facts: dict[str, Any], blocks: int, number: int) -> Any:
    with BlockFile(path, facts, blocks) as file:
        return file.block(number)


def _is_sound(path: Path, facts: dict[str, Any], blocks: int, verify: bool) -> bool:
    try:
        with BlockFile(path, facts, blocks) as file:
            if verify:
                file.check()
            return True
    except (FileNotFoundError, *_DAMAGES):
        return False


def _of_shard(plan: Plan, shard: Shard) -> dict[str, Any]:
    return {"version": VERSION, "job": plan.job, "shard": shard.number}


def _of_merge(plan: Plan, number: int) -> dict[str, Any]:
    return {"version": VERSION, "job": plan.job, "merge": number}
