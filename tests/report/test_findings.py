"""Findings for people: marks stand below what they mark, wherever the text is folded."""

from __future__ import annotations

from io import StringIO

from rich.cells import cell_len
from rich.console import Console

from metaphrase.report.terminal.finding_view import MarkedText


def drawn(text: str, *places: tuple[int, int], width: int = 40) -> list[str]:
    screen = StringIO()
    console = Console(file=screen, width=width, color_system=None)
    console.print(MarkedText("target", text, [(*place, "red") for place in places]))
    return [line.rstrip() for line in screen.getvalue().splitlines()]


def test_marks_stand_below_what_they_mark() -> None:
    assert drawn("Die 21 Katzen", (4, 6)) == ["  target  Die 21 Katzen", "              ^^"]


def test_wide_characters_count_twice() -> None:
    (text, marks) = drawn("打开 21", (3, 5))
    assert cell_len(text[: text.index("21")]) == marks.index("^")


def test_a_folded_text_has_its_marks_in_every_line() -> None:
    text = "eins zwei drei vier fünf sechs sieben acht neun zehn elf"
    lines = drawn(text, (25, 37))
    assert [set(line) - {" "} == {"^"} for line in lines] == [False, True, False, True]


def test_what_is_missing_is_marked_where_it_should_be() -> None:
    assert drawn("", (0, 0)) == ["  target", "          ^"]


def test_line_breaks_are_shown_and_nothing_moves_the_cursor() -> None:
    (text, _) = drawn("a\nb\x1b[31m", (0, 1))
    assert text == "  target  a↵b\N{REPLACEMENT CHARACTER}[31m"
