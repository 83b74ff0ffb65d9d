"""``metaphrase explain --format html`` in a browser: the explanation is there at once, drawn, and safe."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.page_checks import contrast, violations
from browser.written_reports import HOSTILE, MARKUP
from metaphrase import TeslaM
from metaphrase.cli import main
from metaphrase.metrics.pbe.metric import Pbe
from metaphrase.report import explanation_html, explanation_page
from oracle.small_tesla import small_tesla
from report.edited_sentence import JUMPING, words

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]
#: How far the arcs, without the invisible strip that the pointer finds them by, leave the drawing.
OUTSIDE = """
() => {
  const drawing = document.querySelector(".explain-drawing svg");
  const { width, height } = drawing.viewBox.baseVal;
  return [...drawing.querySelectorAll(".explain-jump :is(.explain-line, .explain-head)")]
    .map((path) => path.getBBox())
    .map((box) => Math.max(-box.x, -box.y, box.x + box.width - width, box.y + box.height - height))
    .filter((excess) => excess > 0);
}
"""
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def opened(open_report: Open, tmp_path: Path) -> Callable[[str], Page]:
    def show(content: str) -> Page:
        page = tmp_path / "why.html"
        page.write_text(content, encoding="utf-8")
        return open_report(page, ready=".why .explain")

    return show


def test_the_explanation_is_in_sight_below_its_texts(open_report: Open, tmp_path: Path) -> None:
    page = tmp_path / "why.html"
    texts = [str(EXAMPLES / f"{name}.txt") for name in ("reference", "system-a", "system-b")]
    command = ["explain", texts[0], "-i", *texts[1:], "-m", "cobalt", "--format", "html"]
    assert main([*command, "-o", str(page)]) == 0
    shown = open_report(page, ready=".why .explain")
    assert shown.get_by_role("heading", level=1).inner_text() == "Explanation by cobalt"
    assert shown.get_by_role("heading", level=2).inner_text() == "Segment 5, system-b"
    assert shown.title().startswith("cobalt: “Scientists have in the mountains")
    assert shown.locator(".given del").count() > 0
    assert shown.locator(".given ins").count() > 0
    repairs = shown.locator(".explain-repairs table").bounding_box()
    assert repairs is not None
    assert repairs["y"] + repairs["height"] < 900  # without scrolling
    assert shown.locator("table.systems, .grid").count() == 0
    assert violations(shown) == []
    assert contrast(shown)["poor"] == []


def test_every_reference_has_its_explanation_and_says_whether_it_counts(
    open_report: Open, tmp_path: Path
) -> None:
    texts = {"a": "a dog barked", "b": "the cat sat down", "system": "the cat sat"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text + "\n")
    a, b, system = (str(tmp_path / name) for name in texts)
    page = tmp_path / "why.html"
    command = ["explain", a, b, "-i", system, "-m", "tesla-m", "cobalt", "--format", "html"]
    assert main([*command, "-o", str(page)]) == 0
    shown = open_report(page, ready=".why .explain")
    assert shown.locator("h2").all_inner_texts() == ["system"]
    assert shown.locator(".given h3").all_inner_texts() == [
        "Reference 1",
        "Reference 2",
        "Hypothesis",
    ]
    assert shown.locator(".why > p").all_inner_texts() == [
        "Reference 1 of 2, averaged",
        "Reference 2 of 2, averaged",
        "Reference 1 of 2, not the best: ignored",
        "Reference 2 of 2, the best: counts",
    ]
    assert shown.locator(".why .explain h4").count() == 4


def test_every_edit_has_its_row_and_every_jump_its_arc(opened: Callable[[str], Page]) -> None:
    page = opened(explanation_html(JUMPING, title="segment 1"))
    rows = page.locator(".explain-edits tbody tr").all_inner_texts()
    for row, edit in zip(rows, JUMPING.edits, strict=True):
        assert edit.state.replace("_", " ") in row
        assert f"{edit.contribution:+.4f}".replace("-", "−") in row
    assert page.locator(".explain-jump").count() == 3
    assert page.locator(".explain-link").count() == 7
    assert "+0.5000" in page.locator(".explain").inner_text()
    assert page.locator(".why > p").inner_text() == "Segment 1"


@pytest.mark.parametrize("side", ["reference", "hypothesis"])
def test_arcs_stay_inside_the_drawing_even_behind_the_last_word(
    opened: Callable[[str], Page], side: str
) -> None:
    moved = [
        replace(edit, jump=replace(edit.jump, side=side)) if edit.jump else edit
        for edit in JUMPING.edits
    ]
    last = moved[5].jump
    assert last is not None
    moved[5] = replace(moved[5], jump=replace(last, target=len(getattr(JUMPING, side))))
    page = opened(explanation_html(replace(JUMPING, edits=tuple(moved))))
    assert page.locator(".explain-jump").count() == 3
    assert page.evaluate(OUTSIDE) == []


def test_phrases_and_readings_are_shown(opened: Callable[[str], Page]) -> None:
    phrases = Pbe().explain(
        "In towns, strong rain caused a flood on Tuesday.",
        "Heavy rain caused floods in several villages.",
    )
    tesla = small_tesla().explain(
        "The rain caused flooding on Tuesday.", "Heavy rain caused floods on Tuesday, Querrien."
    )
    page = opened(explanation_page([phrases, tesla]))
    first, second = page.locator(".why").all()
    assert first.locator(".explain-link").count() == 4
    assert first.locator(".explain-phrase").count() == 9
    assert "villages ≈ towns" in (first.text_content() or "")
    text = second.text_content() or ""
    for part in (
        "Heavy rain→ stark regen 1.00",
        "Querrien→ unknown",
        "regen verursachen",
        "flooding",
    ):
        assert part in text
    assert f"{sum(tesla.summands.values()):+.4f}".replace("-", "−") in text


def test_texts_are_shown_as_texts(opened: Callable[[str], Page]) -> None:
    evil = [
        TeslaM().explain(text, reference)
        for text, reference in ((HOSTILE[0], HOSTILE[5]), (HOSTILE[1], "A plain sentence ."))
    ]
    form = tuple(replace(word, form=MARKUP) for word in JUMPING.hypothesis)
    page = opened(explanation_page([*evil, replace(JUMPING, hypothesis=form, notes=(MARKUP,))]))
    assert page.title() == "3 explained translations"
    assert page.locator("#app :is(img, script, style, u)").count() == 0
    text = page.locator("#app").text_content() or ""
    for part in (MARKUP, HOSTILE[5], "left ⟨U+202E⟩right-to-left override⟨U+202C⟩", "⟨U+0007⟩"):
        assert part in text
    assert not {"\u202e", "\x07"} & set(text)


def test_text_from_right_to_left_is_drawn_so(opened: Callable[[str], Page]) -> None:
    hebrew = "שלום עולם טוב"
    sides = dict.fromkeys(("hypothesis_text", "reference_text"), hebrew)
    plain = replace(JUMPING, **sides, hypothesis=words(hebrew), reference=words(hebrew))
    page = opened(explanation_html(replace(plain, links=(), leftovers=(), edits=())))
    passage = page.locator(".given .passage").first
    assert passage.evaluate("text => getComputedStyle(text).direction") == "rtl"
    boxes = [word.bounding_box() for word in page.locator(".explain-word").all()[:2]]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["x"] > boxes[1]["x"]
