"""What a gate found: which rules hold, which are broken, and which segments changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isnan
from typing import Any

from metaphrase.gate.groups import LEVELS, Group
from metaphrase.gate.snapshot import SegmentFinding
from metaphrase.version import __version__

#: Raised when a key of the JSON form changes its meaning.
SCHEMA = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One rule, measured.

    rule:     its name in a file of rules
    passed:   whether it holds
    measured: what was measured, to be held against ``limit``
    message:  the same in a sentence
    metric:   whose scores it is about, if it is about scores
    group:    which document or domain it is about; ``None`` is the whole text
    segments: the names of those at fault, worst first
    shown:    what was measured and the limit, for a table
    """

    rule: str
    passed: bool
    measured: float | None
    limit: float
    message: str
    metric: str | None = None
    group: Group | None = None
    segments: tuple[str, ...] = ()
    shown: tuple[str, str] = ("", "")

    @property
    def title(self) -> str:
        """Rule, metric and document or domain in a line: ``max_drop chrf``."""
        where = None if self.group is None else f"in {self.group}"
        return " ".join(filter(None, [self.rule, self.metric, where]))

    @property
    def reason(self) -> str:
        """The message, with the segments at fault."""
        if not self.segments:
            return self.message
        few = len(self.segments) == 1
        return f"{self.message} (segment{'' if few else 's'} {listed(self.segments)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One metric's score of a segment or a system, before and after; ``loss`` is how much worse it got."""

    before: float
    after: float
    loss: float
    shown: tuple[str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedSegment:
    """A segment whose translation, score or findings are not what they were.

    ``name`` is its id, or its number from 1; ``reworded`` says that its translation is another one, which
    is known even if the baseline has no texts and ``before`` is ``None``. ``line`` is where it stands in the
    file, if that is known.
    """

    name: str
    row: int
    reworded: bool
    scores: Mapping[str, Difference]
    before: str | None
    after: str
    reference: str
    source: str | None = None
    document: str | None = None
    domain: str | None = None
    line: int | None = None
    new_findings: tuple[SegmentFinding, ...] = ()

    @property
    def lost(self) -> bool:
        """Whether a metric has it worse than before."""
        return any(one.loss > 0 for one in self.scores.values())

    def within(self, group: Group | None) -> bool:
        """Whether it is of that document or domain; ``None`` is the whole text."""
        return group is None or getattr(self, group.level) == group.name


@dataclass(frozen=True, slots=True)
class NewFinding:
    """A finding that was not there before; ``row`` is ``None`` of a unit that was checked, but not scored."""

    segment: str
    row: int | None
    line: int | None
    finding: SegmentFinding


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Red or green, and why.

    ``scores`` are those of the system, on the segments that can be compared; ``changes`` are sorted by the
    loss in the first metric, worst first. ``added`` and ``removed`` name segments that only one side has,
    ``rereferenced`` those whose reference changed; ``notes`` say what else a reader must know.
    """

    system: str
    language: str
    outcomes: tuple[Outcome, ...]
    scores: Mapping[str, Difference]
    signatures: Mapping[str, str]
    segments: int
    compared: int
    changes: tuple[ChangedSegment, ...] = ()
    new_findings: tuple[NewFinding, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    rereferenced: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """One line."""
        return f"<Verdict {self.title}>"

    @property
    def passed(self) -> bool:
        """Whether every rule holds."""
        return all(outcome.passed for outcome in self.outcomes)

    @property
    def broken(self) -> tuple[Outcome, ...]:
        """The rules that do not hold."""
        return tuple(outcome for outcome in self.outcomes if not outcome.passed)

    @property
    def title(self) -> str:
        """The verdict in a line.

        >>> Verdict(
        ...     system="new", language="en", outcomes=(), scores={}, signatures={}, segments=1, compared=1
        ... ).title
        'green: there was no rule to break'
        """
        if not self.outcomes:
            return "green: there was no rule to break"
        count = len(self.outcomes)
        if self.passed:
            return "green: the only rule holds" if count == 1 else f"green: all {count} rules hold"
        if count == 1:
            return "red: the only rule is broken"
        verb = "is" if len(self.broken) == 1 else "are"
        return f"red: {len(self.broken)} of {count} rules {verb} broken"

    @property
    def worse(self) -> tuple[ChangedSegment, ...]:
        """The segments that got worse: those with new findings first, then by what they lost."""
        return tuple(
            sorted(
                (c for c in self.changes if c.new_findings or c.lost),
                key=lambda change: not change.new_findings,
            )
        )

    @property
    def extent(self) -> str:
        """How much was compared, and what could not be."""
        if not self.scores:
            return counted(self.segments, "segment") if self.segments else "checked, not scored"
        changed = sum(change.reworded for change in self.changes)
        parts = [
            f"{self.compared:,} of {self.segments:,} segments compared",
            f"{changed:,} reworded",
        ]
        for names, what in (
            (self.added, "added"),
            (self.removed, "removed"),
            (self.rereferenced, "with another reference"),
        ):
            if names:
                parts.append(f"{len(names):,} {what}")
        return " · ".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form; keys are the same whatever was found."""
        return {
            "schema": SCHEMA,
            "metaphrase": __version__,
            "passed": self.passed,
            "title": self.title,
            "system": self.system,
            "language": self.language,
            "segments": self.segments,
            "compared": self.compared,
            "signatures": dict(self.signatures),
            "scores": {name: _numbers(one) for name, one in self.scores.items()},
            "rules": [
                {
                    "rule": one.rule,
                    "metric": one.metric,
                    **_named(one.group),
                    "passed": one.passed,
                    "measured": None
                    if one.measured is None or isnan(one.measured)
                    else one.measured,
                    "limit": one.limit,
                    "message": one.message,
                    "segments": list(one.segments),
                }
                for one in self.outcomes
            ],
            "changes": [_change(one) for one in self.changes],
            "new_findings": [
                {"segment": one.segment, "line": one.line, **asdict(one.finding)}
                for one in self.new_findings
            ],
            "added": list(self.added),
            "removed": list(self.removed),
            "rereferenced": list(self.rereferenced),
            "notes": list(self.notes),
        }


def _named(group: Group | None) -> dict[str, str | None]:
    """Its name at its level, and nothing at the others."""
    return {
        level: group.name if group is not None and group.level == level else None
        for level in LEVELS
    }


def _numbers(one: Difference) -> dict[str, float | None]:
    """Without what a segment that was refused does not have."""
    numbers = {"before": one.before, "after": one.after, "loss": one.loss}
    return {name: None if isnan(value) else value for name, value in numbers.items()}


def _change(one: ChangedSegment) -> dict[str, Any]:
    return {
        "segment": one.name,
        "number": one.row + 1,
        "line": one.line,
        "document": one.document,
        "domain": one.domain,
        "reworded": one.reworded,
        "scores": {name: _numbers(score) for name, score in one.scores.items()},
        "source": one.source,
        "reference": one.reference,
        "before": one.before,
        "after": one.after,
        "new_findings": [asdict(finding) for finding in one.new_findings],
    }


def counted(number: int, word: str) -> str:
    """``1 segment``, ``2,000 segments``."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def listed(names: Sequence[str], most: int = 5) -> str:
    """*3, 7 and 12 others*."""
    if len(names) > most + 1:
        return f"{', '.join(names[:most])} and {len(names) - most:,} others"
    return ", ".join(names)
