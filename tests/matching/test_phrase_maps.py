"""Maps between the phrases of sentences and what scores add up, against definitions in plain Python."""

from __future__ import annotations

import json
from dataclasses import fields
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase.errors import InputError, OptionError
from metaphrase.lexicon import WordNet
from metaphrase.lexicon.subsumers import WordSubsumers
from metaphrase.matching.phrase_maps import (
    PhraseSentences,
    WordSimilarity,
    phrase_maps,
    word_similarity,
)
from oracle.phrase_maps import (
    block_count,
    exhaustive_map,
    fixed_pair_by_pair,
    lin_of_words,
    phrase_similarity,
    score,
)

GOLDEN = Path(__file__).parents[1] / "golden" / "pbe_cases.json"
WORDNET = WordNet.default()
WORDS = ["the", "dog", "cat", "animal", "house", "run", "walk", "zzyzx"]
LIN = {
    (word, other): 1.0 if word == other else lin_of_words(WORDNET, word, other)
    for word in WORDS
    for other in WORDS
}


def sentences_of(*sentences):
    """Sentences as lists of phrases, phrases as lists of word numbers."""
    phrases = [phrase for sentence in sentences for phrase in sentence]
    return PhraseSentences(
        np.cumsum([0, *map(len, sentences)], dtype=np.int64),
        np.cumsum([0, *map(len, phrases)], dtype=np.int64),
        np.array([word for phrase in phrases for word in phrase], dtype=np.int32),
    )


def of_single_words(matrix):
    """Sentences of phrases of one word each, with any similarities: a subsumer of its own for each pair."""
    rows, columns = matrix.shape
    cells = np.argsort(-matrix, axis=None, kind="stable")
    number = np.empty(matrix.size, np.int64)
    number[cells] = np.arange(matrix.size)
    number = number.reshape(matrix.shape)
    lists = [np.sort(row) for row in number] + [np.sort(column) for column in number.T]
    subsumers = WordSubsumers(
        np.cumsum([0, *map(len, lists)], dtype=np.int64),
        np.concatenate([*lists, np.zeros(0, np.int64)]).astype(np.int32),
        np.ones(2 * matrix.size),
        matrix.ravel()[cells],
    )
    words = np.arange(rows + columns)
    reference, hypothesis = [[i] for i in range(rows)], [[rows + j] for j in range(columns)]
    return sentences_of(reference, hypothesis), WordSimilarity(words, words, subsumers)


def score_of(result, alpha=0.2, beta=0.5, gamma=0.5):
    precision = result.hypothesis_matched / np.maximum(result.hypothesis_weight, 1e-300)
    recall = result.reference_matched / np.maximum(result.reference_weight, 1e-300)
    penalty = gamma * (result.breaks / np.maximum(result.pairs, 1)) ** beta
    return {
        "P_t": precision,
        "P_r": recall,
        "pen": penalty,
        "score": (alpha * precision + (1 - alpha) * recall) * (1 - penalty),
    }


@pytest.mark.parametrize("case", json.loads(GOLDEN.read_text())["cases"])
def test_golden_scores(case):
    weights = case["reference_weights"], case["candidate_weights"]
    matrix = np.array(case["similarity"], dtype=float).reshape(*map(len, weights))
    sentences, similarity = of_single_words(matrix)
    result = phrase_maps(
        sentences,
        similarity,
        [1],
        [0],
        hypothesis_weights=weights[1],
        reference_weights=weights[0],
        maps=True,
    )
    assert [[r, t] for r, t, _ in result.map(0)] == case["map"]
    assert result.blocks[0] == case["blocks"]
    assert result.similarity.sum() == pytest.approx(case["total"], abs=1e-9)
    for name, value in score_of(result).items():
        assert value[0] == pytest.approx(case[name], abs=1e-9)


