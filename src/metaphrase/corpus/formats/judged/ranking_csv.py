"""Rankings of WMT 2008–2016 as CSV: five systems a line, or pairs of systems a line.

A line of five has ``srclang,trglang,srcIndex,documentId,segmentId,judgeId``, then ``system1Number,system1Id``
up to five, then ``system1rank`` up to five. A line of two has ``srclang,trglang,srcIndex,segmentId,judgeID``,
then ``system1Id,system1rank,system2Id,system2rank,rankingID``; those of one ``rankingID`` were one ranking,
taken apart. The header says in which order the columns are. Rank 1 is best; -1 stands for what is not
known or was not ranked. The files have no texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.judged.fields import (
    check_count,
    positions_of,
    quoted,
    separated,
    whole_number,
    write_lines,
)
from metaphrase.corpus.formats.judged.ranking_join import RankedSegment, joined, ranked_twice
from metaphrase.corpus.formats.judged.request import JudgementFiles
from metaphrase.corpus.formats.judged.texts import (
    SystemNames,
    data_name,
    language_in_pair,
    none_counts,
)
from metaphrase.corpus.judgements import Judgements
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.errors import InputError

_SHARED = ("srclang", "trglang", "srcIndex", "segmentId")
#: The years spell it differently.
_JUDGE = ("judgeID", "judgeId")
_SIZES = {"ranking-pairs": 2, "ranking-five": 5}


@dataclass(frozen=True, slots=True)
class RankingTable:
    """The file as it is: the names of its columns and the fields of its lines, each of them checked.

    ``rankings`` has what the lines say; what was shown to nobody or left unranked is not in it.
    """

    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    rankings: tuple[RankedSegment, ...]
    path: str | None = field(default=None, compare=False)

    @classmethod
    def of(
        cls, columns: Sequence[str], cells: Iterable[Sequence[str]], *, path: str | None = None
    ) -> RankingTable:
        """The table of these fields, whose first line (after the header) is line 2."""
        names = tuple(columns)
        rows = tuple(tuple(row) for row in cells)
        reader = _Reader(names, path)
        rankings = tuple(reader.ranking(row, line) for line, row in enumerate(rows, 2))
        return cls(names, rows, rankings, path)

    @property
    def language_pairs(self) -> tuple[str, ...]:
        """Those that were judged, in order of appearance, such as ``de-en``."""
        return tuple(dict.fromkeys(ranking.language_pair for ranking in self.rankings))

    def judgements(
        self,
        corpus: Corpus,
        *,
        language_pair: str | None = None,
        name: str | None = None,
        systems: SystemNames | None = None,
    ) -> Judgements:
        """The rankings of one language pair beside the texts, whose order is that of the test set.

        ``language_pair`` must be said where the file has several. Pairs of one ``rankingID`` become the
        ranking that they were, if all of them are there and agree; others stay pairs.
        """
        return self._joined(corpus, language_pair, name, systems)

    def judges(
        self,
        *,
        language_pair: str | None = None,
        name: str | None = None,
        systems: SystemNames | None = None,
    ) -> Judgements:
        """The rankings without texts: enough to ask how far judges agree, not for metrics."""
        return self._joined(None, language_pair, name, systems)

    @property
    def name(self) -> str:
        """What a report calls the data set: the file's name without its endings."""
        return data_name(self.path)

    def _joined(
        self,
        corpus: Corpus | None,
        language_pair: str | None,
        name: str | None,
        systems: SystemNames | None,
    ) -> Judgements:
        pair = self._one_pair(language_pair)
        chosen = [ranking for ranking in self.rankings if ranking.language_pair == pair]
        return joined(
            chosen, corpus, pair, name or self.name, systems or SystemNames(), path=self.path
        )

    def _one_pair(self, wanted: str | None) -> str:
        pairs = self.language_pairs
        if not pairs:
            raise none_counts(self.path, "Add some lines.")
        if wanted in pairs:
            return str(wanted)
        if wanted is None and len(pairs) == 1:
            return pairs[0]
        fault = "several language pairs" if wanted is None else f"no rankings of {wanted}"
        raise InputError(
            "MP188",
            f"The file has {fault}.",
            path=self.path,
            hint=f"There are {', '.join(pairs)}: say which.",
        )


def read_rankings(path: FilePath) -> RankingTable:
    """The rankings of a file of either kind."""
    with LineReader(path) as reader:
        lines = list(reader)
        # WMT 2016 ends lines with CR CR LF, of which one is left.
        end = "\r" if lines[0][1].endswith("\r") else ""
        rows = [
            separated(text.removesuffix(end), ",", path=reader.name, line=line)
            for line, text in lines
        ]
        return RankingTable.of(rows[0], rows[1:], path=reader.name)


