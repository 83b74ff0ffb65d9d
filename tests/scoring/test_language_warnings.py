"""Warnings about languages reach every result, once, and can be silenced."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from analysis.languages.test_recognition import STORY
from cli.bundled import EXAMPLES
from metaphrase.cli import main
from metaphrase.corpus import Corpus
from metaphrase.metrics import create
from metaphrase.report.dataset import build
from metaphrase.scoring import score

GERMAN = Corpus({"a": STORY["de"], "b": STORY["de"]}, [STORY["de"]])


def test_scores_carry_them() -> None:
    with pytest.warns(UserWarning, match="MP580") as caught:
        scores = score(GERMAN, ["bleu", "chrf"], levels=["system", "segment"])
    assert len(caught) == 1
    assert scores.to_dict()["warnings"] == list(scores.warnings) == [str(caught[0].message)]
    assert score(GERMAN, ["bleu", "chrf"], lang="de").warnings == ()
    assert score(GERMAN, [create("chrf", lang="de")]).warnings == ()
    assert score(GERMAN, ["chrf"], check_language=False).warnings == ()


def test_the_report_shows_them_first() -> None:
    with pytest.warns(UserWarning, match="MP580"):
        scores = score(GERMAN, ["chrf"], levels=["system", "segment"], keep_statistics=True)
    assert build(GERMAN, scores, ["chrf"]).overview["warnings"] == list(scores.warnings)


@pytest.fixture
def german(tmp_path: Path) -> Path:
    path = tmp_path / "de.txt"
    path.write_text("\n".join(STORY["de"]) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("command", "more"),
    [
        ("score", ["-m", "chrf", "bleu", "--format", "json"]),
        ("explain", ["-m", "ter", "nist", "--format", "json"]),
        ("report", ["-m", "chrf", "-o", "OUT"]),
    ],
)
def test_every_command_says_so_once(
    command: str, more: list[str], german: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = german.with_name("report.html")
    arguments = [command, str(german), "-i", f"a={german}", *more]
    arguments = [str(out) if argument == "OUT" else argument for argument in arguments]
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        assert main(arguments) == 0
    shown = capsys.readouterr()
    assert shown.err.count("[MP580]") == 1
    assert command == "report" or shown.out.count("[MP580]") == 1
    for silent in (["--no-language-check"], ["-l", "de"]):
        assert main([*arguments, *silent]) == 0
        assert "MP580" not in "".join(capsys.readouterr())


def test_judgements_are_looked_at_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judged = tmp_path / "judged.tsv"
    header, *rows = (EXAMPLES / "judgements.tsv").read_text(encoding="utf-8").splitlines()
    judged.write_text("\n".join([header, *rows]).replace("de-en", "en-de") + "\n")
    arguments = ["meta", str(judged), "-m", "chrf", "--resamples", "0", "--format", "json"]
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        assert main(arguments) == 0
    shown = capsys.readouterr()
    assert "en-de: [MP580] the language given is de (German)" in shown.err
    assert "[MP580]" in shown.out
    assert main([*arguments, "--no-language-check"]) == 0
    assert "MP580" not in "".join(capsys.readouterr())
