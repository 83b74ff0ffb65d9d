"""``metaphrase job finish``: scores of systems and documents, from all shards."""

from __future__ import annotations

import argparse

from metaphrase.cli.arguments import add_load
from metaphrase.cli.output import check_output
from metaphrase.cli.refusals import tell_places
from metaphrase.cli.score.showing import show_scores
from metaphrase.errors import OptionError

EXAMPLES = """\
examples:
  metaphrase job finish news
  metaphrase job finish news --format json -o news.json
"""


def add_parser(steps: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the step."""
    parser = steps.add_parser(
        "finish",
        help="add up the shards into scores of systems",
        description="Add up what the shards have found: scores of systems, and of documents if the plan says "
        "so, to the last bit those of one process. They go to scores.json in the folder of the job, too.",
        epilog=EXAMPLES,
    )
    parser.add_argument("folder", metavar="FOLDER", help="the folder of the job")
    parser.add_argument(
        "--format",
        choices=("text", "json", "tsv", "csv", "parquet"),
        default="text",
        metavar="FORMAT",
        help="text (default), json, tsv, csv or parquet",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write there instead of the screen")
    add_load(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Add up, write and print."""
    from metaphrase.jobs import Plan, finish
    from metaphrase.jobs.tables.pieces import row_place

    if options.format == "parquet" and options.output is None:
        raise OptionError(
            "MP613", "Parquet is a file, not text.", hint="Name it: -o scores.parquet"
        )
    check_output(options.output, [])
    scores = finish(options.folder)
    if scores.refusals:
        plan = Plan.load(options.folder)
        tell_places(scores, lambda row, _: row_place(plan, row))
    show_scores(scores, options.format, options.output, signatures=True)
    return 0
