"""Tables with one row for each system and segment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from metaphrase.corpus.formats.tables.cells import Cells, Row, Shared, Table
from metaphrase.corpus.validation import check_system_name
from metaphrase.errors import InputError


def read_long(rows: Iterator[Row], cells: Cells) -> Table:
    """All rows of the table, in whatever order they come."""
    layout = cells.layout
    if layout.system is None or layout.hypothesis is None:
        raise AssertionError("recognise() gives a long table both columns")
    table = Table()
    numbers: dict[tuple[str | None, str | int], int] = {}
    found: dict[str, dict[int, tuple[str, int]]] = {name: {} for name in layout.systems or ()}
    for line, row in rows:
        system = cells.text(row, layout.system, line)
        if layout.systems is not None and system not in layout.systems:
            continue
        if system not in found:
            check_system_name(system, path=cells.path, line=line)
            found[system] = {}
        shared = cells.shared(row, line)
        if layout.segment is None:
            # Without a key, the n-th row of each system is its n-th segment.
            key: tuple[str | None, str | int] = (None, len(found[system]))
        else:
            # Many corpora number the segments of each document anew.
            key = (shared.document, _segment_key(row, layout.segment, cells, line))
        number = numbers.setdefault(key, len(numbers))
        if number == len(table.shared):
            table.shared.append(shared)
            table.lines.append(line)
        elif shared != table.shared[number]:
            raise _disagreement(shared, table, number, cells, line)
        if number in found[system]:
            raise InputError(
                "MP144",
                f"System {system!r} has this segment in line {found[system][number][1]} already.",
                path=cells.path,
                line=line,
                hint="Give each system and segment one row.",
            )
        found[system][number] = cells.text(row, layout.hypothesis, line), line
    _check_complete(found, table, cells)
    for system, texts in found.items():
        table.systems[system] = [texts[number][0] for number in range(len(numbers))]
    return table


def _segment_key(row: Mapping[str, object], name: str, cells: Cells, line: int) -> str:
    value = row.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return cells.text(row, name, line)


def _disagreement(shared: Shared, table: Table, number: int, cells: Cells, line: int) -> InputError:
    first = table.shared[number]
    field_names = ("references", "source", "document", "domain")
    differing = next(n for n in field_names if getattr(shared, n) != getattr(first, n))
    return InputError(
        "MP145",
        f"The {differing.rstrip('s')} of this segment is not that of line {table.lines[number]}.",
        path=cells.path,
        line=line,
        hint="All rows of a segment must agree; without a segment column, rows go by their order.",
    )


def _check_complete(found: Mapping[str, Mapping[int, object]], table: Table, cells: Cells) -> None:
    segments = len(table.shared)
    for system, texts in found.items():
        if len(texts) == segments and segments:
            continue
        if not texts:
            raise InputError("MP140", f"The table has no system {system!r}.", path=cells.path)
        if cells.layout.segment is None:
            counts = ", ".join(f"{name!r} has {len(rows)}" for name, rows in found.items())
            raise InputError(
                "MP102",
                f"The systems have different numbers of segments: {counts}.",
                path=cells.path,
                hint="Add the missing rows, or a column 'segment' that shows which ones they are.",
            )
        missing = next(number for number in range(segments) if number not in texts)
        raise InputError(
            "MP144",
            f"System {system!r} has no row for the segment of line {table.lines[missing]}.",
            path=cells.path,
            hint="Add it; its hypothesis may be empty.",
        )
