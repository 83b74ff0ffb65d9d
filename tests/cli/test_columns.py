"""``--columns``: tables whose columns have other names than ours, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.bundled import EXAMPLES, REFERENCE, SYSTEMS, Answers, Fails, Prints
from metaphrase.cli import main

LINES = [Path(path).read_text("utf-8").splitlines() for path in (REFERENCE, *SYSTEMS)]
NAMES = "reference=human,hypothesis=mt"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The bundled texts, with names that say nothing to us."""
    path = tmp_path / "exported.tsv"
    rows = ["human\tmt\tnotes\tpost, edited"]
    rows += [f"{r}\t{a}\tx\t{b}" for r, a, b in zip(*LINES, strict=True)]
    path.write_text("\n".join(rows) + "\n", "utf-8")
    return path


def test_scores_are_those_of_the_files(table: Path, answers: Answers) -> None:
    (expected,) = answers("score", REFERENCE, "-i", f"mt={SYSTEMS[0]}", "-m", "chrf")["systems"]
    found = answers("score", "--corpus", table, "--columns", NAMES, "-m", "chrf")["systems"]
    assert found == [expected]


@pytest.mark.parametrize(
    "columns",
    [
        ["--columns", f"{NAMES},hypothesis=post, edited"],
        ["--columns", NAMES, "--columns", "hypothesis=post, edited"],
    ],
)
def test_a_role_given_twice_has_two_columns(
    table: Path, columns: list[str], answers: Answers
) -> None:
    found = answers("score", "--corpus", table, *columns, "-m", "chrf")["systems"]
    assert [system["name"] for system in found] == ["mt", "post, edited"]


def test_other_commands_take_them_too(table: Path, tmp_path: Path, prints: Prints) -> None:
    given = ["--corpus", table, "--columns", NAMES]
    assert "system mt" in prints("explain", *given, "-m", "bleu", "--segment", "1")
    prints("report", *given, "-m", "bleu", "-o", tmp_path / "report.html")
    prints("convert", *given, "--to", "tsv", "-o", tmp_path / "ours.tsv")
    assert (tmp_path / "ours.tsv").read_text("utf-8").startswith("reference\tmt\n")


class TestMistakes:
    @pytest.mark.parametrize(
        ("columns", "code", "words"),
        [
            ("reference", 2, "[MP109] --columns: 'reference' gives no column a role."),
            ("reference=", 2, "[MP109]"),
            ("speaker=human", 2, "[MP109] There is no column role 'speaker'"),
            ("source=human,source=mt", 2, "[MP109] The role 'source' has several columns."),
            ("reference=ref", 1, "lacks a column 'ref'; its columns are 'human', 'mt'"),
        ],
    )
    def test_names_that_make_no_sense(
        self, table: Path, columns: str, code: int, words: str, fails: Fails
    ) -> None:
        fails(code, words, "score", "--corpus", table, "--columns", columns, "-m", "chrf")

    def test_a_table_without_a_reference_says_how_to_name_it(
        self, table: Path, fails: Fails
    ) -> None:
        fails(1, ("MP140", "--columns"), "score", "--corpus", table, "-m", "chrf")

    def test_they_are_for_tables(self, tmp_path: Path, fails: Fails, prints: Prints) -> None:
        texts = [REFERENCE, "-i", SYSTEMS[0]]
        fails(2, ("MP109", "--corpus"), "score", *texts, "--columns", NAMES)
        xml = tmp_path / "test.xml"
        languages = ["--source-language", "de", "--target-language", "en"]
        prints(
            "convert", *texts, "--sources", EXAMPLES / "system-b.txt", "--to", "wmt-xml",
            *languages, "-o", xml,
        )  # fmt: skip
        fails(2, ("MP109", "tables"), "score", "--corpus", xml, "--columns", NAMES)


@pytest.mark.filterwarnings("always:.*MP146")
def test_what_was_not_taken_for_a_system_is_said(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["score", "--corpus", str(table), "--columns", "reference=human", "-m", "chrf"]
    assert main([*command, "--format", "json"]) == 0
    out, err = capsys.readouterr()
    assert [system["name"] for system in json.loads(out)["systems"]] == ["mt", "post, edited"]
    (line,) = (line for line in err.splitlines() if "MP146" in line)
    assert "the systems are 'mt', 'post, edited'; left out: 'notes'" in line
