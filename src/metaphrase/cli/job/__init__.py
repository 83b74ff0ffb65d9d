"""``metaphrase job``: corpora of any size in shards; a module for each thing that is done with a job."""

from __future__ import annotations

import argparse

from metaphrase.cli.command import command
from metaphrase.cli.job import finish, plan, report, run, status

EXAMPLES = """\
examples:
  metaphrase job plan a.parquet b.parquet -o news -m bleu chrf
  metaphrase job run news
  metaphrase job status news
  metaphrase job finish news
  metaphrase job report news -o news.html
"""


@command(
    place=140,
    help="score corpora of any size in shards, on any number of machines",
    description="Score tables too large for one process: a plan cuts them into shards, each of which is "
    "scored once, by whoever comes to it, and the totals are those of one process.",
    epilog=EXAMPLES,
)
def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare its steps."""
    steps = parser.add_subparsers(title="steps", metavar="STEP", required=True)
    for step in (plan, run, status, finish, report):
        step.add_parser(steps)