@pytest.mark.parametrize(
    ("partners", "blocks", "expected"),
    [([0, 1, 3], 2, 0.531123), ([0, 3, 1], 3, 0.445786)],
    ids=["figure 1a", "figure 1b"],
)
def test_the_worked_example(partners, blocks, expected):
    # METRICS 5.7: similarities 1, 0.8, 0.6 of the three reference phrases with their partners, 0.531123 and
    # 0.445786.
    matrix = np.zeros((3, 4))
    matrix[[0, 1, 2], partners] = [1.0, 0.8, 0.6]
    sentences, similarity = of_single_words(matrix)
    weights = {"hypothesis_weights": [2, 1, 1, 2], "reference_weights": [2, 1, 3]}
    result = phrase_maps(sentences, similarity, [1], [0], **weights)
    assert (result.pairs[0], result.blocks[0]) == (3, blocks)
    assert score_of(result)["score"][0] == pytest.approx(expected, abs=5e-7)


phrase = st.lists(st.integers(0, len(WORDS) - 1), min_size=1, max_size=4)
sentence = st.lists(phrase, max_size=5)


@settings(max_examples=200)
@given(sentence, sentence, st.data())
def test_maps_and_sums_are_those_of_the_definition(reference, hypothesis, data):
    similarity = word_similarity(WORDS, WORDNET)
    sentences = sentences_of(reference, hypothesis)
    weight = st.floats(0, 10)
    weights = [
        data.draw(st.lists(weight, min_size=len(side), max_size=len(side)))
        for side in (reference, hypothesis)
    ]
    result = phrase_maps(
        sentences,
        similarity,
        [1],
        [0],
        reference_weights=weights[0],
        hypothesis_weights=weights[1],
        maps=True,
    )

    def lin(word, other):
        return LIN[WORDS[word], WORDS[other]]

    matrix = [[phrase_similarity(r, t, lin) for t in hypothesis] for r in reference]
    shaped = np.array(matrix).reshape(len(reference), len(hypothesis))
    pairs = [(r, t) for r, t, _ in result.map(0)]
    assert pairs == fixed_pair_by_pair(shaped)
    assert result.similarity.tolist() == pytest.approx([shaped[pair] for pair in pairs], abs=1e-12)
    assert (result.pairs[0], result.blocks[0]) == (len(pairs), block_count(pairs))
    assert result.reference_weight[0] == pytest.approx(sum(weights[0]))
    assert result.hypothesis_weight[0] == pytest.approx(sum(weights[1]))
    expected = score(pairs, matrix, *weights)
    if sum(weights[0]) > 1e-3 and sum(weights[1]) > 1e-3:
        for name, value in score_of(result).items():
            assert value[0] == pytest.approx(expected[name], abs=1e-9)


small_phrase = st.lists(st.integers(0, 3), min_size=1, max_size=5)
small_sentence = st.lists(small_phrase, max_size=4)


@settings(max_examples=400)
@given(small_sentence, small_sentence)
def test_ties_of_fractions_are_ties(reference, hypothesis):
    similarity = word_similarity(["a", "b", "c", "d"])
    result = phrase_maps(sentences_of(reference, hypothesis), similarity, [1], [0], maps=True)

    def same(word, other):
        return Fraction(word == other)

    matrix = [[phrase_similarity(r, t, same) for t in hypothesis] for r in reference]
    assert [(r, t) for r, t, _ in result.map(0)] == exhaustive_map(matrix)


@settings(max_examples=300)
@given(small_sentence, small_sentence, st.sampled_from([(0, 1), (1, 2), (2, 3), (4, 5)]), st.data())
def test_ties_of_cosines_are_ties(reference, hypothesis, theta, data):
    # Whatever the cosines are, (a - b) + (c - d) = (a - d) + (c - b).
    share = Fraction(*theta)
    sevenths = [
        data.draw(st.lists(st.integers(0, 7), min_size=len(side), max_size=len(side)))
        for side in (reference, hypothesis)
    ]
    similarity = word_similarity(["a", "b", "c", "d"])
    sentences = sentences_of(reference, hypothesis)
    topics = {
        "reference_topics": np.array(sevenths[0]) / 7,
        "hypothesis_topics": np.array(sevenths[1]) / 7,
        "theta": float(share),
    }
    result = phrase_maps(sentences, similarity, [1], [0], **topics, maps=True)

    def same(word, other):
        return Fraction(word == other)

    matrix = [
        [
            share * phrase_similarity(r, t, same) + (1 - share) * (1 - Fraction(abs(a - b), 7))
            for t, b in zip(hypothesis, sevenths[1], strict=True)
        ]
        for r, a in zip(reference, sevenths[0], strict=True)
    ]
    found = result.map(0)
    assert [(r, t) for r, t, _ in found] == exhaustive_map(matrix)
    for r, t, value in found:
        assert value == pytest.approx(float(matrix[r][t]), abs=1e-12)


