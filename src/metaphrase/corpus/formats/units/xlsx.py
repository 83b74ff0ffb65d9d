"""Excel workbooks (``.xlsx``): the first sheet whose first row says what its columns hold.

Of a formula the value is read that the spreadsheet program has stored beside it; a workbook that was written
without values is refused. So is one with merged cells below the header, because only the first of them has a
text and nobody knows whether the others were meant to have it. Numbers are read as they are written without
a format, dates as ISO 8601. What would unpack to more than half a gigabyte is refused.
"""

from __future__ import annotations

import datetime
import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.judged.mqm_weights import MqmWeights
from metaphrase.corpus.formats.tables.cells import Row
from metaphrase.corpus.formats.tables.layout import REFERENCE_COLUMNS, ColumnNames
from metaphrase.corpus.formats.tables.rows import TableReader
from metaphrase.corpus.formats.units.csv_file import named_rows, table_units
from metaphrase.corpus.formats.units.file_bytes import ZIP, file_bytes
from metaphrase.corpus.formats.units.table_columns import no_columns, unit_columns
from metaphrase.corpus.lines import FilePath, shown_name
from metaphrase.corpus.ratings import Ratings
from metaphrase.corpus.units import UnitFile
from metaphrase.corpus.validation import EmptyReferences
from metaphrase.errors import InputError

_ENDINGS = (".xlsx", ".xlsm")
_OLE = b"\xd0\xcf\x11\xe0"
#: How large a workbook may be when it is unpacked, and by how much it may grow if it is large.
_MOST_BYTES, _MOST_PARTS, _LARGE, _MOST_GROWTH = 1 << 29, 10_000, 1 << 24, 250
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]+[0-9]+):([A-Z]+[0-9]+)"')
_PROLOGUE = 1 << 16
_ENTITIES = tuple("<!DOCTYPE".encode(code) for code in ("utf-8", "utf-16-le", "utf-16-be"))

_Rows = Iterator[tuple[int, list[str]]]


def read_xlsx(
    path: FilePath, *, columns: Mapping[str, str | Sequence[str]] | None = None
) -> UnitFile:
    """The units of a workbook; ``columns`` names those whose header does not say what they are."""
    name = shown_name(path)
    headers: list[tuple[int, list[str]]] = []
    for (line, header), rows in sheets(path):
        found = unit_columns(header, columns)
        if found is not None:
            return table_units(found, rows, name, "xlsx")
        headers.append((line, header))
    line, header = headers[0] if headers else (1, [])
    raise no_columns(header, columns, name, line)


def is_workbook(path: FilePath) -> bool:
    """Whether a file is named like a workbook."""
    return shown_name(path).lower().endswith(_ENDINGS)


def _has_references(path: FilePath) -> bool:
    """Whether a workbook has references, as a table of texts has."""
    return any(set(header) & REFERENCE_COLUMNS for (_, header), _ in sheets(path))


def _corpus_rows(path: FilePath) -> Iterator[Row]:
    for (line, header), rows in sheets(path):
        if set(header) & REFERENCE_COLUMNS:
            yield from named_rows(header, rows, shown_name(path), line)
            return
    tables = list(sheets(path))
    if tables:
        (line, header), rows = tables[0]
        yield from named_rows(header, rows, shown_name(path), line)


_CORPUS = TableReader(_corpus_rows, separator=" ||| ")


def sheets(path: FilePath) -> Iterator[tuple[tuple[int, list[str]], _Rows]]:
    """The header of each sheet that has one, with the rows below it."""
    name = shown_name(path)
    data = file_bytes(path, most=_MOST_BYTES)
    parts = _checked_parts(data, name)
    values, formulas = _workbook(data, name, True), _workbook(data, name, False)
    for title in values.sheetnames:
        if not hasattr(values[title], "iter_rows"):
            continue  # a sheet that is a chart
        rows = _rows(values[title], formulas[title], name)
        header = next(rows, None)
        if header is not None:
            _refuse_merged(data, parts, values, title, header[0], name)
            yield header, rows


def _workbook(data: bytes, path: str, data_only: bool) -> Any:
    try:
        import openpyxl
    except ImportError:
        from metaphrase.extras import not_installed

        raise not_installed(
            "Workbooks are read by the package openpyxl, which is not installed.", "localisation"
        ).at(path) from None
    try:
        return openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=data_only)
    except Exception as error:  # openpyxl lets through whatever its parts meet
        raise _damaged(path, str(error)) from None


