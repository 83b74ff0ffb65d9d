"""Clusters are drawn whole, as many as there are, and all columns see the same ones."""

from __future__ import annotations

import numpy as np
import pytest

from metaphrase.statistics import cluster_bootstrap
from metaphrase.statistics.cluster_bootstrap import cluster_sums


def test_as_many_clusters_are_drawn_as_there_are() -> None:
    sums = cluster_sums(np.ones((7, 2)), resamples=50, seed=1)
    assert sums.tolist() == [[7.0, 7.0]] * 50


def test_columns_see_the_same_clusters() -> None:
    table = np.arange(10.0).reshape(-1, 1) @ [[1.0, -2.0]]
    first, second = cluster_sums(table, resamples=100, seed=1).T
    assert second == pytest.approx(-2 * first)
    # The sum of ten draws from 0 … 9 is 45 on average, with a deviation of √(10 · 8.25) = 9.08.
    assert first.mean() == pytest.approx(45, abs=4 * 9.08 / 10)


def test_pieces_draw_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    table = np.random.default_rng(2).random((9, 3))
    whole = cluster_sums(table, resamples=40, seed=5)
    monkeypatch.setattr(cluster_bootstrap, "_DRAWS", 63)
    assert cluster_sums(table, resamples=40, seed=5) == pytest.approx(whole)
