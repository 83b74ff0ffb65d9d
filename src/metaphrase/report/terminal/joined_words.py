"""Words of an explanation put together as the text has them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size

from metaphrase.metrics import Repair, Word
from metaphrase.scoring.repair_counts import FrequentRepair


def phrase(words: Sequence[Word], places: Sequence[int]) -> str:
    """Characters that touch need no space, words that do not are kept apart."""
    parts = (
        gap(words, before, i) + words[i].form
        for before, i in zip((-1, *places), places, strict=False)
    )
    return "".join(parts)


def gap(words: Sequence[Word], before: int, after: int) -> str:
    """A space, unless both are characters that touch and the text was cut into such, not into words."""
    if before < 0:
        return ""
    touching = words[before].end == words[after].start
    into_words = any(cell_len(word.form) >= 4 and not word.form.isascii() for word in words)
    wide = all(cell_len(words[i].form) == 2 and len(words[i].form) == 1 for i in (before, after))
    return "" if touching and wide and not into_words else " "


def short(text: str, length: int = 20) -> str:
    """Words that no table could hold; the sentences above show them whole."""
    return text if cell_len(text) <= length else set_cell_size(text, length - 1) + "…"


def repair_words(one: Repair | FrequentRepair, room: int) -> str:
    """What is to be done, as one would tell somebody, in at most so many columns or a few more."""
    if one.kind == "word order" and one.before == one.after:
        return f"move {short(one.before, room)}"
    if not one.before:
        return f"add {short(one.after, room)}"
    if not one.after:
        return f"remove {short(one.before, room)}"
    return f"{short(one.before, room // 2)} → {short(one.after, room // 2)}"
