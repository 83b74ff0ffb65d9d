"""JSON objects from files that may be cut off, far too large or written by somebody with a grudge."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any, NoReturn

from metaphrase.corpus.lines import FilePath

#: Python reads 4,300 at most.
_MOST_DIGITS = 4_000
#: Part of every number that is so large that Python reads it as infinite.
_PERHAPS_INFINITE = re.compile(r"[eE]\+?[0-9]{2}|[0-9]{250}")


class DamagedJsonError(ValueError):
    """The content is not a JSON object; the message says what it is, as in “it is cut off”."""


def read_limited(path: FilePath, most_bytes: int) -> bytes:
    """The content of a file of at most so many bytes; whatever keeps it from being read is an OSError."""
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(most_bytes + 1)
    except ValueError as error:  # a NUL character in the name
        raise OSError(0, str(error)) from None
    if len(content) > most_bytes:
        raise DamagedJsonError(f"it has more than {most_bytes:,} bytes")
    return content


def parse_object(content: str | bytes) -> dict[str, Any]:
    """The object; names are distinct and numbers are numbers."""
    try:
        text = content.decode() if isinstance(content, bytes) else content
        parsed = json.loads(
            text,
            object_pairs_hook=_distinct,
            parse_constant=_no_number,
            parse_int=_whole_number,
            # Asked of every number it would cost more than all the rest.
            parse_float=_finite if _PERHAPS_INFINITE.search(text) else None,
        )
    except UnicodeDecodeError:
        raise DamagedJsonError("it is not UTF-8") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise DamagedJsonError(f"it is cut off or no JSON at {where}") from None
    except RecursionError:
        raise DamagedJsonError("it is nested too deeply") from None
    except ValueError as error:
        raise DamagedJsonError(str(error)) from None
    if not isinstance(parsed, dict):
        raise DamagedJsonError("it is no object")
    return parsed


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("it says something twice")
    return found


def _whole_number(text: str) -> int:
    # The message of Python is no help to those who read files: it speaks of a setting of the interpreter.
    digits = len(text.lstrip("-"))
    if digits > _MOST_DIGITS:
        raise ValueError(f"it has a number of {digits:,} digits")
    return int(text)


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"it has {text[:20]} for a number")
    return number


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"it has {text} for a number")
