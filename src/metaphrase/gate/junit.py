"""A verdict as JUnit's XML, which most systems of continuous integration show as tests: a rule is a test."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.sax.saxutils import quoteattr

from metaphrase.gate.verdict import ChangedSegment, Outcome, Verdict, listed

#: What XML 1.0 cannot hold, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: Segments whose texts a failure shows.
_SHOWN = 5


def junit_xml(verdict: Verdict) -> str:
    """One suite with a test case for each rule; a broken rule is a failure, with the segments at fault."""
    counts = f'tests="{len(verdict.outcomes)}" failures="{len(verdict.broken)}" errors="0"'
    name = quoteattr(_clean(f"metaphrase gate: {verdict.system}"))
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="metaphrase gate" {counts} time="0">',
        f'  <testsuite name={name} {counts} skipped="0" time="0">',
        "    <properties>",
        *(
            f"      <property name={quoteattr(_clean(f'signature {metric}'))} "
            f"value={quoteattr(_clean(signature))}/>"
            for metric, signature in verdict.signatures.items()
        ),
        "    </properties>",
        *(line for outcome in verdict.outcomes for line in _case(verdict, outcome)),
        f"    <system-out>{_text(_summary(verdict))}</system-out>",
        "  </testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _case(verdict: Verdict, outcome: Outcome) -> Iterable[str]:
    classname = quoteattr(_clean(".".join(filter(None, ["gate", outcome.metric]))))
    name = quoteattr(_clean(outcome.title))
    head = f'    <testcase classname={classname} name={name} time="0"'
    if outcome.passed:
        return [f"{head}/>"]
    message = quoteattr(_clean(outcome.message))
    return [
        f"{head}>",
        f"      <failure type={quoteattr(outcome.rule)} message={message}>"
        f"{_text(_details(verdict, outcome))}</failure>",
        "    </testcase>",
    ]


def _details(verdict: Verdict, outcome: Outcome) -> str:
    """The message, and the segments that lost most."""
    parts = [outcome.message]
    changes = {change.name: change for change in verdict.changes}
    if outcome.segments:
        parts.append(f"segments: {listed(outcome.segments)}")
        chosen = [changes[name] for name in outcome.segments[:_SHOWN] if name in changes]
    else:
        chosen = [c for c in verdict.changes if _lost(c, outcome)][:_SHOWN]
    for change in chosen:
        numbers = ", ".join(
            f"{name} {one.shown[0]} → {one.shown[1]}" for name, one in change.scores.items()
        )
        parts += ["", f"segment {change.name}: {numbers}", f"reference  {change.reference}"]
        if change.before is not None:
            parts.append(f"before     {change.before}")
        parts.append(f"after      {change.after}")
        parts += [f"{one.severity}: {one.message} ({one.code})" for one in change.new_findings]
    return "\n".join(parts)


def _lost(change: ChangedSegment, outcome: Outcome) -> bool:
    lost = outcome.metric is not None and change.scores[outcome.metric].loss > 0
    return lost and change.within(outcome.group)


def _summary(verdict: Verdict) -> str:
    return "\n".join([verdict.title, verdict.extent, *verdict.notes])


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def _text(text: str) -> str:
    # Written out, since a carriage return would be read as a line feed.
    escaped = _clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return escaped.replace("\r", "&#13;")
