"""Single judgements of direct assessment as WMT publishes them: ``ad-good-raw.csv``,
``ad-deen-good-stnd.csv``.

Tables of tabs with the columns ``HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score
time``: one line for each score that a judge gave. ``raw`` files have scores from 0 to 100 and all language
pairs; ``stnd`` files have one pair, each judge's own mean and deviation taken out. Lines of the types SYSTEM
and REPEAT are translations; BAD_REF and REF are quality control. The columns, and how scores are
standardised and averaged, are those of the programs of ygraham/direct-assessment (proc-hits).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.format import Format
from metaphrase.corpus.formats.judged.direct_assessment import position_of, positions_by_id
from metaphrase.corpus.formats.judged.fields import (
    check_count,
    judged_number,
    positions_of,
    write_tabbed,
)
from metaphrase.corpus.formats.judged.request import JudgementFiles
from metaphrase.corpus.formats.judged.scored_translations import (
    HumanScore,
    ScoredPlace,
    ScoredTable,
)
from metaphrase.corpus.formats.judged.texts import language_in_pair
from metaphrase.corpus.judgements import Judgements
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.errors import OptionError
from metaphrase.statistics.normalisation import standardise_by_judge

_COLUMNS = ("WorkerId", "Input.src", "Input.trg", "sys_id", "type", "sid", "score")
#: Lines that are translations; others control quality.
_TRANSLATIONS = ("SYSTEM", "REPEAT")
#: The best raw score.
_BEST = 100


@dataclass(frozen=True, slots=True)
class DaJudgement:
    """One line: what a judge gave a system's translation, or what controls quality."""

    line: int
    judge: str
    language_pair: str
    system: str
    type: str
    segment: str
    score: float

    @property
    def is_translation(self) -> bool:
        """Whether a system said it; programs of other years spell types in small letters."""
        return self.type.upper() in _TRANSLATIONS


@dataclass(frozen=True, slots=True)
class DaJudgementTable(ScoredTable):
    """The file as it is, names of columns and fields of lines, and what they say."""

    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    rows: tuple[DaJudgement, ...]

    @property
    def language_pairs(self) -> tuple[str, ...]:
        """The pairs of translations that were judged, in the order of their first lines."""
        return tuple(dict.fromkeys(row.language_pair for row in self.rows if row.is_translation))

    @property
    def is_standardised(self) -> bool:
        """Whether each judge's mean was taken out: raw scores are whole numbers from 0 to 100."""
        return not all(0 <= row.score <= _BEST and row.score.is_integer() for row in self.rows)

    def places(
        self,
        corpus: Corpus,
        language_pair: str,
        human: HumanScore,
        least: int,
        segment_ids: Sequence[str] | None,
    ) -> Iterator[ScoredPlace]:
        """The mean of each judge.

        With ``z``, raw scores are standardised by judge over all lines of the pair, quality control too; a
        judge who always gave the same score is left out. What a judge gave a translation several times counts
        by its mean.
        """
        if human == "raw" and self.is_standardised:
            raise OptionError(
                "MP774",
                "the judgements are standardised already: there are no raw scores.",
                path=self.path,
                hint="Leave out --human raw, or give ad-good-raw.csv.",
            )
        rows = [row for row in self.rows if row.language_pair == language_pair]
        scores = np.array([row.score for row in rows])
        if human == "z" and not self.is_standardised:
            judges = [row.judge for row in rows]
            scores = standardise_by_judge(scores, judges, no_spread="leave-out")
        positions = None if segment_ids is None else positions_by_id(segment_ids, corpus)
        given: dict[tuple[str, str], dict[str, list[float]]] = {}
        lines: dict[tuple[str, str], int] = {}
        for row, score in zip(rows, scores.tolist(), strict=True):
            if row.is_translation and not np.isnan(score):
                key = row.system, row.segment
                given.setdefault(key, {}).setdefault(row.judge, []).append(score)
                lines.setdefault(key, row.line)
        for key, by_judge in given.items():
            if len(by_judge) >= least:
                position = position_of(key[1], positions, path=self.path, line=lines[key])
                means = [sum(own) / len(own) for own in by_judge.values()]
                yield ScoredPlace(lines[key], *key, position, means)


def read_da_judgements(path: FilePath) -> DaJudgementTable:
    """The judgements of a file; columns of other names are kept."""
    with LineReader(path) as reader:
        lines = [text.rstrip("\r").split("\t") for _, text in reader]
        columns = tuple(lines[0])
        at = positions_of(columns, _COLUMNS, path=reader.name)
        rows = []
        for line, cells in enumerate(lines[1:], 2):
            check_count(cells, columns, path=reader.name, line=line)
            row = {name: cells[at[name]] for name in _COLUMNS}
            source, target = (language_in_pair(row[name]) for name in ("Input.src", "Input.trg"))
            score = judged_number(row["score"], reader.name, line, missing="Remove the line")
            rows.append(
                DaJudgement(
                    line,
                    row["WorkerId"],
                    f"{source}-{target}",
                    row["sys_id"],
                    row["type"],
                    row["sid"],
                    score,
                )
            )
        return DaJudgementTable(
            columns, tuple(map(tuple, lines[1:])), tuple(rows), path=reader.name
        )


def write_da_judgements(table: DaJudgementTable, path: FilePath, *, overwrite: bool = True) -> None:
    """Write the table as it was read; a field with a tab is refused."""
    write_tabbed((table.columns, *table.cells), path, overwrite=overwrite)


def _open_judgements(path: str, files: JudgementFiles) -> Iterator[Judgements]:
    table = read_da_judgements(path)
    pairs = files.wanted(table.language_pairs)
    for pair in pairs:
        yield table.judgements(
            files.corpus(pair, alone=len(pairs) == 1),
            language_pair=pair,
            human=files.human,  # type: ignore[arg-type]  # which the table checks
            min_judgements=files.least,
            systems=files.systems,
            segment_ids=files.ids,
        )


FORMATS = (
    Format(
        name="da-judgements",
        holds="judgements",
        description=f"WMT's single direct assessments: {' '.join(_COLUMNS)} and others",
        recognises=lambda head: head.columns >= set(_COLUMNS),
        read=read_da_judgements,
        write=write_da_judgements,
        open_judgements=_open_judgements,
        options=(
            "texts",
            "human",
            "min_judgements",
            "segment_ids",
            "system_pattern",
            "unknown_systems",
        ),
        needed=("texts",),
    ),
)
