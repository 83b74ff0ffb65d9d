"""``metaphrase probe``: which errors can a metric not see?"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from metaphrase.cli.arguments import (
    add_metric_arguments,
    add_on_error,
    add_seed,
    add_threads,
    metrics_for,
    natural,
    positive,
)
from metaphrase.cli.command import command
from metaphrase.cli.output import check_output, print_aside, print_lines, print_view, progress_bar
from metaphrase.cli.refusals import TOLD, say
from metaphrase.corpus.opening import CorpusFiles
from metaphrase.defaults import DEFAULT_METRICS
from metaphrase.errors import OptionError

if TYPE_CHECKING:
    from metaphrase.probing import Made, Probed
    from metaphrase.report.terminal.columns import Columns

FORMATS = ("text", "json", "tsv", "html")
#: Failures of each metric and kind that a page shows, unless somebody says how many.
_ON_A_PAGE = 3
EXAMPLES = """\
examples:
  metaphrase probe demetr/ -m accord bleu chrf --format html -o probe.html
  metaphrase probe probe.tsv -m accord --examples 2
  metaphrase probe --make reference.txt -l de -o probe.tsv
  metaphrase probe --make ref.txt -i system.txt --kinds numbers names -o p.tsv
  metaphrase probe --list -l fr
"""


@command(
    place=120,
    help="show which errors a metric cannot see",
    description="How often a metric scores a translation higher than the same one with an error, by kind "
    "of error; or put errors of known kinds into texts of your own.",
    epilog=EXAMPLES,
)
def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare its arguments."""
    group = parser.add_argument_group("errors to be seen")
    group.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="challenge sets: .tsv or .jsonl with kind, reference, good and bad, files of DEMETR, or folders "
        "of such files",
    )
    group.add_argument(
        "--examples",
        type=natural,
        metavar="N",
        help="show N items of each kind about which a metric is wrong (default: none; html: 3)",
    )
    group = parser.add_argument_group("errors to be made")
    group.add_argument(
        "--make",
        metavar="REF",
        help="instead, put errors into texts, one per line, and write a challenge set",
    )
    group.add_argument(
        "-i",
        "--input",
        metavar="HYP",
        help="translations to put the errors into, line by line (default: the references themselves)",
    )
    group.add_argument("--sources", metavar="FILE", help="source texts, one per line")
    group.add_argument(
        "--kinds",
        nargs="+",
        metavar="KIND",
        help="numbers negation names omission addition order agreement (default: all that the language has)",
    )
    group.add_argument(
        "--list", action="store_true", help="list the kinds, and which of them the language has"
    )
    add_on_error(add_metric_arguments(parser, DEFAULT_METRICS))
    group = parser.add_argument_group("output")
    group.add_argument(
        "--resamples",
        type=positive,
        default=1000,
        metavar="N",
        help="of the bootstrap behind intervals of means (default: 1000)",
    )
    add_seed(group)
    group.add_argument(
        "--format",
        choices=FORMATS,
        help="default: text, or as the name of the output file ends",
    )
    group.add_argument("-o", "--output", metavar="FILE", help="write there instead of the screen")
    add_threads(group)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Probe metrics, or make what they are probed with."""
    _check_sides(options)
    if options.list:
        print_view([_list(options.language, options.analyser)])
        return 0
    return _make(options) if options.make is not None else _probe(options)


def _check_sides(options: argparse.Namespace) -> None:
    """Refuse what would be passed over in silence."""
    making = {"-i": options.input, "--sources": options.sources, "--kinds": options.kinds}
    probing = {"-m": options.metrics, "--examples": options.examples, "--format": options.format}
    if options.make is None:
        unused = [name for name, given in making.items() if given is not None]
        if unused:
            raise OptionError(
                "MP763",
                f"{unused[0]} is for errors to be made.",
                hint="Add --make REF, or leave it out.",
            )
        return
    if options.files:
        raise OptionError(
            "MP763",
            f"--make makes a challenge set, and {options.files[0]} would be read as one.",
            hint="Translations go after -i; probe metrics with the set when it is made.",
        )
    unused = [name for name, given in probing.items() if given is not None]
    if unused:
        raise OptionError(
            "MP763",
            f"{unused[0]} is for probing metrics, and --make only makes what they are probed with.",
            hint="Make the set first: metaphrase probe --make REF -o probe.tsv && metaphrase probe probe.tsv",
        )


def _probe(options: argparse.Namespace) -> int:
    from metaphrase.probing import distinct_texts, probe, read_challenges

    order = "the challenge sets first: metaphrase probe FILE -m METRIC"
    metrics = metrics_for(CorpusFiles(), options, DEFAULT_METRICS, order=order)
    if not options.files:
        raise OptionError(
            "MP763",
            "no challenge set was given.",
            hint="Name a file, or make one of your own texts: metaphrase probe --make REF -o probe.tsv",
        )
    check_output(options.output, options.files)
    form = options.format or _format_of(options.output)
    challenges = read_challenges(*options.files)
    with progress_bar(
        "probing", "texts", total=lambda: len(distinct_texts(challenges))
    ) as progress:
        probed = probe(
            challenges,
            metrics,
            resamples=options.resamples,
            seed=options.seed,
            threads=options.threads,
            progress=progress,
            check_language=options.check_language,
            on_error=options.on_error,
        )
    _tell_refusals(probed)
    _print(probed, form, options)
    return 0


def _format_of(path: str | None) -> str:
    ending = "" if path is None else Path(path.removesuffix(".gz")).suffix[1:]
    return ending if ending in FORMATS else "text"


def _print(probed: Probed, form: str, options: argparse.Namespace) -> None:
    from metaphrase.report.terminal.probe_view import probe_json, probe_tsv, probe_view

    examples = options.examples or 0
    if form == "json":
        print_lines([probe_json(probed, examples=examples)], options.output)
    elif form == "tsv":
        print_lines(probe_tsv(probed), options.output)
    elif form == "html":
        from metaphrase.report.page import probe_page

        shown = _ON_A_PAGE if options.examples is None else options.examples
        page = probe_page(probed, lang=options.language, examples=shown)
        print_lines([page.rstrip("\n")], options.output)
    else:
        print_view(probe_view(probed, examples=examples), options.output)


def _tell_refusals(probed: Probed) -> None:
    told: Counter[str] = Counter()
    for refusal, item in probed.refusals:
        told[refusal.metric] += 1
        if told[refusal.metric] <= TOLD:
            where = f"{item.path}, line {item.line}"
            say(f"{where}: skipped by {refusal.metric}: [{refusal.code}] {refusal.message}")


def _make(options: argparse.Namespace) -> int:
    from metaphrase.corpus.formats.challenges.tables import challenge_lines
    from metaphrase.corpus.formats.registry import not_plain, recognise, refuse_foreign
    from metaphrase.corpus.lines import read_lines
    from metaphrase.probing import make_challenges, write_challenges

    paths = [options.make, options.input, options.sources]
    check_output(options.output, paths)
    for path in paths:
        if path is not None:
            file = recognise(path)
            if file.format is not None:
                raise not_plain(file)
            refuse_foreign(file)
    references, translations, sources = (None if p is None else read_lines(p) for p in paths)
    assert references is not None
    made = make_challenges(
        references,
        translations,
        lang=options.language,
        kinds=options.kinds,
        analyser=options.analyser,
        sources=sources,
        seed=options.seed,
        threads=options.threads,
    )
    if translations is None:
        say("the errors are in the references themselves, where metrics see most; -i HYP asks more")
    if options.output is None:
        print_lines(challenge_lines(made.items))
        for line in _counts(made).lines():
            print_aside(line)
        return 0
    write_challenges(made.items, options.output)
    print_view([_counts(made)])
    return 0


def _counts(made: Made) -> Columns:
    from metaphrase.probing import KINDS
    from metaphrase.report.terminal.columns import Cell, Columns

    rows = [
        [
            Cell(KINDS[kind].severity),
            Cell(kind),
            Cell(f"{count:,} of {made.texts:,}"),
            Cell(KINDS[kind].description),
        ]
        for kind, count in made.counts.items()
    ]
    return Columns(
        ["severity", "kind", "texts", "what was done"], rows, [False, False, True, False], keys=2
    )


def _list(language: str, analyser: str | None) -> Columns:
    from metaphrase.probing import KINDS, kinds_of
    from metaphrase.report.terminal.columns import Cell, Columns

    possible = kinds_of(language, analyser=analyser)
    rows = [
        [
            Cell(name),
            Cell(kind.severity),
            Cell("yes" if name in possible else "no"),
            Cell(kind.description),
        ]
        for name, kind in KINDS.items()
    ]
    return Columns(["kind", "severity", language, "what it does"], rows, [False] * 4, keys=2)