def write_rankings(table: RankingTable, path: FilePath, *, overwrite: bool = True) -> None:
    """Write the table as it was read, with quotation marks only where they are needed."""
    lines = (",".join(quoted(cell, ",") for cell in row) for row in (table.columns, *table.cells))
    write_lines(lines, path, overwrite=overwrite)


class _Reader:
    """Reads lines by the columns of one header."""

    def __init__(self, columns: Sequence[str], path: str | None) -> None:
        self._path = path
        self._columns = columns
        judge = next((name for name in _JUDGE if name in columns), _JUDGE[0])
        size = 5 if "system3Id" in columns or "system1Number" in columns else 2
        numbers = range(1, size + 1)
        ranks = [(f"system{number}Id", f"system{number}rank") for number in numbers]
        required = [*_SHARED, judge, *(name for pair in ranks for name in pair)]
        if size == 2:
            required.append("rankingID")
        self._at: Mapping[str, int] = positions_of(columns, required, path=path)
        self._judge = self._at[judge]
        self._items = [(self._at[system], self._at[rank]) for system, rank in ranks]

    def ranking(self, cells: Sequence[str], line: int) -> RankedSegment:
        check_count(cells, self._columns, path=self._path, line=line)
        number = partial(whole_number, path=self._path, line=line, unknown=True)
        systems: list[str] = []
        ranks: list[int] = []
        for system_at, rank_at in self._items:
            system, rank = cells[system_at], number(cells[rank_at], "rank")
            if system in ("", "-1"):
                if rank is not None:
                    raise InputError(
                        "MP178",
                        f"The rank {rank} is given to no system.",
                        path=self._path,
                        line=line,
                        hint="Write -1 for a place that was not used.",
                    )
            elif rank is not None:
                if system in systems:
                    raise ranked_twice(system, self._path, line)
                systems.append(system)
                ranks.append(rank)
        languages = (language_in_pair(cells[self._at[name]]) for name in ("srclang", "trglang"))
        return RankedSegment(
            line,
            "-".join(languages),
            self._position(cells, line),
            cells[self._judge],
            tuple(systems),
            tuple(ranks),
            cells[self._at["rankingID"]] if len(self._items) == 2 else None,
        )

    def _position(self, cells: Sequence[str], line: int) -> int:
        """The place in the test set; ``segmentId`` is one only where documents are not told apart."""
        number = partial(whole_number, path=self._path, line=line, unknown=True)
        position = number(cells[self._at["srcIndex"]], "srcIndex")
        segment = cells[self._at["segmentId"]]
        if position is None and self._document(cells) in ("", "-1"):
            position = number(segment, "segmentId")
        if position is None:
            raise InputError(
                "MP177",
                "Neither srcIndex nor segmentId says which segment of the test set was judged.",
                path=self._path,
                line=line,
                hint="srcIndex counts the segments of the test set from 1.",
            )
        return position

    def _document(self, cells: Sequence[str]) -> str:
        return cells[self._at["documentId"]] if "documentId" in self._at else ""


def _recognises(head: Head, *, name: str) -> bool:
    columns = head.lines[0].split(",") if head.lines and not head.is_folder else []
    columns = [column.strip('"') for column in columns]
    if not {*_SHARED, "system1Id", "system1rank", "system2Id"} <= set(columns):
        return False
    five = "system3Id" in columns or "system1Number" in columns
    return _SIZES[name] == (5 if five else 2)


def _open_judgements(path: str, files: JudgementFiles) -> Iterator[Judgements]:
    table = read_rankings(path)
    if not table.language_pairs:
        raise none_counts(path, "Add some lines.")
    pairs = files.wanted(table.language_pairs)
    for pair in pairs:
        if files.judges:
            yield table.judges(language_pair=pair, systems=files.systems)
        else:
            corpus = files.corpus(pair, alone=len(pairs) == 1)
            yield table.judgements(corpus, language_pair=pair, systems=files.systems)


FORMATS = tuple(
    Format(
        name=name,
        holds="judgements",
        description=f"WMT's rankings as CSV, {what} a line",
        recognises=partial(_recognises, name=name),
        read=read_rankings,
        write=write_rankings,
        open_judgements=_open_judgements,
        options=("texts", "system_pattern", "unknown_systems", "judges"),
        needed=("texts",),
    )
    for name, what in (("ranking-pairs", "two systems"), ("ranking-five", "five systems"))
)
