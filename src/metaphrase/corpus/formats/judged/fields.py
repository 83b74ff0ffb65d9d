"""Fields of WMT's judgement files: found by the header, checked, spelt in CSV."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from metaphrase.corpus.formats.score_text import LARGEST, shown
from metaphrase.corpus.lines import FilePath
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError

#: Numbers of more digits are no positions, ranks or counts of anything.
_DIGITS = 9


def positions_of(
    names: Sequence[str], required: Iterable[str], *, path: str | None
) -> Mapping[str, int]:
    """Where each column of the header is; all that are ``required`` must be there, none twice."""
    counts = Counter(names)
    twice = [name for name, count in counts.items() if count > 1]
    missing = [name for name in required if name not in counts]
    if twice or missing:
        fault = f"lacks {', '.join(missing)}" if missing else f"has {shown(twice[0])} twice"
        raise InputError(
            "MP175",
            f"The header {fault}.",
            path=path,
            line=1,
            hint=f"The columns are {' '.join(required)}.",
        )
    return {name: number for number, name in enumerate(names)}


def check_count(
    cells: Sequence[str], columns: Sequence[str], *, path: str | None, line: int
) -> None:
    """Refuse a line with more or fewer fields than the header."""
    if len(cells) != len(columns):
        raise InputError(
            "MP176",
            f"The line has {len(cells)} fields, the header {len(columns)}.",
            path=path,
            line=line,
            hint="Check what separates them, and that none is missing.",
        )


def whole_number(
    text: str, what: str, *, path: str | None, line: int, least: int = 1, unknown: bool = False
) -> int | None:
    """The number that ``text`` spells; None for -1, where that stands for ``unknown``."""
    if unknown and text == "-1":
        return None
    digits = text.isascii() and text.isdigit() and len(text) <= _DIGITS
    if not digits or int(text) < least:
        raise InputError(
            "MP177",
            f"The {what} {shown(text)} is no whole number of at least {least}.",
            path=path,
            line=line,
            hint="-1 says that it is not known." if unknown else "Mend it or remove the line.",
        )
    return int(text)


def separated(text: str, separator: str, *, path: str | None, line: int) -> tuple[str, ...]:
    """The fields of one line; a field in quotation marks may have the separator in it.

    A line is a record: no field of these files has a line feed, so a mark that is not closed is a
    mistake, which would swallow the lines that follow if it were not one.
    """
    if '"' not in text:
        return tuple(text.split(separator))
    try:
        return tuple(next(csv.reader([text], delimiter=separator, strict=True)))
    except csv.Error:
        raise InputError(
            "MP176",
            "The quotation marks of the line do not pair, or a field in them is too long.",
            path=path,
            line=line,
            hint='Write "…" around a whole field, and "" for a mark within it.',
        ) from None


def quoted(cell: str, separator: str) -> str:
    """A field as a line spells it: in quotation marks only where it must be."""
    if separator in cell or '"' in cell:
        return '"' + cell.replace('"', '""') + '"'
    return cell


def write_lines(lines: Iterable[str], path: FilePath, *, overwrite: bool) -> None:
    """Write the lines, none of which may break a line or be lost on reading."""
    with atomic_writer(path, overwrite=overwrite) as stream:
        stream.write(b"".join(_encoded(lines, path)))


def write_tabbed(rows: Iterable[Sequence[str]], path: FilePath, *, overwrite: bool) -> None:
    """Write the fields of each line with tabs between them; a field with a tab is refused."""
    lines = []
    for line, row in enumerate(rows, 1):
        if any("\t" in cell for cell in row):
            raise cannot_write(path, line, "has a tab")
        lines.append("\t".join(row))
    write_lines(lines, path, overwrite=overwrite)


def cannot_write(path: FilePath, line: int, fault: str) -> InputError:
    """The error for a field that the format cannot hold."""
    return InputError(
        "MP189", f"A field {fault}.", path=path, line=line, hint="The format cannot hold it."
    )


def _encoded(lines: Iterable[str], path: FilePath) -> Iterator[bytes]:
    for number, line in enumerate(lines, 1):
        for character, name in (("\n", "line feed"), ("\r", "carriage return"), ("\0", "NUL")):
            if character in line:
                raise cannot_write(path, number, f"has a {name}")
        if number == 1 and line.startswith("\ufeff"):
            raise cannot_write(path, number, "begins with a byte order mark")
        try:
            yield line.encode() + b"\n"
        except UnicodeEncodeError:
            raise cannot_write(path, number, "has half a surrogate pair") from None


def judged_number(
    text: str, path: str | None, line: int, *, missing: str = "Leave the cell empty"
) -> float:
    """A judgement that can be computed with: finite, and small enough for sums of squares."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    plain = text == text.strip() and "_" not in text  # float() is generous
    if not plain or not abs(number) < LARGEST:
        raise InputError(
            "MP152",
            f"The judgement {text!r} is not a number to compute with.",
            path=path,
            line=line,
            hint=f"{missing} where there is no judgement.",
        )
    return number
