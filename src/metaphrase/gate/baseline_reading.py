"""A baseline read with suspicion: files are cut off, edited, and merged by version control.

Every entry is checked, and hashes are held against the texts that they are of, and against each other.
"""

from __future__ import annotations

import gzip
import math
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray, spread
from metaphrase.corpus.lines import FilePath
from metaphrase.corpus.validation import columns_of_segments
from metaphrase.errors import InputError, excerpt
from metaphrase.gate.baseline_writing import FORMAT, VERSION
from metaphrase.gate.snapshot import Measured, SegmentFinding, Snapshot, Texts, check_ids, text_hash
from metaphrase.trained.checked_json import DamagedJsonError, parse_object

MOST_BYTES = 1 << 30

_HEAD = {
    "metaphrase": str,
    "system": str,
    "language": str,
    "hashes": dict,
    "metrics": list,
    "segments": list,
}
_HEAD_PERHAPS = {"checks": str, "unscored": dict}
_METRIC = {
    "name": str,
    "specification": str,
    "signature": str,
    "higher_is_better": bool,
    "bounds": list,
    "score": float,
}
_SEGMENT = {"reference": str, "hypothesis": str, "scores": list, "statistics": list}
_PERHAPS = {
    "id": str,
    "document": str,
    "domain": str,
    "source": str,
    "texts": dict,
    "findings": list,
}
_FINDING = {"code": str, "severity": str, "message": str}
#: What sums of statistics can hold.
_LARGEST = 2.0**32
_NUMBERS = frozenset((int, float))
_WORDS = {
    str: "text",
    dict: "an object",
    list: "a list",
    bool: "true or false",
    float: "a number",
}


def load_baseline(path: FilePath) -> Snapshot:
    """Read a baseline, whose every entry is checked."""
    try:
        entries = parse_object(_content(path))
    except DamagedJsonError as error:
        raise _damaged(path, str(error)) from None
    found = entries.pop("format", None), entries.pop("version", None)
    # True and 1.0 are equal to 1.
    if found[0] != FORMAT or type(found[1]) is not int or found[1] != VERSION:
        known = found[0] == FORMAT
        raise InputError(
            "MP902",
            f"The baseline is of version {excerpt(str(found[1]))}, and this program reads {VERSION}."
            if known
            else "This is no baseline of a gate.",
            path=path,
            hint="Write one with --write-baseline.",
        )
    return _Reader(path).snapshot(entries)


