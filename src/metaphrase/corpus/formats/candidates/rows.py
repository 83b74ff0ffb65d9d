"""Rows of which each is one candidate, put together to sentences: by their ids, or so many at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from metaphrase.corpus.formats.candidates.given import GivenCandidates
from metaphrase.corpus.lines import LineReader
from metaphrase.errors import InputError, OptionError


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateRow:
    """A candidate, and what its row says of the sentence."""

    line: int
    text: str
    name: str | None = None
    weight: float | None = None
    references: tuple[str, ...] = ()
    source: str | None = None


class _Seen:
    """The ids so far; those that count up, as most do, take no memory."""

    def __init__(self) -> None:
        self._first = self._last = -1
        self._others: set[str] = set()

    def add(self, name: str) -> bool:
        """Whether the id is new."""
        plain = name.isascii() and name.isdecimal() and len(name) < 19
        number = int(name) if plain and str(int(name)) == name else -1
        if number >= 0 and self._first < 0:
            self._first = self._last = number
        elif number >= 0 and number == self._last + 1 and name not in self._others:
            self._last = number
        elif self._first <= number <= self._last and number >= 0:
            return False
        else:
            size = len(self._others)
            self._others.add(name)
            return len(self._others) > size
        return True


def put_together(
    rows: Iterable[CandidateRow], path: str, per_sentence: int | None, *, logarithms: bool
) -> Iterator[GivenCandidates]:
    """The sentences of rows in their order; only those of one sentence are held."""
    seen = _Seen()
    held: list[CandidateRow] = []
    for row in rows:
        full = row.name is None and len(held) == per_sentence
        if held and (full or row.name != held[0].name):
            yield _sentence(held, path, per_sentence, logarithms)
            held = []
        if not held and row.name is not None and not seen.add(row.name):
            raise InputError(
                "MP856",
                f"The sentence {row.name!r} comes again, after rows of others.",
                path=path,
                line=row.line,
                hint="Put the candidates of a sentence one below the other: sort the rows by id.",
            )
        if row.name is None and per_sentence is None:
            raise how_many(path)
        held.append(row)
    if not held:
        raise InputError("MP850", "There is no candidate.", path=path)
    yield _sentence(held, path, per_sentence, logarithms)


def blocks_of(path: str, per_sentence: int) -> Iterator[GivenCandidates]:
    """Sentences of plain text, so many lines at a time."""
    with LineReader(path) as reader:
        while texts := reader.take(per_sentence):
            line = reader.taken - len(texts) + 1
            if len(texts) < per_sentence:
                raise _too_few(len(texts), per_sentence, reader.name, line)
            yield GivenCandidates(path=reader.name, line=line, texts=texts)


def how_many(path: str) -> OptionError:
    """The error for candidates of which nothing says where a sentence ends."""
    return OptionError(
        "MP854",
        "Nothing says which candidates are of the same sentence: did you forget --per-sentence?",
        path=path,
        hint="Say how many lines a sentence has, as in --per-sentence 100, of samples with "
        "--samples-per-sentence; or give several files, one for each system, or rows with an id.",
    )


def _too_few(count: int, per_sentence: int, path: str, line: int) -> InputError:
    return InputError(
        "MP854",
        f"The sentence that begins here has {count} candidates, not {per_sentence}.",
        path=path,
        line=line,
        hint="Check --per-sentence, and whether the file is complete; with ids, sentences may have "
        "as many as they like.",
    )


def _sentence(
    rows: list[CandidateRow], path: str, per_sentence: int | None, logarithms: bool
) -> GivenCandidates:
    first = rows[0]
    if per_sentence is not None and len(rows) != per_sentence:
        raise _too_few(len(rows), per_sentence, path, first.line)
    for row in rows:
        if (row.references, row.source) != (first.references, first.source):
            raise InputError(
                "MP145",
                f"The reference or source is not that of line {first.line}, of the same sentence.",
                path=path,
                line=row.line,
                hint="Give all candidates of a sentence the same.",
            )
    weights = [row.weight for row in rows if row.weight is not None]
    return GivenCandidates(
        path=path,
        line=first.line,
        texts=[row.text for row in rows],
        weights=weights or None,
        are_logarithms=logarithms,
        references=first.references,
        source=first.source,
        name=first.name,
    )
