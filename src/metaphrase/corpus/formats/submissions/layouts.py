"""The columns of submissions to WMT's metrics task, year by year, and how to tell them apart.

2017 follows the task's page (wmt-conference/wmt17-website, metrics-task.html) column by column and in its
file names; so does the system level of 2023 (wmt-metrics-task.github.io). The columns of the other layouts
are assumed, and so is that 2016 and 2020 want gzip as 2017 does: neither was compared with the pages of
these years.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from metaphrase.corpus.formats.score_text import is_language_pair, is_score

SubmissionLevel = Literal["sys", "doc", "seg"]
#: What 2017 asks of every metric: whether it uses other metrics.
ENSEMBLE = ("ensemble", "non-ensemble")
#: Segments count from 1; no writer pads them with zeros.
_SEGMENT = re.compile(r"[1-9][0-9]{0,8}")
_SECONDS = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,9})?")
#: Domains may be called ``all``, so that this name says nothing.
_REFERENCE = re.compile(r"(?i)(?:ref|src$)")
_LEVEL = re.compile(r"\.(sys|doc|seg)(?:\.|$)")


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of one year and level; ``compressed`` says whether the year asks for gzip."""

    name: str
    columns: tuple[str, ...]
    compressed: bool

    @property
    def year(self) -> int:
        """The year whose rules these are."""
        return 2000 + int(self.name[3:5])

    @property
    def level(self) -> SubmissionLevel:
        """What a line is about."""
        levels: tuple[SubmissionLevel, ...] = ("sys", "doc", "seg")
        return next(level for level in levels if self.name.endswith(level))


def _layout(name: str, columns: str, compressed: bool = True) -> Layout:
    return Layout(name, ("metric", "language_pair", "test_set", *columns.split()), compressed)


LAYOUTS = {
    layout.name: layout
    for layout in (
        _layout("wmt16-sys", "system score"),
        _layout("wmt16-seg", "system segment score"),
        _layout("wmt17-sys", "system score begin end ensemble available"),
        _layout("wmt17-seg", "system segment score ensemble available"),
        _layout("wmt20-sys", "reference system score"),
        _layout("wmt20-doc", "reference system document score"),
        _layout("wmt20-seg", "reference system document segment score"),
        _layout("wmt23-sys", "domain reference system score", compressed=False),
        _layout("wmt23-seg", "domain document reference system segment score", compressed=False),
    )
}


def is_cell(column: str, text: str) -> bool:
    """Whether the text can stand in the column of that name."""
    if column == "score":
        return is_score(text)
    if column == "segment":
        return _SEGMENT.fullmatch(text) is not None
    if column in ("begin", "end"):
        return _SECONDS.fullmatch(text) is not None
    if column == "ensemble":
        return text in ENSEMBLE
    if column == "language_pair":
        return is_language_pair(text)
    return bool(text)


def recognised(rows: Sequence[Sequence[str]], name: str) -> Layout | None:
    """The only layout of all rows without a doubt; None if there is none, or more than one."""
    layout = likely(rows, name)
    if layout is None:
        return None
    fits = all(
        len(row) == len(layout.columns)
        and all(is_cell(column, cell) for column, cell in zip(layout.columns, row, strict=True))
        for row in rows
    )
    return layout if fits else None


def likely(rows: Sequence[Sequence[str]], name: str) -> Layout | None:
    """The layout that the first rows can only have, whatever faults they have besides.

    Layouts with the same number of columns differ in their level, which a file's ``name`` may tell, or in
    where whole numbers and the word about ensembles stand. Where neither decides, nothing is guessed.
    """
    if not rows:
        return None
    width = len(rows[0])
    alike = [row for row in rows if len(row) == width]
    layouts = [layout for layout in LAYOUTS.values() if len(layout.columns) == width]
    if said := _LEVEL.search(name.rpartition("/")[2]):
        layouts = [layout for layout in layouts if layout.level == said[1]] or layouts
    if len(layouts) > 1:
        layouts = [layout for layout in layouts if _plausible(layout, alike)]
    return layouts[0] if len(layouts) == 1 else None


def _plausible(layout: Layout, rows: Sequence[Sequence[str]]) -> bool:
    """Whether the rows may be of this layout, among those with as many columns."""
    columns = {name: [row[i] for row in rows] for i, name in enumerate(layout.columns)}
    if "ensemble" in columns:
        return any(cell in ENSEMBLE for cell in columns["ensemble"])
    numbered = [_SEGMENT.fullmatch(cell) is not None for cell in columns.get("segment", ())]
    if layout.name == "wmt16-seg":
        return all(numbered) and columns["segment"][0] == "1"
    if "segment" in columns:
        return any(numbered)
    if layout.name == "wmt20-sys":
        # A column of whole numbers only would be segments.
        return not any(_SEGMENT.fullmatch(cell) for cell in columns["system"])
    # Seven columns: REFERENCE SYSTEM DOCUMENT or DOMAIN REFERENCE SYSTEM.
    other = "wmt23-sys" if layout.name == "wmt20-doc" else "wmt20-doc"
    place = LAYOUTS[other].columns.index("reference")
    said = all(_REFERENCE.match(cell) for cell in columns["reference"])
    return said or not all(_REFERENCE.match(row[place]) for row in rows)
