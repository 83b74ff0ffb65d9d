"""Explains a score of METEOR: the alignment with its chunks, and what the formula makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from metaphrase.matching.meteor import CHUNKS, MATCHED_WORDS
from metaphrase.metrics.comparison import Comparison
from metaphrase.metrics.explained_pair import explain_pair, unlinked
from metaphrase.metrics.explanation import Explanation, Feature, Link, Word
from metaphrase.statistics.elementary import power

if TYPE_CHECKING:
    from metaphrase.metrics.meteor.metric import Meteor

_LAYER = "alignment"
#: How many characters the tokeniser drops in a row, at most, where a word is still one.
_NEARBY = 4


def explain(metric: Meteor, comparison: Comparison) -> Explanation:
    """The explanation of a comparison of one segment with one reference."""
    statistics = metric.statistics(comparison)
    score = float(metric.score(statistics)[0])
    sentences, rows = metric.sentences(comparison)
    hypothesis_row, reference_row = (int(row[0]) for row in rows)
    texts = comparison.hypotheses[0], comparison.references[0][0]
    function = sentences.lexicon.function_words
    delta = metric.parameters.delta
    sides = [
        tuple(
            Word(form, start, end, 1 - delta if form.lower() in function else delta)
            for form, (start, end) in zip(words, _places(text, words), strict=True)
        )
        for text, words in zip(
            texts, (sentences.words(hypothesis_row), sentences.words(reference_row)), strict=True
        )
    ]
    weights = dict(zip(sentences.lexicon.modules, metric.parameters.weights, strict=False))
    links = [
        Link(
            _LAYER,
            match.module,
            match.hypothesis,
            match.reference,
            weights[match.module],
            weights[match.module],
            block=match.chunk,
        )
        for match in sentences.align(hypothesis_row, reference_row)
    ]
    return explain_pair(
        metric,
        comparison,
        sides,
        links,
        unlinked(_LAYER, sides, links),
        _features(metric, statistics, len({link.block for link in links})),
        score=score,
    )


def _features(metric: Meteor, statistics: np.ndarray, chunks: int) -> tuple[Feature, ...]:
    chosen = metric.parameters
    precision, recall = np.nan_to_num(metric._matched_shares(statistics))[0].tolist()
    both = precision > 0 and recall > 0
    mean = 1 / ((1 - chosen.alpha) / precision + chosen.alpha / recall) if both else 0.0
    matched = float(statistics[0, MATCHED_WORDS].sum() / 2)
    fragmentation = float(statistics[0, CHUNKS]) / matched if matched else 0.0
    penalty = chosen.gamma * float(power(fragmentation, chosen.beta)) if matched else 0.0
    return (
        Feature("precision", "precision, by weight", precision),
        Feature("recall", "recall, by weight", recall),
        Feature("fmean", "harmonic mean of the two", mean, {"alpha": chosen.alpha}),
        Feature("chunks", "chunks: runs in one order", float(chunks), {"matched words": matched}),
        Feature(
            "penalty",
            "penalty for broken order",
            penalty,
            {"fragmentation": fragmentation, "beta": chosen.beta, "gamma": chosen.gamma},
        ),
    )


def _places(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Where the words stand in the text that they were made of.

    The tokeniser drops and replaces characters ("U.S." becomes "us"): a word reaches from the first to the
    last of its characters that are found nearby. One without any stands for the next character of the text.
    """
    # Character by character, because a few grow when they are put into lower case.
    folded = "".join([low if len(low := c.lower()) == 1 else c for c in text])
    places, cursor = [], 0
    for word in words:
        while cursor < len(text) and text[cursor].isspace():
            cursor += 1
        start, end = None, cursor
        for character in word.lower():
            found = folded.find(character, end, end + _NEARBY)
            if found >= 0:
                start, end = found if start is None else start, found + 1
        if start is None:
            start, end = cursor, min(cursor + 1, len(text))
        if start >= len(text):  # more words than text: they share the end
            start = max(len(text) - 1, 0)
        cursor = end
        places.append((start, max(end, min(start + 1, len(text)))))
    return places
