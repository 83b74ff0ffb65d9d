"""Columns of a table in wide form that hold something else than translations.

Whatever column has no role is a system there. Tables as people have them carry ids, comments and scores
beside, and those would be ranked among the systems: they are left out, and a warning says so.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from itertools import chain

from metaphrase.corpus.formats.tables.cells import Row
from metaphrase.corpus.formats.tables.layout import Layout
from metaphrase.corpus.lines import FilePath, shown_name
from metaphrase.errors import InputError

#: How many rows at the beginning must have ids or numbers for a column to be one of these.
ROWS = 10
_LONGEST_ID = 40
_ID = re.compile(r"[+-]?[A-Za-z0-9_.,:#/-]*[0-9][A-Za-z0-9_.,:#/-]*%?")


def looked_at(rows: Iterator[Row]) -> tuple[list[Row], Iterator[Row]]:
    """The first rows, and all of them; what is wrong with one is said only when its turn comes."""
    found: list[Row] = []
    try:
        while len(found) < ROWS:
            found.append(next(rows))
    except StopIteration:
        return found, iter(found)
    except InputError as error:
        return found, chain(found, _raised(error))
    return found, chain(found, rows)


def _raised(error: InputError) -> Iterator[Row]:
    raise error
    yield


def columns_of_ids(rows: Sequence[Row]) -> frozenset[str]:
    """The columns with a number or an id in each of the first rows; none where there are too few rows."""
    if len(rows) < ROWS:
        return frozenset()
    return frozenset(name for name in rows[0][1] if all(_is_id(row.get(name)) for _, row in rows))


def _is_id(cell: object) -> bool:
    if isinstance(cell, list) and len(cell) == 1:  # references in one field
        (cell,) = cell
    if isinstance(cell, str):
        return len(cell) <= _LONGEST_ID and _ID.fullmatch(cell) is not None
    return isinstance(cell, int | float)


def warn_of_left_out(path: FilePath, layout: Layout) -> None:
    """Say which columns are systems and which are not, where that was a guess."""
    if layout.left_out:
        warnings.warn(
            f"[MP146] {shown_name(path)}: the systems are {_listed(layout.systems or ())}; left out: "
            f"{_listed(layout.left_out)}. --columns hypothesis=NAME or columns= says which are meant.",
            stacklevel=2,
        )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names))
