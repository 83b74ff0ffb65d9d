"""Tab-separated values: a header, then one row per line; a tab is a tab and a quotation mark is text.

There is no quoting and no escape, because none is needed where texts have neither tabs nor line
feeds, and because readers that unquote change texts which merely begin with a quotation mark.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.tables.layout import REFERENCE_COLUMNS, Form
from metaphrase.corpus.formats.tables.rows import TableReader, rows_of
from metaphrase.corpus.formats.units.writing_units import write_units_tsv
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.corpus.writing import atomic_writer, cannot_hold, encoded_lines
from metaphrase.errors import InputError

#: What stands between the references in a cell of the column ``references``.
SEPARATOR = " ||| "


def write_tsv(
    corpus: Corpus, path: FilePath, *, form: Form = "wide", overwrite: bool = True
) -> None:
    """Write a table that :func:`read_tsv` reads back; a text with a tab or line feed is refused."""
    count = len(corpus.references)
    names = ["reference", *(f"reference{number}" for number in range(2, count + 1))]
    with atomic_writer(path, overwrite=overwrite) as stream:
        lines = _lines(rows_of(corpus, form, path, references=names), path)
        stream.write(b"".join(encoded_lines(lines, path)))


def table_rows(reader: LineReader) -> Iterator[tuple[int, dict[str, str]]]:
    """Each row below the header: its line, and its cells by the names of their columns."""
    lines = iter(reader)
    header = next(lines)[1].split("\t")
    seen: set[str] = set()
    for number, name in enumerate(header, 1):
        if not name or name in seen:
            fault = "occurs twice" if name else "is empty"
            raise InputError(
                "MP140",
                f"The name of column {number} {fault}.",
                path=reader.name,
                line=1,
                hint="Every column of the header needs a name of its own.",
            )
        seen.add(name)
    for line, text in lines:
        cells = text.split("\t")
        if len(cells) != len(header):
            raise InputError(
                "MP141",
                f"The row has {len(cells)} cells, the header has {len(header)}.",
                path=reader.name,
                line=line,
                hint="Cells are separated by single tabs and cannot contain any.",
            )
        yield line, dict(zip(header, cells, strict=True))


def _file_rows(path: FilePath) -> Iterator[tuple[int, dict[str, str]]]:
    with LineReader(path) as reader:
        yield from table_rows(reader)


_TABLES = TableReader(_file_rows, separator=SEPARATOR)
open_tsv = _TABLES.open
read_tsv = _TABLES.read


def _lines(rows: Iterator[Mapping[str, object]], path: FilePath) -> Iterator[str]:
    for number, row in enumerate(rows, 2):
        if number == 2:
            yield table_line(row, path, 1)
        yield table_line([str(cell) for cell in row.values()], path, number)


def table_line(cells: Mapping[str, object] | Sequence[str], path: FilePath, number: int) -> str:
    """The cells of line ``number``, none of which may have a tab."""
    for cell in cells:
        if "\t" in cell:
            raise cannot_hold(path, number, "contains a tab")
    return "\t".join(cells)


def _recognises(head: Head) -> bool:
    return len(head.columns) > 1 and bool(head.columns & REFERENCE_COLUMNS)


FORMATS = (
    Format(
        name="tsv",
        holds="texts",
        description="a table of texts with a header, wide or long",
        recognises=_recognises,
        is_general=True,
        read=read_tsv,
        write=write_tsv,
        open_corpus=open_tsv,
        write_corpus=write_tsv,
        write_units=write_units_tsv,
        options=("columns",),
    ),
)
