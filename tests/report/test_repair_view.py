"""Repairs in the terminal: one screen, the marks of both texts, and points that add up."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import metaphrase
from metaphrase.metrics import Explanation
from metaphrase.report import explanation_view
from report.screen import on_screen

REFERENCE = "The object, according to Bryant, did not have a payload suspended from it."
HYPOTHESIS = "Kobe stated that this object did not have a payload attached to it."


def drawn(explanation: Explanation, width: int = 100, *, details: bool = False) -> str:
    return on_screen(explanation_view(explanation, title="segment 1", details=details), width=width)


def points_of(lines: Sequence[str]) -> list[float]:
    """The last column of the table."""
    return [float(line.split()[-1].replace("−", "-")) for line in lines]


def test_both_texts_have_the_numbers_of_the_table() -> None:
    text = drawn(metaphrase.Chrf().explain(HYPOTHESIS, REFERENCE))
    reference, hypothesis = (
        next(line for line in text.splitlines() if line.startswith(name))
        for name in ("reference", "hypothesis")
    )
    rows = [line for line in text.splitlines() if line[:1].isdigit()]
    assert len(rows) >= 3
    for row in rows:
        assert f"]{row[0]}" in reference
        assert f"]{row[0]}" in hypothesis


@pytest.mark.parametrize("name", ["chrf", "ter", "cobalt"])
def test_what_is_shown_adds_up(name: str) -> None:
    explanation = metaphrase.create(name).explain(HYPOTHESIS, REFERENCE)
    assert explanation.maximum is not None
    _, _, table = drawn(explanation).partition("points\n")
    *rows, last = points_of(table.rstrip().splitlines())
    assert sum(rows) == pytest.approx(last, abs=0.051 * len(rows))
    assert last == pytest.approx(explanation.maximum - explanation.score, abs=0.051)


@pytest.mark.parametrize("words", [30, 100, 300])
def test_it_fits_a_screen_however_long_the_text(words: int) -> None:
    """At most 25 lines of 100 columns."""
    reference = " ".join(f"{word} stands" for word in _words(words))
    hypothesis = " ".join(f"{word} sits" for word in _words(words))
    lines = drawn(metaphrase.Chrf(lang="xx").explain(hypothesis, reference)).rstrip().splitlines()
    assert len(lines) <= 25
    assert max(map(len, lines)) <= 100


def _words(count: int) -> list[str]:
    """Words that are not spelled alike."""
    letters = "bcdfghjklm"
    return ["".join(letters[int(digit)] for digit in str(n * n + 100)) for n in range(count // 2)]


def test_the_reference_itself_needs_nothing() -> None:
    assert "Nothing to repair." in drawn(metaphrase.Chrf().explain("A cat.", "A cat."))


def test_where_hardly_anything_matches_nothing_is_told_apart() -> None:
    text = drawn(metaphrase.Chrf().explain("xyz", "The old man slept."))
    assert "0% of the words match, so nothing can be told apart." in text
    assert "]1" not in text


def test_an_empty_hypothesis_lacks_everything() -> None:
    text = drawn(metaphrase.Chrf().explain("", "The old man slept."))
    assert "The hypothesis is empty: everything is missing." in text


def test_edits_that_change_nothing_are_only_counted() -> None:
    metric = metaphrase.Ter()  # which does not see capitals
    text = drawn(metric.explain("a Cat sat on it", "a cat sat by it"))
    assert "1 without effect" in text
    assert "casing" not in text


def test_details_come_below() -> None:
    explanation = metaphrase.TeslaM().explain(HYPOTHESIS, REFERENCE)
    assert "1-grams by tag" not in drawn(explanation)
    text = drawn(explanation, details=True)
    assert text.index("to the reference") < text.index("1-grams by tag")


class Beyond(metaphrase.Ter):
    """A metric that looks beyond the segment and cannot count what it needs there."""

    @property
    def needs_whole_corpus(self) -> bool:
        return True


def test_metrics_without_repairs_show_their_details() -> None:
    explanation = Beyond().explain("a cat sat", "a cat slept")
    assert explanation.maximum is None
    assert "to the reference" not in drawn(explanation)
    assert "ter" in drawn(explanation)


def test_print_shows_the_same_without_colours() -> None:
    text = str(metaphrase.Chrf().explain(HYPOTHESIS, REFERENCE))
    assert text.startswith("chrf ")
    assert "to the reference, 100.0" in text
    assert "\x1b" not in text
    assert str(Beyond().explain("a", "a")).startswith("<Explanation ter")


def test_control_characters_of_a_text_are_not_sent_to_the_screen() -> None:
    text = drawn(metaphrase.Chrf().explain("a \x1b[31mred\x1b[0m cat sat here", "a cat sat here"))
    assert "\x1b" not in text
