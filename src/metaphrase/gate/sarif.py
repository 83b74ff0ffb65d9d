"""A verdict as SARIF 2.1.0, with which code review shows findings beside the lines that they are about.

OASIS: Static Analysis Results Interchange Format (SARIF) Version 2.1.0, 2020.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from metaphrase.gate.verdict import Verdict
from metaphrase.version import __version__

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"critical": "error", "major": "warning", "minor": "note"}
#: Segments of a rule, and findings: code review takes some thousands of results.
_MOST = 1000
_RULES = {
    "min_common": "Too little of the baseline is left to be compared.",
    "max_removed": "Segments of the baseline are gone.",
    "max_skipped": "Segments lost their score, because a metric refuses them now.",
    "min_score": "A score is too low.",
    "max_score": "A score is too high, where less is better.",
    "max_drop": "A score got worse by more than it may.",
    "alpha": "A score got significantly worse.",
    "max_segment_drop": "A segment's score got worse by more than it may.",
    "max_worse_segments": "Too many segments got worse.",
    "new_critical": "There are new critical findings.",
    "new_major": "There are new major findings.",
    "new_minor": "There are new minor findings.",
}


def sarif_json(verdict: Verdict, path: str | None = None) -> str:
    """A log with one run: a result for each broken rule, segment at fault and new finding.

    ``path`` is the file of the translations. Rules that hold are no results, since code review would show
    them like the others.
    """
    results = [*_of_rules(verdict, path), *_of_findings(verdict, path)]
    used = list(dict.fromkeys(result["ruleId"] for result in results))
    for result in results:
        result["ruleIndex"] = used.index(result["ruleId"])
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "metaphrase gate",
                        "version": __version__,
                        "rules": [_rule(name) for name in used],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "properties": {
                    "passed": verdict.passed,
                    "signatures": dict(verdict.signatures),
                    "notes": list(verdict.notes),
                },
                "results": results,
            }
        ],
    }
    return json.dumps(log, ensure_ascii=False, indent=1, allow_nan=False)


def _rule(name: str) -> dict[str, Any]:
    description = _RULES.get(name.removeprefix("gate/"), f"The check {name} found something.")
    return {"id": name, "shortDescription": {"text": description}}


def _of_rules(verdict: Verdict, path: str | None) -> Iterator[dict[str, Any]]:
    changes = {change.name: change for change in verdict.changes}
    for outcome in verdict.broken:
        found = {"rule": outcome.title, "measured": outcome.measured, "limit": outcome.limit}
        yield _result(
            f"gate/{outcome.rule}",
            outcome.message,
            level="error",
            location=_location(path),
            key=outcome.title,
            properties=found,
        )
        if outcome.rule.startswith("new_") or outcome.metric is None:
            continue  # each finding is a result of its own
        for name in outcome.segments[:_MOST]:
            if name in changes:
                change = changes[name]
                one = change.scores[outcome.metric]
                yield _result(
                    f"gate/{outcome.rule}",
                    f"segment {name}: {outcome.metric} was {one.shown[0]} and is {one.shown[1]}",
                    level="error",
                    location=_location(path, change.line, name),
                    key=f"{outcome.title} {name}",
                )


def _of_findings(verdict: Verdict, path: str | None) -> Iterator[dict[str, Any]]:
    for one in verdict.new_findings[:_MOST]:
        yield _result(
            one.finding.code,
            one.finding.message,
            level=_LEVELS.get(one.finding.severity, "warning"),
            location=_location(path, one.line, one.segment),
            key=f"{one.finding.code} {one.segment} {one.finding.message}",
        )


def _result(
    rule: str,
    message: str,
    *,
    level: str,
    location: dict[str, Any] | None,
    key: str,
    properties: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """A result; ``key`` is what stays the same from run to run, so that review tools know it again."""
    result: dict[str, Any] = {
        "ruleId": rule,
        "kind": "fail",
        "level": level,
        "message": {"text": _message(message)},
        "locations": [] if location is None else [location],
        "partialFingerprints": {"metaphraseGate/v1": sha256(key.encode()).hexdigest()[:32]},
    }
    return result if properties is None else result | {"properties": properties}


def _message(text: str) -> str:
    """A text that is shown as it is: braces are placeholders otherwise (§ 3.11.5), and ``[…](…)`` a link."""
    doubled = text.replace("{", "{{").replace("}", "}}")
    if "](" not in doubled:
        return doubled
    return doubled.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _location(
    path: str | None, line: int | None = None, segment: str | None = None
) -> dict[str, Any] | None:
    location: dict[str, Any] = {}
    if path is not None:
        physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(path)}}
        if line is not None:
            physical["region"] = {"startLine": line}
        location["physicalLocation"] = physical
    if segment is not None:
        location["logicalLocations"] = [{"name": segment, "kind": "segment"}]
    return location or None


def _uri(path: str) -> str:
    """A relative reference, or a URI of an absolute path, with nothing in it that a URI may not have."""
    pure = PurePath(path)
    if pure.is_absolute():
        return pure.as_uri()
    text = quote(os.fsencode(pure.as_posix()))
    # What looks like a scheme before a colon would be one.
    return f"./{text}" if ":" in text.split("/")[0] else text
