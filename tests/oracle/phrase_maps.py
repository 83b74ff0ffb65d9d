"""PBE's similarities, maps and score, slowly and from their definitions (Li, Gong & Zhou, COLING 2012).

Everything works on any kind of number: with fractions, ties are those of real numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

Pairs = list[tuple[int, int]]


def lin_of_words(wordnet: Any, word: str, other: str, parts: tuple[str, str] = ("", "")) -> float:
    """The best sense pair of one part of speech; nouns and verbs only."""
    best = 0.0
    for part in "nv":
        if parts[0] in ("", part) and parts[1] in ("", part):
            senses = product(wordnet.synsets(word, part), wordnet.synsets(other, part))
            best = max([best, *(wordnet.lin(a, b) for a, b in senses)])
    return best


def phrase_similarity(
    phrase: Sequence[Any], other: Sequence[Any], word_similarity: Callable
) -> Any:
    def one_way(words, others):
        return sum(max(word_similarity(w, v) for v in others) for w in words) / len(words)

    backwards = one_way(other, phrase)
    return (one_way(phrase, other) + backwards) / 2


def maximum_maps(similarities: Sequence[Sequence[Any]]) -> list[Pairs]:
    """All maps are tried; those with the greatest sum, the first by the columns of its rows first."""
    columns = len(similarities[0]) if similarities else 0
    candidates = []

    def extend(row: int, total: Any, chosen: tuple[int, ...]) -> None:
        if row == len(similarities):
            candidates.append((-total, chosen))
            return
        for column in range(columns):
            if column not in chosen and similarities[row][column] > 0:
                extend(row + 1, total + similarities[row][column], (*chosen, column))
        extend(row + 1, total, (*chosen, columns))  # unmatched: later than every column

    extend(0, 0, ())
    least = min(candidates)[0]
    return [
        [(row, column) for row, column in enumerate(chosen) if column < columns]
        for total, chosen in sorted(candidates)
        if total == least
    ]


def exhaustive_map(similarities: Sequence[Sequence[Any]]) -> Pairs:
    """Of all maps with the greatest sum the first by the columns of its rows."""
    return maximum_maps(similarities)[0]


def fewest_blocks_map(similarities: Sequence[Sequence[Any]]) -> Pairs:
    """Of all maps with the greatest sum the first of those that have the fewest blocks."""
    return min(maximum_maps(similarities), key=block_count)


def fixed_pair_by_pair(similarities: np.ndarray, tolerance: float = 1e-9) -> Pairs:
    """The definition's procedure: fix a pair if the rest can still reach the optimum."""

    def optimum(rows: list[int], columns: list[int]) -> float:
        rest = similarities[np.ix_(rows, columns)]
        return float(rest[linear_sum_assignment(rest, maximize=True)].sum()) if rest.size else 0.0

    rows, columns = map(list, map(range, similarities.shape))
    best, fixed, pairs = optimum(rows, columns), 0.0, []
    for row in range(len(similarities)):
        rows.remove(row)
        for column in list(columns):
            value = similarities[row, column]
            others = [c for c in columns if c != column]
            if value > 0 and fixed + value + optimum(rows, others) >= best - tolerance:
                fixed += value
                columns = others
                pairs.append((row, column))
                break
    return pairs


def block_count(pairs: Pairs) -> int:
    return sum((row - 1, column - 1) not in pairs for row, column in pairs)


def score(
    pairs: Pairs,
    similarities: Any,
    reference_weights: Sequence[float],
    hypothesis_weights: Sequence[float],
    alpha: float = 0.2,
    beta: float = 0.5,
    gamma: float = 0.5,
) -> dict[str, float]:
    """Precision P_t, recall P_r, penalty and score of one segment."""
    precision = sum(hypothesis_weights[t] * similarities[r][t] for r, t in pairs)
    recall = sum(reference_weights[r] * similarities[r][t] for r, t in pairs)
    precision /= sum(hypothesis_weights) or 1
    recall /= sum(reference_weights) or 1
    breaks = max(block_count(pairs) - 1, 0)
    penalty = gamma * (breaks / len(pairs)) ** beta if pairs else 0.0
    mean = alpha * precision + (1 - alpha) * recall
    return {"P_t": precision, "P_r": recall, "pen": penalty, "score": mean * (1 - penalty)}
