"""``metaphrase metrics``: what can be measured, and what each metric needs."""

from __future__ import annotations

import argparse
import json
from dataclasses import MISSING, Field, fields
from typing import Any

from metaphrase.cli.output import print_lines, print_view


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "metrics",
        help="list the metrics, their options and what they need",
        description="List the metrics that are available; with a name, its options.",
    )
    parser.add_argument("name", nargs="?", help="show the options of this metric")
    parser.add_argument("--format", choices=("text", "json"), default="text")
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
        print_lines(_details(records[0], kinds[options.name].__doc__ or ""))
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
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("metric", "what it is", "needs", "explains"):
        table.add_column(name, overflow="fold")
    for record in records:
        table.add_row(
            record["name"],
            f"{record['summary']}\n[dim]{record['citation']}[/dim]",
            f"{', '.join(record['columns'])} from {record['analyser']}"
            if record["columns"]
            else "text",
            "yes" if record["explains"] else "no",
        )
    return table


def _details(record: dict[str, Any], documentation: str) -> Any:
    from inspect import cleandoc

    from metaphrase.metrics.signature import spell

    lines = [f"{record['name']}: {record['summary']} ({record['citation']})", ""]
    lines += cleandoc(documentation).replace("``", "").splitlines()
    lines += ["", "options and their defaults (write -m NAME:option=value):"]
    lines += [f"  {name} = {spell(value)}" for name, value in record["options"].items()]
    if record["variants"]:
        lines += ["", "variants and the options they stand for (write -m NAME:VARIANT):"]
    for name, options in record["variants"].items():
        chosen = ", ".join(f"{option} = {spell(value)}" for option, value in options.items())
        lines.append(f"  {record['name']}:{name}  {chosen}")
    return lines
