"""Pieces of the source that a translation must keep as they are, and what is said where it does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from metaphrase.checks.finding import Finding, Kind


class Piece(Protocol):
    """A stretch of a text."""

    @property
    def text(self) -> str:
        """What stands there."""

    @property
    def start(self) -> int:
        """Where it begins, in characters."""

    @property
    def end(self) -> int:
        """Where it ends."""


def disagreements(
    missing: Sequence[Piece],
    added: Sequence[Piece],
    *,
    lacking: Kind,
    superfluous: Kind,
    changed: Kind,
) -> Iterator[Finding]:
    """What the target lacks of the source and has beyond it; as many of both, and one became the other."""
    if len(missing) == len(added):
        for wanted, found in zip(missing, added, strict=True):
            yield changed.finding(
                "target",
                (found.start, found.end),
                f"{wanted.text} has become {found.text}.",
                expected=wanted.text,
                found=found.text,
                suggestion=wanted.text,
            )
        return
    for wanted in missing:
        yield lacking.finding(
            "source",
            (wanted.start, wanted.end),
            f"{wanted.text} is missing in the target.",
            expected=wanted.text,
        )
    for found in added:
        yield superfluous.finding(
            "target",
            (found.start, found.end),
            f"{found.text} is not in the source.",
            found=found.text,
        )