@given(st.lists(phrase, min_size=1, max_size=12), st.sampled_from([1.0, 0.8]))
def test_a_sentence_compared_with_itself_is_mapped_phrase_by_phrase(sentence, theta):
    topics = np.linspace(0.1, 0.9, len(sentence))
    result = phrase_maps(
        sentences_of(sentence),
        word_similarity(WORDS, WORDNET),
        [0],
        [0],
        hypothesis_topics=topics,
        reference_topics=topics,
        theta=theta,
        maps=True,
    )
    assert [(r, t) for r, t, _ in result.map(0)] == [(i, i) for i in range(len(sentence))]
    assert score_of(result)["score"][0] == pytest.approx(1.0, abs=1e-12)
    assert result.blocks[0] == 1


@given(sentence, sentence)
def test_the_penalty_is_between_nothing_and_gamma(reference, hypothesis):
    similarity = word_similarity(WORDS, WORDNET)
    result = phrase_maps(sentences_of(reference, hypothesis), similarity, [1], [0])
    assert 0 <= score_of(result)["pen"][0] < 0.5
    assert 0 <= score_of(result)["score"][0] <= 1


def random_sentences(count, longest=12):
    random = np.random.default_rng(5)
    return [
        [
            random.integers(0, len(WORDS), random.integers(1, 6)).tolist()
            for _ in range(random.integers(0, longest))
        ]
        for _ in range(count)
    ]


def test_threads_leave_no_trace():
    sentences = sentences_of(*random_sentences(400))
    rows = np.arange(200)
    similarity = word_similarity(WORDS, WORDNET)
    alone, together = (
        phrase_maps(sentences, similarity, rows, rows + 200, maps=True, threads=threads)
        for threads in (1, 3)
    )
    for field in fields(alone):
        one, other = getattr(alone, field.name), getattr(together, field.name)
        np.testing.assert_array_equal(one, other)


def test_a_batch_is_its_pairs_one_by_one():
    sentences = sentences_of(*random_sentences(60))
    random = np.random.default_rng(6)
    similarity = word_similarity(WORDS, WORDNET)
    left, right = random.integers(0, 60, 50), random.integers(0, 60, 50)
    sizes = [np.diff(sentences.sentence_offsets)[side] for side in (left, right)]
    weights = [random.random(size.sum()) for size in sizes]
    topics = [random.random(size.sum()) for size in sizes]

    def mapped(rows, other_rows, cut=(slice(None), slice(None))):
        return phrase_maps(
            sentences,
            similarity,
            rows,
            other_rows,
            hypothesis_weights=weights[0][cut[0]],
            reference_weights=weights[1][cut[1]],
            hypothesis_topics=topics[0][cut[0]],
            reference_topics=topics[1][cut[1]],
            theta=0.8,
            maps=True,
        )

    batch = mapped(left, right)
    ends = [np.cumsum(size) for size in sizes]
    for p in range(50):
        cut = tuple(slice(end[p] - size[p], end[p]) for end, size in zip(ends, sizes, strict=True))
        one = mapped(left[p : p + 1], right[p : p + 1], cut)
        assert one.map(0) == batch.map(p)
        assert one.hypothesis_matched[0] == batch.hypothesis_matched[p]
        assert one.reference_matched[0] == batch.reference_matched[p]
        assert one.breaks[0] == batch.breaks[p]


def test_phrases_are_listed_anew_for_each_occurrence_of_a_sentence():
    sentences = sentences_of([[0], [1, 2]], [], [[3]])
    assert sentences.phrases([2, 0, 1, 0]).tolist() == [2, 0, 1, 0, 1]
    assert sentences.phrases([]).tolist() == []
    assert sentences.phrase_lengths.tolist() == [1, 2, 1]
    assert sentences.words_of(1).tolist() == [1, 2]
    with pytest.raises(InputError, match="MP403"):
        sentences.phrases([3])


