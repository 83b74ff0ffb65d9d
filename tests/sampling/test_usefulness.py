"""How useful it is to judge a segment, by each way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from metaphrase.sampling import usefulness
from metaphrase.sampling.coverage import covering_order, like_segments, word_vectors

#: Two metrics, two systems, three segments: alike, far apart, and apart the other way round by the second.
SCORES = np.array(
    [[[50.0, 90.0, 80.0], [50.0, 10.0, 20.0]], [[0.5, 0.9, 0.2], [0.5, 0.1, 0.8]]],
)


def test_variance_is_that_of_scores_over_systems() -> None:
    first = SCORES[:1]
    # Standardised by the deviation of all six scores, whose variance is 2500/3 + …: only its size differs.
    unit = first.var()
    by_hand = np.array([0.0, 1600.0, 900.0]) / unit
    assert usefulness.variance(first) == pytest.approx(by_hand)


def test_metrics_disagree_where_they_prefer_different_systems() -> None:
    found = usefulness.disagreement(SCORES)
    assert found.argmax() == 2
    assert found[0] == pytest.approx(0)


def test_a_metric_that_likes_all_short_segments_does_not_disagree() -> None:
    shifted = SCORES.copy()
    shifted[1] = shifted[0] / 100
    shifted[1, :, 0] += 0.3  # of both systems alike
    assert usefulness.disagreement(shifted)[0] == pytest.approx(0, abs=1e-12)


def test_consistency_is_the_order_of_the_whole() -> None:
    metric = np.array([[[3.0, 1.0, 2.0], [2.0, 2.0, 2.0], [1.0, 3.0, 2.0]]])
    metric = np.concatenate([metric, np.array([[[9.0], [5.0], [1.0]]])], axis=2)
    assert usefulness.consistency(metric) == pytest.approx([1, -1, 0, 1])


def test_of_equally_consistent_segments_the_one_that_varies_comes_first() -> None:
    two_systems = np.array([[[5.0, 9.0, 6.0], [4.0, 1.0, 1.0]]])
    found = usefulness.consistency(two_systems)
    assert found == pytest.approx([1, 1, 1])
    assert np.argsort(-found).tolist() == [1, 2, 0]


def test_what_all_systems_say_is_not_diverse() -> None:
    same, apart = np.full((3, 3), 100.0), np.array([[100.0, 20.0], [40.0, 100.0]])
    assert usefulness.diversity([same, apart, np.array([[100.0]])]).tolist() == [-1.0, -0.3, 0.0]


@given(arrays(np.float64, (2, 3, 4), elements=st.floats(-100, 100)), st.permutations(range(3)))
def test_the_order_of_systems_does_not_matter(
    scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]], order: list[int]
) -> None:
    for way in (usefulness.variance, usefulness.disagreement):
        assert way(scores[:, order]) == pytest.approx(way(scores), abs=1e-9)


def test_a_segment_that_nobody_translated_is_of_no_use() -> None:
    scores = SCORES.copy()
    scores[:, :, 1] = np.nan
    assert usefulness.variance(scores)[1] == 0


TEXTS = [
    "the cat sat on the mat",
    "the cat sat on a mat",
    "prices rose by four per cent",
    "the dog sat on the mat",
    "prices fell by four per cent",
]


def test_what_is_chosen_first_stands_for_most_others() -> None:
    first, second, *_ = covering_order(TEXTS, seed=1)
    assert first in (0, 1, 3)
    assert second in (2, 4)


@given(st.lists(st.text("abc ", max_size=8), min_size=1, max_size=7))
def test_the_lazy_order_is_the_greedy_one(texts: list[str]) -> None:
    vectors = word_vectors(texts)
    likeness = np.maximum(vectors @ vectors.T, 0)
    covered = np.zeros(len(texts), dtype=np.float32)
    order = covering_order(texts, seed=1)
    assert sorted(order) == list(range(len(texts)))
    left = set(order)
    for chosen in order:
        gains = {i: float(np.maximum(likeness[i] - covered, 0).sum()) for i in left}
        assert gains[chosen] == pytest.approx(max(gains.values()), abs=1e-4)
        covered = np.maximum(covered, likeness[chosen])
        left.remove(chosen)


def test_a_part_of_the_order_is_its_beginning() -> None:
    assert covering_order(TEXTS, seed=1, most=2)[:2] == covering_order(TEXTS, seed=1)[:2]


def test_like_segments() -> None:
    assert like_segments(word_vectors(TEXTS), 2, most=1) == [4]
    assert like_segments(word_vectors(["a b", "c d"]), 0, most=3) == []
