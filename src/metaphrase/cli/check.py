"""``metaphrase check``: numbers, placeholders, tags, terms and more, beside any score."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from metaphrase.cli.arguments import regional_language
from metaphrase.cli.check_options import SEVERITIES, add_check_arguments, check_settings
from metaphrase.cli.command import command
from metaphrase.cli.output import check_output, print_lines, print_view, progress_bar
from metaphrase.corpus.lines import LineReader
from metaphrase.errors import OptionError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from metaphrase.checks import Finding, Pair, Settings
    from metaphrase.checks.opening import Translation
    from metaphrase.checks.tally import Tally

    #: A translation, and one of its pairs with what is wrong with it.
    Checked = tuple[Translation, Pair, tuple[Finding, ...]]

EXAMPLES = """\
examples:
  metaphrase check strings.de.xlf
  metaphrase check messages.po --glossary terms.tbx --fail-on major
  metaphrase check -s source.txt -i target.txt --source-language en -l de
  metaphrase check table.tsv -l fr --off spaces --severity numbers=critical
  metaphrase check --list

exit codes:
  0 nothing as bad as --fail-on, 1 something is, 2 the input is unusable
"""


@command(
    place=40,
    help="find wrong numbers, placeholders, tags and terms in translations",
    description="Find what is wrong with translations whatever a metric says of them.",
    epilog=EXAMPLES,
)
def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare its arguments."""
    group = parser.add_argument_group("texts")
    group.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="localisation files (XLIFF, TMX, PO …), or tables with columns source and target",
    )
    group.add_argument(
        "-s", "--sources", metavar="FILE", help="source texts, one per line, or strings"
    )
    group.add_argument(
        "-i",
        "--input",
        nargs="+",
        action="extend",
        metavar="TARGET",
        help="their translations, line by line or with the same ids: FILE or NAME=FILE",
    )
    group.add_argument(
        "--source-language",
        type=regional_language,
        default="",
        metavar="LANG",
        help="of the sources, by its code or name",
    )
    group.add_argument(
        "-l",
        "--language",
        type=regional_language,
        default="",
        metavar="LANG",
        help="of the translations (default of both: as the file says)",
    )
    group = parser.add_argument_group("checks")
    add_check_arguments(group)
    group.add_argument("--list", action="store_true", help="list all checks and codes")
    group = parser.add_argument_group("output")
    group.add_argument(
        "--show",
        choices=SEVERITIES,
        default="minor",
        help="findings to show: as bad as that or worse (default: minor, all of them)",
    )
    group.add_argument(
        "--fail-on",
        choices=(*SEVERITIES, "never"),
        default="critical",
        help="exit with 1 if a finding is as bad as that or worse (default: critical)",
    )
    group.add_argument(
        "--format",
        choices=("text", "json", "jsonl", "tsv"),
        default="text",
        metavar="FORMAT",
        help="text (default), json, jsonl, tsv",
    )
    group.add_argument("-o", "--output", metavar="FILE", help="write there instead of the screen")
    parser.set_defaults(run=run, unusable_input=2)


def run(options: argparse.Namespace) -> int:
    """Check, with a progress bar if somebody is watching."""
    from metaphrase.checks.tally import Tally

    if options.list:
        print_view(_list())
        return 0
    _check_texts(options)
    inputs = [*options.files, options.sources, *(options.input or []), *options.glossary]
    check_output(options.output, inputs)
    settings = check_settings(options)
    tally = Tally()
    # Lines that appear as they are made show how far the work has come.
    on_screen = options.output is None and sys.stdout is not None and sys.stdout.isatty()
    silent = on_screen and options.format != "json"
    with (
        nullcontext()
        if silent
        else progress_bar("checking", total=lambda: _count(options)) as progress
    ):
        checked = _checked(options, settings, tally, progress)
        _print(checked, tally, options)
    if options.fail_on == "never":
        return 0
    return 1 if tally.at_least(options.fail_on) else 0


