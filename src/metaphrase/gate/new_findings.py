"""What checks found that they had not found before."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from metaphrase.gate.joining import Joined
from metaphrase.gate.rules import FindingLimits
from metaphrase.gate.snapshot import SegmentFinding, Snapshot
from metaphrase.gate.verdict import NewFinding, Outcome, counted

#: Worst first.
SEVERITIES = ("critical", "major", "minor")


def new_findings(before: Snapshot, after: Snapshot, joined: Joined) -> list[NewFinding] | None:
    """Findings that a segment did not have, in the order of the text; ``None`` if either was not checked.

    A segment with two findings of a code that had one has one more: the second. Findings of a segment without
    a past are all new.
    """
    if before.findings is None or after.findings is None:
        return None
    past = {new: old for old, new in (*joined.pairs, *joined.changed)}
    found = []
    for row, findings in enumerate(after.findings):
        name = after.name(row)
        known = before.unscored.get(name, ()) if after.ids is not None else ()
        if row in past:
            known = before.findings[past[row]]
        line = after.line(row)
        found += [NewFinding(name, row, line, one) for one in _further(known, findings)]
    scored = dict(zip(before.ids or (), before.findings, strict=False))
    for name, findings in after.unscored.items():
        known = before.unscored.get(name) or scored.get(name, ())
        line = after.unit_lines.get(name)
        found += [NewFinding(name, None, line, one) for one in _further(known, findings)]
    return found


def _further(
    before: Iterable[SegmentFinding], after: Iterable[SegmentFinding]
) -> Iterator[SegmentFinding]:
    """The findings that are more of their code than there were."""
    known = Counter(finding.code for finding in before)
    for finding in after:
        known[finding.code] -= 1
        if known[finding.code] < 0:
            yield finding


def by_row(findings: Iterable[NewFinding]) -> Mapping[int, Sequence[NewFinding]]:
    """Findings by the row of their segment, if it was scored."""
    found: defaultdict[int, list[NewFinding]] = defaultdict(list)
    for one in findings:
        if one.row is not None:
            found[one.row].append(one)
    return dict(found)


def finding_outcomes(
    limits: FindingLimits, found: Sequence[NewFinding] | None
) -> Iterator[Outcome]:
    """The rule of each severity that has one, if anything was checked."""
    if found is None:
        return
    for severity in SEVERITIES:
        limit = getattr(limits, f"new_{severity}")
        if limit is None:
            continue
        names = [one.segment for one in found if one.finding.severity == severity]
        yield Outcome(
            rule=f"new_{severity}",
            passed=len(names) <= limit,
            measured=len(names),
            limit=limit,
            message=f"{counted(len(names), f'new {severity} finding')}; {limit:,} may be",
            segments=tuple(dict.fromkeys(names)) if len(names) > limit else (),
            shown=(f"{len(names):,}", f"at most {limit:,}"),
        )
