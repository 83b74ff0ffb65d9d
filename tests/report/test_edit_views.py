"""An edit sequence in the terminal: every edit has its line, jumps need no colour, and all adds up."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from rich.cells import cell_len

from metaphrase.cli.output import print_view
from metaphrase.metrics import Edit, Explanation
from metaphrase.report import explanation_view
from report.edited_sentence import JUMPING
from report.screen import on_screen


def drawn(explanation: Explanation, *, colour: str | None = None) -> str:
    return on_screen(explanation_view(explanation, title="segment 1"), colour=colour)


def as_if(explanation: Explanation, form: str) -> Explanation:
    """The explanation with another word in every place."""
    sides = {
        side: tuple(replace(word, form=form) for word in getattr(explanation, side))
        for side in ("reference", "hypothesis")
    }
    return replace(explanation, **sides)


class TestTheTerminal:
    def test_every_edit_has_its_line_in_the_order_of_the_sequence(self) -> None:
        lines = drawn(JUMPING).splitlines()
        header = next(i for i, line in enumerate(lines) if "edit" in line and "adds" in line)
        table = lines[header + 1 : header + 1 + len(JUMPING.edits)]
        for line, edit in zip(table, JUMPING.edits, strict=True):
            assert edit.state.replace("_", " ") in line
            assert f"{edit.contribution:+.4f}" in line

    def test_jumps_are_brackets_with_their_distances(self) -> None:
        text = drawn(JUMPING)
        gutter = [line[0] for line in text.splitlines() if line[:1] in tuple("╭│├╰")]
        assert "".join(gutter) == "╭│├││╰"
        assert "→ 2 words" in text
        assert "← 4 words" in text

    def test_without_jumps_there_is_no_gutter(self) -> None:
        plain = replace(JUMPING, edits=tuple(edit for edit in JUMPING.edits if not edit.jump))
        assert not set("╭│├╰→←") & set(drawn(plain))

    def test_dependencies_are_named(self) -> None:
        assert "word + subject" in drawn(JUMPING)

    def test_the_parts_of_the_score_are_listed_and_summed(self) -> None:
        numbers = re.findall(r"[+-]\d\.\d{4}", drawn(JUMPING))
        *edits, best, others, constant, score = map(float, numbers)
        assert round(sum(edits), 4) == best
        assert round(best + others + constant, 4) == score == 0.5

    def test_it_fits_80_columns_whatever_the_words(self) -> None:
        for form in ("incomprehensibility", "雨伞雨伞雨伞雨伞雨伞雨伞", "x" * 200):
            long = as_if(JUMPING, form)
            long = replace(
                long,
                edits=(*long.edits, Edit("paraphrase", (7, 8), (7, 8), -1.0, ("predicative",))),
            )
            assert max(map(cell_len, drawn(long).splitlines())) <= 80

    def test_colour_is_optional(self) -> None:
        assert "\x1b[" in drawn(JUMPING, colour="truecolor")
        assert "\x1b[" not in drawn(JUMPING)

    def test_a_pipe_gets_the_same_lines(self, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
        print_view(explanation_view(JUMPING, title="segment 1"))
        piped = capfdbinary.readouterr().out.decode()
        assert [line.rstrip() for line in drawn(JUMPING).splitlines()] == piped.splitlines()

    def test_control_characters_do_nothing(self) -> None:
        assert "\x1b" not in drawn(as_if(JUMPING, "\x1b[2J\u202e"))

    def test_a_note_is_read_before_the_edits(self) -> None:
        text = drawn(replace(JUMPING, notes=("jumps were limited.",)))
        assert text.index("note: jumps were limited.") < text.index("jump forward")

    def test_bars_show_their_sign_without_colour(self) -> None:
        largest = max(abs(edit.contribution) for edit in JUMPING.edits)
        lines = drawn(JUMPING).splitlines()
        for edit in JUMPING.edits:
            if abs(edit.contribution) < largest / 6:
                continue
            bars = [line for line in lines if f"{edit.contribution:+.4f}  " in line]
            assert bars
            assert all(("░" if edit.contribution < 0 else "█") in bar for bar in bars)
        assert "░" in "".join(lines)

    def test_two_empty_sentences_have_the_same_layout(self) -> None:
        empty = replace(JUMPING, hypothesis=(), reference=(), links=(), leftovers=(), edits=())
        text = drawn(empty)
        assert "part of the score" in text
        assert "score                   +0.5000" in text

    def test_edits_that_all_add_nothing_are_drawn(self) -> None:
        edits = tuple(replace(edit, contribution=0.0) for edit in JUMPING.edits)
        assert "█" not in drawn(replace(JUMPING, edits=edits))


def test_json_has_the_edits_and_their_jumps() -> None:
    record = json.loads(json.dumps(JUMPING.to_dict(), allow_nan=False))
    assert record["edits"][0]["jump"] == {
        "side": "hypothesis",
        "start": 0,
        "target": 2,
        "moved": [],
    }
    assert record["edits"][4]["dependencies"] == ["subject"]
    assert record["edits"][6] == {
        "state": "insert",
        "reference": [],
        "hypothesis": [4],
        "contribution": -0.06,
        "dependencies": [],
        "jump": None,
    }
