"""What must hold before texts are a corpus; each check names the system and segment at fault."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MappingView, Sequence, Set
from itertools import zip_longest
from typing import Any, Literal, TypeGuard, get_args

from metaphrase.corpus.normalisation import is_blank
from metaphrase.errors import InputError, OptionError

Column = tuple[str, ...]
#: Texts of one reference; ``None`` where a segment has none, which the first reference never is.
ReferenceColumn = tuple[str | None, ...]
#: What an empty reference means for a segment that some system did translate. With ``none`` an empty further
#: one is no reference, and an empty first one an error.
EmptyReferences = Literal["none", "error", "keep"]


def check_empty_references(rule: str) -> None:
    """Refuse any rule but those that exist."""
    if rule not in get_args(EmptyReferences):
        raise OptionError(
            "MP108", f"empty_references is {rule!r}.", hint='Choose "none", "error" or "keep".'
        )


def check_piece_size(size: int) -> None:
    """Refuse pieces of no or fewer segments."""
    if isinstance(size, bool) or not isinstance(size, int) or size < 1:
        raise OptionError(
            "MP108", f"The chunk size is {size!r}.", hint="Give a whole number of at least 1."
        )


def check_system_name(name: object, *, path: str | None = None, line: int | None = None) -> None:
    """Refuse a name that a table of scores could not show."""
    fault = None
    if not isinstance(name, str):
        fault = "is not a string"
    elif not name.strip():
        fault = "is empty"
    elif any("\ud800" <= character <= "\udfff" for character in name):
        fault = "has half a surrogate pair"
    if fault is not None:
        hint = "Every system needs a name to be reported by."
        raise InputError(
            "MP104", f"The system name {name!r} {fault}.", path=path, line=line, hint=hint
        )


def find_empty_reference(
    systems: Mapping[str, Sequence[str]], references: Sequence[Sequence[str | None]]
) -> tuple[int, int, str] | None:
    """The first empty reference beside a hypothesis that says something.

    Returns the number of the reference, the row (both from 0) and the system's name. White space and
    invisible characters are as good as empty, on either side.
    """
    for number, reference in enumerate(references):
        for row, text in enumerate(reference):
            if text is None or not is_blank(text):
                continue
            for name, hypotheses in systems.items():
                if not is_blank(hypotheses[row]):
                    return number, row, name
    return None


def without_empty(
    references: Sequence[Sequence[str | None]], rule: EmptyReferences
) -> list[ReferenceColumn]:
    """The columns of references, in which ``None`` stands for what the rule says is no reference.

    Where the first reference is empty, too, nothing was to be translated, and the segment stays as it is.

    >>> without_empty([["a", "b"], ["", "c"]], "none")
    [('a', 'b'), (None, 'c')]
    """
    first, *further = map(tuple, references)
    if rule != "none":
        return [first, *further]

    def settled(column: ReferenceColumn) -> ReferenceColumn:
        # Few columns have a blank text, and all texts would have to be looked at twice.
        empty = [row for row, text in enumerate(column) if text is not None and is_blank(text)]
        none = {row for row in empty if not is_blank(first[row] or "")}
        if not none:
            return column
        return tuple(None if row in none else text for row, text in enumerate(column))

    return [first, *map(settled, further)]


def given_references(
    references: Sequence[Sequence[str | None]] | None,
    segment_references: Sequence[Sequence[str | None]] | None,
) -> Sequence[Sequence[str | None]]:
    """The columns of references, however they were given."""
    if segment_references is None:
        return [] if references is None else references
    if references is not None:
        raise OptionError(
            "MP108",
            "references and segment_references were both given.",
            hint="Give a list for each reference, or a list for each segment.",
        )
    return columns_of_segments(segment_references)


def columns_of_segments(segments: Sequence[Sequence[str | None]]) -> list[ReferenceColumn]:
    """Columns of references, given those of each segment: as many as the one with most has.

    >>> columns_of_segments([["a", "b"], ["c"]])
    [('a', 'c'), ('b', None)]
    """
    if not is_listed(segments):
        raise not_a_column("segment_references", segments, "a list with a list for each segment")
    for number, texts in enumerate(segments, 1):
        owner = f"segment_references of segment {number}"
        if not is_listed(texts):
            raise not_a_column(owner, texts, "a list of strings, one per reference")
        if not texts:
            raise InputError(
                "MP118", f"Segment {number} has no reference.", hint="Give it one, or leave it out."
            )
    return list(zip_longest(*segments))


def checked_references(number: int, texts: Sequence[str | None]) -> ReferenceColumn:
    """The texts of a reference as strings that can be encoded; only a further one may have ``None``."""
    owner = f"reference {number}"
    if not is_listed(texts):
        raise not_a_column(owner, texts, "a list of strings, one per segment")
    column = tuple(texts)
    if None not in column:
        return checked_column(owner, column, "text")
    if number == 1:
        raise InputError(
            "MP118",
            f"Segment {column.index(None) + 1} has no first reference.",
            hint="Give the references of each segment with segment_references=[[…], …], or move those that "
            "there are to the front.",
        )
    checked_column(owner, ["" if text is None else text for text in column], "text")
    return column


def checked_column(
    owner: str,
    texts: Sequence[str],
    kind: str,
    *,
    place: str = "The {kind} for segment {number} of {owner}",
) -> Column:
    """The texts as a tuple of strings, each of which can be encoded; ``place`` names one of them."""

    def at(number: int) -> str:
        return place.format(kind=kind, number=number, owner=owner)

    if not is_listed(texts):
        raise not_a_column(owner, texts, "a list of strings, one per segment")
    column = tuple(texts)
    if set(map(type, column)) - {str}:
        for number, text in enumerate(column, 1):
            if not isinstance(text, str):
                raise InputError(
                    "MP103",
                    f"{at(number)} is of type {type(text).__name__}, not a string.",
                    hint="Use an empty string where there is no text.",
                )
    for number, text in enumerate(column, 1):
        if not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError as error:
                raise InputError(
                    "MP106",
                    f"{at(number)} has half a surrogate pair at character {error.start + 1}.",
                    hint="The text was decoded wrongly; decode it again from its bytes.",
                ) from None
    return column


def is_listed(value: object) -> TypeGuard[Iterable[Any]]:
    """Whether a value has items in an order that means something: one string or a set has none."""
    unlisted = (str, bytes, Set, Mapping, MappingView)
    return isinstance(value, Iterable) and not isinstance(value, unlisted)


def not_a_column(owner: str, value: object, expected: str) -> InputError:
    """The error for a value that is not a column of texts."""
    return InputError(
        "MP107", f"{owner} is of type {type(value).__name__}.", hint=f"Give {expected}."
    )


def check_lengths(
    systems: Mapping[str, Column],
    references: Sequence[ReferenceColumn],
    optional: Mapping[str, Column | None],
) -> None:
    """Refuse columns of unequal length, and of none."""
    segments = len(references[0])
    lengths = {f"reference {number}": len(column) for number, column in enumerate(references, 1)}
    lengths |= {f"system {name!r}": len(column) for name, column in systems.items()}
    lengths |= {name: len(column) for name, column in optional.items() if column is not None}
    for owner, length in lengths.items():
        if length != segments:
            raise InputError(
                "MP102",
                f"reference 1 has {segments} segments, {owner} has {length}.",
                hint="Every column needs one text for each segment.",
            )
    if segments == 0:
        raise InputError("MP101", "The corpus has no segment.", hint="Give at least one.")


def check_references(systems: Mapping[str, Column], references: Sequence[ReferenceColumn]) -> None:
    """Refuse an empty reference beside a hypothesis that says something."""
    found = find_empty_reference(systems, references)
    if found is not None:
        number, row, name = found
        raise InputError(
            "MP105",
            f"Reference {number + 1} of segment {row + 1} is empty, "
            f"but system {name!r} has a hypothesis.",
            hint='Mend the reference, or pass empty_references="keep".',
        )
