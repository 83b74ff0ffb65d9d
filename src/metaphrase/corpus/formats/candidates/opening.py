"""From files of candidates, in whatever format, to sentences, one at a time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack

from metaphrase.corpus.formats.candidates.given import GivenCandidates, checked_weight
from metaphrase.corpus.formats.candidates.names import check_stated, holds_candidates, roles_of
from metaphrase.corpus.formats.candidates.rows import (
    CandidateRow,
    blocks_of,
    how_many,
    put_together,
)
from metaphrase.corpus.formats.candidates.sentences import Values, references_of, sentences_of
from metaphrase.corpus.formats.candidates.values import checked_id
from metaphrase.corpus.formats.foreign import foreign_format
from metaphrase.corpus.formats.registry import format_of_head, head_of
from metaphrase.corpus.formats.tables.cells import Row, checked_cell
from metaphrase.corpus.formats.tables.jsonl import is_named_jsonl, json_rows
from metaphrase.corpus.formats.tables.tsv import SEPARATOR, table_rows
from metaphrase.corpus.lines import LineReader
from metaphrase.errors import InputError, OptionError

#: What candidates may come in: as text, one below the other or one file for each system, or with ids.
CANDIDATE_FORMATS = ("plain", "jsonl", "tsv", "nbest")
_NBEST = re.compile(r"[^|]*\S \|\|\| .*")


def open_candidates(
    paths: Sequence[str],
    *,
    per_sentence: int | None = None,
    file_format: str | None = None,
    columns: Mapping[str, object] | None = None,
) -> Iterator[GivenCandidates]:
    """The sentences of one file, or of several that have a candidate of each sentence.

    per_sentence: how many candidates a sentence has; needed where no ids say which belong together
    file_format: one of ``CANDIDATE_FORMATS``; recognised unless it is said
    columns: what roles are called in a table or in JSON
    """
    stated = check_stated(columns or {})
    if file_format not in (None, *CANDIDATE_FORMATS):
        raise OptionError(
            "MP608",
            f"there is no format {file_format!r} of candidates.",
            hint=f"There are {', '.join(CANDIDATE_FORMATS)}.",
        )
    if len(paths) > 1 and per_sentence is not None:
        raise OptionError(
            "MP854",
            f"--per-sentence is for one file, not for {len(paths)}.",
            hint="Leave it out if each file has one candidate of every sentence; join the files "
            "otherwise.",
        )
    formats = [file_format or _recognised(path, stated) for path in paths]
    for path, found in zip(paths, formats, strict=True):
        if stated and found not in ("jsonl", "tsv"):
            raise OptionError("MP109", f"The file is {found} and has no columns.", path=path)
    if len(paths) > 1:
        for path, found in zip(paths, formats, strict=True):
            if found != "plain":
                raise InputError(
                    "MP855",
                    f"The file is {found}, which has all candidates of a sentence.",
                    path=path,
                    hint="Several files are plain text, with one candidate of each sentence.",
                )
        return _side_by_side(paths)
    (path,) = paths
    if formats[0] == "plain":
        if per_sentence is None:
            raise how_many(path)
        return blocks_of(path, per_sentence)
    if formats[0] == "nbest":
        return _nbest(path, per_sentence)
    return _table(path, formats[0], stated, per_sentence)


def _recognised(path: str, stated: Mapping[str, str]) -> str:
    head = head_of(path)
    if head.is_folder or not head.lines:
        return "plain"  # whoever reads it says what is wrong
    if head.fields or is_named_jsonl(head.name):
        return "jsonl"
    if all(map(_NBEST.fullmatch, head.lines)):
        return "nbest"
    if "\t" in head.lines[0] and (stated or holds_candidates(head.columns, stated)):
        return "tsv"
    known, foreign = format_of_head(head), foreign_format(head)
    if known is None and foreign is None:
        return "plain"
    what = known.description if known is not None else foreign.description if foreign else ""
    hint = (
        "Name the column of candidates, as in --columns text=mt." if "\t" in head.lines[0] else ""
    )
    raise InputError(
        "MP609",
        f"The file is {what}, not candidates.",
        path=path,
        hint=f"{hint} --from plain takes it as plain text.".strip(),
    )


def _side_by_side(paths: Sequence[str]) -> Iterator[GivenCandidates]:
    with ExitStack() as stack:
        files = [stack.enter_context(LineReader(path)) for path in paths]
        line = 1
        while True:
            taken = [file.take(1024) for file in files]
            shortest = min(map(len, taken))
            for texts in zip(*taken, strict=False):
                yield GivenCandidates(path=files[0].name, line=line, texts=texts)
                line += 1
            if max(map(len, taken)) > shortest:
                counts = ", ".join(f"{file.name} has {file.count()}" for file in files[:10])
                raise InputError(
                    "MP855",
                    f"The files have different numbers of lines: {counts}.",
                    hint="Every file needs one candidate of each sentence.",
                )
            if not shortest:
                return


def _nbest(path: str, per_sentence: int | None) -> Iterator[GivenCandidates]:
    """Moses' lists: number, text, features and score, between vertical bars."""
    with LineReader(path) as reader:
        yield from put_together(_nbest_rows(reader), reader.name, per_sentence, logarithms=True)


