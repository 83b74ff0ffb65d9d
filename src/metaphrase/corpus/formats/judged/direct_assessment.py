"""Direct assessment as WMT publishes it: ``SYS SID RAW.SCR Z.SCR N``, separated by spaces.

RAW.SCR is the mean of the scores from 0 to 100 that a translation was given, Z.SCR the mean of those
scores after each judge's own mean and deviation were taken out of them, N how many there were. The
files (``ad-seg-scores-de-en.csv``) have no texts and do not say their language pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.judged.fields import (
    cannot_write,
    check_count,
    judged_number,
    positions_of,
    separated,
    whole_number,
    write_lines,
)
from metaphrase.corpus.formats.judged.request import JudgementFiles
from metaphrase.corpus.formats.judged.scored_translations import (
    HumanScore,
    ScoredPlace,
    ScoredTable,
)
from metaphrase.corpus.formats.judged.segment_order import check_order, ids_by_sorted_documents
from metaphrase.corpus.formats.judged.texts import none_counts
from metaphrase.corpus.formats.score_text import shown
from metaphrase.corpus.judgements import Judgements
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.errors import InputError

_COLUMNS = ("SYS", "SID", "RAW.SCR", "Z.SCR", "N")
#: What R writes for a number that there is none of.
_MISSING = "NA"
#: The best raw score.
_BEST = 100


@dataclass(frozen=True, slots=True)
class Assessment:
    """One line, its numbers as they are spelt; ``NA`` is no score."""

    system: str
    segment: str
    raw: str
    z: str
    judgements: str


@dataclass(frozen=True, slots=True)
class AssessmentTable(ScoredTable):
    """The lines of a file, and how it spells them: names in quotation marks, a space at line ends."""

    rows: tuple[Assessment, ...]
    quoted: bool = False
    trailing_space: bool = True
    fewer = "Ask for fewer than {least} judgements, or leave out fewer systems."

    def __post_init__(self) -> None:
        """Refuse numbers that are none, and a translation that was assessed twice."""
        seen: set[tuple[str, str]] = set()
        for line, row in enumerate(self.rows, 2):
            for score in (row.raw, row.z):
                if score != _MISSING:
                    judged_number(score, self.path, line, missing=f"Write {_MISSING}")
            if row.raw != _MISSING and not 0 <= float(row.raw) <= _BEST:
                raise InputError(
                    "MP152",
                    f"The raw score {shown(row.raw)} is not from 0 to {_BEST}.",
                    path=self.path,
                    line=line,
                    hint=f"People score from 0 to {_BEST}; write {_MISSING} where nobody did.",
                )
            whole_number(row.judgements, "number of judgements", path=self.path, line=line, least=0)
            if (row.system, row.segment) in seen:
                raise self._twice(row, line)
            seen.add((row.system, row.segment))

    def places(
        self,
        corpus: Corpus,
        language_pair: str,
        human: HumanScore,
        least: int,
        segment_ids: Sequence[str] | None,
    ) -> Iterator[ScoredPlace]:
        """Means, each of a line."""
        positions = None if segment_ids is None else positions_by_id(segment_ids, corpus)
        if not self.rows:
            raise none_counts(self.path, "Add some lines.")
        seen: set[tuple[str, int]] = set()
        for line, row in enumerate(self.rows, 2):
            score = row.z if human == "z" else row.raw
            if score == _MISSING or int(row.judgements) < least:
                continue
            position = position_of(row.segment, positions, path=self.path, line=line)
            if (row.system, position) in seen:
                raise self._twice(row, line)
            seen.add((row.system, position))
            number = judged_number(score, self.path, line)
            yield ScoredPlace(line, row.system, row.segment, position, [number])

    def _twice(self, row: Assessment, line: int) -> InputError:
        return InputError(
            "MP182",
            f"Segment {row.segment} of {row.system!r} has been assessed before.",
            path=self.path,
            line=line,
            hint="The file has means: one line for each system and segment.",
        )


def position_of(
    segment: str, positions: dict[str, int] | None, *, path: str | None, line: int
) -> int:
    """Where a segment is in the test set, counted from 1: by its number, or by its id among ``positions``."""
    if positions is None:
        return whole_number(segment, "segment", path=path, line=line) or 0
    if segment not in positions:
        raise InputError(
            "MP181",
            f"Segment {segment!r} was judged, but it is none of the ids of segments.",
            path=path,
            line=line,
            hint="Give the id of every segment of the test set in its order.",
        )
    return positions[segment]


def read_assessments(path: FilePath) -> AssessmentTable:
    """The assessments of a file."""
    with LineReader(path) as reader:
        lines = iter(reader)
        _, header = next(lines)
        if "\t" in header:
            raise InputError(
                "MP175",
                "The columns are separated by tabs.",
                path=reader.name,
                line=1,
                hint="Separate them by single spaces, as WMT does.",
            )
        columns = _fields(header, reader.name, 1)
        at = positions_of(columns, _COLUMNS, path=reader.name)
        if len(columns) != len(_COLUMNS):
            extra = shown(next(name for name in columns if name not in _COLUMNS))
            raise InputError(
                "MP175",
                f"The header has {extra} too.",
                path=reader.name,
                line=1,
                hint=f"The columns are {' '.join(_COLUMNS)}.",
            )
        order = [at[name] for name in _COLUMNS]
        rows = []
        for line, text in lines:
            cells = _fields(text, reader.name, line)
            check_count(cells, columns, path=reader.name, line=line)
            rows.append(Assessment(*(cells[place] for place in order)))
        return AssessmentTable(
            tuple(rows), header.startswith('"'), header.endswith(" "), path=reader.name
        )


def write_assessments(table: AssessmentTable, path: FilePath, *, overwrite: bool = True) -> None:
    """Write the table; a name that would be read as two is refused where names are not quoted."""
    write_lines(_lines(table, path), path, overwrite=overwrite)


def _lines(table: AssessmentTable, path: FilePath) -> Iterator[str]:
    end = " " if table.trailing_space else ""
    yield " ".join(_name(column, table.quoted, path, 1) for column in _COLUMNS) + end
    for line, row in enumerate(table.rows, 2):
        system = _name(row.system, table.quoted, path, line)
        # R quotes names, not numbers; a position is a number.
        segment = _name(row.segment, table.quoted and not row.segment.isdigit(), path, line)
        yield " ".join([system, segment, row.raw, row.z, row.judgements]) + end


def _name(name: str, marks: bool, path: FilePath, line: int) -> str:
    if marks:
        return '"' + name.replace('"', '""') + '"'
    if not name or '"' in name or " " in name:
        raise cannot_write(path, line, f"{name!r} is empty, or has a space or quotation mark")
    return name


def _fields(text: str, path: str, line: int) -> tuple[str, ...]:
    return tuple(separated(text.rstrip(" "), " ", path=path, line=line))


def positions_by_id(ids: Iterable[str], corpus: Corpus) -> dict[str, int]:
    """The position of each segment by its id, of which there must be one for each segment."""
    names = list(ids)
    if len(names) != len(corpus) or len(set(names)) != len(names):
        raise InputError(
            "MP181",
            f"There are {len(names)} ids of segments, {len(set(names))} of them different, "
            f"but the texts have {len(corpus)} segments.",
            hint="Give each segment an id of its own, in the order of the texts.",
        )
    return {name: position for position, name in enumerate(names, 1)}


def _recognises(head: Head) -> bool:
    return sorted("".join(head.lines[:1]).replace('"', "").split()) == sorted(_COLUMNS)


def _open_judgements(path: str, files: JudgementFiles) -> Iterator[Judgements]:
    table = read_assessments(path)
    pair = files.language_pair or ""
    corpus = files.corpus(pair, alone=True)
    ids = files.ids
    if files.segment_order == "sorted-documents":
        ids = ids_by_sorted_documents(corpus)
    elif files.segment_order is None and ids is None:
        check_order(table, corpus, pair, files.systems)
    yield table.judgements(
        corpus,
        language_pair=pair,
        human=files.human,  # type: ignore[arg-type]  # which the table checks
        min_judgements=files.least,
        systems=files.systems,
        segment_ids=ids,
    )


FORMATS = (
    Format(
        name="da-scores",
        holds="judgements",
        description="WMT's direct assessment of segments: SYS SID RAW.SCR Z.SCR N",
        recognises=_recognises,
        read=read_assessments,
        write=write_assessments,
        open_judgements=_open_judgements,
        options=(
            "texts",
            "language_pair",
            "human",
            "min_judgements",
            "segment_ids",
            "segment_order",
            "system_pattern",
            "unknown_systems",
        ),
        needed=("texts", "language_pair"),
    ),
)
