"""Scores as score files hold them: text that is a number, kept as it was written."""

from __future__ import annotations

import math
import re

from metaphrase.corpus.lines import FilePath
from metaphrase.errors import InputError

#: Beyond this the sums of squares behind correlations overflow.
LARGEST = 1e100
#: No writer of numbers needs more; a longer text is a mistake, and slow to turn into a number.
_LONGEST = 400
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_LANGUAGE = r"[A-Za-z]{2,3}(?:_[A-Za-z0-9]+){0,2}"
_LANGUAGE_PAIR = re.compile(f"{_LANGUAGE}-{_LANGUAGE}")


def is_score(text: str) -> bool:
    """Whether this is a plain finite number that can be computed with; ``float`` accepts more."""
    if len(text) > _LONGEST or _NUMBER.fullmatch(text) is None:
        return False
    return abs(float(text)) < LARGEST


def is_language_pair(text: str) -> bool:
    """Whether this looks like ``de-en``, ``en-pt_BR`` or ``en-sr_Cyrl_RS``."""
    return _LANGUAGE_PAIR.fullmatch(text) is not None


def score_text(value: float) -> str:
    """The shortest text that reads back as the very number."""
    if not math.isfinite(value) or abs(value) >= LARGEST:
        raise InputError(
            "MP161", f"The score {value!r} cannot be written.", hint="Score files hold numbers."
        )
    return repr(float(value))


def shown(text: str) -> str:
    """The text for a message: quoted, and cut if it is long."""
    return repr(text) if len(text) <= 40 else f"{text[:39]!r}…"


def no_score(text: str, path: FilePath, line: int, *, hint: str) -> InputError:
    """The error for text where a score belongs."""
    return InputError(
        "MP161",
        f"The score {shown(text)} is no number below {LARGEST:.0e}.",
        path=path,
        line=line,
        hint=hint,
    )
