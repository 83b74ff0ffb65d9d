"""A model of accord is its file: what is written is read, and whatever else is refused with a code."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.errors import ResourceError
from metaphrase.metrics.accord.metric import Accord
from metaphrase.trained.accord_model import AccordModel, Interval, Scale

MODEL = AccordModel(
    name="test",
    lang="en",
    features={"c1p": 2.5, "edit insert": 0.25, "v p³": 1e-3},
    scale=Scale(((0.0, 100.0), (0.5, 60.0), (2.0, 20.0))),
    interval=Interval(0.9, 40.0, 15.0, 5.0),
    training={"data": ["wmt – Ä"], "agreement": 0.5},
    licence="CC BY 4.0 – Ä",
)

INTERVAL = {"coverage": 0.9, "segment": 40, "ten": 15, "many": 5}


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


def test_an_interval_may_be_missing() -> None:
    unmeasured = replace(MODEL, interval=None)
    assert AccordModel.from_json(unmeasured.to_json()) == unmeasured


def test_whole_numbers_are_numbers_too() -> None:
    whole = replace(
        MODEL,
        features={"c1p": 2},
        scale=Scale(((0, 100), (1, 50))),
        interval=Interval(0.9, 40, 15, 5),
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
        replace(MODEL, features=dict(reversed(MODEL.features.items()))),
    ):
        assert same.fingerprint == MODEL.fingerprint
    for other in (
        replace(MODEL, lang="de"),
        replace(MODEL, features={**MODEL.features, "c1p": 2.6}),
        replace(MODEL, features={**MODEL.features, "c1r": 0.0}),
        replace(MODEL, scale=Scale((*MODEL.scale.knots[:-1], (2.0, 20.5)))),
        replace(MODEL, scale=Scale(MODEL.scale.knots[:-1])),
        replace(MODEL, interval=Interval(0.9, 40.0, 15.0, 6.0)),
        replace(MODEL, interval=None),
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
        ("MP843", changed(version=1)),
        ("MP843", changed(version=3)),
        ("MP843", changed(version=True)),
        ("MP843", changed(version=2.0)),
        ("MP843", changed(version="2")),
        ("MP843", without("version")),
        ("MP842", without("features")),
        ("MP842", without("training")),
        ("MP842", without("scale")),
        ("MP842", without("interval")),
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
        ("MP842", changed(scale={"0": 100})),
        ("MP842", changed(scale=[])),
        ("MP842", changed(scale=[[0, 100]])),
        ("MP842", changed(scale=[[0, 100], 1])),
        ("MP842", changed(scale=[[0, 100], [1]])),
        ("MP842", changed(scale=[[0, 100], [1, 50, 2]])),
        ("MP842", changed(scale=[[0, 100], [1, "50"]])),
        ("MP842", changed(scale=[[0, 100], [1, True]])),
        ("MP842", changed(scale=[[0, 100], [1, None]])),
        ("MP842", changed(scale=[[0, 100], [1, float("nan")]])),
        ("MP842", changed(scale=[[0, 100], [float("inf"), 50]])),
        ("MP842", changed(scale=[[0, 100], [1e300, 50]])),
        ("MP842", changed(scale=[[0, 100], [10**400, 50]])),
        ("MP842", changed(scale=[[0, 100], [1e-320, 50]])),
        ("MP842", changed(scale=[[0, 100], [1, 50], [1, 40]])),
        ("MP842", changed(scale=[[0, 100], [1, 50], [0.5, 40]])),
        ("MP842", changed(scale=[[0, 100], [1, 50], [2, 50]])),
        ("MP842", changed(scale=[[0, 100], [1, 50], [2, 60]])),
        ("MP842", changed(scale=[[0, 100], [1, 0]])),
        ("MP842", changed(scale=[[0, 100], [1, -1]])),
        ("MP842", changed(scale=[[0, 99], [1, 50]])),
        ("MP842", changed(scale=[[0.1, 100], [1, 50]])),
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


@pytest.mark.parametrize("knot", [(np.nan, 50.0), (1.0, np.nan), (np.inf, 50.0), (1.0, -np.inf)])
def test_a_scale_of_what_is_no_number_is_not_made(knot: tuple[float, float]) -> None:
    with pytest.raises(ResourceError, match="MP842"):
        Scale(((0.0, 100.0), knot))


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*INTERVAL, ""]), inner)
    ),
    max_leaves=12,
)
knots = st.lists(st.lists(st.floats() | st.integers(0, 100), min_size=2, max_size=2), max_size=4)


@given(
    scale=anything | knots.map(lambda some: [[0, 100], *some]),
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
    assert (np.diff(found) <= 1e-12).all()
    if model.interval is not None:
        reach = model.interval.reach(np.array([1.0, 2.0, 10.0, 11.0, 1e9]))
        assert ((reach >= 0) & (reach <= 100)).all()


@st.composite
def scales(draw: st.DrawFn) -> Scale:
    count = draw(st.integers(1, 8))
    steps = draw(st.lists(st.floats(1e-3, 5), min_size=count, max_size=count))
    falls = draw(st.lists(st.floats(1e-3, 5), min_size=count, max_size=count))
    # The last share is what is left of 100 in the end.
    shares = 100 * np.cumsum(falls) / (sum(falls) + draw(st.floats(1e-3, 5)))
    losses = np.cumsum(steps).tolist()
    return Scale(((0.0, 100.0), *zip(losses, (100 - shares).tolist(), strict=True)))


class TestScale:
    @given(scale=scales())
    def test_it_goes_through_its_knots(self, scale: Scale) -> None:
        losses, scores = np.array(scale.knots).T
        assert scale.scores(losses) == pytest.approx(scores)
        assert scale.scores(np.zeros(1)).tolist() == [100.0]

    @given(scale=scales(), share=st.floats(0, 1))
    def test_between_knots_it_is_a_straight_line(self, scale: Scale, share: float) -> None:
        losses, scores = np.array(scale.knots).T
        between = [side[:-1] + share * np.diff(side) for side in (losses, scores)]
        assert scale.scores(between[0]) == pytest.approx(between[1])

    @given(scale=scales())
    def test_beyond_the_last_knot_twice_the_loss_is_half_the_score(self, scale: Scale) -> None:
        last, score = scale.knots[-1]
        times = np.array([2.0, 3.0, 1000.0])
        assert scale.scores(last * times) == pytest.approx(score / times)

    @given(scale=scales())
    def test_it_falls_strictly_and_without_a_jump(self, scale: Scale) -> None:
        end = scale.knots[-1][0]
        losses = np.linspace(0, 3 * end, 1000)
        falls = -np.diff(scale.scores(losses))
        assert (falls > 0).all()
        slopes = [(b - a) / (y - x) for (x, b), (y, a) in pairwise(scale.knots)]
        steepest = max(*slopes, scale.knots[-1][1] / end)
        assert (falls <= steepest * np.diff(losses) * (1 + 1e-6)).all()

    def test_no_loss_is_so_great_that_nothing_worse_is_seen(self) -> None:
        found = MODEL.scale.scores(np.array([1e3, 1e6, 1e9]))
        assert found.tolist() == pytest.approx([4e-2, 4e-5, 4e-8])


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
