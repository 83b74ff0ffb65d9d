"""``metaphrase score``: scores of systems at system, document and segment level."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from metaphrase.cli.arguments import (
    add_corpus_arguments,
    add_doubts,
    add_metric_arguments,
    add_on_error,
    add_threads,
    chosen_metrics,
    described_corpus,
    described_files,
)
from metaphrase.cli.command import command
from metaphrase.cli.output import check_output, print_aside, progress_bar
from metaphrase.cli.refusals import located, tell_refusals
from metaphrase.cli.score.folder import ScoreFolder
from metaphrase.cli.score.folder_options import FORMATS, add_folder_arguments, check_folder_options
from metaphrase.cli.score.ranks import in_order, ranked
from metaphrase.cli.score.reference_effect import show_reference_effect
from metaphrase.cli.score.showing import show_scores
from metaphrase.cli.score.significance_options import (
    add_significance_arguments,
    asked_all_pairs,
    asked_intervals,
    asked_test,
    check_ranking_options,
    ranks_systems,
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


@command(
    place=10,
    help="score systems against references",
    description="Score one or several systems against one or several references.",
    epilog=EXAMPLES,
)
def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare its arguments."""
    add_corpus_arguments(parser)
    add_on_error(add_metric_arguments(parser, DEFAULT_METRICS))
    add_significance_arguments(parser)
    group = parser.add_argument_group("output")
    group.add_argument(
        "--level",
        nargs="+",
        action="extend",
        metavar="LEVEL",
        help="system, domain, document, segment (default: system)",
    )
    group.add_argument(
        "--order",
        choices=("score", "given"),
        help="of systems: best first by the first metric, or as given (default: best first in tables of "
        "three or more for people)",
    )
    add_doubts(group)
    group.add_argument(
        "--signatures",
        action="store_true",
        help="whole signatures of all metrics, below tables of three or more systems, too",
    )
    group.add_argument(
        "--weight",
        choices=("none", "length"),
        default="none",
        help="count each segment as often as its reference has words; for metrics that are means of "
        "segments (default: none)",
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
        choices=("text", "markdown", "latex", "json", "tsv", "csv", "parquet", *FORMATS),
        default="text",
        metavar="FORMAT",
        help="text (default), markdown, latex, json, tsv, csv, parquet; for others to read: "
        f"{', '.join(FORMATS)}",
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
        whole = options.signatures or len(scores.systems) < 3 or not scores.rankings
        show_scores(scores, options.format, options.output, signatures=whole)
    return 0


def _check_options(options: argparse.Namespace) -> None:
    """Refuse what would do nothing."""
    with_systems = "system" in (options.level or ["system"])
    check_ranking_options(options)
    if options.order == "score" and not with_systems:
        raise OptionError(
            "MP756", "systems are ordered by system scores.", hint="Add system to --level."
        )
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
    from metaphrase.scoring.doubts.score_doubts import score_doubts
    from metaphrase.scoring.doubts.text_doubts import TextDoubts
    from metaphrase.scoring.effort import MOST_CELLS
    from metaphrase.scoring.engine import labelled_metrics

    levels = options.level or ["system"]
    test, drawn = asked_test(options)
    asked = resamples(options) or asked_all_pairs(options)
    files = described_files(options)
    watching = options.doubts and options.format not in FORMATS
    watch = TextDoubts([metric.lang for metric in metrics])
    checked = _checked(corpus, options, rivals=test is not None or asked_all_pairs(options))
    with located(files), progress_bar(total=files.count_segments) as progress:
        scores = score(
            watch.watched(checked) if watching else checked,
            metrics,
            levels=[*levels, "segment"] if options.wins else levels,
            threads=options.threads,
            progress=progress,
            keep_statistics=asked or (ranks_systems(options) and _several(options)),
            most_cells=None if asked else MOST_CELLS,
            weight=options.weight,
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
    scores = in_order(scores, options)
    if ranks_systems(options) and len(scores.systems) > 1:
        scores = ranked(scores, metrics, options)
    if watching:
        found = [*watch.found(), *score_doubts(scores, labelled_metrics(metrics, options.language))]
        scores = replace(scores, doubts=tuple(found))
    if options.wins:
        scores = count_wins(scores, ties=options.wins)
        if "segment" not in levels:
            scores = scores.without_segments()
    return scores


def _several(options: argparse.Namespace) -> bool:
    """Whether there may be more than one system."""
    return options.corpus is not None or len(options.input or ()) > 1


def _checked(
    pieces: Iterable[Corpus], options: argparse.Namespace, *, rivals: bool
) -> Iterator[Corpus]:
    """The pieces, refused before they are scored if nothing can be tested; ``rivals`` must be there."""
    from metaphrase.scoring.resampled_units import check_unit
    from metaphrase.scoring.significance import check_rivals

    for number, piece in enumerate(pieces):
        if rivals:
            check_rivals(len(piece.systems))
        check_unit(piece, options.unit or "segment")
        if number == 0 and options.domains is not None and not _uses_domains(options):
            print_aside(
                "metaphrase: --domains changes nothing here: ask for --level domain or --unit domain"
            )
        yield piece


def _uses_domains(options: argparse.Namespace) -> bool:
    """Whether anything that is computed or written knows of domains."""
    levels = options.level or ["system"]
    written = options.format in FORMATS or ("segment" in levels and options.format != "text")
    return written or "domain" in levels or options.unit == "domain"
