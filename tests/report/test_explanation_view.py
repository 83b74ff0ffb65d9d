"""The terminal view of an explanation says in words what its colours say."""

from __future__ import annotations

from rich.cells import cell_len

from metaphrase import Celab, Metric, TeslaM, create
from metaphrase.report import details_view
from report.screen import on_screen


def drawn(
    hypothesis: str,
    reference: str,
    *,
    metric: Metric | None = None,
    width: int = 80,
    colour: str | None = None,
) -> str:
    explanation = (metric or TeslaM()).explain(hypothesis, reference)
    return on_screen(details_view(explanation, title="segment 1"), width=width, colour=colour)


def test_the_words_that_were_lost_are_named() -> None:
    text = drawn("The cat zzyzx.", "The cat slept on Monday.")
    assert "missing" in text
    assert "Monday" in text.split("missing")[1].splitlines()[0]


def test_a_phrase_that_one_layer_has_matched_is_not_without_a_match() -> None:
    # "cats sit" is "cat sat" by lemmas and not by tags, "mat of" is nothing in either way.
    text = drawn("A cat sat on the mat.", "The cats sit on a mat of Querrien.")
    lost = text.partition("without a match:")[2]
    assert "cats sit" not in lost
    assert "mat of" in lost


def test_every_feature_has_its_line() -> None:
    text = drawn("A cat.", "The cat.")
    for n in (1, 2, 3):
        assert f"{n}-grams by lemma/synonym/tag" in text
        assert f"{n}-grams by tag" in text


def test_it_fits_80_columns_whatever_the_words() -> None:
    text = drawn("An incomprehensibility " * 12, "Donaudampfschifffahrtsgesellschaft " * 9)
    assert max(map(len, text.splitlines())) <= 80


def test_markup_in_text_is_text() -> None:
    assert "[bold]" in drawn("a [bold] move", "a [bold] move").replace("[ bold ]", "[bold]")


def test_empty_sides_can_be_drawn() -> None:
    assert "0.0000" in drawn("", "The cat.")
    assert "tesla-m 1.0000" in drawn("", "")


def test_colour_is_optional() -> None:
    assert "\x1b[" in drawn("a cat", "the dog", colour="truecolor")
    assert "\x1b[" not in drawn("a cat", "the dog")


def test_characters_that_touch_are_drawn_as_they_are_written_and_columns_line_up() -> None:
    metric = Celab(dictionary="none")
    lines = drawn("他有3把伞 ok", "我有3把雨伞 ok", metric=metric).splitlines()
    assert any("我有 3 把雨伞 ok" in line for line in lines)
    header = next(line for line in lines if line.startswith("reference  ") and "why" in line)
    row = next(line for line in lines if line.startswith("有 3 把"))
    assert cell_len(header[: header.index("why")]) == cell_len(row[: row.index("identical")])


def test_long_chinese_text_fits_80_columns() -> None:
    text = drawn(
        "今天天气很好我们去公园" * 9, "今天天气很好我们去公园" * 9, metric=Celab(dictionary="none")
    )
    assert max(map(cell_len, text.splitlines())) <= 80


def test_where_raters_place_a_single_segment_is_not_shown() -> None:
    metric = create("accord")
    assert metric.explain("A cat sat.", "The cat sat.").prediction is not None
    text = drawn("A cat sat.", "The cat sat.", metric=metric)
    assert "people" not in text
    assert "uncertain" not in text
