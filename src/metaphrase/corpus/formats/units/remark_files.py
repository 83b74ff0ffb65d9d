"""Remarks that a file of scores or of checks holds, such as ``metaphrase score --format json`` writes.

Scores are an object with ``systems``, whose ``segments`` have an ``id`` and ``scores`` by metric. Findings
are an object with a list ``findings``, of objects with a ``unit`` and a ``code``, and perhaps ``severity``,
``comment`` (or ``message``), ``score`` and ``issue``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from metaphrase.corpus.formats.units.annotating import Remark
from metaphrase.corpus.formats.units.file_bytes import file_bytes
from metaphrase.corpus.lines import FilePath, shown_name
from metaphrase.errors import InputError


def read_remarks(path: FilePath, *, system: str | None = None) -> list[Remark]:
    """What a file says about units; of scores of several systems, what it says about ``system``."""
    name = shown_name(path)
    try:
        said = json.loads(file_bytes(path))
    except (ValueError, RecursionError) as error:
        raise _unusable(
            name, f"This is not JSON: {error}", "Write it with --format json."
        ) from None
    if not isinstance(said, dict):
        raise _unusable(name, "This is no object of scores or findings", "Write --format json.")
    try:
        if "findings" in said:
            return [_finding(one) for one in said["findings"]]
        if "systems" in said:
            return list(_scores(said, system, name))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _unusable(
            name, f"Something is missing or wrong: {error!r}", "Write it anew."
        ) from None
    raise _unusable(
        name, "There are neither scores nor findings", "Write them with score or check, in JSON."
    )


def _finding(said: Mapping[str, Any]) -> Remark:
    score = said.get("score")
    return Remark(
        unit=str(said["unit"]),
        code=str(said["code"]),
        severity=str(said.get("severity", "info")),
        comment=str(said.get("comment", said.get("message", ""))),
        score=None if score is None else float(score),
        issue=str(said.get("issue", "uncategorized")),
    )


def _scores(said: Mapping[str, Any], system: str | None, path: str) -> Iterator[Remark]:
    systems = {one["name"]: one for one in said["systems"]}
    if system is None and len(systems) == 1:
        system = next(iter(systems))
    if system not in systems:
        raise _unusable(
            path,
            f"There are scores of {', '.join(map(str, systems))}",
            "Say whose: --system NAME.",
        )
    segments = systems[system]["segments"]
    if not segments or segments[0].get("id") is None:
        raise _unusable(
            path,
            "There are no scores of units",
            "Score localisation files with --level segment --format json.",
        )
    for segment in segments:
        for metric, score in segment["scores"].items():
            if score is not None:
                yield Remark(str(segment["id"]), str(metric), score=float(score))


def _unusable(path: str, what: str, hint: str) -> InputError:
    return InputError("MP882", f"{what}.", path=path, hint=hint)
