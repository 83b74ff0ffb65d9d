"""The edit machine on long sentences and with heavy weights, where numbers could overflow or vanish."""

from __future__ import annotations

import math

import numpy as np
import pytest

from metaphrase.errors import InputError
from metaphrase.matching.edit_machine import (
    FEATURES,
    MachineOptions,
    best_edits,
    expected_counts,
    log_sums,
    windowed,
)
from metaphrase.matching.edit_pairs import feature_names
from oracle.edit_machine import FEATURE, JUMP_FORWARD, Pair, finite_state_log_sum, pack

SUBSTITUTIONS = slice(2, 7)


def random_pair(length: int, *, seed: int, density: float = 0.02, blocks: bool = False) -> Pair:
    """Words that match along the diagonal and, some, far from it."""
    random = np.random.default_rng(seed)
    r, s = length, length - 3
    single = {
        (i, j)
        for i in range(r)
        for j in range(s)
        if random.random() < (0.6 if abs(i - j) == i // 9 % 2 else density)
    }
    edges = [(i, j, 1, 1, int(random.integers(5))) for i, j in sorted(single)]
    if blocks:
        edges += [(i, j, 2, 2, 1) for i, j in single if (i + 1, j + 1) in single]
        edges += [(i, j, 1, 2, 4) for i, j in single if j + 2 <= s and random.random() < 0.1]
    cells = {
        (i, j): int(random.integers(3)) for i, j in single if i * j > 0 and random.random() < 0.2
    }
    return Pair(r, s, tuple(sorted(edges)), cells)


def weights(seed: int, scale: float) -> np.ndarray:
    return np.random.default_rng(seed).normal(0.0, scale, FEATURES)


@pytest.mark.parametrize("scale", [0.0, 0.3, 2.0, 50.0])
def test_two_hundred_words_sum_as_logarithms_do(scale: float) -> None:
    pair = random_pair(200, seed=1, blocks=True)
    theta = weights(2, scale)
    y = log_sums(pack([pair]), theta, options=MachineOptions())[0]
    assert y == pytest.approx(finite_state_log_sum(pair, theta), rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("max_jump", [0, 5])
@pytest.mark.parametrize("weight", [-900.0, 900.0, 1e6])
def test_what_does_not_occur_may_weigh_anything(max_jump: int, weight: float) -> None:
    # Doubles cannot be trusted with such weights, so the numbers come from another arithmetic.
    pairs = pack([random_pair(25, seed=3, blocks=True), random_pair(40, seed=4)])
    pairs.substitutions[pairs.substitutions[:, 4] == 3, 4] = 2  # no synonyms
    theta = weights(5, 0.5)
    options = MachineOptions(max_jump=max_jump)
    y, counts = expected_counts(pairs, theta, options=options)
    theta[FEATURE["U|synonym"]] = weight
    z, others = expected_counts(pairs, theta, options=options)
    np.testing.assert_allclose(z, y, rtol=1e-12)
    np.testing.assert_allclose(others, counts, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    "options",
    [
        MachineOptions(),
        MachineOptions(max_jump=5),
        MachineOptions(max_jump=5, exact_length=20, jump_window=15),
        MachineOptions(max_jump=3, free_jumped=False),
    ],
)
@pytest.mark.parametrize("scale", [0.4, 20.0])
def test_expected_edits_consume_every_word_once(options: MachineOptions, scale: float) -> None:
    pair = random_pair(120, seed=6)
    y, counts = expected_counts(pack([pair]), weights(7, scale), options=options)
    assert np.isfinite(y[0])
    substituted = counts[0][SUBSTITUTIONS].sum()
    assert counts[0][FEATURE["U|delete"]] + substituted == pytest.approx(pair.reference)
    assert counts[0][FEATURE["U|insert"]] + substituted == pytest.approx(pair.hypothesis)
    jumps = counts[0][JUMP_FORWARD : JUMP_FORWARD + 3]
    np.testing.assert_allclose(jumps, jumps[0], rtol=1e-9, atol=1e-12)
    assert (jumps[0] > 0) == (options.max_jump > 0)
    firsts = [counts[0][n] for n, name in enumerate(feature_names()) if name.startswith("S|")]
    assert sum(firsts) == pytest.approx(1)


def test_a_window_as_wide_as_the_sentences_is_none() -> None:
    pairs = pack([random_pair(30, seed=8, blocks=True)])
    theta = weights(9, 0.5)
    exact = expected_counts(pairs, theta, options=MachineOptions(max_jump=4))
    wide = MachineOptions(max_jump=4, exact_length=10, jump_window=30)
    np.testing.assert_array_equal(exact[1], expected_counts(pairs, theta, options=wide)[1])
    narrow = MachineOptions(max_jump=4, exact_length=10, jump_window=10)
    assert log_sums(pairs, theta, options=narrow)[0] < exact[0][0]


def test_the_best_sequence_of_a_long_pair_scores_what_its_edits_do() -> None:
    pair = random_pair(100, seed=10, blocks=True)
    theta = weights(11, 1.0)
    options = MachineOptions(max_jump=5)
    best = best_edits(pack([pair]), theta, options=options)
    states = best.edits[:, 0]
    total = theta[states].sum() + theta[FEATURE["S|insert"] + states[0]]
    total += theta[10 + states[:-1] * 10 + states[1:]].sum()
    substitution = (states >= 2) & (states < JUMP_FORWARD)
    for n, (_, i, j, to_i, to_j) in enumerate(best.edits.tolist()):
        if substitution[n]:
            seams = [(i, j)] if n > 0 and substitution[n - 1] else []
            seams += [(i + 1, j + 1)] if (to_i - i, to_j - j) == (2, 2) else []
            total += sum(
                theta[FEATURES - 3 + pair.dependencies[c]] for c in seams if c in pair.dependencies
            )
    assert total == pytest.approx(best.scores[0], abs=1e-9)
    assert (states == JUMP_FORWARD).any()
    np.testing.assert_array_equal(best.edits[1:, 1:3], best.edits[:-1, 3:5])


def test_ties_are_broken_in_favour_of_substitutions() -> None:
    pair = Pair(1, 1, ((0, 0, 1, 1, 1),))
    best = best_edits(pack([pair]), np.zeros(FEATURES), options=MachineOptions())
    assert best.edits.tolist() == [[3, 0, 0, 1, 1]]


def same_words(length: int) -> Pair:
    """One word again and again on both sides."""
    cells = tuple((i, j, 1, 1, 1) for i in range(length) for j in range(length))
    return Pair(length, length, cells)


def test_pairs_that_would_fill_the_memory_are_refused() -> None:
    pairs = pack([Pair(3000, 3000), Pair(5000, 5000)])
    with pytest.raises(InputError, match=r"MP415.*pair 1: .* 5000 and 5000 words") as caught:
        log_sums(pairs, np.zeros(FEATURES), options=MachineOptions())
    assert (caught.value.row, caught.value.fault[:15]) == (1, ": the sentences")


def test_long_pairs_are_summed() -> None:
    # Without substitutions there are C(n + m, n) sequences of inserts and deletes.
    options = MachineOptions(max_jump=5)
    expected = math.lgamma(6001) - 2 * math.lgamma(3001)
    assert log_sums(pack([Pair(3000, 3000)]), np.zeros(FEATURES), options=options)[
        0
    ] == pytest.approx(expected, rel=1e-12)


def test_repeated_words_narrow_the_window_of_jumps() -> None:
    pairs = pack([same_words(120), random_pair(100, seed=10, blocks=True)])
    theta = weights(11, 0.1)
    options = MachineOptions(max_jump=5, jump_window=10)
    assert windowed(pairs, options=options).tolist() == [True, False]
    found = log_sums(pairs, theta, options=options)
    plain = log_sums(pairs, theta, options=MachineOptions())
    assert plain[0] < found[0]
    # 120 words are fewer than exact_length: the window is the one that a lower exact_length would give.
    lower = MachineOptions(max_jump=5, jump_window=10, exact_length=119)
    np.testing.assert_array_equal(log_sums(pairs, theta, options=lower), found)
    sums, counts = expected_counts(pairs, theta, options=options, threads=2)
    np.testing.assert_array_equal(sums, found)
    assert np.isfinite(counts).all()


def test_very_many_repeated_words_leave_no_jump() -> None:
    pairs = pack([same_words(900)])
    theta = np.full(FEATURES, -0.1)
    options = MachineOptions(max_jump=5, exact_length=1000)
    assert windowed(pairs, options=options).tolist() == [True]
    without = log_sums(pairs, theta, options=MachineOptions())
    np.testing.assert_array_equal(log_sums(pairs, theta, options=options), without)
