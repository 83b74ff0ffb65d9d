"""Why TESLA gave a score: what every feature adds, and what the sentences are read as in other languages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import TYPE_CHECKING

from metaphrase.analysis.word_characters import has_letter_or_digit
from metaphrase.lexicon.pivot_table import PivotTable
from metaphrase.matching.pivot_bags import ORDERS, PivotNgram, pivot_ngrams, segmentation
from metaphrase.metrics.comparison import Comparison
from metaphrase.metrics.explanation import (
    Explanation,
    Feature,
    ImprobableWord,
    PivotMatch,
    PivotPhrase,
    Word,
)
from metaphrase.metrics.tesla.features import LANGUAGE_MODELS, feature_group
from metaphrase.metrics.tesla_m.explanation import explain as explain_words
from metaphrase.trained.language_model import LanguageModel

if TYPE_CHECKING:
    from metaphrase.metrics.tesla.metric import Tesla

#: Of a phrase, of the words that a language model expects least, and of n-grams of one order that both sides
#: have by lemmas and by tags.
_MOST_READINGS = 5
_MOST_IMPROBABLE = 5
_MOST_MATCHES = {"lemma": 8, "tag": 4}
_KINDS = {"lemma": "lemmas", "tag": "tags"}


@dataclass(frozen=True, slots=True)
class _Side:
    """The words of a sentence that pivot tables are asked about, and where they stand in it."""

    name: str
    words: Sequence[str]
    positions: Sequence[int]

    @classmethod
    def of(cls, name: str, words: Sequence[Word]) -> _Side:
        kept = [place for place, word in enumerate(words) if has_letter_or_digit(word.form)]
        return cls(name, [words[place].form.lower() for place in kept], kept)


def explain(metric: Tesla, comparison: Comparison) -> Explanation:
    """Explain the only segment of ``comparison``: its own n-grams as TESLA-M does, then all else."""
    found = explain_words(metric.words, comparison)
    features = metric.features
    values = features.values(comparison)
    adds = metric.contributions(values)[0, 0].tolist()
    described = {feature.name: feature.description for feature in found.features}
    rows = []
    for (name, one), value, added in zip(
        metric.tesla_model.features.items(), values[0, 0].tolist(), adds, strict=True
    ):
        counts = feature_group(name) not in metric.without
        # added = weight · (value − average) / scale
        details = {
            "average": one.mean,
            "scale": one.scale,
            "weight": one.weight if counts else 0.0,
        }
        description = described.get(name) or _describe(name)
        value = None if isnan(value) else value
        rows.append(Feature(name, description, value, details, added if counts else None))
    if intercept := metric.tesla_model.intercept:
        rows.append(Feature("average", "average translation", None, contribution=intercept))
    sides = [_Side.of("reference", found.reference), _Side.of("hypothesis", found.hypothesis)]
    divisor = metric.words.function_divisor
    return replace(
        found,
        metric=metric.variant_name,
        signature=str(metric.signature(1)),
        score=float(metric.segment_score(metric.statistics(comparison))[0]),
        features=tuple(rows),
        pivot_phrases=tuple(
            phrase
            for language, table in features.pivots.items()
            for side in sides
            for phrase in _phrases(language, table, side)
        ),
        pivot_matches=tuple(
            match
            for language, table in features.pivots.items()
            for match in _matches(language, table, sides, divisor)
        ),
        improbable_words=tuple(
            word
            for name, model in features.language_models.items()
            for word in _improbable(name, model, found.hypothesis)
        ),
    )


def _describe(name: str) -> str:
    group, _, feature = name.partition(".")
    if group == LANGUAGE_MODELS:
        return f"log₁₀ P a word, {feature}"
    return f"{feature[-1]}-grams of {group} by {_KINDS[feature[:-1]]}"


def _phrases(language: str, table: PivotTable, side: _Side) -> Iterator[PivotPhrase]:
    for slot in segmentation(table, side.words):
        readings: dict[str, float] = {}
        for alternative in slot.alternatives if slot.known else ():
            # The same lemmas with other tags are one reading to a reader.
            lemmas = " ".join(unit.lemma for unit in alternative.units)
            readings[lemmas] = readings.get(lemmas, 0.0) + alternative.probability
        likeliest = sorted(readings.items(), key=lambda item: (-item[1], item[0]))
        places = tuple(side.positions[slot.start : slot.end])
        yield PivotPhrase(side.name, language, places, slot.known, dict(likeliest[:_MOST_READINGS]))


def _matches(
    language: str, table: PivotTable, sides: Sequence[_Side], divisor: int
) -> Iterator[PivotMatch]:
    """The heaviest n-grams that both sides have, by lemmas and then by tags."""
    bags = [
        [ngram for n in ORDERS for ngram in pivot_ngrams(table, side.words, n, divisor=divisor)]
        for side in sides
    ]
    for kind, most in _MOST_MATCHES.items():
        reference, hypothesis = (_weights(bag, kind) for bag in bags)
        shared = [
            PivotMatch(language, kind, ngram, hypothesis[ngram], reference[ngram])
            for ngram in reference
            if ngram in hypothesis
        ]
        yield from sorted(shared, key=lambda match: (-match.matched, match.ngram))[:most]


def _improbable(
    name: str, model: LanguageModel, hypothesis: Sequence[Word]
) -> list[ImprobableWord]:
    places = [*range(len(hypothesis)), -1]
    found = model.word_probabilities([word.form for word in hypothesis])
    words = [
        ImprobableWord(name, place, one.log10, one.order)
        for place, one in zip(places, found, strict=True)
    ]
    return sorted(words, key=lambda word: word.log10)[:_MOST_IMPROBABLE]


def _weights(bag: Sequence[PivotNgram], kind: str) -> dict[str, float]:
    weights: dict[str, float] = {}
    for ngram in bag:
        name = " ".join(ngram.lemmas if kind == "lemma" else ngram.tags)
        weights[name] = weights.get(name, 0.0) + ngram.weight
    return weights