def _nbest_rows(reader: LineReader) -> Iterator[CandidateRow]:
    scored = None
    for line, text in reader:
        cells = [cell.strip() for cell in f" {text} ".split("|||")]
        if len(cells) < 2 or not cells[0] or scored not in (None, len(cells) > 3):
            raise InputError(
                "MP858",
                "The line is not one of an n-best list"
                + (", or lacks a score that the first has." if len(cells) > 1 else "."),
                path=reader.name,
                line=line,
                hint="Lines are: number ||| text ||| features ||| score.",
            )
        scored = len(cells) > 3
        weight = checked_weight(cells[3], "logprob", reader.name, line) if scored else None
        yield CandidateRow(line=line, name=cells[0], text=cells[1], weight=weight)


def _table(
    path: str, kind: str, stated: Mapping[str, str], per_sentence: int | None
) -> Iterator[GivenCandidates]:
    with LineReader(path) as reader:
        rows: Iterable[Row] = json_rows(reader) if kind == "jsonl" else table_rows(reader)
        values = _by_role(rows, stated, reader.name, header=kind == "tsv")
        line, first = next(values, (1, None))
        if first is None:
            raise InputError("MP850", "There is no candidate.", path=reader.name, line=line)

        def all_values() -> Iterator[Values]:
            assert first is not None
            yield line, first
            yield from values

        if "candidates" in first:
            if kind == "tsv":
                raise InputError(
                    "MP858",
                    "A row of a table has one candidate, not several.",
                    path=reader.name,
                    line=1,
                    hint="Name the column: --columns text=NAME",
                )
            yield from sentences_of(all_values(), reader.name, per_sentence)
            return
        yield from put_together(
            (_row(of_row, number, reader.name, kind) for number, of_row in all_values()),
            reader.name,
            per_sentence,
            logarithms="logprob" in first,
        )


def _by_role(
    rows: Iterable[Row], stated: Mapping[str, str], path: str, *, header: bool
) -> Iterator[Values]:
    """What stands in each row by its role; all rows play the same ones."""
    names: object = None
    roles: dict[str, str] = {}
    for line, row in rows:
        if row.keys() != names:
            found = roles_of(row.keys(), stated, path, 1 if header else line)
            if names is not None and found.keys() != roles.keys():
                lacking = ", ".join(sorted(found.keys() ^ roles.keys()))
                raise InputError(
                    "MP858",
                    f"The row is unlike the first, which has or has not: {lacking}.",
                    path=path,
                    line=line,
                    hint="Give all rows the same fields.",
                )
            names, roles = row.keys(), found
        yield line, {role: row[name] for role, name in roles.items()}


def _row(given: Mapping[str, object], line: int, path: str, kind: str) -> CandidateRow:
    references = given.get("references")
    if kind == "tsv" and isinstance(references, str):
        given = {**given, "references": references.split(SEPARATOR)}
    weighed = "logprob" if "logprob" in given else "weight"
    return CandidateRow(
        line=line,
        text=checked_cell(given["text"], "text", path, line),
        name=checked_id(given["id"], path, line) if "id" in given else None,
        weight=checked_weight(given[weighed], weighed, path, line) if weighed in given else None,
        references=references_of(given, path, line),
        source=checked_cell(given["source"], "source", path, line) if "source" in given else None,
    )
