"""Codes of languages as localisation files write them: ``de``, ``de-AT``, ``DE_at``, ``pt_BR.UTF-8``."""

from __future__ import annotations


def subtags(code: str) -> tuple[str, ...]:
    """The parts of a code in lower case, without an encoding."""
    return tuple(code.partition(".")[0].partition("@")[0].replace("_", "-").lower().split("-"))


def same_language(first: str, second: str) -> bool:
    """Whether one code is the other, or says less: ``de`` is ``de-AT``, but ``de-DE`` is not.

    >>> same_language("de", "DE_at"), same_language("pt-BR", "pt-PT")
    (True, False)
    """
    return all(a == b for a, b in zip(subtags(first), subtags(second), strict=False))
