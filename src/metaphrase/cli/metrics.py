"""``metaphrase metrics``: what can be measured, and what each metric needs."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

from metaphrase.cli.arguments import add_load
from metaphrase.cli.command import command
from metaphrase.cli.output import print_lines, print_view
from metaphrase.defaults import DEFAULT_LANGUAGE
from metaphrase.languages import canonical_language

if TYPE_CHECKING:
    from rich.console import RenderableType

    from metaphrase.errors import MetaphraseError
    from metaphrase.metrics import Metric
    from metaphrase.metrics.published import Difference
    from metaphrase.options import Option


@command(
    place=170,
    help="list the metrics, their options and what they need",
    description="List the metrics, whether they run here and what those that do not lack; "
    "with a name, its options; with a variant such as cobalt:paper, what it stands for and what it "
    "replaces of what its paper describes.",
)
def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare its arguments."""
    parser.add_argument(
        "name",
        nargs="?",
        metavar="NAME[:VARIANT]",
        help="show the options of this metric, or what this variant is",
    )
    parser.add_argument(
        "-l",
        "--lang",
        type=canonical_language,
        default=DEFAULT_LANGUAGE,
        help=f"the language that they are to run in; default: {DEFAULT_LANGUAGE}",
    )
    add_load(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the list, one metric, or one variant."""
    from metaphrase.metrics import available, create, find, unusable

    name = (options.name or "").partition(":")[0]
    kinds = {name: find(name)} if name else available()
    broken = {} if name else unusable()
    if options.name not in (None, name):
        variant = _variant_record(create(options.name, lang=options.lang))
        if options.format == "json":
            print_lines([json.dumps(variant, indent=1)])
        else:
            print_view(_variant_details(variant, kinds[name]), folded=True)
        return 0
    records = [_record(kind, options.lang) for kind in kinds.values()]
    if options.format == "json":
        others = [{"name": name, "runs": False, "obstacle": str(e)} for name, e in broken.items()]
        print_lines([json.dumps([*records, *others], indent=1)])
    elif options.name is None:
        print_view(_list(records, broken))
    else:
        print_view(_details(records[0], kinds[options.name]), folded=True)
    return 0


def _record(kind: type[Metric], lang: str) -> dict[str, Any]:
    from metaphrase.metrics import create, obstacle
    from metaphrase.options import options

    lacks = obstacle(kind.name, lang=lang)
    metric = kind() if lacks is not None else create(kind.name, lang=lang)
    return {
        "name": kind.name,
        "summary": kind.summary,
        "citation": kind.citation,
        "origin": None if kind.origin is None else str(kind.origin),
        "higher_is_better": kind.higher_is_better,
        "explains": kind.explains(),
        "runs": lacks is None,
        "obstacle": None if lacks is None else str(lacks),
        "columns": sorted(metric.columns),
        "needs_options": list(kind.needs_options),
        "analyser": metric.analyser_name,
        "options": {name: one.default for name, one in options(kind).items()},
        "variants": {name: dict(options) for name, options in kind.variants.items()},
    }


def _variant_record(metric: Metric) -> dict[str, Any]:
    from metaphrase.metrics import obstacle
    from metaphrase.metrics.published import is_paper, substituted
    from metaphrase.options import options

    lacks = obstacle(metric.specification, lang=metric.lang)
    values = {name: (getattr(metric, name), one) for name, one in options(metric).items()}
    return {
        "name": metric.specification,
        "options": {name: value for name, (value, one) in values.items() if value != one.default},
        "obstacle": None if lacks is None else str(lacks),
        "signature": str(metric.signature()) if lacks is None else None,
        "substituted": [_difference(one) for one in substituted(metric)],
        "departures": [_difference(one) for one in metric.departures] if is_paper(metric) else [],
    }


def _difference(one: Difference) -> dict[str, str | bool]:
    return {
        "part": one.part,
        "published": one.published,
        "here": one.here,
        "why": one.why,
        "chosen_on_test": one.chosen_on_test,
    }


def _list(
    records: list[dict[str, Any]], broken: Mapping[str, MetaphraseError]
) -> list[RenderableType]:
    from metaphrase.report.terminal.columns import Cell, Columns, one_line

    rows = []
    for record in records:
        rows.append(
            [
                Cell(record["name"]),
                Cell(record["summary"]),
                Cell(", ".join([*(record["columns"] or ["text"]), *record["needs_options"]])),
                Cell("yes" if record["explains"] else "no"),
                Cell("yes") if record["runs"] else Cell("no", "yellow"),
            ]
        )
        origin = record["origin"] and f"plug-in {record['origin']}"
        below = "; ".join(filter(None, [origin, record["citation"]]))
        rows.append([Cell(""), Cell(below, "dim"), *[Cell("")] * 3])
    header = ["metric", "what it is", "needs", "explains", "runs"]
    obstacles = [
        one_line(f"{record['name']} cannot run here: {record['obstacle']}", "yellow")
        for record in records
        if record["obstacle"] is not None
    ]
    obstacles += [
        one_line(f"the plug-in {name} cannot be used: {error}", "yellow")
        for name, error in broken.items()
    ]
    return [Columns(header, rows, [False] * 5), *([""] if obstacles else []), *obstacles]


def _details(record: dict[str, Any], kind: type[Metric]) -> list[RenderableType]:
    from rich.text import Text

    from metaphrase.metrics.signature import spell
    from metaphrase.options import options
    from metaphrase.report.terminal.columns import Cell, Columns

    heading = Text(record["name"], style="bold")
    heading.append(f": {record['summary']} ({record['citation']})", style="not bold")
    parts: list[RenderableType] = [heading]
    if record["origin"] is not None:
        parts += ["", f"It is a plug-in, from {record['origin']}."]
    if record["obstacle"] is not None:
        parts += ["", Text(f"It cannot run here: {record['obstacle']}", style="yellow")]
    for paragraph in cleandoc(kind.__doc__ or "").split("\n\n"):
        if not paragraph.startswith(">>>"):  # which is for those who write Python
            parts += ["", Text(_plain(paragraph))]
    if record["columns"]:
        parts += ["", f"It needs {', '.join(record['columns'])} from {record['analyser']}."]
    rows = [
        [
            Cell(name),
            Cell(spell(one.default)),
            Cell(_meaning(one)),
        ]
        for name, one in options(kind).items()
    ]
    parts += ["", f"Options, written -m {record['name']}:option=value", ""]
    parts.append(Columns(["option", "default", "meaning"], rows, [False] * 3))
    if record["variants"]:
        rows = [
            [
                Cell(f"{record['name']}:{name}"),
                Cell(", ".join(f"{option} = {spell(value)}" for option, value in options.items())),
            ]
            for name, options in record["variants"].items()
        ]
        parts += ["", Columns(["variant", "stands for"], rows, [False] * 2)]
    return parts


def _variant_details(record: dict[str, Any], kind: type[Metric]) -> list[RenderableType]:
    from rich.text import Text

    from metaphrase.metrics.signature import spell

    heading = Text(record["name"], style="bold")
    heading.append(f": {kind.summary} ({kind.citation})", style="not bold")
    chosen = ", ".join(f"{name} = {spell(value)}" for name, value in record["options"].items())
    parts: list[RenderableType] = [heading, "", Text(f"It stands for {chosen or 'the defaults'}.")]
    if record["obstacle"] is not None:
        parts += ["", Text(f"It cannot run here: {record['obstacle']}", style="yellow")]
    else:
        parts += ["", Text(f"Signature: {record['signature']}")]
    if record["substituted"]:
        parts += ["", "What the paper has that is replaced here", ""]
        parts.append(_differences(record["substituted"], "part", "here"))
    if record["departures"]:
        parts += ["", f"Options whose default in {kind.name} is not the paper's", ""]
        parts.append(_differences(record["departures"], "option", "default"))
    return parts


def _differences(differences: Iterable[dict[str, Any]], part: str, here: str) -> RenderableType:
    from metaphrase.report.terminal.columns import Cell, Columns

    rows = []
    for one in differences:
        why = one["why"] + " (chosen on these test sets)" * one["chosen_on_test"]
        rows.append([Cell(_plain(one[name])) for name in ("part", "published", "here")])
        rows[-1].append(Cell(_plain(why)))
    return Columns([part, "paper", here, "why"], rows, [False] * 4)


def _meaning(option: Option) -> str:
    return _plain("; ".join(filter(None, [option.meaning, option.limits])))


def _plain(text: str) -> str:
    """A paragraph without marks and line ends."""
    return " ".join(text.replace("``", "").split())
