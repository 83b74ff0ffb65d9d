"""Filters tables: keeps the rows for which a condition on scores and columns holds.

The scores are those of a job, so that whatever a job can do (go on where it was, run on any engine) filtering
can, too. A last pass over the tables writes the rows, in their order.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus.drafts import new_draft_folder
from metaphrase.corpus.formats.tables.arrow import arrow
from metaphrase.corpus.formats.tables.layout import ColumnNames
from metaphrase.corpus.formats.tables.parquet_file import batches
from metaphrase.corpus.validation import EmptyReferences
from metaphrase.defaults import DEFAULT_LANGUAGE
from metaphrase.errors import InputError, OptionError
from metaphrase.jobs.condition_names import looked_up
from metaphrase.jobs.conditions import Condition, Truth, parse
from metaphrase.jobs.engines import Engine
from metaphrase.jobs.plan import Plan, Shard
from metaphrase.jobs.planning import ROWS, plan
from metaphrase.jobs.row_files import check_name, row_file
from metaphrase.jobs.rows import shard_rows
from metaphrase.jobs.running import run
from metaphrase.jobs.shard_run import part_path, usable
from metaphrase.jobs.tables import read
from metaphrase.jobs.tables.pieces import first_row
from metaphrase.metrics import load_metrics
from metaphrase.metrics.refusals import OnError

#: Rows of a part that are there at once.
_BATCH = 1 << 16


@dataclass(frozen=True, slots=True)
class Filtered:
    """How many rows there were, how many were kept, and how many metrics refused, which never are."""

    rows: int
    kept: int
    skipped: int = 0


def filter_tables(
    inputs: Sequence[str | PathLike[str]],
    keep: str,
    output: str | PathLike[str] | None = None,
    *,
    rejected: str | PathLike[str] | None = None,
    folder: str | PathLike[str] | None = None,
    columns: ColumnNames | None = None,
    lang: str = DEFAULT_LANGUAGE,
    rows_per_shard: int = ROWS,
    empty_references: EmptyReferences = "none",
    on_error: OnError = "stop",
    check_language: bool = True,
    engine: Engine | None = None,
    threads: int = 1,
    load: Sequence[str | PathLike[str]] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Filtered:
    """Write those rows of tables for which the condition ``keep`` holds, such as ``"accord > 60"``.

    keep: comparisons of metrics, columns of numbers and numbers, joined by and, or, not and parentheses
    output: Parquet, JSON Lines or TSV, as its name says; without it, rows are only counted
    rejected: where the other rows go
    on_error: with ``skip`` a row that a metric refuses is among the rejected, and counted
    folder: of the job, which goes on where it was; another condition on the same metrics and columns scores
        nothing anew. Without it, scores are deleted in the end

    The other options are those of :func:`plan` and :func:`run`.

    >>> filter_tables(["segments.jsonl"], "chrf > 60 and ter < 50", columns={"hypothesis": "clumsy"},
    ...               engine=metaphrase.jobs.Local(workers=1))
    Filtered(rows=12, kept=4, skipped=0)
    """
    for path in load:
        load_metrics(path)
    condition = parse(keep)
    targets = [path for path in (output, rejected) if path is not None]
    for path in targets:
        check_name(path)
    _check_apart([*inputs, *targets])
    if not inputs:
        raise OptionError("MP939", "there is no table to filter.", hint="Name a file.")
    sought = looked_up(condition, fspath(inputs[0]), columns, lang)
    with _job_folder(folder, targets) as place:
        planned = plan(
            inputs,
            place,
            sought.metrics,
            columns=sought.columns,
            lang=lang,
            keep=sought.kept,
            rows_per_shard=rows_per_shard,
            empty_references=empty_references,
            on_error=on_error,
            check_language=check_language,
        )
        where = sought.places(planned)
        # A column that cannot be compared is found before hours of scoring, not after.
        _numbers(next(read(planned, planned.shards[0])).kept, planned, planned.shards[0], 0)
        outcome = run(
            place, engine=engine, threads=threads, load=load, verify=True, progress=progress
        )
        if outcome.failed:
            number, reason = next(iter(outcome.failed.items()))
            raise InputError(
                "MP953",
                f"{len(outcome.failed):,} of {len(planned.shards):,} shards failed, and nothing was "
                f"written. Shard {number}: {reason}",
                path=folder,
            )
        return _write(planned, place, condition, where, output, rejected)


def _write(
    planned: Plan,
    folder: Path,
    condition: Condition,
    where: Mapping[str, str],
    output: str | PathLike[str] | None,
    rejected: str | PathLike[str] | None,
) -> Filtered:
    """The last pass."""
    kept = skipped = 0
    with ExitStack() as files:
        good, bad = (
            None if path is None else files.enter_context(row_file(path))
            for path in (output, rejected)
        )
        for shard in planned.shards:
            chosen, refused = _chosen(planned, shard, folder, condition, where)
            kept += int(chosen.sum())
            skipped += refused
            if good is None and bad is None:
                continue
            at = 0
            for rows in shard_rows(planned, shard):
                these = chosen[at : at + len(rows)]
                at += len(rows)
                if good is not None:
                    good.add(rows.where(these))
                if bad is not None:
                    bad.add(rows.where(~these))
    return Filtered(planned.rows, kept, skipped)


def _chosen(
    planned: Plan, shard: Shard, folder: Path, condition: Condition, where: Mapping[str, str]
) -> tuple[Truth, int]:
    """For each row of a shard if the condition holds, and for how many no metric can say so."""
    if usable(folder, shard, planned) is None:
        raise InputError(
            "MP954",
            "The part of a shard is gone or damaged.",
            path=part_path(folder, shard),
            hint="Filter again: only this shard is scored anew.",
        )
    found: list[Truth] = []
    done = skipped = 0
    columns = list(dict.fromkeys(where.values()))  # two names may mean the same scores
    for batch in batches(part_path(folder, shard), columns, _BATCH):
        given = {name: batch.column(name) for name in columns}
        numbers = _numbers(given, planned, shard, done)
        holds = condition.holds({name: numbers[column] for name, column in where.items()})
        scored = np.ones(batch.num_rows, dtype=np.bool_)
        for column in planned.score_columns.values():
            if column in numbers:
                scored &= ~np.isnan(numbers[column])
        # "not (ter > 80)" would hold of what ter refused.
        found.append(holds & scored)
        skipped += int((~scored).sum())
        done += batch.num_rows
    return np.concatenate(found), skipped


def _numbers(
    columns: Mapping[str, Any], planned: Plan, shard: Shard, done: int
) -> dict[str, FloatArray]:
    """Columns as numbers; cells of TSV are texts until somebody asks. What is not there is NaN."""
    return {
        name: _cells(column, name, planned, shard, done)
        if str(column.type) == "string"
        else _values(column, name, planned.inputs[shard.input].path)
        for name, column in columns.items()
    }


def _values(column: Any, name: str, path: str) -> FloatArray:
    try:
        # Not safe: a whole number may be too large to be exact, and is compared all the same.
        doubles = column.cast("double", safe=False)
    except arrow().ArrowException:
        raise InputError(
            "MP954",
            f"The column {name!r} has the type {column.type}, and numbers are compared.",
            path=path,
            hint="Compare columns of numbers.",
        ) from None
    return np.asarray(doubles.to_numpy(zero_copy_only=False), dtype=np.float64)


def _cells(column: Any, name: str, planned: Plan, shard: Shard, done: int) -> FloatArray:
    values = np.full(len(column), np.nan)
    for row, text in enumerate(column.to_pylist()):
        try:
            values[row] = float(text) if text else np.nan
        except ValueError:
            table = planned.inputs[shard.input]
            raise InputError(
                "MP954",
                f"{text!r} in the column {name!r} is not a number to compare.",
                path=table.path,
                line=first_row(planned, shard) + done + row + (table.format == "tsv"),
                hint="Compare columns of numbers.",
            ) from None
    return values


@contextmanager
def _job_folder(
    folder: str | PathLike[str] | None, targets: Sequence[str | PathLike[str]]
) -> Iterator[Path]:
    """The folder of the job; one that nobody named is beside the output, and goes in the end."""
    if folder is not None:
        yield Path(folder)
        return
    beside = Path(os.path.realpath(targets[0])).parent if targets else Path(gettempdir())
    with ExitStack() as stack:
        try:
            place = stack.enter_context(new_draft_folder(beside, mode=0o700))
        except OSError as error:
            raise InputError(
                "MP132",
                f"No folder can be made for the scores: {error.strerror}.",
                path=beside,
                hint="Write to a folder that exists, or name another one for the job.",
            ) from error
        yield place


def _check_apart(paths: Sequence[str | PathLike[str]]) -> None:
    real = [os.path.realpath(path) for path in paths]
    if len(set(real)) < len(real):
        raise OptionError(
            "MP607", "one file is named twice, to be read or written.", hint="Name each file once."
        )
