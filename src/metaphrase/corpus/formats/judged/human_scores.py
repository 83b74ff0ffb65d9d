"""People's scores of a corpus that is there already: a table of system, segment and score.

TSV with the columns ``system``, ``seg`` (or ``segment``) and ``human``; others are passed over, so that the
tables of :mod:`~metaphrase.corpus.formats.judged.judgement_files` will do. A segment is known by its number,
from 1. If the table has the translations too, in a column ``hypothesis`` (or ``hyp``), they must be those of
the corpus, and segments may have any names: they are then counted in the order in which they appear, as
``--corpus`` does.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.judged.fields import judged_number
from metaphrase.corpus.formats.tables.layout import NAMES
from metaphrase.corpus.formats.tables.tsv import table_rows
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.errors import InputError


@dataclass(frozen=True, slots=True, eq=False)
class HumanScores:
    """People's scores, (systems, segments), NaN where there is none; higher is better.

    ``name`` says where they come from, ``passed_over`` which judged systems the corpus does not have.
    """

    name: str
    scores: FloatArray
    passed_over: tuple[str, ...] = ()

    def systems(self) -> FloatArray:
        """The mean of each system's judged segments; NaN if there is none."""
        known = ~np.isnan(self.scores)
        counts = known.sum(axis=1)
        means = np.where(known, self.scores, 0.0).sum(axis=1) / np.maximum(counts, 1)
        return np.where(counts > 0, means, np.nan)


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    system: str
    #: The name of the segment, with its document if the table has documents.
    segment: tuple[str, str]
    hypothesis: str | None
    score: float | None


def read_human_scores(path: FilePath, corpus: Corpus) -> HumanScores:
    """The scores that the table ``path`` gives to the translations of ``corpus``.

    Several scores of one translation count by their mean; an empty cell is none. Systems that the corpus does
    not have are passed over, unless it has none of them.
    """
    with LineReader(path) as reader:
        name = reader.name
        rows = list(_rows(reader))
    known = [row for row in rows if row.system in corpus.systems]
    judged = [row for row in known if row.score is not None]
    others = dict.fromkeys(row.system for row in rows if row.system not in corpus.systems)
    if not judged:
        raise InputError(
            "MP645",
            "The table has no score of any of these systems.",
            path=name,
            hint=f"The systems are {', '.join(corpus.systems)}.",
        )
    numbers = _segment_numbers(rows, known, corpus, name)
    places = {system: place for place, system in enumerate(corpus.systems)}
    sums = np.zeros((len(corpus.systems), len(corpus)))
    counts = np.zeros(sums.shape)
    for row in judged:
        cell = places[row.system], numbers[row.segment]
        sums[cell] += row.score or 0.0
        counts[cell] += 1
    scores = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
    return HumanScores(Path(os.fspath(path)).name, scores, tuple(others))


def _rows(reader: LineReader) -> Iterator[_Row]:
    for line, cells in table_rows(reader):
        system, segment, document, hypothesis = (
            _column(cells, NAMES[role]) for role in ("system", "segment", "document", "hypothesis")
        )
        if system is None or segment is None or "human" not in cells:
            raise InputError(
                "MP644",
                "The header lacks a column for systems, segments or people's scores, or has two.",
                path=reader.name,
                line=1,
                hint="A table of people's scores has the columns system, seg and human.",
            )
        score = cells["human"]
        yield _Row(
            line,
            cells[system],
            ("" if document is None else cells[document], cells[segment]),
            None if hypothesis is None else cells[hypothesis],
            judged_number(score, reader.name, line) if score else None,
        )


def _column(header: Iterable[str], names: Sequence[str]) -> str | None:
    found = [name for name in header if name in names]
    return found[0] if len(found) == 1 else None


def _is_number(name: str) -> bool:
    return name.isdecimal() and len(name) < 19  # Python reads no number of thousands of digits


def _segment_numbers(
    rows: Sequence[_Row], known: Sequence[_Row], corpus: Corpus, path: str
) -> Mapping[tuple[str, str], int]:
    """The row of the corpus that each segment of the table is."""
    last = len(corpus)
    counted = {
        row.segment: int(row.segment[1]) - 1
        for row in known
        if _is_number(row.segment[1]) and 1 <= int(row.segment[1]) <= last
    }
    if len(set(counted.values())) < len(counted):  # numbered anew in every document
        counted = {}
    wrong = next((row for row in known if not _fits(row, counted, corpus)), None)
    if wrong is None:
        return counted
    if wrong.hypothesis is not None:
        appearing = {segment: n for n, segment in enumerate(dict.fromkeys(r.segment for r in rows))}
        if all(_fits(row, appearing, corpus) for row in known):
            return appearing
    if wrong.segment not in counted:
        raise InputError(
            "MP646",
            f"{wrong.segment[1]!r} is not the number of a segment from 1 to {last}.",
            path=path,
            line=wrong.line,
            hint="Number the segments as the texts have them, from 1.",
        )
    raise InputError(
        "MP647",
        f"System {wrong.system!r} has another translation of segment {wrong.segment[1]}.",
        path=path,
        line=wrong.line,
        hint="The table must be about the very texts of the report.",
    )


def _fits(row: _Row, numbers: Mapping[tuple[str, str], int], corpus: Corpus) -> bool:
    number = numbers.get(row.segment, len(corpus))
    if number >= len(corpus):
        return False
    return row.hypothesis is None or corpus.systems[row.system][number] == row.hypothesis
