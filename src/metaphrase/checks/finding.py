"""What a check has to say: one thing that is wrong, how bad it is, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal

Severity = Literal["critical", "major", "minor"]
Side = Literal["source", "target"]

#: Worst first.
SEVERITIES: tuple[Severity, ...] = ("critical", "major", "minor")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong with a translation.

    ``code`` is ``CHECK/KIND``, or ``CHECK`` alone where a check has one thing to say. The place is the text
    of ``side`` from ``start`` to ``end``, in characters; an empty place is where something is missing.
    ``segment`` counts from 1, and ``unit`` is the id in a localisation file. ``expected`` and ``found`` are
    the pieces of text that disagree, ``suggestion`` is what could stand there.

    >>> (finding,) = metaphrase.check("12 cats", "Die 21 Katzen", language="de")
    >>> finding.code, finding.severity, (finding.start, finding.end), finding.expected
    ('numbers/changed', 'critical', (4, 6), '12')
    """

    code: str
    severity: Severity
    side: Side
    start: int
    end: int
    message: str
    expected: str | None = None
    found: str | None = None
    suggestion: str | None = None
    segment: int | None = None
    unit: str | None = None

    @property
    def check(self) -> str:
        """The check that found it."""
        return self.code.partition("/")[0]

    def as_dict(self) -> dict[str, Any]:
        """All that is known, by name, for JSON."""
        known = {field.name: getattr(self, field.name) for field in fields(self)}
        first = {name: known.pop(name) for name in ("segment", "unit")}
        return first | {"check": self.check} | known


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of finding: its code, how bad it is unless somebody says otherwise, and what it means."""

    code: str
    severity: Severity
    description: str

    def finding(
        self,
        side: Side,
        place: tuple[int, int],
        message: str,
        *,
        expected: str | None = None,
        found: str | None = None,
        suggestion: str | None = None,
    ) -> Finding:
        """One finding of this kind, still without the segment that it is in."""
        return Finding(
            code=self.code,
            severity=self.severity,
            side=side,
            start=place[0],
            end=place[1],
            message=message,
            expected=expected,
            found=found,
            suggestion=suggestion,
        )
