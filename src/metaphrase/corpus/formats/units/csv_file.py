"""CSV as spreadsheets write it: commas, semicolons or tabs, and quoted cells that may have line ends.

Which of them it is, the header says. ``sep=;`` before it, which Excel writes, is passed over. The file is
UTF-8, or UTF-16 if it begins with its mark. A table with a column ``reference`` is a corpus, as a TSV file
is; one with sources and translations has units. Tables with tabs that have a column ``reference`` are TSV,
without quoting.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterator, Mapping, Sequence

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.tables.cells import Row
from metaphrase.corpus.formats.tables.layout import REFERENCE_COLUMNS, ColumnNames
from metaphrase.corpus.formats.tables.rows import TableReader
from metaphrase.corpus.formats.units.file_bytes import file_bytes
from metaphrase.corpus.formats.units.table_columns import UnitColumns, no_columns, unit_columns
from metaphrase.corpus.formats.units.unit_ids import check_ids
from metaphrase.corpus.formats.units.writing_units import write_units_csv
from metaphrase.corpus.lines import FilePath, shown_name
from metaphrase.corpus.units import UnitFile
from metaphrase.corpus.validation import EmptyReferences
from metaphrase.errors import InputError

_SEPARATORS = ",;\t"
_SEPARATOR_LINE = "sep="
#: Between references in a cell of a column ``references``, as in TSV.
_JOINED = " ||| "


def read_csv(
    path: FilePath, *, columns: Mapping[str, str | Sequence[str]] | None = None
) -> UnitFile:
    """The units of a table; ``columns`` names those whose header does not say what they are."""
    name = shown_name(path)
    rows = csv_rows(path)
    line, header = next(rows)
    found = unit_columns(header, columns)
    if found is None:
        raise no_columns(header, columns, name, line)
    return table_units(found, rows, name, "csv")


def table_units(
    columns: UnitColumns, rows: Iterator[tuple[int, list[str]]], path: str, form: str
) -> UnitFile:
    """The units of the rows below a header."""
    units = tuple(unit for line, cells in rows if (unit := columns.unit(cells, line)) is not None)
    if not units:
        raise InputError("MP870", "The table has no unit.", path=path, hint="Name one that has.")
    check_ids(units, path)
    return UnitFile(path, form, columns.source_language, columns.target_language, units)


def csv_rows(path: FilePath) -> Iterator[tuple[int, list[str]]]:
    """Each row that is not empty, with the line that it begins in; the header is the first."""
    name = shown_name(path)
    text = _decoded(file_bytes(path), name)
    first, _, rest = text.partition("\n")
    separator = _separator(text)
    start = 1
    if first.rstrip("\r").lower().startswith(_SEPARATOR_LINE):
        text, start = rest, 2
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = start
    width = 0
    try:
        for cells in reader:
            if any(cells):
                width = width or len(cells)
                if len(cells) > width and any(cells[width:]):
                    raise InputError(
                        "MP877",
                        f"The row has {len(cells)} cells, the header has {width}.",
                        path=name,
                        line=line,
                        hint="A cell with a separator inside is written between quotation marks.",
                    )
                yield line, cells
            line = start + reader.line_num
    except csv.Error as error:
        raise InputError(
            "MP877",
            f"The row is not CSV: {error}.",
            path=name,
            line=line,
            hint='Quote whole cells, and write "" for a quotation mark inside.',
        ) from None
    if not width:
        raise InputError("MP870", "The table has no row.", path=name, hint="Name one that has.")


def _decoded(data: bytes, path: str) -> str:
    encoding = "utf-8-sig"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise InputError(
            "MP862",
            f"The byte 0x{data[error.start]:02X} is not {encoding.removesuffix('-sig').upper()}.",
            path=path,
            line=data.count(b"\n", 0, error.start) + 1,
            hint='Save it as "CSV UTF-8".',
        ) from None


def _separator(text: str) -> str:
    """What stands between cells: what ``sep=`` says, or what gives the header most cells that it knows."""
    first = text.partition("\n")[0].rstrip("\r")
    if first.lower().startswith(_SEPARATOR_LINE) and len(first) == len(_SEPARATOR_LINE) + 1:
        return first[-1]
    return max(
        _SEPARATORS,
        key=lambda one: (unit_columns(_cells(first, one)) is not None, first.count(one)),
    )


def _cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return []


def _table_rows(path: FilePath) -> Iterator[Row]:
    """Rows with the names of their columns, for tables that are a corpus."""
    rows = csv_rows(path)
    line, header = next(rows)
    yield from named_rows(header, rows, shown_name(path), line)


def named_rows(
    header: Sequence[str], rows: Iterator[tuple[int, list[str]]], path: str, line: int
) -> Iterator[Row]:
    """Each row as a mapping; every column needs a name of its own."""
    names = [name.strip() for name in header]
    while names and not names[-1]:
        names.pop()
    if len(set(names)) < len(names) or "" in names:
        raise InputError(
            "MP140",
            "The name of a column is empty or occurs twice.",
            path=path,
            line=line,
            hint="Every column of the header needs a name of its own.",
        )
    for number, cells in rows:
        filled = [*cells, *[""] * (len(names) - len(cells))]
        yield number, dict(zip(names, filled, strict=False))


CSV_CORPUS = TableReader(_table_rows, separator=_JOINED)


def _header(head: Head) -> list[str]:
    """The cells of the first line, if the lines below it have as many: real text has commas everywhere."""
    lines = [line for line in head.lines if not line.lower().startswith(_SEPARATOR_LINE)]
    if len(lines) < 2 or head.is_folder:
        return []
    separator = _separator("\n".join(head.lines[:2]))
    header = _cells(lines[0], separator)
    if len(header) < 2:
        return []
    try:
        rows = list(csv.reader((f"{line}\n" for line in lines[1:]), delimiter=separator))
    except csv.Error:
        return []
    # A cell may go on in the next line, and the last of them may be cut off.
    return header if all(len(row) == len(header) for row in rows[:-1] or rows if row) else []


def _recognises_units(head: Head) -> bool:
    header = _header(head)
    found = unit_columns(header) if header else None
    if found is None or any(name != name.strip() for name in header):
        return False
    # Sentences of two short words are more common than tables of two languages without ids.
    return not found.source_language or "id" in found.places


def _recognises_corpus(head: Head) -> bool:
    header = _header(head)
    if not header or "\t" in head.lines[0]:
        return False
    names = {name.strip() for name in header}
    return bool(names & REFERENCE_COLUMNS) and len(names) > 1


def _open_named_columns(
    path: FilePath, *, columns: ColumnNames | None, empty_references: EmptyReferences
) -> Iterator[Corpus] | None:
    """A table of units is a corpus if somebody says which columns are."""
    if not columns:
        return None
    return CSV_CORPUS.open(path, columns=columns, empty_references=empty_references)


FORMATS = (
    Format(
        name="csv",
        holds="units",
        description="CSV, a table of units with sources and translations",
        recognises=_recognises_units,
        read=read_csv,
        open_units=read_csv,
        open_corpus=_open_named_columns,
        write_units=write_units_csv,
        options=("columns",),
        endings=(".csv",),
    ),
    Format(
        name="csv-corpus",
        holds="texts",
        description="CSV, a table of texts with references",
        recognises=_recognises_corpus,
        read=CSV_CORPUS.read,
        open_corpus=CSV_CORPUS.open,
        options=("columns",),
    ),
)
