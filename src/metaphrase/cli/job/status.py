"""``metaphrase job status``: how far a job is."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from metaphrase.cli.output import print_lines

if TYPE_CHECKING:
    from metaphrase.jobs import Status

EXAMPLES = """\
examples:
  metaphrase job status news
  metaphrase job status news --format json
"""


def add_parser(steps: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the step."""
    parser = steps.add_parser(
        "status",
        help="say how far a job is",
        description="Say how many shards of a job are done, which failed and how long the rest will take. "
        "It may be asked at any time, from any machine that sees the folder.",
        epilog=EXAMPLES,
    )
    parser.add_argument("folder", metavar="FOLDER", help="the folder of the job")
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        metavar="FORMAT",
        help="text (default) or json",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Look, and say."""
    from metaphrase.jobs import status

    found = status(options.folder)
    if options.format == "json":
        print_lines([json.dumps(asdict(found) | {"done": found.is_done}, ensure_ascii=False)])
    else:
        print_lines(_lines(found))
    return 0


def _lines(found: Status) -> Iterator[str]:
    yield f"job     {found.job}"
    if found.shards_gathered is not None:
        yield f"first   {found.shards_gathered:,} of {found.shards:,} shards looked through"
    yield f"shards  {found.shards_done:,} of {found.shards:,} done"
    yield f"rows    {found.rows_done:,} of {found.rows:,}, {found.rows_done / found.rows:.1%}"
    if found.rate is not None:
        left = f", {_duration(found.seconds_left)} left" if found.seconds_left else ""
        yield f"rate    {found.rate:,.0f} rows/s{left}"
    if found.skipped:
        counts = ", ".join(f"{count:,} by {label}" for label, count in found.skipped.items())
        yield f"skipped {counts}"
    for number, why in found.failed.items():
        yield f"failed  shard {number}: {why}"
    if found.damaged:
        shards = ", ".join(map(str, found.damaged))
        yield f"damaged manifests of shards {shards}; run the job again"


def _duration(seconds: float) -> str:
    """In the largest two units that say something."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours:,} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
