"""A model of accord is its file: what is written is read, and whatever else is refused with a code."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.errors import ResourceError
from metaphrase.metrics.accord.metric import Accord
from metaphrase.trained.accord_model import AccordModel, ErrorPoints, Interval, Scale

MODEL = AccordModel(
    name="test",
    lang="en",
    features={"c1p": 2.5, "edit missing": 0.25, "v p³": 1e-3},
    scale=Scale(middle=1.5, steepness=3.5),
    interval=Interval(0.9, 40.0, 15.0, 5.0),
    points=ErrorPoints(rate=0.5, length=0.75),
    training={"data": ["wmt – Ä"], "agreement": 0.5},
    licence="CC BY 4.0 – Ä",
)

SCALE = {"middle": 1.5, "steepness": 3.5}
#: What the scale of MODEL says of 0.1, 1, 2 and 30, which is the exact value but for the last bit.
BITS = [
    "0x1.8ff82aa9d130cp+6",
    "0x1.4214a65d972b3p+6",
    "0x1.ac24a4c347a58p+4",
    "0x1.6e58de0481a37p-9",
]
POINTS = {"rate": 0.5, "length": 0.75}
INTERVAL = {"coverage": 0.9, "segment": 40, "ten": 15, "many": 5}


def changed(**entries: Any) -> str:
    return json.dumps(json.loads(MODEL.to_json()) | entries)


def without(entry: str) -> str:
    entries = json.loads(MODEL.to_json())
    del entries[entry]
    return json.dumps(entries)


def test_weights_go_with_one_encoder_that_ships() -> None:
    weights = replace(MODEL, encoder="0123456789ab")
    weights.check_encoder("0123456789ab")
    MODEL.check_encoder("whatever")
    with pytest.raises(
        ResourceError, match=r"MP692.*goes with the encoder 0123456789ab.*has ba9876543210"
    ):
        weights.check_encoder("ba9876543210")


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    MODEL.save(path)
    again = AccordModel.load(path)
    assert again == MODEL
    assert again.fingerprint == MODEL.fingerprint
    assert AccordModel.find(f"file:{path}") == MODEL


def test_interval_and_points_may_be_missing() -> None:
    unmeasured = replace(MODEL, interval=None, points=None)
    assert AccordModel.from_json(unmeasured.to_json()) == unmeasured


def test_whole_numbers_are_numbers_too() -> None:
    whole = replace(
        MODEL,
        features={"c1p": 2},
        scale=Scale(middle=2, steepness=3),
        interval=Interval(0.9, 40, 15, 5),
        points=ErrorPoints(rate=1, length=0),
    )
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
        # Signatures name the points where they are counted.
        replace(MODEL, points=None),
        replace(MODEL, features=dict(reversed(MODEL.features.items()))),
    ):
        assert same.fingerprint == MODEL.fingerprint
    for other in (
        replace(MODEL, lang="de"),
        replace(MODEL, features={**MODEL.features, "c1p": 2.6}),
        replace(MODEL, features={**MODEL.features, "c1r": 0.0}),
        replace(MODEL, scale=replace(MODEL.scale, middle=1.6)),
        replace(MODEL, scale=replace(MODEL.scale, steepness=3.6)),
        replace(MODEL, interval=Interval(0.9, 40.0, 15.0, 6.0)),
        replace(MODEL, interval=None),
    ):
        assert other.fingerprint != MODEL.fingerprint


def test_weights_are_those_of_the_losses_asked_for() -> None:
    known = ["v p³", "c1r", "c1p", "edit missing"]
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
        ("MP843", changed(version=1)),
        ("MP843", changed(version=2)),
        ("MP843", changed(version=3)),
        ("MP843", changed(version=5)),
        ("MP843", changed(version=True)),
        ("MP843", changed(version=4.0)),
        ("MP843", changed(version="4")),
        ("MP843", without("version")),
        ("MP842", without("features")),
        ("MP842", without("training")),
        ("MP842", without("scale")),
        ("MP842", without("interval")),
        ("MP842", without("points")),
        ("MP842", changed(surprise=1)),
        ("MP842", changed(lang=1)),
        ("MP842", changed(name="a\nb")),
        ("MP842", changed(name="a|b")),
        ("MP842", changed(features={})),
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
        ("MP842", changed(scale=[])),
        ("MP842", changed(scale={})),
        ("MP842", changed(scale=[[0, 100], [1, 50]])),
        ("MP842", changed(scale={"middle": 1})),
        ("MP842", changed(scale=SCALE | {"knots": []})),
        ("MP842", changed(scale=SCALE | {"middle": "1"})),
        ("MP842", changed(scale=SCALE | {"middle": None})),
        ("MP842", changed(scale=SCALE | {"steepness": True})),
        ("MP842", changed(scale=SCALE | {"middle": 0})),
        ("MP842", changed(scale=SCALE | {"middle": -1})),
        ("MP842", changed(scale=SCALE | {"middle": 1e300})),
        ("MP842", changed(scale=SCALE | {"middle": 10**400})),
        ("MP842", changed(scale=SCALE | {"middle": 1e-320})),
        ("MP842", changed(scale=SCALE | {"middle": float("nan")})),
        ("MP842", changed(scale=SCALE | {"steepness": float("inf")})),
        ("MP842", changed(scale=SCALE | {"steepness": 0})),
        ("MP842", changed(scale=SCALE | {"steepness": 21})),
        ("MP842", changed(interval=[0.9, 40, 15, 5])),
        ("MP842", changed(interval={"coverage": 0.9, "segment": 40, "ten": 15})),
        ("MP842", changed(interval=INTERVAL | {"all": 1})),
        ("MP842", changed(interval=INTERVAL | {"ten": "15"})),
        ("MP842", changed(interval=INTERVAL | {"ten": float("nan")})),
        ("MP842", changed(interval=INTERVAL | {"coverage": 0})),
        ("MP842", changed(interval=INTERVAL | {"coverage": 1})),
        ("MP842", changed(interval=INTERVAL | {"segment": 1e300})),
        ("MP842", changed(interval=INTERVAL | {"ten": 41})),
        ("MP842", changed(interval=INTERVAL | {"many": 16})),
        ("MP842", changed(interval=INTERVAL | {"many": -1})),
        ("MP842", changed(points=[0.5, 0.75])),
        ("MP842", changed(points={"rate": 0.5})),
        ("MP842", changed(points=POINTS | {"most": 25})),
        ("MP842", changed(points=POINTS | {"rate": 0})),
        ("MP842", changed(points=POINTS | {"rate": 1e7})),
        ("MP842", changed(points=POINTS | {"rate": float("nan")})),
        ("MP842", changed(points=POINTS | {"length": -0.1})),
        ("MP842", changed(points=POINTS | {"length": 2.5})),
        ("MP842", changed(points=POINTS | {"length": "1"})),
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
        {"features": {}},
        {"features": {"c1p": float("nan")}},
        {"features": {"c1p": "1"}},
        {"features": {"c1p": 1e7}},
        {"features": {"c1p": -0.5}},
    ):
        with pytest.raises(ResourceError, match="MP842"):
            replace(MODEL, **wrong)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf, 0.0, -1.0, 1e-9, 1e9])
def test_an_impossible_scale_is_not_made(wrong: float) -> None:
    for values in ({"middle": wrong}, {"steepness": wrong}):
        with pytest.raises(ResourceError, match="MP842"):
            Scale(**(SCALE | values))


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from([*SCALE, *INTERVAL, ""]), inner)
    ),
    max_leaves=12,
)
scales = st.builds(Scale, middle=st.floats(1e-3, 1e3), steepness=st.floats(0.1, 20))


@given(
    scale=anything | st.fixed_dictionaries(dict.fromkeys(SCALE, st.floats() | st.integers(0, 100))),
    interval=anything | st.fixed_dictionaries(dict.fromkeys(INTERVAL, st.floats())),
)
def test_whatever_a_file_says_it_is_a_sound_model_or_refused(scale: Any, interval: Any) -> None:
    content = changed(scale=scale, interval=interval)
    try:
        model = AccordModel.from_json(content)
    except ResourceError:
        with pytest.raises(ResourceError, match="MP842"):
            AccordModel.from_json(content)
        return
    found = model.scale.scores(np.array([0.0, 1e-9, 0.1, 1.0, 1e6, 1e9]))
    assert found[0] == 100
    assert (found > 0).all()
    assert (np.diff(found) <= 0).all()
    if model.interval is not None:
        reach = model.interval.reach(np.array([1.0, 2.0, 10.0, 11.0, 1e9]))
        assert ((reach >= 0) & (reach <= 100)).all()


class TestScale:
    @given(scale=scales)
    def test_no_loss_is_100_and_the_middle_50(self, scale: Scale) -> None:
        assert scale.scores(np.array([0.0, scale.middle])).tolist() == [100.0, 50.0]

    @given(scale=scales, times=st.floats(1e-3, 1e3))
    def test_the_odds_are_a_power_of_the_loss(self, scale: Scale, times: float) -> None:
        score = float(scale.scores(np.array([times * scale.middle]))[0])
        assert score == pytest.approx(100 / (1 + times**scale.steepness))

    @given(scale=scales)
    def test_it_falls_strictly(self, scale: Scale) -> None:
        """From where a hundredth of a point is lost to where one is left."""
        ends = np.array([1e-4, 1e4]) ** (1 / scale.steepness)
        falls = -np.diff(scale.scores(scale.middle * np.geomspace(*ends, 1000)))
        assert (falls > 0).all()

    def test_no_loss_is_so_great_that_nothing_worse_is_seen(self) -> None:
        found = Scale(middle=2.0, steepness=2.0).scores(np.array([2e3, 2e6, 2e9]))
        assert found.tolist() == pytest.approx([1e-4, 1e-10, 1e-16])

    def test_what_rounding_leaves_below_0_is_no_loss(self) -> None:
        assert MODEL.scale.scores(np.array([-1e-17])).tolist() == [100.0]

    def test_the_bits_are_the_same_on_every_machine(self) -> None:
        found = MODEL.scale.scores(np.array([0.1, 1.0, 2.0, 30.0])).tolist()
        assert [score.hex() for score in found] == BITS


class TestInterval:
    def test_it_is_as_wide_as_was_measured(self) -> None:
        reach = Interval(0.9, 40.0, 15.0, 5.0).reach(np.array([1.0, 10.0, 1e12]))
        assert reach == pytest.approx([40.0, 15.0, 5.0])

    def test_between_these_the_squares_go_with_1_over_n(self) -> None:
        reach = Interval(0.9, 40.0, 15.0, 5.0).reach(np.array([2.0, 20.0]))
        # From 1/10 to 1 it is 4/9 of the way to 1/2; from 0 to 1/10, half the way to 1/20.
        assert reach**2 == pytest.approx([225 + 4 / 9 * (1600 - 225), 25 + (225 - 25) / 2])

    @given(sizes=st.lists(st.floats(0, 100), min_size=3, max_size=3).map(sorted))
    def test_more_segments_never_make_it_wider(self, sizes: list[float]) -> None:
        many, ten, segment = sizes
        reach = Interval(0.9, segment, ten, many).reach(np.arange(1.0, 200.0))
        assert (np.diff(reach) <= 1e-9).all()


@pytest.mark.parametrize("name", AccordModel.shipped())
def test_what_ships_can_be_read(name: str) -> None:
    model = AccordModel.find(name)
    assert model.name == name
    assert model.lang == ("mul" if name == "any" else name.partition("+")[0])
    assert model.interval is not None
    assert model.licence
    assert model.training["judgements"]
    assert AccordModel.from_json(model.to_json()) == model
