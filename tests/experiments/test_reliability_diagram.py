"""Reliability diagrams: where points are, and what the files say beside."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

pytest.importorskip(
    "experiments.reliability_diagram", reason="a source distribution has no experiments"
)

from experiments.frame import RESULTS
from experiments.reliability_diagram import (
    BOTTOM,
    LEFT,
    RIGHT,
    TOP,
    Point,
    ReliabilityDiagram,
    Series,
    shape,
)

SVG = "{http://www.w3.org/2000/svg}"
#: The axes end at 0.5 and 0.7, and at 0.4 and 0.8: the first point is in the middle of both.
DIAGRAM = ReliabilityDiagram(
    "Reliability: <all>",
    "What it shows.",
    (
        Series("old & new", (Point(0.6, 0.6, 0.4, 0.8, 400), Point(0.7, 0.5, 0.45, 0.55, 100))),
        Series("other", (Point(0.5, 0.7, 0.6, 0.75, 4),)),
    ),
)


def marks() -> list[tuple[str, ...]]:
    """The paths of each point: its interval, its mark."""
    groups = ElementTree.fromstring(DIAGRAM.svg()).findall(f"{SVG}g")
    return [tuple(path.get("d", "") for path in group.findall(f"{SVG}path")) for group in groups]


def test_a_point_is_where_its_numbers_say() -> None:
    # The middle of the plot is ((46 + 382) / 2, (14 + 312) / 2) = (214, 163), the interval all its height.
    assert DIAGRAM.place(0.6, 0.6) == pytest.approx((214, 163))
    interval, circle = marks()[0]
    assert interval == "M214.0 312.0V14.0"
    # The most comparisons have the radius 10: the circle begins that far left of its middle.
    assert circle.startswith("M204.0 163.0a10.0 10.0 ")


def test_corners_of_the_axes_are_corners_of_the_plot() -> None:
    assert DIAGRAM.place(0.5, 0.4) == pytest.approx((LEFT, BOTTOM))
    assert DIAGRAM.place(0.7, 0.8) == pytest.approx((RIGHT, TOP))


def test_areas_are_as_counts() -> None:
    # A quarter of the comparisons, half the radius; 1 % would be 1.0, less than the least that is drawn.
    assert [DIAGRAM.radius(count) for count in (400, 100, 4)] == pytest.approx([10, 5, 2.2])


@pytest.mark.parametrize("number", range(1, 5))
def test_shapes_have_the_area_of_a_circle(number: int) -> None:
    corners = [
        tuple(map(float, pair))
        for pair in re.findall(r"(-?[\d.]+) (-?[\d.]+)", shape(number, 0, 0, 100))
    ]
    turned = [*corners[1:], corners[0]]
    area = sum(x * b - a * y for (x, y), (a, b) in zip(corners, turned, strict=True)) / 2
    # π · 100² = 31,416; coordinates have one decimal.
    assert abs(area) == pytest.approx(31_416, rel=0.002)


def test_the_diagonal_joins_equal_numbers() -> None:
    paths = ElementTree.fromstring(DIAGRAM.svg()).findall(f"{SVG}path[@class='diagonal']")
    # From (0.5, 0.5), a quarter of the height of 298 up, to (0.7, 0.7), three quarters up.
    assert [path.get("d") for path in paths] == ["M46.0 237.5L382.0 88.5"]


def test_a_title_a_description_and_names_are_read_aloud() -> None:
    root = ElementTree.fromstring(DIAGRAM.svg())
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "title description"
    assert [root.findtext(f"{SVG}{name}") for name in ("title", "desc")] == [
        "Reliability: <all>",
        "What it shows.",
    ]
    assert {"old & new", "other"} <= {text.text for text in root.findall(f"{SVG}text")}


def test_no_diagram_without_points_or_with_too_many_series() -> None:
    with pytest.raises(ValueError, match="needs a point"):
        replace(DIAGRAM, series=(Series("none", ()),))
    with pytest.raises(ValueError, match="at most 5"):
        replace(DIAGRAM, series=DIAGRAM.series * 3)


@pytest.mark.parametrize("level", ["segments", "documents", "systems"])
def test_pictures_say_what_the_page_says_of_them(level: str) -> None:
    root = ElementTree.parse(RESULTS.parent / "pictures" / f"reliability-{level}.svg").getroot()
    page = (RESULTS / "calibration.md").read_text("utf-8")
    assert f"![{root.findtext(f'{SVG}desc')}](../pictures/reliability-{level}.svg)" in page
