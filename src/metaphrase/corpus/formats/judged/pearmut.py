"""Results of Pearmut: annotations as the dashboard hands them out, or the log of a campaign as JSON Lines.

An annotation is of a document: ``item`` is the list of its items as they were shown, ``annotation`` the list
of what was said of each, by the name of its model: ``{"score": 70, "error_spans": […]}``. Somebody who goes
back adds another annotation of the document, and the last one counts; ``__RESET__`` takes back all that a
user has said before it. Documents that greet, check or part (``welcome_0``, ``random_3``, ``goodbye_0``) are
passed over, as Pearmut passes over them. Read from ``app.py``, ``utils.py`` and ``results_export.py`` of
Pearmut 1.1.6.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.judged.marked_spans import marked_errors
from metaphrase.corpus.formats.judged.texts import data_name
from metaphrase.corpus.formats.units.file_bytes import file_bytes
from metaphrase.corpus.lines import FilePath, shown_name
from metaphrase.corpus.ratings import BEST, Item, Rating, Ratings, no_ratings
from metaphrase.errors import InputError

_FIELDS = frozenset({"annotation", "item", "user_id", "item_i"})
_RESET = "__RESET__"
_ASIDE = ("welcome_", "random_", "goodbye_")
#: Pearmut counts at most so many seconds between two things that somebody does.
_LONGEST_PAUSE = 61.0
#: How the annotations of a campaign begin, whose line may be too long to be looked at whole.
_BEGINNING = re.compile(r'\{"(?:[^"\\]|\\.)*": ?\[\{"(?:annotation|actions|item|user_id|item_i)"')
_Entry = tuple[int | None, Mapping[str, Any]]


def read_pearmut(path: FilePath) -> Ratings:
    """The ratings of one campaign; texts are those that judges were shown."""
    name = shown_name(path)
    campaign, entries = _entries(file_bytes(path), name)
    items: dict[str, Item] = {}
    ratings: dict[tuple[str, str], Rating] = {}
    for line, entry in _counting(entries, name):
        try:
            for rating, item in _of_document(entry, line):
                items.setdefault(item.id, item)
                ratings[rating.judge, rating.item] = rating
        except ValueError as error:
            raise _fault(str(error), name, line) from None
    if not ratings:
        raise no_ratings(name)
    with_scores = any(rating.score is not None for rating in ratings.values())
    with_errors = any(rating.errors for rating in ratings.values())
    return Ratings(
        campaign or data_name(name).removesuffix(".json").removesuffix(".jsonl"),
        "",
        "mqm" if not with_scores else "esa" if with_errors else "da",
        items,
        tuple(ratings.values()),
        name,
    )


def _entries(data: bytes, path: str) -> tuple[str, list[_Entry]]:
    """The name of the campaign, if the file says it, and its annotations with their lines."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise _fault("it is not UTF-8", path, None) from None
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    try:
        first = json.loads(lines[0][1]) if lines else None
    except (ValueError, RecursionError):
        first = None
    if isinstance(first, dict) and first.keys() >= _FIELDS:
        return "", [
            (number, _object(_json(line, path, number), path, number)) for number, line in lines
        ]
    whole = _object(_json(text, path, None), path, None)
    if len(whole) != 1:
        raise _fault(f"it has {len(whole)} campaigns", path, None)
    ((campaign, entries),) = whole.items()
    if not isinstance(entries, list):
        raise _fault("the campaign has no list of annotations", path, None)
    return campaign, [(None, _object(entry, path, None)) for entry in entries]


def _counting(entries: list[_Entry], path: str) -> Iterator[_Entry]:
    """The annotations that nobody has taken back."""
    resets: dict[str, int] = {}
    for place, (line, entry) in enumerate(entries):
        user = entry.get("user_id")
        if not isinstance(user, str) or not user:
            raise _fault("an annotation has no user_id", path, line)
        if entry.get("annotation") == _RESET:
            resets[user] = place
    for place, (line, entry) in enumerate(entries):
        if place > resets.get(entry["user_id"], -1) and not str(entry.get("item_i")).startswith(
            _ASIDE
        ):
            yield line, entry


