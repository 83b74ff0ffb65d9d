"""A verdict as SARIF (:mod:`metaphrase.corpus.formats.sarif`)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from metaphrase.corpus.formats.sarif import location, result, sarif_log
from metaphrase.gate.verdict import Verdict

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
    return sarif_log(
        "metaphrase gate",
        [*_of_rules(verdict, path), *_of_findings(verdict, path)],
        _described,
        {
            "passed": verdict.passed,
            "signatures": dict(verdict.signatures),
            "notes": list(verdict.notes),
        },
    )


_result = partial(result, fingerprint="metaphraseGate/v1")


def _region(line: int | None) -> dict[str, int] | None:
    return None if line is None else {"startLine": line}


def _described(name: str) -> str:
    return _RULES.get(name.removeprefix("gate/"), f"The check {name} found something.")


def _of_rules(verdict: Verdict, path: str | None) -> Iterator[dict[str, Any]]:
    changes = {change.name: change for change in verdict.changes}
    for outcome in verdict.broken:
        found = {"rule": outcome.title, "measured": outcome.measured, "limit": outcome.limit}
        yield _result(
            f"gate/{outcome.rule}",
            outcome.message,
            level="error",
            location=location(path),
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
                    location=location(path, _region(change.line), name),
                    key=f"{outcome.title} {name}",
                )


def _of_findings(verdict: Verdict, path: str | None) -> Iterator[dict[str, Any]]:
    for one in verdict.new_findings[:_MOST]:
        yield _result(
            one.finding.code,
            one.finding.message,
            level=_LEVELS.get(one.finding.severity, "warning"),
            location=location(path, _region(one.line), one.segment),
            key=f"{one.finding.code} {one.segment} {one.finding.message}",
        )
