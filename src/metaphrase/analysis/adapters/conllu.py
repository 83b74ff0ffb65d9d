r"""CoNLL-U, the exchange format of Universal Dependencies, in and out.

==========  ==================================================================================
column      where it is
==========  ==================================================================================
form        ``FORM``
lemma       ``LEMMA``
upos, tag   ``UPOS``, ``XPOS``
head        ``HEAD``
relation    ``DEPREL``; collapsed relations are written to ``DEPS``
entity      ``NER=`` in ``MISC``; ``O`` where it is not given
chunk       ``Chunk=`` in ``MISC``; ``O`` where it is not given
start, end  by spelling ``# text`` with the forms; ``Span=start:end`` in ``MISC`` where the
            form is not what stands in the text
==========  ==================================================================================

A column that is ``_`` throughout the file is not there; in any other column ``_`` is the cell
itself. In values of ``MISC`` a vertical bar is written ``\p`` and a backslash ``\\``. Consecutive
sentences with the same ``# seg_id`` are one row, since a segment may hold several sentences; a
block of comments with a blank ``# text`` and no token is a row without tokens.
Multiword tokens are read for the characters they span, empty nodes not at all.

https://universaldependencies.org/format.html
"""

from __future__ import annotations

import gzip
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from metaphrase.analysis.relations import Relation
from metaphrase.analysis.sentence import Sentence, excerpt
from metaphrase.errors import InputError

