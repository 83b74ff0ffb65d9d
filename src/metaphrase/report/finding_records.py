"""What checks found, for programs: JSON, lines of JSON, and a table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from metaphrase.checks import CHECKS, Finding
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


def finding_json(
    files: Sequence[dict[str, Any]], rows: Iterable[tuple[str, Finding]], tally: Tally
) -> str:
    """One object: files, findings with the names of their files, and counts over all of them."""
    result = {
        "version": __version__,
        "counts": tally.as_dict(),
        "files": files,
        "findings": [_record(name, finding) for name, finding in rows],
    }
    return json.dumps(result, ensure_ascii=False, indent=2)


def finding_jsonl(rows: Iterable[tuple[str, Finding]]) -> Iterator[str]:
    """An object a line for each finding, with the name of its file."""
    for name, finding in rows:
        yield json.dumps(_record(name, finding), ensure_ascii=False)


def finding_tsv(rows: Iterable[tuple[str, Finding]]) -> Iterator[str]:
    """A line for each finding, after a header; tabs and line breaks inside a cell become blanks."""
    yield "\t".join(COLUMNS)
    for name, finding in rows:
        cells = {"file": name} | finding.as_dict()
        yield "\t".join(_cell(cells[column]) for column in COLUMNS)


def _record(name: str, finding: Finding) -> dict[str, Any]:
    return {"file": name} | finding.as_dict() | {"issue": CHECKS[finding.check].issue}


def _cell(value: object) -> str:
    return "" if value is None else " ".join(str(value).splitlines()).replace("\t", " ")
