"""A doubt about scores, as outputs tell it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Doubt:
    """One line for readers, and the same for programs.

    ``kind`` says which doubt it is, ``systems`` whom it concerns, and ``numbers`` has all that the line says.
    """

    kind: str
    text: str
    systems: tuple[str, ...] = ()
    numbers: Mapping[str, float | int | str | None] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "kind": self.kind,
            "text": self.text,
            "systems": list(self.systems),
            "numbers": dict(self.numbers),
        }
