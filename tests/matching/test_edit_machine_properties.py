"""The edit machine against the enumeration of all sequences, on any small pair with any options."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase.matching.edit_machine import (
    FEATURES,
    MachineOptions,
    arc_counts,
    best_edits,
    expected_counts,
    log_sums,
)
from metaphrase.matching.edit_pairs import STATES
from oracle import edit_machine as oracle
from oracle.edit_machine import FEATURE, Edit, Pair, pack


@st.composite
def pairs_of_sentences(draw: st.DrawFn, longest: int = 4, most_edges: int = 7) -> Pair:
    """Any substitutions at all: blocks of any size, several labels for one stretch."""
    r, s = draw(st.integers(0, longest)), draw(st.integers(0, longest))
    if r == 0 or s == 0:
        return Pair(r, s)
    size = st.integers(1, 2)
    edge = st.tuples(
        st.integers(0, r - 1), st.integers(0, s - 1), size, size, st.integers(0, 4)
    ).filter(lambda e: e[0] + e[2] <= r and e[1] + e[3] <= s)
    edges = tuple(sorted(draw(st.sets(edge, max_size=most_edges))))
    inner = [(i, j) for i in range(1, r) for j in range(1, s)]
    cells = draw(st.dictionaries(st.sampled_from(inner), st.integers(0, 2))) if inner else {}
    return Pair(r, s, edges, cells)


machine_options = st.builds(
    MachineOptions,
    max_jump=st.integers(0, 3),
    edit_block=st.sampled_from([1, 1, 2]),
    free_jumped=st.booleans(),
    jump_first=st.booleans(),
    jump_after_jump=st.booleans(),
    exact_length=st.sampled_from([1, 100]),
    jump_window=st.integers(1, 3),
)
seeds = st.integers(0, 2**32 - 1)


def weights(seed: int, scale: float = 1.0) -> np.ndarray:
    return np.random.default_rng(seed).normal(0.0, scale, FEATURES)


@settings(max_examples=300)
@given(pairs_of_sentences(), machine_options, seeds)
def test_sums_and_counts_are_those_of_all_sequences(
    pair: Pair, options: MachineOptions, seed: int
) -> None:
    theta = weights(seed)
    truth = oracle.enumerate_all(pair, theta, options)
    packed = pack([pair])
    y, counts = expected_counts(packed, theta, options=options)
    assert y[0] == pytest.approx(truth.log_sum, abs=1e-9)
    np.testing.assert_allclose(counts[0], truth.expected, rtol=1e-9, atol=1e-9)
    assert log_sums(packed, theta, options=options)[0] == pytest.approx(y[0], abs=1e-12)


@settings(max_examples=150)
@given(pairs_of_sentences(), machine_options, seeds)
def test_the_best_sequence_is_legal_and_scores_the_maximum(
    pair: Pair, options: MachineOptions, seed: int
) -> None:
    theta = weights(seed)
    best = best_edits(pack([pair]), theta, options=options)
    sequence = [Edit(*row) for row in best.edits.tolist()]
    assert sequence in list(oracle.sequences(pair, options))
    score = float(oracle.counts(pair, sequence) @ theta)
    assert score == pytest.approx(best.scores[0], abs=1e-9)
    truth = oracle.enumerate_all(pair, theta, options)
    assert score == pytest.approx(truth.best, abs=1e-9)


@settings(max_examples=150)
@given(pairs_of_sentences(), machine_options)
def test_arcs_are_those_of_all_sequences(pair: Pair, options: MachineOptions) -> None:
    found = arc_counts(pack([pair]), options=options)
    np.testing.assert_array_equal(found, oracle.arc_counts(pair, options))


@settings(max_examples=50)
@given(pairs_of_sentences(longest=6, most_edges=14), machine_options, seeds)
def test_longer_sentences_sum_as_their_configurations_do(
    pair: Pair, options: MachineOptions, seed: int
) -> None:
    theta = weights(seed)
    y = log_sums(pack([pair]), theta, options=options)[0]
    assert y == pytest.approx(oracle.log_sum(pair, theta, options), abs=1e-9)


@settings(max_examples=10)
@given(pairs_of_sentences(longest=6, most_edges=14), machine_options, seeds)
def test_counts_are_the_gradient(pair: Pair, options: MachineOptions, seed: int) -> None:
    theta = weights(seed, 0.5)
    packed = pack([pair])
    _, counts = expected_counts(packed, theta, options=options)
    step = 1e-5
    for f in range(FEATURES):
        move = np.zeros(FEATURES)
        move[f] = step
        above = log_sums(packed, theta + move, options=options)[0]
        below = log_sums(packed, theta - move, options=options)[0]
        assert counts[0][f] == pytest.approx((above - below) / (2 * step), abs=1e-6)


@settings(max_examples=50)
@given(pairs_of_sentences(longest=7, most_edges=16), machine_options, seeds)
def test_the_sum_grows_with_the_longest_jump(
    pair: Pair, options: MachineOptions, seed: int
) -> None:
    theta = weights(seed)
    packed = pack([pair])
    sums = [
        log_sums(packed, theta, options=replace(options, max_jump=d))[0] for d in (0, 1, 2, 5, 9)
    ]
    assert all(a <= b + 1e-12 for a, b in itertools.pairwise(sums))


def swapped(theta: np.ndarray) -> np.ndarray:
    """Insert takes the weights of delete, and delete those of insert."""
    other = {**{q: q for q in STATES}, "insert": "delete", "delete": "insert"}
    result = theta.copy()
    for name, number in FEATURE.items():
        kind, *parts = name.split("|")
        if kind != "D":
            result[FEATURE["|".join([kind, *(other[q] for q in parts)])]] = theta[number]
    return result


@settings(max_examples=80)
@given(pairs_of_sentences(longest=7, most_edges=16), machine_options, seeds)
def test_exchanging_the_sentences_and_their_weights_changes_nothing(
    pair: Pair, options: MachineOptions, seed: int
) -> None:
    theta = weights(seed)
    y, counts = expected_counts(pack([pair]), theta, options=options)
    z, others = expected_counts(pack([pair.swapped()]), swapped(theta), options=options)
    assert y[0] == pytest.approx(z[0], abs=1e-10)
    np.testing.assert_allclose(swapped(counts[0]), others[0], atol=1e-10)


@settings(max_examples=20)
@given(st.lists(pairs_of_sentences(longest=7, most_edges=16), max_size=9), machine_options, seeds)
def test_neither_threads_nor_neighbours_change_a_bit(
    pairs: list[Pair], options: MachineOptions, seed: int
) -> None:
    theta = weights(seed)
    together = expected_counts(pack(pairs), theta, options=options, threads=3)
    for number, pair in enumerate(pairs):
        y, counts = expected_counts(pack([pair]), theta, options=options)
        assert y[0] == together[0][number]
        np.testing.assert_array_equal(counts[0], together[1][number])
    best = best_edits(pack(pairs), theta, options=options, threads=3)
    alone = [best_edits(pack([pair]), theta, options=options) for pair in pairs]
    np.testing.assert_array_equal(best.scores, [b.scores[0] for b in alone])
    np.testing.assert_array_equal(
        best.edits, np.concatenate([np.empty((0, 5)), *(b.edits for b in alone)])
    )
