"""``metaphrase report``: what it writes, what it prints, what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cli.bundled import Fails
from metaphrase.cli import main
from metaphrase.errors import ResourceError
from metaphrase.report.page import front_end
from report import localised, written_pages


@pytest.fixture(autouse=True)
def small_front_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A front end of two lines: this is about everything else."""
    monkeypatch.setattr(front_end, "asset", {"report.js": "1;", "report.css": "p{}"}.__getitem__)


@pytest.fixture
def texts(examples: Path) -> list[str]:
    return [str(examples / f"{name}.txt") for name in ("reference", "system-a", "system-b")]


def overview(page: Path) -> dict[str, Any]:
    return written_pages.overview(page.read_text("utf-8"))


def test_one_file_and_one_line_about_it(
    texts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "report.html"
    reference, *systems = texts
    command = ["report", reference, "-i", *systems, "-m", "tesla-m", "chrf", "-o", str(page)]
    assert main([*command, "--title", "Two systems"]) == 0
    printed = capsys.readouterr()
    assert re.fullmatch(
        rf"{re.escape(str(page))}: 2 systems, 12 segments, 2 metrics, \d+ kB\n", printed.out
    )
    assert printed.err == ""
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    content = overview(page)
    assert content["title"] == "Two systems"
    assert content["systems"] == ["system-a", "system-b"]
    assert content["explained"] == "all"
    assert content["resampling"] == {
        "test": "approximate-randomisation",
        "resamples": 1000,
        "seed": 12345,
        "level": 0.05,
    }


def test_doubts_are_those_of_score(
    texts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "report.html"
    broken = tmp_path / "broken.txt"
    broken.write_text("\n" + Path(texts[1]).read_text("utf-8").partition("\n")[2], "utf-8")
    common = [texts[0], "-i", str(broken), texts[2], "-m", "chrf"]
    assert main(["score", *common, "--format", "json"]) == 0
    doubts = [doubt["text"] for doubt in json.loads(capsys.readouterr().out)["doubts"]]
    assert doubts == ["1 hypothesis is empty: 1 of broken (line 1)."]
    assert main(["report", *common, "-o", str(page)]) == 0
    assert overview(page)["warnings"] == doubts
    assert f"<p>{doubts[0]}</p>" in page.read_text("utf-8")  # for those who run no scripts
    assert main(["report", *common, "-o", str(page), "--no-doubts"]) == 0
    assert overview(page)["warnings"] == []


def test_the_same_input_gives_the_same_bytes(texts: list[str], tmp_path: Path) -> None:
    pages = [tmp_path / "one.html", tmp_path / "two.html"]
    for page, threads in zip(pages, "12", strict=True):
        reference, *systems = texts
        command = ["report", reference, "-i", *systems, "-m", "tesla-m", "-o", str(page)]
        assert main([*command, "--threads", threads]) == 0
    assert pages[0].read_bytes() == pages[1].read_bytes()


def test_options_reach_the_report(texts: list[str], examples: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    reference, *systems = texts
    options = ["--documents", str(examples / "documents.txt"), "--explain", "2"]
    options += ["--resamples", "50", "--seed", "7", "-o", str(page)]
    assert main(["report", reference, "-i", *systems, "-m", "pfsm", *options]) == 0
    content = overview(page)
    assert content["explained"] == "some"
    assert content["documents"]
    assert (content["resampling"]["resamples"], content["resampling"]["seed"]) == (50, 7)


def test_a_judged_table_is_corpus_and_judgements_at_once(examples: Path, tmp_path: Path) -> None:
    judged, page = str(examples / "judgements.tsv"), tmp_path / "report.html"
    command = ["report", "--corpus", judged, "--judgements", judged, "-m", "chrf"]
    assert main([*command, "--explain", "none", "--resamples", "0", "-o", str(page)]) == 0
    content = overview(page)
    assert content["human"]["name"] == "judgements.tsv"
    # The made-up scores fall from careful over literal to careless, and so do those of chrF.
    assert content["human"]["agreement"][0]["system"] > 0.9
    assert content["resampling"] is None


@pytest.fixture
def versions(tmp_path: Path) -> list[str]:
    """A reference and two versions of a system as XLIFF, and how to name them."""
    paths = [tmp_path / f"{version}.xlf" for version in ("reference", "before", "after")]
    for path in paths:
        localised.write_xliff(path, path.stem)
    reference, *systems = map(str, paths)
    return [reference, "-i", *systems, "-l", "de", "-m", "chrf", "--no-language-check"]


class TestLocalisation:
    def test_units_are_checked_and_versions_compared(
        self, versions: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        page = tmp_path / "report.html"
        options = ["--missing-targets", "empty", "--check", "--changes", "before", "after"]
        assert main(["report", *versions, *options, "-o", str(page)]) == 0
        content = overview(page)
        kinds = {kind["code"]: kind["counts"] for kind in content["findings"]["kinds"]}
        assert kinds["tags/missing"] == [2, 0]
        assert kinds["placeholders/missing"] == [0, 1]
        assert content["changes"]["summary"].startswith(
            "9 of 10 segments changed: 7 score higher, 2 lower"
        )
        assert " findings, " in capsys.readouterr().out

    def test_options_of_checks_reach_them(self, versions: list[str], tmp_path: Path) -> None:
        page, terms = tmp_path / "report.html", tmp_path / "terms.tsv"
        terms.write_text("source\ttarget\nDisk\tDatenträger\n", encoding="utf-8")
        options = ["--check", "--glossary", str(terms), "--only", "terms", "numbers"]
        options += ["--severity", "terms=minor", "--missing-targets", "empty"]
        assert main(["report", *versions, *options, "-o", str(page)]) == 0
        found = overview(page)["findings"]
        assert found["checks"] == ["numbers", "terms"]
        severities = {kind["code"].partition("/")[0]: kind["severity"] for kind in found["kinds"]}
        assert severities["terms"] == "minor"

    @pytest.mark.filterwarnings("always")
    def test_units_that_are_left_out_are_told_in_the_report(
        self, versions: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        page = tmp_path / "report.html"
        assert main(["report", *versions, "-o", str(page)]) == 0
        assert "left out" in capsys.readouterr().err
        assert "1 of 10 units are left out" in overview(page)["notes"][0]
        assert "findings" not in overview(page)

    def test_checks_need_a_source_and_their_options_need_checks(
        self, texts: list[str], tmp_path: Path, fails: Fails
    ) -> None:
        reference, *systems = texts
        command = ["report", reference, "-i", *systems, "-m", "chrf", "-o", tmp_path / "r.html"]
        fails(1, "MP893", *command, "--check")
        fails(2, "MP921", *command, "--off", "numbers")
        fails(2, "MP920", *command, "--changes", "system-a", "system-z")
        assert list(tmp_path.iterdir()) == []


class TestMistakes:
    def test_an_input_is_not_overwritten(
        self, texts: list[str], examples: Path, fails: Fails
    ) -> None:
        reference, *systems = texts
        before = Path(reference).read_bytes()
        judged = str(examples / "judgements.tsv")
        for output in (reference, judged):
            command = ["report", reference, "-i", *systems, "--judgements", judged, "-o", output]
            fails(2, "MP607", *command)
        assert Path(reference).read_bytes() == before

    def test_judgements_of_other_texts_leave_no_file(
        self, texts: list[str], examples: Path, tmp_path: Path, fails: Fails
    ) -> None:
        page = tmp_path / "report.html"
        reference, *systems = texts
        judged = str(examples / "judgements.tsv")
        command = ["report", reference, "-i", *systems, "--judgements", judged]
        fails(1, "MP645", *command, "-o", page)
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("number", ["0", "-1", "some", "1.5"])
    def test_a_number_of_explanations_that_is_none(
        self, texts: list[str], number: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(SystemExit) as caught:
            main(["report", *texts, f"--explain={number}", "-o", "report.html"])
        assert caught.value.code == 2
        assert "neither all nor none" in capsys.readouterr().err

    def test_a_page_without_its_front_end_is_refused_before_the_work(
        self, texts: list[str], tmp_path: Path, fails: Fails, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def missing(name: str) -> str:
            raise ResourceError("MP643", f"{name} is not installed.")

        monkeypatch.setattr(front_end, "asset", missing)
        reference, *systems = texts
        fails(3, "MP643", "report", reference, "-i", *systems, "-o", str(tmp_path / "r.html"))

    def test_too_many_resamples(self, texts: list[str], tmp_path: Path, fails: Fails) -> None:
        reference, *systems = texts
        command = ["report", reference, "-i", *systems, "--resamples", "2000000"]
        fails(2, "MP740", *command, "-o", str(tmp_path / "r.html"))
