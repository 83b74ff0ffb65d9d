"""Dependency neighbourhoods and which relations mean the same (METRICS 1.6, 1.7 and 2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple


class Relation(NamedTuple):
    label: str
    governor: int
    dependent: int


class Neighbour(NamedTuple):
    index: int
    label: str


def neighbourhood(
    index: int, form: str | None, relations: Sequence[Relation]
) -> tuple[list[Neighbour], list[Neighbour]]:
    """Parents and children of a token; ``form`` is ``None`` where collapsed words have neither."""
    dependents = {relation.dependent for relation in relations}
    if index in dependents:
        parents = [Neighbour(r.governor, r.label) for r in relations if r.dependent == index]
        children = [Neighbour(r.dependent, r.label) for r in relations if r.governor == index]
        return parents, children
    later = [dependent for dependent in dependents if dependent > index]
    if form is None or not later:
        return [], []
    following = min(later)
    start = next(i for i, relation in enumerate(relations) if relation.dependent == following)
    for label, governor, dependent in relations[start:]:
        if "_" in label and form in label:
            return [Neighbour(governor, label)], [Neighbour(dependent, label)]
    return [], []


def _sets(*rows: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(row.split()) for row in rows)


def _pairs(*rows: str) -> frozenset[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for row in rows:
        first, second = row.split(";")
        found |= set(product(first.split(), second.split()))
    return frozenset(found)


_CONJ = ("conj_and ; conj_and", "conj_or ; conj_or", "conj_nor ; conj_nor")
_ARGUMENTS = ("agent nsubj xsubj", "dobj nsubjpass", "tmod prep_in prep_at prep_on", "iobj prep_to")

#: Cobalt's tables: part of speech → sets for parents and for children, pairs for opposite directions.
COBALT_PARENTS = {
    "n": _sets("poss nn prep_of prep_in prep_at prep_for", *_ARGUMENTS),
    "v": _sets("vmod rcmod", "advcl xcomp prepc_by"),
    "j": _sets("amod rcmod"),
}
COBALT_CHILDREN = {
    "n": _sets("poss nn prep_of prep_in prep_at prep_for", "vmod rcmod", "amod rcmod"),
    "v": _sets(*_ARGUMENTS, "advcl xcomp prepc_by"),
}
COBALT_PARENT_CHILD = {
    "n": _pairs(*_CONJ, "dobj nsubjpass ; vmod rcmod", "nsubj ; amod rcmod"),
    "v": _pairs(*_CONJ, "csubj ; csubjpass", "cop csubj ; acomp"),
    "j": _pairs(*_CONJ, "amod rcmod ; nsubj", "acomp ; cop csubj"),
    "r": _pairs(*_CONJ),
}
COBALT_CHILD_PARENT = {
    **COBALT_PARENT_CHILD,
    "n": _pairs(*_CONJ, "dobj nsubjpass ; vmod rcmod"),
}

_RELATIVE = "infmod partmod rcmod"
_OBJECTS = "ccomp dobj nsubjpass rel partmod"
#: MWA's tables, as its missing comma left them.
MWA_PARENTS = {
    "n": _sets(
        "pos nn prep_of prep_in prep_at prep_for",
        "agent nsubj xsubj",
        _OBJECTS,
        "prep_at prep_on",
        "iobj prep_to",
    ),
    "v": _sets(_RELATIVE, "purpcl xcomp"),
    "j": _sets("amod rcmod"),
}
MWA_CHILDREN = {
    "n": _sets("pos prep_in prep_at prep_for", _RELATIVE, "amod rcmod"),
    "v": _sets(
        "agent",
        "ccomp rel partmod",
        "tmod prep_in prep_at prep_on",
        "iobj prep_to",
        "purpcl xcomp",
    ),
}
MWA_PARENT_CHILD = {
    "n": _pairs(*_CONJ, "nsubj ; amod rcmod", f"{_OBJECTS} ; {_RELATIVE}"),
    "v": _pairs(*_CONJ, "cop csubj ; acomp", "csubj ; csubjpass"),
    "j": _pairs(*_CONJ, "amod rcmod ; nsubj", "acomp ; cop csubj"),
    "r": _pairs(*_CONJ),
}


def in_one_set(a: str, b: str, sets: Sequence[frozenset[str]]) -> bool:
    return any(a in labels and b in labels for labels in sets)


def coarse(tag: str) -> str:
    """v, n, j, r, or nothing."""
    letter = tag[:1].lower()
    return letter if letter in ("v", "n", "j", "r") else ""
