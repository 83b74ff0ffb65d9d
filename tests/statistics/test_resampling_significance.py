"""Randomisation, exact where few segments differ; sacreBLEU's p-values and intervals, for any metric."""

from __future__ import annotations

import numpy as np
import pytest
import sacrebleu.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sacrebleu.significance import PairedTest

from metaphrase import Bleu, Chrf, Corpus, Ter, score
from metaphrase._core import meta as core
from metaphrase.errors import InputError, OptionError
from metaphrase.statistics import resampling
from metaphrase.statistics.resampling import (
    approximate_randomisation,
    confidence_interval,
    randomisation_of_all,
    sacrebleu_bootstrap,
    sacrebleu_randomisation,
    standard_error,
)
from oracle import resampling as oracle

TESTS = (approximate_randomisation, sacrebleu_bootstrap, sacrebleu_randomisation)
WORDS = "the a cat dog sat on mat under house with big red".split()


def texts(seed: int, count: int = 60) -> tuple[list[str], list[str], list[str]]:
    """References, and two systems that replace some of their words."""
    generator = np.random.default_rng(seed)
    references, systems = [], ([], [])
    for _ in range(count):
        words = generator.choice(WORDS, size=generator.integers(3, 12)).tolist()
        references.append(" ".join(words))
        for system, share in zip(systems, (0.25, 0.28), strict=True):
            noise = generator.choice(WORDS, size=len(words))
            keep = generator.random(len(words)) > share
            chosen = zip(words, noise, keep, strict=True)
            system.append(" ".join(str(w if k else n) for w, n, k in chosen))
    return references, *systems


def mean(statistics: NDArray[np.float64]) -> NDArray[np.float64]:
    """A metric whose score is the mean of its first statistic over the sum of its second."""
    return statistics[..., 0] / statistics[..., 1]


def test_the_standard_error_of_a_mean_is_the_textbooks() -> None:
    """s / √n, with n in the place of n − 1; a deviation over b resamples is off by about 1 / √2b of it."""
    values = np.random.default_rng(1).normal(size=400)
    rows = np.stack([values, np.ones_like(values)], axis=1)
    found = standard_error(rows, mean, resamples=20_000)
    assert found == pytest.approx(values.std() / 20, rel=0.02)
    assert standard_error(rows, mean, threads=1) == standard_error(rows, mean, threads=3)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (Bleu(), sacrebleu.metrics.BLEU),
        (Chrf(), sacrebleu.metrics.CHRF),
        (Ter(), sacrebleu.metrics.TER),
    ],
    ids=["bleu", "chrf", "ter"],
)
@pytest.mark.parametrize("kind", ["bs", "ar"])
def test_p_values_and_intervals_are_sacrebleus(ours, theirs, kind) -> None:
    references, baseline, system = texts(1)
    named = [("baseline", baseline), ("system", system)]
    test = PairedTest(
        named, {ours.name: theirs()}, [references], kind, n_samples=150, n_ar_confidence=-1
    )
    # The columns of its table: names of systems, then the one metric, under a name of sacreBLEU's own.
    _, expected = test()[1].values()
    scores = score(Corpus(dict(named), [references]), [ours], keep_statistics=True)
    statistics = [entry.statistics[ours.name] for entry in scores.systems]
    function = sacrebleu_bootstrap if kind == "bs" else sacrebleu_randomisation
    results = function(statistics, ours.score, resamples=150)
    for result, reference in zip(results, expected, strict=True):
        assert result.score == reference.score
        assert result.p_value == reference.p_value
        if kind == "bs":
            # sacreBLEU resamples in single precision, of which seven digits can be trusted.
            assert result.interval.mean == pytest.approx(reference.mean, rel=1e-6)
            assert result.interval.half_width == pytest.approx(reference.ci, abs=1e-5)
    # A test that could only say 1/151 would prove little.
    assert 1 / 151 < results[1].p_value < 1


@given(
    size=st.integers(1, 40), columns=st.integers(1, 9), seed=st.integers(0, 99), whole=st.booleans()
)
@settings(max_examples=40)
def test_sums_equal_the_slow_definition(size, columns, seed, whole) -> None:
    generator = np.random.default_rng(seed)
    first, second = generator.normal(scale=100, size=(2, size, columns))
    if whole:
        first, second = np.rint(first), np.rint(second)
    ours = resampling._bootstrap_sums([first, second], 7, seed, 2)
    for sums, rows in zip(ours, (first, second), strict=True):
        np.testing.assert_array_equal(sums, oracle.bootstrap_sums(rows, 7, seed))
    pairs = zip(
        resampling._exchanged_sums(first, second, 7, seed, 2),
        oracle.exchanged_sums(first, second, 7, seed),
        strict=True,
    )
    for sums, expected in pairs:
        np.testing.assert_array_equal(sums, expected)


def test_draws_do_not_depend_on_how_many_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    statistics = np.random.default_rng(0).normal(size=(2, 37, 3))
    whole = (
        resampling._bootstrap_sums(list(statistics), 100, 5, 1),
        resampling._exchanged_sums(*statistics, 100, 5, 1),
    )
    # One row of 37 draws at a time: an odd number, so that halves of random words are carried over.
    monkeypatch.setattr(resampling, "_DRAWS", 1)
    pieces = (
        resampling._bootstrap_sums(list(statistics), 100, 5, 1),
        resampling._exchanged_sums(*statistics, 100, 5, 1),
    )
    np.testing.assert_array_equal(whole, pieces)


def test_results_do_not_depend_on_threads() -> None:
    statistics = np.random.default_rng(0).random(size=(3, 200, 2)) + 1
    for function in TESTS:
        one = function(list(statistics), mean, resamples=99)
        assert function(list(statistics), mean, resamples=99, threads=4) == one
        assert function(list(statistics), mean, resamples=99, seed=1) != one


