"""``--on-error skip`` on the command line: what is skipped is named, counted, and ends nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from metaphrase.cli import main

#: Warnings go to the error stream, as they do for users.
pytestmark = pytest.mark.filterwarnings("always")
LONG = "word " * 20
TER = "ter:longest=10"


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "ref.txt", ["a cat sat"] * 6)
    write(tmp_path / "old.txt", ["a cat sat"] * 6)
    write(tmp_path / "new.txt", ["a cat", LONG, "a dog sat", LONG, "a cat sat", "a cat sat"])
    return tmp_path


def write(path: Path, lines: list[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def score(*arguments: str) -> int:
    common = ["score", "ref.txt", "-i", "old.txt", "new.txt", "-m", TER, "chrf"]
    return main([*common, "--no-language-check", *arguments])


@pytest.mark.usefixtures("texts")
class TestScore:
    def test_stops_unless_it_is_told_to_go_on(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert score() == 1
        named = "[MP518] new.txt, line 2: segment 2 of new ('word word"
        assert named in capsys.readouterr().err

    def test_names_files_and_lines(self, capfd: pytest.CaptureFixture[str]) -> None:
        assert score("--on-error", "skip") == 0
        out, err = capfd.readouterr()
        assert f"new.txt, line 2: skipped by {TER}: [MP518]" in err
        assert f"new.txt, line 4: skipped by {TER}: [MP518]" in err
        assert "2 of 6 segments refused (MP518)" in err
        assert f"{TER}: without 2 of 6 segments" in out
        assert "|skipped:2" in out

    def test_counts_in_every_format(self, capfd: pytest.CaptureFixture[str]) -> None:
        assert score("--on-error", "skip", "--format", "json", "--level", "segment") == 0
        found = json.loads(capfd.readouterr().out)
        assert [one["skipped"] for one in found["metrics"]] == [2, 0]
        assert found["systems"][0]["segments"][1]["scores"][TER] is None
        for form in ("tsv", "csv"):
            assert score("--on-error", "skip", "--format", form) == 0
            header, first, *_ = capfd.readouterr().out.splitlines()
            separator = "\t" if form == "tsv" else ","
            place = header.split(separator).index("skipped")
            assert first.split(separator)[place] == "2"

    def test_tells_ten_and_counts_the_others(
        self, texts: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        write(texts / "ref.txt", ["a cat"] * 20)
        write(texts / "old.txt", ["a cat"] * 20)
        write(texts / "new.txt", [LONG] * 15 + ["a cat"] * 5)
        assert score("--on-error", "skip") == 0
        err = capfd.readouterr().err
        assert err.count("skipped by") == 11
        assert f"5 more skipped by {TER}" in err

    def test_formats_without_gaps_are_refused_at_once(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        folder = ["--format", "wmt16", "--pair", "de-en", "--test-set", "t", "-o", "out"]
        assert score("--on-error", "skip", *folder) == 2
        assert "[MP969]" in capsys.readouterr().err

    def test_a_bad_file_still_stops(self, texts: Path, capsys: pytest.CaptureFixture[str]) -> None:
        write(texts / "new.txt", ["one line"])
        assert score("--on-error", "skip") == 1
        assert "[MP102]" in capsys.readouterr().err


@pytest.mark.usefixtures("texts")
class TestPlaces:
    @pytest.mark.parametrize(("name", "line"), [("t.tsv", 3), ("t.jsonl", 2)])
    def test_of_tables(
        self, texts: Path, name: str, line: int, capfd: pytest.CaptureFixture[str]
    ) -> None:
        rows = [("a cat", "a cat"), ("a cat", LONG.strip()), ("a dog", "dogs")]
        if name.endswith("tsv"):
            write(texts / name, ["reference\tmine", *("\t".join(row) for row in rows)])
        else:
            write(texts / name, [json.dumps({"reference": r, "mine": h}) for r, h in rows])
        arguments = ["score", "--corpus", name, "-m", TER, "--on-error", "skip"]
        assert main([*arguments, "--no-language-check"]) == 0
        assert f"{name}, line {line}: skipped" in capfd.readouterr().err


@pytest.mark.usefixtures("texts")
class TestOtherCommands:
    def test_gate_is_red_where_a_score_is_lost(self, capfd: pytest.CaptureFixture[str]) -> None:
        common = ["gate", "ref.txt", "-m", TER, "--no-language-check", "--on-error", "skip"]
        assert main([*common, "-i", "mine=old.txt", "--write-baseline", "b.json"]) == 0
        assert main([*common, "-i", "mine=new.txt", "--baseline", "b.json"]) == 1
        out, err = capfd.readouterr()
        assert "max_skipped" in out
        assert "new.txt, line 2: skipped" in err

    def test_report_shows_them(self, texts: Path, capfd: pytest.CaptureFixture[str]) -> None:
        arguments = ["report", "ref.txt", "-i", "new.txt", "-m", TER, "-o", "r.html"]
        assert main([*arguments, "--no-language-check", "--on-error", "skip"]) == 0
        assert "new.txt, line 4: skipped" in capfd.readouterr().err
        assert (texts / "r.html").stat().st_size

    def test_select_takes_another_candidate(self, capfd: pytest.CaptureFixture[str]) -> None:
        arguments = ["select", "new.txt", "old.txt", "ref.txt", "-m", TER, "--no-language-check"]
        assert main([*arguments, "--on-error", "skip"]) == 0
        out, err = capfd.readouterr()
        assert out.splitlines()[1] == "a cat sat"
        assert "sentence 2, candidate 1 is skipped: [MP518]" in err
        assert "skipped: 2 candidates" in err

    def test_explain_explains_the_worst_of_the_others(
        self, capfd: pytest.CaptureFixture[str]
    ) -> None:
        common = ["explain", "ref.txt", "-i", "new.txt", "-m", TER, "--no-language-check"]
        assert main([*common, "--format", "json", "--worst", "2"]) == 1
        capfd.readouterr()
        assert main([*common, "--format", "json", "--worst", "2", "--on-error", "skip"]) == 0
        assert [one["segment"] for one in json.loads(capfd.readouterr().out)] == [1, 3]
