"""What single judges said of single translations, before anybody takes a mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from metaphrase.arrays import one_line
from metaphrase.corpus.judgements import JudgedText, Judgements, JudgementsBuilder
from metaphrase.errors import InputError

#: What judges are asked for: a score (direct assessment), a score and the places of errors, errors alone.
Protocol = Literal["da", "esa", "mqm"]
PROTOCOLS: tuple[Protocol, ...] = ("da", "esa", "mqm")
#: A translation as it is, a copy that was made worse, or the same once more: the last two control quality.
Kind = Literal["target", "degraded", "repeat"]
KINDS: tuple[Kind, ...] = ("target", "degraded", "repeat")
#: The best score of direct assessment and ESA; the worst is 0.
BEST = 100


@dataclass(frozen=True, slots=True)
class MarkedError:
    """An error that a judge marked: from which character up to which, or nowhere if something is missing.

    ``points`` are what a metric says that it costs, if it was a metric that marked it. ``correction`` is what
    should stand there, or is missing, as far as that is known: nothing ("") where words are to be removed.
    """

    severity: str
    category: str = ""
    span: tuple[int, int] | None = None
    points: float | None = None
    correction: str | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """What a judge is shown at once: one system's translation of one segment.

    ``of`` is the id of the item that this one is a degraded copy or a repetition of. A file of results may
    know nothing but the id.
    """

    id: str
    system: str = ""
    document: str = ""
    segment: str = ""
    kind: Kind = "target"
    of: str | None = None
    source: str = ""
    hypothesis: str = ""
    references: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rating:
    """What one judge said of one item; ``errors`` is None where nobody asked for them."""

    judge: str
    item: str
    score: float | None = None
    errors: tuple[MarkedError, ...] | None = None
    seconds: float | None = None
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """All ratings of a campaign, with the items that they are of."""

    name: str
    language_pair: str
    protocol: Protocol
    items: Mapping[str, Item]
    ratings: tuple[Rating, ...]
    path: str | None = None

    __repr__ = one_line

    @property
    def judges(self) -> tuple[str, ...]:
        """Who judged, in the order of their first ratings."""
        return tuple(dict.fromkeys(rating.judge for rating in self.ratings))

    def of_kind(self, kind: Kind) -> Iterator[tuple[Rating, Item]]:
        """The ratings of items of one kind."""
        for rating in self.ratings:
            item = self.items[rating.item]
            if item.kind == kind:
                yield rating, item

    def without_judges(self, judges: Sequence[str]) -> Ratings:
        """The same without what some judges said."""
        kept = tuple(rating for rating in self.ratings if rating.judge not in judges)
        return replace(self, ratings=kept)

    def judgements(self) -> Judgements:
        """The mean score of each translation, without the items that control quality."""
        builder = JudgementsBuilder(self.name, self.language_pair)
        judged = False
        for rating, item in self.of_kind("target"):
            text = JudgedText(item.hypothesis, item.references or ("",), item.source)
            cell = builder.place(item.system, item.document, item.segment, text)
            if rating.score is not None:
                builder.judge(cell, rating.score)
                judged = True
        if not judged:
            raise no_ratings(self.path, marked=any(rating.errors for rating in self.ratings))
        return builder.build()


def no_ratings(path: str | None, *, marked: bool = False) -> InputError:
    """The error of a file in which nobody has said anything, or has only marked errors."""
    if marked:
        return InputError(
            "MP793",
            "Nobody has given a score here, errors are only marked.",
            path=path,
            hint="--spans compares marked errors.",
        )
    return InputError(
        "MP793",
        "Nobody has judged anything here.",
        path=path,
        hint="Fill in scores or errors, or name the files that judges have filled in.",
    )
