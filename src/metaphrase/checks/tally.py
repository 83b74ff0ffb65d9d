"""What checks found, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from metaphrase.checks.finding import SEVERITIES, Finding, Severity
from metaphrase.checks.registry import KINDS


@dataclass(slots=True)
class Tally:
    """Segments, those with findings, and findings by severity and code; filled as the texts go by."""

    segments: int = 0
    faulty: int = 0
    findings: Counter[tuple[Severity, str]] = field(default_factory=Counter)

    def add(self, findings: Iterable[Finding]) -> None:
        """Count one segment."""
        found = [(finding.severity, finding.code) for finding in findings]
        self.segments += 1
        self.faulty += bool(found)
        self.findings.update(found)

    def by_severity(self, severity: Severity) -> int:
        """How many findings are that bad."""
        return sum(count for (given, _), count in self.findings.items() if given == severity)

    def at_least(self, severity: Severity) -> int:
        """How many findings are that bad or worse."""
        return sum(map(self.by_severity, SEVERITIES[: SEVERITIES.index(severity) + 1]))

    def rows(self) -> list[tuple[Severity, str, int]]:
        """Severity, code and number, worst first, in the order of the checks."""
        order = list(KINDS)
        return [
            (severity, code, count)
            for (severity, code), count in sorted(
                self.findings.items(),
                key=lambda item: (SEVERITIES.index(item[0][0]), order.index(item[0][1])),
            )
        ]

    def as_dict(self) -> dict[str, Any]:
        """All counts by name, for JSON."""
        return {
            "segments": self.segments,
            "segments_with_findings": self.faulty,
            "findings": sum(self.findings.values()),
            **{severity: self.by_severity(severity) for severity in SEVERITIES},
            "codes": {code: self._of(code) for _, code, _ in self.rows()},
        }

    def _of(self, code: str) -> int:
        return sum(count for (_, given), count in self.findings.items() if given == code)
