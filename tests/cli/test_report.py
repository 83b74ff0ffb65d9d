"""``metaphrase report``: what it writes, what it prints, what it refuses."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from cli.bundled import Fails
from metaphrase.cli import main
from metaphrase.errors import ResourceError
from metaphrase.report.page import front_end
from report import written_pages


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
        "test": "paired-bootstrap",
        "resamples": 1000,
        "seed": 12345,
        "level": 0.05,
    }


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
