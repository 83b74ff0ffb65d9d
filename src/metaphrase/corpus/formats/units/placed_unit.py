"""A unit and where it stands in the bytes of its file, for whoever writes something beside it."""

from __future__ import annotations

from dataclasses import dataclass

from metaphrase.corpus.units import Unit


@dataclass(frozen=True, slots=True)
class PlacedUnit:
    """A unit, and byte offsets of its file; which of them mean something is the format's affair.

    ``beside`` is where a remark about the unit may be put, and ``indent`` what stands before such a thing.
    ``content`` is where the translation begins and ends, or the source if there is none; ``None`` if nothing
    can be put about it. ``segment`` is the part of an element that the unit is, if it shares it with others.
    """

    unit: Unit
    beside: int
    indent: str = ""
    content: tuple[int, int] | None = None
    segment: str = ""
