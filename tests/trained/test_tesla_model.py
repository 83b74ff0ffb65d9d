"""A model of TESLA is its file: what is written is read, and whatever else is refused with a code."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaphrase.errors import ResourceError
from metaphrase.learning.tesla.ranking import LinearFit
from metaphrase.learning.tesla.training import weighed
from metaphrase.trained.tesla_model import FeatureWeight, Resource, TeslaModel

MODEL = TeslaModel(
    name="test",
    lang="en",
    analyser="builtin:en",
    synonyms="wordnet",
    features={"ms1": FeatureWeight(0.5, 0.6, 0.2), "lm.news": FeatureWeight(-0.1, -2.5, 0.5)},
    pivots={"de": Resource("en-de.pivots", "0123456789ab")},
    language_models={"news": Resource("news.lm", "ba9876543210")},
    intercept=0.125,
    training={"method": "ranking SVM", "C": 0.01},
    licence="CC BY 4.0 – Ä",
)


def changed(**entries: Any) -> str:
    return json.dumps(json.loads(MODEL.to_json()) | entries)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    MODEL.save(path)
    again = TeslaModel.load(path)
    assert again == MODEL
    assert again.fingerprint == MODEL.fingerprint
    assert TeslaModel.find(f"file:{path}") == MODEL


def test_a_file_that_has_changed_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    for intercept in (1.0, 22.0):
        replace(MODEL, intercept=intercept).save(path)
        assert TeslaModel.find(f"file:{path}").intercept == intercept


def test_the_fingerprint_is_of_what_scores_depend_on() -> None:
    for same in (
        replace(MODEL, name="other"),
        replace(MODEL, licence=""),
        replace(MODEL, training={}),
    ):
        assert same.fingerprint == MODEL.fingerprint
    for other in (
        replace(MODEL, intercept=1.0),
        replace(MODEL, alpha=0.9),
        replace(MODEL, lm_divisor="n"),
        replace(MODEL, features={**MODEL.features, "ms1": FeatureWeight(0.5, 0.6, 0.3)}),
        replace(MODEL, pivots={"de": Resource("en-de.pivots", "0")}),
    ):
        assert other.fingerprint != MODEL.fingerprint


def test_a_model_that_says_nothing_divides_by_n_and_1() -> None:
    assert "lm_divisor" not in json.loads(MODEL.to_json())
    assert TeslaModel.from_json(MODEL.to_json()).lm_divisor == "n+1"
    published = replace(MODEL, lm_divisor="n")
    assert TeslaModel.from_json(published.to_json()) == published


def test_a_feature_adds_its_standardised_value_times_its_weight() -> None:
    added = MODEL.contributions(np.array([[0.8, -2.5], [np.nan, -3.5]]))
    # 0.5 (0.8 − 0.6) / 0.2, and −0.1 (−3.5 + 2.5) / 0.5.
    np.testing.assert_allclose(added, [[0.5, 0.0], [0.0, 0.2]], atol=1e-15)


def test_a_fit_becomes_weights() -> None:
    fit = LinearFit(np.array([2.0 + 1e-9]), np.array([1.0]), np.array([0.5]), 0.0, 1.0, {}, 1.0)
    assert weighed(["ms1"], fit) == {"ms1": FeatureWeight(2.0, 1.0, 0.5)}


@pytest.mark.parametrize(
    ("code", "content"),
    [
        ("MP802", changed(lm_divisor="n-1")),
        ("MP802", changed(lm_divisor=1)),
        ("MP802", ""),
        ("MP802", MODEL.to_json()[:-20]),
        ("MP802", "[]"),
        ("MP802", b"\xff"),
        ("MP802", "[" * 100_000),
        ("MP802", '{"format": 1, "format": 2}'),
        ("MP802", changed(intercept=0).replace('"intercept": 0', '"intercept": NaN')),
        ("MP803", "{}"),
        ("MP803", changed(format="metaphrase edit model")),
        ("MP803", changed(version=2)),
        ("MP803", changed(version=True)),
        ("MP803", changed(version=1.0)),
        ("MP802", changed(surprise=1)),
        ("MP802", changed(lang=1)),
        ("MP802", changed(alpha=True)),
        ("MP802", changed(alpha=1.5)),
        ("MP802", changed(function_divisor=0)),
        ("MP802", changed(function_divisor=2.5)),
        ("MP802", changed(intercept=1e300)),
        ("MP802", changed(features={"ms1": 1})),
        ("MP802", changed(features={"ms1": {"weight": 1, "mean": 0}})),
        ("MP802", changed(features={"ms1": {"weight": "1", "mean": 0, "scale": 1}})),
        ("MP802", changed(features={"ms1": {"weight": 1, "mean": 0, "scale": 0}})),
        ("MP802", changed(features={"ms1": {"weight": 1, "mean": 0, "scale": -1}})),
        ("MP802", changed(features={"ms1": {"weight": 1e9, "mean": 0, "scale": 1}})),
        ("MP802", changed(pivots={"de": {"file": "../../etc/passwd", "fingerprint": ""}})),
        ("MP802", changed(pivots={"de": {"file": "", "fingerprint": ""}})),
        ("MP802", changed(pivots={"de": {"file": "a"}})),
        ("MP802", changed(pivots={"de": {"file": "a\nb", "fingerprint": ""}})),
        ("MP802", changed(language_models={"a\x1bb": {"file": "a", "fingerprint": ""}})),
        ("MP802", changed(language_models={"a,b": {"file": "a", "fingerprint": ""}})),
        ("MP802", changed(name="a\nb")),
    ],
)
def test_what_is_no_model_is_refused(code: str, content: str | bytes) -> None:
    with pytest.raises(ResourceError, match=code):
        TeslaModel.from_json(content)


def test_what_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.json", tmp_path, "nul\0"):
        with pytest.raises(ResourceError, match="MP800"):
            TeslaModel.find(f"file:{path}")
    large = tmp_path / "large.json"
    large.write_bytes(b" " * (1 << 23))
    with pytest.raises(ResourceError, match="MP802"):
        TeslaModel.find(f"file:{large}")


def test_a_model_that_does_not_ship_is_refused() -> None:
    with pytest.raises(ResourceError, match=r"MP801.*metaphrase train tesla"):
        TeslaModel.find("xx")
