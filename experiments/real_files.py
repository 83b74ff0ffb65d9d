"""Localisation files as they are in the wild: how many are read, and why the others are not.

    python -m experiments.real_files FOLDER…

reads every PO, XLIFF, TMX and properties file below the folders, which somebody has filled with packages of
Debian and PyPI, and writes docs/results/real-files.md. Catalogues are compared with what polib reads; in
XLIFF and TMX the units are counted by another parser. Each file of XLIFF and PO is annotated and read again,
too.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time

import polib

from experiments.frame import replace_section
from metaphrase.corpus.formats.units.annotating import Finding, annotated
from metaphrase.corpus.opening import read_units
from metaphrase.corpus.units import UnitFile
from metaphrase.errors import MetaphraseError

_FORMATS = {
    ".po": "PO", ".pot": "PO templates", ".xlf": "XLIFF", ".xliff": "XLIFF", ".tmx": "TMX",
    ".properties": "properties",
}  # fmt: skip


@dataclass
class Tally:
    """What happened to the files of a format."""

    files: int = 0
    read: int = 0
    units: int = 0
    size: int = 0
    seconds: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    compared: int = 0
    different: list[str] = field(default_factory=list)
    annotated: int = 0


def main(folders: Sequence[str]) -> None:
    tallies: dict[str, Tally] = {}
    for folder in folders:
        for path in _files(Path(folder)):
            _try(path, tallies.setdefault(_FORMATS[path.suffix], Tally()))
    lines = list(_tables(tallies))
    print("\n".join(lines))
    replace_section("real-files", lines)


def _files(folder: Path) -> Iterator[Path]:
    return (
        path for path in sorted(folder.rglob("*")) if path.suffix in _FORMATS and path.is_file()
    )


def _try(path: Path, tally: Tally) -> None:
    tally.files += 1
    tally.size += path.stat().st_size
    start = process_time()
    try:
        file = read_units(str(path))
    except MetaphraseError as error:
        tally.faults[error.code] += 1
        tally.examples.setdefault(error.code, error.message)
        return
    finally:
        tally.seconds += process_time() - start
    tally.read += 1
    tally.units += len(file.units)
    same = _judged(path, file)
    if same is not None:
        tally.compared += 1
        if not same:
            tally.different.append(path.name)
    if file.format == "po" or file.format.startswith("xliff"):
        tally.annotated += _annotates(path, file)


def _judged(path: Path, file: UnitFile) -> bool | None:
    """Whether another reader finds the same units; ``None`` if there is none, or it cannot read the file."""
    try:
        if file.format == "po":
            return _by_polib(path) == [
                (unit.context, unit.target.text if unit.target else "", unit.plural, unit.state)
                for unit in file.units
            ]
        if file.format == "properties":
            return None
        tag = "tu" if file.format == "tmx" else "trans-unit" if file.format == "xliff-1" else "unit"
        found = [e for e in ET.parse(path).iter() if e.tag.rpartition("}")[2] == tag]
    except (OSError, UnicodeDecodeError, ET.ParseError):
        return None
    return len(found) == len({unit.line for unit in file.units}) or len(found) == len(file.units)


def _by_polib(path: Path) -> list[tuple[str, str, int | None, str]]:
    found: list[tuple[str, str, int | None, str]] = []
    for entry in polib.pofile(str(path)):
        if entry.obsolete:
            continue
        forms = (
            dict(sorted(entry.msgstr_plural.items()))
            if entry.msgid_plural
            else {None: entry.msgstr}
        )
        state = "fuzzy" if entry.fuzzy else ""
        found += [(entry.msgctxt or "", text, plural, state) for plural, text in forms.items()]
    return found


def _annotates(path: Path, file: UnitFile) -> bool:
    """Whether the file stays as it is if nothing is said of it, and has the same texts if something is."""
    data = path.read_bytes()
    form = "po" if file.format == "po" else "xliff"
    if annotated(data, [], str(path), form) != data:
        return False
    said = [Finding(unit.id, "score", comment="a & b", score=50.0) for unit in file.units[:3]]
    written = annotated(data, said, str(path), form)
    copy = Path(f"{path}.annotated{path.suffix}")
    copy.write_bytes(written)
    try:
        again = read_units(str(copy))
    finally:
        copy.unlink()
    return [(u.id, u.source, u.target) for u in again.units] == [
        (u.id, u.source, u.target) for u in file.units
    ]


def _tables(tallies: dict[str, Tally]) -> Iterator[str]:
    yield "| format | files | read | units | MB/s | same units | annotated |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for name, one in tallies.items():
        judged = (
            f"{one.compared - len(one.different):,} of {one.compared:,}" if one.compared else "–"
        )
        marked = f"{one.annotated:,} of {one.read:,}" if one.annotated else "–"
        speed = one.size / 1e6 / max(one.seconds, 1e-9)
        yield (
            f"| {name} | {one.files:,} | {one.read:,} | {one.units:,} | {speed:.1f} | {judged} | {marked} |"
        )
    yield ""
    yield "| format | code | files | for instance |"
    yield "| --- | --- | ---: | --- |"
    for name, one in tallies.items():
        for code, count in one.faults.most_common():
            yield f"| {name} | {code} | {count} | {_cell(one.examples[code])} |"
    yield ""
    for name, one in tallies.items():
        if one.different:
            yield f"{name} with other units: {', '.join(one.different[:10])}."
            yield ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    main(sys.argv[1:])
