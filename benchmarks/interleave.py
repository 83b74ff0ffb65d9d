"""Times several ways to do one thing, side by side.

A machine's speed drifts with its load, so the contestants take turns: one round runs each of them
once, and medians over rounds are compared. CPU time is counted, not time on the clock, so other
processes disturb little. Contestants that are too slow for the whole data get less of it: give
``items`` and read the time per item.

>>> timings = interleave([Contestant("sum", lambda: sum(range(1000)), items=1000)], rounds=1)
>>> timings[0].name
'sum'
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from rich.console import Console
from rich.table import Table

#: A single measurement shorter than this is repeated: the clock's grain would show.
SHORTEST = 0.02


@dataclass(frozen=True)
class Contestant:
    """``run()`` does ``items`` pieces of work."""

    name: str
    run: Callable[[], object]
    items: int = 1


@dataclass(frozen=True)
class Timing:
    """CPU seconds per item: the median over rounds, and the best."""

    name: str
    median: float
    best: float


def interleave(contestants: Sequence[Contestant], *, rounds: int = 7) -> list[Timing]:
    """Time the contestants in turns; a first turn, not counted, warms up and sets the repeats."""
    repeats = []
    for contestant in contestants:
        contestant.run()
        repeats.append(max(1, round(SHORTEST / max(_seconds(contestant, 1), 1e-9))))
    samples: list[list[float]] = [[] for _ in contestants]
    for _ in range(rounds):
        for contestant, repeat, sample in zip(contestants, repeats, samples, strict=True):
            sample.append(_seconds(contestant, repeat) / (repeat * contestant.items))
    return [
        Timing(contestant.name, median(sample), min(sample))
        for contestant, sample in zip(contestants, samples, strict=True)
    ]


def print_table(title: str, timings: Sequence[Timing]) -> None:
    """One line a contestant, with the ratio of its median to the first one's."""
    table = Table(title=title, title_justify="left")
    for heading in ("contestant", "median, µs an item", "best", "times the first"):
        table.add_column(heading, justify="left" if heading == "contestant" else "right")
    for timing in timings:
        table.add_row(
            timing.name,
            f"{timing.median * 1e6:,.2f}",
            f"{timing.best * 1e6:,.2f}",
            f"{timing.median / timings[0].median:,.1f}",
        )
    Console().print(table)


def _seconds(contestant: Contestant, repeat: int) -> float:
    started = _cpu_time()
    for _ in range(repeat):
        contestant.run()
    return _cpu_time() - started


def _cpu_time() -> float:
    """Of this process and of those that it has started and that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
