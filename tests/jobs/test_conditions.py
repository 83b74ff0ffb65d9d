"""Conditions mean what Python means by the same words, and nothing else can be written."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.errors import OptionError
from metaphrase.jobs.conditions import parse

NAMES = ("chrf", "tesla", "length")
NUMBERS = st.sampled_from([0.0, 1.0, 2.5, -3.0, 1e2])


@st.composite
def comparisons(draw: st.DrawFn) -> str:
    operand = st.one_of(st.sampled_from(NAMES), NUMBERS.map(repr))
    text = draw(operand)
    for _ in range(draw(st.integers(1, 2))):
        text += f" {draw(st.sampled_from(['<', '<=', '>', '>=', '==', '!=']))} {draw(operand)}"
    return text


conditions = st.recursive(
    comparisons(),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(" ".join),
        inner.map("not {}".format),
        inner.map("({})".format),
    ),
    max_leaves=8,
)
rows = st.lists(st.tuples(*[NUMBERS] * len(NAMES)), min_size=1, max_size=5)


@given(conditions, rows)
def test_a_condition_means_what_python_means_by_it(
    text: str, rows: list[tuple[float, ...]]
) -> None:
    condition = parse(f"chrf == chrf and ({text})")
    columns = {
        name: np.array(values) for name, values in zip(NAMES, zip(*rows, strict=True), strict=True)
    }
    expected = [bool(eval(text, {}, dict(zip(NAMES, row, strict=True)))) for row in rows]
    assert condition.holds(columns).tolist() == expected


@given(st.text(alphabet="ab<>=!() 1.-\"'andort", max_size=12))
def test_whatever_is_written_is_a_condition_or_a_coded_error(text: str) -> None:
    with suppress(OptionError):
        condition = parse(text)
        columns = {name: np.array([1.0]) for name in condition.names}
        assert condition.holds(columns).dtype == bool


def test_names_are_listed_once_in_their_order() -> None:
    assert parse("b > 1 and (a < 2 or b < 0)").names == ("b", "a")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("tesla-m>0.5", "tesla-m"),
        ("chrf++ >= 3", "chrf++"),
        ("chrf:word_order=2>5", "chrf:word_order=2"),
        ("pbe:tfidf+topic:similarity=none != 1", "pbe:tfidf+topic:similarity=none"),
        ('"online A chrf" == 1', "online A chrf"),
        ("größe < 7", "größe"),
        ("bleu:lowercase=yes == 3", "bleu:lowercase=yes"),
    ],
)
def test_metrics_with_options_and_names_in_quotes_are_names(text: str, name: str) -> None:
    assert parse(text).names == (name,)


def test_no_comparison_with_a_value_that_is_not_there_holds() -> None:
    nothing = {"x": np.array([np.nan])}
    assert not any(parse(f"x {sign} 1").holds(nothing)[0] for sign in "< <= > >= == !=".split())


@pytest.mark.parametrize(
    ("text", "place", "found"),
    [
        ("", 1, "the end"),
        ("chrf", 5, "the end"),
        ("chrf > ", 8, "the end"),
        ("chrf = 3", 6, "“= 3”"),
        ("(chrf > 3", 10, "the end"),
        ("chrf > 3)", 9, "“)”"),
        ("chrf > 3 ter < 4", 10, "“ter < 4”"),
        ("chrf > 3 and", 13, "the end"),
        ("chrf > 1..2", 8, "“1..2”"),
        ("__import__('os').system('true')", 11, "“('os').system('true'”"),
        ("(chrf > 3) > 2", 12, "“> 2”"),
    ],
)
def test_an_error_says_where_and_what_was_found(text: str, place: int, found: str) -> None:
    with pytest.raises(OptionError) as error:
        parse(text)
    assert error.value.code == "MP950"
    assert f"at character {place} there is {found}," in error.value.message


def test_a_thousand_parentheses_are_refused_not_followed() -> None:
    with pytest.raises(OptionError, match="MP950"):
        parse("(" * 1000 + "chrf > 1" + ")" * 1000)
    with pytest.raises(OptionError, match="MP950"):
        parse("not " * 100_000 + "chrf > 1")
