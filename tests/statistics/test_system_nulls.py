"""Permutation tests of measures of systems: hybrids are measured as metrics are."""

from __future__ import annotations

import numpy as np
import pytest

from metaphrase.meta import soft_pairwise_accuracy_of_scores, system_pairwise_accuracy
from metaphrase.statistics.permutation import EarlyStopping, outcome
from metaphrase.statistics.system_nulls import (
    Certainty,
    null_of_soft_accuracy,
    null_of_system_accuracy,
)
from oracle import shared_task


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


def test_a_metric_does_not_beat_itself(scores: np.ndarray) -> None:
    metric, _, human = scores
    null = null_of_soft_accuracy(metric, metric, Certainty.of(human), np.random.default_rng(0))
    result = outcome(null, 200, EarlyStopping())
    assert (result.p_value, result.difference) == (1, 0)
    assert result.resamples == 100  # p is clear after the first block


def test_one_system_leaves_nothing_to_compare() -> None:
    one = np.ones((1, 3))
    null = null_of_soft_accuracy(one, one, Certainty.of(one), np.random.default_rng(0))
    assert np.isnan(null.metric)
    alone = np.array([1.0, 2.0])
    null = null_of_system_accuracy(alone, alone, alone, np.array([0, 1]), np.random.default_rng(0))
    assert np.isnan(null.metric)
