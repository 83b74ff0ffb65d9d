"""PBE from sentences to scores, slowly and word by word, as METRICS 5 has it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import snowballstemmer

from metaphrase.analysis import Sentence
from oracle.phrase_maps import block_count, fixed_pair_by_pair, lin_of_words, phrase_similarity

Words = list[int]
_STEMMER = snowballstemmer.stemmer("english")
_CONTENT = ("NOUN", "PROPN", "VERB", "ADJ", "ADV")


def phrases(sentence: Sentence) -> list[Words]:
    """The tokens of noun and verb chunks."""
    found: list[Words] = []
    before = "O"
    for i, label in enumerate(sentence.column("chunk")):
        if label[2:] in ("NP", "VP"):
            if label.startswith("B-") or label[2:] != before[2:]:
                found.append([])
            found[-1].append(i)
        before = label
    return found


def lemmas(sentence: Sentence, words: Sequence[int]) -> list[str]:
    return [sentence.column("lemma")[i].lower() for i in words]


@dataclass(frozen=True)
class Word:
    lemma: str
    form: str


def word_similarity(wordnet: Any):
    def similarity(a: Word, b: Word) -> float:
        if a.lemma == b.lemma or _STEMMER.stemWord(a.form) == _STEMMER.stemWord(b.form):
            return 1.0
        return 0.0 if wordnet is None else lin_of_words(wordnet, a.lemma, b.lemma)

    return similarity


def words_of(sentence: Sentence, phrase: Words) -> list[Word]:
    return [Word(sentence.column("lemma")[i].lower(), sentence.form[i].lower()) for i in phrase]


def tf_idf(sentences: Sequence[Sentence], documents: Sequence[str], *, units: bool):
    """A function from (segment, phrase) to the phrase's weight."""

    def terms(sentence: Sentence) -> list[Any]:
        if units:
            return [tuple(lemmas(sentence, phrase)) for phrase in phrases(sentence)]
        return lemmas(sentence, range(len(sentence)))

    counts: dict[str, Counter] = {name: Counter() for name in documents}
    for sentence, name in zip(sentences, documents, strict=True):
        counts[name].update(terms(sentence))

    def value(term: Any, name: str) -> float:
        frequency = sum(term in bag for bag in counts.values())
        return (1 + math.log(counts[name][term])) * math.log(len(counts) / frequency)

    def weight(segment: int, phrase: Words) -> float:
        own = lemmas(sentences[segment], phrase)
        chosen = [tuple(own)] if units else own
        return sum(value(term, documents[segment]) for term in chosen)

    return weight


def cosine(
    sentence: Sentence, phrase: Words, topic_of: dict[str, list[float]], document: list[float]
):
    """Between the topics of a phrase and of its document; ``topic_of[w][z]`` is P(w|z)."""
    vector = [1.0] * len(document)
    known = [i for i in phrase if sentence.column("upos")[i] in _CONTENT]
    for lemma in lemmas(sentence, known):
        vector = [p * q for p, q in zip(vector, topic_of[lemma], strict=True)]
    if not known:
        return 0.0
    dot = sum(p * q for p, q in zip(vector, document, strict=True))
    return dot / math.hypot(*vector) / math.hypot(*document)


def segment_sums(
    hypothesis: Sentence,
    reference: Sentence,
    wordnet: Any,
    weights: tuple[Sequence[float], Sequence[float]],
    cosines: tuple[list[float], list[float]] | None = None,
    theta: float = 1.0,
) -> list[float]:
    """Matched and whole weight of hypothesis and reference, pairs, breaks, blocks."""
    t, r = phrases(hypothesis), phrases(reference)
    words = word_similarity(wordnet)
    matrix = np.zeros((len(r), len(t)))
    for j, q in enumerate(r):
        for i, p in enumerate(t):
            inner = phrase_similarity(words_of(reference, q), words_of(hypothesis, p), words)
            matrix[j, i] = theta * inner
            if cosines is not None:
                matrix[j, i] += (1 - theta) * (1 - abs(cosines[1][j] - cosines[0][i]))
    pairs = fixed_pair_by_pair(matrix)
    w_t, w_r = weights
    return [
        sum(w_t[i] * matrix[j, i] for j, i in pairs),
        sum(w_t),
        sum(w_r[j] * matrix[j, i] for j, i in pairs),
        sum(w_r),
        len(pairs),
        max(block_count(pairs) - 1, 0),
        block_count(pairs),
    ]


def score(sums: Sequence[float], *, printed: bool = False) -> float:
    matched_t, all_t, matched_r, all_r, pairs, breaks, blocks = sums
    precision = matched_t / all_t if all_t else 0.0
    recall = matched_r / all_r if all_r else 0.0
    # Section 3 prints γ·(#blocks − 1/m)^β.
    share = (blocks - 1 / pairs if printed else breaks / pairs) if pairs else 0.0
    penalty = 0.5 * share**0.5
    return (0.2 * precision + 0.8 * recall) * (1 - penalty)
