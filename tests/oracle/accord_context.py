"""Penalties of contextual embeddings by their definitions, a loop for each word, piece and pair."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metaphrase.analysis.sentence import Sentence
from metaphrase.trained.pretrained_encoder import PretrainedEncoder
from oracle.accord import LOST, SOFT
from oracle.soft_matches import soft_match

LAYERS = (4, 6)
#: What is taken from the matching of words that all weigh the same.
ALIKE = ("p", "r", "lost p", "lost r")
#: Words of the hypothesis and of the reference, by their places.
Aligned = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Text:
    """Vectors of its words by layer, one of all of it, and what its words weigh."""

    text: str
    vectors: dict[int, list[np.ndarray]]
    whole: np.ndarray
    rarity: Sequence[float]


def read(sentence: Sentence, encoder: PretrainedEncoder, rarity: Sequence[float]) -> Text:
    found = encoder.encode([sentence.text], layers=LAYERS)
    words = [
        word_of(span, sentence)
        for span in zip(found.first.tolist(), found.last.tolist(), strict=True)
    ]
    vectors = {}
    for layer in LAYERS:
        rows = found.of_layer(layer).astype(float)
        of_words = [np.zeros(rows.shape[1]) for _ in sentence.form]
        for row, word in zip(rows, words, strict=True):
            if word is not None:
                of_words[word] += row
        vectors[layer] = [direction(total) for total in of_words]
    return Text(sentence.text, vectors, found.texts[0].astype(float), rarity)


def word_of(span: tuple[int, int], sentence: Sentence) -> int | None:
    """The word that has most of the characters; if none has any, the word before, or the first."""
    shared = [
        min(span[1], end) - max(span[0], start)
        for start, end in zip(sentence.start, sentence.end, strict=True)
    ]
    if not shared:
        return None
    if max(shared) > 0:
        return shared.index(max(shared))
    return max([0, *(k for k, start in enumerate(sentence.start) if start <= span[0])])


def direction(total: np.ndarray) -> np.ndarray:
    length = math.sqrt(sum(total * total))
    return total / length if length else total


def unlike(one: np.ndarray, other: np.ndarray) -> float:
    return max(0.0, 1.0 - float(sum(one * other)))


def context_penalties(left: Text, right: Text, aligned: Aligned) -> dict[str, float]:
    same = left.text == right.text
    n, m = len(left.rarity), len(right.rarity)
    # In equal texts each word is the word in the same place; in others no two words are the same.
    places = list(range(n)), list(range(m) if same else range(n, n + m))
    rarity = [*left.rarity, *right.rarity]
    found = {}
    for layer in LAYERS:
        own, other = left.vectors[layer], right.vectors[layer]
        vectors = np.array([*own, *other]).reshape(n + m, len(left.whole))
        found |= soft(f"x{layer} ", (*SOFT, *LOST), soft_match(*places, vectors, rarity))
        found |= soft(f"x{layer} all ", ALIKE, soft_match(*places, vectors, [1.0] * (n + m)))
        moved = whole = 0.0
        for i, j in aligned:
            weight = (left.rarity[i] + right.rarity[j]) / 2
            moved += 0.0 if same and i == j else weight * unlike(own[i], other[j])
            whole += weight
        found[f"x{layer} moved"] = moved / whole if whole else 0.0
        found[f"x{layer} moved sum"] = moved
    found["x text"] = 0.0 if same else unlike(left.whole, right.whole)
    return found


def soft(letter: str, names: Sequence[str], columns: Sequence[float]) -> dict[str, float]:
    """Shares of what matches, and what is lost, as penalties."""
    matches = dict(zip((*SOFT, *LOST), columns, strict=True))
    return {letter + name: matches[name] if name in LOST else 1.0 - matches[name] for name in names}
