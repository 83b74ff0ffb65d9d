"""``metaphrase report``: one HTML file with scores, tests, texts and explanations."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from metaphrase.cli.arguments import (
    add_corpus_arguments,
    add_doubts,
    add_metric_arguments,
    add_on_error,
    add_seed,
    add_threads,
    chosen_metrics,
    described_corpus,
    described_files,
    natural,
    regional_language,
)
from metaphrase.cli.check_options import add_check_arguments, check_settings
from metaphrase.cli.command import command
from metaphrase.cli.output import check_output, print_lines, progress_bar
from metaphrase.cli.profile import add_profile
from metaphrase.cli.refusals import located, tell_refusals
from metaphrase.corpus import Corpus
from metaphrase.corpus.formats.judged.human_scores import read_human_scores
from metaphrase.corpus.writing import atomic_writer
from metaphrase.defaults import DEFAULT_METRICS
from metaphrase.errors import OptionError

if TYPE_CHECKING:
    from metaphrase.report.dataset import Explain
    from metaphrase.report.dataset.profiles import Profiled

DEFAULT_EXPLAINED = 100
EXAMPLES = """\
examples:
  metaphrase report ref.txt -i a.txt b.txt -o report.html
  metaphrase report ref.txt -i a.txt b.txt -m cobalt chrf -o report.html
  metaphrase report --corpus judged.tsv --judgements judged.tsv -o report.html
  metaphrase report ref.xlf -i new.xlf --check --glossary t.tbx -o report.html
  metaphrase report ref.xlf -i old.xlf new.xlf --changes old new -o report.html
