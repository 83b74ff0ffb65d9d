"""Challenge sets of one's own: tables (TSV) or JSON Lines with a row for each pair of translations.

Columns are ``kind``, ``reference``, ``good`` and ``bad``, and where they are known ``severity``, ``source``
and ``id``; others are passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from metaphrase.corpus.challenges import Challenge
from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.tables.cells import Row, checked_cell
from metaphrase.corpus.formats.tables.jsonl import encoded_objects, json_rows
from metaphrase.corpus.formats.tables.layout import CHALLENGE_COLUMNS
from metaphrase.corpus.formats.tables.tsv import table_line, table_rows
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.corpus.writing import atomic_writer, encoded_lines
from metaphrase.errors import InputError, excerpt

#: In the order in which they are written.
COLUMNS = ("kind", "severity", "id", "source", "reference", "good", "bad")


def read_challenge_tsv(path: FilePath) -> list[Challenge]:
    """The items of a table with a header."""
    with LineReader(path) as reader:
        return _challenges(table_rows(reader), reader.name)


def read_challenge_jsonl(path: FilePath) -> list[Challenge]:
    """The items of a file with one JSON object per line."""
    with LineReader(path) as reader:
        return _challenges(json_rows(reader), reader.name)


def write_challenges(items: Sequence[Challenge], path: FilePath) -> None:
    """Write what :func:`read_challenge_tsv` reads back, or JSON Lines if the name ends in ``.jsonl``."""
    with atomic_writer(path) as stream:
        if str(path).removesuffix(".gz").endswith(".jsonl"):
            rows = [{name: getattr(item, name) for name in COLUMNS} for item in items]
            stream.write(encoded_objects(rows))
            return
        lines = challenge_lines(items, path)
        stream.write(b"".join(encoded_lines(lines, path)))


def challenge_lines(items: Iterable[Challenge], path: FilePath = "-") -> Iterator[str]:
    """The lines of a table; ``path`` is only named in errors."""
    yield "\t".join(COLUMNS)
    for number, item in enumerate(items, 2):
        yield table_line([getattr(item, name) for name in COLUMNS], path, number)


def _challenges(rows: Iterator[Row], path: str) -> list[Challenge]:
    found = [_challenge(row, path, line) for line, row in rows]
    if not found:
        raise InputError("MP113", "The file has no items.", path=path, hint="Add some rows.")
    return found


def _challenge(row: Mapping[str, object], path: str, line: int) -> Challenge:
    def fault(what: str, hint: str) -> InputError:
        return InputError("MP757", what, path=path, line=line, hint=hint)

    missing = sorted(name for name in CHALLENGE_COLUMNS if name not in row)
    if missing:
        raise fault(
            f"The row has no {', '.join(missing)}.",
            f"An item has {', '.join(COLUMNS)}; severity, id and source may be missing.",
        )
    given = {name: row.get(name, "") for name in COLUMNS}
    if isinstance(given["id"], int) and not isinstance(given["id"], bool):
        given["id"] = str(given["id"])
    cells = {name: checked_cell(value, name, path, line) for name, value in given.items()}
    for name in ("kind", "reference", "good"):
        if not cells[name].strip():
            raise fault(f"The cell {name!r} is empty.", "Only what is bad may say nothing.")
    if cells["good"] == cells["bad"]:
        raise fault(
            f"Good and bad are the same text: {excerpt(cells['good'])}.",
            "Put an error into the bad one, or leave the row out.",
        )
    return Challenge(**cells, path=path, line=line)


def _is_table(head: Head) -> bool:
    return head.columns >= CHALLENGE_COLUMNS


def _is_jsonl(head: Head) -> bool:
    return head.fields >= CHALLENGE_COLUMNS


FORMATS = (
    Format(
        name="challenges-tsv",
        holds="challenges",
        description="a challenge set in a table",
        recognises=_is_table,
        read=read_challenge_tsv,
        write=write_challenges,
    ),
    Format(
        name="challenges-jsonl",
        holds="challenges",
        description="a challenge set, one JSON object per line",
        recognises=_is_jsonl,
        read=read_challenge_jsonl,
        write=write_challenges,
    ),
)
