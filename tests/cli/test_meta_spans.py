"""``metaphrase meta --spans`` on the bundled annotation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.bundled import EXAMPLES, Answers, Fails, Prints

GOLD = str(EXAMPLES / "error-spans.jsonl")
NAMES = ["everything", "unaligned", "no spans"]


def test_a_table_with_baselines_and_gains(prints: Prints) -> None:
    out = prints("meta", GOLD, "--spans", "-m", "chrf", "--resamples", "50")
    assert "example de-en   24 translations of 12 segments, 27 ratings, 30 error spans" in out
    for words in (
        "no spans",
        "gain over",
        "baselines have the severity that suits them best here: everything major, unaligned major",
        "share of errors marked",
        "chrf says",
        "1 error of the source or without a place is left out",
        "95% intervals by a bootstrap over segments (50 resamples)",
        "3 translations have several raters: too few (under 30)",
    ):
        assert words in out


def test_json_has_every_number(answers: Answers) -> None:
    (table,) = answers("meta", GOLD, "--spans", "-m", "chrf", "--resamples", "20")
    assert [row["name"] for row in table["rows"]] == ["chrf", *NAMES]
    everything = table["rows"][1]
    assert everything["marked"] == 1.0
    assert everything["gains"] == {}
    assert set(everything["figures"]) == {
        *("precision", "recall", "character_f1", "micro_f1", "macro_f1")
    }
    assert set(table["rows"][0]["gains"]["micro_f1"]) == {"value", "low", "high"}
    assert table["ceiling"] is None


def test_tsv_by_system(prints: Prints) -> None:
    command = ["meta", GOLD, "--spans", "-m", "chrf", "--by", "system", "--resamples", "0"]
    header, *rows = prints(*command, "--format", "tsv").splitlines()
    cells = [dict(zip(header.split("\t"), row.split("\t"), strict=True)) for row in rows]
    assert {cell["data"] for cell in cells} == {"example a", "example b"}
    assert [cell["role"] for cell in cells[::5]] == ["prediction", *["baseline"] * 3] * 2
    assert cells[2]["over"] in NAMES
    assert all(cell["low"] == "" for cell in cells)


def test_the_raters_own_spans_agree_with_them(answers: Answers, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in Path(GOLD).read_text("utf-8").splitlines()]
    for row in rows:
        row["ratings"] = [{"rater": "mine", "spans": row["ratings"][0]["spans"]}]
        del row["set"], row["lp"], row["doc"]
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows if row["system"] == "a"))
    (table,) = answers("meta", GOLD, "--spans", path, "--resamples", "0")
    mine = table["rows"][0]
    assert (mine["name"], table["translations"], table["of_translations"]) == ("mine", 12, 24)
    assert mine["figures"]["character_f1"]["value"] == 1.0
    assert mine["figures"]["macro_f1"]["value"] == 1.0


def test_a_metric_and_a_rater_of_one_name_are_two(answers: Answers, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in Path(GOLD).read_text("utf-8").splitlines()]
    for row in rows:
        row["ratings"] = [{"rater": "chrf", "spans": []}]
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (table,) = answers("meta", GOLD, "--spans", path, "-m", "chrf", "--resamples", "0")
    assert [row["name"] for row in table["rows"]] == ["chrf", "-m chrf", *NAMES]


def test_a_metric_that_has_learned_from_the_set_is_marked(
    prints: Prints, answers: Answers, tmp_path: Path
) -> None:
    row = json.loads(Path(GOLD).read_text("utf-8").splitlines()[0])
    path = tmp_path / "ted.jsonl"
    path.write_text(json.dumps(row | {"set": "tedmqm", "lp": "zh-en"}) + "\n")
    out = prints("meta", path, "--spans", "-m", "accord", "chrf")
    assert "accord†" in out
    assert "†: trained on scores of this set: accord" in out
    (table,) = answers("meta", path, "--spans", "-m", "accord", "chrf")
    assert table["learned"] == ["accord"]


def test_few_segments_have_no_intervals(prints: Prints, tmp_path: Path) -> None:
    path = tmp_path / "few.jsonl"
    path.write_text("\n".join(Path(GOLD).read_text("utf-8").splitlines()[:3]) + "\n")
    out = prints("meta", path, "--spans", "-m", "chrf")
    assert "too few segments for intervals (fewer than 10)" in out
    assert "–" not in out.splitlines()[2]


def test_mqm_is_told_its_languages_and_references(
    prints: Prints, answers: Answers, fails: Fails, tmp_path: Path
) -> None:
    path = tmp_path / "mqm.tsv"
    path.write_text(
        "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
        "A\td\t1\t1\tr\ts\tThe <v>dog</v> sat.\tAccuracy\tMajor\n"
    )
    references = tmp_path / "ref.txt"
    references.write_text("The cat sat.\n")
    fails(2, ("MP799", "language-pair"), "meta", path, "--spans")
    fails(1, ("MP780", "reference"), "meta", path, "--spans", "--language-pair", "de-en")
    command = ["meta", path, "--spans", "--language-pair", "de-en", "-m", "chrf"]
    (table,) = answers(*command, "--references", references)
    assert table["rows"][0]["figures"]["character_f1"]["value"] == 1.0  # dog, a major error
    assert "no references" in prints(
        "meta", path, "--language-pair", "de-en", "--spans", path, "--resamples", "0"
    )


@pytest.mark.parametrize(
    ("more", "exit_code", "code"),
    [
        (["--spans", "--measure", "pearson"], 2, "MP799"),
        (["--spans", "--judges"], 2, "MP799"),
        (["--spans", "--by", "domain"], 2, "MP799"),
        (["--spans", "--on-error", "skip"], 2, "MP799"),
        (["--spans", "--texts", "a", "b"], 2, "MP799"),
        (["--by", "system"], 2, "MP799"),
        (["--format", "tsv"], 2, "MP799"),
        (["--spans", "--pairs", "cs-en"], 1, "MP784"),
        (["--spans", "no-such-file"], 1, "MP110"),
        (["--spans", "-m", "nonsense"], 2, "MP504"),
        (["--spans", "--resamples", "1000000000000"], 2, "MP740"),
        (["--spans", "-o", GOLD], 2, "MP607"),
    ],
)
def test_mistakes(more: list[str], exit_code: int, code: str, fails: Fails) -> None:
    fails(exit_code, code, "meta", GOLD, *more)


def test_another_text_is_named_with_its_line(fails: Fails, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in Path(GOLD).read_text("utf-8").splitlines()]
    rows[1]["hypothesis"] += " And more."
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    fails(1, ("MP780", "mine.jsonl, line 2"), "meta", GOLD, "--spans", path)


def test_who_wants_scores_of_marked_errors_is_told_of_spans(fails: Fails) -> None:
    fails(1, ("MP793", "--spans compares marked errors"), "meta", GOLD, "-m", "chrf")


def test_what_has_no_marks_is_an_error(fails: Fails) -> None:
    fails(1, "MP791", "meta", EXAMPLES / "reference.txt", "--spans")
