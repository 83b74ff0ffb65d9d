"""References and systems that are localisation files: units joined by their ids, never by position.

A unit is scored if every reference and every system translates it. What PO marks as fuzzy is no translation,
for gettext does not show it; nor is a unit scored that is not to be translated, or whose source is another
one in two files. A translation memory has no ids that other files know: it is asked by source text.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.markup.tags import one_line
from metaphrase.corpus.formats.registry import Recognised, recognise
from metaphrase.corpus.formats.tables.layout import ColumnNames
from metaphrase.corpus.formats.units.tmx import translations_by_source
from metaphrase.corpus.names import name_systems, shown_path
from metaphrase.corpus.units import TaggedText, Unit, UnitFile
from metaphrase.corpus.validation import EmptyReferences
from metaphrase.errors import InputError, OptionError, excerpt
from metaphrase.languages import same_language

#: What to do about a unit that a system, but not the reference, leaves untranslated.
MissingTargets = Literal["leave-out", "empty", "error"]
MISSING_TARGETS: tuple[MissingTargets, ...] = ("leave-out", "empty", "error")


def are_units(files: Sequence[Recognised]) -> bool:
    """Whether the texts are localisation files: all of them or none."""
    found = [file.path for file in files if file.has_units]
    if found and len(found) < len(files):
        other = next(file.path for file in files if not file.has_units)
        raise OptionError(
            "MP606",
            f"{shown_path(other)} is not a localisation file, but {shown_path(found[0])} is.",
            hint="Units are joined by their ids, which lines of text do not have: give all as such files.",
        )
    return bool(found)


def read_units(
    path: str | Recognised,
    *,
    source_language: str = "",
    target_language: str = "",
    columns: ColumnNames | None = None,
) -> UnitFile:
    """The units of a localisation file in whichever format.

    The languages choose among those of a memory; ``columns`` names those of a table by role.

    >>> file = read_units("localisation/mt.xlf")
    >>> file.format, file.target_language, file.units[3].target.with_tags()
    ('xliff-1', 'de', 'Öffne <g id="1">Datei</g>…')
    """
    file = path if isinstance(path, Recognised) else recognise(path)
    found = file.format
    if found is None or found.open_units is None:
        raise InputError(
            "MP609",
            f"The file is {file.description}, not a localisation file.",
            path=file.path,
            hint="Give XLIFF, TMX, PO, CSV, .xlsx, .properties or a JSON table of strings.",
        )
    # A memory may stand beside a table whose columns are named.
    if columns and not {"columns", "target_language"} & {*found.options}:
        raise OptionError(
            "MP109",
            f"--columns is for tables, but {file.path} is {found.description}.",
            hint="Leave it out.",
        )
    given = found.given(
        source_language=source_language or None,
        target_language=target_language or None,
        columns=columns,
    )
    return found.open_units(file.path, **given)


def read_unit_corpus(
    references: Sequence[str],
    hypotheses: Sequence[str],
    *,
    look: Callable[[str], Recognised] = recognise,
    sources: str | None = None,
    columns: ColumnNames | None = None,
    missing_targets: MissingTargets = "leave-out",
    empty_references: EmptyReferences = "none",
) -> Corpus:
    """The corpus of localisation files, with the sources that they have, or those of ``sources``.

    ``look`` says what a file is, where that is known already.
    """
    systems = {
        name: read_units(look(path), columns=columns)
        for name, path in name_systems(hypotheses).items()
    }
    declared = next((one for one in systems.values() if one.target_language), None)
    pair: dict[str, str] = {} if declared is None else _pair(declared)
    known = [read_units(look(path), columns=columns, **pair) for path in references]
    given = None if sources is None else read_units(look(sources), columns=columns)
    _check_languages([*known, *systems.values()])
    first = next((file for file in known if file.format != "tmx"), next(iter(systems.values())))
    join = _Join(
        [_asked(file) for file in known],
        {name: _asked(file) for name, file in systems.items()},
        None if given is None else {unit.id: _source(unit) for unit in given.units},
        missing_targets,
    )
    for unit in first.units:
        join.add(unit)
    join.warn(first)
    return join.corpus(empty_references)


def _pair(file: UnitFile) -> dict[str, str]:
    return {"source_language": file.source_language, "target_language": file.target_language}


def unit_file_corpus(given: Recognised, *, empty_references: EmptyReferences = "none") -> Corpus:
    """One file that has the reference and, beside it, what each origin offered (``alt-trans``, matches).

    A system is called by the origin of its offers, and the best offer of an origin is its translation.
    """
    file = read_units(given)
    offers: dict[str, dict[str, Unit]] = {}
    for unit in file.units:
        best: dict[str, tuple[float, str]] = {}
        for one in unit.alternatives:
            score = -1.0 if one.quality is None else one.quality
            name = one.origin or "alternatives"
            if name not in best or score > best[name][0]:
                best[name] = score, one.target.text
        for name, (_, text) in best.items():
            offers.setdefault(name, {})[unit.id] = _translated(unit, text)
    if not offers:
        raise InputError(
            "MP883",
            "The file has translations, but no others to compare them with.",
            path=given.path,
            hint="Give the reference and the system as files of their own: REF -i HYP.",
        )
    join = _Join(
        [_asked(file)],
        {name: _File(given.path, units) for name, units in offers.items()},
        None,
        "leave-out",
    )
    for unit in file.units:
        join.add(unit)
    join.warn(file)
    return join.corpus(empty_references)


def _translated(unit: Unit, text: str) -> Unit:
    return replace(unit, target=TaggedText(text), state="")


@dataclass(frozen=True, slots=True)
class _File:
    """The units of a file by id, or by source text if it is a memory."""

    path: str
    units: Mapping[str, Unit]
    by_source: bool = False

    def of(self, unit: Unit) -> Unit | None:
        return self.units.get(one_line(unit.source.text) if self.by_source else unit.id)


def _asked(file: UnitFile) -> _File:
    if file.format == "tmx":
        return _File(file.path, translations_by_source(file), by_source=True)
    return _File(file.path, {unit.id: unit for unit in file.units})


def _source(unit: Unit) -> str:
    """The source of a unit; of files with one language, that is their text."""
    if unit.source.text or unit.target is None:
        return one_line(unit.source.text)
    return one_line(unit.target.text)


def is_translated(unit: Unit | None) -> bool:
    """Whether a unit has a translation that is one: not a fuzzy guess."""
    return unit is not None and unit.target is not None and unit.state != "fuzzy"


@dataclass(slots=True)
class _Join:
    """Collects rows of units that are in all files, and counts the others by reason."""

    references: Sequence[_File]
    systems: Mapping[str, _File]
    sources: Mapping[str, str] | None
    missing: MissingTargets
    rows: list[tuple[Unit, list[str], list[str]]] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def add(self, unit: Unit) -> None:
        """Take a row, or count why it is left out."""
        if not unit.translate:
            self.left_out["not to be translated"] += 1
            return
        references: list[str] = []
        for file in self.references:
            found = file.of(unit)
            reason = self._fault(unit, found, file)
            if reason:
                self.left_out[reason] += 1
                return
            references.append(_target(found))
        hypotheses: list[str] = []
        for file in self.systems.values():
            found = file.of(unit)
            reason = self._fault(unit, found, file)
            untranslated = reason.startswith(_UNTRANSLATED)
            if untranslated and self.missing == "error":
                raise InputError(
                    "MP884",
                    f"The unit {excerpt(unit.id)} has no translation.",
                    path=file.path,
                    line=None if found is None else found.line,
                    hint="Translate it, or choose --missing-targets leave-out or empty.",
                )
            if reason and not (untranslated and self.missing == "empty"):
                self.left_out[reason] += 1
                return
            hypotheses.append("" if reason else _target(found))
        self.rows.append((unit, references, hypotheses))

    def _fault(self, unit: Unit, found: Unit | None, file: _File) -> str:
        if found is None or not is_translated(found):
            return f"{_UNTRANSLATED} {file.path}"
        # Files of one language have no source to compare.
        if found.source.text and unit.source.text and _source(found) != _source(unit):
            return f"with another source in {file.path}"
        return ""

    def warn(self, first: UnitFile) -> None:
        """Say how many units were left out, and why; refuse if none is left."""
        reasons = "; ".join(f"{count:,} {reason}" for reason, count in self.left_out.items())
        if not self.rows:
            raise InputError(
                "MP870",
                f"No unit can be scored: {reasons}.",
                path=first.path,
                hint="Units are joined by their ids: compare those of the files.",
            )
        if self.left_out:
            total = len(self.rows) + sum(self.left_out.values())
            warnings.warn(
                f"{sum(self.left_out.values()):,} of {total:,} units are left out: {reasons}",
                stacklevel=3,
            )

    def corpus(self, empty_references: EmptyReferences) -> Corpus:
        """The rows as columns."""
        units = [unit for unit, _, _ in self.rows]
        texts = [_source(unit) if unit.source.text else "" for unit in units]
        if self.sources is not None:
            texts = [self.sources.get(unit.id, "") for unit in units]
        groups = [unit.group for unit in units]
        return Corpus(
            {
                name: [hypotheses[place] for _, _, hypotheses in self.rows]
                for place, name in enumerate(self.systems)
            },
            list(zip(*(references for _, references, _ in self.rows), strict=True)),
            sources=texts if any(texts) else None,
            documents=groups if all(groups) else None,
            ids=[unit.id for unit in units],
            empty_references=empty_references,
        )


_UNTRANSLATED = "without a translation in"


def _target(unit: Unit | None) -> str:
    assert unit is not None
    assert unit.target is not None
    return one_line(unit.target.text)


def _check_languages(files: Sequence[UnitFile]) -> None:
    """Refuse files that declare different languages."""
    for role in ("source_language", "target_language"):
        declared = [(file, getattr(file, role)) for file in files if getattr(file, role)]
        for file, language in declared[1:]:
            first, expected = declared[0]
            if not same_language(language, expected):
                raise InputError(
                    "MP869",
                    f"The {role.replace('_', ' ')} is {language}, but that of {first.path} is {expected}.",
                    path=file.path,
                    hint="Compare files of one language pair.",
                )
