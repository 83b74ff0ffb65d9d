"""MaxSim's stages: the oracle, an example by hand, and how they differ from one optimum."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from metaphrase.errors import InputError
from metaphrase.matching import NgramBags, ngram_bags, staged_ngrams
from oracle.ngram_bags import Token, ngram_similarity, symmetric
from oracle.staged_arrays import staged_arrays
from oracle.staged_ngrams import staged

LEMMAS, TAGS = 6, 3
tokens = st.builds(
    lambda lemma, tag: Token(lemma, lemma, tag),
    st.integers(0, LEMMAS - 1),
    st.integers(0, TAGS - 1),
)
sentence = st.lists(tokens, max_size=9)
synonyms = st.sets(st.tuples(st.integers(0, LEMMAS - 1), st.integers(0, LEMMAS - 1)), max_size=5)


def arrays(*sentences):
    columns = np.array([token for line in sentences for token in line], dtype=np.int32)
    columns = columns.reshape(-1, 3)
    return np.cumsum([0, *map(len, sentences)]), columns[:, 0], columns[:, 2]


def matched(reference, hypothesis, pairs):
    found = staged_ngrams(
        *arrays(reference, hypothesis),
        hypothesis_rows=[1],
        reference_rows=[0],
        synonymy=symmetric(pairs, senses=LEMMAS),
    )
    return found.matched[0]


@settings(max_examples=150)
@given(reference=sentence, hypothesis=sentence, pairs=synonyms)
def test_it_equals_stages_by_hand_and_highs(reference, hypothesis, pairs) -> None:
    expected = staged(reference, hypothesis, pairs)
    assert matched(reference, hypothesis, pairs) == pytest.approx(expected, abs=1e-9)


def unit_bags(reference, hypothesis, pairs) -> NgramBags:
    """TESLA's program with all weights 1."""
    return ngram_bags(
        *arrays(reference, hypothesis),
        function=np.zeros(TAGS, dtype=np.uint8),
        hypothesis_rows=[1],
        reference_rows=[0],
        synonymy=symmetric(pairs, senses=LEMMAS),
        divisor=1,
    )


@given(reference=sentence, hypothesis=sentence, pairs=synonyms)
def test_stages_never_match_more_than_one_linear_program(reference, hypothesis, pairs) -> None:
    """The program is TESLA's with all weights 1, of which MaxSim is a special case."""
    bags = unit_bags(reference, hypothesis, pairs)
    assert (matched(reference, hypothesis, pairs) <= bags.matched[0] + 1e-9).all()


@settings(max_examples=60)
@given(reference=sentence, hypothesis=sentence, pairs=synonyms)
def test_one_linear_program_with_unit_weights_is_an_assignment(
    reference, hypothesis, pairs
) -> None:
    """MaxSim is a matching: TESLA's program with all weights 1 has one among its optima."""
    bags = unit_bags(reference, hypothesis, pairs)
    for n in (1, 2, 3):
        x = [reference[i : i + n] for i in range(len(reference) - n + 1)]
        y = [hypothesis[i : i + n] for i in range(len(hypothesis) - n + 1)]
        similarities = np.array([[ngram_similarity(a, b, pairs) for a in x] for b in y])
        similarities = similarities.reshape(len(y), len(x))
        best = similarities[linear_sum_assignment(similarities, maximize=True)].sum()
        assert bags.matched[0, n - 1] == pytest.approx(best, abs=1e-9)


@settings(max_examples=20)
@given(
    lines=st.lists(st.lists(tokens, max_size=60), min_size=2, max_size=40),
    pairs=synonyms,
    seed=st.integers(0, 99),
)
def test_many_long_sentences_are_matched_as_with_dictionaries(lines, pairs, seed) -> None:
    numbers = np.random.default_rng(seed).integers(len(lines), size=(2, 50)).astype(np.int32)
    columns = arrays(*lines)
    rows = {"hypothesis_rows": numbers[0], "reference_rows": numbers[1]}
    relation = symmetric(pairs, senses=LEMMAS)
    expected = staged_arrays(*columns, **rows, synonymy=relation)
    for threads in (1, 3):
        found = staged_ngrams(*columns, **rows, synonymy=relation, threads=threads)
        assert (found.matched == expected).all()


def test_texts_with_too_many_pairs_of_words_are_refused() -> None:
    with pytest.raises(InputError, match="MP578"):
        matched([Token(0, 0, 0)] * 5000, [Token(0, 0, 0)] * 5000, [])


def test_equal_words_are_matched_first_even_where_that_is_not_optimal() -> None:
    # run/N goes to run/N, which leaves run/V and dog/N: 1.0, where crossing over would give 1.5.
    reference, hypothesis = [Token(0, 0, 0), Token(0, 0, 1)], [Token(0, 0, 0), Token(1, 1, 0)]
    assert matched(reference, hypothesis, []).tolist() == [1.0, 0.0, 0.0]


def test_the_second_stage_goes_from_left_to_right() -> None:
    # No tag agrees. Lemma 0 of the hypothesis is matched with the first of the reference, which has tag 1,
    # so that the second, with tag 2, is left for lemma 1 of tag 2: 1 + ½.
    reference = [Token(0, 0, 1), Token(0, 0, 2)]
    hypothesis = [Token(0, 0, 0), Token(1, 1, 2)]
    assert matched(reference, hypothesis, [])[0] == 1.5


def test_numbers_of_ngrams() -> None:
    lines = [[Token(0, 0, 0)] * 4, [Token(0, 0, 0)], []]
    found = staged_ngrams(
        *arrays(*lines),
        hypothesis_rows=[0, 1, 2],
        reference_rows=[1, 1, 0],
        synonymy=symmetric([], senses=1),
    )
    assert found.hypothesis.tolist() == [[4, 3, 2], [1, 0, 0], [0, 0, 0]]
    assert found.reference.tolist() == [[1, 0, 0], [1, 0, 0], [4, 3, 2]]
    assert found.matched.tolist() == [[1, 0, 0], [1, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    "wrong",
    [
        {"offsets": [0, 5]},
        {"offsets": [1, 0]},
        {"offsets": []},
        {"lemma": [7]},
        {"lemma": [-1]},
        {"tag": [0, 0]},
        {"hypothesis_rows": [1]},
        {"reference_rows": [-1]},
        {"hypothesis_rows": [0, 0]},
    ],
    ids=str,
)
def test_arrays_that_do_not_fit_are_refused(wrong) -> None:
    given = {
        "offsets": [0, 1],
        "lemma": [0],
        "tag": [0],
        "hypothesis_rows": [0],
        "reference_rows": [0],
        "synonymy": symmetric([], senses=1),
    }
    with pytest.raises(InputError, match="MP40"):
        staged_ngrams(**given | wrong)
