"""``metaphrase demo`` shows every family of metrics, and leaves a folder in which its commands work."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaphrase.cli import main
from metaphrase.cli.demo import STEPS
from metaphrase.errors import ResourceError

ROOT = Path(__file__).parents[2]
PIVOTS = ROOT / "packages" / "metaphrase-pivots" / "src"


def shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["demo", str(folder)]) == 0
    return capsys.readouterr().out


def test_every_family_is_explained() -> None:
    explained = {step.metrics[0] for step in STEPS if step.command[0] == "explain"}
    families = {name.partition(":")[0] for name in explained}
    assert families == {"accord", "cobalt", "ppda+f", "pbe", "meteor", "tesla", "celab"}


@pytest.mark.skipif(not PIVOTS.exists(), reason="a source distribution has no packages/")
def test_all_of_it_is_shown_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(PIVOTS)
    text = shown(tmp_path / "demo", capsys)
    for step in STEPS:
        assert step.title in text
    assert "1-grams of de by lemmas" in text
    assert "phrases of both sides" not in text  # only the end of TESLA's long explanation
    assert (tmp_path / "demo" / "report.html").exists()
    assert (tmp_path / "demo" / "zh" / "synonyms.tsv").exists()
    assert "Left out" not in text


def test_a_metric_that_cannot_run_is_left_out_and_said_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lacking = ResourceError("MP301", "The pivots are not installed.")
    monkeypatch.setattr(
        "metaphrase.metrics.obstacle", lambda name: lacking if name == "tesla" else None
    )
    monkeypatch.setattr("metaphrase.cli.demo.STEPS", STEPS[2:3] + STEPS[7:8])
    text = shown(tmp_path / "demo", capsys)
    assert "tesla-m" in text
    assert " tesla " not in text
    assert "Left out: [MP301] The pivots are not installed." in text


def test_a_folder_with_files_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.txt").touch()
    assert main(["demo", str(tmp_path)]) != 0
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    assert "metaphrase: [MP" in capsys.readouterr().err


def test_nothing_is_left_in_the_folder_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("metaphrase.cli.demo.STEPS", STEPS[:1])
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    assert main(["demo"]) == 0
    assert Path.cwd() == tmp_path
    assert [path.name for path in tmp_path.iterdir()] == ["temporary"]
    assert "metaphrase-demo-" in capsys.readouterr().out
