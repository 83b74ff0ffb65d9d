"""What a check is: a name, the kinds of findings it makes, and a function over pairs of texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from metaphrase.checks.finding import Finding, Kind
from metaphrase.checks.pair import Pair

if TYPE_CHECKING:
    from metaphrase.checks.settings import Settings

#: The number of a pair, and what is wrong with it.
Numbered = tuple[int, Finding]
FindAll = Callable[[Sequence[Pair], "Settings"], Iterable[Numbered]]


@dataclass(frozen=True, slots=True)
class Check:
    """``find`` reads many pairs at a time, as words are analysed and languages recognised in batches.

    A check reads pairs with an empty target, and very long ones, only if it is ``for_any`` pair. ``issue`` is
    what ITS 2.0 calls such findings (``locQualityIssueType``), for files that hold them.
    """

    name: str
    issue: str
    description: str
    kinds: tuple[Kind, ...]
    find: FindAll
    for_any: bool = False


def by_pair(find: Callable[[Pair], Iterable[Finding]]) -> FindAll:
    """The function of a check that looks at one pair at a time and has no settings."""

    def find_all(pairs: Sequence[Pair], settings: Settings) -> Iterator[Numbered]:
        for number, pair in enumerate(pairs):
            for finding in find(pair):
                yield number, finding

    return find_all