def test_without_weights_phrases_weigh_their_words():
    sentences = sentences_of([[0], [1, 2]], [[1, 2, 2]])
    result = phrase_maps(sentences, word_similarity(WORDS), [0, 1], [1, 0])
    assert result.hypothesis_weight.tolist() == [3, 3]
    assert result.reference_weight.tolist() == [3, 3]
    assert len(result) == 2


def test_weights_count_even_if_the_other_side_has_no_phrases():
    sentences = sentences_of([[0], [1, 2]], [])
    result = phrase_maps(sentences, word_similarity(WORDS), [0, 1, 1], [1, 0, 1], maps=True)
    assert result.hypothesis_weight.tolist() == [3, 0, 0]
    assert result.reference_weight.tolist() == [0, 3, 0]
    assert result.pairs.tolist() == result.blocks.tolist() == result.breaks.tolist() == [0, 0, 0]
    assert result.offsets.tolist() == [0, 0, 0, 0]


def test_a_phrase_without_words_is_similar_to_nothing():
    sentences = sentences_of([[], [0]], [[], [0]])
    result = phrase_maps(sentences, word_similarity(WORDS), [0], [1], maps=True)
    assert result.map(0) == [(1, 1, 1.0)]
    topics = {"hypothesis_topics": [0, 0], "reference_topics": [0, 0], "theta": 0.5}
    result = phrase_maps(sentences, word_similarity(WORDS), [0], [1], maps=True, **topics)
    assert result.map(0) == [(0, 0, 0.5), (1, 1, 1.0)]


def test_long_phrases_are_compared_too():
    sentences = sentences_of([[0] * 13, [1] * 400, [1, 2] * 17], [[1] * 29, [2, 1], [0]])
    result = phrase_maps(sentences, word_similarity(WORDS), [1], [0], maps=True)
    assert result.map(0) == [(0, 2, 1.0), (1, 0, 1.0), (2, 1, 1.0)]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"hypotheses": [2]}, "MP403"),
        ({"references": [-1]}, "MP403"),
        ({"references": [0, 1]}, "MP406"),
        ({"hypothesis_weights": [1.0]}, "MP406"),
        ({"reference_weights": [1.0, -1.0]}, "MP402"),
        ({"reference_weights": [1.0, np.nan]}, "MP402"),
        ({"theta": 1.5}, "MP404"),
        ({"theta": float("nan")}, "MP404"),
        ({"theta": 0.5}, "MP444"),
        ({"theta": 0.5, "hypothesis_topics": [0, 2], "reference_topics": [0, 0]}, "MP443"),
        ({"theta": 0.5, "hypothesis_topics": [0, np.nan], "reference_topics": [0, 0]}, "MP443"),
        ({"theta": 0.5, "hypothesis_topics": [0], "reference_topics": [0, 0]}, "MP406"),
        ({"threads": 0}, "MP519"),
        ({"sentences": sentences_of([[0], [99]], [[1], [2]])}, "MP403"),
        (
            {"sentences": PhraseSentences(np.array([0, 9]), np.array([0, 1]), np.array([0]))},
            "MP406",
        ),
        ({"sentences": PhraseSentences(np.array([0]), np.array([], int), np.array([0]))}, "MP406"),
    ],
)
def test_mistakes_are_refused(change, code):
    given = {
        "sentences": sentences_of([[0], [1, 2]], [[1], [2]]),
        "similarity": word_similarity(WORDS),
        "hypotheses": [0],
        "references": [1],
        "hypothesis_weights": [1.0, 1.0],
        "reference_weights": [1.0, 1.0],
    }
    with pytest.raises((InputError, OptionError), match=code):
        phrase_maps(**{**given, **change})


def test_sentences_beyond_all_measure_are_refused():
    sentences = sentences_of([[0] * 5000], [[0]] * 3000)
    similarity = word_similarity(WORDS)
    for row in (0, 1):
        with pytest.raises(InputError, match="MP442"):
            phrase_maps(sentences, similarity, [row], [row])
    assert phrase_maps(sentences, similarity, [0], [1]).pairs.tolist() == [1]
