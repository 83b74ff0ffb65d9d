"""Rows with named cells to corpora and back, in long and in wide form.

TSV, JSONL and Parquet differ in how a row is spelt; what the rows mean is here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import islice

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.tables.cells import Cells, Row, Table
from metaphrase.corpus.formats.tables.layout import (
    ColumnNames,
    Form,
    LayoutOptions,
    is_no_system,
    is_reserved,
    recognise,
)
from metaphrase.corpus.formats.tables.long_form import read_long
from metaphrase.corpus.formats.tables.other_columns import (
    columns_of_ids,
    looked_at,
    warn_of_left_out,
)
from metaphrase.corpus.lines import FilePath, shown_name
from metaphrase.corpus.validation import (
    EmptyReferences,
    check_empty_references,
    check_piece_size,
    check_system_name,
)
from metaphrase.errors import InputError, OptionError


@dataclass(frozen=True, slots=True)
class TableReader:
    """Reads tables of which ``rows`` makes rows.

    ``separator`` divides the cell of several references, where a cell is text; without it that cell is a
    list.
    """

    rows: Callable[[FilePath], Iterator[Row]]
    separator: str | None

    def open(
        self,
        path: FilePath,
        *,
        form: Form | None = None,
        columns: ColumnNames | None = None,
        systems: Sequence[str] | None = None,
        chunk: int = 4096,
        empty_references: EmptyReferences = "none",
    ) -> Iterator[Corpus]:
        """The table ``path`` in pieces; bounded memory in wide form, all of it in long form.

        ``form`` is recognised by the names of the columns unless stated. ``columns`` maps roles (``source``,
        ``reference``, …) to other names, ``systems`` says which systems to read; in wide form that may
        also be the ``hypothesis`` of ``columns``.
        """
        options = LayoutOptions(form=form, columns=columns, systems=systems)
        check_piece_size(chunk)
        check_empty_references(empty_references)

        def opened() -> Iterator[Corpus]:
            yield from pieces(
                self.rows(path), options, shown_name(path), self.separator, chunk, empty_references
            )

        return opened()

    def read(
        self,
        path: FilePath,
        *,
        form: Form | None = None,
        columns: ColumnNames | None = None,
        systems: Sequence[str] | None = None,
        empty_references: EmptyReferences = "none",
    ) -> Corpus:
        """All pieces in one corpus."""
        return Corpus.join(
            self.open(
                path, form=form, columns=columns, systems=systems, empty_references=empty_references
            )
        )


def pieces(
    rows: Iterator[Row],
    options: LayoutOptions,
    path: str,
    separator: str | None,
    size: int,
    empty_references: EmptyReferences,
) -> Iterator[Corpus]:
    """The rows as corpora of ``size`` segments; the first row shows which columns there are.

    Wide form needs memory for one piece. In long form the last row may belong to the first segment,
    so everything is read before anything is given out.
    """
    beginning, rows = looked_at(rows)
    if not beginning:
        next(rows, None)  # raises what is wrong with the first
        raise InputError("MP113", "The table has no rows.", path=path, hint="Give one per segment.")
    first = beginning[0]
    layout = recognise(first[1], options, path, ids=columns_of_ids(beginning))
    for name in layout.systems or ():
        check_system_name(name, path=path, line=first[0])
    warn_of_left_out(path, layout)
    cells = Cells(path, layout, separator)
    if layout.form == "long":
        table = read_long(rows, cells)
        cells.check_references(table, empty_references)
        yield from table.corpus().pieces(size)
        return
    known = set(first[1])
    while batch := list(islice(rows, size)):
        table = wide_table(batch, cells, known)
        cells.check_references(table, empty_references)
        yield table.corpus()


def wide_table(batch: Sequence[Row], cells: Cells, known: Set[str] = frozenset()) -> Table:
    """Some rows of a table in wide form; one with an unknown column is refused if all have a role."""
    systems = cells.layout.systems or ()
    table = Table(systems={name: [] for name in systems})
    for line, row in batch:
        if cells.layout.exhaustive and not row.keys() <= known:
            unknown = ", ".join(repr(name) for name in row if name not in known)
            raise InputError(
                "MP141",
                f"The row has {unknown}, which the first row has not.",
                path=cells.path,
                line=line,
                hint="Give all rows the same fields, or state the systems with systems=.",
            )
        table.lines.append(line)
        table.shared.append(cells.shared(row, line))
        for name in systems:
            table.systems[name].append(cells.text(row, name, line))
    return table


def rows_of(
    corpus: Corpus, form: Form, path: FilePath, *, references: Sequence[str] | None
) -> Iterator[dict[str, object]]:
    """The rows of a corpus in either form, to be read back by :class:`TableReader`.

    ``references`` names a column for each reference; without it they are one list.
    """
    if form not in ("wide", "long"):
        raise OptionError(
            "MP108", f"The form of the table is {form!r}.", hint='Choose "wide" or "long".'
        )
    if form == "wide":
        for name in corpus.systems:
            if not is_reserved(name) and not is_no_system(name):
                continue
            raise InputError(
                "MP131",
                f"A column for the system {name!r} would be read as something else.",
                path=path,
                hint='Rename the system, or write with form="long".',
            )
    return _rows(corpus, form, references)


def _rows(
    corpus: Corpus, form: Form, references: Sequence[str] | None
) -> Iterator[dict[str, object]]:
    optional = {
        "document": corpus.documents,
        "domain": corpus.domains,
        "source": corpus.sources,
    }
    shared: dict[str, Sequence[object]] = {
        name: column for name, column in optional.items() if column is not None
    }
    if references is None:
        shared["references"] = [
            _until_last(texts) for texts in zip(*corpus.references, strict=True)
        ]
    else:
        shared |= zip(references, corpus.written_references, strict=True)
    if form == "wide":
        # What files call their segments; where they do not, a number would say nothing.
        names = {} if corpus.ids is None else {"segment": corpus.ids}
        columns = {**names, **shared, **corpus.systems}
        for cells in zip(*columns.values(), strict=True):
            yield dict(zip(columns, cells, strict=True))
        return
    for number, cells in enumerate(zip(*shared.values(), strict=True), 1):
        segment = dict(zip(shared, cells, strict=True))
        for system, hypotheses in corpus.systems.items():
            keys = {"system": system, "segment": number}
            yield {**keys, **segment, "hypothesis": hypotheses[number - 1]}


def _until_last(texts: Sequence[str | None]) -> list[str | None]:
    """A list of references, which ends with the last one that there is."""
    most = max(number for number, text in enumerate(texts, 1) if text is not None)
    return list(texts[:most])
