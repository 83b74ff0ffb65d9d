"""MQM as TSV: every error that raters found in the translations of systems.

The columns are ``system doc doc_id seg_id rater source target category severity``. A row is one error,
marked in the target (or, for omissions, in the source) by ``<v>…</v>``, or says that there was none.
``seg_id`` counts the segments of the test set from 1, ``doc_id`` those of the document. A quotation mark is
text. The files have sources and translations, but no references.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from metaphrase.corpus.formats.format import Format
from metaphrase.corpus.formats.judged.fields import (
    check_count,
    positions_of,
    whole_number,
    write_tabbed,
)
from metaphrase.corpus.formats.judged.mqm_weights import GOOGLE, MqmWeights, read_weights
from metaphrase.corpus.formats.judged.request import JudgementFiles
from metaphrase.corpus.formats.judged.scored_translations import ScoredTranslation, judgements_of
from metaphrase.corpus.formats.judged.texts import (
    DifferingTexts,
    checked_differing_texts,
    data_name,
)
from metaphrase.corpus.judgements import JudgedText, Judgements
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.corpus.ratings import Item, MarkedError, Rating, Ratings
from metaphrase.corpus.validation import check_system_name
from metaphrase.errors import InputError, OptionError

COLUMNS = tuple("system doc doc_id seg_id rater source target category severity".split())
_MARK = re.compile(r"</?v>")
#: Of which characters of a text an error consists: from, up to and without.
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Marked:
    """A text without its marks, and what they marked."""

    text: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class MqmError:
    """One row: what a rater marked in a system's translation, and what it costs."""

    line: int
    system: str
    document: str
    segment: int
    rater: str
    category: str
    severity: str
    weight: float
    source: Marked
    target: Marked


@dataclass(frozen=True, slots=True)
class MqmTable:
    """The file as it is, the names of its columns and the fields of its lines, and what they say."""

    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    errors: tuple[MqmError, ...]
    weights: MqmWeights = GOOGLE
    path: str | None = field(default=None, compare=False)

    @classmethod
    def of(
        cls,
        columns: Sequence[str],
        cells: Iterable[Sequence[str]],
        *,
        weights: MqmWeights = GOOGLE,
        path: str | None = None,
        lines: Iterable[int] | None = None,
    ) -> MqmTable:
        """The table of these fields; their first line (after the header) is 2 unless ``lines`` tells all."""
        names = tuple(columns)
        at = positions_of(names, COLUMNS, path=path)
        rows = tuple(tuple(row) for row in cells)
        errors = []
        for line, row in zip(count(2) if lines is None else lines, rows, strict=False):
            check_count(row, names, path=path, line=line)
            errors.append(_error({name: row[at[name]] for name in COLUMNS}, weights, path, line))
        return cls(names, rows, tuple(errors), weights, path)

    def judgements(
        self,
        references: Sequence[Sequence[str | None]],
        *,
        language_pair: str,
        name: str | None = None,
        differing_texts: DifferingTexts = "error",
    ) -> Judgements:
        """Scores beside the texts of the file and ``references``, each of the whole test set in its order.

        The score of a segment is minus the mean, over its raters, of the sum of the weights of their errors.
        """
        checked_differing_texts(differing_texts)
        self._check_references(references)
        scored: list[ScoredTranslation] = []
        for errors in self.by_segment().values():
            first = errors[0]
            if differing_texts == "error":
                self._check_texts(errors)
            others = (column[first.segment - 1] for column in references)
            text = JudgedText(
                first.target.text,
                tuple(text for text in others if text is not None),
                first.source.text,
            )
            place = first.system, first.document, str(first.segment)
            scored.append(ScoredTranslation(*place, text, [segment_score(errors)]))
        return judgements_of(
            scored,
            name=name or data_name(self.path),
            language_pair=language_pair,
            path=self.path,
            hint="Add some rows.",
        )

    def by_segment(self) -> Mapping[tuple[str, int], tuple[MqmError, ...]]:
        """The rows of each system and segment, in the order of their first ones."""
        found: dict[tuple[str, int], list[MqmError]] = {}
        for error in self.errors:
            found.setdefault((error.system, error.segment), []).append(error)
        return {key: tuple(errors) for key, errors in found.items()}

    def _check_references(self, references: Sequence[Sequence[str | None]]) -> None:
        if not references or any(isinstance(texts, str) for texts in (references, *references)):
            raise OptionError(
                "MP187",
                "MQM has no references.",
                hint="Give a list of references, each a list of texts.",
            )
        length = len(references[0])
        for number, reference in enumerate(references[1:], 2):
            if len(reference) != length:
                raise InputError(
                    "MP102",
                    f"Reference 1 has {length} segments, reference {number} has {len(reference)}.",
                    hint="Every reference needs one text for each segment.",
                )
        for error in self.errors:
            if error.segment > length:
                raise InputError(
                    "MP181",
                    f"Segment {error.segment} was judged, but references have {length}.",
                    path=self.path,
                    line=error.line,
                    hint="Give references of the whole test set in its order.",
                )

    def _check_texts(self, errors: Sequence[MqmError]) -> None:
        first = errors[0]
        known = (first.document, first.source.text, first.target.text)
        for error in errors[1:]:
            if (error.document, error.source.text, error.target.text) != known:
                raise InputError(
                    "MP185",
                    f"Segment {error.segment} of {error.system!r} has another document, source or target "
                    f"in line {first.line}.",
                    path=self.path,
                    line=error.line,
                    hint='Mend it, or take what stands first with differing_texts="first" '
                    "(--differing-texts first).",
                )


