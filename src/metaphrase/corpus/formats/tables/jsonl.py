"""JSON Lines: one object per line. Holds every text there is, line feeds and tabs included."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.tables.cells import Row
from metaphrase.corpus.formats.tables.layout import REFERENCE_COLUMNS, Form
from metaphrase.corpus.formats.tables.rows import TableReader, rows_of
from metaphrase.corpus.formats.units.writing_units import write_units_jsonl
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError


def _without_repetition(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object in which no name occurs twice: JSON does not say which of the two would count."""
    row = dict(pairs)
    if len(row) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        repeated = next(name for name, count in counts.items() if count > 1)
        raise ValueError(f"the field {repeated!r} occurs twice")
    return row


# Made once: the functions of the json module make a new one for every call with options.
_ENCODER = json.JSONEncoder(ensure_ascii=False)
_DECODER = json.JSONDecoder(object_pairs_hook=_without_repetition)


def write_jsonl(
    corpus: Corpus, path: FilePath, *, form: Form = "wide", overwrite: bool = True
) -> None:
    """Write objects that :func:`read_jsonl` reads back, whatever the texts are."""
    rows = rows_of(corpus, form, path, references=None)
    with atomic_writer(path, overwrite=overwrite) as stream:
        stream.write(encoded_objects(rows))


def encoded_objects(rows: Iterable[Mapping[str, object]]) -> bytes:
    """One object per line."""
    return b"".join(_ENCODER.encode(row).encode() + b"\n" for row in rows)


def json_rows(reader: LineReader) -> Iterator[Row]:
    """Each object: its line, and its values by the names of the fields."""
    for line, text in reader:
        try:
            row = _DECODER.decode(text)
        except RecursionError:
            raise _not_an_object(reader, line, "it is nested too deeply") from None
        except ValueError as error:
            raise _not_an_object(reader, line, str(error)) from None
        if not isinstance(row, dict):
            raise _not_an_object(reader, line, f"it is of type {type(row).__name__}")
        yield line, row


def _not_an_object(reader: LineReader, line: int, reason: str) -> InputError:
    return InputError(
        "MP142",
        f"The line is not a JSON object: {reason}.",
        path=reader.name,
        line=line,
        hint="Give one object per line, without blank lines.",
    )


def _file_rows(path: FilePath) -> Iterator[Row]:
    with LineReader(path) as reader:
        yield from json_rows(reader)


_TABLES = TableReader(_file_rows, separator=None)
open_jsonl = _TABLES.open
read_jsonl = _TABLES.read


def is_named_jsonl(path: str) -> bool:
    """Whether a file is called JSON, which decides where its beginning does not."""
    return bool({".jsonl", ".json"} & set(Path(path).suffixes))


def _recognises(head: Head) -> bool:
    """An object with a reference; any other may be text, unless the file's name says that it is none."""
    named = head.name.removesuffix(".gz").endswith(".jsonl")
    return bool(head.fields if named else head.fields & REFERENCE_COLUMNS)


FORMATS = (
    Format(
        name="jsonl",
        holds="texts",
        description="texts, one JSON object per line, wide or long",
        recognises=_recognises,
        is_general=True,
        read=read_jsonl,
        write=write_jsonl,
        open_corpus=open_jsonl,
        write_corpus=write_jsonl,
        write_units=write_units_jsonl,
        options=("columns",),
    ),
)
