"""Explains a score of PBE: the phrases of both sides, their map, the words that make them similar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from metaphrase.analysis import Sentence
from metaphrase.arrays import FloatArray
from metaphrase.matching.phrase_maps import MOST_TIES, word_partners, word_similarity
from metaphrase.metrics.comparison import Comparison
from metaphrase.metrics.explained_pair import words_of
from metaphrase.metrics.explanation import (
    Explanation,
    Feature,
    Leftover,
    Link,
    Phrase,
    Word,
    WordPair,
)
from metaphrase.metrics.pbe.maps import COLUMNS, MappedPhrases, WeighedPhrases, penalty_of

if TYPE_CHECKING:
    from metaphrase.metrics.pbe.metric import Pbe

_LAYER = "map"


class _Side:
    """One side of one segment: its sentence, and its phrases with their weights."""

    def __init__(
        self, metric: Pbe, mapped: MappedPhrases, weighed: WeighedPhrases, name: str, row: int
    ) -> None:
        phrases, batch = mapped.phrases, mapped.phrases.batch
        sentence = int(weighed.rows[row])
        self.name = name
        self.sentence: Sentence = batch[sentence]
        here = slice(weighed.offsets[row], weighed.offsets[row + 1])
        self.places = weighed.places[here].tolist()
        self.cosines = None if weighed.cosines is None else weighed.cosines[here]
        weights = weighed.weights[here]
        # What the score does, too: see score_of.
        self.fell_back = bool(len(weights)) and not weights.any()
        factors = _factors(metric, weighed, here)
        if self.fell_back:
            weights, factors = weighed.lengths[here], {"words": weighed.lengths[here]}
        offsets = phrases.sentences.phrase_offsets
        self.tokens = [
            tuple((phrases.tokens[offsets[p] : offsets[p + 1]] - batch.offsets[sentence]).tolist())
            for p in self.places
        ]
        labels = self.sentence.column("chunk")
        self.phrases = tuple(
            Phrase(
                name,
                labels[tokens[0]].rpartition("-")[2],
                tokens,
                float(weight),
                {factor: float(values[i]) for factor, values in factors.items()},
            )
            for i, (tokens, weight) in enumerate(zip(self.tokens, weights, strict=True))
        )

    def words(self) -> tuple[Word, ...]:
        """All words; a phrase's weight is shared among its own."""
        weight = {
            token: phrase.weight / len(phrase.words)
            for phrase in self.phrases
            for token in phrase.words
        }
        weights = [weight.get(i, 0.0) for i in range(len(self.sentence))]
        return words_of(self.sentence, weights, "lemma")

    def leftovers(self, mapped: set[int]) -> Iterator[Leftover]:
        return (
            Leftover(_LAYER, self.name, phrase.words, phrase.weight)
            for i, phrase in enumerate(self.phrases)
            if i not in mapped
        )


def explain(
    metric: Pbe,
    comparison: Comparison,
    mapped: Sequence[tuple[MappedPhrases, FloatArray]],
    row: int,
    reference: int,
) -> Explanation:
    """The explanation of one segment of ``comparison`` with one of its references.

    ``mapped`` has for each reference the maps of all segments and their statistics.
    """
    found, every = mapped[reference]
    sides = (
        _Side(metric, found, found.hypothesis, "hypothesis", row),
        _Side(metric, found, found.reference, "reference", row),
    )
    pairs = found.maps.map(row)
    statistics = every[row]
    score = float(metric.score(statistics[None])[0])
    mapped_phrases = {i for _, i, _ in pairs}, {j for j, _, _ in pairs}
    return Explanation(
        metric=metric.label,
        signature=str(metric.signature(1)),
        score=score,
        hypothesis_text=comparison.hypotheses[row],
        reference_text=comparison.references[reference][row],
        hypothesis=sides[0].words(),
        reference=sides[1].words(),
        links=tuple(_links(metric, found, sides, pairs)),
        leftovers=tuple(
            rest
            for side, used in zip(sides, mapped_phrases, strict=True)
            for rest in side.leftovers(used)
        ),
        features=(_feature(metric, statistics, score),),
        notes=(
            *(
                f"all phrases of the {side.name} weigh nothing by {metric.weights}; "
                "their numbers of words count instead."
                for side in sides
                if side.fell_back
            ),
            *_ties(metric, found, row),
        ),
        phrases=(*sides[1].phrases, *sides[0].phrases),
    )


def _ties(metric: Pbe, found: MappedPhrases, row: int) -> Iterator[str]:
    """What other maps there are with the same sum (section 7.3)."""
    maps = found.maps
    ties, first, fewest = (int(n[row]) for n in (maps.ties, maps.first_blocks, maps.fewest_blocks))
    if ties == 1 or not maps.pairs[row]:
        return
    many = (
        "several maps may"
        if ties < 0
        else f"{ties:,} maps"
        if ties < MOST_TIES
        else (f"{ties:,} maps or more")
    )
    chosen = (
        "the first"
        if metric.map == "first" or fewest == first
        else "the one with the fewest blocks"
    )
    text = f"{many} have the greatest sum of similarities, of which {chosen} counts"
    if fewest < first:
        better = "another" if metric.map == "first" else "this"
        text += f"; the first has {first} blocks, and {better} one {fewest}"
    elif not maps.proven[row]:
        text += "; whether another one has fewer blocks was not found out"
    yield f"{text}."


