"""Commands on parsed files: segments won, and explanations that show relations."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.bundled import Answers, Fails, Prints
from metaphrase.cli import main
from report.written_pages import shown


@pytest.fixture
def table_3(examples: Path) -> list[str]:
    reference, first, second = (
        str(examples / f"table-3-{name}.conllu") for name in ("reference", "first", "second")
    )
    return [reference, "-i", first, second, "-m", "cobalt:paraphrases=none"]


def test_segments_won_stand_below_the_scores(table_3: list[str], prints: Prints) -> None:
    out = prints("score", *table_3, "--wins")
    assert "0.8043" in out
    assert "wins 100.0 %" in out
    assert "segment  " not in out


@pytest.mark.parametrize("metric", ["cobalt", "cobalt:released", "cobalt:paper"])
def test_the_figures_of_the_papers_table_3_can_be_read_off(
    examples: Path, prints: Prints, metric: str
) -> None:
    # Fomicheva et al. 2015, Table 3: .804 and .646; penalties .426 (voter) and .286 (Obama).
    reference, first, second = (
        str(examples / f"table-3-{name}.conllu") for name in ("reference", "first", "second")
    )
    out = prints("score", reference, "-i", first, second, "-m", metric)
    assert re.search(r"^table-3-first +0\.804\d", out, re.M)
    assert re.search(r"^table-3-second +0\.646\d", out, re.M)
    why = prints("explain", "--details", reference, "-i", second, "-m", metric)
    for word, penalty in (("voter", "0.426"), ("Obama", "0.286")):
        assert re.search(rf"^{word} .* identical +1\.00 +{penalty} ", why, re.M)


def test_segments_won_are_in_json_and_tsv(
    table_3: list[str], prints: Prints, answers: Answers
) -> None:
    systems = answers("score", *table_3, "--wins", "share")["systems"]
    assert [system["wins"] for system in systems] == [
        {"cobalt:paraphrases=none": share} for share in (1.0, 0.0)
    ]
    assert [system["segments"] for system in systems] == [[], []]
    rows = prints("score", *table_3, "--wins", "--format", "tsv").splitlines()
    assert (
        "wins\ttable-3-first\t\t\tcobalt:paraphrases=none\t1.0\t\t\t\t\t\t\t\t\t0\t\t\t\t\t" in rows
    )


def test_segments_won_go_with_system_scores(table_3: list[str], fails: Fails) -> None:
    fails(2, "MP533", "score", *table_3, "--wins", "--level", "segment")


def test_an_explanation_shows_the_relations_that_cost_something(
    table_3: list[str], prints: Prints
) -> None:
    out = prints("explain", *table_3)
    assert re.search(r"“of voter” now goes with “despair” +prep_of", out)
    assert re.search(r"“voter” is no longer the owner of “cry” +poss", out)


def test_an_explanation_can_be_a_page(table_3: list[str], tmp_path: Path) -> None:
    page = tmp_path / "why.html"
    assert main(["explain", *table_3, "--segment", "1", "--format", "html", "-o", str(page)]) == 0
    records = [record for _, record in shown(page.read_text("utf-8"))]
    assert [record["metric"] for record in records] == ["cobalt", "cobalt"]
