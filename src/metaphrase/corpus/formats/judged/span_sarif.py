"""Marked errors as SARIF (:mod:`metaphrase.corpus.formats.sarif`): a result for each, where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from metaphrase.corpus.formats.sarif import location, result, sarif_log
from metaphrase.corpus.marked_translation import MarkedTranslation
from metaphrase.corpus.ratings import MarkedError

_LEVELS = {"critical": "error", "major": "error", "minor": "warning"}
_RULE = "errors/"


def sarif_lines(marked: Iterable[MarkedTranslation], *, name: str, pair: str) -> Iterator[str]:
    """The log; lines and columns are those of the system's file, if each of its lines is a segment."""
    results = [
        _result(one, error, number) for one in marked for number, error in enumerate(one.errors, 1)
    ]
    yield sarif_log(
        "metaphrase explain", results, _described, {"name": name, "languages": pair or None}
    )


def _described(rule: str) -> str:
    kind = rule.removeprefix(_RULE).replace("-", " ")
    return f"The metric takes off points for this: {kind}." if kind else "The metric marks this."


def _result(one: MarkedTranslation, error: MarkedError, number: int) -> dict[str, Any]:
    words = "" if error.span is None else f' "{one.item.hypothesis[slice(*error.span)]}"'
    return result(
        f"{_RULE}{error.category.replace(' ', '-')}",
        f"{error.category or 'error'}: {one.remark(error)}",
        level=_LEVELS.get(error.severity, "note"),
        location=location(one.path or None, _region(one, error), _segment(one)),
        key=f"{one.rater} {one.item.id} {error.category} {words} {number}",
        fingerprint="metaphraseErrors/v1",
        properties={
            "severity": error.severity,
            "points": error.points,
            "correction": error.correction,
        },
    )


def _segment(one: MarkedTranslation) -> str:
    return f"{one.item.system} {one.item.segment}"


def _region(one: MarkedTranslation, error: MarkedError) -> dict[str, int] | None:
    if one.line is None:
        return None
    if error.span is None or not one.is_line:
        return {"startLine": one.line}
    start, end = error.span
    return {"startLine": one.line, "startColumn": start + 1, "endColumn": end + 1}