def _factors(metric: Pbe, weighed: WeighedPhrases, here: slice) -> dict[str, np.ndarray]:
    factors = (
        {"words": weighed.lengths[here]}
        if weighed.tf_idf is None
        else {"tf.idf": weighed.tf_idf[here]}
    )
    if metric.weights.endswith("+topic") and weighed.cosines is not None:
        factors["topic cosine"] = weighed.cosines[here]
    return factors


def _links(
    metric: Pbe,
    found: MappedPhrases,
    sides: tuple[_Side, _Side],
    pairs: Sequence[tuple[int, int, float]],
) -> Iterator[Link]:
    hypothesis, reference = sides
    block, before = 0, (-2, -2)
    for j, i, similarity in pairs:
        if (j, i) != (before[0] + 1, before[1] + 1):
            block += 1
        before = j, i
        word_pairs, by_words = _word_pairs(found, sides, i, j)
        factors = {}
        if metric.theta < 1:
            assert reference.cosines is not None
            assert hypothesis.cosines is not None
            by_topics = 1 - abs(float(reference.cosines[j] - hypothesis.cosines[i]))
            factors = {"words": by_words, "topics": by_topics}
        yield Link(
            _LAYER,
            _kind(word_pairs, by_words),
            hypothesis.tokens[i],
            reference.tokens[j],
            similarity,
            max(hypothesis.phrases[i].weight, reference.phrases[j].weight),
            word_pairs=word_pairs,
            factors=factors,
            block=block,
        )


def _kind(pairs: Sequence[WordPair], similarity: float) -> str:
    if similarity == 0:
        return "topics only"
    if similarity < 1:
        return "similar words"
    return "same words" if all(pair.kind == "word" for pair in pairs) else "same meaning"


def _word_pairs(
    found: MappedPhrases, sides: tuple[_Side, _Side], i: int, j: int
) -> tuple[tuple[WordPair, ...], float]:
    """Each word of either phrase with its best partner in the other, and the similarity they add up to."""
    sentences, similarity = found.phrases.sentences, found.phrases.similarity
    tokens = sides[0].tokens[i], sides[1].tokens[j]
    words = (
        sentences.words_of(sides[0].places[i]),
        sentences.words_of(sides[1].places[j]),
    )
    partners, of_reference = word_partners(similarity, words[1], words[0])
    backwards, of_hypothesis = word_partners(similarity, words[0], words[1])
    chosen = {(int(h), r): float(of_reference[r]) for r, h in enumerate(partners)}
    chosen |= {(h, int(r)): float(of_hypothesis[h]) for h, r in enumerate(backwards)}
    pairs = (
        WordPair(
            tokens[0][h] if h >= 0 else -1,
            tokens[1][r] if r >= 0 else -1,
            _word_kind(sides, tokens, (h, r), value),
            value,
        )
        for (h, r), value in sorted(
            chosen.items(), key=lambda item: (item[0][1] < 0, item[0][::-1])
        )
    )
    return tuple(pairs), float(of_reference.mean() + of_hypothesis.mean()) / 2


def _word_kind(
    sides: tuple[_Side, _Side],
    tokens: tuple[tuple[int, ...], tuple[int, ...]],
    places: tuple[int, int],
    value: float,
) -> str:
    if min(places) < 0:
        return "none"
    sentences = sides[0].sentence, sides[1].sentence
    forms, lemmas = (
        [
            sentence.column(column)[own[place]].lower()
            for sentence, own, place in zip(sentences, tokens, places, strict=True)
        ]
        for column in ("form", "lemma")
    )
    if forms[0] == forms[1]:
        return "word"
    if lemmas[0] == lemmas[1]:
        return "lemma"
    if value == 1 and word_similarity(lemmas, forms=forms).matrix([0], [1])[0, 0] == 1:
        return "stem"
    return "WordNet"


def _feature(metric: Pbe, statistics: np.ndarray, score: float) -> Feature:
    numbers = dict(zip(COLUMNS, statistics.tolist(), strict=False))
    penalty = float(penalty_of(statistics[None], metric)[0])
    details = {}
    for name, side in (("precision", "hypothesis"), ("recall", "reference")):
        suffix = "weight" if numbers[f"{side}_weight"] > 0 else "words"
        matched = f"{side}_matched" if suffix == "weight" else f"{side}_matched_words"
        whole = numbers[f"{side}_{suffix}"]
        details[name] = numbers[matched] / whole if whole else 0.0
    return Feature(
        _LAYER,
        "phrases mapped",
        score,
        details | {"pairs": numbers["pairs"], "blocks": numbers["blocks"], "penalty": penalty},
    )
