"""A model of accord is its file: what is written is read, and whatever else is refused with a code."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from metaphrase.errors import ResourceError
from metaphrase.metrics.accord.metric import Accord
from metaphrase.trained.accord_model import AccordModel

MODEL = AccordModel(
    name="test",
    lang="en",
    features={"c1p": 2.5, "edit insert": 0.25, "v p³": 1e-3},
    training={"data": ["wmt – Ä"], "agreement": 0.5},
    licence="CC BY 4.0 – Ä",
)


def changed(**entries: Any) -> str:
    return json.dumps(json.loads(MODEL.to_json()) | entries)


def without(entry: str) -> str:
    entries = json.loads(MODEL.to_json())
    del entries[entry]
    return json.dumps(entries)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    MODEL.save(path)
    again = AccordModel.load(path)
    assert again == MODEL
    assert again.fingerprint == MODEL.fingerprint
    assert AccordModel.find(f"file:{path}") == MODEL


def test_whole_numbers_are_weights_too() -> None:
    whole = replace(MODEL, features={"c1p": 2})
    again = AccordModel.from_json(whole.to_json())
    assert again == whole
    assert again.fingerprint == whole.fingerprint


def test_a_file_that_has_changed_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    for weight in (1.0, 22.0):
        replace(MODEL, features={"c1p": weight}).save(path)
        assert AccordModel.find(f"file:{path}").features == {"c1p": weight}


def test_the_fingerprint_is_of_what_scores_depend_on() -> None:
    for same in (
        replace(MODEL, name="other"),
        replace(MODEL, licence=""),
        replace(MODEL, training={}),
        replace(MODEL, features=dict(reversed(MODEL.features.items()))),
    ):
        assert same.fingerprint == MODEL.fingerprint
    for other in (
        replace(MODEL, lang="de"),
        replace(MODEL, features={**MODEL.features, "c1p": 2.6}),
        replace(MODEL, features={**MODEL.features, "c1r": 0.0}),
    ):
        assert other.fingerprint != MODEL.fingerprint


def test_weights_are_those_of_the_losses_asked_for() -> None:
    known = ["v p³", "c1r", "c1p", "edit insert"]
    assert MODEL.weights(known).tolist() == [1e-3, 0.0, 2.5, 0.25]


@pytest.mark.parametrize(
    ("code", "content"),
    [
        ("MP842", ""),
        ("MP842", MODEL.to_json()[:-20]),
        ("MP842", "[]"),
        ("MP842", b"\xff"),
        ("MP842", "[" * 100_000),
        ("MP842", changed(training={})[:-1] + ', "name": "twice"}'),
        ("MP843", "{}"),
        ("MP843", changed(format="metaphrase TESLA model")),
        ("MP843", changed(format=1)),
        ("MP843", without("format")),
        ("MP843", changed(version=2)),
        ("MP843", changed(version=True)),
        ("MP843", changed(version=1.0)),
        ("MP843", changed(version="1")),
        ("MP843", without("version")),
        ("MP842", without("features")),
        ("MP842", without("training")),
        ("MP842", changed(surprise=1)),
        ("MP842", changed(lang=1)),
        ("MP842", changed(name="a\nb")),
        ("MP842", changed(name="a|b")),
        ("MP842", changed(features=["c1p"])),
        ("MP842", changed(features={"c1p": "1.0"})),
        ("MP842", changed(features={"c1p": None})),
        ("MP842", changed(features={"c1p": True})),
        ("MP842", changed(features={"c1p": [1.0]})),
        ("MP842", changed(features={"c1p": float("nan")})),
        ("MP842", changed(features={"c1p": float("-inf")})),
        ("MP842", changed(features={"c1p": 1e7})),
        ("MP842", changed(features={"c1p": -1e300})),
        ("MP842", changed(features={"c1p": -0.5})),
        ("MP842", changed(features={"c1p": 0.125}).replace("0.125", "1e999")),
        ("MP842", changed(features={"c1p": 0.125}).replace("0.125", "9" * 5_000)),
    ],
)
def test_what_is_no_model_is_refused_by_name(
    code: str, content: str | bytes, tmp_path: Path
) -> None:
    path = tmp_path / "model.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ResourceError) as caught:
        AccordModel.find(f"file:{path}")
    assert caught.value.code == code
    assert caught.value.path == str(path)
    assert len(str(caught.value)) < 400 + len(str(path))


def test_what_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.json", tmp_path, "nul\0", ""):
        with pytest.raises(ResourceError, match="MP840") as caught:
            AccordModel.find(f"file:{path}")
        assert caught.value.path == str(path)
    large = tmp_path / "large.json"
    large.write_bytes(b" " * (1 << 21))
    with pytest.raises(ResourceError, match="MP842") as caught:
        AccordModel.find(f"file:{large}")
    assert caught.value.path == str(large)


@pytest.mark.parametrize("name", ["xx", "", "file", "../tesla/en", "en.json"])
def test_a_model_that_does_not_ship_is_refused(name: str) -> None:
    with pytest.raises(ResourceError, match=r"MP841.*file:PATH"):
        AccordModel.find(name)


def test_a_loss_that_nothing_computes_is_refused_when_it_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    replace(MODEL, name="mine", features={"c1p": 1.0, "c99p": 1.0}).save(path)
    metric = Accord(model=f"file:{path}")
    with pytest.raises(ResourceError, match=r"MP842.*'mine'.*'c99p'"):
        metric.sentence_score("a", ["a"])


def test_a_model_that_could_not_be_read_is_not_made() -> None:
    for wrong in (
        {"name": "a|b"},
        {"features": {"c1p": float("nan")}},
        {"features": {"c1p": "1"}},
        {"features": {"c1p": 1e7}},
        {"features": {"c1p": -0.5}},
    ):
        with pytest.raises(ResourceError, match="MP842"):
            replace(MODEL, **wrong)


def test_what_ships_can_be_read() -> None:
    model = AccordModel.find("en")
    assert model.lang == "en"
    assert AccordModel.from_json(model.to_json()) == model