"""


@command(
    place=50,
    help="write a report to be opened in a browser",
    description="Write one HTML file that shows systems, segments and the reasons for their scores. "
    "It needs no network and no other file.",
    epilog=EXAMPLES,
)
def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare its arguments."""
    add_corpus_arguments(parser)
    add_on_error(add_metric_arguments(parser, DEFAULT_METRICS))
    group = parser.add_argument_group("report")
    group.add_argument(
        "--judgements",
        metavar="FILE",
        help="people's scores, higher is better: a .tsv file with the columns system, seg (from 1) and human",
    )
    group.add_argument("--title", default="", metavar="TEXT", help="what the page is called")
    group.add_argument(
        "--explain",
        type=_explained,
        default=DEFAULT_EXPLAINED,
        metavar="N",
        help="explain the N most informative translations for each metric, all or none "
        f"(default: {DEFAULT_EXPLAINED})",
    )
    group.add_argument(
        "--resamples",
        type=natural,
        metavar="N",
        help="behind intervals (bootstrap) and clusters (randomisation tests); 0: neither (default: as "
        "`score` takes for so many systems, at least 1000)",
    )
    add_seed(group)
    add_doubts(group)
    group.add_argument(
        "--changes",
        nargs=2,
        metavar=("BEFORE", "AFTER"),
        help="two systems that are versions of one: list the segments that changed, side by side",
    )
    group.add_argument("-o", "--output", required=True, metavar="FILE", help="the file to write")
    add_threads(group)
    group = parser.add_argument_group("checks")
    group.add_argument(
        "--check",
        action="store_true",
        help="find wrong numbers, placeholders, tags and terms, which needs a source",
    )
    group.add_argument(
        "--source-language",
        type=regional_language,
        default="",
        metavar="LANG",
        help="of the sources (default: as the files say)",
    )
    add_check_arguments(group)
    add_profile(
        group,
        of="points lost by kind of error",
        default="50 to 500, 1,200 translations for each metric",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Score, test, explain, write."""
    from metaphrase.report.dataset import build
    from metaphrase.report.dataset.changes import compared_versions
    from metaphrase.report.dataset.checking import checked_corpus
    from metaphrase.report.dataset.profiles import profile_by_metric, profiled_segments
    from metaphrase.report.dataset.unit_files import corpus_units, noted
    from metaphrase.report.page import report_page
    from metaphrase.report.page.front_end import asset
    from metaphrase.report.terminal.score_tables import counted
    from metaphrase.scoring import score
    from metaphrase.scoring.engine import labelled_metrics
    from metaphrase.statistics.resampling import RESAMPLES, check_resamples

    metrics = chosen_metrics(options, DEFAULT_METRICS)
    _check_settings_are_used(options)
    settings = check_settings(options)
    files = described_files(options)
    check_output(options.output, [*files.paths, options.judgements, *options.glossary])
    if options.resamples:
        check_resamples(options.resamples, options.seed)
    script, style = asset("report.js"), asset("report.css")  # before hours of work are lost
    with noted() as notes:
        corpus = Corpus.join(described_corpus(options))
    versions = None if options.changes is None else tuple(options.changes)
    if versions is not None:
        compared_versions(corpus, versions)
    units = corpus_units(files, corpus)
    findings = None
    if options.check:
        with progress_bar("checking", total=lambda: len(corpus) * len(corpus.systems)) as progress:
            findings = checked_corpus(
                corpus,
                units,
                settings=settings,
                glossaries=options.glossary,
                source_language=options.source_language,
                language=options.language,
                progress=progress,
            )
    human = None
    if options.judgements is not None:
        human = read_human_scores(options.judgements, corpus)
    with located(files), progress_bar(total=lambda: len(corpus)) as progress:
        scores = score(
            corpus,
            metrics,
            levels=["system", "segment"],
            threads=options.threads,
            progress=progress,
            keep_statistics=True,
            check_language=options.check_language,
            on_error=options.on_error,
        )
    tell_refusals(scores, files)
    profiles: list[Profiled] = []
    if options.profile != 0:
        segments = options.profile or profiled_segments(len(corpus.systems))
        texts = len(metrics) * len(corpus.systems) * min(len(corpus), segments)
        with progress_bar("profiling", "translations", total=lambda: texts) as progress:
            profiles = profile_by_metric(
                corpus,
                scores,
                labelled_metrics(metrics, options.language),
                options.profile,
                resamples=options.resamples or RESAMPLES,
                seed=options.seed,
                threads=options.threads,
                progress=progress,
            )
    with progress_bar("explaining", "translations") as progress:
        data = build(
            corpus,
            scores,
            metrics,
            title=options.title,
            lang=options.language,
            human=human,
            notes=notes,
            units=None if units is None else units.texts(),
            findings=findings,
            changes=versions,
            profiles=profiles,
            doubts=options.doubts,
            explain=options.explain,
            resamples=options.resamples,
            seed=options.seed,
            threads=options.threads,
            progress=progress,
        )
    with atomic_writer(options.output) as stream:
        stream.writelines(report_page(data, script=script, style=style))
    size = Path(options.output).stat().st_size
    said = [
        counted(len(corpus.systems), "system"),
        counted(len(corpus), "segment"),
        counted(len(metrics), "metric"),
        *([] if findings is None else [counted(findings.number, "finding")]),
        _kilobytes(size),
    ]
    changed = [] if versions is None else [data.overview["changes"]["summary"]]
    print_lines([f"{options.output}: {', '.join(said)}", *changed])
    return 0


def _check_settings_are_used(options: argparse.Namespace) -> None:
    """Refuse what would be passed over in silence."""
    given = (
        "glossary",
        "off",
        "only",
        "severity",
        "source_language",
        "max_characters",
        "max_ratio",
    )
    unused = [name for name in given if getattr(options, name)]
    if unused and not options.check:
        raise OptionError(
            "MP921",
            f"--{unused[0].replace('_', '-')} is about checks, which nobody asked for.",
            hint="Add --check.",
        )


def _explained(given: str) -> Explain:
    """``all``, ``none`` or a number, for argparse."""
    if given == "all":
        return "all"
    if given == "none":
        return "none"
    if not given.isdecimal() or int(given) < 1:
        raise argparse.ArgumentTypeError(
            f"{given!r} is neither all nor none nor a whole number of at least 1"
        )
    return int(given)


def _kilobytes(size: int) -> str:
    return f"{size / 1000:,.0f} kB" if size < 1_000_000 else f"{size / 1_000_000:,.1f} MB"
