"""Isotonic regression: against the minimax formula, scikit-learn and small cases by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.statistics.isotonic import isotonic_means
from oracle import isotonic as oracle

_VALUES = st.lists(
    st.tuples(st.integers(-8, 8).map(float), st.integers(1, 4).map(float)), min_size=1, max_size=12
)


def test_neighbours_that_fall_are_pooled_into_their_mean() -> None:
    # By hand: 3 and 2 are pooled into 2.5, to which 1 pools: (3 + 2 + 1) / 3 = 2; 5 stays.
    assert isotonic_means([3.0, 2.0, 1.0, 5.0]).tolist() == [2.0, 2.0, 2.0, 5.0]


def test_weights_count() -> None:
    # By hand: (3 · 1 + 1 · 3) / 4 = 1.5.
    assert isotonic_means([3.0, 1.0], [1.0, 3.0]).tolist() == [1.5, 1.5]


def test_what_rises_stays() -> None:
    assert isotonic_means([0.1, 0.2, 0.9]).tolist() == [0.1, 0.2, 0.9]


@given(_VALUES)
def test_it_is_the_minimax_formula(rows: list[tuple[float, float]]) -> None:
    values, weights = (list(column) for column in zip(*rows, strict=True))
    expected = oracle.isotonic_means(values, weights)
    assert isotonic_means(values, weights) == pytest.approx(expected, abs=1e-9)


@given(_VALUES)
def test_it_rises_and_keeps_the_mean(rows: list[tuple[float, float]]) -> None:
    values, weights = (np.array(column) for column in zip(*rows, strict=True))
    found = isotonic_means(values, weights)
    assert (np.diff(found) >= 0).all()
    assert np.average(found, weights=weights) == pytest.approx(np.average(values, weights=weights))


def test_it_is_that_of_scikit_learn() -> None:
    sklearn = pytest.importorskip("sklearn.isotonic", reason="scikit-learn is not installed")
    generator = np.random.default_rng(3)
    values = np.arange(500) / 100 + generator.normal(size=500)
    weights = generator.uniform(0.1, 3.0, size=500)
    expected = sklearn.isotonic_regression(values, sample_weight=weights)
    assert isotonic_means(values, weights) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("values", "weights"),
    [([1.0, np.nan], None), ([1.0, 2.0], [1.0]), ([1.0], [0.0]), ([[1.0]], None)],
)
def test_what_is_no_sequence_of_numbers_is_refused(values: object, weights: object) -> None:
    with pytest.raises(ValueError, match="values"):
        isotonic_means(values, weights)  # type: ignore[arg-type]
