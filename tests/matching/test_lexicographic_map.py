"""The first of all maximum maps, against exhaustive search and against its definition."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from matching.tied_matrices import pairs_of, tied_matrices
from metaphrase.errors import InputError
from metaphrase.matching.phrase_maps import lexicographic_map
from oracle.phrase_maps import exhaustive_map, fixed_pair_by_pair

GOLDEN = Path(__file__).parents[1] / "golden" / "pbe_cases.json"


@settings(max_examples=1500)
@given(tied_matrices())
def test_the_map_is_the_first_maximum_in_spite_of_heavy_ties(matrix):
    counts, most = matrix
    assert pairs_of(lexicographic_map(np.array(counts) / most)) == exhaustive_map(counts)


@given(st.integers(0, 2**32 - 1), st.integers(1, 14), st.integers(1, 14), st.integers(1, 12))
def test_the_map_is_what_fixing_pairs_one_by_one_gives(seed, rows, columns, steps):
    random = np.random.default_rng(seed)
    similarities = random.integers(0, steps + 1, (rows, columns)) / steps
    assert pairs_of(lexicographic_map(similarities)) == fixed_pair_by_pair(similarities)


@pytest.mark.parametrize("shape", [(1, 40), (40, 1), (3, 60), (60, 3)], ids=str)
def test_tall_and_wide_matrices(shape):
    similarities = np.random.default_rng(shape).integers(0, 4, shape) / 3
    assert pairs_of(lexicographic_map(similarities)) == fixed_pair_by_pair(similarities)


@pytest.mark.parametrize("steps", [1, 2, 10, 10**6])
def test_sixty_phrases_have_the_greatest_sum(steps):
    similarities = np.random.default_rng(steps).integers(0, steps + 1, (60, 60)) / steps
    rows, columns = zip(*pairs_of(lexicographic_map(similarities)), strict=True)
    assert len(set(columns)) == len(columns)
    best = similarities[linear_sum_assignment(similarities, maximize=True)].sum()
    assert similarities[rows, columns].sum() == pytest.approx(best, abs=1e-9)


def test_equally_similar_phrases_are_mapped_in_their_order():
    assert lexicographic_map(np.ones((60, 60))).tolist() == list(range(60))
    assert lexicographic_map(np.ones((3, 2))).tolist() == [0, 1, -1]
    assert lexicographic_map(np.ones((2, 3))).tolist() == [0, 1]


def test_thirds_tie_with_a_whole():
    # 1/3 + 2/3 = 2/3 + 1/3 = 1 + 0, and the first row prefers the first column.
    assert lexicographic_map([[1 / 3, 1.0], [0.0, 2 / 3]]).tolist() == [0, 1]
    # 0.1 + 0.2 and 0.3 differ in doubles, and not as decimals.
    assert lexicographic_map([[0.1, 0.3], [0.0, 0.2]]).tolist() == [0, 1]
    assert 0.1 + 0.2 != 0.3


def test_phrases_without_similarity_are_no_pair():
    similarities = [[0.0, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.0]]
    assert lexicographic_map(similarities).tolist() == [-1, 1, -1]


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)], ids=str)
def test_nothing_is_mapped_to_nothing(shape):
    assert lexicographic_map(np.zeros(shape)).tolist() == [-1] * shape[0]


def test_a_stack_of_matrices_gives_a_stack_of_maps():
    stack = np.random.default_rng(7).integers(0, 3, (2, 3, 5, 4)) / 2
    maps = lexicographic_map(stack)
    assert maps.shape == (2, 3, 5)
    for index in np.ndindex(2, 3):
        assert maps[index].tolist() == lexicographic_map(stack[index]).tolist()


@pytest.mark.parametrize("case", json.loads(GOLDEN.read_text())["cases"])
def test_golden_maps(case):
    shape = len(case["reference_weights"]), len(case["candidate_weights"])
    similarities = np.array(case["similarity"], dtype=float).reshape(shape)
    found = pairs_of(lexicographic_map(similarities))
    assert found == [tuple(pair) for pair in case["map"]]
    assert sum(similarities[pair] for pair in found) == pytest.approx(case["total"], abs=1e-9)


@pytest.mark.parametrize("value", [-0.1, 1.5, np.nan, np.inf])
def test_what_is_no_similarity_is_refused(value):
    with pytest.raises(InputError, match="MP443"):
        lexicographic_map([[0.5, value], [1.0, 0.0]])


@pytest.mark.parametrize("matrix", [[1.0, 0.5], [["a"]], [[1.0], [1.0, 0.5]]], ids=str)
def test_what_is_no_matrix_is_refused(matrix):
    with pytest.raises(InputError, match="MP401"):
        lexicographic_map(matrix)


def test_a_matrix_of_millions_is_refused():
    with pytest.raises(InputError, match="MP442"):
        lexicographic_map(np.zeros((4096, 4096)))
