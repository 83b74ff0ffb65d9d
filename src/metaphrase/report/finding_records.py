"""What checks found, for programs: JSON, lines of JSON, and a table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from metaphrase.checks import Finding
from metaphrase.checks.tally import Tally
from metaphrase.version import __version__

COLUMNS = (
    "file",
    "segment",
    "unit",
    "severity",
    "code",
    "side",
    "start",
    "end",
    "message",
    "expected",
    "found",
    "suggestion",
)


def finding_json(files: Sequence[dict[str, Any]], tally: Tally) -> str:
    """One object: files with their findings, and counts over all of them."""
    result = {"version": __version__, "counts": tally.as_dict(), "files": files}
    return json.dumps(result, ensure_ascii=False, indent=2)


def finding_jsonl(rows: Iterable[tuple[str, Finding]]) -> Iterator[str]:
    """An object a line for each finding, with the name of its file."""
    for name, finding in rows:
        yield json.dumps({"file": name} | finding.as_dict(), ensure_ascii=False)


def finding_tsv(rows: Iterable[tuple[str, Finding]]) -> Iterator[str]:
    """A line for each finding, after a header; tabs and line breaks inside a cell become blanks."""
    yield "\t".join(COLUMNS)
    for name, finding in rows:
        cells = {"file": name} | finding.as_dict()
        yield "\t".join(_cell(cells[column]) for column in COLUMNS)


def _cell(value: object) -> str:
    return "" if value is None else " ".join(str(value).splitlines()).replace("\t", " ")
