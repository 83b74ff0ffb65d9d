"""What checks found in the translations of a report: counted for its overview, and by segment in blocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np

from metaphrase.corpus import Corpus
from metaphrase.report.dataset.blocks import CHUNK, json_block
from metaphrase.report.dataset.unit_texts import in_code_units

#: Worst first.
SEVERITIES = ("critical", "major", "minor")
#: What a page needs to know of a finding beside its kind and place.
_SAID = ("expected", "found", "suggestion")

#: One thing that is wrong, by the names that it has in JSON: segment (from 1), code, severity and message;
#: side, start and end if its place is known; perhaps expected, found and suggestion.
Record = Mapping[str, Any]
#: A code and a severity.
Kind = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found in each system's translations, and by which checks.

    ``descriptions`` say what codes mean.
    """

    systems: Mapping[str, Sequence[Record]]
    checks: Sequence[str] = ()
    descriptions: Mapping[str, str] = field(default_factory=dict)

    @property
    def number(self) -> int:
        """How many there are in all."""
        return sum(map(len, self.systems.values()))


@dataclass(frozen=True, slots=True)
class Placed:
    """A finding in its place: system and segment by their positions.

    Where two versions are compared, ``change`` says if it is ``new`` or ``gone``.
    """

    system: int
    segment: int
    kind: Kind
    record: Record
    change: str | None = None


def placed(findings: Findings, corpus: Corpus) -> list[Placed]:
    """All findings in the order of systems, segments and texts; those of other systems are passed over."""
    found = [
        Placed(system, record["segment"] - 1, (record["code"], record["severity"]), record)
        for system, name in enumerate(corpus.systems)
        for record in findings.systems.get(name, ())
        if record.get("segment") is not None
    ]
    return sorted(found, key=lambda one: (one.system, one.segment, SEVERITIES.index(one.kind[1])))


def findings_overview(
    findings: Findings, found: Sequence[Placed], systems: Sequence[str]
) -> dict[str, Any]:
    """How often each kind was found in each system, the worst and most frequent first."""
    counts = Counter((one.kind, one.system) for one in found)
    return {
        "checks": list(findings.checks),
        "kinds": [
            {
                "code": code,
                "severity": severity,
                "description": findings.descriptions.get(code, ""),
                "counts": [counts[(code, severity), system] for system in range(len(systems))],
            }
            for code, severity in kinds_of(found)
        ],
    }


def kinds_of(found: Sequence[Placed]) -> list[Kind]:
    """The kinds that occur, the worst and then the most frequent first."""
    often = Counter(one.kind for one in found)
    return sorted(often, key=lambda kind: (SEVERITIES.index(kind[1]), -often[kind], kind[0]))


def finding_blocks(found: Sequence[Placed], corpus: Corpus) -> Iterator[tuple[str, bytes]]:
    """Which rows have which kinds, all at once; then what was found, by pieces of the corpus.

    Pieces without findings have no block.
    """
    numbers = {kind: number for number, kind in enumerate(kinds_of(found))}
    pairs = [(one.system * len(corpus) + one.segment, numbers[one.kind]) for one in found]
    yield "finding-rows", np.array(pairs, dtype="<u4").tobytes()
    columns = list(corpus.systems.values())

    def place(one: Placed) -> dict[str, Any]:
        if one.record.get("start") is None:
            return {}
        text = columns[one.system][one.segment]
        if one.record["side"] == "source":
            text = "" if corpus.sources is None else corpus.sources[one.segment]
        ends = {name: in_code_units(text, one.record[name]) for name in ("start", "end")}
        return {"side": one.record["side"], **ends}

    def record(one: Placed) -> dict[str, Any]:
        said = {name: one.record[name] for name in _SAID if one.record.get(name) is not None}
        return {
            "kind": numbers[one.kind],
            **place(one),
            "message": one.record["message"],
            **said,
            **({} if one.change is None else {"change": one.change}),
        }

    ordered = sorted(found, key=lambda one: one.segment // CHUNK)
    for piece, members in groupby(ordered, key=lambda one: one.segment // CHUNK):
        records: dict[str, list[dict[str, Any]]] = {}
        for one in members:
            records.setdefault(f"{one.system}/{one.segment}", []).append(record(one))
        yield f"findings/{piece}", json_block(records)
