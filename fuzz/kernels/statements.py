"""Statements of tests that are methods or have parameters of pytest's, as functions of a case alone."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.analysis.builtin import test_english_tagger as tagger
from tests.matching import test_pivot_bags as pivots
from tests.statistics import test_pairwise as pairwise


def _body(test: Any) -> Any:
    return test.hypothesis.inner_test


@given(pivots.random_tables, st.lists(pivots.sentences, min_size=2, max_size=3), st.integers(1, 10))
def pairs_share_what_the_definition_says(counts: Any, rows: Any, divisor: int) -> None:
    """Pivot bags share what the definition says."""
    bags = pivots.TestBags()
    _body(bags.test_pairs_share_what_the_definition_says)(bags, counts, rows, divisor)


@given(pivots.TestExpectedCounts.networks, st.sampled_from([1, 2, 3]))
def networks_have_the_counts_of_all_their_readings(network: Any, n: int) -> None:
    """Expected n-grams are those of all readings of a network."""
    ngrams = pivots.TestExpectedCounts()
    _body(ngrams.test_networks_have_the_counts_of_all_their_readings)(ngrams, network, n)


@given(
    pivots.tables,
    st.lists(st.sampled_from("abc"), max_size=7).map(tuple),
    st.integers(0, 300),
)
def cuts_are_the_most_probable_ones(numbers: Any, words: Any, more: int) -> None:
    """No cut into phrases is more probable."""
    segmentation = pivots.TestSegmentation()
    _body(segmentation.test_cuts_are_the_most_probable_ones)(segmentation, numbers, words, more)


@given(st.sampled_from(pairwise.GROUPS), pairwise.PAIRS)
def calibration(group_by: str, pair: Any) -> None:
    """Calibration finds the best of all thresholds."""
    _body(pairwise.test_calibration_finds_the_best_of_all_thresholds)(group_by, pair)


@cache
def _oracle_of_the_tagger() -> Any:
    return tagger.OracleTagger(tagger.MODEL)


@given(st.lists(tagger.WORDS, max_size=12))
def the_core_tags_any_words_as_the_oracle(sentence: list[str]) -> None:
    """Tags are those of the oracle."""
    _body(tagger.test_the_core_tags_any_words_as_the_oracle)(_oracle_of_the_tagger(), sentence)
