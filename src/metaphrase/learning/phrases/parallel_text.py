"""Two texts that are translations of each other."""

from __future__ import annotations

from dataclasses import dataclass

from metaphrase.analysis.packed_text import PackedText
from metaphrase.errors import InputError


@dataclass(frozen=True, slots=True, eq=False)
class ParallelText:
    """Sentence ``k`` of ``source`` and sentence ``k`` of ``target`` translate each other."""

    source: PackedText
    target: PackedText

    def __post_init__(self) -> None:
        if len(self.source) != len(self.target):
            raise InputError(
                "MP340",
                f"{len(self.source)} sentences cannot be parallel to {len(self.target)}.",
                hint="Line k of one file must be the translation of line k of the other.",
            )

    def __len__(self) -> int:
        return len(self.source)
