"""Permutation tests of measures of systems: hybrids are measured as metrics are."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from metaphrase.meta import soft_pairwise_accuracy_of_scores, system_pairwise_accuracy
from metaphrase.statistics.permutation import EarlyStopping, outcome
from metaphrase.statistics.soft_accuracy_tests import Certainty, soft_accuracy_tests
from metaphrase.statistics.system_nulls import null_of_system_accuracy
from oracle import shared_task
from oracle.soft_accuracy_null import null_of_soft_accuracy


@pytest.fixture
def scores() -> np.ndarray:
    """Two metrics and people: four systems, nine segments."""
    return np.random.default_rng(5).normal(size=(3, 4, 9)).round(1)


def _standardised(values: np.ndarray) -> np.ndarray:
    return (values - values.mean()) / values.std()


def test_soft_accuracy_is_that_of_the_authors_program(scores: np.ndarray) -> None:
    metric, _, human = scores
    expected = shared_task.soft_accuracy(metric, human)
    assert soft_pairwise_accuracy_of_scores(metric, human) == pytest.approx(expected, abs=1e-12)


def test_hybrids_are_measured_like_metrics(scores: np.ndarray) -> None:
    metric, rival, human = scores
    null = null_of_soft_accuracy(metric, rival, Certainty.of(human), np.random.default_rng(7))
    assert null.metric == pytest.approx(soft_pairwise_accuracy_of_scores(metric, human))
    assert null.rival == pytest.approx(soft_pairwise_accuracy_of_scores(rival, human))
    # The same bits by hand: a cell of the first hybrid is the metric's where the bit is 1.
    bits = np.random.default_rng(7).integers(0, 2, size=(3, 4, 9), dtype=np.int8).astype(bool)
    one, two = _standardised(metric), _standardised(rival)
    expected = [
        soft_pairwise_accuracy_of_scores(np.where(own, one, two), human)
        - soft_pairwise_accuracy_of_scores(np.where(own, two, one), human)
        for own in bits
    ]
    np.testing.assert_allclose(null.draw(3), expected, atol=1e-9)


def test_systems_of_several_language_pairs_are_exchanged_together() -> None:
    random = np.random.default_rng(3)
    metric, rival, human = random.normal(size=(3, 7))
    pairs = np.array([0, 0, 0, 0, 1, 1, 1])
    null = null_of_system_accuracy(metric, rival, human, pairs, np.random.default_rng(8))
    assert null.metric == system_pairwise_accuracy(metric, human, language_pairs=pairs)
    bits = np.random.default_rng(8).integers(0, 2, size=(5, 7), dtype=np.int8).astype(bool)
    one, two = _standardised(metric), _standardised(rival)
    expected = [
        system_pairwise_accuracy(np.where(own, one, two), human, language_pairs=pairs)
        - system_pairwise_accuracy(np.where(own, two, one), human, language_pairs=pairs)
        for own in bits
    ]
    np.testing.assert_allclose(null.draw(5) / null.scale, expected, atol=1e-12)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("permutations", [1000, 30])
def test_all_pairs_at_once_are_each_pair_by_itself(permutations: int, threads: int) -> None:
    """Bit for bit: shares of permutations are counts, and only rounding could change one."""
    random = np.random.default_rng(6)
    human = np.round(random.normal(size=(5, 40)))
    noise = {"near": 0.5, "far": 3.0, "random": 50.0}
    scores = {name: human + sd * random.normal(size=human.shape) for name, sd in noise.items()}
    scores["rounded"] = np.round(scores["near"])  # ties, as language models give them
    scores["twin"] = scores["near"].copy()
    scores["constant"] = np.ones(human.shape)
    sure = Certainty.of(human, permutations=permutations)
    pairs = list(combinations(scores, 2))
    done: list[int] = []
    for early, resamples in ((EarlyStopping(), 430), (None, 70)):
        found = soft_accuracy_tests(
            scores, pairs, sure, resamples=resamples, seed=9, early=early, threads=threads,
            progress=done.append,
        )  # fmt: skip
        for (metric, rival), result in found.items():
            generator = np.random.default_rng(9)
            null = null_of_soft_accuracy(scores[metric], scores[rival], sure, generator)
            alone = outcome(null, resamples, early)
            assert (result.metric, result.rival) == (alone.metric, alone.rival)
            assert result.p_value == alone.p_value
            assert result.differences.tolist() == alone.differences.tolist()
    assert done[:4] == sorted(done[:4])


def test_a_metric_does_not_beat_itself(scores: np.ndarray) -> None:
    metric, _, human = scores
    both = {"one": metric, "two": metric}
    found = soft_accuracy_tests(
        both, [("one", "two")], Certainty.of(human), resamples=200, seed=0, early=EarlyStopping()
    )
    result = found["one", "two"]
    assert (result.p_value, result.difference) == (1, 0)
    assert result.resamples == 100  # p is clear after the first block


def test_one_system_leaves_nothing_to_compare() -> None:
    alone = np.array([1.0, 2.0])
    null = null_of_system_accuracy(alone, alone, alone, np.array([0, 1]), np.random.default_rng(0))
    assert np.isnan(null.metric)
