"""Documents and domains: parts of a text of which rules can speak by themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Level = Literal["document", "domain"]
LEVELS: tuple[Level, ...] = get_args(Level)


@dataclass(frozen=True, slots=True)
class Group:
    """All segments of one document, or of one domain."""

    level: Level
    name: str

    def __str__(self) -> str:
        """How verdicts call it; a domain may have the name of a document."""
        return self.name if self.level == "document" else f"{self.level} {self.name}"
