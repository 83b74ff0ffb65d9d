"""What localisation files say beyond their texts: ids of units, and the inline tags inside of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from metaphrase.corpus.units import InlineTag

#: The tags of each segment of a column, in order.
TagColumn = Sequence[Sequence[InlineTag]]


@dataclass(frozen=True, slots=True)
class UnitTexts:
    """Ids and tags beside a corpus, segment by segment; whatever is not known is left out."""

    ids: Sequence[str] | None = None
    sources: TagColumn | None = None
    references: Sequence[TagColumn] = ()
    systems: Mapping[str, TagColumn] = field(default_factory=dict)

    def record(
        self, rows: slice, texts: Mapping[str, Any], systems: Sequence[str]
    ) -> dict[str, Any]:
        """What a block of ``texts`` says of the units in ``rows``: nothing where there is nothing to say."""
        said: dict[str, Any] = {}
        if self.ids is not None:
            said["units"] = list(self.ids[rows])
        tags = {
            "sources": _tags(self.sources, rows, texts["sources"]),
            "references": [
                _tags(column, rows, texts["references"][place])
                for place, column in enumerate(self.references)
            ],
            "hypotheses": [
                _tags(self.systems.get(name), rows, texts["hypotheses"][place])
                for place, name in enumerate(systems)
            ],
        }
        if tags["sources"] or any(tags["references"]) or any(tags["hypotheses"]):
            said["tags"] = tags
        return said


def in_code_units(text: str, place: int) -> int:
    """A place in ``text`` as browsers count: characters beyond U+FFFF are two."""
    return place + sum(character > "\uffff" for character in text[:place])


def _tags(column: TagColumn | None, rows: slice, texts: Sequence[str] | None) -> dict[str, Any]:
    """Rows that have tags, by their number in the block: places, kinds, ids and what stands in the file."""
    if column is None or texts is None:
        return {}
    return {
        str(row): [
            [in_code_units(text, tag.position), tag.kind, tag.id, tag.markup] for tag in tags
        ]
        for row, (tags, text) in enumerate(zip(column[rows], texts, strict=True))
        if tags
    }
