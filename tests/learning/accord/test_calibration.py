"""A score is the mean place of what loses as much, and its interval holds what it promises."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase.errors import InputError
from metaphrase.learning.accord import coverages
from metaphrase.learning.accord.calibration import (
    COVERAGE,
    HeldOut,
    calibrate,
    coverage,
    fit_interval,
    fit_scale,
)
from metaphrase.trained.accord_model import Interval, Scale

#: Straight from 100 to 0, but for the end.
STRAIGHT = Scale(((0.0, 100.0), (0.999, 0.1)))


def held_out(lost: np.ndarray, place: np.ndarray, *, systems: int = 1) -> HeldOut:
    system = np.arange(len(lost)) * systems // max(len(lost), 1)
    return HeldOut("set", "de-en", lost, place, system)


def people(
    number: int, *, systems: int = 20, segments: int = 100, apart: float = 5.0, noise: float = 20.0
) -> HeldOut:
    """Losses, and places that people see ``noise`` off, and for a whole system ``apart`` off."""
    random = np.random.default_rng(number)
    lost = random.uniform(0.3, 0.7, systems * segments)
    off = np.repeat(random.normal(0, apart, systems), segments) if apart else 0.0
    place = 100 * (1 - lost) + off + random.normal(0, noise, len(lost))
    return replace(held_out(lost, place, systems=systems), name=f"set {number}")


class TestScale:
    def test_it_is_the_mean_place_of_bins_of_equal_size(self) -> None:
        random = np.random.default_rng(0)
        lost = np.sort(random.exponential(size=1200))
        place = 100 * np.exp(-lost)
        (start, *knots) = fit_scale([held_out(lost, place)]).knots
        assert start == (0.0, 100.0)
        # Twelve lines of 100 judgements; which bin one at the edge is in, rounding decides.
        assert len(knots) == 12
        for (loss, score), losses, places in zip(
            knots, np.split(lost, 12), np.split(place, 12), strict=True
        ):
            assert loss == pytest.approx(losses.mean(), rel=0.03)
            assert score == pytest.approx(places.mean(), rel=0.03)

    @settings(max_examples=60, deadline=None)
    @given(number=st.integers(0, 10**6), count=st.integers(50, 400), slope=st.floats(-100, 100))
    def test_it_falls_whatever_people_say(self, number: int, count: int, slope: float) -> None:
        random = np.random.default_rng(number)
        lost = random.uniform(0.01, 1, count)
        place = np.clip(50 - slope * lost + random.normal(0, 30, count), 0, 100)
        # A scale that does not fall is refused.
        scale = fit_scale([held_out(lost, place)])
        assert len(scale.knots) >= 2
        assert 0 < scale.knots[-1][1] < 100

    def test_people_who_see_no_difference_make_one_line(self) -> None:
        lost = np.linspace(0.1, 1, 300)
        scale = fit_scale([held_out(lost, np.full(300, 40.0))])
        assert scale.knots == ((0.0, 100.0), (pytest.approx(0.55), 40.0))

    def test_nothing_says_nothing(self) -> None:
        with pytest.raises(InputError, match=r"MP846.*0 judgements"):
            fit_scale([])

    def test_losses_that_differ_by_nothing_make_one_line(self) -> None:
        lost = 1.0 + 1e-9 * np.arange(300)
        scale = fit_scale([held_out(lost, np.linspace(90, 10, 300))])
        assert len(scale.knots) == 2
        assert scale.knots[1][0] == pytest.approx(1)

    def test_large_sets_do_not_drown_small_ones(self) -> None:
        random = np.random.default_rng(1)
        small, large = (
            held_out(random.uniform(0.5, 1.5, count), np.full(count, place))
            for count, place in ((100, 80.0), (10_000, 20.0))
        )
        # The rows of each count √100 and √10,000 in all: (10 · 80 + 100 · 20) / 110.
        mean = np.average([score for _, score in fit_scale([small, large]).knots[1:]])
        assert mean == pytest.approx(2800 / 110, rel=0.15)

    @pytest.mark.parametrize("count", [0, 1, 49])
    def test_too_few_judgements_say_nothing(self, count: int) -> None:
        few = held_out(np.linspace(0.1, 1, count), np.linspace(90, 10, count))
        with pytest.raises(InputError, match=rf"MP846.*{count} judgements.*at least 50"):
            fit_scale([few])

    def test_fifty_are_enough(self) -> None:
        some = held_out(np.linspace(0.1, 1, 50), np.linspace(90, 10, 50))
        assert len(fit_scale([some]).knots) == 3

    def test_translations_that_are_their_references_do_not_count(self) -> None:
        """They score 100 by definition."""
        lost = np.concatenate([np.zeros(100), np.linspace(0.1, 1, 49)])
        with pytest.raises(InputError, match=r"MP846.*49 judgements"):
            fit_scale([held_out(lost, np.full(149, 50.0))])


class TestInterval:
    def test_of_one_segment_it_is_the_conformal_quantile(self) -> None:
        """Of 99 judgements the 90th smallest deviation: ⌈0.9 · (99 + 1)⌉."""
        deviations = np.concatenate([np.arange(-49.0, 50.0)])
        lost = np.linspace(0.2, 0.8, 99)
        judged = held_out(lost, STRAIGHT.scores(lost) + deviations)
        # Each but 0 comes twice: 0, 1, 1, 2, 2, … and the 90th is 45.
        assert fit_interval([judged], STRAIGHT).segment == pytest.approx(45)

    def test_people_who_agree_leave_no_doubt(self) -> None:
        lost = np.linspace(0.2, 0.8, 200)
        judged = held_out(lost, STRAIGHT.scores(lost), systems=4)
        assert fit_interval([judged], STRAIGHT) == Interval(COVERAGE, 0.0, 0.0, 0.0)

    def test_more_segments_are_surer(self) -> None:
        found = fit_interval([people(1), people(2)], STRAIGHT)
        # 1.645 standard deviations: √(20² + 5²), and √(20²/10 + 5²).
        assert found.segment == pytest.approx(1.645 * 425**0.5, rel=0.05)
        assert found.ten == pytest.approx(1.645 * 65**0.5, rel=0.1)
        assert 0 < found.many < found.ten

    def test_what_a_system_is_off_by_stays_however_many_segments_it_has(self) -> None:
        alike, apart = (
            fit_interval([people(n, apart=apart, segments=1000) for n in range(4)], STRAIGHT)
            for apart in (0.0, 10.0)
        )
        assert alike.many < 1
        assert apart.many == pytest.approx(1.645 * 10, rel=0.2)

    def test_how_good_a_whole_set_is_does_not_matter(self) -> None:
        """Nobody compared the translations of one set with those of another."""
        sets = [people(1), people(2)]
        moved = [sets[0], replace(sets[1], place=sets[1].place - 30)]
        assert fit_interval(moved, STRAIGHT) == fit_interval(sets, STRAIGHT)

    def test_without_tens_or_systems_a_segment_says_it_all(self) -> None:
        few = people(1, systems=30, segments=5)
        found = fit_interval([few], STRAIGHT)
        assert found.ten == found.segment == found.many

    def test_one_system_alone_says_nothing_about_systems(self) -> None:
        found = fit_interval([people(1, systems=1, segments=300)], STRAIGHT)
        assert found.many == found.ten < found.segment


class TestCoverage:
    @pytest.mark.parametrize(
        ("size", "slack"),
        [
            (1, 0.01),
            (10, 0.02),
            # A hundred systems are few, and intervals between ten and many are reckoned, not measured.
            (None, 0.1),
        ],
    )
    def test_what_was_judged_alike_is_within_the_interval(
        self, size: int | None, slack: float
    ) -> None:
        scale, interval = calibrate([people(number) for number in range(5)])
        others = [people(number) for number in range(5, 25)]
        shares = [coverage(one, scale, interval, size)[0] for one in others]
        assert COVERAGE - slack <= np.mean(shares) <= COVERAGE + max(slack, 0.05)

    @settings(max_examples=30, deadline=None)
    @given(number=st.integers(0, 10**6))
    def test_what_it_was_measured_on_is_within_it(self, number: int) -> None:
        random = np.random.default_rng(number)
        lost, place = random.uniform(0.1, 1, 300), random.uniform(0, 100, 300)
        judged = held_out(lost, place, systems=3)
        scale, interval = calibrate([judged])
        for size, least in ((1, COVERAGE), (10, COVERAGE)):
            share, count = coverage(judged, scale, interval, size)
            # The interval is rounded to thousandths, which may leave the last of them out.
            assert share >= least - 1 / count - 1e-9

    def test_it_counts_groups(self) -> None:
        judged = people(1, systems=4, segments=25)
        found = {
            size: coverage(judged, STRAIGHT, Interval(0.9, 100, 100, 100), size)
            for size in (1, 10, None)
        }
        # Of 25 segments, two tens, and five that are left over.
        assert found == {1: (1.0, 100), 10: (1.0, 8), None: (1.0, 4)}

    def test_systems_of_few_segments_do_not_count(self) -> None:
        judged = people(1, systems=4, segments=19)
        share, count = coverage(judged, STRAIGHT, Interval(0.9, 100, 100, 100), None)
        assert np.isnan(share)
        assert count == 0

    def test_a_set_is_measured_by_the_others(self) -> None:
        sets = [people(1), people(2, noise=10.0), people(3)]
        for one, shares in coverages(sets):
            others = calibrate([other for other in sets if other.name != one.name])
            assert shares["segments"] == coverage(one, *others, 1)
            assert shares["tens"] == coverage(one, *others, 10)
            assert shares["systems"] == coverage(one, *others, None)
        assert [one.name for one, _ in coverages(sets)] == ["set 1", "set 2", "set 3"]

    def test_language_pairs_of_a_set_do_not_measure_each_other(self) -> None:
        assert list(coverages([people(1), replace(people(2), name="set 1")])) == []
