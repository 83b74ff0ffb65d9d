"""Errors that judges marked in Appraise and Pearmut: objects with ``start_i``, ``end_i`` and ``severity``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from metaphrase.corpus.ratings import MarkedError

#: What Appraise writes for a position of an error that is an omission.
_MISSING = "missing"
#: No text is longer, and no position further.
_FURTHEST = 1 << 30


def marked_errors(
    spans: object, *, length: int | None = None, pearmut: str | None = None
) -> tuple[MarkedError, ...]:
    """The errors of a list of objects; what is wrong with it is a ValueError.

    Appraise counts characters, and ``end_i`` is the one behind the last. Pearmut, of which the text that was
    shown is given, counts what it shows, and ``end_i`` is the last. A span that begins behind a text, whose
    ``length`` may be known, is on one of the tokens that stand for what is missing.
    """
    if not isinstance(spans, list):
        raise ValueError("the errors are no list")
    return tuple(_errors(spans, length, None if pearmut is None else shown_characters(pearmut)))


def shown_characters(text: str) -> list[int]:
    """The place in ``text`` of each character that Pearmut counts: UTF-16's units, without line feeds.

    Its pages have an element for each of them (``contentToCharSpans`` of ``utils.ts``, Pearmut 1.1.6).
    """
    return [
        place
        for place, character in enumerate(text)
        if character != "\n"
        for _ in range(1 + (character > "\uffff"))
    ]


def _errors(spans: list[Any], length: int | None, shown: list[int] | None) -> Iterator[MarkedError]:
    for span in spans:
        if not isinstance(span, dict):
            raise ValueError("an error is no object")
        severity, category = span.get("severity"), span.get("category")
        if not isinstance(severity, str | None) or not isinstance(category, str | None):
            raise ValueError("an error has a severity or category that is no text")
        start, end = span.get("start_i"), span.get("end_i")
        place: tuple[int, int] | None = None
        if _MISSING not in (start, end):
            first, last = _position(start), _position(end)
            if shown is None:
                place = (first, last) if length is None or first < length else None
            elif first < len(shown):
                place = shown[first], shown[min(last, len(shown) - 1)] + 1
        # Without a severity it is the judge's mistake that cannot be weighed, not ours to guess.
        yield MarkedError((severity or "").lower(), category or "", place)


def _position(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < _FURTHEST:
        raise ValueError("an error begins or ends nowhere")
    return value
