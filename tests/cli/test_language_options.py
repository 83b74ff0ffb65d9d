"""Languages other than English on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.bundled import Answers, Fails, Prints
from metaphrase.extras import install_command
from metaphrase.shipped import is_installed


@pytest.fixture
def german(tmp_path: Path) -> tuple[str, str]:
    reference, system = tmp_path / "reference.txt", tmp_path / "system.txt"
    reference.write_text("Die Wahl des Bundestags war gestern.\nJa.\n", "utf-8")
    system.write_text("Die Bundestagswahl war gestern.\nJa.\n", "utf-8")
    return str(reference), str(system)


@pytest.mark.parametrize("language", [["-l", "de", "-m", "tesla-m"], ["-m", "tesla-m:lang=de"]])
def test_the_language_is_chosen_for_all_metrics_or_for_one(
    german: tuple[str, str], language: list[str], prints: Prints
) -> None:
    output = prints("score", german[0], "-i", german[1], *language, "--format", "json")
    assert "builtin:de+compounds@" in output
    assert "synonyms:none@" in output


@pytest.mark.parametrize("language", ["DE", "deu", "de-AT", "deu_Latn", "German", "Deutsch"])
def test_a_language_goes_by_any_of_its_names(
    german: tuple[str, str], language: str, prints: Prints
) -> None:
    command = ("score", german[0], "-i", german[1], "-m", "tesla-m", "chrf", "--format", "json")
    assert prints(*command, "-l", language) == prints(*command, "-l", "de")


def test_a_mistake_is_told_what_may_have_been_meant(german: tuple[str, str], fails: Fails) -> None:
    command = ("score", german[0], "-i", german[1], "-l", "gr")
    fails(2, ("MP528", "Did you mean el (Greek)?"), *command)


def test_compounds_may_stay_whole(german: tuple[str, str], prints: Prints) -> None:
    metric = "tesla-m:lang=de:compounds=no"
    command = ("score", german[0], "-i", german[1], "-m", metric, "--format", "json")
    assert "builtin:de@" in prints(*command)


def test_an_unknown_language_is_told_which_there_are(german: tuple[str, str], fails: Fails) -> None:
    command = ("score", german[0], "-i", german[1], "-l", "tlh", "-m", "tesla-m")
    fails(2, ("MP509", "en, de, fr, es, cs, zh"), *command)


def test_doctor_lists_the_languages(answers: Answers) -> None:
    checks = {check["subject"]: check for check in answers("doctor")}
    for language in ("German", "French", "Spanish"):
        assert checks[f"{language} analyser"]["state"] == "ok"
    if is_installed("metaphrase_czech"):
        assert checks["Czech analyser"]["state"] == "ok"
    else:
        assert install_command("cs") in checks["Czech (optional)"]["finding"]
    assert "Chinese (optional)" in checks
    assert "thesaurus de (optional)" in checks
