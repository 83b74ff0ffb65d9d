"""Losses of accord by their definitions, with loops and counters."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from metaphrase.corpus.normalisation import normalise
from metaphrase.lexicon import VectorSource
from metaphrase.matching.edit_rate import KINDS, count_edits
from metaphrase.matching.symbol_rows import SymbolRows
from metaphrase.matching.word_alignment import is_function_word
from oracle.common_subsequence import common_subsequence
from oracle.soft_matches import soft_match
from oracle.spelling_vectors import spelling_vector

#: Thai to Tibetan, kana, Chinese characters: scripts without spaces, whose characters stand alone.
ALONE = (("\u0e00", "\u0fff"), ("\u3040", "\u30ff"), ("\u3400", "\u9fff"), ("\uf900", "\ufaff"))
#: A row for each aligned pair: left, right, similarity, penalty.
Aligned = Sequence[tuple[int, int, float, float]]
#: Losses of soft matches in the order of the oracle's columns, of which the last two are losses already.
SOFT = ("p", "r", "p³", "r³", "p near", "r near", "sum", "worst r", "worst p", "follows", "rises")
LOST = ("lost r", "lost p")


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
    edits = dict(zip(KINDS, count_edits(*rows)[0].tolist(), strict=True))
    for name, count in (
        ("missing", edits["insert"] + edits["substitute"]),
        ("extra", edits["delete"] + edits["substitute"]),
        ("shift", edits["shift"]),
    ):
        found[f"edit {name}"] = min(count / max(len(sides[1]), 1), 1.0)
    ratio = math.log((len(sides[0]) + 1) / (len(sides[1]) + 1))
    found |= {"short": max(-ratio, 0.0), "long": max(ratio, 0.0)}
    found["chrf"] = 1.0 - chrf(*characters)
    texts = [" ".join(text.split()) for text in (hypothesis, reference)]
    common = common_subsequence(*texts)
    found["lcs p"] = lost(common, len(texts[0]), len(texts[1]))
    found["lcs r"] = lost(common, len(texts[1]), len(texts[0]))
    said, length = (Counter(sides[0]) & Counter(sides[1])).total(), max(len(sides[1]), 1)
    found["extra words"] = min((len(sides[0]) - said) / length, 2.0)
    cased = [Counter(with_case(text)) for text in (hypothesis, reference)]
    found["case"] = (said - (cased[0] & cased[1]).total()) / length
    return found


def with_case(text: str) -> list[tuple[str, bool]]:
    """Words in lower case, and whether the text has a capital in each; unknown if case changes lengths."""
    lower = text.lower()
    if len(lower) != len(text):
        return [(word, False) for word in words(lower)]
    found, at = [], 0
    for word in words(lower):
        at = lower.index(word, at)
        found.append((word, text[at : at + len(word)] != word))
        at += len(word)
    return found


def chrf(hypothesis: Sequence[str], reference: Sequence[str]) -> float:
    """F of mean precision and mean recall, with β = 2, over the n for which both texts have n-grams."""
    if not hypothesis and not reference:
        return 1.0
    orders = min(6, len(hypothesis), len(reference))
    precision = recall = 0.0
    for n in range(1, orders + 1):
        own, other = ngrams(hypothesis, n), ngrams(reference, n)
        common = (own & other).total()
        precision += common / own.total() / orders
        recall += common / other.total() / orders
    return 5 * precision * recall / (4 * precision + recall) if precision + recall else 0.0


def spelling_losses(hypothesis: str, reference: str) -> dict[str, float]:
    sides = [words(normalise(text).lower()) for text in (hypothesis, reference)]
    known = sorted({word for side in sides for word in side})
    vectors = np.array([spelling_vector(word) for word in known], dtype=float).reshape(-1, 128)
    # A sign counts 0.1, and each further letter 0.12, up to 1.
    weights = [min(0.1 + 0.12 * (len(word) - 1), 1.0) for word in known]
    return soft_losses("s", sides, known, vectors, weights)


def vector_losses(
    hypothesis: Sequence[str], reference: Sequence[str], source: VectorSource
) -> dict[str, float]:
    sides = [[word.lower() for word in side] for side in (hypothesis, reference)]
    known = sorted({word for side in sides for word in side})
    vectors = source.vectors(known).astype(float)
    return soft_losses("v", sides, known, vectors, rarity_of(known, source))


def rarity_of(words: Sequence[str], source: VectorSource) -> list[float]:
    """Of words in lower case."""
    rarity = []
    for word, rank in zip(words, source.ranks(words).tolist(), strict=True):
        if rank >= 0:
            rarity.append(min(math.log(rank + 2) / math.log(100_002), 1.0))
        else:
            rarity.append(0.1 if is_function_word(word) else 1.0)
    return rarity


def soft_losses(
    letter: str,
    sides: Sequence[Sequence[str]],
    known: Sequence[str],
    vectors: np.ndarray,
    weights: Sequence[float],
) -> dict[str, float]:
    left, right = ([known.index(word) for word in side] for side in sides)
    matches = dict(zip((*SOFT, *LOST), soft_match(left, right, vectors, weights), strict=True))
    return {
        f"{letter} {name}": value if name in LOST else 1.0 - value
        for name, value in matches.items()
    }


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