def segment_score(errors: Iterable[MqmError]) -> float:
    """Minus the mean, over raters, of the sum of the weights of their errors."""
    sums: dict[str, float] = {}
    for error in errors:
        sums[error.rater] = sums.get(error.rater, 0.0) + error.weight
    return 0.0 - sum(sums.values()) / len(sums)


def marked(text: str, *, path: str | None = None, line: int | None = None) -> Marked:
    """The text without ``<v>`` and ``</v>``, and the spans between them; marks must pair."""
    parts: list[str] = []
    spans: list[Span] = []
    length, end = 0, 0
    start: int | None = None
    for mark in _MARK.finditer(text):
        parts.append(text[end : mark.start()])
        length += mark.start() - end
        end = mark.end()
        opens = mark[0] == "<v>"
        if opens != (start is None):
            raise _unpaired(mark[0], path, line)
        if opens:
            start = length
        elif start is not None:
            spans.append((start, length))
            start = None
    if start is not None:
        raise _unpaired("<v>", path, line)
    parts.append(text[end:])
    return Marked("".join(parts), tuple(spans))


def read_mqm(path: FilePath, *, weights: MqmWeights = GOOGLE) -> MqmTable:
    """The errors of a file; columns of other names (``comment``) are kept."""
    with LineReader(path) as reader:
        rows = [text.split("\t") for _, text in reader]
        return MqmTable.of(rows[0], rows[1:], weights=weights, path=reader.name)


def write_mqm(table: MqmTable, path: FilePath, *, overwrite: bool = True) -> None:
    """Write the table as it was read; a field with a tab is refused."""
    write_tabbed((table.columns, *table.cells), path, overwrite=overwrite)


def _error(row: Mapping[str, str], weights: MqmWeights, path: str | None, line: int) -> MqmError:
    weight = weights.weight(row["severity"], row["category"])
    if weight is None:
        raise InputError(
            "MP183",
            f"The weights {weights.name} have none for the severity {row['severity'][:40]!r}.",
            path=path,
            line=line,
            hint="Give weights that have it, 0 if it costs nothing.",
        )
    check_system_name(row["system"], path=path, line=line)
    segment = whole_number(row["seg_id"], "seg_id", path=path, line=line) or 0
    return MqmError(
        line,
        row["system"],
        row["doc"],
        segment,
        row["rater"],
        row["category"],
        row["severity"],
        weight,
        marked(row["source"], path=path, line=line),
        marked(row["target"], path=path, line=line),
    )


def mqm_ratings(table: MqmTable) -> Ratings:
    """What each rater of a table of MQM said."""
    items: dict[str, Item] = {}
    errors: dict[tuple[str, str], list[MarkedError]] = {}
    costs: dict[tuple[str, str], float] = {}
    for row in table.errors:
        item = Item(
            f"{row.system}\t{row.segment}",
            row.system,
            row.document,
            str(row.segment),
            source=row.source.text,
            hypothesis=row.target.text,
        )
        items.setdefault(item.id, item)
        both = row.rater, item.id
        costs[both] = costs.get(both, 0.0) + row.weight
        marked = errors.setdefault(both, [])
        if row.severity.lower() != "no-error":
            span = row.target.spans[0] if row.target.spans else None
            marked.append(MarkedError(row.severity.lower(), row.category, span))
    ratings = tuple(
        Rating(judge, item, 0.0 - costs[judge, item], tuple(marked))
        for (judge, item), marked in errors.items()
    )
    return Ratings(data_name(table.path), "", "mqm", items, ratings, table.path)


def _unpaired(mark: str, path: str | None, line: int | None) -> InputError:
    return InputError(
        "MP184",
        f"A mark {mark} has no partner.",
        path=path,
        line=line,
        hint="An error stands between <v> and </v>.",
    )


def mqm_format(read: Callable[..., MqmTable], **others: Any) -> Format:
    """A format of files of MQM, which have no references."""

    def open_judgements(path: str, files: JudgementFiles) -> Iterator[Judgements]:
        given = files.mqm_weights
        table = read(path, weights=GOOGLE if given is None else read_weights(given))
        yield table.judgements(
            files.references_beside_texts,
            language_pair=files.language_pair or "",
            differing_texts=files.differing_texts or "error",
        )

    return Format(
        holds="judgements",
        read=read,
        open_judgements=open_judgements,
        open_ratings=lambda path, weights: [mqm_ratings(read(path, weights=weights))],
        options=("texts", "references", "language_pair", "mqm_weights", "differing_texts"),
        needed=("language_pair", "texts or references"),
        **others,
    )


FORMATS = (
    mqm_format(
        read_mqm,
        name="mqm",
        description=f"MQM errors as TSV: {' '.join(COLUMNS)}",
        recognises=lambda head: head.columns >= set(COLUMNS),
        write=write_mqm,
    ),
)
