"""A report as one HTML file that needs nothing but itself: no network, no server, no other file.

Texts are in it only as data, base64 or JSON, inside script elements that no browser runs; the only script and
the only style sheet that may take effect are ours, which the content security policy knows by their hashes.
Without scripts the page shows the table of systems.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from html import escape
from typing import Any

from metaphrase.errors import ResourceError
from metaphrase.report.dataset import ReportData
from metaphrase.report.dataset.blocks import json_block
from metaphrase.report.page.front_end import asset
from metaphrase.report.terminal.columns import rounded, visible

TITLE = "Translation quality report"


def report_page(
    data: ReportData, *, script: str | None = None, style: str | None = None
) -> Iterator[bytes]:
    """The page, piece by piece; the same data give the same bytes.

    ``script`` and ``style`` are the built front end unless they are given.
    """
    script = _inline(asset("report.js") if script is None else script, "script")
    style = _inline(asset("report.css") if style is None else style, "style")
    overview = data.overview
    head = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(script, style)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{_text(overview['title'] or TITLE)}</title>",
        f'<style>{style}</style>\n</head>\n<body>\n<div id="app"></div>',
        f"<noscript>\n{_without_script(overview)}\n</noscript>",
    ]
    yield "\n".join(head).encode()
    json = json_block(overview).replace(b"<", b"\\u003c")
    yield b'\n<script type="application/json" id="overview">' + json + b"</script>\n"
    for name, packed in data.packed.items():
        opening = f'<script type="application/octet-stream" data-block="{name}">'.encode()
        yield opening + b64encode(packed) + b"</script>\n"
    yield f'<script type="module">{script}</script>\n</body>\n</html>\n'.encode()


def _inline(content: str, element: str) -> str:
    """Refuse what would end its element early, or change how the rest of it is read."""
    if re.search(rf"</{element}|<!--", content, re.IGNORECASE):
        raise ResourceError(
            "MP643",
            f"the {element} of the page cannot stand inside a page.",
            hint="Build it again with `make web`.",
        )
    return content


def _policy(script: str, style: str) -> str:
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(content: str) -> str:
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"


def _without_script(overview: Mapping[str, Any]) -> str:
    """The systems with their scores if there are any, for readers who run no scripts."""
    parts = [
        f"<h1>{_text(overview['title'] or TITLE)}</h1>",
        "<p>This page shows more with scripts, which it runs without any network.</p>",
        f"<p>{_text(overview['verdict'])}</p>" if overview["verdict"] else "",
        f"<p>{_text(overview['changes']['summary'])}</p>" if "changes" in overview else "",
        _systems(overview) if overview["table"] else "",
        _findings(overview) if "findings" in overview else "",
        _probe(overview) if "probe" in overview else "",
        *(f"<p>{_text(note)}</p>" for note in [*overview["warnings"], *overview["notes"]]),
        *(f"<p><small>{_text(metric['signature'])}</small></p>" for metric in overview["metrics"]),
    ]
    return "\n".join(parts)


def _systems(overview: Mapping[str, Any]) -> str:
    names = (m["name"] + ("" if m["higherIsBetter"] else " ↓") for m in overview["metrics"])
    scores = [{row["system"]: row["score"] for row in entry["rows"]} for entry in overview["table"]]
    rows = [
        _row("td", [name, *(_number(column[place]) for column in scores)])
        for place, name in enumerate(overview["systems"])
    ]
    return f"<table>{_row('th', ['system', *names])}{''.join(rows)}</table>"


def _findings(overview: Mapping[str, Any]) -> str:
    rows = [
        _row("td", [kind["severity"], kind["code"], *map(str, kind["counts"])])
        for kind in overview["findings"]["kinds"]
    ]
    head = _row("th", ["severity", "finding", *overview["systems"]])
    return f"<table>{head}{''.join(rows)}</table>" if rows else "<p>No findings.</p>"


def _probe(overview: Mapping[str, Any]) -> str:
    rows = [
        _row(
            "td",
            [
                kind["severity"],
                kind["name"],
                *(f"{100 * c['accuracy']:.1f}" for c in kind["cells"]),
            ],
        )
        for kind in overview["probe"]["kinds"]
    ]
    head = _row("th", ["severity", "error", *(metric["name"] for metric in overview["metrics"])])
    return f"<table>{head}{''.join(rows)}</table>"


def _row(tag: str, cells: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{_text(cell)}</{tag}>' for cell in cells)}</tr>"


def _text(plain: str) -> str:
    """Any text as HTML, without anything that could hide itself or run."""
    return escape(visible(plain))


def _number(value: float | None) -> str:
    return "" if value is None else rounded(value, ".4f")
