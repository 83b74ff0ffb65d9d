"""``metaphrase metrics``: what can be measured, and what each metric needs."""

from __future__ import annotations

import argparse
import json
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

from metaphrase.cli.output import print_lines, print_view

if TYPE_CHECKING:
    from rich.console import RenderableType

    from metaphrase.metrics import Metric
    from metaphrase.options import Option


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "metrics",
        help="list the metrics, their options and what they need",
        description="List the metrics that are available; with a name, its options.",
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="show the options of this metric")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the list, or one metric."""
    from metaphrase.metrics import available, find

    kinds = available() if options.name is None else {options.name: find(options.name)}
    records = [_record(kind) for kind in kinds.values()]
    if options.format == "json":
        print_lines([json.dumps(records, indent=1)])
    elif options.name is None:
        print_view([_list(records)])
    else:
        print_view(_details(records[0], kinds[options.name]), folded=True)
    return 0


def _record(kind: type[Metric]) -> dict[str, Any]:
    from metaphrase.options import options

    metric = kind()
    return {
        "name": kind.name,
        "summary": kind.summary,
        "citation": kind.citation,
        "higher_is_better": kind.higher_is_better,
        "explains": kind.explains(),
        "columns": sorted(metric.columns),
        "analyser": metric.analyser_name,
        "options": {name: one.default for name, one in options(kind).items()},
        "variants": {name: dict(options) for name, options in kind.variants.items()},
    }


def _list(records: list[dict[str, Any]]) -> Any:
    from metaphrase.report.terminal.columns import Cell, Columns

    rows = []
    for record in records:
        rows.append(
            [
                Cell(record["name"]),
                Cell(record["summary"]),
                Cell(", ".join(record["columns"]) or "text"),
                Cell("yes" if record["explains"] else "no"),
            ]
        )
        rows.append([Cell(""), Cell(record["citation"], "dim"), Cell(""), Cell("")])
    return Columns(["metric", "what it is", "needs", "explains"], rows, [False] * 4)


def _details(record: dict[str, Any], kind: type[Metric]) -> list[RenderableType]:
    from rich.text import Text

    from metaphrase.metrics.signature import spell
    from metaphrase.options import options
    from metaphrase.report.terminal.columns import Cell, Columns

    heading = Text(record["name"], style="bold")
    heading.append(f": {record['summary']} ({record['citation']})", style="not bold")
    parts: list[RenderableType] = [heading]
    for paragraph in cleandoc(kind.__doc__ or "").split("\n\n"):
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
