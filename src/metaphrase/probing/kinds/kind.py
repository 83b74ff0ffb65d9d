"""What a kind of error is to the generator, and how texts are changed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence, Set
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from metaphrase.analysis.languages.codes import UNSPACED
from metaphrase.analysis.sentence import Sentence

_Some = TypeVar("_Some")
_DRAWS = 50


@dataclass(frozen=True, slots=True)
class Change:
    """Pieces of a text, from ``start`` to ``end``, that are replaced, in their order.

    ``word`` is the place of the one token that changes its form, where the analyser must confirm that it is
    still the same word.
    """

    pieces: tuple[tuple[int, int, str], ...]
    word: int | None = None

    def applied(self, text: str) -> str:
        """The text with the pieces replaced."""
        for start, end, new in reversed(self.pieces):
            text = text[:start] + new + text[end:]
        return text


@dataclass(frozen=True, slots=True)
class Found:
    """Something of another text that an error can be made of: a name, a phrase, a word of that form."""

    text: str
    words: tuple[str, ...]
    sort: str


@dataclass(frozen=True, slots=True)
class Stock:
    """All texts of a collection, from which errors take what they put in."""

    language: str
    names: dict[str, list[Found]] = field(default_factory=dict)
    phrases: list[Found] = field(default_factory=list)
    verbs: frozenset[str] = frozenset()

    @property
    def spaced(self) -> bool:
        """Whether there are blanks between words."""
        return self.language not in UNSPACED


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorMaker:
    """A kind of error: what it needs, and all ways to put it into a sentence.

    ``columns`` is what the analyser must give, none if the text alone suffices; ``optional`` is what is used
    where there is any. ``languages`` are those that it has words or rules for; none means all. Where there is
    more than can be listed, ``changes`` draws with the random numbers that it is given.
    """

    name: str
    severity: str
    description: str
    changes: Callable[[Sentence, Stock, Random], Sequence[Change]]
    columns: Collection[str] = ()
    optional: Collection[str] = ()
    languages: Collection[str] = ()


def pick(options: Sequence[_Some], random: Random) -> _Some:
    """One of the options; ``Random.choice`` may draw otherwise in another version of Python."""
    return options[int(random.random() * len(options))]


def fitting(options: Sequence[Found], there: Set[str], random: Random) -> Found | None:
    """One of the options that has no word of a text, if there is any.

    It is drawn until it fits, and only where many draws do not are all of them looked through.
    """
    for _ in range(min(len(options), _DRAWS)):
        one = pick(options, random)
        if there.isdisjoint(one.words):
            return one
    fits = [one for one in options if there.isdisjoint(one.words)]
    return pick(fits, random) if fits else None
