"""Losses of accord by their definitions, with loops and counters."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from metaphrase.matching.edit_rate import KINDS, count_edits
from metaphrase.matching.symbol_rows import SymbolRows
from metaphrase.matching.word_alignment import is_function_word

#: Thai to Tibetan, kana, Chinese characters: scripts without spaces, whose characters stand alone.
ALONE = (("\u0e00", "\u0fff"), ("\u3040", "\u30ff"), ("\u3400", "\u9fff"), ("\uf900", "\ufaff"))
#: A row for each aligned pair: left, right, similarity, penalty.
Aligned = Sequence[tuple[int, int, float, float]]


def words(text: str) -> list[str]:
    """Runs of letters, digits and underscores; any other character that is not white space is a word."""
    found: list[str] = []
    in_word = False
    for character in text:
        alone = any(first <= character <= last for first, last in ALONE)
        is_letter = (character.isalnum() or character == "_") and not alone
        if is_letter and in_word:
            found[-1] += character
        elif not character.isspace():
            found.append(character)
        in_word = is_letter
    return found


def ngrams(symbols: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(symbols[i : i + n]) for i in range(len(symbols) - n + 1))


def lost(kept: float, own: float, other: float) -> float:
    """The share that is not kept; of nothing, all is lost if the other side has something."""
    if own == 0:
        return float(other > 0)
    return 1.0 - min(kept / own, 1.0)


def surface_losses(hypothesis: str, reference: str) -> dict[str, float]:
    found = {}
    characters = [[c for c in text if not c.isspace()] for text in (hypothesis, reference)]
    sides = [words(text.lower()) for text in (hypothesis, reference)]
    for letter, (left, right), orders in (("c", characters, 6), ("w", sides, 4)):
        for n in range(1, orders + 1):
            own, other = ngrams(left, n), ngrams(right, n)
            common = (own & other).total()
            found[f"{letter}{n}p"] = lost(common, own.total(), other.total())
            found[f"{letter}{n}r"] = lost(common, other.total(), own.total())
    numbers: dict[str, int] = {}
    rows = [SymbolRows.of_words([side], numbers) for side in sides]
    for kind, count in zip(KINDS, count_edits(*rows)[0].tolist(), strict=True):
        found[f"edit {kind}"] = min(count / max(len(sides[1]), 1), 1.0)
    ratio = math.log((len(sides[0]) + 1) / (len(sides[1]) + 1))
    return found | {"short": max(-ratio, 0.0), "long": max(ratio, 0.0)}


def alignment_losses(
    aligned: Aligned, left: Sequence[str], right: Sequence[str], content: float
) -> dict[str, float]:
    def weight(word: str) -> float:
        return 1.0 - content if is_function_word(word) else content

    found = {}
    for side, place, own, other in (("p", 0, left, right), ("r", 1, right, left)):
        total, total_of_other = sum(map(weight, own)), sum(map(weight, other))
        without = with_penalty = 0.0
        for pair in aligned:
            without += pair[2] * weight(own[pair[place]])
            with_penalty += max(pair[2] - pair[3], 0.01) * weight(own[pair[place]])
        found["a" + side] = lost(without, total, total_of_other)
        found["c" + side] = lost(with_penalty, total, total_of_other)
        for kind, is_function in (("content", False), ("function", True)):
            those = {i for i, word in enumerate(own) if is_function_word(word) == is_function}
            alone = those - {pair[place] for pair in aligned}
            fate = {"p": "extra", "r": "missing"}[side]
            found[f"{kind} {fate}"] = len(alone) / len(those) if those else 0.0
    # Where nothing is aligned, or no two words, there is nothing to praise, unless nothing is lost either.
    nothing = float(found["ap"] + found["ar"] > 0)
    count = len(aligned)
    found["unlike"] = sum(1 - pair[2] for pair in aligned) / count if count else nothing
    found["context"] = sum(pair[3] for pair in aligned) / count if count else nothing
    breaks = 0
    for i in range(1, count):
        follows = [aligned[i][place] == aligned[i - 1][place] + 1 for place in (0, 1)]
        breaks += not all(follows)
    found["breaks"] = breaks / max(count - 1, 1)
    return found
