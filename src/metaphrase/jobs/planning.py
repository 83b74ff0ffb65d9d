"""Makes the plan of a job: cuts tables into shards, gives columns their roles, and asks metrics what they are."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from metaphrase.corpus.formats.tables.layout import (
    ColumnNames,
    Layout,
    LayoutOptions,
    recognise,
)
from metaphrase.corpus.validation import EmptyReferences, check_empty_references
from metaphrase.defaults import DEFAULT_LANGUAGE, DEFAULT_METRICS
from metaphrase.errors import InputError, OptionError
from metaphrase.jobs.plan import DIGITS, FILE, Plan, PlannedMetric, Shard
from metaphrase.jobs.tables import Cut, cut
from metaphrase.metrics import Metric
from metaphrase.scoring.engine import labelled_metrics
from metaphrase.statistics.resampling import SEED

#: Rows of a shard: some minutes of work by a slow metric, and little beside the start of a process.
ROWS = 100_000


def plan(
    inputs: Sequence[str | PathLike[str]],
    folder: str | PathLike[str],
    metrics: Sequence[str | Metric] = DEFAULT_METRICS,
    *,
    columns: ColumnNames | None = None,
    lang: str = DEFAULT_LANGUAGE,
    keep: Sequence[str] = (),
    documents: bool = False,
    resamples: int = 0,
    seed: int = SEED,
    rows: int = ROWS,
    empty_references: EmptyReferences = "error",
) -> Plan:
    """Plan the scoring of tables into ``folder``; a plan that is there already must be the same.

    inputs: Parquet, JSON Lines or TSV files, with the same columns and a row for each segment
    columns: names of columns by role, as readers of tables take them
    keep: columns that go into the parts as they are, such as ids
    documents: whether documents have scores, too; there must be a document column
    resamples: of the bootstrap that gives intervals; 0 for none
    rows: of a shard, or somewhat more
    """
    check_empty_references(empty_references)
    if rows < 1 or resamples < 0:
        raise OptionError("MP939", "rows are at least 1, and resamples at least 0.")
    paths = [os.path.abspath(path) for path in inputs]
    if not paths or len(set(paths)) < len(paths):
        fault = "a table was given twice" if paths else "there is no table to score"
        raise OptionError("MP939", f"{fault}.", hint="Name each file once.")
    found = [cut(path, number, rows) for number, path in enumerate(paths)]
    layout = _layout(found, columns, documents)
    missing = [name for name in keep if name not in found[0].names]
    if missing:
        known = ", ".join(found[0].names)
        raise InputError(
            "MP938",
            f"There is no column {missing[0]!r} to keep.",
            path=paths[0],
            hint=f"There are: {known}.",
        )
    made = Plan(
        inputs=tuple(one.table for one in found),
        shards=_numbered(found),
        metrics=_planned(labelled_metrics(metrics, lang), layout, documents),
        columns={
            "systems": list(layout.systems or ()),
            "references": list(layout.references),
            "source": layout.source,
            "document": layout.document,
        },
        kept=tuple(keep),
        documents=documents,
        resamples=resamples,
        seed=seed,
        empty_references=empty_references,
    )
    _put(made, Path(folder))
    return made


def _layout(found: Sequence[Cut], columns: ColumnNames | None, documents: bool) -> Layout:
    options = LayoutOptions(columns=columns)
    layouts = []
    for one in found:
        path = one.table.path
        if not one.shards:
            raise InputError("MP113", "The table has no rows.", path=path, hint="Leave it out.")
        layout = recognise(one.names, options, path)
        if layout.form == "long":
            raise InputError(
                "MP938",
                "A job needs a row for each segment, and this table has one for each system, too.",
                path=path,
                hint="Write it in wide form, with a column for each system.",
            )
        if layout.joined is not None:
            raise InputError(
                "MP938",
                f"A job needs a column for each reference, and {layout.joined!r} holds all of them.",
                path=path,
                hint="Name one column for each with --columns reference=NAME.",
            )
        if documents and layout.document is None:
            raise InputError(
                "MP516",
                "document scores need document ids, and the table has none.",
                path=path,
                hint="Name their column: --columns document=NAME.",
            )
        layouts.append(layout)
    for one, layout in zip(found, layouts, strict=True):
        if _roles(layout) != _roles(layouts[0]):
            raise InputError(
                "MP938",
                f"The columns are not those of {found[0].table.path}.",
                path=one.table.path,
                hint="State the columns of all tables with --columns, or plan two jobs.",
            )
    return layouts[0]


def _roles(layout: Layout) -> tuple[Any, ...]:
    return layout.systems, layout.references, layout.source, layout.document


def _numbered(found: Sequence[Cut]) -> tuple[Shard, ...]:
    """The shards of all tables, one after the other."""
    shards: list[Shard] = []
    first = 0
    for one in found:
        shards += [
            replace(shard, number=len(shards) + shard.number, first=first + shard.first)
            for shard in one.shards
        ]
        first += one.table.rows
    if len(shards) > 10**DIGITS:
        raise OptionError(
            "MP939",
            f"there would be {len(shards):,} shards, and a job has at most {10**DIGITS:,}.",
            hint="Give each of them more rows: --rows-per-shard.",
        )
    return tuple(shards)


def _planned(
    metrics: dict[str, Metric], layout: Layout, documents: bool
) -> tuple[PlannedMetric, ...]:
    planned = []
    for label, metric in metrics.items():
        if metric.needs_whole_corpus or metric.needs_documents:
            raise OptionError(
                "MP940",
                f"{label} looks at the whole corpus, which no shard has.",
                hint="Score it in one process, with metaphrase score.",
            )
        signature = str(metric.signature(len(layout.references)))
        one = PlannedMetric(label, metric.specification, metric.lang, signature)
        one.create(len(layout.references))
        planned.append(one)
    return tuple(planned)


def _put(made: Plan, folder: Path) -> None:
    if (folder / FILE).exists():
        before = Plan.load(folder)
        if before.job == made.job:
            return
        differences = "; ".join(before.differences(made))
        raise InputError(
            "MP934",
            f"Another job is planned here: {differences or 'it cuts its tables otherwise'}.",
            path=folder,
            hint="Give each job a folder of its own.",
        )
    if folder.exists() and any(folder.iterdir()):
        raise InputError(
            "MP130", "The folder exists.", path=fspath(folder), hint="Name one that is new or empty."
        )
    folder.mkdir(parents=True, exist_ok=True)
    made.save(folder)
