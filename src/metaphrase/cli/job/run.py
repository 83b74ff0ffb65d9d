"""``metaphrase job run``: score the shards that are not done."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from time import monotonic
from typing import TYPE_CHECKING

from metaphrase.cli.arguments import add_load, positive
from metaphrase.cli.interruption import Terminated
from metaphrase.cli.job.watching import row_progress
from metaphrase.cli.output import print_aside, print_lines

if TYPE_CHECKING:
    from metaphrase.jobs import Outcome

#: Written out, for help must not wait for imports.
ENGINES = ("local", "dask", "ray")
#: Failures that are listed; `status` has them all.
_LISTED = 10
EXAMPLES = """\
examples:
  metaphrase job run news
  metaphrase job run news --workers 4
  metaphrase job run news --engine dask --address tcp://head:8786
  metaphrase job run news --shard 3/20
"""


def add_parser(steps: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the step."""
    parser = steps.add_parser(
        "run",
        help="score the shards that are not done",
        description="Score the shards of a job that are not done. It may be stopped at any time and run "
        "again, and several may run at once, on any machine that sees the folder.",
        epilog=EXAMPLES,
    )
    group = parser.add_argument_group("job")
    group.add_argument("folder", metavar="FOLDER", help="the folder of the job")
    group.add_argument(
        "--shard",
        type=_share,
        metavar="I/N",
        help="the I-th of N shares of the shards, for machines that know nothing of each other",
    )
    group.add_argument(
        "--verify",
        action="store_true",
        help="read the parts that are there, and make damaged ones anew",
    )
    add_load(group)
    add_engine(parser)
    parser.set_defaults(run=run)


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Arguments that say who scores shards."""
    group = parser.add_argument_group("engine")
    group.add_argument(
        "--engine",
        choices=ENGINES,
        default="local",
        help="who scores shards; local: processes of this machine (default); dask, ray: a cluster",
    )
    group.add_argument(
        "--address",
        metavar="ADDRESS",
        help="of a cluster that is there; without, dask and ray start one on this machine",
    )
    group.add_argument("--workers", type=positive, metavar="N", help="processes (default: cores)")
    group.add_argument(
        "--threads",
        type=positive,
        default=1,
        metavar="N",
        help="of each process (default: 1); the results do not depend on it",
    )


def run(options: argparse.Namespace) -> int:
    """Run, with a progress bar if somebody is watching, and say what failed."""
    from metaphrase import jobs

    engine = jobs.named_engine(options.engine, workers=options.workers, address=options.address)
    started = monotonic()
    try:
        with row_progress() as tell:
            outcome = jobs.run(
                options.folder,
                engine=engine,
                threads=options.threads,
                share=options.shard,
                load=options.load,
                verify=options.verify,
                progress=tell,
            )
    except Terminated:
        print_aside("metaphrase: terminated; run the job again to go on")
        return 143
    shards = jobs.Plan.load(options.folder).shards
    # Not what the bar has counted: it goes over the rows twice if there is a first pass.
    rows = sum(shards[number].rows for number in outcome.now)
    print_lines(_summary(outcome, rows, monotonic() - started, options.folder))
    return 0 if outcome.is_complete else 1


def _summary(outcome: Outcome, rows: int, seconds: float, folder: str) -> Iterator[str]:
    from metaphrase.report.terminal.score_tables import counted

    before = f", {outcome.before:,} before" if outcome.before else ""
    failed = f", {len(outcome.failed):,} failed" if outcome.failed else ""
    yield f"{folder}: {counted(len(outcome.now), 'shard')} done now{before}{failed}"
    if outcome.now:
        yield f"{counted(rows, 'row')} in {seconds:,.0f} s, {rows / seconds:,.0f} rows/s"
    for number, why in list(outcome.failed.items())[:_LISTED]:
        yield f"shard {number}: {why}"
    if len(outcome.failed) > _LISTED:
        yield f"and {len(outcome.failed) - _LISTED:,} more: metaphrase job status {folder}"


def _share(given: str) -> tuple[int, int]:
    which, slash, of = given.partition("/")
    if not (slash and which.isdecimal() and of.isdecimal() and 1 <= int(which) <= int(of)):
        raise argparse.ArgumentTypeError(f"{given!r} is none of 1/N, 2/N, … N/N")
    return int(which), int(of)
