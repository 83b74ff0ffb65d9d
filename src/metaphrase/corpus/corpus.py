"""Systems × segments with their references: what every metric and report starts from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, SupportsIndex, cast, overload

from metaphrase.corpus.normalisation import normalise
from metaphrase.corpus.validation import (
    Column,
    EmptyReferences,
    ReferenceColumn,
    check_empty_references,
    check_lengths,
    check_piece_size,
    check_references,
    check_system_name,
    checked_column,
    checked_references,
    given_references,
    is_listed,
    not_a_column,
    without_empty,
)
from metaphrase.errors import InputError, OptionError

#: Columns that a corpus may have besides systems and references, in the order of a segment's fields.
_OPTIONAL = ("sources", "documents", "domains", "ids")
#: Systems that a short form of the corpus has room for.
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Segment:
    """One row of a corpus; ``index`` counts from 0 within that corpus.

    >>> corpus = metaphrase.Corpus({"mine": ["A cat."]}, [["The cat."]])
    >>> corpus[0].hypotheses["mine"], corpus[0].references
    ('A cat.', ('The cat.',))
    """

    index: int
    hypotheses: Mapping[str, str]
    references: tuple[str, ...]
    source: str | None = None
    document: str | None = None
    domain: str | None = None
    id: str | None = None


@dataclass(frozen=True, init=False, repr=False)
class Corpus:
    """Columns of equal length: one for each system and each reference, four optional ones.

    An empty hypothesis is kept: a system may return nothing. An empty or white-space reference
    beside a hypothesis that is not empty would score that system 0 for somebody else's mistake. So
    an empty first reference is an error, and an empty further one is no reference, unless
    ``empty_references`` says that they are kept, or all errors. Where every hypothesis and the first
    reference are empty too, it is kept.

    A segment may have fewer references than others: ``None`` stands in the further columns then. Give
    ``segment_references`` with a list for each segment, or ``references`` with one for each column.

    Messages count segments from 1, as editors count lines.

    >>> corpus = Corpus({"old": ["A cat.", "No!"], "new": ["The cat.", "No."]}, [["The cat.", "No."]])
    >>> corpus
    <Corpus: 2 segments, 1 references, systems old, new>
    >>> len(corpus), corpus.systems["new"], corpus[:1].references
    (2, ('The cat.', 'No.'), (('The cat.',),))
    >>> Corpus({"mine": ["A cat.", "No."]}, segment_references=[["The cat.", "A cat!"], ["No."]]).references
    (('The cat.', 'No.'), ('A cat!', None))
    """

    systems: Mapping[str, Column]
    references: tuple[ReferenceColumn, ...]
    sources: Column | None
    documents: Column | None
    domains: Column | None
    #: What the files call the segments, if they are units of localisation.
    ids: Column | None

    def __init__(
        self,
        systems: Mapping[str, Sequence[str]],
        references: Sequence[Sequence[str | None]] | None = None,
        *,
        segment_references: Sequence[Sequence[str | None]] | None = None,
        sources: Sequence[str] | None = None,
        documents: Sequence[str] | None = None,
        domains: Sequence[str] | None = None,
        ids: Sequence[str] | None = None,
        empty_references: EmptyReferences = "none",
    ) -> None:
        check_empty_references(empty_references)
        if not isinstance(systems, Mapping):
            raise InputError(
                "MP107",
                f"systems is of type {type(systems).__name__}.",
                hint="Give a mapping from each system's name to its list of hypotheses.",
            )
        references = given_references(references, segment_references)
        if not is_listed(references):
            raise not_a_column("references", references, "a list of references, each a list")
        for name in systems:
            check_system_name(name)
        columns = {
            name: checked_column(f"system {name!r}", texts, "hypothesis")
            for name, texts in systems.items()
        }
        numbered = tuple(
            checked_references(number, texts) for number, texts in enumerate(references, 1)
        )
        given = {"sources": sources, "documents": documents, "domains": domains, "ids": ids}
        optional = {
            name: None if texts is None else checked_column(name, texts, "entry")
            for name, texts in given.items()
        }
        if not columns or not numbered:
            missing = "system" if not columns else "reference"
            raise InputError("MP101", f"The corpus has no {missing}.", hint="Give at least one.")
        check_lengths(columns, numbered, optional)
        numbered = tuple(without_empty(numbered, empty_references))
        if empty_references != "keep":
            check_references(columns, numbered)
        object.__setattr__(self, "systems", MappingProxyType(columns))
        object.__setattr__(self, "references", numbered)
        for name, column in optional.items():
            object.__setattr__(self, name, column)

    @classmethod
    def join(cls, pieces: Iterable[Corpus]) -> Corpus:
        """One corpus of all segments of ``pieces``, which must have the same columns.

        Only further references may be missing in some of them: their segments have none then.

        >>> corpus = Corpus({"mine": ["A cat.", "No."]}, [["The cat.", "No."]])
        >>> Corpus.join([corpus, corpus])
        <Corpus: 4 segments, 1 references, systems mine>
        """
        joint = list(pieces)
        if not joint:
            raise InputError("MP101", "There is no corpus to join.", hint="Give at least one.")
        first = joint[0]
        for number, piece in enumerate(joint[1:], 2):
            if piece._shape() != first._shape():
                raise InputError(
                    "MP102",
                    f"Part {number} has other systems or optional columns than part 1.",
                    hint="Only parts with the same columns can be joined.",
                )

        def joined(columns: Iterable[Column | None]) -> Column:
            return tuple(text for column in columns for text in column or ())

        return cls(
            {name: joined(piece.systems[name] for piece in joint) for name in first.systems},
            [
                tuple(text for piece in joint for text in piece._reference(number))
                for number in range(max(len(piece.references) for piece in joint))
            ],
            **{
                name: None if column is None else joined(getattr(p, name) for p in joint)
                for name, column in first._optional().items()
            },
            empty_references="keep",
        )

    def __len__(self) -> int:
        return len(self.references[0])

    def with_references(self, count: int) -> Corpus:
        """The same with the first references alone.

        >>> Corpus({"mine": ["a"]}, [["a"], ["b"], ["c"]]).with_references(2).references
        (('a',), ('b',))
        """
        if not 1 <= count <= len(self.references):
            raise OptionError(
                "MP108",
                f"There are {len(self.references)} references, not {count}.",
                hint="Choose 1 or more of them.",
            )
        return self._with(self.systems, self.references[:count], self._optional())

    @property
    def first_references(self) -> Column:
        """The first reference of each segment, which all of them have."""
        return cast(Column, self.references[0])

    @property
    def written_references(self) -> tuple[Column, ...]:
        """The columns of references for files of lines, in which an empty text means none."""
        return tuple(tuple(text or "" for text in column) for column in self.references)

    def references_of(self, row: int) -> list[int]:
        """The numbers, from 0, of the references that the segment in this row has.

        >>> corpus = Corpus({"mine": ["a", "b"]}, segment_references=[["a", "an a"], ["b"]])
        >>> corpus.references_of(0), corpus.references_of(1)
        ([0, 1], [0])
        """
        return [n for n, column in enumerate(self.references) if column[row] is not None]

    def text(self, number: int, row: int) -> str:
        """The text of a reference, from 0, that the segment in this row has.

        >>> Corpus({"mine": ["a", "b"]}, segment_references=[["a", "an a"], ["b"]]).text(1, 0)
        'an a'
        """
        found = self.references[number][row]
        if found is None:
            raise OptionError("MP108", f"Segment {row + 1} has no reference {number + 1}.")
        return found

    @cached_property
    def is_ragged(self) -> bool:
        """Whether some segments have fewer references than there are columns."""
        return any(None in column for column in self.references[1:])

    @property
    def reference_counts(self) -> frozenset[int]:
        """How many references segments have: one number, unless they differ.

        >>> corpus = Corpus({"mine": ["a", "b"]}, segment_references=[["a", "an a"], ["b"]])
        >>> sorted(corpus.reference_counts)
        [1, 2]
        """
        if not self.is_ragged:
            return frozenset([len(self.references)])
        there = [[text is not None for text in column] for column in self.references]
        return frozenset(map(sum, zip(*there, strict=True)))

    @overload
    def __getitem__(self, row: int) -> Segment: ...
    @overload
    def __getitem__(self, row: slice) -> Corpus: ...
    def __getitem__(self, row: int | slice) -> Segment | Corpus:
        if isinstance(row, slice):
            return self._each(lambda column: column[row])
        index = range(len(self))[row]
        return Segment(
            index,
            {name: column[index] for name, column in self.systems.items()},
            tuple(text for column in self.references if (text := column[index]) is not None),
            *(None if column is None else column[index] for column in self._optional().values()),
        )

    def __iter__(self) -> Iterator[Segment]:
        return (self[row] for row in range(len(self)))

    def select(self, rows: Iterable[int]) -> Corpus:
        """The segments at ``rows``, in that order; a row may be repeated (as a resample does).

        >>> corpus = Corpus({"mine": ["A cat.", "No."]}, [["The cat.", "No."]])
        >>> corpus.select([1, 1, 0]).systems["mine"]
        ('No.', 'No.', 'A cat.')
        """
        indices = list(rows)
        for row in indices:
            # A mask of truth values would select the first two rows again and again.
            if isinstance(row, bool) or not isinstance(row, SupportsIndex):
                raise OptionError(
                    "MP108", f"{row!r} is not the number of a row.", hint="Give whole numbers."
                )

        return self._each(lambda column: tuple([column[row] for row in indices]))

    def _each(self, pick: Callable[[Column], Column]) -> Corpus:
        """The corpus of what ``pick`` takes from each column; its texts have been checked before."""
        references = tuple(pick(cast(Column, column)) for column in self.references)
        if not references[0]:
            raise InputError(
                "MP101", "The corpus has no segment: none was selected.", hint="Select one."
            )
        systems = {name: pick(column) for name, column in self.systems.items()}
        optional = {
            name: None if column is None else pick(column)
            for name, column in self._optional().items()
        }
        return self._with(systems, references, optional)

    @staticmethod
    def _with(
        systems: Mapping[str, Column],
        references: Sequence[ReferenceColumn],
        optional: Mapping[str, Column | None],
    ) -> Corpus:
        made = object.__new__(Corpus)
        object.__setattr__(made, "systems", MappingProxyType(systems))
        object.__setattr__(made, "references", tuple(references))
        for name, column in optional.items():
            object.__setattr__(made, name, column)
        return made

    @property
    def normalised(self) -> Corpus:
        """The texts as metrics compare them (docs/languages.md); itself if all of them are so already.

        Sources are nobody's to compare, and stay as they are.

        >>> Corpus({"mine": ["I can’t…"]}, [["I can't..."]]).normalised.systems["mine"]
        ("I can't...",)
        """
        return self if self._normalised is None else self._normalised

    @cached_property
    def _normalised(self) -> Corpus | None:
        columns = (*self.systems.values(), *self.references)
        if all(_is_ascii(column) for column in columns):
            return None
        changed = {id(column): _normalised(column) for column in columns}
        if all(changed[id(column)] == column for column in columns):
            return None
        return self._with(
            {name: cast(Column, changed[id(column)]) for name, column in self.systems.items()},
            tuple(changed[id(column)] for column in self.references),
            self._optional(),
        )

    def pieces(self, size: int) -> Iterator[Corpus]:
        """Consecutive pieces of ``size`` segments; the last one may be shorter.

        >>> corpus = Corpus({"mine": ["a", "b", "c"]}, [["a", "b", "c"]])
        >>> [len(piece) for piece in corpus.pieces(2)]
        [2, 1]
        """
        check_piece_size(size)
        return (self[start : start + size] for start in range(0, len(self), size))

    chunks = pieces  # its first name, which keeps working

    def __repr__(self) -> str:
        names = list(self.systems)
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        references = f"{'up to ' if self.is_ragged else ''}{len(self.references)} references"
        return (
            f"<Corpus: {len(self)} segments, {references}, "
            f"systems {', '.join(names[:_SHOWN])}{more}>"
        )

    def __reduce__(self) -> tuple[object, ...]:
        # A read-only mapping cannot be pickled, a dictionary can.
        columns = {"systems": dict(self.systems), "references": self.references}
        return _rebuild, (columns | self._optional(),)

    def _reference(self, number: int) -> ReferenceColumn:
        """The column of a reference, from 0; of ``None`` if no segment here has it."""
        return self.references[number] if number < len(self.references) else (None,) * len(self)

    def _optional(self) -> dict[str, Column | None]:
        return {name: getattr(self, name) for name in _OPTIONAL}

    def _shape(self) -> tuple[object, ...]:
        missing = [column is None for column in self._optional().values()]
        return set(self.systems), missing


def _is_ascii(column: ReferenceColumn) -> bool:
    return all(text is None or text.isascii() for text in column)


def _normalised(column: ReferenceColumn) -> ReferenceColumn:
    return tuple(None if text is None else normalise(text) for text in column)


def _rebuild(columns: dict[str, Any]) -> Corpus:
    return Corpus(**columns, empty_references="keep")
