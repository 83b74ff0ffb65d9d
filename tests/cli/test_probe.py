"""``metaphrase probe`` on the bundled challenge set, and on texts into which it puts errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.bundled import Answers, Fails, Prints
from metaphrase.probing import read_challenges


class TestProbe:
    def test_a_table_with_intervals_and_ties(self, examples: Path, prints: Prints) -> None:
        out = prints("probe", examples / "probe.tsv", "-m", "bleu", "chrf")
        assert "54 items · 6 kinds of error · 2 metrics" in out
        line = next(line for line in out.splitlines() if "agreement" in line)
        # BLEU: 4 of 7 right, 3 ties (the word is not in the reference anyway); Wilson's interval of 4/7.
        assert line.split()[:6] == ["minor", "agreement", "7", "57.1", "(25.0–84.2)", "42.9"]
        assert "bleu|nrefs:1" in out

    def test_examples_show_both_scores(self, examples: Path, prints: Prints) -> None:
        out = prints("probe", examples / "probe.tsv", "-m", "bleu", "--examples", "1")
        assert "prefers the bad one · " in out
        assert "sees no difference · " in out
        assert "He does remember who gave him the letter." in out

    def test_json_and_tsv_have_the_same_numbers(
        self, examples: Path, answers: Answers, prints: Prints
    ) -> None:
        record = answers("probe", examples / "probe.tsv", "-m", "bleu")
        header, *rows = prints(
            "probe", examples / "probe.tsv", "-m", "bleu", "--format", "tsv"
        ).splitlines()
        named = [dict(zip(header.split("\t"), row.split("\t"), strict=True)) for row in rows]
        assert [(one["kind"], int(one["right"])) for one in named] == [
            (kind["kind"], kind["metrics"]["bleu"]["right"]) for kind in record["kinds"]
        ]

    def test_the_name_of_the_output_says_the_format(
        self, examples: Path, tmp_path: Path, prints: Prints
    ) -> None:
        page = tmp_path / "probe.html"
        assert prints("probe", examples / "probe.tsv", "-m", "bleu", "-o", page) == ""
        text = page.read_text()
        assert text.startswith("<!doctype html>")
        assert "<td>agreement</td><td>57.1</td>" in text  # also without scripts

    def test_a_text_that_a_metric_refuses_is_named_with_its_line(
        self, examples: Path, fails: Fails
    ) -> None:
        fails(
            1,
            ("MP518", "probe.tsv, line 27"),
            "probe",
            examples / "probe.tsv",
            "-m",
            "ter:longest=12",
        )

    @pytest.mark.filterwarnings("always")
    def test_such_items_can_be_left_out(
        self, examples: Path, capsys: pytest.CaptureFixture[str], prints: Prints
    ) -> None:
        command = ["probe", examples / "probe.tsv", "-m", "ter:longest=12", "--on-error", "skip"]
        assert "without 40 items of which a metric refused a text" in prints(*command)

    @pytest.mark.parametrize(
        ("arguments", "exit_code", "code"),
        [
            ([], 2, "MP763"),
            (["probe.tsv", "--kinds", "order"], 2, "MP763"),
            (["probe.tsv", "-m", "nonsense"], 2, "MP504"),
            (["-m", "bleu", "probe.tsv"], 2, "MP602"),
            (["reference.txt"], 1, "MP759"),
            (["nothing.tsv"], 1, "MP110"),
            (["--make", "reference.txt", "probe.tsv"], 2, "MP763"),
            (["--make", "reference.txt", "-m", "bleu"], 2, "MP763"),
            (["--make", "reference.txt", "--kinds", "spelling"], 2, "MP761"),
            (["--make", "reference.txt", "--kinds", "order", "-l", "fi"], 2, "MP762"),
            (["--make", "reference.txt", "-i", "zh/reference.txt"], 1, "MP102"),
            (["--make", "probe.tsv"], 1, "MP609"),
            (["probe.tsv", "-o", "probe.tsv"], 2, "MP607"),
        ],
    )
    def test_mistakes(
        self,
        examples: Path,
        fails: Fails,
        monkeypatch: pytest.MonkeyPatch,
        arguments: list[str],
        exit_code: int,
        code: str,
    ) -> None:
        monkeypatch.chdir(examples)
        fails(exit_code, code, "probe", *arguments)


class TestMake:
    def test_the_bundled_set_is_what_is_made_of_the_bundled_texts(
        self, examples: Path, tmp_path: Path, prints: Prints
    ) -> None:
        path = tmp_path / "probe.tsv"
        texts = [examples / name for name in ("reference.txt", "system-a.txt", "source.txt")]
        out = prints("probe", "--make", texts[0], "-i", texts[1], "--sources", texts[2], "-o", path)
        assert path.read_text() == (examples / "probe.tsv").read_text()
        assert "2 of 12" in next(line for line in out.splitlines() if "numbers" in line)

    def test_without_an_output_the_set_is_printed(
        self, examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], prints: Prints
    ) -> None:
        out = prints(
            "probe", "--make", examples / "reference.txt", "--kinds", "numbers", "--seed", "7"
        )
        path = tmp_path / "probe.tsv"
        path.write_text(out)
        assert {item.kind for item in read_challenges(path)} == {"numbers"}

    def test_whoever_gives_no_translations_is_told_what_that_means(
        self, examples: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        from metaphrase.cli import main

        assert main(["probe", "--make", str(examples / "reference.txt"), "--kinds", "order"]) == 0
        assert "-i HYP asks more" in capsys.readouterr().err

    def test_kinds_are_listed_for_a_language(self, prints: Prints) -> None:
        rows = [line.split() for line in prints("probe", "--list", "-l", "fi").splitlines()[1:]]
        assert {row[0]: row[2] for row in rows}["numbers"] == "yes"
        assert {row[0]: row[2] for row in rows}["agreement"] == "no"
