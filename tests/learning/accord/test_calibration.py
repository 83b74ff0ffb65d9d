"""A score is the share of translations that lose more, and its interval holds what it promises."""

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

SCALE = Scale(middle=1.5, steepness=3.5)


def log_logistic(share: np.ndarray, scale: Scale = SCALE) -> np.ndarray:
    """The losses that these shares of translations lose at most, if scores on the scale are such shares."""
    return scale.middle * (share / (1 - share)) ** (1 / scale.steepness)


def shares(count: int) -> np.ndarray:
    """In the middle of each of ``count`` equal parts from 0 to 1."""
    return (np.arange(count) + 0.5) / count


def held_out(lost: np.ndarray, place: np.ndarray, *, systems: int = 1) -> HeldOut:
    system = np.arange(len(lost)) * systems // max(len(lost), 1)
    return HeldOut("set", "de-en", lost, place, system)


def people(
    number: int, *, systems: int = 20, segments: int = 100, apart: float = 5.0, noise: float = 20.0
) -> HeldOut:
    """Losses, and places that people see ``noise`` off, and for a whole system ``apart`` off."""
    random = np.random.default_rng(number)
    lost = log_logistic(random.uniform(0, 1, systems * segments))
    off = np.repeat(random.normal(0, apart, systems), segments) if apart else 0.0
    place = SCALE.scores(lost) + off + random.normal(0, noise, len(lost))
    return replace(held_out(lost, place, systems=systems), name=f"set {number}")


class TestScale:
    @given(middle=st.floats(0.01, 100), steepness=st.floats(0.5, 15), count=st.integers(50, 500))
    def test_it_is_found_again(self, middle: float, steepness: float, count: int) -> None:
        lost = log_logistic(shares(count), Scale(middle, steepness))
        found = fit_scale([held_out(lost, np.zeros(count))])
        assert found.middle == pytest.approx(middle, rel=1e-3)
        assert found.steepness == pytest.approx(steepness, rel=1e-3)

    def test_it_is_found_again_in_losses_at_random(self) -> None:
        lost = log_logistic(np.random.default_rng(0).uniform(0, 1, 20_000))
        found = fit_scale([held_out(lost, np.zeros(20_000))])
        assert found.middle == pytest.approx(SCALE.middle, rel=0.02)
        assert found.steepness == pytest.approx(SCALE.steepness, rel=0.02)

    def test_the_score_is_the_share_that_loses_more(self) -> None:
        """Also of losses that are not log-logistic, if about."""
        lost = np.exp(np.random.default_rng(1).normal(size=5000))
        scores = fit_scale([held_out(lost, np.zeros(5000))]).scores(lost)
        assert scores == pytest.approx([100 * np.mean(lost > one) for one in lost], abs=3)

    def test_what_people_say_does_not_matter(self) -> None:
        lost = log_logistic(shares(300))
        one, other = (fit_scale([held_out(lost, place)]) for place in (lost, np.zeros(300)))
        assert one == other

    def test_the_best_and_the_worst_do_not_matter(self) -> None:
        lost = log_logistic(shares(1000))
        odd = np.concatenate([lost[:19] / 1e3, lost[19:-19], lost[-19:] * 1e3])
        found = [fit_scale([held_out(one, np.zeros(1000))]) for one in (lost, odd)]
        assert found[0] == found[1]

    def test_translations_that_are_their_references_are_left_out(self) -> None:
        lost = log_logistic(shares(300))
        with_them = np.concatenate([np.zeros(100), lost])
        one = fit_scale([held_out(with_them, np.zeros(400))])
        assert one == fit_scale([held_out(lost, np.zeros(300))])

    def test_large_sets_do_not_drown_small_ones(self) -> None:
        """Rows count 1/√100 and 1/√1600: a row of the small set is worth four of the large one."""
        small, large = log_logistic(shares(100)) * 3, log_logistic(shares(1600))
        apart = fit_scale([held_out(one, np.zeros(len(one))) for one in (small, large)])
        (together, drowned) = (
            fit_scale([held_out(one, np.zeros(len(one)))])
            for one in (np.concatenate([*[small] * 4, large]), np.concatenate([small, large]))
        )
        assert apart.middle == pytest.approx(together.middle, rel=0.01)
        assert apart.steepness == pytest.approx(together.steepness, rel=0.02)
        assert drowned.middle < 0.9 * apart.middle

    @pytest.mark.parametrize("spread", [1e-9, 1e-3])
    def test_losses_that_hardly_differ_make_it_as_steep_as_can_be(self, spread: float) -> None:
        lost = 1 + spread * shares(300)
        found = fit_scale([held_out(lost, np.zeros(300))])
        assert found.steepness == 20
        assert found.middle == pytest.approx(1, rel=1e-3)

    def test_nothing_says_nothing(self) -> None:
        with pytest.raises(InputError, match=r"MP846.*0 judgements"):
            fit_scale([])

    @pytest.mark.parametrize("count", [0, 1, 49])
    def test_too_few_judgements_say_nothing(self, count: int) -> None:
        """Those of references do not count."""
        lost = np.concatenate([np.zeros(100), np.linspace(0.1, 1, count)])
        with pytest.raises(InputError, match=rf"MP846.*{count} judgements.*at least 50"):
            fit_scale([held_out(lost, np.zeros(100 + count))])

    def test_fifty_are_enough(self) -> None:
        assert fit_scale([held_out(log_logistic(shares(50)), np.zeros(50))]).steepness > 0


