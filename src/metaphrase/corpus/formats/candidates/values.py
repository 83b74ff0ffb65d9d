"""Values of rows, refused where they are not what they should be."""

from __future__ import annotations

from metaphrase.corpus.formats.tables.cells import checked_cell
from metaphrase.errors import InputError


def checked_list(value: object, name: str, path: str, line: int) -> tuple[str, ...]:
    """Several texts."""
    if not isinstance(value, list):
        raise InputError(
            "MP107",
            f"{name!r} is of type {type(value).__name__}, not a list.",
            path=path,
            line=line,
            hint="Give a list of strings.",
        )
    return tuple(checked_cell(text, name, path, line) for text in value)


def checked_id(value: object, path: str, line: int) -> str:
    """The id of a sentence, which may be a number."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    name = checked_cell(value, "id", path, line)
    if not name.strip():
        raise InputError(
            "MP858",
            "The id is empty.",
            path=path,
            line=line,
            hint="Every row needs the id of its sentence.",
        )
    return name
