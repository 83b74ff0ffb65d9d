"""Of all maximum maps the one with the fewest blocks, against exhaustive search."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matching.tied_matrices import pairs_of, tied_matrices
from metaphrase.errors import OptionError
from metaphrase.matching.phrase_maps import (
    MOST_PHRASES,
    MOST_TIES,
    PhraseSentences,
    fewest_blocks_map,
    lexicographic_map,
    phrase_maps,
    word_similarity,
)
from oracle.phrase_maps import block_count, maximum_maps
from oracle.phrase_maps import fewest_blocks_map as oracle


@settings(max_examples=1500)
@given(tied_matrices())
def test_the_map_is_that_of_exhaustive_search(matrix):
    counts, most = matrix
    found = fewest_blocks_map(np.array(counts) / most)
    assert pairs_of(found.columns) == oracle(counts)
    assert found.proven == 1
    assert found.ties == len(maximum_maps(counts))


@settings(max_examples=100)
@given(
    st.lists(st.integers(0, 2), min_size=2, max_size=7),
    st.lists(st.integers(0, 2), min_size=2, max_size=6),
)
def test_recurring_phrases(reference, hypothesis):
    """Phrases are equal or not: of few kinds, in any order."""
    counts = [[int(one == other) for other in hypothesis] for one in reference]
    assert pairs_of(fewest_blocks_map(counts).columns) == oracle(counts)


def test_random_matrices_with_ties_have_several_maps_often():
    """The two rules are not the same: 55 of 200 maps lose a block."""
    stack = np.random.default_rng(1).integers(0, 3, (200, 3, 4)) / 2
    found = fewest_blocks_map(stack)
    first = lexicographic_map(stack)
    fewer = sum(
        block_count(pairs_of(a)) < block_count(pairs_of(b))
        for a, b in zip(found.columns, first, strict=True)
    )
    several = sum(len(maximum_maps(matrix)) > 1 for matrix in stack.tolist())
    # Counted by exhaustive search.
    assert (found.ties > 1).sum() == several == 141
    assert fewer == 55


def test_of_two_equal_phrases_the_one_beside_the_next_counts():
    assert pairs_of(fewest_blocks_map([[1, 1, 0], [0, 0, 1]]).columns) == [(0, 1), (1, 2)]


@pytest.mark.parametrize("size", [60, MOST_PHRASES])
def test_thousands_of_ties_end_in_order(size):
    found = fewest_blocks_map(np.ones((size, size)))
    assert found.columns.tolist() == list(range(size))
    assert (found.proven, found.ties) == (1, MOST_TIES)


def test_beyond_the_limit_the_first_map_stands():
    # Minimum common string partition of random strings of two letters: too much to search.
    random = np.random.default_rng(3)
    reference, hypothesis = (random.permutation(np.arange(100) % 2) for _ in range(2))
    similarities = (reference[:, None] == hypothesis[None]).astype(float)
    found = fewest_blocks_map(similarities)
    assert found.proven == 0
    assert found.columns.tolist() == lexicographic_map(similarities).tolist()
    assert found.ties == MOST_TIES


def test_more_phrases_than_the_limit_are_not_searched():
    similarities = np.ones((MOST_PHRASES + 1, 2))
    found = fewest_blocks_map(similarities)
    assert (found.proven, found.ties) == (0, -1)
    assert found.columns.tolist() == lexicographic_map(similarities).tolist()
    # Without ties there is nothing to search.
    found = fewest_blocks_map(np.eye(MOST_PHRASES + 1))
    assert (found.proven, found.ties) == (1, 1)


def test_a_stack_is_mapped_matrix_by_matrix():
    stack = np.random.default_rng(7).integers(0, 3, (2, 3, 5, 4)) / 2
    found = fewest_blocks_map(stack)
    for index in np.ndindex(2, 3):
        alone = fewest_blocks_map(stack[index])
        assert found.columns[index].tolist() == alone.columns.tolist()
        assert found.ties[index] == alone.ties


class TestSentences:
    """Phrases of one word each: reference a b, hypothesis a c a b."""

    similarity = word_similarity(["a", "b", "c"])
    sentences = PhraseSentences(
        np.array([0, 2, 6]), np.arange(7), np.array([0, 1, 0, 2, 0, 1], dtype=np.int32)
    )

    def test_the_rule_decides(self):
        found = [
            phrase_maps(self.sentences, self.similarity, [1], [0], rule=rule, maps=True, ties=True)
            for rule in ("first", "fewest-blocks")
        ]
        assert [maps.map(0) for maps in found] == [
            [(0, 0, 1.0), (1, 3, 1.0)],
            [(0, 2, 1.0), (1, 3, 1.0)],
        ]
        assert [maps.blocks.tolist() for maps in found] == [[2], [1]]
        assert [maps.ties.tolist() for maps in found] == [[2], [2]]
        for maps in found:
            assert (maps.first_blocks, maps.fewest_blocks, maps.proven) == (2, 1, 1)

    def test_another_rule_is_refused(self):
        with pytest.raises(OptionError, match=r"MP404.*fewest-blocks"):
            phrase_maps(self.sentences, self.similarity, [1], [0], rule="last")
