"""SARIF 2.1.0, with which code review shows findings beside the lines that they are about.

OASIS: Static Analysis Results Interchange Format (SARIF) Version 2.1.0, 2020.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from metaphrase.version import __version__

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif_log(
    tool: str,
    results: Iterable[dict[str, Any]],
    described: Callable[[str], str],
    properties: Mapping[str, Any],
) -> str:
    """A log with one run; ``described`` says in a sentence what a rule is about."""
    found = list(results)
    used = list(dict.fromkeys(one["ruleId"] for one in found))
    for one in found:
        one["ruleIndex"] = used.index(one["ruleId"])
    rules = [{"id": name, "shortDescription": {"text": described(name)}} for name in used]
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": tool, "version": __version__, "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "properties": dict(properties),
                "results": found,
            }
        ],
    }
    return json.dumps(log, ensure_ascii=False, indent=1, allow_nan=False)


def result(
    rule: str,
    message: str,
    *,
    level: str,
    location: dict[str, Any] | None,
    key: str,
    fingerprint: str,
    properties: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """A result; ``key`` is what stays the same from run to run, so that review tools know it again.

    ``fingerprint`` names the way in which keys are made.
    """
    found: dict[str, Any] = {
        "ruleId": rule,
        "kind": "fail",
        "level": level,
        "message": {"text": _message(message)},
        "locations": [] if location is None else [location],
        "partialFingerprints": {fingerprint: sha256(key.encode()).hexdigest()[:32]},
    }
    return found if properties is None else found | {"properties": properties}


def location(
    path: str | None, region: dict[str, int] | None = None, segment: str | None = None
) -> dict[str, Any] | None:
    """A region of a file, or a segment, or both, as far as they are known."""
    found: dict[str, Any] = {}
    if path is not None:
        physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(path)}}
        if region is not None:
            physical["region"] = region
        found["physicalLocation"] = physical
    if segment is not None:
        found["logicalLocations"] = [{"name": segment, "kind": "segment"}]
    return found or None


def _message(text: str) -> str:
    """A text that is shown as it is: braces are placeholders otherwise (§ 3.11.5), and ``[…](…)`` a link."""
    doubled = text.replace("{", "{{").replace("}", "}}")
    if "](" not in doubled:
        return doubled
    return doubled.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _uri(path: str) -> str:
    """A relative reference, or a URI of an absolute path, with nothing in it that a URI may not have."""
    pure = PurePath(path)
    if pure.is_absolute():
        return pure.as_uri()
    text = quote(os.fsencode(pure.as_posix()))
    # What looks like a scheme before a colon would be one.
    return f"./{text}" if ":" in text.split("/")[0] else text
