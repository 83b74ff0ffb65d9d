"""Williams' test and Student's t without SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.errors import InputError
from metaphrase.statistics.williams import student_t_tail, williams_t, williams_test


@given(t=st.floats(1e-6, 1e4), degrees=st.integers(1, 100_000))
def test_the_tail_of_students_t_is_scipys(t: float, degrees: int) -> None:
    assert student_t_tail(-t, degrees) == pytest.approx(scipy.stats.t.sf(-t, degrees), abs=1e-10)
    assert student_t_tail(t, degrees) == pytest.approx(scipy.stats.t.sf(t, degrees), abs=1e-10)


@pytest.mark.parametrize("degrees", [1, 4, 30, 500])
@pytest.mark.parametrize("t", [0.0, 0.5, 1.96, 5.0, 40.0])
def test_small_tails_keep_their_digits(t: float, degrees: int) -> None:
    assert student_t_tail(t, degrees) == pytest.approx(scipy.stats.t.sf(t, degrees), rel=1e-10)
    assert student_t_tail(-t, degrees) == pytest.approx(scipy.stats.t.cdf(t, degrees), rel=1e-10)


@pytest.mark.parametrize("t", [1e-12, 1e-9, 1e-3, 1.0, 1e6])
def test_one_degree_of_freedom_is_cauchys_distribution(t: float) -> None:
    # Its tail is known: ½ − arctan(t)/π. (SciPy 1.17 gives ½ for t = 1e-9.)
    assert student_t_tail(t, 1) == pytest.approx(math.atan2(1, t) / math.pi, rel=1e-12)


def test_the_tail_at_the_ends() -> None:
    assert student_t_tail(math.inf, 5) == 0.0
    assert student_t_tail(-math.inf, 5) == 1.0
    assert math.isnan(student_t_tail(math.nan, 5))
    assert math.isnan(student_t_tail(1.0, 0))


def test_a_worked_case() -> None:
    # r₁ = .6, r₂ = .4, r₁₂ = .5, n = 103: K = 1 − .36 − .16 − .25 + 2·.6·.4·.5 = .47;
    # t = .2 √(102 · 1.5) / √(2 · .47 · 102/100 + .25 · .125) = 2.47386 / √.99005.
    t = 0.2 * math.sqrt(102 * 1.5) / math.sqrt(0.9588 + 0.03125)
    assert williams_t(0.6, 0.4, 0.5, 103) == pytest.approx(t, rel=1e-12)


def example(points: int = 50) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    generator = np.random.default_rng(4)
    human = generator.normal(size=points)
    noise = generator.normal(size=(2, points))
    return human + 0.5 * noise[0], human + 2 * noise[1], human


def test_the_better_metric_wins_and_sides_add_up_to_one() -> None:
    metric, rival, human = example()
    result = williams_test(metric, rival, human)
    assert result.metric == pytest.approx(scipy.stats.pearsonr(metric, human)[0], abs=1e-12)
    assert result.rival == pytest.approx(scipy.stats.pearsonr(rival, human)[0], abs=1e-12)
    assert result.between == pytest.approx(scipy.stats.pearsonr(metric, rival)[0], abs=1e-12)
    assert result.p_value < 0.01
    other = williams_test(rival, metric, human)
    assert result.p_value + other.p_value == pytest.approx(1, abs=1e-12)


def test_scales_do_not_matter() -> None:
    metric, rival, human = example()
    result = williams_test(metric, rival, human)
    again = williams_test(3 * metric + 5, rival / 7, 2 * human - 1)
    assert again.p_value == pytest.approx(result.p_value, rel=1e-9)


def test_points_without_a_score_are_left_out() -> None:
    metric, rival, human = (scores.copy() for scores in example())
    metric[3], rival[5], human[7] = np.nan, np.nan, np.nan
    kept = np.delete(np.arange(50), [3, 5, 7])
    result = williams_test(metric.reshape(5, 10), rival.reshape(5, 10), human.reshape(5, 10))
    assert result == williams_test(metric[kept], rival[kept], human[kept])
    assert result.points == 47


def test_a_metric_does_not_beat_itself() -> None:
    metric, _, human = example()
    assert williams_test(metric, metric, human).p_value == pytest.approx(0.5)


@pytest.mark.parametrize("points", [0, 1, 2, 3])
def test_too_few_points_are_undefined(points: int) -> None:
    assert math.isnan(williams_test(*(scores[:points] for scores in example())).p_value)


def test_a_constant_score_is_undefined() -> None:
    metric, rival, human = example()
    for scores in ((np.ones(50), rival, human), (metric, rival, np.full(50, 0.1))):
        assert math.isnan(williams_test(*scores).p_value)


def test_shapes_must_be_equal() -> None:
    metric, rival, human = example()
    with pytest.raises(InputError, match="MP744"):
        williams_test(metric, rival[:3], human)
