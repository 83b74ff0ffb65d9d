"""``metaphrase job plan``: cut tables into shards, and say by which metrics they are scored."""

from __future__ import annotations

import argparse

from metaphrase.cli.arguments import (
    add_empty_references,
    add_metric_arguments,
    add_on_error,
    add_seed,
    column_names,
    metrics_for,
    positive,
)
from metaphrase.cli.output import print_lines, progress_line
from metaphrase.cli.profile import add_profile
from metaphrase.corpus.opening import CorpusFiles
from metaphrase.defaults import DEFAULT_METRICS

#: Written out, for help must not wait for imports.
ROWS = 100_000
#: Rows that are profiled unless somebody says how many.
PROFILED = 5_000
EXAMPLES = """\
examples:
  metaphrase job plan a.parquet b.parquet -o news --columns hypothesis=mt
  metaphrase job plan big.jsonl -o big -m bleu chrf --keep id --confidence
  metaphrase job plan big.tsv -o big --profile
  metaphrase job plan big.tsv -o big --level document --rows-per-shard 20000
"""


def add_parser(steps: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the step."""
    parser = steps.add_parser(
        "plan",
        help="cut tables into shards",
        description="Look through tables with a row for each segment, cut them into shards and write the "
        "plan of a job. What was planned in a folder cannot be changed there.",
        epilog=EXAMPLES,
    )
    group = parser.add_argument_group("texts")
    add_inputs(group)
    add_columns(group)
    add_empty_references(group)
    add_on_error(add_metric_arguments(parser, DEFAULT_METRICS))
    group = parser.add_argument_group("scores")
    group.add_argument(
        "--level",
        nargs="+",
        action="extend",
        choices=("system", "document"),
        metavar="LEVEL",
        help="document: also scores of documents; those of systems and segments there always are",
    )
    group.add_argument(
        "--confidence",
        nargs="?",
        const=1000,
        type=positive,
        metavar="N",
        help="95%% bootstrap intervals of N resamples (default: 1000)",
    )
    add_profile(group, of="points lost by kind of error", default="none", const=PROFILED)
    add_seed(group)
    group = parser.add_argument_group("job")
    group.add_argument(
        "-o", "--output", required=True, metavar="FOLDER", help="the folder of the job"
    )
    group.add_argument(
        "--keep",
        nargs="+",
        action="extend",
        default=[],
        metavar="COLUMN",
        help="columns that stand beside the scores of segments, such as ids",
    )
    add_rows_per_shard(group)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Plan, and say what was planned."""
    from metaphrase import jobs
    from metaphrase.report.terminal.score_tables import counted

    order = "the tables first: metaphrase job plan INPUT -o FOLDER -m METRIC"
    metrics = metrics_for(CorpusFiles(), options, DEFAULT_METRICS, order=order)
    with progress_line() as tell:
        plan = jobs.plan(
            options.inputs,
            options.output,
            metrics,
            columns=column_names(options.columns),
            lang=options.language,
            keep=options.keep,
            documents="document" in (options.level or ()),
            resamples=options.confidence or 0,
            seed=options.seed,
            rows_per_shard=options.rows_per_shard,
            profile=options.profile or 0,
            empty_references=options.empty_references,
            on_error=options.on_error,
            check_language=options.check_language,
            progress=None
            if tell is None
            else lambda done, of: tell(f"looking through table {done + 1:,} of {of:,}"),
        )
    kept = f"; kept: {', '.join(plan.kept)}" if plan.kept else ""
    labels = ", ".join(plan.first_pass)
    first = [f"first pass over all shards: {labels}"] if labels else []
    print_lines(
        [
            f"{options.output}: {counted(len(plan.inputs), 'table')}, {counted(plan.rows, 'row')}, "
            f"{counted(len(plan.shards), 'shard')}",
            f"job {plan.job}",
            f"systems: {', '.join(plan.systems)}; "
            f"references: {', '.join(plan.columns['references'])}{kept}",
            *first,
            *(metric.signature for metric in plan.metrics),
        ]
    )
    return 0


def add_inputs(group: argparse._ArgumentGroup) -> None:
    """Declare the tables themselves."""
    group.add_argument(
        "inputs", nargs="+", metavar="INPUT", help="tables: Parquet, JSON Lines or TSV; gzip too"
    )


def add_columns(group: argparse._ArgumentGroup) -> None:
    """Declare which columns hold what."""
    group.add_argument(
        "--columns",
        action="append",
        default=[],
        metavar="ROLE=NAME,…",
        help="which columns hold what, as in reference=ref,hypothesis=mt; roles are reference, "
        "hypothesis, source and document",
    )


def add_rows_per_shard(group: argparse._ArgumentGroup) -> None:
    """Declare how large a shard is."""
    group.add_argument(
        "--rows-per-shard",
        type=positive,
        default=ROWS,
        metavar="N",
        help=f"or somewhat more, as row groups have it (default: {ROWS:,})",
    )
