"""Tables to paste into Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from metaphrase import Corpus, create, score
from metaphrase.report import score_latex, score_markdown
from metaphrase.report.pasted_tables import latex_text, markdown_text
from metaphrase.scoring import Scores
from metaphrase.scoring.ranking import rank_scores

RIGHT, WRONG = "the cat sat on the old mat", "a dog slept here"


@pytest.fixture(scope="module")
def scores() -> Scores:
    systems = {
        name: [RIGHT] * right + [WRONG] * (30 - right)
        for name, right in (("good_1", 30), ("al|so", 28), ("bad & 5%", 5))
    }
    found = score(
        Corpus(systems, [[RIGHT] * 30]), ["ter"], keep_statistics=True, check_language=False
    )
    return replace(found, rankings={"ter": rank_scores(create("ter"), found)})


def test_markdown_has_the_best_in_bold_and_marks_what_is_like_it(scores: Scores) -> None:
    lines = list(score_markdown(scores))
    assert "| rank | system | ter ↓ |" in lines
    assert "| --- | --- | ---: |" in lines
    best, alike, other = (line for line in lines if line.startswith(("| 1–2 |", "| 3 |")))
    assert best.startswith(r"| 1–2 | good\_1 | **0.00** ±")
    # Two segments differ, too few for any test.
    assert alike.startswith(r"| 1–2 | al\|so | 6.67† ±")
    assert "†" not in other
    assert "**" not in other
    assert any(line.startswith("`ter|nrefs:1|") for line in lines)


def test_latex_is_escaped(scores: Scores) -> None:
    lines = list(score_latex(scores))
    assert r"\begin{tabular}{llr}" in lines
    assert r"\toprule" in lines
    text = "\n".join(lines)
    assert r"good\_1 & \textbf{0.00} $\pm$" in text
    assert r"al\textbar{}so & 6.67$^{\dagger}$ $\pm$" in text
    assert r"bad \& 5\%" in text
    assert r"ter\textbar{}\allowbreak{}nrefs:1" in text


@pytest.mark.parametrize("written", [score_markdown, score_latex])
def test_other_levels_and_pairs_are_tables_too(
    written: Callable[[Scores], Iterable[str]], scores: Scores
) -> None:
    pairs = "\n".join(written(replace(scores, all_pairs=True)))
    assert "differences (row" in pairs
    levels = score(
        Corpus({"a": [RIGHT]}, [[WRONG]], documents=["d_1"]), ["ter"], levels=["document"]
    )
    assert r"d\_1" in "\n".join(written(levels))


def test_nothing_steers_a_terminal_or_ends_a_row() -> None:
    assert "\x1b" not in latex_text("\x1b[31m")
    assert markdown_text("a\nb|c") == "a�b\\|c"
