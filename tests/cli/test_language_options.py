"""Languages other than English on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.bundled import Fails
from metaphrase.cli import main


@pytest.fixture
def german(tmp_path: Path) -> tuple[str, str]:
    reference, system = tmp_path / "reference.txt", tmp_path / "system.txt"
    reference.write_text("Die Wahl des Bundestags war gestern.\nJa.\n", "utf-8")
    system.write_text("Die Bundestagswahl war gestern.\nJa.\n", "utf-8")
    return str(reference), str(system)


@pytest.mark.parametrize("language", [["-l", "de", "-m", "tesla-m"], ["-m", "tesla-m:lang=de"]])
def test_the_language_is_chosen_for_all_metrics_or_for_one(
    german: tuple[str, str], language: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", german[0], "-i", german[1], *language, "--format", "json"]) == 0
    output = capsys.readouterr().out
    assert "builtin:de+compounds@" in output
    assert "synonyms:none@" in output


def test_compounds_may_stay_whole(
    german: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    metric = "tesla-m:lang=de:compounds=no"
    assert main(["score", german[0], "-i", german[1], "-m", metric, "--format", "json"]) == 0
    assert "builtin:de@" in capsys.readouterr().out


def test_an_unknown_language_is_told_which_there_are(german: tuple[str, str], fails: Fails) -> None:
    _, message = fails("score", german[0], "-i", german[1], "-l", "tlh", "-m", "tesla-m")
    assert "MP509" in message
    assert "en, de, fr, es, cs, zh" in message


def test_doctor_lists_the_languages(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--format", "json"]) == 0
    checks = {check["subject"]: check for check in json.loads(capsys.readouterr().out)}
    for language in ("German", "French", "Spanish", "Czech"):
        assert checks[f"{language} analyser"]["state"] == "ok"
    assert "Chinese (optional)" in checks
    assert "thesaurus de (optional)" in checks
