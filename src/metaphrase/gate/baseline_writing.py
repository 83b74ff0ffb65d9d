"""A snapshot written to a file of JSON.

A segment is a line, so that version control shows which of them changed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from metaphrase.corpus.lines import FilePath
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError
from metaphrase.gate.groups import LEVELS
from metaphrase.gate.snapshot import Snapshot

FORMAT = "metaphrase gate baseline"
#: Goes up whenever a baseline means something else than before, or has other entries.
VERSION = 1


def write_baseline(path: FilePath, snapshot: Snapshot, *, with_texts: bool = True) -> None:
    """Write a baseline, whole or not at all; a name in ``.gz`` is compressed.

    Without its texts a baseline says nothing that the hashes and scores do not give away; a gate can then
    still judge, but not show what a segment was before.
    """
    with atomic_writer(path) as stream:
        stream.writelines(line.encode() for line in _lines(snapshot, with_texts))


def _lines(snapshot: Snapshot, with_texts: bool) -> Iterator[str]:
    head: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "metaphrase": snapshot.version,
        "system": snapshot.system,
        "language": snapshot.language,
        "hashes": snapshot.hashes,
        "metrics": [
            {
                "name": name,
                "specification": measured.specification,
                "signature": measured.signature,
                "higher_is_better": measured.higher_is_better,
                "bounds": [_bound(bound) for bound in measured.bounds],
                "score": _compact(measured.system),
            }
            for name, measured in snapshot.metrics.items()
        ],
    }
    if snapshot.checks is not None:
        head["checks"] = snapshot.checks
        head["unscored"] = {
            name: [asdict(finding) for finding in found]
            for name, found in snapshot.unscored.items()
            if found
        }
    yield _json(head, indent=1).removesuffix("\n}") + ',\n "segments": ['
    for row in range(len(snapshot)):
        yield f"{',' if row else ''}\n  {_json(_segment(snapshot, row, with_texts))}"
    yield "\n ]\n}\n"


def _segment(snapshot: Snapshot, row: int, with_texts: bool) -> dict[str, Any]:
    metrics = snapshot.metrics.values()
    record: dict[str, Any] = {}
    if snapshot.ids is not None:
        record["id"] = snapshot.ids[row]
    for level in LEVELS:
        if (names := snapshot.groups(level)) is not None:
            record[level] = names[row]
    record |= {
        "reference": snapshot.reference_hashes[row],
        "hypothesis": snapshot.hypothesis_hashes[row],
    }
    if snapshot.source_hashes is not None:
        record["source"] = snapshot.source_hashes[row]
    record |= {
        "scores": [_compact(one.segment[row]) if one.kept[row] else None for one in metrics],
        "statistics": [
            list(map(_compact, one.statistics[row])) if one.kept[row] else None for one in metrics
        ],
    }
    if snapshot.findings is not None:
        record["findings"] = [asdict(finding) for finding in snapshot.findings[row]]
    if with_texts and (texts := snapshot.texts) is not None:
        record["texts"] = {
            "hypothesis": texts.hypotheses[row],
            "references": [
                text for column in texts.references if (text := column[row]) is not None
            ],
        }
        if texts.sources is not None:
            record["texts"]["source"] = texts.sources[row]
    return record


def _json(value: object, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)


def _compact(value: float) -> int | float:
    """Counts without a decimal point; they are the same numbers when they are read."""
    number = float(value)
    if not math.isfinite(number):
        raise InputError(
            "MP743", "a score or a statistic is infinite or not a number: no baseline can hold it."
        )
    return int(number) if number.is_integer() and abs(number) < 1 << 53 else number


def _bound(value: float) -> float | None:
    return value if math.isfinite(value) else None
