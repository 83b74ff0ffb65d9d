"""``metaphrase score``: scores of systems at system, document and segment level."""

from __future__ import annotations

import argparse
import os
import sys

from metaphrase.cli.inputs import (
    add_corpus_arguments,
    add_metric_arguments,
    analyser_option,
    open_corpus,
    reads_terminal,
)
from metaphrase.cli.output import print_result, progress_bar

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
    add_metric_arguments(parser, ("tesla-m", "bleu", "chrf"))
    group = parser.add_argument_group("output")
    group.add_argument(
        "--level",
        nargs="+",
        default=["system"],
        metavar="LEVEL",
        help="system, document, segment (default: system)",
    )
    group.add_argument("--format", choices=("text", "json", "tsv"), default="text")
    group.add_argument("-o", "--output", metavar="FILE", help="write there instead of the screen")
    group.add_argument(
        "--threads",
        type=_positive,
        default=os.cpu_count() or 1,
        metavar="N",
        help="default: all cores; the numbers do not depend on it",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Score, with a progress bar if somebody is watching."""
    from metaphrase.metrics import create
    from metaphrase.report import score_json, score_tsv, score_view
    from metaphrase.scoring import score

    metrics = [
        create(name, lang=options.language, **analyser_option(options)) for name in options.metrics
    ]
    if reads_terminal(options):
        print("metaphrase: reading hypotheses from standard input", file=sys.stderr)
    with progress_bar() as progress:
        scores = score(
            open_corpus(options),
            metrics,
            levels=options.level,
            threads=options.threads,
            progress=progress,
        )
    if options.format == "json":
        print_result([score_json(scores)], options.output)
    elif options.format == "tsv":
        print_result(score_tsv(scores), options.output)
    else:
        print_result(score_view(scores), options.output)
    return 0


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number
