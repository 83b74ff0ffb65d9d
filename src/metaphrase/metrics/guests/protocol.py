"""What a guest and its host say to each other: a line of JSON each.

A guest begins with a line about itself (:class:`Hello`). Then the host sends requests, ``{"id": 1, "rows":
[…]}``, and the guest answers each with ``{"id": 1, "scores": […]}`` or ``{"id": 1, "error": "…"}``, to which
``"row": 0`` may say which row it is about. A guest that marks errors gives ``spans``, too, a list for each
row. docs/guests.md has all of it, and an example.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from metaphrase.corpus.formats.judged.error_spans import SEVERITIES
from metaphrase.corpus.ratings import MarkedError
from metaphrase.corpus.span_places import apart
from metaphrase.errors import ResourceError, excerpt

#: To be raised when a guest of before would not be understood.
PROTOCOL = 1
#: What a guest can do with the references of a segment.
REFERENCES = ("none", "one", "all")
#: Characters of a text about a guest: names, versions, hashes.
_LONGEST = 200
_MODEL = ("name", "hash", "licence")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """What a guest says of itself before anything is asked.

    name, version:    of the metric, for the signature
    source:           whether rows are to have the source
    references:       ``none``, ``one`` (each is asked for by itself, and the mean counts) or ``all``
    deterministic:    whether the same row has the same score whenever and beside whatever it is asked
    higher_is_better: whether a higher score is better
    bounds:           the lowest and the highest score there can be
    model:            ``name``, ``hash`` and ``licence``, as far as there are any
    libraries:        versions of what influences the score
    spans:            whether answers have the errors that it marks in each hypothesis
    """

    name: str
    version: str
    source: bool
    references: str
    deterministic: bool
    higher_is_better: bool
    bounds: tuple[float, float] = (-math.inf, math.inf)
    model: Mapping[str, str] = field(default_factory=dict)
    libraries: Mapping[str, str] = field(default_factory=dict)
    spans: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """What one score is asked for."""

    hypothesis: str
    references: tuple[str, ...]
    source: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """As it is sent; what the guest does not read is left out."""
        sent: dict[str, Any] = {"hypothesis": self.hypothesis}
        if self.references:
            sent["references"] = list(self.references)
        if self.source is not None:
            sent["source"] = self.source
        return sent


@dataclass(frozen=True, slots=True)
class Answer:
    """The scores of rows, and what is wrong with those that have none (``nan``).

    ``errors`` are those that were marked in each row, if the guest marks any.
    """

    scores: Sequence[float]
    faults: Mapping[int, ResourceError]
    errors: Sequence[tuple[MarkedError, ...]] | None = None


def read_hello(line: bytes) -> Hello:
    """What the first line of a guest says; anything else is an error."""
    said = _object(line, "its first line")
    if isinstance(said.get("error"), str):
        raise ResourceError("MP722", f"it says: {_clipped(said['error'])}")
    if "guest" not in said:
        _wrong('its first line has no "guest", the number of the protocol')
    if said["guest"] is True or said["guest"] != PROTOCOL:
        _wrong(f"it speaks protocol {said['guest']!r}, and not {PROTOCOL}")
    kinds: dict[str, type] = {
        "name": str,
        "version": str,
        "source": bool,
        "references": str,
        "deterministic": bool,
        "higher_is_better": bool,
    }
    for key, kind in kinds.items():
        if not isinstance(said.get(key), kind):
            what = "a text" if kind is str else "true or false"
            _wrong(f"its first line must have {key!r}, {what}")
    if said["references"] not in REFERENCES:
        _wrong(f"its 'references' are {said['references']!r}: {' or '.join(REFERENCES)}")
    spans = said.get("spans", False)
    if not isinstance(spans, bool):
        _wrong("its first line must have 'spans', true or false, or leave it out")
    others = said.keys() - {*kinds, "guest", "bounds", "model", "libraries", "spans"}
    if others:
        _wrong(f"its first line has {min(others)!r}, which means nothing")
    return Hello(
        name=_short(said["name"], "name"),
        version=_short(said["version"], "version"),
        **{key: said[key] for key in kinds if key not in ("name", "version")},
        bounds=_bounds(said.get("bounds")),
        model=_texts(said.get("model", {}), "model", _MODEL),
        libraries=_texts(said.get("libraries", {}), "libraries"),
        spans=spans,
    )


def request(number: int, rows: Sequence[Row]) -> bytes:
    """The line that asks for the scores of rows."""
    asked = {"id": number, "rows": [row.as_dict() for row in rows]}
    # In ASCII: lone surrogates, which UTF-8 cannot spell, come through, and so does whatever splits lines.
    return f"{json.dumps(asked)}\n".encode("ascii")


def read_answer(
    line: bytes,
    number: int,
    rows: Sequence[Row],
    bounds: tuple[float, float],
    *,
    spans: bool = False,
) -> Answer:
    """The scores that a line has, for ``rows`` that were asked for as ``number``, and errors with ``spans``.

    A row without a usable score, or with an error that cannot be, is a fault of that row; whatever is wrong
    with all of it is an error.
    """
    count = len(rows)
    said = _object(line, "an answer")
    if isinstance(said.get("id"), bool) or said.get("id") != number:
        _wrong(f"it answered request {said.get('id')!r} when {number} was asked")
    if (told := said.get("error")) is not None:
        row = said.get("row")
        if isinstance(row, int) and not isinstance(row, bool) and 0 <= row < count:
            fault = ResourceError("MP723", f"it says: {_clipped(str(told))}")
            return Answer([math.nan] * count, {row: fault})
        raise ResourceError("MP722", f"it says: {_clipped(str(told))}")
    scores = _list_of(said, "scores", count)
    found: list[float] = []
    faults: dict[int, ResourceError] = {}
    for place, score in enumerate(scores):
        if (fault_said := _fault(score, bounds)) is not None:
            faults[place] = ResourceError("MP721", fault_said)
        found.append(math.nan if fault_said else float(score))
    if not spans:
        return Answer(found, faults)
    errors: list[tuple[MarkedError, ...]] = []
    for place, (row, marked) in enumerate(zip(rows, _list_of(said, "spans", count), strict=True)):
        errors.append(())
        try:
            errors[place] = read_errors(marked, row.hypothesis)
        except ValueError as error:
            faults.setdefault(place, ResourceError("MP534", f"{error}."))
            found[place] = math.nan
    return Answer(found, faults, errors)


def _list_of(said: Mapping[str, Any], name: str, count: int) -> list[Any]:
    found = said.get(name)
    if not isinstance(found, list):
        _wrong(f"an answer has neither {name!r}, a list, nor 'error', a text")
    if len(found) != count:
        raise ResourceError("MP720", f"it gave {len(found):,} {name} for {count:,} rows.")
    return found


def read_errors(marked: object, hypothesis: str) -> tuple[MarkedError, ...]:
    """The errors that were marked in one row; what is wrong with them is a ValueError."""
    if not isinstance(marked, list) or not all(isinstance(one, dict) for one in marked):
        raise ValueError("its spans of a row are no list of objects")
    return apart(hypothesis, [_error(one, hypothesis) for one in marked])


def written_errors(errors: Sequence[MarkedError]) -> str:
    """What :func:`read_errors` reads, as JSON."""
    rows = []
    for one in errors:
        row: dict[str, object] = {"severity": one.severity, "category": one.category}
        if one.span is not None:
            row |= {"start": one.span[0], "end": one.span[1]}
        rows.append(row | {"points": one.points})
    return json.dumps(rows)


def _error(said: Mapping[str, Any], hypothesis: str) -> MarkedError:
    others = said.keys() - {"start", "end", "severity", "category", "points"}
    if others:
        raise ValueError(f"its span has {min(others)!r}, which means nothing")
    severity, category, points = said.get("severity"), said.get("category", ""), said.get("points")
    if severity not in SEVERITIES:
        raise ValueError(
            f"its span has the severity {excerpt(str(severity))}, which is none of "
            f"{', '.join(SEVERITIES)}"
        )
    if not isinstance(category, str) or len(category) > _LONGEST:
        raise ValueError(
            f"its span has a category that is no text of at most {_LONGEST} characters"
        )
    if points is not None and _fault(points, (-math.inf, math.inf)) is not None:
        raise ValueError(f"its span has points that are no number: {excerpt(json.dumps(points))}")
    place = None
    if {"start", "end"} & said.keys():
        start, end = said.get("start"), said.get("end")
        if any(isinstance(at, bool) or not isinstance(at, int) for at in (start, end)):
            raise ValueError("its span has no whole numbers start and end")
        if not 0 <= start < end <= len(hypothesis):  # type: ignore[operator]  # both are int
            raise ValueError(
                f"its span from {start} to {end} is not in the hypothesis, which has "
                f"{len(hypothesis)} characters"
            )
        place = (start, end)
    return MarkedError(severity, category, place, None if points is None else float(points))  # type: ignore[arg-type]


def _fault(score: object, bounds: tuple[float, float]) -> str | None:
    if isinstance(score, bool) or not isinstance(score, int | float):
        return f"its score is {excerpt(json.dumps(score))}, which is no number."
    try:
        value = float(score)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        return f"its score is {value}, which is no finite number."
    if not bounds[0] <= value <= bounds[1]:
        return f"its score is {value}, and it says that they are from {bounds[0]} to {bounds[1]}."
    return None


def _object(line: bytes, what: str) -> dict[str, Any]:
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        shown = line.decode("utf-8", "replace").rstrip("\r\n")
        raise ResourceError("MP719", f"{what} is no JSON: {excerpt(shown)}.") from None
    if not isinstance(said, dict):
        _wrong(f"{what} is no JSON object")
    return said


def _wrong(what: str) -> NoReturn:
    raise ResourceError("MP719", f"{what}.")


def _bounds(given: object) -> tuple[float, float]:
    if given is None:
        return -math.inf, math.inf
    ends = [-math.inf, math.inf]
    if not isinstance(given, list) or len(given) != 2:
        _wrong("its 'bounds' are two numbers, or null where there is no bound")
    for place, end in enumerate(given):
        if end is None:
            continue
        if isinstance(end, bool) or not isinstance(end, int | float) or abs(end) > 1e300:
            _wrong("its 'bounds' are two numbers, or null where there is no bound")
        ends[place] = float(end)
    if not ends[0] < ends[1]:
        _wrong(f"its 'bounds' are from {ends[0]} to {ends[1]}")
    return ends[0], ends[1]


def _texts(given: object, what: str, keys: Sequence[str] | None = None) -> dict[str, str]:
    if not isinstance(given, dict) or (keys is not None and not given.keys() <= set(keys)):
        named = "names and versions" if keys is None else ", ".join(keys)
        _wrong(f"its {what!r} is an object with {named}")
    return {_short(key, what): _short(value, what) for key, value in given.items()}


def _short(text: object, what: str) -> str:
    if not isinstance(text, str) or len(text) > _LONGEST:
        _wrong(f"its {what!r} must be a text of at most {_LONGEST} characters")
    return text


def _clipped(text: str) -> str:
    """A message of the guest as one line that a message of ours can bear."""
    line = " ".join(text.split())
    return line if len(line) <= 500 else f"{line[:499]}…"
