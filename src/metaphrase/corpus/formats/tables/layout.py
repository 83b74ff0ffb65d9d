"""Which column of a table says what: the naming convention that TSV and JSONL share.

Long form has one row for each system and segment, wide form one row per segment and one column a
system. A column called ``system`` makes a table long; without it, every column whose name has no
other meaning is a system, but for those that are known to hold something else.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Literal

from metaphrase.corpus.lines import FilePath
from metaphrase.errors import InputError, OptionError

Form = Literal["wide", "long"]
#: The names of columns by role; the roles that several columns may play have a list of them.
ColumnNames = Mapping[str, str | Sequence[str]]

#: The names by which a column is recognised; the first one is written.
NAMES: Mapping[str, tuple[str, ...]] = {
    "system": ("system",),
    "segment": ("segment", "seg"),
    "document": ("document", "doc"),
    "domain": ("domain",),
    "source": ("source", "src"),
    "references": ("references", "refs"),
    "hypothesis": ("hypothesis", "hyp"),
}
#: What tells a table of texts from any other text, and a table of judgements from one of texts.
REFERENCE_COLUMNS = frozenset({"reference", "reference1", "references", "ref", "ref1", "refs"})
JUDGEMENT_COLUMNS = frozenset({"set", "lp", "system", "seg", "references", "hypothesis", "human"})
#: What tells a challenge set from a table of texts.
CHALLENGE_COLUMNS = frozenset({"kind", "reference", "good", "bad"})
#: What people call columns without translations, in whatever case: no system unless it is stated.
NO_SYSTEMS = frozenset(
    {
        "annotator", "author", "category", "comment", "comments", "context", "date", "file",
        "filename", "id", "ids", "index", "key", "lang", "language", "length", "line", "lp", "note",
        "notes", "path", "rater", "score", "scores", "seg_id", "segid", "segment_id", "segments",
        "doc_id", "docid", "document_id", "status", "time", "timestamp", "unit", "url", "uuid",
    }
)  # fmt: skip
#: Roles that several columns may play.
_SEVERAL = ("reference", "hypothesis")
_REFERENCE = re.compile(r"(?:reference|ref)([1-9][0-9]{0,3})?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """The columns of one table by their role; a role that no column plays is ``None``.

    ``systems`` are the columns of a table in wide form; in long form it restricts which systems are
    read. ``references`` has one column a reference unless ``joined`` holds all of them.
    """

    form: Form
    systems: tuple[str, ...] | None
    references: tuple[str, ...]
    joined: str | None
    system: str | None
    hypothesis: str | None
    segment: str | None
    document: str | None
    domain: str | None
    source: str | None
    #: Whether every column has a role, so that an unknown one in a later row is a mistake.
    exhaustive: bool
    #: What was not taken for a system, as nobody said that it is one.
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class LayoutOptions:
    """What the user states about a table instead of having it recognised."""

    form: Form | None = None
    columns: ColumnNames | None = None
    systems: Sequence[str] | None = None

    def __post_init__(self) -> None:
        if self.form not in (None, "wide", "long"):
            raise OptionError(
                "MP108", f"The form of the table is {self.form!r}.", hint='Choose "wide" or "long".'
            )
        for role, names in (self.columns or {}).items():
            if role not in NAMES and role != "reference":
                known = ", ".join(("reference", *NAMES))
                raise OptionError(
                    "MP109", f"There is no column role {role!r}.", hint=f"The roles are {known}."
                )
            if not isinstance(names, str) and role not in _SEVERAL:
                raise OptionError(
                    "MP109", f"The role {role!r} has several columns.", hint="Give it one name."
                )
            if len(set(_several(names))) < len(_several(names)):
                raise OptionError(
                    "MP109",
                    f"The role {role!r} has a column twice.",
                    hint="Name each of them once.",
                )
        if {"reference", "references"} <= set(self.columns or {}):
            raise OptionError(
                "MP109", "Both 'reference' and 'references' are mapped.", hint="Map one of them."
            )
        systems = self.systems
        if systems is None:
            return
        if isinstance(systems, str) or not systems or len(set(systems)) < len(systems):
            raise OptionError(
                "MP109", f"systems is {systems!r}.", hint="Give a list of names, each of them once."
            )


def is_reserved(name: str) -> bool:
    """Whether a column of this name in a table of wide form would not be taken for a system."""
    roles = (names for role, names in NAMES.items() if role != "hypothesis")
    return _REFERENCE.fullmatch(name) is not None or any(name in names for names in roles)


def is_no_system(name: str) -> bool:
    """Whether the column would not be taken for a system either, though it has no role."""
    return name.strip().lower() in NO_SYSTEMS


def recognise(
    names: Collection[str],
    options: LayoutOptions,
    path: FilePath,
    *,
    ids: Set[str] = frozenset(),
) -> Layout:
    """Give each column of a table its role, by what the user states and else by its name.

    ``ids`` are the columns of nothing but ids and numbers: no systems, unless the references are such.
    """
    stated = options.columns or {}
    free = [name for name in names if name not in _values(stated)]
    form = options.form or ("long" if "system" in stated or "system" in free else "wide")
    found: dict[str, str | None] = {}
    for role, known in NAMES.items():
        wanted = stated.get(role)
        if form == "wide" and role in ("system", "hypothesis"):
            found[role] = None
        elif isinstance(wanted, str):
            found[role] = _present(wanted, names, path)
        elif wanted is not None:
            raise _ambiguous(role, wanted, path)
        else:
            found[role] = _only_one(role, [name for name in known if name in free], path)
    if form == "long":
        for role in ("system", "hypothesis"):
            if found[role] is None:
                raise _missing(f"a column {role!r}, which a table in long form needs", names, path)
    elif "system" in stated:
        raise OptionError(
            "MP109",
            "A table in wide form has no system column.",
            path=path,
            hint="Say which columns are systems by stating hypothesis.",
        )
    elif "hypothesis" in stated and options.systems is not None:
        raise OptionError(
            "MP109",
            "The systems of a table in wide form are stated twice.",
            path=path,
            hint="Give systems= or the hypothesis of columns=.",
        )
    joined = found.pop("references")
    if "reference" in stated:
        joined = None
    references = () if "references" in stated else _references(names, free, stated, path)
    if joined is not None and references:
        raise InputError(
            "MP140",
            f"There are both a column {joined!r} and a column {references[0]!r}.",
            path=path,
            hint="State which one holds the references with --columns or columns=.",
        )
    if joined is None and not references:
        raise _missing("a column 'reference'", names, path)
    systems = None if options.systems is None else tuple(options.systems)
    if form == "wide" and "hypothesis" in stated:
        systems = _several(stated["hypothesis"])
    exhaustive = form == "wide" and systems is None
    left_out: tuple[str, ...] = ()
    if form == "wide":
        roles = {*references, joined, *found.values()}
        if systems is None:
            # A second reference that was not asked for must not be scored as a system.
            others = [name for name in names if name not in roles and not is_reserved(name)]
            if not ids.isdisjoint((*references, joined)):
                ids = frozenset()
            left_out = tuple(name for name in others if name in ids or is_no_system(name))
            systems = tuple(name for name in others if name not in left_out)
        for name in systems:
            _present(name, names, path)
        if not systems:
            none = "is not taken for one" if len(left_out) == 1 else "are not taken for any"
            but = f" ({', '.join(map(repr, left_out))} {none})" if left_out else ""
            raise _missing(f"a column for a system{but}", names, path)
    return Layout(
        form=form,
        systems=systems,
        references=references,
        joined=joined,
        exhaustive=exhaustive,
        left_out=left_out,
        **found,
    )


def _references(
    names: Collection[str],
    free: Iterable[str],
    stated: ColumnNames,
    path: FilePath,
) -> tuple[str, ...]:
    """``reference`` (or ``reference1``), ``reference2``, …, in the order of their numbers."""
    wanted = stated.get("reference")
    if wanted is not None:
        return tuple(_present(name, names, path) for name in _several(wanted))
    numbered: dict[int, str] = {}
    for name in free:
        match = _REFERENCE.fullmatch(name)
        if match is None:
            continue
        number = int(match[1] or 1)
        if number in numbered:
            raise _ambiguous(f"reference {number}", (numbered[number], name), path)
        numbered[number] = name
    for number in range(1, len(numbered) + 1):
        if number not in numbered:
            raise _missing(f"reference {number} of {max(numbered)}", names, path)
    return tuple(numbered[number] for number in sorted(numbered))


def _values(stated: ColumnNames) -> set[str]:
    return {name for names in stated.values() for name in _several(names)}


def _several(names: str | Sequence[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _present(name: str, names: Iterable[str], path: FilePath) -> str:
    if name not in names:
        raise _missing(f"a column {name!r}", names, path)
    return name


def _only_one(role: str, candidates: Sequence[str], path: FilePath) -> str | None:
    if len(candidates) > 1:
        raise _ambiguous(role, candidates, path)
    return candidates[0] if candidates else None


def _missing(what: str, names: Iterable[str], path: FilePath) -> InputError:
    return InputError(
        "MP140",
        f"The table lacks {what}; its columns are {', '.join(map(repr, names))}.",
        path=path,
        hint="State other names with --columns ROLE=NAME,… or in Python with columns= and systems=.",
    )


def _ambiguous(role: str, candidates: Sequence[str], path: FilePath) -> InputError:
    return InputError(
        "MP140",
        f"Several columns could be the {role}: {', '.join(map(repr, candidates))}.",
        path=path,
        hint="State which one with --columns or columns=.",
    )
