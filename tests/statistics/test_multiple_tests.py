"""p-values of many tests at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.errors import OptionError
from metaphrase.statistics.multiple_tests import corrected, holm


def test_holm_multiplies_by_what_is_left() -> None:
    # By hand: .005 · 5, .01 · 4, .02 · 3, then .03 · 2, which is no less than the one before it, and .5 · 1.
    found = holm([0.01, 0.02, 0.03, 0.005, 0.5])
    assert found.tolist() == pytest.approx([0.04, 0.06, 0.06, 0.025, 0.5])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.floats(0.001, 0.999))
def test_holm_calls_significant_what_going_down_the_list_does(p: list[float], level: float) -> None:
    # The procedure as it was published: from the smallest p on, until one exceeds its share of the level.
    significant = set()
    for rank, place in enumerate(np.argsort(p, kind="stable").tolist()):
        if p[place] * (len(p) - rank) > level:
            break
        significant.add(place)
    assert {place for place, value in enumerate(holm(p)) if value <= level} == significant


def test_there_may_be_no_correction_and_no_other() -> None:
    assert corrected([0.01, 0.04], "none").tolist() == [0.01, 0.04]
    with pytest.raises(OptionError, match="MP765"):
        corrected([0.01], "bonferroni")  # type: ignore[arg-type]
