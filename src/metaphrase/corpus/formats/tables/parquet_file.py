"""Parquet files: what their footer says, batches of their rows, and texts of a column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from os import fspath
from pathlib import Path
from typing import Any

from metaphrase.corpus.formats.tables.arrow import arrow, parquet
from metaphrase.corpus.lines import FilePath, cannot_read
from metaphrase.errors import InputError

#: What a file begins and ends with.
MAGIC = b"PAR1"
ENDINGS = (".parquet", ".pq")
#: Rows of row groups that are read together, if one of them has not more.
_ROWS = 1 << 15


@dataclass(frozen=True, slots=True)
class Footer:
    """Columns of a file with their types, the rows of its row groups, and a hash of all that and its size."""

    types: dict[str, str]
    groups: tuple[int, ...]
    size: int
    digest: str


def is_parquet(path: FilePath) -> bool:
    """Whether a file begins and ends as Parquet does; one that is called so need only begin."""
    try:
        with Path(path).open("rb") as stream:
            if stream.read(len(MAGIC)) != MAGIC:
                return False
            stream.seek(-len(MAGIC), 2)
            return stream.read() == MAGIC or fspath(path).lower().endswith(ENDINGS)
    except OSError as error:
        raise cannot_read(path, fspath(path), error) from error


def footer(path: FilePath) -> Footer:
    """What a file says of itself; its rows are not read."""
    with _reading(path):
        with Path(path).open("rb") as stream:
            size = stream.seek(0, 2)
            stream.seek(max(size - 8, 0))
            length = int.from_bytes(stream.read(4), "little")
            stream.seek(max(size - 8 - length, 0))
            digest = blake2b(stream.read(), digest_size=16, salt=size.to_bytes(16, "little"))
        metadata = parquet().read_metadata(fspath(path))
        schema = metadata.schema.to_arrow_schema()
        names = schema.names
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(
            "MP140",
            f"The name of the column {twice!r} occurs twice.",
            path=path,
            hint="Every column needs a name of its own.",
        )
    groups = tuple(metadata.row_group(g).num_rows for g in range(metadata.num_row_groups))
    types = {name: _type_name(kind) for name, kind in zip(names, schema.types, strict=True)}
    return Footer(types, groups, size, digest.hexdigest())


def batches(
    path: FilePath, columns: Sequence[str], size: int, groups: Sequence[int] | None = None
) -> Iterator[Any]:
    """Record batches of at most ``size`` rows with some columns, of all row groups or of some."""
    with (
        _reading(path),
        parquet().ParquetFile(fspath(path), page_checksum_verification=True) as file,
    ):
        chosen = range(file.metadata.num_row_groups) if groups is None else groups
        for some in _together(file.metadata, chosen):
            for batch in file.iter_batches(size, row_groups=some, columns=list(columns)):
                chosen_columns = batch.select(list(columns))
                _check_dictionaries(chosen_columns)
                yield chosen_columns


def _check_dictionaries(batch: Any) -> None:
    """Refuse numbers of entries that a dictionary does not have: pyarrow looks at them when they are read."""
    for column in batch.columns:
        if not arrow().types.is_dictionary(column.type) or column.null_count == len(column):
            continue
        numbers = column.indices.drop_null().to_numpy()
        if numbers.min() < 0 or numbers.max() >= len(column.dictionary):
            raise arrow().ArrowInvalid("an entry is not in its dictionary")


def _together(metadata: Any, groups: Sequence[int]) -> Iterator[list[int]]:
    """Row groups to be read at once: pyarrow keeps what it has read until it has given out all of them."""
    some: list[int] = []
    rows = 0
    for group in groups:
        some.append(group)
        rows += metadata.row_group(group).num_rows
        if rows >= _ROWS:
            yield some
            some, rows = [], 0
    if some:
        yield some


def texts(column: Any, name: str, path: FilePath, first: int, *, nulls: bool = False) -> list[str]:
    """The texts of a column of a batch, whose first row is row ``first`` of the file, from 1.

    There is ``None`` among them where ``nulls`` are allowed, as in columns of further references.
    """
    if not is_text(column.type):
        raise InputError(
            "MP938",
            f"The column {name!r} has the type {column.type}, and texts are strings.",
            path=path,
            hint="Name another column with --columns.",
        )
    if column.null_count and not nulls:
        row = column.is_null().to_pylist().index(True)
        raise InputError(
            "MP938",
            f"The row has no value in the column {name!r}.",
            path=path,
            line=first + row,
            hint="Write an empty string where there is no text, or leave the row out.",
        )
    try:
        found: list[str] = column.to_pylist()
    except UnicodeDecodeError:
        row = next(row for row, text in enumerate(column) if not _is_utf8(text))
        raise InputError(
            "MP121",
            f"The text in the column {name!r} is not UTF-8.",
            path=path,
            line=first + row,
            hint="Convert it to UTF-8.",
        ) from None
    return found


@contextmanager
def _reading(path: FilePath) -> Iterator[None]:
    """Turn what pyarrow raises into an error that names the file."""
    try:
        yield
    except InputError:
        raise
    except OSError as error:
        # The system's errors have a number, those of damaged pages none.
        if error.errno is not None:
            raise cannot_read(path, fspath(path), error) from error
        raise _damaged(path, error) from None
    except (arrow().ArrowException, UnicodeDecodeError) as error:
        raise _damaged(path, error) from None


def _damaged(path: FilePath, error: Exception) -> InputError:
    reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
    return InputError(
        "MP937",
        f"The file is not Parquet, or damaged: {reason}.",
        path=path,
        hint="Write it again.",
    )


def is_text(kind: Any) -> bool:
    """Whether a type is that of texts, however they are stored."""
    types = arrow().types
    if types.is_dictionary(kind):
        kind = kind.value_type
    return any(
        getattr(types, f"is_{name}")(kind)
        for name in ("string", "large_string", "string_view")
        if hasattr(types, f"is_{name}")
    )


def _type_name(kind: Any) -> str:
    """What a type is called; strings are strings, however they are stored."""
    return "string" if is_text(kind) else str(kind)


def _is_utf8(text: Any) -> bool:
    try:
        text.as_py()
    except UnicodeDecodeError:
        return False
    return True
