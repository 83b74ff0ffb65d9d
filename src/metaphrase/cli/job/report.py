"""``metaphrase job report``: one HTML file with the scores of a job and a sample of its segments."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from metaphrase.cli.arguments import add_load, add_seed, positive
from metaphrase.cli.output import check_output, print_lines, progress_bar
from metaphrase.corpus.writing import atomic_writer

if TYPE_CHECKING:
    from metaphrase.jobs.sampling import Sample
    from metaphrase.scoring import Scores

DEFAULT_SAMPLE = 2000
EXAMPLES = """\
examples:
  metaphrase job report news -o news.html
  metaphrase job report news -o news.html --sample 500 --title 'News of May'
"""


def add_parser(steps: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the step."""
    parser = steps.add_parser(
        "report",
        help="write a report with a sample of the segments",
        description="Write one HTML file, as metaphrase report does. The scores of systems are those of all "
        "segments; segments and explanations are a sample of them, always the same one.",
        epilog=EXAMPLES,
    )
    parser.add_argument(
        "folder", metavar="FOLDER", help="the folder of the job, of which all is done"
    )
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the file to write")
    parser.add_argument(
        "--sample",
        type=positive,
        default=DEFAULT_SAMPLE,
        metavar="N",
        help=f"segments to show (default: {DEFAULT_SAMPLE:,})",
    )
    parser.add_argument("--title", default="", metavar="TEXT", help="what the page is called")
    add_seed(parser)
    add_load(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Add up, draw, score the sample, write."""
    from metaphrase import jobs
    from metaphrase.jobs.sampling import sample
    from metaphrase.report.dataset import build
    from metaphrase.report.dataset.unit_texts import UnitTexts
    from metaphrase.report.page import report_page
    from metaphrase.report.page.front_end import asset
    from metaphrase.report.terminal.score_tables import counted
    from metaphrase.scoring import score

    check_output(options.output, [])
    script, style = asset("report.js"), asset("report.css")
    whole = jobs.finish(options.folder)
    plan = jobs.Plan.load(options.folder)
    metrics = [one.create(plan.references) for one in plan.metrics]
    drawn = sample(options.folder, options.sample, seed=options.seed)
    with progress_bar(total=lambda: len(drawn.corpus)) as progress:
        scores = score(
            drawn.corpus,
            metrics,
            levels=["system", "segment"],
            progress=progress,
            check_language=False,
            on_error=plan.on_error,
        )
    with progress_bar("explaining", "translations") as progress:
        data = build(
            drawn.corpus,
            _with_totals(scores, whole),
            metrics,
            title=options.title,
            lang=metrics[0].lang,
            resamples=0,
            profiles=jobs.profiles(options.folder),
            notes=_notes(drawn, whole),
            # The page numbers what it shows; where that is in the job, it has to be told.
            units=UnitTexts(ids=[f"row {row + 1:,}" for row in drawn.rows.tolist()]),
            progress=progress,
        )
    with atomic_writer(options.output) as stream:
        stream.writelines(report_page(data, script=script, style=style))
    size = Path(options.output).stat().st_size
    print_lines(
        [
            f"{options.output}: {counted(len(drawn.corpus), 'segment')} of {whole.segments:,}, "
            f"{size / 1000:,.0f} kB"
        ]
    )
    return 0


def _with_totals(sample: Scores, whole: Scores) -> Scores:
    """Segments of the sample under the scores of systems on all segments."""
    systems = tuple(
        replace(
            drawn,
            system=total.system,
            predictions={**drawn.predictions, "system": total.predictions.get("system", {})},
        )
        for drawn, total in zip(sample.systems, whole.systems, strict=True)
    )
    return replace(sample, metrics=whole.metrics, systems=systems, warnings=whole.warnings)


def _notes(drawn: Sample, whole: Scores) -> list[str]:
    if len(drawn.corpus) == whole.segments:
        return []
    shards = "1 shard" if drawn.shards == 1 else f"{drawn.shards:,} shards"
    return [
        f"The scores of systems are of all {whole.segments:,} segments of the job. Shown are "
        f"{len(drawn.corpus):,} of them, drawn at random from {shards}."
    ]
