"""Model files of edit machines: what is written is read again, and nothing else is."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaphrase.errors import InputError, OptionError, ResourceError
from metaphrase.matching.edit_machine import MachineOptions
from metaphrase.matching.edit_pairs import feature_names
from metaphrase.matching.substitutions import SubstitutionOptions
from metaphrase.metrics.edit_machines.metric import PpdaF
from metaphrase.trained.edit_features import parameter_names, parameter_of_feature
from metaphrase.trained.edit_model import (
    LARGEST_ALPHA,
    LARGEST_SLOPE,
    LARGEST_WEIGHT,
    EditModel,
)

MODEL = EditModel(
    name="example",
    weights={"U|insert": -0.25, "U|jump": 0.1, "B|word|jump": 1 / 3, "D|subject": 2.0},
    alpha=-1.5,
    machine=MachineOptions(max_jump=5),
    substitutions=SubstitutionOptions(dependencies=True),
    training={"pairs": 12, "data": ["some.tsv"]},
    licence="CC0 – none",
)


def changed(**entries: Any) -> str:
    return json.dumps(json.loads(MODEL.to_json()) | entries)


class TestVector:
    def test_one_label_of_jumps_weighs_all_three(self) -> None:
        vector = dict(zip(feature_names(), MODEL.vector(), strict=True))
        assert vector["U|insert"] == -0.25
        for jump in ("jump_forward", "jump_back", "jump_end"):
            assert vector[f"U|{jump}"] == 0.1
            assert vector[f"B|word|{jump}"] == 1 / 3
            assert vector[f"B|{jump}|word"] == 0.0
        assert sum(weight != 0 for weight in vector.values()) == 1 + 3 + 3 + 1

    def test_three_labels_are_the_features_themselves(self) -> None:
        assert list(parameter_names(3)) == feature_names()
        model = replace(MODEL, jump_labels=3, weights={"U|jump_back": 4.0})
        assert np.flatnonzero(model.vector()).tolist() == [feature_names().index("U|jump_back")]

    def test_features_of_the_paper(self) -> None:
        # METRICS 6.3: 8 labels with one for jumps, so 64 + 8 + 3 features; and 8 of the first edit.
        names = parameter_names(1)
        assert len(names) == 64 + 8 + 3 + 8
        assert len(parameter_of_feature(1)) == len(feature_names())

    def test_labels_of_jumps_are_one_or_three(self) -> None:
        with pytest.raises(OptionError, match="MP626"):
            parameter_names(2)


class TestValue:
    def test_nobody_can_change_it(self) -> None:
        weights, training = {"U|word": 1.0}, {"pairs": 3}
        model = replace(MODEL, weights=weights, training=training)
        weights["U|word"], training["pairs"] = 2.0, 4
        assert (model.weights, model.training) == ({"U|word": 1.0}, {"pairs": 3})
        with pytest.raises(TypeError):
            model.weights["U|word"] = 2.0  # type: ignore[index]

    def test_equal_models_have_equal_hashes(self) -> None:
        other = replace(MODEL, weights=dict(reversed(MODEL.weights.items())))
        assert len({MODEL, other, replace(MODEL, alpha=0.0)}) == 2

    def test_models_can_be_pickled_and_copied(self) -> None:
        assert pickle.loads(pickle.dumps(MODEL)) == copy.deepcopy(MODEL) == MODEL

    @pytest.mark.parametrize(
        "wrong", [{"name": ""}, {"name": " "}, {"name": "a\udcff"}, {"licence": "a\udcff"}]
    )
    def test_texts_can_be_written(self, wrong: dict[str, str]) -> None:
        with pytest.raises(OptionError, match="MP623"):
            replace(MODEL, **wrong)  # type: ignore[arg-type]

    def test_a_message_names_one_fault(self) -> None:
        with pytest.raises(OptionError, match="jump_labels is 2") as error:
            replace(MODEL, jump_labels=2)
        assert "references" not in str(error.value)


class TestPrediction:
    def test_the_largest_scores_can_be_added_up(self, tmp_path: Path) -> None:
        weights = dict.fromkeys(parameter_names(1), LARGEST_WEIGHT)
        largest = replace(
            MODEL, weights=weights, slope=LARGEST_SLOPE, alpha=LARGEST_ALPHA, start_features=True
        )
        path = tmp_path / "model.json"
        replace(largest, synonyms="none", paraphrases="none").save(path)
        words = " ".join(["dogs chase cats"] * 10)
        assert PpdaF(model=f"file:{path}").corpus_score([words], [[words]]).score > 1e8

    def test_is_linear_in_the_sum_per_word(self) -> None:
        assert MODEL.predict([4.0, 0.0], [8, 0]).tolist() == [-1.0, -1.5]

    def test_rescaling_maps_predictions(self) -> None:
        before = MODEL.predict([4.0, 1.0], [8, 3])
        after = MODEL.rescaled(20.0, 50.0).predict([4.0, 1.0], [8, 3])
        assert after == pytest.approx(20 * before + 50)

    def test_a_slope_that_turns_the_scale_round_is_refused(self) -> None:
        with pytest.raises(OptionError, match="MP623"):
            MODEL.rescaled(-1.0, 0.0)


class TestFile:
    def test_reading_gives_back_what_was_written(self, tmp_path: Path) -> None:
        path = tmp_path / "model.json"
        MODEL.save(path)
        assert EditModel.load(path) == MODEL
        assert EditModel.find(f"file:{path}") == MODEL
        with pytest.raises(InputError, match="MP130"):
            MODEL.save(path, overwrite=False)

    def test_a_changed_file_is_read_again(self, tmp_path: Path) -> None:
        path = tmp_path / "model.json"
        MODEL.save(path)
        assert EditModel.find(f"file:{path}").alpha == -1.5
        replace(MODEL, alpha=-2.125).save(path)
        assert EditModel.find(f"file:{path}").alpha == -2.125

    def test_the_fingerprint_is_that_of_the_scores(self) -> None:
        names = replace(MODEL, name="x", licence="y", training={})
        weights = replace(MODEL, weights=dict(reversed(MODEL.weights.items())))
        assert MODEL.fingerprint == names.fingerprint == weights.fingerprint
        for other in (
            MODEL.rescaled(1.0, 0.5),
            replace(MODEL, machine=MachineOptions(max_jump=4)),
            replace(MODEL, weights=MODEL.weights | {"U|insert": -0.5}),
            replace(MODEL, synonyms="none"),
        ):
            assert other.fingerprint != MODEL.fingerprint

    @pytest.mark.parametrize("kept", [0, 1, 40, 400, -3])
    def test_a_file_cut_off_anywhere_is_damaged(self, kept: int, tmp_path: Path) -> None:
        path = tmp_path / "model.json"
        path.write_bytes(MODEL.to_json().encode()[:kept])
        with pytest.raises(ResourceError, match="MP621") as error:
            EditModel.load(path)
        assert error.value.path == str(path)

    @pytest.mark.parametrize(
        ("content", "code"),
        [
            ("[]", "MP621"),
            ("{}", "MP622"),
            (changed(format="something else"), "MP622"),
            (changed(version=2), "MP622"),
            (changed(version="1"), "MP622"),
            (changed(version=True), "MP622"),
            (changed(surprise=1), "MP623"),
            (json.dumps({"format": "metaphrase edit model", "version": 1}), "MP623"),
            (changed(alpha="0"), "MP623"),
            (changed(alpha=None), "MP623"),
            (changed(alpha=10**400), "MP623"),
            (changed(slope=0), "MP623"),
            (changed(slope=-1.0), "MP623"),
            (changed(slope=1e308), "MP623"),
            (changed(alpha=-1e308), "MP623"),
            (changed(name=""), "MP623"),
            (changed(name="a\nb"), "MP623"),
            (changed(licence="\ud800"), "MP623"),
            (changed(jump_labels=2), "MP623"),
            (changed(jump_labels=1.0), "MP623"),
            (changed(start_features=1), "MP623"),
            (changed(references="worst"), "MP623"),
            (changed(machine={"max_jump": 5}), "MP623"),
            (changed(machine=[]), "MP623"),
            (changed(weights={"U|dance": 1.0}), "MP624"),
            (changed(weights={"U|jump_back": 1.0}), "MP624"),
            (changed(weights={"S|word": 1.0}), "MP624"),
            (changed(weights={"U|word": "1"}), "MP624"),
            (changed(weights={"U|word": True}), "MP624"),
            (changed(weights={"U|word": 1e300}), "MP624"),
            (changed(weights={"U|word": float("nan")}), "MP621"),
            (changed(alpha=float("inf")), "MP621"),
            (MODEL.to_json().replace('"alpha": -1.5', '"alpha": 1e999'), "MP621"),
            (MODEL.to_json().replace('"alpha"', '"slope"'), "MP621"),
            ("[" * 100_000, "MP621"),
            ("1" * 5_000, "MP621"),
            (" " * (5 << 20), "MP621"),
        ],
    )
    def test_what_is_no_model_of_this_version(self, content: str, code: str) -> None:
        with pytest.raises(ResourceError, match=code):
            EditModel.from_json(content)

    def test_bytes_that_are_no_text(self) -> None:
        with pytest.raises(ResourceError, match="MP621"):
            EditModel.from_json(b'{"name": "\xff"}')

    @pytest.mark.parametrize(
        ("name", "code"),
        [("file:/nowhere/model.json", "MP620"), ("file:", "MP620"), ("file:\0", "MP620")]
        + [(name, "MP625") for name in ("tango", "../errors", "", "file")],
    )
    def test_a_model_that_is_not_there(self, name: str, code: str) -> None:
        with pytest.raises(ResourceError, match=code):
            EditModel.find(name)

    def test_a_file_without_a_name(self) -> None:
        with pytest.raises(ResourceError, match=r"MP620.*names no edit model"):
            EditModel.find("file:")

    def test_a_directory(self, tmp_path: Path) -> None:
        with pytest.raises(ResourceError, match="MP620"):
            EditModel.load(tmp_path)
