"""Why BLEU and chrF gave a score: the n-grams that match and those that do not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from metaphrase.analysis.metric_text.sacrebleu_tokens import replaced_by
from metaphrase.arrays import FloatArray
from metaphrase.matching.ngram_overlap import ngram_overlaps
from metaphrase.matching.symbol_rows import SymbolRows
from metaphrase.metrics.comparison import Comparison
from metaphrase.metrics.count_scores import bleu_precisions, brevity_penalties, chrf_scores
from metaphrase.metrics.explained_pair import check_length, explain_pair, unlinked
from metaphrase.metrics.explanation import Explanation, Feature, Link
from metaphrase.metrics.located_words import locate_words
from metaphrase.metrics.paired_ngrams import (
    LONGEST_EXPLAINED,
    Pair,
    Tokens,
    linked_ngrams,
    pair_ngrams,
)

if TYPE_CHECKING:
    from metaphrase.metrics.sacrebleu_metrics import Bleu, Chrf

#: Longer n-grams are counted, but not shown one by one.
_LONGEST_SHOWN = 10
#: Equal words that stand in equal runs of up to so many are linked first.
_RUN = 4
#: From this chrF on two words are called similar.
_SIMILAR = 0.5
_WORDS = "words"


def explain_bleu(metric: Bleu, comparison: Comparison) -> Explanation:
    """The explanation of a comparison of one segment with one reference."""
    texts = comparison.hypotheses[0], comparison.references[0][0]
    sides = metric.words(texts)
    check_length(max(map(len, sides)), LONGEST_EXPLAINED, "word by word")
    pairs = pair_ngrams(sides, min(metric.max_ngram_order, _LONGEST_SHOWN))
    shown = [
        linked_ngrams(found, n, [[1.0] * (len(words) - n + 1) for words in sides])
        for n, found in enumerate(pairs, 1)
    ]
    words = (
        locate_words(
            tokens, text, lowercase=metric.lowercase, replaced=replaced_by(metric.tokeniser)
        )
        for tokens, text in zip(sides, texts, strict=True)
    )
    counts = metric.statistics(comparison)
    features = list(_bleu_features(metric, counts))
    return explain_pair(
        metric,
        comparison,
        words,
        chain.from_iterable(links for links, _ in shown),
        chain.from_iterable(leftovers for _, leftovers in shown),
        features,
        score=float(metric.segment_score(counts)[0]),
        notes=list(_bleu_notes(metric, features)),
    )


def _bleu_features(metric: Bleu, counts: FloatArray) -> Iterator[Feature]:
    orders = metric.max_ngram_order
    length, reference = counts[0, :2].tolist()
    matched, possible = counts[0, 2 : 2 + orders].tolist(), counts[0, 2 + orders :].tolist()
    precisions, present = bleu_precisions(
        counts, smooth_method=metric.smooth_method, smooth_value=metric.smooth_value
    )
    for n in range(1, orders + 1):
        yield Feature(
            f"n{n}",
            f"precision of {n}-grams",
            float(precisions[0, n - 1]) / 100 if present[0, n - 1] else None,
            {
                "matched": matched[n - 1],
                "hypothesis": possible[n - 1],
                "reference": max(reference - n + 1, 0.0),
            },
        )
    penalty = float(brevity_penalties(counts[:, 0], counts[:, 1])[0])
    yield Feature(
        "brevity", "brevity penalty", penalty, {"hypothesis": length, "reference": reference}
    )


def _bleu_notes(metric: Bleu, features: Sequence[Feature]) -> Iterator[str]:
    matches = [feature.details.get("matched", 0.0) for feature in features]
    if not any(matches):
        yield "No n-gram matches, and so the score is 0."
    elif metric.smooth_method == "add-k":
        yield "Precisions of more than one word are smoothed: add-k."
    elif metric.smooth_method != "none":
        smoothed = [
            f"{n}-grams"
            for n, feature in enumerate(features[:-1], 1)
            if feature.value is not None and not matches[n - 1]
        ]
        if smoothed:
            yield f"No match, so the precision is smoothed ({metric.smooth_method}): {', '.join(smoothed)}."


def explain_chrf(metric: Chrf, comparison: Comparison) -> Explanation:
    """The same of chrF, which has no links of its own: words show where its n-grams match."""
    texts = comparison.hypotheses[0], comparison.references[0][0]
    sides = [metric.words(text) for text in texts]
    check_length(max(map(len, sides)), LONGEST_EXPLAINED, "word by word")
    words = [
        locate_words(tokens, text, lowercase=metric.lowercase)
        for tokens, text in zip(sides, texts, strict=True)
    ]
    equal = pair_ngrams(sides, _RUN)[0]
    links = [Link(_WORDS, "equal", (i,), (j,), 1.0, 1.0) for i, j in equal]
    links += _similar_words(metric, sides, equal)
    counts = metric.statistics(comparison)
    score = float(metric.segment_score(counts)[0])
    return explain_pair(
        metric,
        comparison,
        words,
        sorted(links, key=lambda link: link.hypothesis),
        unlinked(_WORDS, words, links),
        _chrf_features(metric, counts, score),
        score=score,
    )


def _similar_words(metric: Chrf, sides: Sequence[Tokens], equal: Sequence[Pair]) -> Iterator[Link]:
    """Of the other words those with many characters in common, the most similar ones first."""
    left = [
        set(range(len(words))) - {pair[side] for pair in equal} for side, words in enumerate(sides)
    ]
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for j in left[1]:
        for bigram in _bigrams(sides[1][j]):
            holders[bigram].append(j)
    pairs = sorted(
        {(i, j) for i in left[0] for bigram in _bigrams(sides[0][i]) for j in holders[bigram]}
    )
    rows = [SymbolRows.of_characters([sides[s][pair[s]] for pair in pairs]) for s in (0, 1)]
    counts = ngram_overlaps(*rows, orders=metric.char_order).astype(np.float64)
    similarities = chrf_scores(counts, beta=metric.beta, eps_smoothing=False) / 100
    ranked = sorted(
        (-similarity, abs(i / len(sides[0]) - j / len(sides[1])), i, j)
        for (i, j), similarity in zip(pairs, similarities.tolist(), strict=True)
        if similarity >= _SIMILAR
    )
    for opposite, _, i, j in ranked:
        if i in left[0] and j in left[1]:
            left[0].remove(i)
            left[1].remove(j)
            yield Link(_WORDS, "spelling", (i,), (j,), -opposite, 1.0)


def _bigrams(word: str) -> set[str]:
    return {word[at : at + 2] for at in range(len(word) - 1)}


def _chrf_features(metric: Chrf, counts: FloatArray, score: float) -> Iterator[Feature]:
    """F of each order, then that of the mean precision and recall, which is the score."""
    rows = counts.reshape(-1, 3)
    orders = [*range(1, metric.char_order + 1), *range(1, metric.word_order + 1)]
    means = np.zeros(2)
    used = 0
    for at, (n, row) in enumerate(zip(orders, rows, strict=True)):
        symbol = "character" if at < metric.char_order else "word"
        hypothesis, reference, common = row.tolist()
        sound = hypothesis > 0 and reference > 0
        precision, recall = (common / hypothesis, common / reference) if sound else (0.0, 0.0)
        means += precision, recall
        used += sound
        value = chrf_scores(row[None], beta=metric.beta, eps_smoothing=metric.eps_smoothing)
        yield Feature(
            f"{symbol[0]}{n}",
            f"{n} {symbol}{'s' if n > 1 else ''}",
            float(value[0]) / 100 if sound or metric.eps_smoothing else None,
            {
                "common": common,
                "hypothesis": hypothesis,
                "reference": reference,
                "precision": precision,
                "recall": recall,
            },
        )
    if metric.eps_smoothing:
        yield Feature("mean", "mean", score / 100)
    else:
        precision, recall = (means / max(used, 1)).tolist()
        yield Feature("mean", "mean", score / 100, {"precision": precision, "recall": recall})
