"""``metaphrase job finish``: scores of systems and documents, from all shards."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from metaphrase.cli.arguments import add_load
from metaphrase.cli.output import check_output, print_lines, print_view
from metaphrase.cli.refusals import tell_places
from metaphrase.cli.score.showing import show_scores
from metaphrase.errors import OptionError

if TYPE_CHECKING:
    from metaphrase.scoring import Profile, Scores

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
    from metaphrase import jobs
    from metaphrase.jobs.tables.pieces import row_place

    if options.format == "parquet" and options.output is None:
        raise OptionError(
            "MP613", "Parquet is a file, not text.", hint="Name it: -o scores.parquet"
        )
    check_output(options.output, [])
    scores = jobs.finish(options.folder)
    if scores.refusals:
        plan = jobs.Plan.load(options.folder)
        tell_places(scores, lambda row, _: row_place(plan, row))
    profiles = jobs.profiles(options.folder)
    if profiles and options.format in ("text", "json"):
        _show_both(scores, profiles, options.format, options.output)
    else:
        show_scores(scores, options.format, options.output, signatures=True)
    return 0


def _show_both(scores: Scores, profiles: Sequence[Profile], form: str, output: str | None) -> None:
    """Scores, and what points are lost by; as JSON in one object."""
    from metaphrase.report import score_view
    from metaphrase.report.terminal.profile_view import profile_view

    if form == "json":
        whole = {**scores.to_dict(), "profiles": [one.to_dict() for one in profiles]}
        print_lines([json.dumps(whole, ensure_ascii=False, indent=1, allow_nan=False)], output)
        return
    parts = [part for one in profiles for part in ("", *profile_view(one))]
    print_view([*score_view(scores), *parts], output)
