"""``metaphrase metrics``: what can be measured, and what each metric needs."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Container
from dataclasses import MISSING, Field, fields
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

from metaphrase.cli.output import print_lines, print_view

if TYPE_CHECKING:
    from rich.console import RenderableType


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
        print_view(_details(records[0], kinds[options.name].__doc__ or ""), folded=True)
    return 0


def _record(kind: Any) -> dict[str, Any]:
    metric = kind()
    return {
        "name": kind.name,
        "summary": kind.summary,
        "citation": kind.citation,
        "higher_is_better": kind.higher_is_better,
        "explains": kind.explains(),
        "columns": sorted(metric.columns),
        "analyser": metric.analyser_name,
        "options": {field.name: _default(field) for field in fields(kind)},
        "variants": {name: dict(options) for name, options in kind.variants.items()},
    }


def _default(field: Field[Any]) -> Any:
    return None if field.default is MISSING else field.default


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


def _details(record: dict[str, Any], documentation: str) -> list[RenderableType]:
    from rich.text import Text

    from metaphrase.metrics.signature import spell
    from metaphrase.report.terminal.columns import Cell, Columns

    paragraphs, meanings = _read(documentation, record["options"])
    heading = Text(record["name"], style="bold")
    heading.append(f": {record['summary']} ({record['citation']})", style="not bold")
    parts: list[RenderableType] = [heading]
    for paragraph in paragraphs:
        parts += ["", Text(paragraph)]
    if record["columns"]:
        parts += ["", f"It needs {', '.join(record['columns'])} from {record['analyser']}."]
    rows = [
        [Cell(name), Cell(spell(value)), Cell(meanings.get(name, ""))]
        for name, value in record["options"].items()
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


def _read(documentation: str, options: Container[str]) -> tuple[list[str], dict[str, str]]:
    """The paragraphs of a docstring, and what it says of each option: ``name, name: meaning``."""
    paragraphs: list[str] = []
    meanings: dict[str, str] = {}
    for block in cleandoc(documentation).replace("``", "").split("\n\n"):
        entries = re.split(r"\n(?! )", block)
        found = [re.fullmatch(r"([a-z_, ]+):\s(.*)", entry, re.S) for entry in entries]
        for entry, match in zip(entries, found, strict=True):
            names = match[1].split(", ") if match else []
            if match and all(name in options for name in names):
                meanings |= dict.fromkeys(names, " ".join(match[2].split()))
            elif entry is entries[0] or not paragraphs:
                paragraphs.append(" ".join(entry.split()))
            else:
                paragraphs[-1] += " " + " ".join(entry.split())
    return paragraphs, meanings
