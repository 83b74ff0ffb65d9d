"""A translation with the errors that somebody, or some metric, marked in it: what exports of errors write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from metaphrase.corpus.formats.judged.error_spans import SEVERITIES
from metaphrase.corpus.ratings import Item, MarkedError


@dataclass(frozen=True, slots=True)
class MarkedTranslation:
    """What ``rater``, which may be a metric, says of one system's translation of a segment.

    ``row`` counts segments from 0. ``percent`` is the score on the scale of direct assessment, 0 to 100.
    ``path`` and ``line`` are where the translation was read, as far as that is known; ``is_line`` says that
    there is nothing else in the line.
    """

    item: Item
    row: int
    rater: str
    score: float
    percent: float
    errors: tuple[MarkedError, ...]
    domain: str = ""
    path: str = ""
    line: int | None = None
    is_line: bool = False

    @property
    def placed(self) -> list[tuple[int, int, MarkedError]]:
        """The errors that have a place, and from where to where it goes."""
        return [(*one.span, one) for one in self.errors if one.span is not None]

    @property
    def missing(self) -> list[MarkedError]:
        """The errors that have none: words that are not there."""
        return [one for one in self.errors if one.span is None]

    def remark(self, error: MarkedError) -> str:
        """What is wrong, what should be there and what it costs, as one would tell somebody."""
        cost = "" if error.points is None else f", {error.points:.4g} points by {self.rater}"
        what = _to_do("" if error.span is None else self.item.hypothesis[slice(*error.span)], error)
        return f"{what} ({error.severity}{cost})" if what else f"{error.severity}{cost}"


def _to_do(words: str, error: MarkedError) -> str:
    right = error.correction
    if not words:
        return f"add “{right}”" if right else ""
    if error.category == "word order":
        stays = right is None or set(words.lower().split()) <= set(right.lower().split())
        return f"“{words}” moved" if stays else f"“{words}” moved → “{right}”"
    if right is None:
        return f"“{words}”"
    return f"“{words}” → “{right}”" if right else f"remove “{words}”"


def worst(errors: Sequence[MarkedError]) -> MarkedError:
    """The severest error, and of equal ones that with most points."""
    return max(errors, key=lambda one: (SEVERITIES.index(one.severity), one.points or 0.0))