def _of_document(entry: Mapping[str, Any], line: int | None) -> Iterator[tuple[Rating, Item]]:
    shown, said = entry.get("item"), entry.get("annotation")
    if not isinstance(shown, list) or not isinstance(said, list) or len(shown) != len(said):
        raise ValueError("items and annotations are no lists of one length")
    answers = sum(len(answer) for answer in said if isinstance(answer, dict))
    seconds = _active_seconds(entry.get("actions"))
    each = None if seconds is None or not answers else seconds / answers
    for number, (item, answer) in enumerate(zip(shown, said, strict=True)):
        if not isinstance(item, dict) or not isinstance(answer, dict):
            continue  # a form, or an item that could be skipped
        for model, found in answer.items():
            texts = item.get("tgt")
            if not isinstance(texts, dict) or not isinstance(texts.get(model), str):
                raise ValueError(f"there is no translation of the model {model[:40]!r}")
            rated = _item(item, model, texts[model], entry.get("item_i"), number)
            if not isinstance(found, dict):
                raise ValueError("an annotation is no object")
            spans = found.get("error_spans") or []
            errors = marked_errors(spans, pearmut=texts[model])
            yield Rating(entry["user_id"], rated.id, _score(found), errors, each, line), rated


def _item(item: Mapping[str, Any], model: str, text: str, place: object, number: int) -> Item:
    for name in ("src", "ref", "item_id", "doc_id"):
        if not isinstance(item.get(name), str | None):
            raise ValueError(f"{name} is no text")
    segment = item.get("item_id") or f"{place}.{number}"
    references = () if item.get("ref") is None else (item["ref"],)
    return Item(
        f"{segment} {model}",
        model,
        item.get("doc_id") or "",
        segment,
        source=item.get("src") or "",
        hypothesis=text,
        references=references,
    )


def _score(found: Mapping[str, Any]) -> float | None:
    score = found.get("score")
    if score is None:
        return None
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= BEST:
        raise ValueError(f"the score {str(score)[:20]} is none from 0 to {BEST}")
    return float(score)


def _active_seconds(actions: object) -> float | None:
    """How long somebody was at it, without longer pauses."""
    if not isinstance(actions, list):
        return None
    times = [action.get("time") for action in actions if isinstance(action, dict)]
    known = [t for t in times if isinstance(t, int | float) and not isinstance(t, bool)]
    if len(known) < 2 or not all(abs(t) < 1e12 for t in known):
        return None
    return sum(min(max(b - a, 0.0), _LONGEST_PAUSE) for a, b in pairwise(known))


def _json(text: str, path: str, line: int | None) -> object:
    try:
        found: object = json.loads(text)
        json.dumps(found, ensure_ascii=False).encode()  # half a surrogate pair is a ValueError
    except (ValueError, RecursionError):
        raise _fault("it is no JSON", path, line) from None
    return found


def _object(value: object, path: str, line: int | None) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _fault("there is no object where one belongs", path, line)
    return value


def _fault(what: str, path: str, line: int | None) -> InputError:
    return InputError(
        "MP791",
        f"This is no result of Pearmut: {what}.",
        path=path,
        line=line,
        hint="Give the annotations of one campaign, as the dashboard or data/annotations has them.",
    )


def _recognises(head: Head) -> bool:
    if not head.lines or head.is_folder:
        return False
    logged = head.fields >= {"annotation", "item", "user_id", "item_i"}
    return logged or _BEGINNING.match(head.lines[0]) is not None


FORMATS = (
    Format(
        name="pearmut",
        holds="ratings",
        description="annotations of Pearmut as JSON or JSON Lines",
        recognises=_recognises,
        read=read_pearmut,
        open_ratings=lambda path, weights: [read_pearmut(path)],
        of_items=True,
    ),
)
