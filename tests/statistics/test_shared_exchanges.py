"""Exchanges that all pairs share."""

from __future__ import annotations

import numpy as np
import pytest

from metaphrase.arrays import FloatArray
from metaphrase.metrics import Bleu
from metaphrase.statistics.resampling import randomisation_of_all
from metaphrase.statistics.shared_exchanges import exchanged_together


def ratio(sums: FloatArray) -> FloatArray:
    return np.asarray(sums[..., 0] / sums[..., 1])


@pytest.mark.parametrize("score", [ratio, Bleu().score])
def test_each_pair_is_exchanged_where_the_sign_is_negative(score: object) -> None:
    k = 2 if score is ratio else 10
    tables = list(np.random.default_rng(3).integers(1, 9, (4, 30, k)).astype(float))
    pairs = [(i, j) for i in range(4) for j in range(i)]
    found = exchanged_together(tables, pairs, score, 200, 7)  # type: ignore[arg-type]
    signs = np.random.default_rng(7).integers(2, size=(200, 30), dtype=np.int8).astype(bool)
    for i, j in pairs:
        differences = []
        for stay in signs:
            one = np.where(stay[:, None], tables[i], tables[j]).sum(axis=0)
            other = np.where(stay[:, None], tables[j], tables[i]).sum(axis=0)
            differences.append(abs(score(one) - score(other)))  # type: ignore[operator]
        whole = abs(score(tables[i].sum(axis=0)) - score(tables[j].sum(axis=0)))  # type: ignore[operator]
        assert found[i, j].observed == pytest.approx(float(whole), rel=1e-12)
        assert found[i, j].reached == sum(one >= whole * (1 - 1e-12) for one in differences)
        assert found[i, j].variance == pytest.approx(np.mean(np.square(differences)))


def test_equal_systems_reach_their_difference_always() -> None:
    table = np.random.default_rng(1).random((40, 2))
    found = exchanged_together([table, table], [(1, 0)], ratio, 50, 1)
    assert found[1, 0].reached == 50


def test_the_bound_is_above_what_a_million_resamples_give() -> None:
    # A difference of about five standard deviations of the exchanged ones, in 60 segments.
    generator = np.random.default_rng(5)
    gains = generator.normal(1.0, 1.0, 60)
    first = np.column_stack([generator.normal(size=60), np.ones(60)])
    second = first + np.column_stack([gains, np.zeros(60)])
    third = first + np.column_stack([np.full(60, 0.01), np.zeros(60)])
    test = randomisation_of_all([first, second, third], ratio).tests[1, 0]
    signs = generator.integers(2, size=(1_000_000, 60), dtype=np.int8) * 2 - 1
    share = np.mean(np.abs(signs @ gains) >= abs(gains.sum()))
    assert test.bound is not None
    assert share <= test.bound < 1 / 1001
