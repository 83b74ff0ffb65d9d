"""Agreement of spans: bounds, symmetry, examples by hand, and the oracle."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.statistics.span_overlap import (
    Span,
    character_counts,
    character_overlap,
    match_counts,
    partial_match,
)
from oracle import span_overlap as oracle

MINOR, MAJOR = 1, 2
spans = st.tuples(st.integers(0, 12), st.integers(1, 8), st.sampled_from([MINOR, MAJOR])).map(
    lambda found: (found[0], found[0] + found[1], found[2])
)
marked = st.lists(spans, max_size=4)
texts = st.lists(st.tuples(marked, marked), min_size=1, max_size=4)


def test_characters_by_hand() -> None:
    # gold 0–10 major; predicted 0–4 major (4 · 1) and 8–12 minor (2 · ½): 5 of 8 and of 10.
    found = character_overlap([[(0, 10, MAJOR)]], [[(0, 4, MAJOR), (8, 12, MINOR)]])
    assert (found.precision, found.recall) == (5 / 8, 5 / 10)
    assert found.f1 == pytest.approx(2 * 5 / 18)


def test_a_character_counts_once_for_each_span() -> None:
    """As in WMT 2025's scoring_esa.py: by severity, then half for what is left of both sides."""
    gold = [(0, 6, MINOR), (2, 4, MAJOR)]
    assert character_counts(gold, [(2, 4, MAJOR)]) == (2.0, 2, 8)
    assert character_counts(gold[::-1], [(0, 4, MAJOR)]) == (3.0, 4, 8)
    assert character_counts(gold, [(2, 4, MAJOR), (2, 4, MAJOR)]) == (3.0, 4, 8)


def test_characters_are_summed_over_texts() -> None:
    # 2 of 2 and 4; 0 of 2 and 0.
    found = character_overlap([[(0, 4, MAJOR)], []], [[(0, 2, MAJOR)], [(0, 2, MAJOR)]])
    assert (found.precision, found.recall, found.f1) == (0.5, 0.5, 0.5)


def test_matches_by_hand() -> None:
    # 5–10 lies in 0–10: worth 1 for precision and ½ for recall; 20–25 is not matched. The other text has
    # nothing on both sides. Micro: 1 of 2, ½ of 1; macro: (2·½·½ / (½ + ½) + 1) / 2.
    found = partial_match([[(0, 10, MINOR)], []], [[(5, 10, MINOR), (20, 25, MINOR)], []])
    assert (found.micro.precision, found.micro.recall, found.micro.f1) == (0.5, 0.5, 0.5)
    assert found.macro_f1 == 0.75


def test_a_span_is_matched_once() -> None:
    """Two halves do not find a span twice: the longer one does, and the other is for nothing."""
    # 0–6 of 0–10: F 12/16; 6–10: 8/14.
    assert match_counts([(0, 10, MINOR)], [(0, 6, MINOR), (6, 10, MINOR)]) == (1.0, 2, 0.6, 1)


def test_the_best_matching_is_not_the_greedy_one() -> None:
    # Greedy: B–b (F 1), and A stays alone: 1. A–b (8/14) and B–a (8/10) are worth more: 48/35.
    gold = [(4, 14, MINOR), (0, 4, MINOR)]
    predicted = [(0, 4, MINOR), (0, 6, MINOR)]
    precise, recalled = next(iter(oracle.match_counts(gold, predicted)))
    found = match_counts(gold, predicted)
    assert found[0] == pytest.approx(precise)
    assert found[2] == pytest.approx(recalled)


def test_another_severity_costs_what_is_asked() -> None:
    gold, predicted = [[(0, 4, MAJOR)]], [[(0, 4, MINOR)]]
    assert partial_match(gold, predicted).micro.f1 == 1.0
    assert partial_match(gold, predicted, severity_penalty=0.25).micro.f1 == 0.75
    assert character_overlap(gold, predicted).f1 == 0.5


def test_nothing_marked() -> None:
    assert math.isnan(character_overlap([[]], [[]]).f1)
    assert math.isnan(partial_match([[]], [[]]).micro.f1)
    assert partial_match([[]], [[]]).macro_f1 == 1.0
    assert math.isnan(partial_match([], []).macro_f1)
    found = character_overlap([[(0, 1, MINOR)]], [[]])
    assert math.isnan(found.precision)
    assert (found.recall, found.f1) == (0.0, 0.0)
    assert partial_match([[(0, 1, MINOR)]], [[]]).micro.f1 == 0.0
    assert partial_match([[]], [[(0, 1, MINOR)]]).macro_f1 == 0.0


@given(marked, marked)
def test_characters_are_those_of_the_oracle(one: list[Span], other: list[Span]) -> None:
    assert character_counts(one, other) == oracle.character_counts(one, other)


@given(marked, marked, st.sampled_from([0.0, 0.5, 1.0]))
def test_the_matching_is_one_of_the_best(
    one: list[Span], other: list[Span], penalty: float
) -> None:
    precise, predicted, recalled, gold = match_counts(one, other, severity_penalty=penalty)
    assert (predicted, gold) == (len(other), len(one))
    best = oracle.match_counts(one, other, penalty)
    assert any((precise, recalled) == pytest.approx(worth, abs=1e-8) for worth in best)
    if len(best) == 1:  # else another of the best may be taken the other way round
        turned = match_counts(other, one, severity_penalty=penalty)
        assert turned == pytest.approx((recalled, gold, precise, predicted))


@given(marked)
def test_equal_spans_agree(one: list[Span]) -> None:
    if one:
        assert character_overlap([one], [one]).f1 == 1.0
        assert partial_match([one], [one], severity_penalty=1.0).micro.f1 == pytest.approx(1.0)


@given(texts)
def test_bounds_and_symmetry(pairs: list[tuple[list[Span], list[Span]]]) -> None:
    gold, predicted = [one for one, _ in pairs], [other for _, other in pairs]
    found = character_overlap(gold, predicted)
    turned = character_overlap(predicted, gold)
    assert (found.precision, found.recall, found.f1) == pytest.approx(
        (turned.recall, turned.precision, turned.f1), nan_ok=True
    )
    matched = partial_match(gold, predicted)
    numbers = [
        found.precision, found.recall, found.f1,
        matched.micro.precision, matched.micro.recall, matched.micro.f1, matched.macro_f1,
    ]  # fmt: skip
    assert all(math.isnan(number) or 0 <= number <= 1 + 1e-12 for number in numbers)


@given(texts)
def test_the_order_of_spans_and_texts_does_not_matter(
    pairs: list[tuple[list[Span], list[Span]]],
) -> None:
    turned = [(one[::-1], other[::-1]) for one, other in pairs[::-1]]
    for measure in (character_overlap, partial_match):
        first, again = (
            measure([one for one, _ in each], [other for _, other in each])
            for each in (pairs, turned)
        )
        # Sums in another order may differ in the last bit.
        assert _numbers(first) == pytest.approx(_numbers(again), nan_ok=True)


def _numbers(found: object) -> list[float]:
    values = [getattr(found, name) for name in type(found).__slots__]  # type: ignore[attr-defined]
    return [n for v in values for n in ([v] if isinstance(v, float) else _numbers(v))]


def test_many_spans_are_matched_quickly() -> None:
    """A text of thousands of words, each marked by both sides, falls into groups of a few."""
    edges = list(range(0, 40_000, 5))
    one = [(start, end, MINOR) for start, end in pairwise(edges)]
    precise, predicted, recalled, gold = match_counts(one, one)
    assert precise == predicted == recalled == gold == len(one)
