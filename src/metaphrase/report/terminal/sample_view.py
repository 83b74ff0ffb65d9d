"""Segments to be judged with reasons, and what choosing them would have saved."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from math import isinf

from rich.console import RenderableType
from rich.text import Text

from metaphrase.corpus.writing import cannot_hold
from metaphrase.report.terminal.columns import Cell, Columns, one_line, rounded, visible
from metaphrase.sampling import Outcome, Sample, Simulation

_FIELDS = ("segment", "document", "words", "usefulness", "systems", "why", "text")
_SIMULATION = (
    *("by", "segments", "agrees", "beside random", "95%", "random needs", "95%", "saves", "words"),
    "saves words",
)
#: How much of a text there is room for beside the rest.
_EXCERPT = 40


def sample_view(sample: Sample) -> list[RenderableType]:
    """One line for each segment, the most useful first."""
    all_alike = all(one.systems == sample.systems for one in sample.chosen)
    header = [
        "",
        "segment",
        "document" if any(one.document for one in sample.chosen) else "",
        "words",
        sample.way,
        "why",
        "" if all_alike else "systems",
        "text",
    ]
    rows = [
        [
            Cell(str(number), "dim"),
            Cell(one.name),
            Cell(one.document),
            Cell(str(one.words)),
            Cell(rounded(one.usefulness, ".3f")),
            Cell(one.why),
            Cell("" if all_alike else " ".join(one.systems)),
            Cell(_excerpt(one.text), "dim"),
        ]
        for number, one in enumerate(sample.chosen, 1)
    ]
    right = [True, True, False, True, True, False, False, False]
    words = sum(one.words for one in sample.chosen)
    total = (
        f"{len(rows):,} of {sample.segments:,} segments, {words:,} words, "
        f"{len(sample.cells):,} translations"
    )
    parts: list[RenderableType] = [Columns(header, rows, right), "", Text(total, style="dim")]
    return [*parts, *(one_line(signature, "dim") for signature in sample.signatures)]


def sample_json(sample: Sample) -> str:
    """Everything, as one object."""
    return json.dumps(asdict(sample), ensure_ascii=False, indent=1, allow_nan=False)


def sample_tsv(sample: Sample, path: str) -> Iterator[str]:
    """A table with one row for each segment."""
    yield "\t".join(_FIELDS)
    for number, one in enumerate(sample.chosen, 2):
        cells = (
            one.name,
            one.document,
            str(one.words),
            repr(one.usefulness),
            " ".join(one.systems),
            one.why,
            one.text,
        )
        if any("\t" in cell for cell in cells):
            raise cannot_hold(path, number, "contains a tab")
        yield "\t".join(cells)


def simulation_view(found: Sequence[Simulation]) -> list[RenderableType]:
    """A block for each judged set: ways and numbers of segments beside random samples."""
    parts: list[RenderableType] = []
    for one in found:
        title = Text(visible(f"{one.name} {one.language_pair}"), style="bold")
        title.append(
            f"   {one.measure}, {one.systems} systems, {one.segments:,} segments, {one.halves} halves",
            style="not bold",
        )
        rows = [
            [Cell("random"), Cell(str(size)), Cell(f"{agreement:.3f}"), *[Cell("")] * 7]
            for size, agreement in one.random
        ]
        rows += [_row(outcome) for outcome in one.outcomes]
        parts += [title, Columns(_SIMULATION, rows, [False, *[True] * 9], keys=2), ""]
        parts += [one_line(signature, "dim") for signature in one.signatures]
    note = (
        "agrees: with the ranking of systems by all judgements; random needs: so many segments drawn at "
        "random agree as well; saves: of segments; words: how long the chosen segments are beside all, and "
        "what is saved of them. Intervals are over halves of the set; only what is in bold is better than "
        "random in nearly all of them."
    )
    return [*parts, Text(note, style="dim")]


def simulation_json(found: Sequence[Simulation]) -> str:
    """All numbers; what is infinite is null."""
    records = [_finite(asdict(one)) for one in found]
    return json.dumps(records, ensure_ascii=False, indent=1, allow_nan=False)


def _row(one: Outcome) -> list[Cell]:
    style = "bold" if one.beats_random else ""
    low, high = one.interval
    return [
        Cell(one.way, style),
        Cell(str(one.segments)),
        Cell(f"{one.agreement:.3f}", style),
        Cell(f"{one.beside_random:+.3f}", style),
        Cell(f"{low:+.3f} to {high:+.3f}"),
        Cell(needed_text(one.needed)),
        Cell(" to ".join(needed_text(value) for value in one.needed_interval)),
        Cell("" if isinf(one.needed) else f"{one.saving:.0%}"),
        Cell(f"{one.words:.2f}"),
        Cell("" if isinf(one.needed) else f"{one.word_saving:.0%}"),
    ]


def needed_text(value: float) -> str:
    """How many random segments, as far as somebody tried."""
    return "more" if isinf(value) else f"{value:,.0f}"


def _excerpt(text: str) -> str:
    return text if len(text) <= _EXCERPT else f"{text[: _EXCERPT - 1].rstrip()}…"


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and isinf(value) else value
