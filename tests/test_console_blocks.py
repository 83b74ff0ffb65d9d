"""Pages are refreshed without losing what their writers left out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from console_blocks import ELISION, exchanges, fits, refreshed

LINES = st.lists(st.sampled_from(["a 1", "a 2", "b 1", "b 2", ""]), max_size=6)


def test_commands_and_what_they_show_are_found() -> None:
    block = "$ one \\\n>     two\nshown\n\nagain\n\n$ three\n$ four\n…\n"
    found = list(exchanges(block))
    assert [(e.command, e.expected) for e in found] == [
        ("one     two", ["shown", "", "again"]),
        ("three", []),
        ("four", ["…"]),
    ]
    assert [block[e.start : e.end] for e in found] == ["shown\n\nagain\n", "", "…\n"]


def test_new_numbers_replace_old_ones_between_elisions() -> None:
    expected = ["segment  bleu", "…", "7  0.52", "8  0.27", "…", "end"]
    found = ["segment  bleu", "", *(f"{i}  0.{i}9" for i in range(1, 10)), "", "end"]
    assert refreshed(expected, found) == ["segment  bleu", "…", "7  0.79", "8  0.89", "…", "end"]


def test_a_row_more_is_shown() -> None:
    expected = ["…", "part  adds", "order  1.0", "length  0.5", "", "sum  1.5"]
    found = ["title", "part  adds", "order  1.1", "grammar  0.3", "length  0.6", "", "sum  2.0"]
    assert refreshed(expected, found) == ["…", *found[1:]]


def test_it_is_not_guessed_which_lines_are_left_out() -> None:
    assert refreshed(["…", "a b c d", "…"], ["e f", "g h"]) is None
    assert refreshed(["…", "a 1", "…"], ["a 2", "a 3"]) is None


@given(st.lists(st.sampled_from(["a 1", "b 1", ELISION]), max_size=6), LINES)
def test_what_is_refreshed_fits(expected: list[str], found: list[str]) -> None:
    new = refreshed(expected, found)
    if new is not None:
        assert fits(new, found)
        assert new.count(ELISION) == expected.count(ELISION)
