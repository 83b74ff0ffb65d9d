"""Systems × segments with their references: what every metric and report starts from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, SupportsIndex, overload

from metaphrase.corpus.normalisation import normalise
from metaphrase.corpus.validation import (
    Column,
    EmptyReferences,
    check_empty_references,
    check_lengths,
    check_piece_size,
    check_references,
    check_system_name,
    checked_column,
    is_listed,
    not_a_column,
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
    beside a hypothesis that is not empty would score that system 0 for somebody else's mistake, so
    it is an error unless ``empty_references="keep"``. Where every hypothesis is empty too, it is
    kept.

    Messages count segments from 1, as editors count lines.

    >>> corpus = Corpus({"old": ["A cat.", "No!"], "new": ["The cat.", "No."]}, [["The cat.", "No."]])
    >>> corpus
    <Corpus: 2 segments, 1 references, systems old, new>
    >>> len(corpus), corpus.systems["new"], corpus[:1].references
    (2, ('The cat.', 'No.'), (('The cat.',),))
    """

    systems: Mapping[str, Column]
    references: tuple[Column, ...]
    sources: Column | None
    documents: Column | None
    domains: Column | None
    #: What the files call the segments, if they are units of localisation.
    ids: Column | None

    def __init__(
        self,
        systems: Mapping[str, Sequence[str]],
        references: Sequence[Sequence[str]],
        *,
        sources: Sequence[str] | None = None,
        documents: Sequence[str] | None = None,
        domains: Sequence[str] | None = None,
        ids: Sequence[str] | None = None,
        empty_references: EmptyReferences = "error",
    ) -> None:
        check_empty_references(empty_references)
        if not isinstance(systems, Mapping):
            raise InputError(
                "MP107",
                f"systems is of type {type(systems).__name__}.",
                hint="Give a mapping from each system's name to its list of hypotheses.",
            )
        if not is_listed(references):
            raise not_a_column("references", references, "a list of references, each a list")
        for name in systems:
            check_system_name(name)
        columns = {
            name: checked_column(f"system {name!r}", texts, "hypothesis")
            for name, texts in systems.items()
        }
        numbered = tuple(
            checked_column(f"reference {number}", texts, "text")
            for number, texts in enumerate(references, 1)
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
        if empty_references == "error":
            check_references(columns, numbered)
        object.__setattr__(self, "systems", MappingProxyType(columns))
        object.__setattr__(self, "references", numbered)
        for name, column in optional.items():
            object.__setattr__(self, name, column)

    @classmethod
    def join(cls, pieces: Iterable[Corpus]) -> Corpus:
        """One corpus of all segments of ``pieces``, which must have the same columns.

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
                    f"Part {number} has other systems, references or optional columns than part 1.",
                    hint="Only parts with the same columns can be joined.",
                )

        def joined(columns: Iterable[Column | None]) -> Column:
            return tuple(text for column in columns for text in column or ())

        return cls(
            {name: joined(piece.systems[name] for piece in joint) for name in first.systems},
            [joined(piece.references[i] for piece in joint) for i in range(len(first.references))],
            **{
                name: None if column is None else joined(getattr(p, name) for p in joint)
                for name, column in first._optional().items()
            },
            empty_references="keep",
        )

    def __len__(self) -> int:
        return len(self.references[0])

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
            tuple(column[index] for column in self.references),
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
        references = tuple(pick(column) for column in self.references)
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
        references: tuple[Column, ...],
        optional: Mapping[str, Column | None],
    ) -> Corpus:
        made = object.__new__(Corpus)
        object.__setattr__(made, "systems", MappingProxyType(systems))
        object.__setattr__(made, "references", references)
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
        if all(all(map(str.isascii, column)) for column in columns):
            return None
        changed = {id(column): tuple(map(normalise, column)) for column in columns}
        if all(changed[id(column)] == column for column in columns):
            return None
        return self._with(
            {name: changed[id(column)] for name, column in self.systems.items()},
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
        return (
            f"<Corpus: {len(self)} segments, {len(self.references)} references, "
            f"systems {', '.join(names[:_SHOWN])}{more}>"
        )

    def __reduce__(self) -> tuple[object, ...]:
        # A read-only mapping cannot be pickled, a dictionary can.
        columns = {"systems": dict(self.systems), "references": self.references}
        return _rebuild, (columns | self._optional(),)

    def _optional(self) -> dict[str, Column | None]:
        return {name: getattr(self, name) for name in _OPTIONAL}

    def _shape(self) -> tuple[object, ...]:
        missing = [column is None for column in self._optional().values()]
        return set(self.systems), len(self.references), missing


def _rebuild(columns: dict[str, Any]) -> Corpus:
    return Corpus(**columns, empty_references="keep")
