"""``metaphrase filter``: keep the rows of tables for which a condition on their scores holds."""

from __future__ import annotations

import argparse

from metaphrase.cli.arguments import (
    add_empty_references,
    add_language_check,
    add_load,
    add_on_error,
    column_names,
)
from metaphrase.cli.command import command
from metaphrase.cli.interruption import Terminated
from metaphrase.cli.job.plan import add_columns, add_inputs, add_rows_per_shard
from metaphrase.cli.job.run import add_engine
from metaphrase.cli.job.watching import row_progress
from metaphrase.cli.output import check_output, print_aside, print_lines
from metaphrase.languages import canonical_language

EXAMPLES = """\
examples:
  metaphrase filter corpus.parquet --keep 'accord > 60' -o kept.parquet
  metaphrase filter a.jsonl b.jsonl --keep 'accord > 60 and chrf >= 30' \\
      -o kept.jsonl --rejected rejected.jsonl --columns hypothesis=mt
  metaphrase filter big.tsv --keep 'ter < 80 and not (length > 200)' \\
      -o kept.tsv --job big.job
"""


@command(
    place=150,
    help="keep the rows of tables whose scores fulfil a condition",
    description="Score tables of any size as a job does, and write the rows for which a condition "
    "holds, in their order and with all their columns. Without -o, say only how many there are.",
    epilog=EXAMPLES,
)
def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare its arguments."""
    group = parser.add_argument_group("rows")
    add_inputs(group)
    group.add_argument(
        "--keep",
        required=True,
        metavar="CONDITION",
        help="comparisons (< <= > >= == !=) of metrics, columns of numbers and numbers, joined by "
        "and, or, not and parentheses; other names than words in double quotes",
    )
    group.add_argument(
        "-o", "--output", metavar="FILE", help="the rows that are kept: .parquet, .jsonl or .tsv"
    )
    group.add_argument("--rejected", metavar="FILE", help="the other rows, likewise")
    add_columns(group)
    add_empty_references(group)
    group = parser.add_argument_group("metrics")
    group.add_argument(
        "-l",
        "--language",
        type=canonical_language,
        default="en",
        metavar="LANG",
        help="of the texts (default: en)",
    )
    add_load(group)
    add_language_check(group)
    add_on_error(group)
    group = parser.add_argument_group("job")
    group.add_argument(
        "--job",
        metavar="FOLDER",
        help="keep the scores there: to go on if it is stopped, and for other conditions",
    )
    add_rows_per_shard(group)
    add_engine(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Filter, and say how many rows were kept."""
    from metaphrase import jobs

    for path in (options.output, options.rejected):
        check_output(path, options.inputs)
    engine = jobs.named_engine(options.engine, workers=options.workers, address=options.address)
    try:
        with row_progress() as tell:
            found = jobs.filter_tables(
                options.inputs,
                options.keep,
                options.output,
                rejected=options.rejected,
                folder=options.job,
                columns=column_names(options.columns),
                lang=options.language,
                rows_per_shard=options.rows_per_shard,
                empty_references=options.empty_references,
                on_error=options.on_error,
                check_language=options.check_language,
                engine=engine,
                threads=options.threads,
                load=options.load,
                progress=tell,
            )
    except Terminated:
        print_aside("metaphrase: terminated; nothing was written")
        return 143
    share = f" ({found.kept / found.rows:.1%})".replace("%", " %")
    skipped = f"; {found.skipped:,} not kept because metrics refused them" if found.skipped else ""
    print_lines([f"kept {found.kept:,} of {found.rows:,} rows{share}{skipped}"])
    return 0