def _check_texts(options: argparse.Namespace) -> None:
    plain = options.sources is not None, bool(options.input)
    if any(plain) and not all(plain):
        given, missing = ("-s", "-i TARGET") if plain[0] else ("-i", "-s SOURCE")
        raise OptionError("MP897", f"{given} needs {missing}.", hint="Give both, line by line.")
    if any(plain) and options.files:
        raise OptionError(
            "MP897",
            "there are files with sources and targets, and -s and -i besides.",
            hint=f"Leave out {options.files[0]}, or -s and -i.",
        )
    if not any(plain) and not options.files:
        raise OptionError(
            "MP897",
            "no file was given.",
            hint="Name one: metaphrase check FILE, or -s SOURCE -i TARGET",
        )


def _count(options: argparse.Namespace) -> int | None:
    """How many segments of plain text there are."""
    if options.sources is None or options.sources == "-":
        return None
    with LineReader(options.sources) as reader:
        return reader.count() * len(options.input)


def _translations(options: argparse.Namespace) -> Iterator[Translation]:
    from metaphrase.checks.opening import open_file, open_with_source

    languages = {"source_language": options.source_language, "language": options.language}
    if options.sources is not None:
        yield from open_with_source(options.sources, options.input, **languages)
    for path in options.files:
        yield from open_file(path, **languages)


def _checked(
    options: argparse.Namespace,
    settings: Settings,
    tally: Tally,
    progress: Callable[[int], None] | None,
) -> Iterator[Checked]:
    """All pairs with the findings that are shown; the tally counts every one of them."""
    from metaphrase.checks import check_pairs
    from metaphrase.checks.terms.reading import read_glossaries

    glossary = cache(read_glossaries)
    shown = SEVERITIES[: SEVERITIES.index(options.show) + 1]
    for translation in _translations(options):
        own = settings
        if options.glossary:
            own = replace(
                settings,
                glossary=glossary(
                    tuple(options.glossary), translation.source_language, translation.language
                ),
            )
        for pair, findings in check_pairs(translation.pairs, own):
            tally.add(findings)
            yield translation, pair, tuple(f for f in findings if f.severity in shown)
            if progress is not None and tally.segments % 256 == 0:
                progress(tally.segments)


def _print(checked: Iterator[Checked], tally: Tally, options: argparse.Namespace) -> None:
    from metaphrase.report.finding_records import finding_json, finding_jsonl, finding_tsv

    rows = ((t.name, finding) for t, _, findings in checked for finding in findings)
    if options.format == "tsv":
        print_lines(finding_tsv(rows), options.output)
    elif options.format == "jsonl":
        print_lines(finding_jsonl(rows), options.output)
    elif options.format == "json":
        kept = [(translation, findings) for translation, _, findings in checked]
        found = ((t.name, finding) for t, findings in kept for finding in findings)
        print_lines([finding_json(_files(t for t, _ in kept), found, tally)], options.output)
    else:
        print_view(_view(checked, tally), options.output)


def _files(translations: Iterable[Translation]) -> list[dict[str, Any]]:
    """What was checked, and how many segments of it."""
    files: dict[str, dict[str, Any]] = {}
    for translation in translations:
        file = files.setdefault(
            translation.name,
            {
                "name": translation.name,
                "source_language": translation.source_language,
                "language": translation.language,
                "segments": 0,
            },
        )
        file["segments"] += 1
    return list(files.values())


def _view(checked: Iterator[Checked], tally: Tally) -> Iterator[RenderableType]:
    from metaphrase.report.terminal.columns import one_line
    from metaphrase.report.terminal.finding_view import segment_view, tally_view

    name = None
    for translation, pair, findings in checked:
        if not findings:
            continue
        if translation.name != name:
            name = translation.name
            languages = " → ".join(
                filter(None, (translation.source_language, translation.language))
            )
            yield one_line(f"{name} · {languages}" if languages else name, "bold")
            yield ""
        yield from segment_view(pair, findings)
    yield from chain(tally_view(tally))


def _list() -> list[RenderableType]:
    from metaphrase.checks import CHECKS
    from metaphrase.report.terminal.columns import Cell, Columns

    rows = [
        [Cell(kind.code), Cell(kind.severity), Cell(kind.description)]
        for check in CHECKS.values()
        for kind in check.kinds
    ]
    return [Columns(["code", "severity", "meaning"], rows, [False] * 3, keys=2)]
