"""Findings of checks are remembered, and only what is new is red."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.bundled import EXAMPLES, Fails
from metaphrase.cli import main
from metaphrase.errors import InputError
from metaphrase.gate import load_baseline, load_rules
from metaphrase.gate.checking import Checking
from metaphrase.gate.signatures import check_check_signatures

FILES = EXAMPLES / "localisation"
REVIEWED, MAIN, CHANGE = (str(FILES / f"{name}.de.xlf") for name in ("reviewed", "main", "change"))
FAST = ["-m", "chrf"]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def gate(translation: str, *options: str) -> int:
    return main(["gate", REVIEWED, "-i", f"app={translation}", *options])


def found(text: str) -> list[str]:
    return [one["code"] for one in json.loads(text)["new_findings"]]


def test_units_are_joined_by_id_and_checked_with_their_sources(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert gate(MAIN, "--write-baseline", "b.json", *FAST) == 0
    baseline = load_baseline("b.json")
    assert baseline.language == "de"
    assert baseline.ids is not None
    assert baseline.ids[0] == "file.delete"
    assert baseline.documents == ("app.json",) * 8
    capsys.readouterr()
    assert gate(CHANGE, "--baseline", "b.json", "--format", "json", "--sarif", "s.json") == 1
    assert found(capsys.readouterr().out) == ["numbers/changed", "placeholders/changed"]
    results = json.loads(Path("s.json").read_text())["runs"][0]["results"]
    (wrong,) = [result for result in results if result["ruleId"] == "numbers/changed"]
    line = wrong["locations"][0]["physicalLocation"]["region"]["startLine"]
    text = Path(CHANGE).read_text("utf-8").splitlines()
    assert 'id="file.delete"' in text[line - 1]


def test_an_old_finding_is_no_reason() -> None:
    assert gate(CHANGE, "--write-baseline", "b.json", *FAST) == 0
    assert gate(CHANGE, "--baseline", "b.json", "--max-drop", "0") == 0


def test_checks_can_be_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert gate(MAIN, "--write-baseline", "b.json", *FAST) == 0
    capsys.readouterr()
    assert gate(CHANGE, "--baseline", "b.json", "--no-checks") == 0
    assert "not checked" in capsys.readouterr().out


def test_units_in_another_order_are_the_same_units(tmp_path: Path) -> None:
    assert gate(MAIN, "--write-baseline", "b.json", *FAST) == 0
    text = Path(MAIN).read_text("utf-8")
    units = text[text.index("      <trans-unit") : text.index("    </body>")]
    pieces = [piece + "</trans-unit>\n" for piece in units.split("</trans-unit>\n")[:-1]]
    (tmp_path / "turned.xlf").write_text(text.replace(units, "".join(reversed(pieces))), "utf-8")
    strict = ["--max-drop", "0", "--max-segment-drop", "0"]
    assert gate("turned.xlf", "--baseline", "b.json", *strict) == 0


def test_plain_text_with_sources_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (
        ("source.txt", "Delete 12 files?\nOpen it."),
        ("reference.txt", "12 Dateien löschen?\nÖffnen Sie es."),
        ("old.txt", "12 Dateien entfernen?\nÖffne es."),
        ("new.txt", "21 Dateien entfernen?\nÖffne es."),
    ):
        Path(name).write_text(text + "\n", "utf-8")
    texts = ["gate", "reference.txt", "--sources", "source.txt", "-l", "de", *FAST]
    texts += ["--no-language-check"]
    assert main([*texts, "-i", "old.txt", "--write-baseline", "b.json"]) == 0
    capsys.readouterr()
    assert main([*texts, "-i", "new.txt", "--baseline", "b.json", "--format", "json"]) == 1
    assert found(capsys.readouterr().out) == ["numbers/changed"]


class TestChecksAlone:
    """Without a reference there is no score, but much to be found."""

    def test_new_findings_are_red(self, capsys: pytest.CaptureFixture[str]) -> None:
        alone = ["gate", "--checks-only"]
        assert main([*alone, "-i", f"app={MAIN}", "--write-baseline", "b.json"]) == 0
        assert main([*alone, "-i", f"app={MAIN}", "--baseline", "b.json"]) == 0
        capsys.readouterr()
        assert main([*alone, "-i", f"app={CHANGE}", "--baseline", "b.json"]) == 1
        shown = capsys.readouterr().out
        assert "file.delete" in shown
        assert "12 has become 21." in shown

    def test_against_a_baseline_with_scores(self) -> None:
        assert gate(MAIN, "--write-baseline", "b.json", *FAST) == 0
        for translation, code in ((MAIN, 0), (CHANGE, 1)):
            command = ["gate", "--checks-only", "-i", translation, "--baseline", "b.json"]
            assert main(command) == code

    def test_other_outputs(self) -> None:
        alone = ["gate", "--checks-only", "-i", f"app={CHANGE}"]
        main(["gate", "--checks-only", "-i", f"app={MAIN}", "--write-baseline", "b.json"])
        assert main([*alone, "--baseline", "b.json", "--markdown", "m.md", "--junit", "j.xml"]) == 1
        assert "12 has become 21." in Path("m.md").read_text("utf-8")

    def test_scores_need_a_baseline_with_scores(self, fails: Fails) -> None:
        main(["gate", "--checks-only", "-i", f"app={MAIN}", "--write-baseline", "b.json"])
        fails(2, "MP904", "gate", REVIEWED, "-i", MAIN, "--baseline", "b.json", *FAST)

    def test_it_is_for_one_localisation_file(self, fails: Fails) -> None:
        fails(2, "MP915", "gate", REVIEWED, "-i", MAIN, "--checks-only")
        fails(2, "MP915", "gate", "-i", str(EXAMPLES / "system-a.txt"), "--checks-only")
        fails(2, "MP915", "gate", "-i", MAIN, "--checks-only", "--no-checks")


class TestSettings:
    def test_rules_say_what_is_checked(self) -> None:
        Path("metaphrase-gate.toml").write_text(
            '[checks]\noff = ["numbers"]\nseverity = {placeholders = "minor"}\n'
        )
        assert gate(MAIN, "--write-baseline", "b.json", *FAST) == 0
        assert gate(CHANGE, "--baseline", "b.json") == 0

    def test_glossaries_are_looked_for_beside_the_rules(self, tmp_path: Path) -> None:
        (tmp_path / "sub").mkdir()
        rules = tmp_path / "sub" / "rules.toml"
        rules.write_text('[checks]\nglossary = "terms.tsv"\nnew_major = 0')
        (tmp_path / "sub" / "terms.tsv").write_text("source\ttarget\ntrial\tTestphase\n")
        assert load_rules(rules).checking.glossary == (str(tmp_path / "sub" / "terms.tsv"),)
        use = ["--rules", str(rules)]
        assert gate(MAIN, "--write-baseline", "b.json", *FAST, *use) == 0
        assert gate(MAIN, "--baseline", "b.json", *use) == 0

    def test_other_checks_than_those_of_the_baseline_are_refused(self, fails: Fails) -> None:
        assert gate(MAIN, "--write-baseline", "b.json", *FAST) == 0
        Path("metaphrase-gate.toml").write_text('[checks]\noff = ["numbers"]')
        words = ("MP903", "off was not there and is numbers")
        fails(2, words, "gate", REVIEWED, "-i", CHANGE, "--baseline", "b.json")

    def test_a_changed_glossary_is_another_check(self, tmp_path: Path) -> None:
        glossary = tmp_path / "terms.tsv"
        checking = Checking(glossary=(str(glossary),))
        glossary.write_text("a\tb\n")
        before = checking.signature()
        glossary.write_text("a\tc\n")
        assert checking.signature() != before

    def test_the_difference_is_shown(self) -> None:
        from gate.runs import run

        one, other = run(), run()
        object.__setattr__(one, "checks", Checking().signature())
        object.__setattr__(other, "checks", Checking(only=("numbers",)).signature())
        with pytest.raises(InputError, match="only was not there and is numbers"):
            check_check_signatures(one, other)

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ('off = "numbers"', "MP909"),
            ("off = [1]", "MP909"),
            ('off = ["nombers"]', "MP890"),
            ('severity = "minor"', "MP909"),
            ('severity = {numbers = "bad"}', "MP891"),
            ("severity = {numbers = 1}", "MP909"),
            ("max_characters = 0", "MP892"),
            ("max_characters = 1.5", "MP909"),
            ("max_ratio = true", "MP909"),
            ("source_language = 1", "MP909"),
            ("glossary = 1", "MP909"),
            ("offf = []", "MP908"),
        ],
    )
    def test_mistakes_are_told(self, text: str, code: str, tmp_path: Path) -> None:
        (tmp_path / "r.toml").write_text(f"[checks]\n{text}")
        with pytest.raises(InputError) as caught:
            load_rules(tmp_path / "r.toml")
        assert caught.value.code == code
        assert caught.value.path == str(tmp_path / "r.toml")