def _rows(values: Any, formulas: Any, path: str) -> _Rows:
    """Rows that are not empty, with their numbers."""
    # Programs write wrong dimensions now and then, and these would cut the sheet.
    values.reset_dimensions()
    formulas.reset_dimensions()
    try:
        for number, (row, written) in enumerate(
            zip(values.iter_rows(), formulas.iter_rows(), strict=True), 1
        ):
            cells = []
            for cell, said in zip(row, written, strict=True):
                if cell.value is None and said.value is not None:
                    raise InputError(
                        "MP874",
                        f"The cell {said.coordinate} is a formula, and its value is not stored.",
                        path=path,
                        line=number,
                        hint="Open the workbook in a spreadsheet program and save it.",
                    )
                cells.append(_text(cell.value))
            while cells and not cells[-1]:
                cells.pop()
            if any(cells):
                yield number, cells
    except InputError:
        raise
    except Exception as error:
        raise _damaged(path, str(error)) from None


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value)


def _checked_parts(data: bytes, path: str) -> zipfile.ZipFile:
    """The archive, refused if it would unpack to too much or declares entities."""
    if data.startswith(_OLE):
        raise _damaged(path, "it is encrypted, or an .xls file of old")
    try:
        parts = zipfile.ZipFile(io.BytesIO(data))
        entries = parts.infolist()
        size = sum(entry.file_size for entry in entries)
        grown = size > _LARGE and size > _MOST_GROWTH * len(data)
        if size > _MOST_BYTES or len(entries) > _MOST_PARTS or grown:
            raise InputError(
                "MP873",
                f"The workbook of {len(data):,} bytes would unpack to {size:,} in {len(entries):,} parts.",
                path=path,
                hint="Save the sheet as CSV, or split it.",
            )
        for entry in entries:
            if entry.filename.endswith((".xml", ".rels")):
                with parts.open(entry) as stream:
                    beginning = stream.read(_PROLOGUE)
                if any(mark in beginning for mark in _ENTITIES):
                    raise InputError(
                        "MP861",
                        f"The part {entry.filename[:80]!r} has a document type, which may declare entities.",
                        path=path,
                        hint="No spreadsheet program writes one: do not trust the file.",
                    )
    except InputError:
        raise
    except Exception as error:  # archives fail in as many ways as they can be damaged
        raise _damaged(path, str(error)) from None
    return parts


def _refuse_merged(
    data: bytes, parts: zipfile.ZipFile, workbook: Any, title: str, header: int, path: str
) -> None:
    """Refuse a sheet in which cells of the header, or below it, are merged."""
    part = str(getattr(workbook[title], "_worksheet_path", "")).lstrip("/")
    if part not in parts.namelist():
        return
    tail = b""
    with parts.open(part) as stream:
        while block := stream.read(1 << 20):
            for first, last in _MERGED.findall(tail + block):
                if int(re.sub(rb"[A-Z]", b"", last)) >= header:
                    raise InputError(
                        "MP875",
                        f"The cells {first.decode()} to {last.decode()} are merged.",
                        path=path,
                        line=int(re.sub(rb"[A-Z]", b"", first)),
                        hint="Unmerge them, and write each cell's own text.",
                    )
            tail = block[-200:]


def _damaged(path: str, reason: str) -> InputError:
    return InputError(
        "MP872",
        f"This is no workbook that can be read: {reason[:200]}.",
        path=path,
        hint="Save it as .xlsx again, without a password.",
    )


def _recognises(head: Head) -> bool:
    return head.name.lower().endswith(_ENDINGS) and head.magic[:4] in (ZIP, _OLE)


def _open_corpus(
    path: FilePath, *, columns: ColumnNames | None, empty_references: EmptyReferences
) -> Iterator[Corpus] | None:
    if not columns and not _has_references(path):
        return None
    return _CORPUS.open(path, columns=columns, empty_references=empty_references)


def _open_ratings(path: FilePath, weights: MqmWeights) -> list[Ratings]:
    from metaphrase.corpus.formats.judged.rating_sheet import read_rating_sheet  # it reads sheets

    return [read_rating_sheet(path)]


FORMATS = (
    Format(
        name="xlsx",
        holds="units",
        description="an Excel workbook",
        recognises=_recognises,
        read=read_xlsx,
        open_units=read_xlsx,
        open_corpus=_open_corpus,
        open_ratings=_open_ratings,
        of_items=True,
        options=("columns",),
        endings=_ENDINGS,
    ),
)
