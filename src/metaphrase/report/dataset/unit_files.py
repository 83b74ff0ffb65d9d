"""The localisation files behind a corpus, read for what the corpus does not hold: tags, limits, languages."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from metaphrase.corpus import Corpus
from metaphrase.corpus.formats import format_of
from metaphrase.corpus.names import name_systems
from metaphrase.corpus.opening import CorpusFiles, read_units
from metaphrase.corpus.units import InlineTag, TaggedText, Unit
from metaphrase.report.dataset.unit_texts import UnitTexts


@dataclass(frozen=True, slots=True)
class UnitColumn:
    """The units of one file in the order of a corpus, ``None`` where it lacks one; and its languages."""

    units: Sequence[Unit | None]
    source_language: str
    language: str


@dataclass(frozen=True, slots=True)
class CorpusUnits:
    """The units of all files of a corpus."""

    ids: Sequence[str]
    references: Sequence[UnitColumn]
    systems: Mapping[str, UnitColumn]

    def texts(self) -> UnitTexts:
        """What a page shows of them."""
        files = [*self.systems.values(), *self.references]
        # Files of one language have no sources; those that have them have the same.
        sources = next(
            (file for file in files if any(_has_source(one) for one in file.units)), None
        )
        return UnitTexts(
            ids=self.ids,
            sources=None if sources is None else _sources(sources),
            references=[_targets(file) for file in self.references],
            systems={name: _targets(file) for name, file in self.systems.items()},
        )


def corpus_units(files: CorpusFiles, corpus: Corpus) -> CorpusUnits | None:
    """The units of a corpus that was read from ``files``; ``None`` if they are no localisation files.

    Nor are there any if one file has both the reference and the systems.
    """
    if corpus.ids is None or not files.references:
        return None
    ids = corpus.ids

    def column(path: str) -> UnitColumn:
        file = read_units(path, columns=files.columns)
        by_id = {unit.id: unit for unit in file.units}
        units = [by_id.get(name) for name in ids]
        return UnitColumn(units, file.source_language, file.target_language)

    systems = {name: column(path) for name, path in name_systems(files.hypotheses).items()}
    # A memory knows no ids, and its texts stand in the corpus.
    references = [
        UnitColumn([None] * len(ids), "", "") if _is_memory(path) else column(path)
        for path in files.references
    ]
    return CorpusUnits(ids, references, systems)


@contextmanager
def noted() -> Iterator[list[str]]:
    """What readers of files warn of, as sentences: who reads the report must know what was left out, too."""
    notes: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield notes
    for warning in caught:
        if warning.category is UserWarning:
            notes.append(f"{warning.message}.")
        warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)


def places_on_one_line(text: str) -> list[int] | None:
    """Where each place in ``text`` is once the text stands on one line, as in a corpus; ``None``: there.

    A corpus has the lines of a text without the blanks around them, and one blank between them.
    """
    if "\n" not in text:
        return None
    places: list[int] = []
    length = 0
    for line in text.split("\n"):
        kept = line.strip()
        start = line.index(kept) if kept else 0
        before = length + (1 if length and kept else 0)
        for place in range(len(line) + 1):
            places.append(before + min(max(place - start, 0), len(kept)))
        length = before + len(kept)
    return [min(place, length) for place in places]


def _is_memory(path: str) -> bool:
    found = format_of(path)
    return found is not None and found.name == "tmx"


def _has_source(unit: Unit | None) -> bool:
    return unit is not None and bool(unit.source.text)


def _sources(column: UnitColumn) -> list[tuple[InlineTag, ...]]:
    return [_tags(None if unit is None else unit.source) for unit in column.units]


def _targets(column: UnitColumn) -> list[tuple[InlineTag, ...]]:
    return [_tags(None if unit is None else unit.target) for unit in column.units]


def _tags(text: TaggedText | None) -> tuple[InlineTag, ...]:
    if text is None or not text.tags:
        return ()
    places = places_on_one_line(text.text)
    if places is None:
        return text.tags
    return tuple(replace(tag, position=places[tag.position]) for tag in text.tags)
