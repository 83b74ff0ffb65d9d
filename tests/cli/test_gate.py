"""``metaphrase gate``: red, green, or an error, and never one for the other."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cli.bundled import REFERENCE, SYSTEMS, Fails
from metaphrase.cli import main
from metaphrase.report.page import front_end
from report import written_pages

GOOD, BAD = SYSTEMS
FAST = ["-m", "chrf"]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def baseline(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    path = tmp_path / "baseline.json"
    assert gate(GOOD, "--write-baseline", path, *FAST) == 0
    capsys.readouterr()
    return str(path)


def gate(system: str, *options: str | Path) -> int:
    return main(["gate", REFERENCE, "-i", f"mine={system}", *map(str, options)])


class TestVerdict:
    def test_the_same_system_is_green_and_a_worse_one_is_red(self, baseline: str) -> None:
        strict = ["--max-drop", "0", "--alpha", "0.05", "--max-segment-drop", "0"]
        assert gate(GOOD, "--baseline", baseline, *strict) == 0
        assert gate(BAD, "--baseline", baseline, *strict) == 1
        assert gate(BAD, "--baseline", baseline) == 1  # the paired test, by default

    def test_options_are_the_rules(self, baseline: str) -> None:
        assert gate(BAD, "--baseline", baseline, "--max-drop", "50") == 0
        assert gate(BAD, "--baseline", baseline, "--max-worse-segments", "10") == 1
        assert gate(BAD, "--baseline", baseline, "--max-worse-segments", "12") == 0
        many = ["--max-worse-segments", "0", "--worse-by"]
        assert gate(BAD, "--baseline", baseline, *many, "90") == 0
        assert gate(BAD, "--baseline", baseline, "--min-score", "60", "--max-drop", "50") == 1

    def test_metrics_and_language_are_those_of_the_baseline(
        self, baseline: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        gate(GOOD, "--baseline", baseline, "--format", "json")
        assert list(json.loads(capsys.readouterr().out)["signatures"]) == ["chrf"]

    def test_the_verdict_comes_first(
        self, baseline: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        gate(BAD, "--baseline", baseline)
        lines = capsys.readouterr().out.splitlines()
        assert lines[:2] == [
            "mine: red: 1 of 2 rules is broken",
            "12 of 12 segments compared · 12 reworded",
        ]
        assert "alpha chrf: chrf fell from 77.40 to 58.24 (p = 0.0030, tested at 0.05)" in lines
        assert any("advised him{+, with the smoke+} to" in line for line in lines)

    def test_a_pipe_that_is_closed_does_not_make_red_green(self, baseline: str) -> None:
        command = [sys.executable, "-m", "metaphrase", "gate", REFERENCE, "-i", f"mine={BAD}"]
        command += ["--baseline", baseline, "--format", "json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.close()
            assert process.wait() == 1


class TestRules:
    def test_a_file_says_what_holds(self, baseline: str, tmp_path: Path) -> None:
        rules = tmp_path / "rules.toml"
        for text, code in (("max_drop = 50", 0), ("[metric.chrf]\nmax_drop = 1", 1)):
            rules.write_text(text)
            assert gate(BAD, "--baseline", baseline, "--rules", rules) == code

    def test_the_usual_file_is_found_and_options_go_before_it(
        self, baseline: str, tmp_path: Path
    ) -> None:
        (tmp_path / "metaphrase-gate.toml").write_text("max_drop = 1\nmetrics = ['chrf']")
        assert gate(BAD, "--baseline", baseline) == 1
        assert gate(BAD, "--baseline", baseline, "--max-drop", "50") == 0

    def test_a_language_has_rules_of_its_own(self, tmp_path: Path) -> None:
        (tmp_path / "metaphrase-gate.toml").write_text("max_drop = 1\n[language.de]\nmax_drop = 50")
        for language, code in (("en", 1), ("de", 0)):
            path = tmp_path / f"{language}.json"
            rest = ["-l", language, "--no-language-check", *FAST]
            assert gate(GOOD, "--write-baseline", path, *rest) == 0
            assert gate(BAD, "--baseline", path, "--no-language-check") == code

    def test_documents_have_rules_of_their_own(self, examples: Path, tmp_path: Path) -> None:
        documents = ["--documents", str(examples / "documents.txt"), *FAST]
        path = tmp_path / "b.json"
        assert gate(GOOD, "--write-baseline", path, *documents) == 0
        rules = tmp_path / "rules.toml"
        for limit, code in ((1, 1), (90, 0)):
            rules.write_text(f"[document.science]\nmax_drop = {limit}")
            assert gate(BAD, "--baseline", path, "--rules", rules, *documents) == code

    def test_domains_have_rules_of_their_own(
        self, examples: Path, tmp_path: Path, baseline: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        domains = ["--domains", str(examples / "documents.txt")]
        path = tmp_path / "b.json"
        assert gate(GOOD, "--write-baseline", path, *domains, *FAST) == 0
        rules = tmp_path / "rules.toml"
        for limit, code in ((90, 0), (1, 1)):
            # The domain science has one segment.
            rules.write_text(f"[domain.science]\nmax_drop = {limit}")
            capsys.readouterr()
            assert gate(BAD, "--baseline", path, "--rules", rules, *domains) == code
        out = capsys.readouterr().out
        assert "BROKEN  max_drop chrf in domain science" in out
        for system in ([], domains):
            assert gate(BAD, "--baseline", baseline, "--rules", rules, *system) == 2
            assert "MP914" in capsys.readouterr().err


class TestBaseline:
    def test_a_new_one_is_written_only_if_all_rules_hold(
        self, baseline: str, tmp_path: Path
    ) -> None:
        old = Path(baseline).read_bytes()
        assert gate(BAD, "--baseline", baseline, "--write-baseline", baseline) == 1
        assert Path(baseline).read_bytes() == old
        lax = ["--max-drop", "50"]
        assert gate(BAD, "--baseline", baseline, "--write-baseline", baseline, *lax) == 0
        assert Path(baseline).read_bytes() != old
        assert sorted(path.name for path in tmp_path.iterdir()) == ["baseline.json"]

    def test_the_first_one_has_nothing_to_be_compared_with_but_must_be_good_enough(self) -> None:
        Path("metaphrase-gate.toml").write_text("max_drop = 1\n[metric.chrf]\nmin_score = 70")
        assert gate(BAD, "--write-baseline", "b.json", *FAST) == 1
        assert not Path("b.json").exists()
        assert gate(GOOD, "--write-baseline", "b.json", *FAST) == 0
        assert Path("b.json").exists()

    def test_without_texts(self, tmp_path: Path, fails: Fails) -> None:
        path = tmp_path / "b.json"
        assert gate(GOOD, "--write-baseline", path, "--no-texts", *FAST) == 0
        assert "Police" not in path.read_text()
        assert gate(BAD, "--baseline", path) == 1
        fails(
            2, ("MP913", "b.json"), "gate", REFERENCE, "-i", GOOD, "--baseline", path,
            "--report", "page.html", "--junit", "gate.xml",
        )  # fmt: skip
        assert not Path("gate.xml").exists()

    def test_another_signature_is_refused_with_the_difference_or_scored_again(
        self, baseline: str, fails: Fails
    ) -> None:
        path = Path(baseline)
        path.write_text(path.read_text().replace("|nc:6|", "|nc:5|"))
        command = ["gate", REFERENCE, "-i", f"mine={GOOD}", "--baseline", baseline]
        error = fails(2, ("MP903", "nc was 5 and is 6", "--rescore"), *command)
        assert baseline in error
        assert main([*command, "--rescore"]) == 0

    def test_several_references(self, tmp_path: Path, fails: Fails) -> None:
        texts = ["gate", REFERENCE, GOOD, "-i", BAD, *FAST]
        assert main([*texts, "--write-baseline", "two.json"]) == 0
        assert main([*texts, "--baseline", "two.json", "--max-drop", "0"]) == 0
        fails(
            2, ("MP903", "nrefs was 2 and is 1"), "gate", REFERENCE, "-i", BAD, *FAST,
            "--baseline", "two.json",
        )  # fmt: skip


class TestOutputs:
    @pytest.fixture(autouse=True)
    def small_front_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(
            front_end, "asset", {"report.js": "1;", "report.css": "p{}"}.__getitem__
        )

    def test_all_of_them_at_once(self, baseline: str, capsys: pytest.CaptureFixture[str]) -> None:
        files = ["--junit", "g.xml", "--sarif", "g.sarif", "--markdown", "g.md"]
        assert gate(BAD, "--baseline", baseline, *files, "--report", "g.html", "-o", "g.txt") == 1
        assert capsys.readouterr().out == ""
        assert ElementTree.parse("g.xml").getroot().attrib["failures"] == "1"
        uri = json.loads(Path("g.sarif").read_text())["runs"][0]["results"][0]["locations"][0]
        assert uri["physicalLocation"]["artifactLocation"]["uri"].endswith("/system-b.txt")
        assert Path("g.md").read_text().startswith("## 🔴 mine: red")
        assert Path("g.txt").read_text().startswith("mine: red")
        overview: dict[str, Any] = written_pages.overview(Path("g.html").read_text("utf-8"))
        assert overview["systems"] == ["before", "after"]
        assert overview["title"] == "mine: red: 1 of 2 rules is broken"

    @pytest.mark.parametrize("form", ["json", "junit", "sarif", "markdown"])
    def test_printed(self, form: str, baseline: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert gate(GOOD, "--baseline", baseline, "--format", form) == 0
        printed = capsys.readouterr().out
        start = {"json": "{", "junit": "<?xml", "sarif": "{", "markdown": "## 🟢"}[form]
        assert printed.startswith(start)
        assert printed.endswith("\n")
        assert not printed.endswith("\n\n")

    def test_the_report_has_only_what_can_be_compared(self, baseline: str) -> None:
        for name, path in (("r.txt", REFERENCE), ("h.txt", BAD)):
            lines = Path(path).read_text("utf-8").splitlines()
            Path(name).write_text("\n".join(["New.", *lines[2:]]) + "\n", "utf-8")
        texts = ["gate", "r.txt", "-i", "mine=h.txt", "--baseline", baseline]
        assert main([*texts, "--report", "g.html"]) == 1
        overview = written_pages.overview(Path("g.html").read_text("utf-8"))
        assert overview["segments"] == 10


class TestErrors:
    """A red gate exits with 1; nothing else does."""

    def test_files_that_are_not_there(self, baseline: str, fails: Fails) -> None:
        texts = ["gate", REFERENCE, "-i", GOOD]
        fails(2, "MP900", *texts, "--baseline", "none.json")
        fails(2, "MP907", *texts, "--baseline", baseline, "--rules", "none.toml")
        fails(2, "MP110", "gate", "none.txt", "-i", GOOD, "--baseline", baseline)

    def test_what_makes_no_sense(self, baseline: str, fails: Fails) -> None:
        texts = ["gate", REFERENCE, "-i", GOOD]
        fails(2, "MP911", *texts, BAD, *FAST, "--write-baseline", "b.json")
        fails(2, "MP912", *texts, *FAST, "--max-drop", "1")
        fails(2, "MP912", *texts, *FAST, "--report", "page.html")
        fails(2, "MP910", *texts, "--baseline", baseline, "--max-drop", "100")
        fails(2, "MP910", *texts, "--baseline", baseline, "--worse-by", "1")
        fails(2, "MP909", *texts, "--baseline", baseline, "--alpha", "-1")
        fails(2, "MP909", *texts, "--baseline", baseline, "--max-drop", "nan")
        fails(2, "MP904", *texts, "--baseline", baseline, "-m", "bleu")
        fails(2, "MP905", "gate", BAD, "-i", GOOD, "--baseline", baseline)
        assert not Path("b.json").exists()

    def test_outputs_that_are_inputs_or_each_other(self, baseline: str, fails: Fails) -> None:
        texts = ["gate", REFERENCE, "-i", GOOD, "--baseline", baseline]
        fails(2, "MP607", *texts, "--junit", baseline)
        fails(2, "MP607", *texts, "--write-baseline", GOOD)
        fails(2, "MP115", *texts, "--junit", "a.xml", "--sarif", "a.xml")
        fails(2, "MP132", *texts, "--junit", "no/folder/a.xml")

    def test_a_rule_with_a_mistake_names_file_and_key(self, baseline: str, fails: Fails) -> None:
        Path("metaphrase-gate.toml").write_text("max_dorp = 1")
        fails(
            2, ("MP908", "metaphrase-gate.toml", "Did you mean max_drop?"),
            "gate", REFERENCE, "-i", GOOD, "--baseline", baseline,
        )  # fmt: skip
