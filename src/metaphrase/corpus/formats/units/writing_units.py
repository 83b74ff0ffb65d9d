"""Units written in formats that other programs read: tables, JSON Lines, and files of lines."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from metaphrase.corpus.formats.markup.tags import one_line
from metaphrase.corpus.lines import FilePath
from metaphrase.corpus.units import Unit, UnitFile
from metaphrase.corpus.writing import atomic_folder, atomic_writer, cannot_hold, encoded_lines

_COLUMNS = ("id", "source", "target", "state", "context", "note")


def _cells(unit: Unit) -> list[str]:
    target = "" if unit.target is None else unit.target.text
    return [unit.id, unit.source.text, target, unit.state, unit.context, "; ".join(unit.notes)]


def write_units_csv(file: UnitFile, path: FilePath) -> None:
    """A table with commas, quoted where needed, which has every text as it is."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows(map(_cells, file.units))
    with atomic_writer(path) as stream:
        stream.write(text.getvalue().encode())


def write_units_tsv(file: UnitFile, path: FilePath) -> None:
    """A table with tabs; a text of several lines becomes one, and one with a tab is refused."""
    lines = ["\t".join(_COLUMNS)]
    for number, unit in enumerate(file.units, 2):
        cells = [one_line(cell) for cell in _cells(unit)]
        if any("\t" in cell for cell in cells):
            raise cannot_hold(path, number, "contains a tab")
        lines.append("\t".join(cells))
    with atomic_writer(path) as stream:
        stream.writelines(encoded_lines(lines, path))


def write_units_jsonl(file: UnitFile, path: FilePath) -> None:
    """An object for each unit, with its tags and whatever else the file says."""
    with atomic_writer(path) as stream:
        for unit in file.units:
            row = {
                "id": unit.id,
                "group": unit.group,
                "source": unit.source.text,
                "target": None if unit.target is None else unit.target.text,
                "source_tagged": unit.source.with_tags(),
                "target_tagged": None if unit.target is None else unit.target.with_tags(),
                "state": unit.state,
                "context": unit.context,
                "notes": list(unit.notes),
                "translate": unit.translate,
                "alternatives": [
                    {"target": one.target.text, "origin": one.origin, "quality": one.quality}
                    for one in unit.alternatives
                ],
            }
            stream.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")


def write_units_plain(file: UnitFile, path: FilePath) -> None:
    """A folder of ``ids.txt``, ``source.txt`` and ``target.txt``, a unit in each line."""
    columns = {
        "ids": [unit.id for unit in file.units],
        "source": [unit.source.text for unit in file.units],
        "target": ["" if unit.target is None else unit.target.text for unit in file.units],
    }
    with atomic_folder(path) as folder:
        for name, texts in columns.items():
            target = Path(folder) / f"{name}.txt"
            with atomic_writer(target) as stream:
                stream.writelines(encoded_lines(map(one_line, texts), target))
