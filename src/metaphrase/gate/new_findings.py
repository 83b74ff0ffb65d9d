"""What checks found that they had not found before."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from metaphrase.gate.joining import Joined
from metaphrase.gate.rules import FindingLimits
from metaphrase.gate.snapshot import Snapshot
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
        known: Counter[str] = Counter()
        if row in past:
            known.update(finding.code for finding in before.findings[past[row]])
        for finding in findings:
            known[finding.code] -= 1
            if known[finding.code] < 0:
                line = None if after.lines is None else after.lines[row]
                found.append(NewFinding(after.name(row), row, line, finding))
    return found


def by_row(findings: Iterable[NewFinding]) -> Mapping[int, Sequence[NewFinding]]:
    """Findings by the row of their segment."""
    found = defaultdict(list)
    for one in findings:
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
