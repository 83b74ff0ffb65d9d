"""Error spans as JSON Lines: which characters of a translation raters, or metrics, hold for wrong.

A line is a translation with all that was said of it::

    {"set": "news", "lp": "de-en", "system": "A", "doc": "d1", "seg": "1", "source": "Die Katze.",
     "references": ["The cat."], "hypothesis": "The dog.", "ratings": [{"rater": "ann", "score": 70,
     "spans": [{"side": "target", "start": 4, "end": 7, "severity": "major", "category": "Accuracy",
     "points": 5.0, "correction": "cat"}]}]}

``start`` and ``end`` are characters of the hypothesis, the last one excluded, where ``side`` is ``target``;
of the source where it is ``source``, and may be missing there; an error without a place has the side
``none``. A rating without spans
says that there is no error. ``set``, ``lp``, ``doc``, ``source``, ``references``, ``score``, ``category``,
``points`` and ``correction`` may be missing; a correction that is empty says that words are to be removed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from metaphrase.corpus.formats.format import Format
from metaphrase.corpus.formats.judged.texts import data_name
from metaphrase.corpus.formats.score_text import is_language_pair, shown
from metaphrase.corpus.formats.tables.jsonl import encoded_objects
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.corpus.ratings import Item, MarkedError, Rating, Ratings, no_ratings
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError

#: From the least to the worst; raters of ESA may leave it undecided how bad an error is.
SEVERITIES = ("neutral", "undecided", "minor", "major", "critical")
_SIDES = ("target", "source", "none")
_FIELDS = ("system", "seg", "hypothesis", "ratings")


def read_error_spans(path: FilePath) -> list[Ratings]:
    """The ratings of each data set and language pair, in the order of their first lines.

    Errors of the source and those without a place have no span.
    """
    items: dict[tuple[str, str], dict[str, Item]] = {}
    ratings: dict[tuple[str, str], dict[tuple[str, str], Rating]] = {}
    with LineReader(path) as reader:
        name = reader.name
        for line, text in reader:
            try:
                row = _object(_json(text), "the line")
                key, item = _place(row)
                given = [_rating(one, item, line) for one in _list(row["ratings"], "ratings")]
            except _OutsideError as error:
                raise _outside(str(error), name, line) from None
            except ValueError as error:
                raise _fault(str(error), name, line) from None
            if items.setdefault(key, {}).setdefault(item.id, item) != item:
                raise _fault(
                    f"the translation of {shown(item.system)} for segment {shown(item.segment)} has another "
                    "text in a line above",
                    name,
                    line,
                )
            known = ratings.setdefault(key, {})
            for rating in given:
                if (rating.judge, rating.item) in known:
                    raise InputError(
                        "MP794",
                        f"{shown(rating.judge)} has rated this translation by {shown(item.system)} in line "
                        f"{known[rating.judge, rating.item].line}, too.",
                        path=name,
                        line=line,
                        hint="Give each translation one line, and each rater a name of their own.",
                    )
                known[rating.judge, rating.item] = rating
    if not any(ratings.values()):
        raise no_ratings(name)
    return [
        Ratings(
            data or _stem(name),
            pair,
            "mqm" if all(one.score is None for one in found.values()) else "esa",
            items[data, pair],
            tuple(found.values()),
            name,
        )
        for (data, pair), found in ratings.items()
    ]


def error_span_lines(ratings: Ratings) -> Iterator[dict[str, object]]:
    """A row for each translation with what all raters said of it, ready to be written as JSON."""
    by_item: dict[str, list[Rating]] = {}
    for rating, item in ratings.of_kind("target"):
        by_item.setdefault(item.id, []).append(rating)
    for name, given in by_item.items():
        item = ratings.items[name]
        yield {
            "set": ratings.name,
            "lp": ratings.language_pair,
            "system": item.system,
            "doc": item.document,
            "seg": item.segment,
            "source": item.source,
            "references": list(item.references),
            "hypothesis": item.hypothesis,
            "ratings": [_rating_row(rating) for rating in given if rating.errors is not None],
        }


def write_error_spans(ratings: Iterable[Ratings], path: FilePath) -> None:
    """Write what :func:`read_error_spans` reads; errors without a span have the side ``none``."""
    with atomic_writer(path) as stream:
        for one in ratings:
            stream.write(encoded_objects(error_span_lines(one)))


def _rating_row(rating: Rating) -> dict[str, object]:
    row: dict[str, object] = {"rater": rating.judge}
    if rating.score is not None:
        row["score"] = rating.score
    return row | {"spans": [_span_row(error) for error in rating.errors or ()]}


def _span_row(error: MarkedError) -> dict[str, object]:
    row: dict[str, object] = {"side": "none"}
    if error.span is not None:
        row = {"side": "target", "start": error.span[0], "end": error.span[1]}
    row["severity"] = error.severity
    if error.category:
        row["category"] = error.category
    if error.points is not None:
        row["points"] = error.points
    if error.correction is not None:
        row["correction"] = error.correction
    return row


class _OutsideError(ValueError):
    """A span that is not in its text."""


def _json(text: str) -> object:
    try:
        found: object = json.loads(text)
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("it has half a surrogate pair") from None
    except (ValueError, RecursionError):
        raise ValueError("it is no JSON") from None
    return found


def _place(row: Mapping[str, Any]) -> tuple[tuple[str, str], Item]:
    """The data set and language pair of a line, and its translation."""
    missing = [name for name in _FIELDS if name not in row]
    if missing:
        raise ValueError(f"it lacks {', '.join(missing)}")
    pair = _label(row, "lp")
    if pair and not is_language_pair(pair):
        raise ValueError(f"{shown(pair)} is not a language pair")
    references = _list(row.get("references", []), "references")
    if not all(isinstance(reference, str) for reference in references):
        raise ValueError("a reference is no text")
    place = _label(row, "system"), _label(row, "doc"), _label(row, "seg")
    item = Item(
        "\t".join(place),
        *place,
        source=_label(row, "source"),
        hypothesis=_text(row, "hypothesis"),
        references=tuple(references),
    )
    return (_label(row, "set"), pair), item


def _rating(value: object, item: Item, line: int) -> Rating:
    row = _object(value, "a rating")
    errors = tuple(_error(_object(one, "a span"), item) for one in _list(row.get("spans"), "spans"))
    score = _number(row, "score")
    return Rating(_label(row, "rater"), item.id, score, errors, line=line)


def _error(row: Mapping[str, Any], item: Item) -> MarkedError:
    side, severity = row.get("side"), row.get("severity")
    if side not in _SIDES:
        raise ValueError(f"the side {shown(str(side))} is none of {', '.join(_SIDES)}")
    if not isinstance(severity, str) or severity.lower() not in SEVERITIES:
        raise ValueError(f"the severity {shown(str(severity))} is none of {', '.join(SEVERITIES)}")
    span = None
    if side == "target":
        span = _span(row, item.hypothesis, "hypothesis")
    elif side == "source" and "start" in row:
        _span(row, item.source, "source")
    correction = None if row.get("correction") is None else _text(row, "correction")
    return MarkedError(
        severity.lower(), _label(row, "category"), span, _number(row, "points"), correction
    )


def _span(row: Mapping[str, Any], text: str, what: str) -> tuple[int, int]:
    start, end = row.get("start"), row.get("end")
    for value in (start, end):
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError("a span has no whole numbers start and end")
    if not 0 <= start < end <= len(text):  # type: ignore[operator]  # both are int
        raise _OutsideError(
            f"The span {start}–{end} is not in the {what}, which has {len(text)} characters."
        )
    return start, end  # type: ignore[return-value]


def _number(row: Mapping[str, Any], name: str) -> float | None:
    value = row.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e100:
        raise ValueError(f"{name} is {shown(str(value))}, which is no number to compute with")
    return float(value)


def _object(value: object, what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{what} is no object")
    return value


def _list(value: object, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"{what} is no list")
    return value


def _text(row: Mapping[str, Any], name: str) -> str:
    if not isinstance(row[name], str):
        raise ValueError(f"{name} is no text")
    return str(row[name])


def _label(row: Mapping[str, Any], name: str) -> str:
    """A name or a number as text; nothing is the empty text."""
    value = row.get(name)
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError(f"{name} is {shown(str(value))}, where text belongs")
    return str(value)


def _stem(name: str) -> str:
    return data_name(name).removesuffix(".jsonl").removesuffix(".spans")


def _fault(what: str, path: str, line: int) -> InputError:
    return InputError(
        "MP778",
        f"The line has no error spans: {what}.",
        path=path,
        line=line,
        hint="A line is a translation with system, seg, hypothesis and ratings, each with rater and spans: "
        "side, start, end, severity.",
    )


def _outside(what: str, path: str, line: int) -> InputError:
    return InputError(
        "MP779",
        what,
        path=path,
        line=line,
        hint="start and end count characters from 0, and end is the one behind the last.",
    )


FORMATS = (
    Format(
        name="error-spans",
        holds="judgements",
        description="translations with marked error spans, one JSON object per line",
        recognises=lambda head: head.fields >= {"hypothesis", "ratings"},
        read=read_error_spans,
        write=write_error_spans,
        open_judgements=lambda path, files: (one.judgements() for one in read_error_spans(path)),
        open_ratings=lambda path, weights: read_error_spans(path),
        options=("judges",),
    ),
)
