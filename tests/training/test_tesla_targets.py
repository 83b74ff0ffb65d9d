"""The models of TESLA that ship are those that the training script makes, as far as their files tell."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("training", reason="a source distribution has no training")
pytest.importorskip("metaphrase_training")

from training.tesla.__main__ import TARGETS

from metaphrase.trained.tesla_model import TeslaModel

ROOT = Path(__file__).parents[2]
README = ROOT / "packages/metaphrase-pivots/README.md"
each_language = pytest.mark.parametrize("code", TARGETS)


def test_every_target_ships() -> None:
    assert set(TARGETS) <= set(TeslaModel.shipped())


@each_language
def test_a_model_has_the_data_and_files_of_its_target(code: str) -> None:
    target, model = TARGETS[code], TeslaModel.find(code)
    assert [one["name"] for one in model.training["data"]] == [
        f"{name}.rank.jsonl.gz" for name in target.rankings
    ]
    assert {one.file for one in model.pivots.values()} == {
        f"{code}-{pivot}.pivots" for pivot in target.pivots
    }
    assert {one.file for one in model.language_models.values()} == {
        f"{name}.{code}.lm" for name in target.texts
    }
    assert (model.analyser, model.licence) == (target.analyser, target.licence)


@each_language
def test_a_card_has_the_numbers_of_its_model(code: str) -> None:
    card = (ROOT / f"src/metaphrase/models/tesla/{code}.md").read_text("utf-8")
    training = TeslaModel.find(code).training
    assert f"| {training['pairs']:,}, of {training['segments']:,} segments |" in card
    held_out = max(training["held_out"].values())
    assert f"| {training['accuracy']:.4f}; {held_out:.4f} on segments held out" in card
    for one in training["data"]:
        assert f"{one['judgements']:,}" in card


def test_the_readme_of_the_package_says_how_large_each_file_is() -> None:
    folder = README.parent / "src/metaphrase_pivots/data"
    said = dict(
        re.findall(r"^\| `(.*?)` \| .* \| ([\d.]+) MB \|$", README.read_text("utf-8"), re.M)
    )
    assert said == {path.name: f"{path.stat().st_size / 1e6:.1f}" for path in folder.iterdir()}
