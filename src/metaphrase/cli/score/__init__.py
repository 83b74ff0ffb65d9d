"""``metaphrase score``: scores of systems at system, document and segment level."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from metaphrase.cli.arguments import (
    add_corpus_arguments,
    add_metric_arguments,
    add_on_error,
    add_threads,
    chosen_metrics,
    described_corpus,
    described_files,
)
from metaphrase.cli.output import check_output, progress_bar
from metaphrase.cli.refusals import located, tell_refusals
from metaphrase.cli.score.folder import ScoreFolder
from metaphrase.cli.score.folder_options import FORMATS, add_folder_arguments, check_folder_options
from metaphrase.cli.score.reference_effect import show_reference_effect
from metaphrase.cli.score.showing import show_scores
from metaphrase.cli.score.significance_options import (
    add_significance_arguments,
    asked_intervals,
    asked_test,
    resamples,
)
from metaphrase.defaults import DEFAULT_METRICS
from metaphrase.errors import OptionError

if TYPE_CHECKING:
    from metaphrase.corpus import Corpus
    from metaphrase.metrics import Metric
    from metaphrase.scoring import Scores

EXAMPLES = """\
examples:
  metaphrase score ref.txt -i system.txt
  metaphrase score ref.txt -i a.txt b.txt -m cobalt chrf --level system segment
  metaphrase score ref1.txt ref2.txt -i new=new.txt old=old.txt.gz --format json
  zcat out.gz | metaphrase score ref.txt -m tesla-m:alpha=0.5
  metaphrase score ref.txt -i old.txt new.txt -m accord bleu --paired-bs
  metaphrase score ref.txt -i a.txt --format wmt16 --pair de-en \\
      --test-set newstest2016 -o out
"""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "score",
        help="score systems against references",
        description="Score one or several systems against one or several references.",
        epilog=EXAMPLES,
    )
    add_corpus_arguments(parser)
    add_on_error(add_metric_arguments(parser, DEFAULT_METRICS))
    add_significance_arguments(parser)
    group = parser.add_argument_group("output")
    group.add_argument(
        "--level",
        nargs="+",
        action="extend",
        metavar="LEVEL",
        help="system, document, segment (default: system)",
    )
    group.add_argument(
        "--wins",
        nargs="?",
        const="all",
        choices=("all", "share"),
        help="also the share of segments in which a system scores best; ties count for all systems "
        "(default) or are shared",
    )
    group.add_argument(
        "--reference-effect",
        action="store_true",
        help="instead: system scores with the first reference, with the first two, and so on, and ranks",
    )
    group.add_argument(
        "--format",
        choices=("text", "json", "tsv", "csv", "parquet", *FORMATS),
        default="text",
        metavar="FORMAT",
        help=f"text (default), json, tsv, csv, parquet; for others to read: {', '.join(FORMATS)}",
    )
    group.add_argument("-o", "--output", metavar="FILE", help="write there instead of the screen")
    add_threads(group)
    add_folder_arguments(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Score, with a progress bar if somebody is watching."""
    metrics = chosen_metrics(options, DEFAULT_METRICS)
    if options.reference_effect:
        return show_reference_effect(metrics, options)
    _check_options(options)
    check_folder_options(options)
    folder = (
        ScoreFolder(options, options.metrics or DEFAULT_METRICS)
        if options.format in FORMATS
        else None
    )
    if folder is None:
        check_output(options.output, described_files(options).paths)
    corpus = described_corpus(options)
    scores = _scores(corpus if folder is None else folder.watched(corpus), metrics, options)
    if folder is not None:
        folder.write(scores)
    else:
        show_scores(scores, options.format, options.output)
    return 0


def _check_options(options: argparse.Namespace) -> None:
    """Refuse what would do nothing."""
    with_systems = "system" in (options.level or ["system"])
    if resamples(options) and not with_systems:
        raise OptionError(
            "MP756", "significance is a matter of system scores.", hint="Add system to --level."
        )
    if options.wins and not with_systems:
        raise OptionError(
            "MP533", "segments won are shown with system scores.", hint="Add system to --level."
        )
    if options.format == "parquet" and options.output is None:
        raise OptionError(
            "MP613", "Parquet is a file, not text.", hint="Name it: -o scores.parquet"
        )


def _scores(corpus: Iterable[Corpus], metrics: list[Metric], options: argparse.Namespace) -> Scores:
    """The scores, with the intervals, tests and wins that were asked for."""
    from metaphrase.scoring import count_wins, resample, score

    levels = options.level or ["system"]
    test, drawn = asked_test(options)
    files = described_files(options)
    with located(files), progress_bar(total=files.count_segments) as progress:
        scores = score(
            _rivals(corpus) if test else corpus,
            metrics,
            levels=[*levels, "segment"] if options.wins else levels,
            threads=options.threads,
            progress=progress,
            keep_statistics=resamples(options),
            check_language=options.check_language,
            on_error=options.on_error,
        )
    tell_refusals(scores, files)
    if resamples(options):
        scores = resample(
            scores,
            metrics,
            test=test,
            resamples=drawn,
            confidence=asked_intervals(options),
            seed=options.seed,
            threads=options.threads,
        )
    if options.wins:
        scores = count_wins(scores, ties=options.wins)
        if "segment" not in levels:
            scores = scores.without_segments()
    return scores


def _rivals(pieces: Iterable[Corpus]) -> Iterator[Corpus]:
    """The pieces, refused before they are scored if there is nothing to test."""
    from metaphrase.scoring.significance import check_rivals

    for piece in pieces:
        check_rivals(len(piece.systems))
        yield piece