_ABSENT = "_"
_OUTSIDE = "O"
_FIELDS = 10
_ID = re.compile(r"(0|[1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8})|\.([1-9][0-9]{0,8}))?")
_HEAD = re.compile(r"0|[1-9][0-9]{0,8}")
_SPAN = re.compile(r"([0-9]{1,9}):([0-9]{1,9})")
_COMMENT = re.compile(r"#[ \t]*(text|seg_id)[ \t]*= ?(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Word:
    """One line with a word: its fields by position, and ``MISC`` taken apart."""

    line: int
    fields: Sequence[str]
    misc: dict[str, str]

    @property
    def form(self) -> str:
        return self.fields[1]


@dataclass(slots=True)
class _Surface:
    """What is written in one piece: a word, or a multiword token with the words it stands for."""

    line: int
    form: str
    space_after: bool
    last: int
    words: list[_Word] = field(default_factory=list)


@dataclass(slots=True)
class _Block:
    """The lines between two empty ones."""

    text: str | None = None
    segment: str | None = None
    surfaces: list[_Surface] = field(default_factory=list)
    words: list[_Word] = field(default_factory=list)


#: Optional columns, and how a word says its cell; ``None`` where it does not.
_CELLS: dict[str, Callable[[_Word], str | None]] = {
    "lemma": lambda word: _given(word.fields[2]),
    "upos": lambda word: _given(word.fields[3]),
    "tag": lambda word: _given(word.fields[4]),
    "head": lambda word: _given(word.fields[6]),
    "relation": lambda word: _given(word.fields[7]),
    "entity": lambda word: word.misc.get("NER"),
    "chunk": lambda word: word.misc.get("Chunk"),
}


def read_conllu(path: str | os.PathLike[str]) -> list[Sentence]:
    """The rows of a CoNLL-U file, which may be gzipped; all have the same columns."""
    try:
        blocks = list(_blocks(_lines(Path(path))))
        words = [word for block in blocks for word in block.words]
        columns = [name for name, cell in _CELLS.items() if any(cell(word) for word in words)]
        rows = []
        # A sentence without a segment is a group of its own, hence its position as the key.
        for _, group in groupby(enumerate(blocks), lambda item: item[1].segment or item[0]):
            rows.append(_joined([_sentence(block, columns) for _, block in group]))
        return rows
    except InputError as error:
        raise InputError(
            error.code, error.message, path=path, line=error.line, hint=error.hint
        ) from None


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
        if _place(row.text, form, position) != start or end - start != len(form):
            misc.append(f"Span={start}:{end}")
        elif not row.text[end : end + 1].isspace() and end < len(row.text):
            misc.append("SpaceAfter=No")
        position = end
        optional = (row.lemma, row.upos, row.tag, None, row.head, row.relation, graph)
        cells = [_ABSENT if column is None else str(column[token]) for column in optional]
        yield "\t".join([str(token + 1), form, *cells, "|".join(misc) or _ABSENT])
    yield ""


def _graph(relations: Iterable[Relation], tokens: int) -> list[str]:
    """``governor:label`` of each token's relations, by governor as the format has it."""
    arcs: list[list[tuple[int, str]]] = [[] for _ in range(tokens)]
    for relation in relations:
        label = re.sub(r"[\s|]", "_", relation.label)
        arcs[relation.dependent - 1].append((relation.governor, label))
    return ["|".join(f"{gov}:{label}" for gov, label in sorted(arc)) or _ABSENT for arc in arcs]


def _lines(path: Path) -> list[str]:
    try:
        content = path.read_bytes()
        if content.startswith(b"\x1f\x8b"):
            content = gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError("MP270", f"cannot be read: {reason}.") from error
    content = content.removeprefix(b"\xef\xbb\xbf")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"byte 0x{content[error.start]:02x} is not UTF-8."
        hint = "Convert the file, for instance with iconv."
        raise InputError("MP271", message, line=line, hint=hint) from None
    # Not splitlines(): U+2028 and its like may stand in a text.
    return [line.removesuffix("\r") for line in text.split("\n")]


def _blocks(lines: list[str]) -> Iterator[_Block]:
    block = _Block()
    for number, line in enumerate([*lines, ""], 1):
        if line.startswith("#"):
            if found := _COMMENT.fullmatch(line):
                if found[1] == "text":
                    block.text = found[2]
                else:
                    block.segment = found[2].strip()
        elif line.strip(" "):
            _add_line(block, line, number)
        else:
            if block.surfaces and block.surfaces[-1].last > len(block.words):
                at, end = block.surfaces[-1].line, block.surfaces[-1].last
                message = f"the multiword token ends with word {end}, which does not exist."
                raise InputError("MP273", message, line=at)
            if block.words or block.text is not None:
                yield block
            block = _Block()


def _add_line(block: _Block, line: str, number: int) -> None:
    fields = line.split("\t")
    if len(fields) != _FIELDS or "" in fields:
        found = f"{len(fields)}" if len(fields) != _FIELDS else "an empty one among them"
        message = f"a token line has {_FIELDS} columns between tabs; this one has {found}."
        raise InputError("MP272", message, line=number, hint="An absent value is written '_'.")
    identifier = _ID.fullmatch(fields[0])
    expected = len(block.words) + 1
    open_until = block.surfaces[-1].last if block.surfaces else 0
    if identifier is None:
        raise InputError("MP273", f"{excerpt(fields[0])} is not a token id.", line=number)
    first, last, empty = (None if part is None else int(part) for part in identifier.groups())
    if empty is not None:
        return
    if first != expected or (last is not None and (last < expected or open_until >= expected)):
        message = f"token id {fields[0]} is out of order: word {expected} comes next."
        raise InputError("MP273", message, line=number)
    misc = dict(_misc_pairs(fields[9]))
    if last is not None or open_until < expected:
        space_after = misc.get("SpaceAfter") != "No"
        block.surfaces.append(_Surface(number, fields[1], space_after, last or expected))
    if last is None:
        word = _Word(number, fields, misc)
        block.surfaces[-1].words.append(word)
        block.words.append(word)


def _sentence(block: _Block, columns: Sequence[str]) -> Sentence:
    text = block.text
    if text is None:
        pieces = [surface.form + " " * surface.space_after for surface in block.surfaces]
        text = "".join(pieces).removesuffix(" ")
    if not block.words and any(map(str.isalnum, text)):
        raise InputError(
            "MP278",
            f"the text {excerpt(text)} has no tokens.",
            hint="Token lines follow the comments of their sentence, without an empty line between.",
        )
    spans = _spans(text, block)
    cells: dict[str, tuple[Any, ...]] = {}
    for name in columns:
        default = _OUTSIDE if name in ("entity", "chunk") else _ABSENT
        values = tuple(_CELLS[name](word) or default for word in block.words)
        cells[name] = _heads(values, block.words) if name == "head" else values
    return Sentence(
        text,
        tuple(word.form for word in block.words),
        tuple(start for start, _ in spans),
        tuple(end for _, end in spans),
        **cells,
    )


def _spans(text: str, block: _Block) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    position = 0
    for surface in block.surfaces:
        forms = [word.form for word in surface.words]
        marked = [_marked_span(word, text) for word in surface.words if block.text is not None]
        if marked and all(marked):
            spans += [span for span in marked if span is not None]
            position = spans[-1][1]
            continue
        start = _place(text, surface.form, position)
        if start is None:
            raise InputError(
                "MP275",
                f"form {excerpt(surface.form)} does not stand at character {position} of the text, "
                f"which goes on with {excerpt(text[position:], 20)}.",
                line=surface.line,
                hint="Correct '# text', or remove it so that the text is made from the forms.",
            )
        position = start + len(surface.form)
        if "".join(forms) != surface.form:
            spans += [(start, position)] * len(forms)
            continue
        for form in forms:
            spans.append((start, start + len(form)))
            start += len(form)
    return spans


def _place(text: str, form: str, position: int) -> int | None:
    """Where ``form`` begins in ``text`` after ``position`` and nothing but white space."""
    while not text.startswith(form, position):
        if not text[position : position + 1].isspace():
            return None
        position += 1
    return position


def _marked_span(word: _Word, text: str) -> tuple[int, int] | None:
    value = word.misc.get("Span")
    if value is None:
        return None
    found = _SPAN.fullmatch(value)
    start, end = (int(found[1]), int(found[2])) if found else (1, 0)
    if not start <= end <= len(text):
        message = f"Span={value} is not a span of the text, which has {len(text)} characters."
        raise InputError("MP276", message, line=word.line)
    return start, end


def _heads(values: Sequence[str], words: Sequence[_Word]) -> tuple[int, ...]:
    heads = tuple(int(value) if _HEAD.fullmatch(value) else -1 for value in values)
    fault = _faulty_head(heads)
    if fault is not None:
        message = (
            f"head {excerpt(values[fault])} of word {fault + 1} is not 0, nor another of the "
            f"{len(words)} words that leads to a root."
        )
        hint = "Heads are numbers of words of the same sentence, and every chain of them ends in 0."
        raise InputError("MP274", message, line=words[fault].line, hint=hint)
    return heads


def _faulty_head(heads: Sequence[int]) -> int | None:
    """The first token whose head is out of range or is itself below the token, if there is one."""
    reaches_root = {0}
    for token in range(1, len(heads) + 1):
        position, path = token, set[int]()
        while position not in reaches_root:
            if position in path or not 0 <= position <= len(heads):
                return token - 1
            path.add(position)
            position = heads[position - 1]
        reaches_root |= path
    return None


def _joined(sentences: Sequence[Sentence]) -> Sentence:
    if len(sentences) == 1:
        return sentences[0]
    cells: dict[str, list[Any]] = {name: [] for name in sentences[0].columns}
    characters = 0
    for sentence in sentences:
        words = len(cells["form"])
        for name, column in cells.items():
            values: tuple[Any, ...] = sentence.column(name)
            if name in ("start", "end"):
                values = tuple(value + characters for value in values)
            elif name == "head":
                values = tuple(value + words if value else 0 for value in values)
            column.extend(values)
        characters += len(sentence.text) + 1
    text = " ".join(sentence.text for sentence in sentences)
    return Sentence(text, **{name: tuple(column) for name, column in cells.items()})


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
    elif _faulty_head(row.head or ()) is not None:
        problem = "a head is no token that leads to a root"
    else:
        return
    message = f"sentence {number} ({excerpt(row.text)}) cannot be written as CoNLL-U: {problem}."
    raise InputError("MP277", message)


def _misc_pairs(misc: str) -> Iterator[tuple[str, str]]:
    for pair in misc.split("|"):
        key, equals, value = pair.partition("=")
        if equals:
            yield key, re.sub(r"\\([\\p])", lambda found: {"p": "|"}.get(found[1], "\\"), value)


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("|", "\\p")


def _given(cell: str) -> str | None:
    return None if cell == _ABSENT else cell
