r"""CoNLL-U, the exchange format of Universal Dependencies: which columns it has, and how they are read.

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
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.lines import FilePath
from metaphrase.errors import InputError, excerpt

ABSENT = "_"
_OUTSIDE = "O"
_FIELDS = 10
_ID = re.compile(r"(0|[1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8})|\.([1-9][0-9]{0,8}))?")
_HEAD = re.compile(r"0|[1-9][0-9]{0,8}")
_SPAN = re.compile(r"([0-9]{1,9}):([0-9]{1,9})")
_COMMENT = re.compile(r"#[ \t]*(text|seg_id)[ \t]*= ?(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class AnalysedText:
    """A text, and by name the columns of its words; ``form``, ``start`` and ``end`` are always there."""

    text: str
    columns: Mapping[str, tuple[Any, ...]]


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


def is_named_conllu(path: str) -> bool:
    """Whether a file is called CoNLL-U, gzipped or not; only those are read as such."""
    return ".conllu" in Path(path).suffixes


def read_analysed(path: FilePath) -> list[AnalysedText]:
    """The rows of a file, which may be gzipped; all have the same columns."""
    try:
        blocks = list(_blocks(_lines(Path(path))))
        words = [word for block in blocks for word in block.words]
        columns = [name for name, cell in _CELLS.items() if any(cell(word) for word in words)]
        rows = []
        # A sentence without a segment is a group of its own, hence its position as the key.
        for _, group in groupby(enumerate(blocks), lambda item: item[1].segment or item[0]):
            rows.append(_joined([_row(block, columns) for _, block in group]))
        return rows
    except InputError as error:
        raise error.at(path, error.line) from None


def read_conllu_texts(path: FilePath) -> list[str]:
    """The texts of a file; one without any is refused."""
    texts = [row.text for row in read_analysed(path)]
    if not texts:
        raise InputError("MP113", "The file has no sentence.", path=path)
    return texts


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


def _row(block: _Block, columns: Sequence[str]) -> AnalysedText:
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
    cells: dict[str, tuple[Any, ...]] = {
        "form": tuple(word.form for word in block.words),
        "start": tuple(start for start, _ in spans),
        "end": tuple(end for _, end in spans),
    }
    for name in columns:
        default = _OUTSIDE if name in ("entity", "chunk") else ABSENT
        values = tuple(_CELLS[name](word) or default for word in block.words)
        cells[name] = _heads(values, block.words) if name == "head" else values
    return AnalysedText(text, cells)


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
        start = place(text, surface.form, position)
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


def place(text: str, form: str, position: int) -> int | None:
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
    fault = faulty_head(heads)
    if fault is not None:
        message = (
            f"head {excerpt(values[fault])} of word {fault + 1} is not 0, nor another of the "
            f"{len(words)} words that leads to a root."
        )
        hint = "Heads are numbers of words of the same sentence, and every chain of them ends in 0."
        raise InputError("MP274", message, line=words[fault].line, hint=hint)
    return heads


def faulty_head(heads: Sequence[int]) -> int | None:
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


def _joined(rows: Sequence[AnalysedText]) -> AnalysedText:
    if len(rows) == 1:
        return rows[0]
    cells: dict[str, list[Any]] = {name: [] for name in rows[0].columns}
    characters = 0
    for row in rows:
        words = len(cells["form"])
        for name, column in cells.items():
            values = row.columns[name]
            if name in ("start", "end"):
                values = tuple(value + characters for value in values)
            elif name == "head":
                values = tuple(value + words if value else 0 for value in values)
            column.extend(values)
        characters += len(row.text) + 1
    text = " ".join(row.text for row in rows)
    return AnalysedText(text, {name: tuple(column) for name, column in cells.items()})


def _misc_pairs(misc: str) -> Iterator[tuple[str, str]]:
    for pair in misc.split("|"):
        key, equals, value = pair.partition("=")
        if equals:
            yield key, re.sub(r"\\([\\p])", lambda found: {"p": "|"}.get(found[1], "\\"), value)


def _given(cell: str) -> str | None:
    return None if cell == ABSENT else cell


def _recognises(head: Head) -> bool:
    rows = [line.split("\t") for line in head.lines if line and not line.startswith("#")]
    return bool(rows) and all(len(row) == _FIELDS and row[0][:1].isdigit() for row in rows)


FORMATS = (
    Format(
        name="conllu",
        holds="texts",
        description="CoNLL-U, analysed text",
        recognises=_recognises,
        read=read_analysed,
    ),
)
