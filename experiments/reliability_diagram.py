"""Reliability diagrams as SVG: the probability that was said, and how often it was found.

The pictures are small enough to be written by hand, follow the colour scheme of the reader, and are the same
bytes for the same numbers, so that a change of one is seen in a diff.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

#: The picture, and the plot in it: left, top, right and bottom.
WIDTH, HEIGHT = 400, 408
LEFT, TOP, RIGHT, BOTTOM = 46.0, 14.0, 382.0, 312.0
#: Radii of the largest point, and of the least that is still seen.
_LARGEST, _SMALLEST = 10.0, 2.2
#: Between ticks of what was said, and of what was found.
_SAID_STEP, _FOUND_STEP = 0.05, 0.1
_LEGEND_TOP, _LEGEND_ROW, _LEGEND_COLUMNS = 366.0, 20.0, 3
#: Colours of series on white and on black, each with a shape of its own: nobody needs the colours.
_COLOURS = (
    ("#c2410c", "#ff9457"),
    ("#0067a5", "#5db4f0"),
    ("#00735a", "#35c79a"),
    ("#96457f", "#e8a2cf"),
    ("#7a6000", "#e0c04a"),
)


@dataclass(frozen=True, slots=True)
class Point:
    """What was said and found in ``count`` cases, with the interval of what was found."""

    said: float
    found: float
    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True)
class Series:
    """Points by one name, in the order of what was said."""

    name: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class ReliabilityDiagram:
    """The points of some series and the diagonal on which they would lie if all that is said were right."""

    title: str
    description: str
    series: tuple[Series, ...]

    def __post_init__(self) -> None:
        if not self._points:
            raise ValueError("a diagram needs a point")
        if len(self.series) > len(_COLOURS):
            raise ValueError(f"at most {len(_COLOURS)} series can be told apart")

    @property
    def _points(self) -> list[Point]:
        return [point for one in self.series for point in one.points]

    @property
    def said_range(self) -> tuple[float, float]:
        """The ends of the horizontal axis."""
        return _range([point.said for point in self._points], _SAID_STEP)

    @property
    def found_range(self) -> tuple[float, float]:
        """The ends of the vertical axis, which hold every interval."""
        return _range(
            [end for point in self._points for end in (point.low, point.high)], _FOUND_STEP
        )

    def place(self, said: float, found: float) -> tuple[float, float]:
        """Where a point is in the picture."""
        left, right = self.said_range
        bottom, top = self.found_range
        return (
            LEFT + (said - left) / (right - left) * (RIGHT - LEFT),
            BOTTOM - (found - bottom) / (top - bottom) * (BOTTOM - TOP),
        )

    def radius(self, count: int) -> float:
        """Areas are as counts, down to the least that is seen."""
        most = max(point.count for point in self._points)
        return max(_SMALLEST, _LARGEST * math.sqrt(count / most))

    def svg(self) -> str:
        """The file."""
        return "\n".join(
            [*self._head(), *self._axes(), *self._marks(), *self._legend(), "</svg>", ""]
        )

    def _head(self) -> Iterator[str]:
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
            f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="title description">'
        )
        yield f'<title id="title">{escape(self.title)}</title>'
        yield f'<desc id="description">{escape(self.description)}</desc>'
        yield "<style>"
        yield from _rules("#fff", "#1f2328", "#d8dde3", [light for light, _ in _COLOURS])
        yield "text { font: 12px system-ui, sans-serif; fill: var(--text) }"
        yield ".grid { stroke: var(--grid) }"
        yield ".diagonal { stroke: var(--text); stroke-dasharray: 5 4 }"
        yield ".track { fill: none; stroke-opacity: 0.45 }"
        yield ".point { fill-opacity: 0.8 }"
        for number in range(len(_COLOURS)):
            yield f".s{number} {{ stroke: var(--s{number}); fill: var(--s{number}) }}"
        yield "@media (prefers-color-scheme: dark) {"
        yield from _rules("#131416", "#e6e8eb", "#3a3f45", [dark for _, dark in _COLOURS])
        yield "}"
        yield "</style>"
        yield f'<rect width="{WIDTH}" height="{HEIGHT}" style="fill: var(--back)"/>'

    def _axes(self) -> Iterator[str]:
        left, right = self.said_range
        bottom, top = self.found_range
        for said in _ticks(left, right, _SAID_STEP):
            x = self.place(said, bottom)[0]
            yield f'<path class="grid" d="M{x:.1f} {TOP:.1f}V{BOTTOM:.1f}"/>'
            yield f'<text x="{x:.1f}" y="{BOTTOM + 17:.1f}" text-anchor="middle">{said:.2f}</text>'
        for found in _ticks(bottom, top, _FOUND_STEP):
            y = self.place(left, found)[1]
            yield f'<path class="grid" d="M{LEFT:.1f} {y:.1f}H{RIGHT:.1f}"/>'
            yield f'<text x="{LEFT - 6:.1f}" y="{y + 4:.1f}" text-anchor="end">{found:.1f}</text>'
        middle = (LEFT + RIGHT) / 2, (TOP + BOTTOM) / 2
        yield f'<text x="{middle[0]:.1f}" y="{BOTTOM + 35:.1f}" text-anchor="middle">probability said</text>'
        yield (
            f'<text transform="translate(14 {middle[1]:.1f}) rotate(-90)" text-anchor="middle">'
            "how often raters agreed</text>"
        )
        first, last = max(left, bottom), min(right, top)
        if first < last:
            (x, y), (end_x, end_y) = self.place(first, first), self.place(last, last)
            yield f'<path class="diagonal" d="M{x:.1f} {y:.1f}L{end_x:.1f} {end_y:.1f}"/>'

    def _marks(self) -> Iterator[str]:
        """Lines first, and large points before small ones, which they would hide."""
        for number, one in enumerate(self.series):
            places = [self.place(point.said, point.found) for point in one.points]
            if places:
                line = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
                yield f'<path class="track s{number}" style="fill: none" d="M{line}"/>'
        numbered = [
            (number, one.name, point)
            for number, one in enumerate(self.series)
            for point in one.points
        ]
        for number, name, point in sorted(numbered, key=lambda entry: -entry[2].count):
            x, y = self.place(point.said, point.found)
            low, high = (self.place(point.said, end)[1] for end in (point.low, point.high))
            told = (
                f"{name}: {point.said:.3f} said, {point.found:.3f} found "
                f"({point.low:.3f} to {point.high:.3f}), {point.count:,} comparisons"
            )
            yield f'<g class="s{number}"><title>{escape(told)}</title>'
            yield f'<path d="M{x:.1f} {low:.1f}V{high:.1f}"/>'
            yield f'<path class="point" d="{shape(number, x, y, self.radius(point.count))}"/></g>'

    def _legend(self) -> Iterator[str]:
        wide = (WIDTH - 24) / _LEGEND_COLUMNS
        for number, one in enumerate(self.series):
            row, column = divmod(number, _LEGEND_COLUMNS)
            x, y = 24 + column * wide, _LEGEND_TOP + row * _LEGEND_ROW
            yield f'<path class="s{number}" d="{shape(number, x, y, 5.0)}"/>'
            yield f'<text x="{x + 12:.1f}" y="{y + 4:.1f}">{escape(one.name)}</text>'


def shape(number: int, x: float, y: float, radius: float) -> str:
    """The path of a circle, square, diamond or triangle (up, down), all of a circle's area."""
    if number == 0:
        turn = f"a{radius:.1f} {radius:.1f} 0 1 0 "
        return f"M{x - radius:.1f} {y:.1f}{turn}{2 * radius:.1f} 0{turn}{-2 * radius:.1f} 0Z"
    corners, first = ((4, 45), (4, 90), (3, 90), (3, 270))[number - 1]
    # A regular polygon of n corners has the area n/2 · r² · sin(2π/n).
    far = radius * math.sqrt(2 * math.pi / (corners * math.sin(2 * math.pi / corners)))
    angles = [math.radians(first + 360 * corner / corners) for corner in range(corners)]
    return (
        f"M{'L'.join(f'{x + far * math.cos(a):.1f} {y - far * math.sin(a):.1f}' for a in angles)}Z"
    )


def _rules(back: str, text: str, grid: str, colours: Sequence[str]) -> Iterator[str]:
    series = "; ".join(f"--s{number}: {colour}" for number, colour in enumerate(colours))
    yield f":root {{ --back: {back}; --text: {text}; --grid: {grid}; {series} }}"


def _range(values: Sequence[float], step: float) -> tuple[float, float]:
    """The least range of whole steps that holds all values."""
    low, high = math.floor(min(values) / step + 1e-9), math.ceil(max(values) / step - 1e-9)
    return low * step, max(high, low + 1) * step


def _ticks(low: float, high: float, step: float) -> list[float]:
    return [number * step for number in range(round(low / step), round(high / step) + 1)]
