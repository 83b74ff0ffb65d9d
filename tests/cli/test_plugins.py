"""Metrics of one's own on the command line, from files and from installed distributions."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.bundled import EXAMPLES, REFERENCE, SYSTEMS, TEXTS, Answers, Fails, Prints
from metaphrase.cli import main
from metaphrase.serve.offer import check_metric, offered_metrics
from metrics.installed_plugins import METRIC, install

FILE = str(EXAMPLES / "word_recall.py")
LOADED = ["--load", FILE, "-m", "word-recall"]


pytestmark = pytest.mark.usefixtures("own_registry")


class TestAFile:
    def test_is_run_by_every_command_that_takes_metrics(
        self, prints: Prints, tmp_path: Path
    ) -> None:
        assert "word-recall|nrefs:1|lang:en|lowercase:yes|" in prints("score", *TEXTS, *LOADED)
        explained = prints("explain", REFERENCE, "-i", SYSTEMS[1], *LOADED, "--segment", "8")
        assert "reminds himself not, → doesn't remember" in explained
        explained = prints(
            "explain", REFERENCE, "-i", SYSTEMS[1], *LOADED, "--segment", "8", "--details"
        )
        assert "remember (1.00)" in explained
        judgements = str(EXAMPLES / "judgements.tsv")
        assert "word-recall" in prints("meta", judgements, *LOADED, "--resamples", "0")
        page = tmp_path / "report.html"
        prints("report", *TEXTS, *LOADED, "chrf", "-o", str(page))
        assert page.stat().st_size

    def test_is_listed_and_marked(self, prints: Prints, answers: Answers) -> None:
        assert "plug-in word_recall.py@" in prints("metrics", "--load", FILE)
        assert "from word_recall.py@" in prints("metrics", "word-recall", "--load", FILE)
        found = {record["name"]: record for record in answers("metrics", "--load", FILE)}
        assert found["word-recall"]["origin"].startswith("word_recall.py@")
        assert found["word-recall"]["runs"]
        assert found["bleu"]["origin"] is None

    def test_is_named_as_its_user_named_it(
        self, fails: Fails, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("mine.py").write_text("x = 1\nraise ValueError('no')\n")
        score = ["score", *TEXTS, "-m", "bleu", "--load"]
        fails(
            1,
            "[MP521] mine.py, line 2: Python cannot run this file: ValueError: no",
            *score,
            "mine.py",
        )
        fails(1, "[MP110] none.py", *score, "none.py")
        Path("mine.py").write_text("x = 1\n")
        fails(1, "MP522", *score, "mine.py")

    def test_that_fails_while_it_scores_is_no_bug_of_ours(
        self, fails: Fails, tmp_path: Path
    ) -> None:
        file = tmp_path / "mine.py"
        text = METRIC.format(kind="Length", name="length")
        file.write_text(text.replace("len(text)", "text.length"))
        words = ("[MP526]", "mine.py, line 13", "AttributeError", "length of mine.py@")
        fails(3, words, "score", *TEXTS, "--load", str(file), "-m", "length")

    def test_is_not_for_the_server(self, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit):
            main(["serve", "--load", FILE])
        assert "--load" in capsys.readouterr().err


class TestADistribution:
    @pytest.fixture(autouse=True)
    def site(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        install(
            tmp_path,
            "size-metrics",
            {"size": "size_plugin:Size", "none": "size_plugin:Missing"},
            size_plugin=METRIC.format(kind="Size", name="size"),
        )
        monkeypatch.syspath_prepend(tmp_path)

    def test_is_asked_by_name(self, prints: Prints) -> None:
        assert "|from:size-metrics@1.2" in prints("score", *TEXTS, "-m", "size")

    def test_is_listed_with_what_is_broken(self, prints: Prints, answers: Answers) -> None:
        listed = prints("metrics")
        assert "plug-in size-metrics@1.2; nobody" in listed
        assert "the plug-in none cannot be used: [MP525]" in listed
        found = {record["name"]: record for record in answers("metrics")}
        assert not found["none"]["runs"]

    def test_is_offered_by_the_server(self) -> None:
        found = {record["name"]: record for record in offered_metrics()}
        assert found["size"]["languages"] is None
        check_metric("size:limit=3")

    def test_is_in_the_diagnosis(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["doctor"]) == 1
        out = capsys.readouterr().out
        assert "size from size-metrics@1.2" in out
        assert "plug-in none" in out
