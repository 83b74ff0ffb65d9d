"""What each word costs by its contextual embeddings.

Each word has a share of the points of a penalty, by what it adds to the penalty. The two words of an aligned
pair pay equally for the difference of their contexts. The order of words, the sums of their vectors and the
vectors of whole texts belong to no single word: their points are left over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from metaphrase.analysis import Batch
from metaphrase.arrays import FloatArray, Int32Array, Int64Array
from metaphrase.matching.soft_matches import RARE
from metaphrase.matching.word_alignment import WordAlignments
from metaphrase.metrics.accord.context import CONTEXT, ContextWords
from metaphrase.metrics.explanation import Feature

#: What a word costs, by its side and place.
WordPoints: TypeAlias = Mapping[tuple[str, int], float]
_NAME = "of these, contextual embeddings"
_SIDES = ("hypothesis", "reference")
#: Points from which on a word is named, and what stands for all others.
_WORTH_NAMING, _OTHERS = 0.01, "all others"
#: Fewer points than these are rounding.
_NOTHING = 1e-9


def explain_context(
    words: ContextWords,
    rows: tuple[Int32Array, Int32Array],
    aligned: WordAlignments,
    batch: Batch,
    cost: Mapping[str, float],
) -> tuple[Feature, WordPoints]:
    """The words of the only pair of ``rows``; ``cost`` has the points of each penalty."""
    sides = [np.arange(*batch.offsets[row[0] : row[0] + 2].tolist()) for row in rows]
    points = np.zeros(sum(map(len, sides)))
    for name, place, amounts in _amounts(words, sides, aligned):
        amounts = np.maximum(amounts, 0.0)
        if amounts.any():  # what rounding alone has lost is no word's
            points[place] += cost.get(name, 0.0) * amounts / amounts.sum()
    named, of_word = {}, {}
    for word in np.argsort(-points, kind="stable").tolist():
        side = int(word >= len(sides[0]))
        place = word - side * len(sides[0])
        of_word[_SIDES[side], place] = float(points[word])
        if points[word] >= _WORTH_NAMING:
            form = batch.strings[batch.columns["form"][sides[side][place]]]
            named[f"{_SIDES[side]} {form} ({place + 1})"] = float(points[word])
    whole = sum(cost.get(name, 0.0) for name in CONTEXT)
    rest = whole - sum(named.values())
    feature = Feature(_NAME, _NAME, whole, named | ({_OTHERS: rest} if rest > _NOTHING else {}))
    return feature, of_word


def _amounts(
    words: ContextWords, sides: Sequence[Int64Array], aligned: WordAlignments
) -> Iterator[tuple[str, slice, FloatArray]]:
    """What words add to each penalty, and which words: those of the hypothesis stand before the others."""
    hypothesis, reference = sides
    border, end = len(hypothesis), len(hypothesis) + len(reference)
    weights = [words.rarity[side] for side in sides]
    pairs = aligned.left, aligned.right
    weight = weights[0][pairs[0]] + weights[1][pairs[1]]
    of_pairs = np.r_[pairs[0], border + pairs[1]]
    own, other = (np.linspace(0.0, 1.0, len(side), endpoint=False) for side in sides)
    moved = np.abs(own[:, None] - other)
    for layer, vectors in words.vectors.items():
        cosine = vectors[hypothesis].astype(np.float64) @ vectors[reference].T
        cosine[hypothesis[:, None] == reference] = 1.0
        # In a pair both words differ from each other equally.
        unlike = np.tile(weight * np.maximum(1.0 - cosine[pairs], 0.0), 2)
        apart = np.bincount(of_pairs, unlike, end).astype(np.float64)
        for name in ("moved", "moved sum"):
            yield f"x{layer} {name}", slice(end), apart
        near = cosine * (1.0 - moved / 2.0)
        for number, (letter, place) in enumerate(
            zip("pr", (slice(border), slice(border, end)), strict=True)
        ):
            best, placed = (table.max(1 - number, initial=0.0) for table in (cosine, near))
            rarity = weights[number]
            missed = rarity - best
            for name, amounts in {
                letter: rarity * (1.0 - best),
                f"{letter}³": rarity * (1.0 - best**3),
                f"{letter} near": rarity * (1.0 - placed),
                f"lost {letter}": np.where(rarity > RARE, rarity * (1.0 - best), 0.0),
                f"worst {letter}": missed == missed.max(initial=-1.0),
                f"all {letter}": 1.0 - best,
                f"all lost {letter}": 1.0 - best,
            }.items():
                yield f"x{layer} {name}", place, amounts
