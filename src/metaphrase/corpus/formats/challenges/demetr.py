"""DEMETR: translations into English, and the same translations with one error put in.

Marzena Karpinska, Nishant Raj, Katherine Thai, Yixiao Song, Ankita Gupta and Mohit Iyyer: DEMETR: Diagnosing
Evaluation Metrics for Translation. EMNLP 2022. A file is a list of items in JSON, all with one kind of error,
which is called by its severity, a number and a name: ``critical_id10_numbers_replaced``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from metaphrase.corpus.challenges import Challenge
from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.units.file_bytes import file_text
from metaphrase.corpus.lines import FilePath, shown_name
from metaphrase.errors import InputError

#: Here the other text is the reference itself, so that the translation is the worse of the two.
_REFERENCE = "base_id35_reference"
_TEXTS = ("src_sent", "eng_sent", "mt_sent", "pert_sent", "severity", "pert_name")
_NAME = re.compile(r"[a-z]+_id[0-9]+_(.+)")
_WHITE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


def read_demetr(path: FilePath) -> list[Challenge]:
    """The items of one file; those that the error could not be put into are left out."""
    name = shown_name(path)
    text = file_text(path, code="MP121")
    found = [_challenge(row, name, line) for line, row in _rows(text, name) if _counts(row)]
    if not found:
        raise InputError(
            "MP113", "The file has no items that count.", path=name, hint="Name another."
        )
    return found


def _rows(text: str, path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The items of the list and the lines in which they begin."""

    def fault(reason: str) -> InputError:
        return InputError(
            "MP758",
            f"This is no list of DEMETR: {reason}.",
            path=path,
            line=line,
            hint=f"It is a JSON list of objects with id, pert_check, {', '.join(_TEXTS)}.",
        )

    line, at = 1, 0

    def skip(start: int) -> int:
        found = _WHITE.match(text, start)
        return start if found is None else found.end()

    position = skip(0)
    if text[position : position + 1] != "[":
        raise fault("it does not begin with a bracket")
    position = skip(position + 1)
    while True:
        line += text.count("\n", at, position)
        at = position
        try:
            row, position = _DECODER.raw_decode(text, position)
        except RecursionError:
            raise fault("it is nested too deeply") from None
        except ValueError as error:
            raise fault(f"an item is no JSON ({getattr(error, 'msg', error)})") from None
        if wrong := _wrong(row):
            raise fault(f"an item {wrong}")
        yield line, row
        position = skip(position)
        following = text[position : position + 1]
        if following not in (",", "]"):
            raise fault("something else follows an item than a comma or the closing bracket")
        position = skip(position + 1)
        if following == "]":
            if position < len(text):
                raise fault("something follows its end")
            return


def _wrong(row: object) -> str:
    """What is wrong with an item; nothing if it can be used."""
    if not isinstance(row, dict):
        return "is no object"
    for name in _TEXTS:
        if not isinstance(row.get(name), str):
            return f"has no text {name!r}"
        try:
            row[name].encode()
        except UnicodeEncodeError:
            return f"has half a surrogate pair in {name!r}"
    if not row["eng_sent"].strip() or not row["mt_sent"].strip():
        return "has no reference or no translation"
    if isinstance(row.get("id"), bool) or not isinstance(row.get("id"), int):
        return "has no number 'id'"
    if not isinstance(row.get("pert_check"), bool):
        return "does not say in 'pert_check' whether its error was put in"
    return ""


def _counts(row: dict[str, Any]) -> bool:
    return bool(row["pert_check"])


def _challenge(row: dict[str, Any], path: str, line: int) -> Challenge:
    name = row["pert_name"]
    good, bad = row["mt_sent"], row["pert_sent"]
    if name == _REFERENCE:
        good, bad = bad, good
    title = _NAME.fullmatch(name)
    return Challenge(
        kind=(title[1] if title else name).replace("_", " "),
        severity=row["severity"],
        reference=row["eng_sent"],
        good=good,
        bad=bad,
        source=row["src_sent"],
        id=str(row["id"]),
        path=path,
        line=line,
    )


def _recognises(head: Head) -> bool:
    start = "\n".join(head.lines)
    fields = ('"pert_sent"', '"mt_sent"', '"eng_sent"')
    return start.lstrip().startswith("[") and all(name in start for name in fields)


FORMATS = (
    Format(
        name="demetr",
        holds="challenges",
        description="a challenge set of DEMETR",
        recognises=_recognises,
        read=read_demetr,
    ),
)
