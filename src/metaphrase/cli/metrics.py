"""``metaphrase metrics``: what can be measured, and what each metric needs."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

from metaphrase.cli.arguments import add_load
from metaphrase.cli.output import print_lines, print_view
from metaphrase.defaults import DEFAULT_LANGUAGE
from metaphrase.languages import canonical_language

if TYPE_CHECKING:
    from rich.console import RenderableType

    from metaphrase.errors import MetaphraseError
    from metaphrase.metrics import Metric
    from metaphrase.options import Option


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "metrics",
        help="list the metrics, their options and what they need",
        description="List the metrics, whether they run here and what those that do not lack; "
        "with a name, its options.",
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="show the options of this metric")
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
    """Print the list, or one metric."""
    from metaphrase.metrics import available, find, unusable

    kinds = available() if options.name is None else {options.name: find(options.name)}
    broken = unusable() if options.name is None else {}
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


def _meaning(option: Option) -> str:
    return _plain("; ".join(filter(None, [option.meaning, option.limits])))


def _plain(text: str) -> str:
    """A paragraph without marks and line ends."""
    return " ".join(text.replace("``", "").split())
