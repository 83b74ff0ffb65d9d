"""What an analyser says about one sentence, and the packed form that the kernels read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any, overload

import numpy as np

from metaphrase.arrays import Int32Array, Int64Array, one_line
from metaphrase.errors import InputError, excerpt

#: Columns whose cells are strings (interned in a batch) and those whose cells are numbers.
STRING_COLUMNS = ("form", "lemma", "tag", "upos", "relation", "entity", "chunk")
NUMBER_COLUMNS = ("start", "end", "head")
COLUMNS = STRING_COLUMNS + NUMBER_COLUMNS
#: What every analyser gives, whatever else was asked for.
BASE_COLUMNS = ("form", "start", "end")


@dataclass(frozen=True, slots=True)
class Sentence:
    """Columns of equal length, one cell a token; a column that was not asked for is ``None``.

    ``tag`` is the language's own tag set (Penn for English), ``upos`` the universal one. ``head``
    counts tokens from 1, 0 is the root. ``start`` and ``end`` are positions in ``text``, so that
    ``text[start[i]:end[i]]`` is what the i-th token was read from.
    """

    text: str
    form: tuple[str, ...]
    start: tuple[int, ...]
    end: tuple[int, ...]
    lemma: tuple[str, ...] | None = None
    tag: tuple[str, ...] | None = None
    upos: tuple[str, ...] | None = None
    head: tuple[int, ...] | None = None
    relation: tuple[str, ...] | None = None
    entity: tuple[str, ...] | None = None
    chunk: tuple[str, ...] | None = None

    __repr__ = one_line

    def __post_init__(self) -> None:
        tokens = len(self.form)
        for name in COLUMNS:
            column = getattr(self, name)
            if column is not None and len(column) != tokens:
                raise ValueError(f"column {name!r} has {len(column)} cells for {tokens} tokens")

    def __len__(self) -> int:
        return len(self.form)

    @property
    def columns(self) -> frozenset[str]:
        """The names of the columns that are there."""
        return frozenset(name for name in COLUMNS if getattr(self, name) is not None)

    def column(self, name: str) -> tuple[Any, ...]:
        """The column called ``name``; asking for one that was not computed is a ``KeyError``."""
        cells = getattr(self, name) if name in COLUMNS else None
        if cells is None:
            raise KeyError(f"no column {name!r}; there are {', '.join(sorted(self.columns))}")
        return tuple(cells)


@dataclass(frozen=True, slots=True, eq=False)
class Batch(Sequence[Sentence]):
    """Sentences packed into flat integer arrays: what the kernels see.

    Token ``t`` of sentence ``i`` is at ``offsets[i] + t`` of every array in ``columns``. Cells of a
    string column are indices into ``strings``, one table for all of them, each string in it once.
    Reading ``batch[i]`` builds the :class:`Sentence`.
    """

    texts: Sequence[str]
    offsets: Int64Array
    columns: Mapping[str, Int32Array]
    strings: Sequence[str]

    __repr__ = one_line

    @classmethod
    def pack(cls, sentences: Iterable[Sentence], columns: Collection[str] | None = None) -> Batch:
        """Intern and concatenate; each must have ``columns`` (default: all that the first has)."""
        rows = list(sentences)
        names = rows[0].columns if columns is None and rows else frozenset(columns or ())
        names |= frozenset(BASE_COLUMNS)
        if unknown := names.difference(COLUMNS):
            raise KeyError(f"no column is called {', '.join(sorted(unknown))}")
        offsets = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, rows), np.int64, len(rows)), out=offsets[1:])
        # Looking a new string up gives it the next number.
        table: defaultdict[str, int] = defaultdict(count().__next__)
        packed: dict[str, Int32Array] = {}
        for name in COLUMNS:
            if name in names:
                cells: Iterator[Any] = chain.from_iterable(_columns(rows, name))
                if name in STRING_COLUMNS:
                    cells = map(table.__getitem__, cells)
                packed[name] = np.fromiter(cells, np.int32, int(offsets[-1]))
        return cls([row.text for row in rows], offsets, packed, list(table))

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, index: int) -> Sentence: ...
    @overload
    def __getitem__(self, index: slice) -> list[Sentence]: ...
    def __getitem__(self, index: int | slice) -> Sentence | list[Sentence]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        row = range(len(self))[index]
        first, last = self.offsets[row], self.offsets[row + 1]
        cells: dict[str, tuple[Any, ...]] = {}
        for name, column in self.columns.items():
            values = column[first:last].tolist()
            if name in STRING_COLUMNS:
                values = [self.strings[value] for value in values]
            cells[name] = tuple(values)
        return Sentence(self.texts[row], **cells)

    def __iter__(self) -> Iterator[Sentence]:
        return (self[i] for i in range(len(self)))


def _columns(rows: Sequence[Sentence], name: str) -> Iterator[tuple[Any, ...]]:
    for number, row in enumerate(rows, 1):
        cells = getattr(row, name)
        if cells is None:
            raise InputError(
                "MP250",
                f"sentence {number} ({excerpt(row.text)}) has no column {name!r}.",
                hint="Analyse all sentences of a batch with the same columns.",
            )
        yield cells
