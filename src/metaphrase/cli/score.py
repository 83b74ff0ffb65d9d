"""``metaphrase score``: scores of systems at system, document and segment level."""

from __future__ import annotations

import argparse

from metaphrase.cli.inputs import (
    add_corpus_arguments,
    add_metric_arguments,
    available_cores,
    chosen_metrics,
    input_files,
    open_corpus,
    positive,
)
from metaphrase.cli.output import check_output, print_lines, print_view, progress_bar

DEFAULT_METRICS = ("tesla-m", "bleu", "chrf")
EXAMPLES = """\
examples:
  metaphrase score ref.txt -i system.txt
  metaphrase score ref.txt -i a.txt b.txt -m tesla-m bleu chrf --level system segment
  metaphrase score ref1.txt ref2.txt -i new=out/new.txt old=out/old.txt.gz --format json
  zcat out.gz | metaphrase score ref.txt -m tesla-m:alpha=0.5
"""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "score",
        help="score systems against references",
        description="Score one or several systems against one or several references.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_corpus_arguments(parser)
    add_metric_arguments(parser, DEFAULT_METRICS)
    group = parser.add_argument_group("output")
    group.add_argument(
        "--level",
        nargs="+",
        action="extend",
        metavar="LEVEL",
        help="system, document, segment (default: system)",
    )
    group.add_argument("--format", choices=("text", "json", "tsv"), default="text")
    group.add_argument("-o", "--output", metavar="FILE", help="write there instead of the screen")
    group.add_argument(
        "--threads",
        type=positive,
        default=available_cores(),
        metavar="N",
        help="default: all cores; the numbers do not depend on it",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Score, with a progress bar if somebody is watching."""
    from metaphrase.report import score_json, score_tsv, score_view
    from metaphrase.scoring import score

    metrics = chosen_metrics(options, DEFAULT_METRICS)
    check_output(options.output, input_files(options))
    with progress_bar() as progress:
        scores = score(
            open_corpus(options),
            metrics,
            levels=options.level or ["system"],
            threads=options.threads,
            progress=progress,
        )
    if options.format == "json":
        print_lines([score_json(scores)], options.output)
    elif options.format == "tsv":
        print_lines(score_tsv(scores), options.output)
    else:
        print_view(score_view(scores), options.output)
    return 0
