"""Makes the plan of a job: cuts tables into shards, gives columns roles, and asks metrics what they are."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from metaphrase.analysis.languages.corpus_check import LanguageCheck
from metaphrase.corpus.drafts import is_draft
from metaphrase.corpus.formats.tables.layout import (
    ColumnNames,
    Layout,
    LayoutOptions,
    is_reserved,
    recognise,
)
from metaphrase.corpus.formats.tables.other_columns import warn_of_left_out
from metaphrase.corpus.typographic_variants import VariantCheck
from metaphrase.corpus.validation import EmptyReferences, check_empty_references, check_system_name
from metaphrase.defaults import DEFAULT_LANGUAGE, DEFAULT_METRICS
from metaphrase.errors import InputError, MetaphraseError, OptionError
from metaphrase.jobs.first_pass import merges_for
from metaphrase.jobs.plan import DIGITS, FILE, Plan, PlannedMetric, Shard
from metaphrase.jobs.tables import Cut, cut, read
from metaphrase.metrics import Metric
from metaphrase.metrics.comparison import no_sources
from metaphrase.metrics.refusals import OnError, check_on_error
from metaphrase.scoring.engine import labelled_metrics
from metaphrase.statistics.poisson_bootstrap import MOST_SEED
from metaphrase.statistics.resampling import SEED, check_resamples

#: Rows of a shard: some minutes of work by a slow metric, and much beside the start of a process.
ROWS = 100_000


def plan(
    inputs: str | PathLike[str] | Sequence[str | PathLike[str]],
    folder: str | PathLike[str],
    metrics: Sequence[str | Metric] = DEFAULT_METRICS,
    *,
    columns: ColumnNames | None = None,
    lang: str = DEFAULT_LANGUAGE,
    keep: str | Sequence[str] = (),
    documents: bool = False,
    resamples: int = 0,
    seed: int = SEED,
    rows_per_shard: int = ROWS,
    profile: int = 0,
    empty_references: EmptyReferences = "none",
    on_error: OnError = "stop",
    check_language: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> Plan:
    """Plan the scoring of tables into ``folder``; a plan that is there already must be the same.

    inputs: Parquet, JSON Lines or TSV files, with the same columns and a row for each segment
    columns: names of columns by role, as readers of tables take them
    keep: columns that go into the parts as they are, such as ids
    documents: whether documents have scores, too; there must be a document column
    resamples: of the bootstrap that gives intervals; 0 for none
    rows_per_shard: somewhat more where row groups of Parquet are larger; a compressed text is one shard
    profile: rows of which a sample is looked at for what points are lost by (:func:`profiles`); 0 for none
    on_error: with ``skip`` a segment that a metric refuses is left out of its scores, as by
        :func:`metaphrase.score`; with ``stop`` its shard fails
    check_language: warn if the first texts do not look like the language of the metrics
    progress: is called with the number of tables that were looked through and of all
    """
    check_empty_references(empty_references)
    check_on_error(on_error)
    _check_numbers(rows_per_shard, resamples, seed, profile)
    given = [inputs] if isinstance(inputs, str | PathLike) else inputs
    paths = [os.path.abspath(path) for path in given]  # noqa: PTH100
    if not paths or len(set(paths)) < len(paths):
        fault = "a table was given twice" if paths else "there is no table to score"
        raise OptionError("MP939", f"{fault}.", hint="Name each file once.")
    chosen = labelled_metrics(metrics, lang)
    _check_metrics(chosen, profile)
    _check_folder(Path(folder))
    first_pass = tuple(label for label, metric in chosen.items() if metric.gathers)
    by_document = [label for label, metric in chosen.items() if metric.needs_documents]
    found = []
    for number, path in enumerate(paths):
        if progress is not None:
            progress(number, len(paths))
        found.append(cut(path, number, rows_per_shard))
    names = [keep] if isinstance(keep, str) else keep
    layout = _layout(found, columns, names, documents, by_document)
    for metric in chosen.values():
        if metric.needs_sources and layout.source is None:
            hint = "Name their column: --columns source=NAME."
            raise no_sources(metric, path=found[0].table.path, hint=hint)
    made = Plan(
        inputs=tuple(one.table for one in found),
        shards=_numbered(found),
        metrics=tuple(_planned(label, metric, layout) for label, metric in chosen.items()),
        columns={
            "systems": list(layout.systems or ()),
            "references": list(layout.references),
            "source": layout.source,
            "document": layout.document if documents or by_document else None,
        },
        kept=_kept(names, found),
        documents=documents,
        resamples=resamples,
        seed=seed,
        empty_references=empty_references,
        on_error=on_error,
        first_pass=first_pass,
        merges=merges_for(sum(one.table.rows for one in found)) if first_pass else 0,
        profile=profile,
    )
    _check_names(made)
    # Whatever is wrong from the start need not wait for a cluster.
    sample = next(read(made, made.shards[0])).corpus
    if check_language:
        check = LanguageCheck([metric.lang for metric in chosen.values()])
        check.watch(sample)
        for warning in check.warnings():
            warnings.warn(warning, stacklevel=2)
    variants = VariantCheck()
    variants.watch(sample)
    byte_exact = [label for label, metric in chosen.items() if not metric.normalise]
    for warning in variants.warnings(byte_exact):
        warnings.warn(warning, stacklevel=2)
    unread = all(metric.origin is None and not metric.needs_sources for metric in chosen.values())
    if unread and not profile:
        # Only metrics of others, guests and repairs may read the source, which is as long as the texts.
        made = replace(made, columns={**made.columns, "source": None})
    _put(made, Path(folder))
    return made


def _check_numbers(rows: int, resamples: int, seed: int, profile: int) -> None:
    if isinstance(rows, bool) or not isinstance(rows, int) or rows < 1:
        raise OptionError(
            "MP939", f"there are no shards of {rows!r} rows.", hint="Give at least 1."
        )
    if isinstance(profile, bool) or not isinstance(profile, int) or profile < 0:
        raise OptionError(
            "MP939",
            f"a profile cannot be of {profile!r} rows.",
            hint="Give 1 or more, or 0 for none.",
        )
    if resamples != 0:
        check_resamples(resamples, seed)
    if not 0 <= seed <= MOST_SEED:
        raise OptionError("MP939", "the seed is too large.", hint="It has 128 bits at the most.")


def _check_metrics(metrics: Mapping[str, Metric], profile: int) -> None:
    for label, metric in metrics.items():
        if profile and (metric.needs_whole_corpus or metric.needs_documents):
            raise OptionError(
                "MP947",
                f"{label} looks beyond the segment, so that a job cannot profile it.",
                hint="Leave out the profile, or plan another job for that metric.",
            )
        if metric.needs_whole_corpus and not metric.gathers:
            raise OptionError(
                "MP940",
                f"{label} makes something of the whole corpus that cannot be made of shards.",
                hint="Score it in one process, with metaphrase score.",
            )


def _layout(
    found: Sequence[Cut],
    columns: ColumnNames | None,
    keep: Sequence[str],
    documents: bool,
    by_document: Sequence[str],
) -> Layout:
    """Which columns are what; one that is kept and has no role by its name is no system, unless stated."""
    options = LayoutOptions(columns=columns)
    stated = "hypothesis" in (columns or {})
    layouts = []
    for one in found:
        path = one.table.path
        if not one.shards:
            raise InputError("MP113", "The table has no rows.", path=path, hint="Leave it out.")
        names = [name for name in one.types if stated or name not in keep or is_reserved(name)]
        layout = recognise(names, options, path)
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
        if by_document and layout.document is None:
            raise InputError(
                "MP516",
                f"{by_document[0]} looks at documents, and the table has no document ids.",
                path=path,
                hint="Name their column: --columns document=NAME.",
            )
        for name in layout.systems or ():
            check_system_name(name, path=path)
        warn_of_left_out(path, layout)
        layouts.append(layout)
    for one, layout in zip(found, layouts, strict=True):
        if _roles(layout) != _roles(layouts[0]):
            raise InputError(
                "MP938",
                f"The columns are {', '.join(one.types)}, and those of {found[0].table.path} "
                f"{', '.join(found[0].types)}.",
                path=one.table.path,
                hint="State the columns of all tables with --columns, or plan two jobs.",
            )
    return layouts[0]


def _roles(layout: Layout) -> tuple[Any, ...]:
    return layout.systems, layout.references, layout.source, layout.document


def _kept(names: Sequence[str], found: Sequence[Cut]) -> dict[str, str]:
    """The columns to keep with their types, which must be the same in all tables."""
    if len(set(names)) < len(names):
        raise OptionError("MP939", "a column is kept twice.", hint="Name each of them once.")
    kept: dict[str, str] = {}
    for one in found:
        for name in names:
            path = one.table.path
            if name not in one.types:
                raise InputError(
                    "MP938",
                    f"There is no column {name!r} to keep.",
                    path=path,
                    hint=f"There are: {', '.join(one.types)}.",
                )
            kind = one.types[name]
            if kind == "mixed":
                raise InputError(
                    "MP938",
                    f"The column {name!r} has lists, objects or values of several types.",
                    path=path,
                    hint="Keep another column, or make them strings.",
                )
            if kept.setdefault(name, kind) != kind:
                raise InputError(
                    "MP938",
                    f"The column {name!r} has the type {kind}, and before {kept[name]}.",
                    path=path,
                    hint="Give all tables the same types, or plan two jobs.",
                )
    return kept


def _numbered(found: Sequence[Cut]) -> tuple[Shard, ...]:
    """The shards of all tables, one after the other."""
    shards: list[Shard] = []
    first = 0
    for one in found:
        begun = len(shards)
        shards += [
            replace(shard, number=begun + shard.number, first=first + shard.first)
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


def _planned(label: str, metric: Metric, layout: Layout) -> PlannedMetric:
    references = len(layout.references)
    signature = str(metric.signature(references))
    planned = PlannedMetric(label, metric.specification, metric.lang, signature)
    try:
        planned.create(references)  # whoever runs a shard has nothing but this
    except MetaphraseError as error:
        raise OptionError(
            "MP940",
            f"{label} cannot be made again from its name and options: {error.message}",
            hint="Options must be such as the command line takes, and metrics of your own in a file "
            "that is loaded.",
        ) from error
    return planned


def _check_names(made: Plan) -> None:
    taken = [name for name in made.score_columns.values() if name in made.kept]
    if taken:
        raise OptionError(
            "MP939",
            f"a column that is kept is called {taken[0]!r}, as scores are.",
            hint="Leave it out, or rename it.",
        )


def _check_folder(folder: Path) -> None:
    if (folder / FILE).exists():
        return
    if folder.exists() and not folder.is_dir():
        raise InputError("MP132", "This is not a folder.", path=folder, hint="Name a folder.")
    if folder.exists() and any(not is_draft(path.name) for path in folder.iterdir()):
        raise InputError(
            "MP130", "The folder exists.", path=folder, hint="Name one that is new or empty."
        )


def _put(made: Plan, folder: Path) -> None:
    if not (folder / FILE).exists():
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                "MP132", f"The folder cannot be made: {error.strerror}.", path=fspath(folder)
            ) from error
        made.save(folder)
        return
    before = Plan.load(folder)
    if before.job != made.job:
        differences = "; ".join(before.differences(made))
        raise InputError(
            "MP934",
            f"Another job is planned here: {differences or 'it cuts its tables otherwise'}.",
            path=folder,
            hint="Give each job a folder of its own.",
        )
    if before != made:
        made.save(folder, overwrite=True)  # the same tables, in another place
