"""Glossaries: terms with what they are called in another language, and what they must not be called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from metaphrase.analysis.languages.codes import base_language


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the source, its translations, any of which will do, and those that are forbidden.

    Without a ``source`` the ``forbidden`` ones are so everywhere. ``case_sensitive`` terms are names: they
    are looked for as they are written.
    """

    source: str
    targets: tuple[str, ...]
    forbidden: tuple[str, ...] = ()
    case_sensitive: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Glossary:
    """The terms for one pair of languages, codes that are ``""`` where the file does not say."""

    terms: tuple[Term, ...]
    source_language: str = ""
    target_language: str = ""


@dataclass(frozen=True, slots=True)
class Name:
    """What a concept is called in one language."""

    language: str
    text: str
    forbidden: bool = False
    case_sensitive: bool = False


@dataclass(frozen=True, slots=True)
class Concept:
    """All names of one thing, in all languages of a file."""

    names: tuple[Name, ...]
    note: str = ""


def glossary_of(
    concepts: Sequence[Concept], source_language: str, target_language: str
) -> Glossary:
    """The terms of concepts that have a name in the source language."""
    terms = []
    for concept in concepts:
        targets = [n for n in concept.names if _is(n.language, target_language)]
        allowed = tuple(dict.fromkeys(n.text for n in targets if not n.forbidden))
        forbidden = tuple(dict.fromkeys(n.text for n in targets if n.forbidden))
        for name in concept.names:
            if _is(name.language, source_language) and not name.forbidden and targets:
                terms.append(Term(name.text, allowed, forbidden, name.case_sensitive, concept.note))
    return Glossary(tuple(dict.fromkeys(terms)), source_language, target_language)


def _is(language: str, wanted: str) -> bool:
    """Whether a name is meant: ``de`` for ``de-AT`` and the reverse, but not ``pt-BR`` for ``pt-PT``."""
    first, second = (code.replace("_", "-").lower() for code in (language, wanted))
    if base_language(first) != base_language(second):
        return False
    return first == second or "-" not in first or "-" not in second
