"""What a file says of one sentence's candidates, and numbers as it has them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from metaphrase.corpus.formats.score_text import is_score, shown
from metaphrase.errors import InputError

#: The probability of nothing, which is no number for score files.
_NEVER = ("-inf", "-Inf", "-infinity", "-Infinity")


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenCandidates:
    """One sentence, and where in which file it begins.

    weights: of samples, or of candidates if there are no samples; logarithms if ``are_logarithms``
    name: the id that the file has, if it has ids
    """

    path: str
    line: int
    texts: Sequence[str]
    weights: Sequence[float] | None = None
    are_logarithms: bool = False
    samples: Sequence[str] | None = None
    references: Sequence[str] = ()
    source: str | None = None
    name: str | None = None


def checked_weight(value: object, kind: str, path: str, line: int) -> float:
    """A weight, or with ``kind`` ``logprob`` the logarithm of a probability, which may be minus infinity."""
    of_logarithm = kind.startswith("logprob")
    number = math.nan
    if isinstance(value, str):
        if is_score(value):
            number = float(value)
        elif of_logarithm and value in _NEVER:
            number = -math.inf
    elif isinstance(value, int | float) and not isinstance(value, bool):
        number = _double(value)
    if math.isnan(number) or number == math.inf or (not of_logarithm and number < 0):
        what = shown(value) if isinstance(value, str) else repr(value)[:40]
        raise InputError(
            "MP857",
            f"The {kind} {what} cannot be used.",
            path=path,
            line=line,
            hint="A logarithm of a probability is a number below infinity."
            if of_logarithm
            else "A weight is a number of at least 0.",
        )
    return number


def _double(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.nan
