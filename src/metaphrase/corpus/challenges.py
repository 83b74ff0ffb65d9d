"""Challenge sets: pairs of translations of which one has an error that a metric should notice."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """Two translations of one text: ``bad`` is worse than ``good``, by an error of one ``kind``.

    ``severity`` says how bad the error is, in the words of whoever made the set, and may be empty, as may
    ``source``. Items with one ``id`` are about one sentence, whatever their kinds; without an id, items with
    one reference are. ``path`` and ``line`` say where the item stands, if it was read from a file.
    """

    kind: str
    reference: str
    good: str
    bad: str
    severity: str = ""
    source: str = ""
    id: str = ""
    path: str = ""
    line: int = 0

    @property
    def sentence(self) -> str:
        """What items about one sentence have in common."""
        return f"id {self.id}" if self.id else f"text {self.reference}"
