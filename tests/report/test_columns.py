"""Tables that fit, whatever is in them and however wide the screen is."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from metaphrase.report.terminal.columns import Cell, Columns, folded, one_line, visible
from report.screen import on_screen

METRICS = [f"metric{i}" for i in range(12)]


def table(name: str, metrics: list[str]) -> Columns:
    rows = [
        [Cell(name), *(Cell(f"{10.0**i:.4f}") for i, _ in enumerate(metrics))] for _ in range(2)
    ]
    return Columns(["system", *metrics], rows, [False, *(True for _ in metrics)])


@pytest.mark.parametrize("width", [40, 60, 80, 200])
@pytest.mark.parametrize("name", ["a", "long name " * 6, "x" * 60, "系统" * 15, "é\u0301" * 30])
def test_no_line_is_wider_than_the_screen_and_every_number_is_whole(name: str, width: int) -> None:
    lines = list(table(name, METRICS).lines(width))
    assert max(map(cell_len, lines)) <= width
    numbers = " ".join(lines).split()
    assert all(numbers.count(f"{10.0**i:.4f}") == 2 for i in range(12))


def test_a_table_that_does_not_fit_becomes_several_with_the_same_first_column() -> None:
    lines = list(table("mine", METRICS[:6]).lines(40))
    assert [line.split()[0] for line in lines if line] == ["system", "mine", "mine"] * 3
    assert lines.count("") == 2


def test_without_a_width_each_row_is_one_line() -> None:
    assert len(list(table("x" * 500, METRICS).lines())) == 3


def test_what_is_printed_is_what_the_plain_lines_say() -> None:
    shown = on_screen([table("系统 " * 20, METRICS)], width=60)
    assert shown.splitlines() == list(table("系统 " * 20, METRICS).lines(60))


def test_headings_of_numbers_are_folded_between_their_parts() -> None:
    header = ["system", "tesla-m:alpha=0.5:synonyms=none"]
    lines = list(Columns(header, [[Cell("a"), Cell("0.5000")]], [False, True]).lines(30))
    assert [line.split()[-1] for line in lines[:2]] == ["tesla-m:alpha=0.5:", "synonyms=none"]


def test_signatures_end_lines_behind_a_bar_and_lose_nothing() -> None:
    signature = "tesla-m|nrefs:1|lang:en|analyser:builtin:en@899da3592f41b926.1|version:1"
    lines = list(one_line(signature).lines(40))
    assert "".join(lines) == signature
    assert all(line.endswith("|") for line in lines[:-1])


@pytest.mark.parametrize("width", [1, 2, 7])
def test_a_word_longer_than_the_line_is_cut_into_lines(width: int) -> None:
    for text in ("x" * 50, "abc " + "y" * 20, " ", ""):
        lines = folded(text, width)
        assert max(map(cell_len, lines)) <= width
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_characters_that_steer_or_hide_are_shown_and_blanks_are_blanks() -> None:
    assert visible("a\x1b[31mb\x9b\u202e\x00\n") == "a\ufffd[31mb\ufffd\ufffd\ufffd\ufffd"
    assert visible("12\u00a0000\u3000日本 e\u0301 😀") == "12 000 日本 e\u0301 😀"
