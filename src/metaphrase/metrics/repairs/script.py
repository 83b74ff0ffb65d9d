"""A hypothesis and a reference as one sequence of atoms, of which any can be read either way.

An atom has words of the hypothesis, of the reference, or of both. Read from left to right, the words of each
text stand in their order. Atoms of which both sides are the same belong to no edit; each other one belongs to
an edit, which has several if words moved. Undoing an edit is to read its atoms as the reference has them:
undoing none gives the hypothesis, undoing all gives the reference.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from metaphrase.metrics.repairs.words import Side, gap_between

#: The edit of atoms that belong to none.
UNCHANGED = -1


class Atom(NamedTuple):
    """Words ``hypothesis[0]`` to ``hypothesis[1]`` of the hypothesis, and those of the reference."""

    hypothesis: tuple[int, int]
    reference: tuple[int, int]
    edit: int = UNCHANGED


class _Place(NamedTuple):
    """Where a word of a text that is half repaired stands in both texts, if it does."""

    hypothesis: int | None
    reference: int | None


@dataclass(frozen=True)
class EditScript:
    """The atoms of two texts, in order; edits are numbered from 0."""

    hypothesis: Side
    reference: Side
    atoms: tuple[Atom, ...]

    @cached_property
    def edits(self) -> int:
        """How many edits there are."""
        return 1 + max((atom.edit for atom in self.atoms), default=UNCHANGED)

    def text(self, undone: Collection[int]) -> str:
        """The hypothesis with these edits undone, with single spaces."""
        parts = []
        before = None
        for place in self._places(undone):
            if before is not None:
                parts.append(self._gap(before, place))
            side, word = self._source(place)
            parts.append(side.words[word].form)
            before = place
        return "".join(parts)

    def _places(self, undone: Collection[int]) -> Iterator[_Place]:
        for atom in self.atoms:
            if atom.edit == UNCHANGED:
                pairs = zip(range(*atom.hypothesis), range(*atom.reference), strict=True)
                yield from (_Place(*pair) for pair in pairs)
            elif atom.edit in undone:
                yield from (_Place(None, word) for word in range(*atom.reference))
            else:
                yield from (_Place(word, None) for word in range(*atom.hypothesis))

    def _source(self, place: _Place) -> tuple[Side, int]:
        if place.hypothesis is not None:
            return self.hypothesis, place.hypothesis
        assert place.reference is not None
        return self.reference, place.reference

    def _gap(self, left: _Place, right: _Place) -> str:
        """What one of the texts has between the words, else what suits both."""
        if left.hypothesis is not None and right.hypothesis == left.hypothesis + 1:
            return self.hypothesis.gap(right.hypothesis)
        if left.reference is not None and right.reference == left.reference + 1:
            return self.reference.gap(right.reference)
        return gap_between(self._source(left), self._source(right))
