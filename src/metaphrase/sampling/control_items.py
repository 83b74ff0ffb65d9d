"""Items that control quality: copies that were made worse, and the same once more.

Degraded copies are those of WMT's direct assessment (Graham et al., *Can Machine Translation Systems be
Evaluated by the Crowd Alone?*, Natural Language Engineering 2017): a phrase is replaced by one of as many
words from another segment, so that fluent words stand in the wrong place. Whoever reads gives them less than
the translation itself; how long the phrase is follows Appraise's ``create_wmt22_tasks.py``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from metaphrase.corpus.ratings import Item
from metaphrase.errors import InputError

#: Texts of up to so many words, and how long the phrase is that is replaced; it is 6 in longer ones.
_PHRASES = ((1, 1), (5, 2), (8, 3), (15, 4), (20, 5))
_LONGEST = 6
#: Languages without spaces between words: their phrases are counted in characters, twice as many.
_BY_CHARACTER = frozenset({"zh", "ja", "th", "km", "lo", "my", "yue", "wuu"})
_TRIES = 100


def degraded(text: str, others: Sequence[str], language: str, random: np.random.Generator) -> str:
    """``text`` with a phrase from one of ``others`` in the place of one of its own."""
    by_character = language.lower().partition("_")[0] in _BY_CHARACTER
    parts = list(text) if by_character else text.split()
    between = "" if by_character else " "
    length = next((n for most, n in _PHRASES if len(parts) <= most), _LONGEST)
    length = min(length * 2 if by_character else length, max(len(parts), 1))
    for _ in range(_TRIES if others else 0):
        other = others[int(random.integers(len(others)))]
        given = list(other) if by_character else other.split()
        if len(given) < length:
            continue
        start = int(random.integers(len(given) - length + 1))
        # Not the very beginning or end if there is room: those would be seen without reading.
        room = len(parts) - length
        place = int(random.integers(1, room)) if room > 2 else int(random.integers(room + 1))
        found = [*parts[:place], *given[start : start + length], *parts[place + length :]]
        if found != parts:
            return between.join(found)
    raise InputError(
        "MP788",
        "No other segment has a phrase to make a translation worse with.",
        hint="Leave degraded copies out: --degraded 0.",
    )


def default_count(items: int) -> int:
    """How many of each kind a judge gets: a tenth, but enough for a test (2⁻⁵ < .05) if there are."""
    return min(max(items // 10, 5), items)


def drawn(items: Sequence[Item], count: int, random: np.random.Generator) -> list[Item]:
    """Some of the items, that have a text to be shown, in the order in which they stand."""
    with_text = [place for place, item in enumerate(items) if item.hypothesis.strip()]
    chosen = random.choice(len(with_text), min(count, len(with_text)), replace=False)
    return [items[with_text[place]] for place in sorted(chosen.tolist())]