class TestInterval:
    def test_of_one_segment_it_is_the_conformal_quantile(self) -> None:
        """Of 99 judgements the 90th smallest deviation: ⌈0.9 · (99 + 1)⌉."""
        deviations = np.concatenate([np.arange(-49.0, 50.0)])
        lost = np.linspace(0.2, 0.8, 99)
        judged = held_out(lost, SCALE.scores(lost) + deviations)
        # Each but 0 comes twice: 0, 1, 1, 2, 2, … and the 90th is 45.
        assert fit_interval([judged], SCALE).segment == pytest.approx(45)

    def test_people_who_agree_leave_no_doubt(self) -> None:
        lost = np.linspace(0.2, 0.8, 200)
        judged = held_out(lost, SCALE.scores(lost), systems=4)
        assert fit_interval([judged], SCALE) == Interval(COVERAGE, 0.0, 0.0, 0.0)

    def test_more_segments_are_surer(self) -> None:
        found = fit_interval([people(1), people(2)], SCALE)
        # 1.645 standard deviations: √(20² + 5²), and √(20²/10 + 5²).
        assert found.segment == pytest.approx(1.645 * 425**0.5, rel=0.05)
        assert found.ten == pytest.approx(1.645 * 65**0.5, rel=0.1)
        assert 0 < found.many < found.ten

    def test_what_a_system_is_off_by_stays_however_many_segments_it_has(self) -> None:
        alike, apart = (
            fit_interval([people(n, apart=apart, segments=1000) for n in range(4)], SCALE)
            for apart in (0.0, 10.0)
        )
        assert alike.many < 1
        assert apart.many == pytest.approx(1.645 * 10, rel=0.2)

    def test_how_good_a_whole_set_is_does_not_matter(self) -> None:
        """Nobody compared the translations of one set with those of another."""
        sets = [people(1), people(2)]
        moved = [sets[0], replace(sets[1], place=sets[1].place - 30)]
        assert fit_interval(moved, SCALE) == fit_interval(sets, SCALE)

    def test_without_tens_or_systems_a_segment_says_it_all(self) -> None:
        few = people(1, systems=30, segments=5)
        found = fit_interval([few], SCALE)
        assert found.ten == found.segment == found.many

    def test_one_system_alone_says_nothing_about_systems(self) -> None:
        found = fit_interval([people(1, systems=1, segments=300)], SCALE)
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
            size: coverage(judged, SCALE, Interval(0.9, 100, 100, 100), size)
            for size in (1, 10, None)
        }
        # Of 25 segments, two tens, and five that are left over.
        assert found == {1: (1.0, 100), 10: (1.0, 8), None: (1.0, 4)}

    def test_systems_of_few_segments_do_not_count(self) -> None:
        judged = people(1, systems=4, segments=19)
        share, count = coverage(judged, SCALE, Interval(0.9, 100, 100, 100), None)
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
