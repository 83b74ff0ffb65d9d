"""How often the same repair is needed: counts that can be made in many places and added up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from metaphrase.metrics.explanation import Repair

#: Points are added up in units of 2⁻⁴⁰, so that the order of adding does not matter.
_UNIT = 2**40
#: Longer phrases do not come again, and would fill the memory.
_PHRASE = 100
#: Repairs that are listed, and how often they must be there.
_FREQUENT, _TWICE = 10, 2

#: A kind, and the words before and after, in lower case.
Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class FrequentRepair:
    """A repair that is needed again and again, and the points that all of it would gain."""

    kind: str
    before: str
    after: str
    count: int
    points: float


@dataclass(slots=True)
class RepairCounts:
    """Counts and points by repair; ``missed`` bounds what any count may lack because memory was short."""

    found: dict[Key, tuple[int, int]] = field(default_factory=dict)
    missed: int = 0

    def add(self, repairs: Iterable[Repair], sign: float) -> None:
        """Count the repairs of a segment; ``sign`` makes what they gain positive."""
        for one in repairs:
            key = one.kind, one.before.lower(), one.after.lower()
            if max(map(len, key)) <= _PHRASE:
                self._add(key, 1, round(sign * one.points * _UNIT))

    def merge(self, other: RepairCounts) -> None:
        """Add counts of other segments."""
        for key, counted in other.found.items():
            self._add(key, *counted)
        self.missed += other.missed

    def prune(self, most: int) -> None:
        """Keep the ``most`` most frequent repairs: those that go may be lacking from sums with others."""
        if len(self.found) <= most:
            return
        ordered = sorted(self.found.items(), key=lambda one: (-one[1][0], -one[1][1], one[0]))
        self.missed += ordered[most][1][0]
        self.found = dict(ordered[:most])

    def frequent(self) -> tuple[FrequentRepair, ...]:
        """Repairs that several segments need, those that gain most first."""
        often = [
            FrequentRepair(*key, count, points / _UNIT)
            for key, (count, points) in self.found.items()
            if count >= _TWICE and points > 0
        ]
        often.sort(key=lambda one: (-one.points, one.kind, one.before, one.after))
        return tuple(often[:_FREQUENT])

    def rows(self) -> Iterator[list[str | int]]:
        """As JSON, in an order of their own."""
        for key, counted in sorted(self.found.items()):
            yield [*key, *counted]

    @classmethod
    def from_rows(cls, rows: Iterable[Iterable[str | int]], missed: int) -> RepairCounts:
        """What :meth:`rows` gave."""
        counts = cls(missed=missed)
        for kind, before, after, count, points in rows:
            counts._add((str(kind), str(before), str(after)), int(count), int(points))
        return counts

    def _add(self, key: Key, count: int, points: int) -> None:
        before = self.found.get(key, (0, 0))
        self.found[key] = before[0] + count, before[1] + points
