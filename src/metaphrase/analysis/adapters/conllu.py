"""Sentences from CoNLL-U and back; :mod:`metaphrase.corpus.formats.conllu` says what is where in a file."""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from metaphrase.analysis.relations import Relation
from metaphrase.analysis.sentence import Sentence
from metaphrase.corpus.formats.conllu import ABSENT, faulty_head, place, read_analysed
from metaphrase.errors import InputError, excerpt


def read_conllu(path: str | os.PathLike[str]) -> list[Sentence]:
    """The rows of a CoNLL-U file, which may be gzipped; all have the same columns."""
    return [Sentence(row.text, **row.columns) for row in read_analysed(path)]


def write_conllu(sentences: Iterable[Sentence], path: str | os.PathLike[str]) -> None:
    """Write rows that have the same columns; gzipped if ``path`` ends in ``.gz``.

    The file appears complete or not at all.
    """
    rows = list(sentences)
    if len({row.columns for row in rows}) > 1:
        raise InputError("MP277", "sentences of one CoNLL-U file must have the same columns.")
    lines = [line for number, row in enumerate(rows, 1) for line in conllu_lines(row, number)]
    content = "".join(f"{line}\n" for line in lines).encode("utf-8")
    target = Path(path)
    if target.suffix == ".gz":
        content = gzip.compress(content, mtime=0)
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        draft.write_bytes(content)
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def conllu_lines(
    row: Sentence, number: int, *, relations: Iterable[Relation] | None = None
) -> Iterator[str]:
    """The lines of one row, the empty one behind it included; ``number`` becomes its ``sent_id``.

    ``relations`` go into ``DEPS``, the column for graphs; :func:`read_conllu` leaves it unread.
    """
    _check_writable(number, row)
    graph = None if relations is None else _graph(relations, len(row))
    yield f"# sent_id = {number}"
    yield f"# text = {row.text}"
    position = 0
    for token, (form, start, end) in enumerate(zip(row.form, row.start, row.end, strict=True)):
        misc = []
        for key, column in (("NER", row.entity), ("Chunk", row.chunk)):
            if column is not None:
                misc.append(f"{key}={_escaped(column[token])}")
        if place(row.text, form, position) != start or end - start != len(form):
            misc.append(f"Span={start}:{end}")
        elif not row.text[end : end + 1].isspace() and end < len(row.text):
            misc.append("SpaceAfter=No")
        position = end
        optional = (row.lemma, row.upos, row.tag, None, row.head, row.relation, graph)
        cells = [ABSENT if column is None else str(column[token]) for column in optional]
        yield "\t".join([str(token + 1), form, *cells, "|".join(misc) or ABSENT])
    yield ""


def _graph(relations: Iterable[Relation], tokens: int) -> list[str]:
    """``governor:label`` of each token's relations, by governor as the format has it."""
    arcs: list[list[tuple[int, str]]] = [[] for _ in range(tokens)]
    for relation in relations:
        label = re.sub(r"[\s|]", "_", relation.label)
        arcs[relation.dependent - 1].append((relation.governor, label))
    return ["|".join(f"{gov}:{label}" for gov, label in sorted(arc)) or ABSENT for arc in arcs]


def _check_writable(number: int, row: Sentence) -> None:
    strings = [row.form, row.lemma, row.upos, row.tag, row.relation, row.entity, row.chunk]
    cells = [cell for column in strings if column is not None for cell in column]
    if re.search(r"[\n\r]", row.text):
        problem = "its text has a line break"
    elif not all(cells):
        problem = "it has an empty cell"
    elif any(re.search(r"[\t\n\r]", cell) for cell in cells):
        problem = "a cell has a tab or a line break"
    elif re.search(r"[\ud800-\udfff]", row.text + "".join(cells)):
        problem = "it has half of a surrogate pair, which UTF-8 cannot express"
    elif not all(0 <= a <= b <= len(row.text) for a, b in zip(row.start, row.end, strict=True)):
        problem = "a span lies outside its text"
    elif faulty_head(row.head or ()) is not None:
        problem = "a head is no token that leads to a root"
    else:
        return
    message = f"sentence {number} ({excerpt(row.text)}) cannot be written as CoNLL-U: {problem}."
    raise InputError("MP277", message)


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("|", "\\p")
