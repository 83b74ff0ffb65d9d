"""The check of lengths: what fits into the button, and what is suspiciously long or short."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from metaphrase.checks.check import Check, Numbered
from metaphrase.checks.finding import Kind
from metaphrase.checks.pair import Pair
from metaphrase.corpus.normalisation import is_blank

if TYPE_CHECKING:
    from metaphrase.checks.settings import Settings

LIMIT = Kind("length/limit", "major", "the target is longer than its file or an option allows")
RATIO = Kind(
    "length/ratio", "minor", "the target is longer than the source by more than an option allows"
)


def _find(pairs: Sequence[Pair], settings: Settings) -> Iterator[Numbered]:
    for number, pair in enumerate(pairs):
        length = len(pair.target)
        limits = [
            limit for limit in (pair.max_length, settings.max_characters) if limit is not None
        ]
        if limits and length > min(limits):
            limit = min(limits)
            yield (
                number,
                LIMIT.finding(
                    "target",
                    (limit, length),
                    f"The target has {length} characters, {limit} are allowed.",
                    expected=str(limit),
                    found=str(length),
                ),
            )
        if settings.max_ratio is not None and not is_blank(pair.source):
            room = int(settings.max_ratio * len(pair.source))
            if length > room:
                yield (
                    number,
                    RATIO.finding(
                        "target",
                        (room, length),
                        f"The target has {length} characters, {length / len(pair.source):.1f} times "
                        "as many as the source.",
                        expected=str(room),
                        found=str(length),
                    ),
                )


LENGTH = Check("length", "length", "limits of length", (LIMIT, RATIO), _find, for_any=True)
