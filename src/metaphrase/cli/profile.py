"""``metaphrase profile``: which errors cost a system its points?"""

from __future__ import annotations

import argparse

from metaphrase.cli.arguments import (
    add_corpus_arguments,
    add_metric_arguments,
    add_seed,
    add_threads,
    chosen_metrics,
    described_corpus,
    described_files,
    positive,
)
from metaphrase.cli.command import command
from metaphrase.cli.output import check_output, print_lines, print_view, progress_bar
from metaphrase.corpus import Corpus
from metaphrase.defaults import DEFAULT_METRIC

#: More than any corpus has.
ALL_SEGMENTS = 10**15
EXAMPLES = """\
examples:
  metaphrase profile ref.txt -i system.txt               by kind of error
  metaphrase profile ref.txt -i a.txt b.txt              and why a scores higher
  metaphrase profile ref.txt -i a.txt --documents d.txt  and where
  metaphrase profile ref.txt -i a.txt -m chrf --format tsv -o profile.tsv
"""


@command(
    place=30,
    help="show which errors cost a system its points",
    description="Points lost by kind of error, with intervals; of two systems, why one scores higher.",
    epilog=EXAMPLES,
)
def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare its arguments."""
    add_corpus_arguments(parser)
    add_metric_arguments(parser, [DEFAULT_METRIC])
    group = parser.add_argument_group("sample")
    group.add_argument(
        "--segments",
        type=positive,
        default=1000,
        metavar="N",
        help="look at a sample of N segments of a larger corpus (default: 1000)",
    )
    group.add_argument(
        "--resamples",
        type=positive,
        default=1000,
        metavar="N",
        help="of the bootstrap behind intervals (default: 1000)",
    )
    add_seed(group)
    group = parser.add_argument_group("output")
    group.add_argument(
        "--format", choices=("text", "json", "tsv"), default="text", help="default: text"
    )
    group.add_argument("-o", "--output", metavar="FILE", help="write there instead of the screen")
    add_threads(group)
    parser.set_defaults(run=run)


def add_profile(
    group: argparse._ArgumentGroup, *, of: str, default: str, const: int | None = None
) -> None:
    """Declare how many segments another command profiles; ``const`` if it is not said how many."""
    group.add_argument(
        "--profile",
        nargs=None if const is None else "?",
        const=const,
        type=_profiled,
        metavar="N",
        help=f"{of}: of N segments, all or none (default: {default})",
    )


def _profiled(given: str) -> int:
    """``all``, ``none`` or a number, for argparse."""
    if given in ("all", "none"):
        return ALL_SEGMENTS if given == "all" else 0
    if not given.isdecimal() or int(given) < 1:
        raise argparse.ArgumentTypeError(
            f"{given!r} is neither all nor none nor a whole number of at least 1"
        )
    return int(given)


def run(options: argparse.Namespace) -> int:
    """Profile the systems by each metric."""
    from metaphrase.report.terminal.profile_view import profile_json, profile_tsv, profile_view
    from metaphrase.scoring.repair_profile import profile

    metrics = chosen_metrics(options, [DEFAULT_METRIC])
    check_output(options.output, described_files(options).paths)
    corpus = Corpus.join(described_corpus(options))
    texts = min(len(corpus), options.segments) * len(corpus.systems)
    found = []
    for metric in metrics:
        with progress_bar(f"{metric.label}: repairing", total=lambda: texts) as progress:
            found.append(
                profile(
                    corpus,
                    metric,
                    segments=options.segments,
                    resamples=options.resamples,
                    seed=options.seed,
                    threads=options.threads,
                    progress=progress,
                )
            )
    if options.format == "json":
        print_lines([f"[{','.join(map(profile_json, found))}]"], options.output)
    elif options.format == "tsv":
        rows = [list(profile_tsv(one)) for one in found]
        print_lines(
            [
                f"{'metric' if not number else one.metric}\t{row}"
                for one, lines in zip(found, rows, strict=True)
                for number, row in enumerate(lines)
                if number or one is found[0]
            ],
            options.output,
        )
    else:
        parts = [part for one in found for part in [*profile_view(one), ""]]
        print_view(parts[:-1], options.output)
    return 0
