"""What must hold before lines are a submission: each cell by itself, and its place among the others."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from metaphrase.corpus.formats.score_text import no_score, shown
from metaphrase.corpus.formats.submissions.layouts import Layout, is_cell
from metaphrase.errors import InputError
from metaphrase.languages import same_pair

_HINTS = {
    "language_pair": "Write it like de-en.",
    "segment": "Segments are whole numbers from 1.",
    "ensemble": "Write ensemble or non-ensemble.",
    "begin": "Times are seconds since 1970.",
    "end": "Times are seconds since 1970.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmittedScore:
    """One line; what the year's layout does not have is None. The score is kept as it was written.

    ``begin`` and ``end`` are seconds since 1970, ``available`` an address or ``no``.
    """

    metric: str
    language_pair: str
    test_set: str
    system: str
    score: str
    domain: str | None = None
    document: str | None = None
    reference: str | None = None
    segment: int | None = None
    begin: str | None = None
    end: str | None = None
    ensemble: str | None = None
    available: str | None = None

    @property
    def value(self) -> float:
        """The score as a number."""
        return float(self.score)


@dataclass(slots=True)
class _Block:
    """What one system has been scored on so far, by one metric against one reference."""

    line: int = 0
    count: int = 0
    segment: int = 0
    documents: set[str | None] = field(default_factory=set)
    units: set[tuple[str | None, str | None]] = field(default_factory=set)
    trace: int = 0  # a hash of all documents and segments up to here

    def add(self, line: int, record: SubmittedScore) -> bool:
        """Take the next score into account; False if it has been there, or a later one."""
        document, segment = record.document, record.segment
        if segment is None:
            unit = record.domain, document
            if unit in self.units:
                return False
            self.units.add(unit)
        elif segment != self.segment + 1 and (segment != 1 or document in self.documents):
            return False  # numbers may begin anew with a new document
        self.documents.add(document)
        self.segment = segment or 0
        self.line = line
        self.count += 1
        self.trace = hash((self.trace, document, segment))
        return True


class SubmissionChecks:
    """Turns the cells of lines into records and keeps track of what each system has."""

    def __init__(
        self,
        layout: Layout,
        path: str,
        systems: Collection[str] | None = None,
        language_pair: str | None = None,
    ) -> None:
        self._layout = layout
        self._strict = [column for column in layout.columns if column in ("score", *_HINTS)]
        self._path = path
        self._systems = systems
        self._language_pair = language_pair
        self._blocks: dict[tuple[str | None, ...], _Block] = {}
        self._texts: dict[str, str] = {}

    def record(self, line: int, cells: list[str]) -> SubmittedScore:
        """The record of a line, refused if anything is wrong with it or its place."""
        record = self._record(line, cells)
        if self._language_pair is not None and not same_pair(
            record.language_pair, self._language_pair
        ):
            raise self._error(
                "MP162",
                line,
                f"The line is about {record.language_pair}, not {self._language_pair}.",
                "Give the file of that language pair.",
            )
        if self._systems is not None and record.system not in self._systems:
            raise self._error(
                "MP165",
                line,
                f"There is no system {shown(record.system)}.",
                "Score the systems of the test set, by their names.",
            )
        key = record.metric, record.language_pair, record.test_set, record.reference, record.system
        block = self._blocks.setdefault(key, _Block())
        if not block.add(line, record):
            raise self._misplaced(line, record, block)
        return record

    def finish(self) -> None:
        """Check that all systems have the same documents and segments."""
        if self._layout.level == "sys":
            return
        unit = "documents" if self._layout.level == "doc" else "segments"
        first: dict[tuple[str | None, ...], tuple[str | None, _Block]] = {}
        for (*where, system), block in self._blocks.items():
            rival, other = first.setdefault(tuple(where), (system, block))
            if (block.count, block.trace) != (other.count, other.trace):
                raise self._error(
                    "MP164",
                    block.line,
                    f"System {shown(system or '')} has {block.count} {unit}, system "
                    f"{shown(rival or '')} has {other.count}, or has them in another order.",
                    "Every system needs the same ones, in the same order.",
                )

    def _record(self, line: int, cells: list[str]) -> SubmittedScore:
        columns = self._layout.columns
        if len(cells) != len(columns):
            raise self._error(
                "MP160",
                line,
                f"The line has {len(cells)} columns, {self._layout.name} has {len(columns)}.",
                f"They are {' '.join(columns)}, separated by single tabs.",
            )
        row = dict(zip(columns, cells, strict=True))
        if not all(cells) or not all(is_cell(column, row[column]) for column in self._strict):
            wrong = next(column for column, cell in row.items() if not is_cell(column, cell))
            raise self._wrong_cell(line, wrong, row[wrong])
        if "begin" in row and float(row["begin"]) > float(row["end"]):
            raise self._error(
                "MP160",
                line,
                f"The end {row['end']} is before the beginning {row['begin']}.",
                _HINTS["end"],
            )
        # Names come again on every line: one object each.
        names = {
            column: self._texts.setdefault(cell, cell)
            for column, cell in row.items()
            if column not in ("score", "segment")
        }
        segment = int(row["segment"]) if "segment" in row else None
        return SubmittedScore(**names, score=row["score"], segment=segment)

    def _misplaced(self, line: int, record: SubmittedScore, block: _Block) -> InputError:
        system, segment = shown(record.system), record.segment
        new = record.document not in block.documents
        if segment is not None and (new or segment > block.segment):
            before = f"follows segment {block.segment}" if block.count else "comes first"
            return self._error(
                "MP164",
                line,
                f"Segment {segment} of system {system} {before}.",
                "Segments count from 1 and stand in order, all of them.",
            )
        what = "this segment, or one after it," if segment is not None else "the same"
        return self._error(
            "MP163",
            line,
            f"System {system} has a score of {what} further up.",
            "Every score is there once, in order.",
        )

    def _wrong_cell(self, line: int, column: str, cell: str) -> InputError:
        if column == "score":
            return no_score(cell, self._path, line, hint="A metric scores everything.")
        return self._error(
            "MP162" if column == "language_pair" else "MP160",
            line,
            f"{shown(cell)} is no {column.replace('_', ' ')}.",
            _HINTS.get(column, "No column is empty."),
        )

    def _error(self, code: str, line: int, message: str, hint: str) -> InputError:
        return InputError(code, message, path=self._path, line=line, hint=hint)
