"""Maps between phrases: similarity and map on real text, the map alone beside SciPy's, similarity of words.

``python -m benchmarks.phrase_maps``, with METAPHRASE_DATA set to the directory of the judgements. The goal is
10,000 pairs a second from analysed sentences on one core. SciPy finds a maximum map, not the first of them:
how often its map is another one is printed beside the times.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment

from benchmarks.interleave import Contestant, interleave, print_table
from benchmarks.real_text import read_pairs
from metaphrase import analysis
from metaphrase.analysis import Batch
from metaphrase.lexicon import WordNet
from metaphrase.matching.phrase_maps import (
    PhraseMaps,
    PhraseSentences,
    WordSimilarity,
    lexicographic_map,
    phrase_maps,
    word_similarity,
)

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from oracle.phrase_maps import lin_of_words

#: Random matrices of each size, and the similarities that they have: few, so that maps tie.
MATRICES, STEPS = 300, 10
#: Words that are compared with each other; the plain Python gets fewer.
WORDS, FEW = 2_000, 30


@dataclass(frozen=True)
class Phrases:
    """Noun and verb phrases of a batch, and the lemma and form of each number of a word in them."""

    sentences: PhraseSentences
    lemmas: list[str]
    forms: list[str]


def read_phrases(batch: Batch) -> Phrases:
    chunk = batch.columns["chunk"]
    kept = np.array([label[2:] in ("NP", "VP") for label in batch.strings])[chunk]
    begins = np.array([label[:2] == "B-" for label in batch.strings])[chunk][kept]
    form, lemma = (batch.columns[name][kept].astype(np.int64) for name in ("form", "lemma"))
    types, words = np.unique(form * len(batch.strings) + lemma, return_inverse=True)
    first = np.flatnonzero(begins)
    sentences = PhraseSentences(
        np.searchsorted(np.flatnonzero(kept)[first], batch.offsets).astype(np.int64),
        np.append(first, len(words)).astype(np.int64),
        words.astype(np.int32),
    )
    lower = [string.lower() for string in batch.strings]
    forms, lemmas = np.divmod(types, len(lower))
    return Phrases(sentences, [lower[i] for i in lemmas], [lower[i] for i in forms])


def on_real_text(batch: Batch) -> Phrases:
    count = len(batch) // 2
    rows = np.arange(count)
    wordnet = WordNet.default()
    phrases = read_phrases(batch)
    similarity = word_similarity(phrases.lemmas, wordnet, forms=phrases.forms)
    without = word_similarity(phrases.lemmas, forms=phrases.forms)

    def maps_by(words: WordSimilarity) -> PhraseMaps:
        return phrase_maps(phrases.sentences, words, rows, rows + count)

    def from_analysis() -> PhraseMaps:
        fresh = read_phrases(batch)
        words = word_similarity(fresh.lemmas, wordnet, forms=fresh.forms)
        return phrase_maps(fresh.sentences, words, rows, rows + count)

    timings = interleave(
        [
            Contestant("from analysed sentences", from_analysis, count),
            Contestant("similarity and map", lambda: maps_by(similarity), count),
            Contestant("without WordNet", lambda: maps_by(without), count),
        ]
    )
    mean = len(phrases.sentences.phrase_lengths) / len(phrases.sentences)
    print_table(f"{count:,} pairs, {mean:.1f} phrases a sentence", timings)
    for timing in timings:
        print(f"{timing.name}: {1 / timing.median:,.0f} pairs a second")
    return phrases


def map_alone(size: int) -> None:
    random = np.random.default_rng(size)
    matrices = random.integers(0, STEPS + 1, (MATRICES, size, size)) / STEPS

    def scipy() -> list[list[int]]:
        return [linear_sum_assignment(matrix, maximize=True)[1].tolist() for matrix in matrices]

    def one_by_one() -> list[list[int]]:
        return [lexicographic_map(matrix).tolist() for matrix in matrices]

    ours = lexicographic_map(matrices)
    # SciPy also pairs what has no similarity.
    others = np.array(scipy())
    values = np.take_along_axis(matrices, others[:, :, None], axis=2)[:, :, 0]
    others[values == 0] = -1
    found = np.take_along_axis(matrices, np.maximum(ours, 0)[:, :, None], axis=2)[:, :, 0]
    np.testing.assert_allclose(np.where(ours < 0, 0, found).sum(axis=1), values.sum(axis=1))
    different = np.mean(np.any(ours != others, axis=1))
    contestants = [
        Contestant("first maximum map, a stack", lambda: lexicographic_map(matrices), MATRICES),
        Contestant("first maximum map, one by one", one_by_one, MATRICES),
        Contestant("SciPy linear_sum_assignment", scipy, MATRICES),
    ]
    title = f"{size} x {size} phrases; SciPy's map is another in {different:.0%} of the cases"
    print_table(title, interleave(contestants))


def words_alone(phrases: Phrases) -> None:
    wordnet = WordNet.default()
    lemmas = list(dict.fromkeys(phrases.lemmas))
    known = [lemma for lemma in lemmas if wordnet.contains(lemma, "n")][:WORDS]
    ids, few = np.arange(len(known), dtype=np.int32), known[:FEW]
    similarity = word_similarity(known, wordnet)

    def cold() -> np.ndarray:
        return word_similarity(known, wordnet).matrix(ids, ids)

    def oracle() -> list[list[float]]:
        return [[lin_of_words(wordnet, a, b) for b in few] for a in few]

    differ = ~np.eye(len(few), dtype=bool)
    ours = similarity.matrix(ids[: len(few)], ids[: len(few)])
    np.testing.assert_allclose(ours[differ], np.array(oracle())[differ], atol=1e-12)
    contestants = [
        Contestant("Lin of two words", lambda: similarity.matrix(ids, ids), len(known) ** 2),
        Contestant("with the look-up of both", cold, len(known) ** 2),
        Contestant("all sense pairs in Python", oracle, len(few) ** 2),
    ]
    print_table(f"{len(known):,} x {len(known):,} nouns", interleave(contestants, rounds=3))
    count = len(phrases.lemmas)
    look_up = [Contestant("look-up", lambda: wordnet.subsumers(phrases.lemmas), count)]
    print_table(f"Subsumers of {count:,} words", interleave(look_up))


def main() -> None:
    pairs = read_pairs()
    texts = [text for side in zip(*pairs, strict=True) for text in side]
    batch = analysis.shared("builtin:en").analyse(texts, ("lemma", "chunk"))
    phrases = on_real_text(batch)
    for size in (5, 10, 20):
        map_alone(size)
    words_alone(phrases)


if __name__ == "__main__":
    main()
