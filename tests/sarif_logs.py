"""The properties that the schema of SARIF 2.1.0 requires, and the values that it allows."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlsplit


def check_sarif(text: str) -> list[dict[str, Any]]:
    """The results of a log, all of it checked."""
    log = json.loads(text)
    assert log["version"] == "2.1.0"
    assert urlsplit(log["$schema"]).scheme == "https"
    assert set(log) <= {"$schema", "version", "runs"}
    (one,) = log["runs"]
    driver = one["tool"]["driver"]
    assert driver["name"]
    identifiers = [rule["id"] for rule in driver["rules"]]
    assert len(set(identifiers)) == len(identifiers)
    assert all(rule["shortDescription"]["text"] for rule in driver["rules"])
    for result in one["results"]:
        assert result["message"]["text"]
        # § 3.27.10: only what is not a failure has the level none.
        assert (result["kind"], result["level"] != "none") == ("fail", True)
        assert result["level"] in ("note", "warning", "error")
        assert identifiers[result["ruleIndex"]] == result["ruleId"]
        assert all(isinstance(v, str) for v in result["partialFingerprints"].values())
        for location in result["locations"]:
            _check_location(location)
    return list(one["results"])


def _check_location(location: dict[str, Any]) -> None:
    physical = location.get("physicalLocation", {})
    if physical:
        assert re.fullmatch(r"[\w.~/%:!$&'()*+,;=@-]+", physical["artifactLocation"]["uri"])
        region = physical.get("region", {"startLine": 1})
        assert region["startLine"] >= 1
        # § 3.30.8: the column behind the last character.
        assert 1 <= region.get("startColumn", 1) < region.get("endColumn", 2)
    for logical in location.get("logicalLocations", []):
        assert logical["name"]
