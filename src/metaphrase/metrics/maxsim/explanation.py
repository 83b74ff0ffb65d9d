"""Why MaxSim gave a score: the n-grams of one segment that were matched, stage by stage.

The kind of a link tells its stage: ``lemma with tag`` is the first, ``lemma`` the second, and all others are
of the optimum of what was left.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence

import numpy as np

from metaphrase.arrays import BoolArray
from metaphrase.matching.staged_ngrams import ORDERS
from metaphrase.metrics.comparison import Comparison
from metaphrase.metrics.explained_pair import explain_pair
from metaphrase.metrics.explanation import Explanation, Feature, Leftover, Link
from metaphrase.metrics.maxsim.metric import MaxSim
from metaphrase.metrics.tesla_m.bags import EMPTY_BAGS
from metaphrase.metrics.tesla_m.explanation import (
    MEANING,
    PlacedLink,
    Side,
    compared_sides,
    explained_words,
    matched_ngrams,
    ngram_feature,
    unmatched,
    why_similar,
)

#: The two stages before the optimum: why n-grams are equal in them.
_EQUAL = ("lemma with tag", "lemma")


def explain(metric: MaxSim, comparison: Comparison) -> Explanation:
    """Match the only segment of ``comparison`` again, keeping what was matched."""
    analysed = comparison.analysed
    words = comparison.kept_of_all("words", lambda: metric.words(analysed.batch))
    sentences, sides = compared_sides(analysed, words, divisor=1)
    hypothesis, reference = sides
    same_tag = (hypothesis.tag[:, None] == reference.tag).astype(np.uint8)
    kind = why_similar(words, hypothesis, reference, same_tag)
    links: list[Link] = []
    leftovers: list[Leftover] = []
    features: list[Feature] = []
    for n in ORDERS:
        layer = f"ms{n}"
        found: list[PlacedLink] = []
        left = np.ones([side.ngrams(n) for side in sides], dtype=bool)
        if metric.matching == "staged":
            for reason, columns in enumerate(_compared(sides)):
                found += _equal(layer, n, columns, sides, left, _EQUAL[reason])
        found += matched_ngrams(layer, n, kind, MEANING, hypothesis, reference, allowed=left)
        links += (link for link, _ in found)
        leftovers += unmatched(layer, n, sides, found)
        features.append(
            ngram_feature(
                layer,
                f"{n}-grams by lemma/synonym/tag",
                n,
                sides,
                found,
                alpha=metric.alpha,
                empty=EMPTY_BAGS["skip"],
            )
        )
    words_of = [
        explained_words(sentence, side, metric.tag_column)
        for sentence, side in zip(sentences, sides, strict=True)
    ]
    return explain_pair(metric, comparison, words_of, links, leftovers, features)


def _compared(sides: Sequence[Side]) -> Iterator[list[list[object]]]:
    """What must be equal in the first stage and in the second, of each word of both sides."""
    yield [list(zip(side.lemma.tolist(), side.tag.tolist(), strict=True)) for side in sides]
    yield [side.lemma.tolist() for side in sides]


def _equal(
    layer: str,
    n: int,
    columns: Sequence[Sequence[object]],
    sides: Sequence[Side],
    left: BoolArray,
    kind: str,
) -> Iterator[PlacedLink]:
    """Match equal n-grams of those that are ``left``, which they no longer are then."""
    places: defaultdict[tuple[object, ...], deque[int]] = defaultdict(deque)
    for column in np.flatnonzero(left.any(axis=0)).tolist():
        places[tuple(columns[1][column : column + n])].append(column)
    for row in np.flatnonzero(left.any(axis=1)).tolist():
        partners = places[tuple(columns[0][row : row + n])]
        if not partners:
            continue
        column = partners.popleft()
        left[row] = False
        left[:, column] = False
        ngrams = sides[0].ngram(row, n), sides[1].ngram(column, n)
        yield Link(layer, kind, *ngrams, 1.0, 1.0), (row, column)
