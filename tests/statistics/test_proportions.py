"""Wilson's interval of a share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.errors import MetaphraseError
from metaphrase.statistics.proportions import wilson_interval


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # Robert G. Newcombe: Two-sided confidence intervals for the single proportion. Statistics in
        # Medicine 17, 1998: Table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_published_values(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson_interval(successes, trials) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_it_holds_the_share_and_stays_between_0_and_1(counts: tuple[int, int]) -> None:
    low, high = wilson_interval(*counts)
    assert 0 <= low <= counts[0] / counts[1] <= high <= 1
    assert low < high
    other = wilson_interval(counts[1] - counts[0], counts[1])
    assert (low, high) == pytest.approx((1 - other[1], 1 - other[0]))


@pytest.mark.parametrize("counts", [(1, 0), (0, 0), (3, 2), (-1, 2)])
def test_what_is_no_share_is_refused(counts: tuple[int, int]) -> None:
    with pytest.raises(MetaphraseError, match="MP768"):
        wilson_interval(*counts)