def test_a_system_does_not_differ_from_itself() -> None:
    rows = np.random.default_rng(0).random(size=(50, 2)) + 1
    for function in TESTS:
        assert function([rows, rows], mean, resamples=99)[1].p_value == 1.0


def test_the_interval_of_a_mean_is_that_of_statistics_books() -> None:
    generator = np.random.default_rng(0)
    rows = np.column_stack([generator.normal(5, 2, size=2000), np.ones(2000)])
    interval = confidence_interval(rows, mean, resamples=2000)
    # 1.96 standard errors: 1.96 · 2 / √2000 = 0.0877.
    assert interval.half_width == pytest.approx(0.0877, rel=0.1)
    assert interval.low < interval.mean < interval.high
    assert interval.mean == pytest.approx(rows[:, 0].mean(), abs=0.01)


def test_one_segment_leaves_nothing_to_vary() -> None:
    interval = confidence_interval(np.ones((1, 2)), mean, resamples=10)
    assert (interval.mean, interval.half_width) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("statistics", "options", "code"),
    [
        ([np.ones((3, 2))], {}, "MP741"),
        ([], {}, "MP741"),
        ([np.ones((3, 2)), np.ones((4, 2))], {}, "MP742"),
        ([np.ones((0, 2)), np.ones((0, 2))], {}, "MP742"),
        ([np.ones(3), np.ones(3)], {}, "MP742"),
        ([np.ones((3, 2)), np.full((3, 2), np.nan)], {}, "MP743"),
        ([np.ones((3, 2)), np.ones((3, 2))], {"resamples": 0}, "MP740"),
        ([np.ones((3, 2)), np.ones((3, 2))], {"seed": -5}, "MP740"),
    ],
)
@pytest.mark.parametrize("function", TESTS)
def test_wrong_input_is_a_coded_error(function, statistics, options, code) -> None:
    with pytest.raises((InputError, OptionError)) as caught:
        function(statistics, mean, **options)
    assert caught.value.code == code


def test_the_core_refuses_what_would_read_beyond_an_array() -> None:
    rows = np.ones((3, 2))
    for draws in ([[0, 3]], [[-1, 0]]):
        with pytest.raises(ValueError, match="out of range"):
            core.bootstrap_sums(rows, np.array(draws), 1)
    with pytest.raises(ValueError, match="out of range"):
        core.bootstrap_sums(np.ones((0, 2)), np.zeros((1, 1), dtype=np.int64), 1)
    with pytest.raises(ValueError, match="choice for each"):
        core.exchanged_sums(rows, rows, np.ones((1, 2), dtype=bool), 1)
    with pytest.raises(ValueError, match="equal statistics"):
        core.exchanged_sums(rows, rows[:2], np.ones((1, 3), dtype=bool), 1)
    scores, units = np.ones(3), np.array([0, 64, 1], dtype=np.int32)
    bits = np.zeros((1, 1), dtype=np.uint64)
    groups, weights = np.array([0, 3]), np.array([1])
    with pytest.raises(ValueError, match="unit is out"):
        core.PairedCells(scores, scores, units, 64)
    cells = core.PairedCells(scores, scores, units, 65)
    pairs = core.CalibratedPairs(cells, scores, groups, weights)
    with pytest.raises(ValueError, match="bit for each"):
        pairs.best_rights(bits, 1)
    with pytest.raises(ValueError, match="offsets"):
        core.linear_difference(cells, scores, np.array([0, 4]), weights, 0.0)


class TestAllPairs:
    def test_are_tested_as_each_pair_is(self) -> None:
        references, one, two = texts(3)
        systems = {"one": one, "two": two, "three": [*one[:30], *two[30:]]}
        scores = score(Corpus(systems, [references]), ["bleu"], keep_statistics=True)
        statistics = [system.statistics["bleu"] for system in scores.systems]
        found = randomisation_of_all(statistics, Bleu().score, resamples=5000)
        assert list(found.tests) == [(1, 0), (2, 0), (2, 1)]
        for (i, j), test in found.tests.items():
            pair = [statistics[j], statistics[i]]
            alone = approximate_randomisation(pair, Bleu().score, resamples=5000)[1].test
            assert alone is not None
            # Four standard errors of a difference of two shares of 5,000 are 4 · √(1/2 · 1/5000) at most.
            assert test.p_value == pytest.approx(alone.p_value, abs=0.04)
            assert test.differing == alone.differing
        for rows, scored in zip(statistics, found.scores, strict=True):
            assert scored.interval == confidence_interval(rows, Bleu().score, resamples=5000)

    def test_of_two_systems_is_the_paired_test(self) -> None:
        statistics = list(np.random.default_rng(1).random((2, 50, 2)))
        found = randomisation_of_all(statistics, mean, resamples=100)
        assert (
            found.tests[1, 0] == approximate_randomisation(statistics, mean, resamples=100)[1].test
        )

    def test_few_segments_are_exchanged_in_all_ways(self) -> None:
        first = np.random.default_rng(1).random((50, 2))
        second, third = first.copy(), first.copy()
        second[:6] += 1.0
        third[10:30] += 1.0
        found = randomisation_of_all([first, second, third], mean, resamples=100)
        alone = approximate_randomisation([first, second], mean, resamples=100)[1].test
        assert found.tests[1, 0] == alone
        assert alone is not None
        assert alone.exact
        assert not found.tests[2, 0].exact

    def test_one_system_has_its_interval(self) -> None:
        statistics = np.random.default_rng(1).random((50, 2))
        found = randomisation_of_all([statistics], mean, resamples=100)
        assert not found.tests
        assert found.scores[0].interval == confidence_interval(statistics, mean, resamples=100)