def _content(path: FilePath) -> bytes:
    try:
        with Path(path).open("rb") as stream:
            if stream.read(2) == b"\x1f\x8b":
                stream.seek(0)
                with gzip.GzipFile(fileobj=stream) as packed:
                    content = packed.read(MOST_BYTES + 1)
            else:
                stream.seek(0)
                content = stream.read(MOST_BYTES + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise DamagedJsonError("its compression is cut off or damaged") from None
    except (OSError, ValueError) as error:
        missing = isinstance(error, FileNotFoundError)
        raise InputError(
            "MP900",
            f"The baseline cannot be opened: {getattr(error, 'strerror', None) or error}.",
            path=path,
            hint="Write one with --write-baseline." if missing else "Check the path.",
        ) from None
    if len(content) > MOST_BYTES:
        raise DamagedJsonError(f"it has more than {MOST_BYTES:,} bytes")
    return content


def _damaged(path: FilePath, reason: str) -> InputError:
    return InputError(
        "MP901",
        f"The baseline is damaged: {reason}.",
        path=path,
        hint="Write it again with --write-baseline.",
    )


class _Reader:
    """Turns what a file says into a snapshot; ``path`` is for messages."""

    def __init__(self, path: FilePath) -> None:
        self._path = path

    def snapshot(self, entries: Mapping[str, Any]) -> Snapshot:
        head = self._typed(entries, _HEAD, _HEAD_PERHAPS, "it")
        metrics = [
            self._typed(metric, _METRIC, {}, f"metric {number}")
            for number, metric in enumerate(head["metrics"], 1)
        ]
        if not metrics and not head["segments"] and "checks" in head:
            return self._checks_alone(head)
        if not metrics:
            raise self._wrong("it has no metric")
        if not head["segments"]:
            raise self._wrong("it has no segment")
        segments = [
            self._typed(segment, _SEGMENT, _PERHAPS, f"segment {number}")
            for number, segment in enumerate(head["segments"], 1)
        ]
        for name in _PERHAPS:
            for number, segment in enumerate(segments, 1):
                if (name in segment) != (name in segments[0]):
                    lacks = "lacks" if name in segments[0] else "alone has"
                    raise self._wrong(f"segment {number} {lacks} {name!r}")
        names = [metric["name"] for metric in metrics]
        if len(set(names)) < len(names):
            raise self._wrong("it has a metric twice")
        ids = self._column(segments, "id")
        try:
            check_ids(ids)
        except InputError as error:
            raise error.at(self._path) from None
        snapshot = Snapshot(
            system=head["system"],
            language=head["language"],
            metrics={
                metric["name"]: self._measured(metric, place, len(metrics), segments)
                for place, metric in enumerate(metrics)
            },
            reference_hashes=tuple(segment["reference"] for segment in segments),
            hypothesis_hashes=tuple(segment["hypothesis"] for segment in segments),
            source_hashes=self._column(segments, "source"),
            ids=ids,
            documents=self._column(segments, "document"),
            domains=self._column(segments, "domain"),
            texts=self._texts(segments),
            findings=self._findings(segments),
            unscored=self._unscored(head),
            checks=head.get("checks"),
            version=head["metaphrase"],
        )
        if head["hashes"] != snapshot.hashes:
            raise self._wrong("its hashes are not those of its segments")
        return snapshot

    def _checks_alone(self, head: Mapping[str, Any]) -> Snapshot:
        """A baseline of units that were not scored."""
        return Snapshot(
            system=head["system"],
            language=head["language"],
            metrics={},
            reference_hashes=(),
            hypothesis_hashes=(),
            findings=(),
            unscored=self._unscored(head),
            checks=head["checks"],
            version=head["metaphrase"],
        )

    def _unscored(self, head: Mapping[str, Any]) -> dict[str, tuple[SegmentFinding, ...]]:
        return {
            name: self._found(found, f"the unit {excerpt(name)}")
            for name, found in head.get("unscored", {}).items()
        }

    def _column(self, segments: Sequence[Mapping[str, Any]], name: str) -> tuple[str, ...] | None:
        if name not in segments[0]:
            return None
        return tuple(segment[name] for segment in segments)

    def _measured(
        self,
        metric: Mapping[str, Any],
        place: int,
        count: int,
        segments: Sequence[Mapping[str, Any]],
    ) -> Measured:
        low, high = self._bounds(metric)
        scores, rows, kept = [], [], []
        for number, segment in enumerate(segments, 1):
            if len(segment["scores"]) != count or len(segment["statistics"]) != count:
                raise self._wrong(f"segment {number} has not the scores of {count} metrics")
            score, row = segment["scores"][place], segment["statistics"][place]
            if (score is None) != (row is None):
                raise self._wrong(f"segment {number} has a score or statistics of it, but not both")
            kept.append(score is not None)
            if score is not None:
                scores.append(score)
                rows.append(row)
        if not scores:
            raise self._wrong(f"it has no score of {metric['name']}")
        scored = np.array(kept)
        return Measured(
            metric["specification"],
            metric["signature"],
            metric["higher_is_better"],
            (low, high),
            metric["score"],
            spread(self._numbers(scores, f"the scores of {metric['name']}"), scored),
            spread(self._table(rows, f"the statistics of {metric['name']}"), scored),
        )

    def _bounds(self, metric: Mapping[str, Any]) -> tuple[float, float]:
        bounds = metric["bounds"]
        if len(bounds) != 2 or any(b is not None and not _is_number(b) for b in bounds):
            raise self._wrong(f"the bounds of {metric['name']} are not two numbers")
        low, high = bounds
        return -math.inf if low is None else low, math.inf if high is None else high

    def _numbers(self, values: Sequence[object], where: str) -> FloatArray:
        return self._table([[value] for value in values], where)[:, 0]

    def _table(self, rows: Sequence[object], where: str) -> FloatArray:
        """Rows of equally many finite numbers; types are looked at in one go, since there are millions."""
        width = len(rows[0]) if isinstance(rows[0], list) else 0
        for number, row in enumerate(rows, 1):
            if not isinstance(row, list) or len(row) != width or not width:
                raise self._wrong(f"{where} are not equally many for segment {number}")
            if not _NUMBERS.issuperset(map(type, row)):
                raise self._wrong(f"{where} have something else than numbers for segment {number}")
        try:
            table = np.array(rows, dtype=np.float64)
        except OverflowError:  # a whole number of hundreds of digits
            raise self._wrong(f"{where} have a number that is too large") from None
        if not np.all(np.abs(table) < _LARGEST):
            raise self._wrong(f"{where} have a number that is too large")
        return table

    def _texts(self, segments: Sequence[Mapping[str, Any]]) -> Texts | None:
        if "texts" not in segments[0]:
            return None
        hypotheses, references, sources = [], [], []
        with_sources = "source" in segments[0]
        kinds = {"hypothesis": str, "references": list} | ({"source": str} if with_sources else {})
        for number, segment in enumerate(segments, 1):
            texts = self._typed(segment["texts"], kinds, {}, f"segment {number}")
            if not all(isinstance(text, str) for text in texts["references"]):
                raise self._wrong(f"a reference of segment {number} is no text")
            hypotheses.append(texts["hypothesis"])
            references.append(tuple(texts["references"]))
            if with_sources:
                sources.append(texts["source"])
            self._check_hashes(segment, texts, number)
        if not all(references):
            raise self._wrong("one of its segments has no reference")
        columns = tuple(columns_of_segments(references))
        return Texts(tuple(hypotheses), columns, tuple(sources) if with_sources else None)

    def _check_hashes(
        self, segment: Mapping[str, Any], texts: Mapping[str, Any], number: int
    ) -> None:
        expected = {"hypothesis": [texts["hypothesis"]], "reference": texts["references"]}
        if "source" in texts:
            expected["source"] = [texts["source"]]
        for name, content in expected.items():
            try:
                found = text_hash(*content)
            except UnicodeEncodeError:
                raise self._wrong(f"segment {number} has half a surrogate pair") from None
            if segment[name] != found:
                raise self._wrong(f"the {name} of segment {number} is not the one that was hashed")

    def _findings(
        self, segments: Sequence[Mapping[str, Any]]
    ) -> tuple[tuple[SegmentFinding, ...], ...] | None:
        if "findings" not in segments[0]:
            return None
        return tuple(
            self._found(segment["findings"], f"segment {number}")
            for number, segment in enumerate(segments, 1)
        )

    def _found(self, findings: object, where: str) -> tuple[SegmentFinding, ...]:
        if not isinstance(findings, list):
            raise self._wrong(f"the findings of {where} are no list")
        return tuple(
            SegmentFinding(**self._typed(one, _FINDING, {}, f"a finding of {where}"))
            for one in findings
        )

    def _typed(
        self, entries: object, kinds: Mapping[str, type], perhaps: Mapping[str, type], where: str
    ) -> dict[str, Any]:
        """The entries, each of its type, none missing and none too many."""
        if not isinstance(entries, dict):
            raise self._wrong(f"{where} is no object")
        known = {**kinds, **perhaps}
        for name in (*kinds, *entries):
            if name not in entries or name not in known:
                lack = "lacks" if name in known else "has an unknown"
                raise self._wrong(f"{where} {lack} {excerpt(name)}")
        checked = dict(entries)
        for name, value in entries.items():
            kind = known[name]
            fits = _is_number(value) if kind is float else type(value) is kind
            if not fits:
                raise self._wrong(f"{name!r} of {where} is not {_WORDS[kind]}")
            if kind is float:
                checked[name] = float(value)
        return checked

    def _wrong(self, reason: str) -> InputError:
        return _damaged(self._path, reason)


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    # A whole number may have more digits than a double can hold.
    return abs(value) < 1 << 1000 and math.isfinite(value)
