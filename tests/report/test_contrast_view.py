"""What a terminal shows of two translations."""

from __future__ import annotations

from metaphrase.metrics import create
from metaphrase.report import contrast_view
from report.screen import on_screen

REFERENCE = "He doesn't remember who gave him the letter."
GOOD = "He does not remember who gave him the letter."
BAD = "He reminds himself not, who has given him the letter."


def seen(metric: str, one: str = GOOD, other: str = BAD, reference: str = REFERENCE) -> list[str]:
    found = create(metric).contrast(one, other, reference)
    return on_screen(contrast_view(found, better="a", worse="b", title="segment 1")).splitlines()


def cells(line: str) -> list[str]:
    return [cell for cell in line.split("  ") if cell]


def test_the_better_one_is_named_with_what_it_is_ahead() -> None:
    found = create("accord").contrast(GOOD, BAD, REFERENCE)
    lines = seen("accord")
    assert lines[0].startswith(f"accord {found.better_score:.4f} against {found.worse_score:.4f}")
    ahead = f"a scores higher than b by {found.difference:.4f}, for these parts of the score:"
    assert ahead in lines


def test_parts_stand_side_by_side_and_end_with_the_score() -> None:
    found = create("accord").contrast(GOOD, BAD, REFERENCE)
    lines = seen("accord")
    start = next(i for i, line in enumerate(lines) if line.startswith("part of the score"))
    assert lines[start].split()[-3:] == ["a", "b", "difference"]
    assert lines[start + 1].startswith(found.parts[0].name)
    end = lines[start + 1 + len(found.parts)]
    assert end.split() == [
        "score",
        f"{found.better_score:.4f}",
        f"{found.worse_score:.4f}",
        f"{found.difference:+.4f}",
    ]


def test_words_stand_beside_what_became_of_them() -> None:
    rows = [[cell.strip() for cell in cells(line)] for line in seen("cobalt")]
    assert ["does", "does", "missing"] in rows
    assert ["gave", "gave", "given (lemma 0.90, context −0.20)"] in rows
    assert ["–", "himself: too many"] in rows


def test_where_less_is_better_the_better_one_scores_lower() -> None:
    assert any(
        line.startswith("a scores lower than b by") and ", and lower is better" in line
        for line in seen("ter")
    )


def test_long_names_are_cut_only_where_they_still_differ() -> None:
    found = create("cobalt").contrast(GOOD, BAD, REFERENCE)
    same = "x" * 40
    whole = on_screen(contrast_view(found, better=f"{same}1", worse=f"{same}2"), width=200)
    assert f"{same}1  {same}2" in whole
    heads = on_screen(contrast_view(found, better=f"1{same}", worse=f"2{same}"), width=200)
    assert f"1{'x' * 18}…  2{'x' * 18}…" in heads


def test_equal_scores_are_called_so() -> None:
    assert "a and b have the same score." in seen("cobalt", BAD, BAD)


def test_a_text_cannot_steer_the_terminal() -> None:
    hostile = "He \x1b[31m gave \u202e him"
    shown = "\n".join(seen("cobalt", hostile, "", "He \x1b gave"))
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def test_which_one_raters_would_prefer_is_below_the_scores() -> None:
    found = create("cobalt").contrast(GOOD, BAD, REFERENCE)
    view = contrast_view(found, better="a", worse="b", raters="raters would prefer a")
    assert on_screen(view).splitlines()[1] == "raters would prefer a"
    assert not any("raters" in line for line in seen("cobalt"))
