"""How far error spans agree with those of raters, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from rich.console import RenderableType
from rich.text import Text

from metaphrase.meta.span_counts import LEAST_SEGMENTS, MEASURES, Estimate, SpanMeasure
from metaphrase.meta.spans import GAINS, LEAST_DOUBLED, SpanAgreement, SpanRow
from metaphrase.report.terminal.agreement_view import LEARNED
from metaphrase.report.terminal.columns import Cell, Columns, one_line, rounded, visible
from metaphrase.report.terminal.score_tables import counted

COLUMNS = (
    *("data", "pair", "prediction", "role", "measure"),
    *("value", "low", "high", "gain", "gain_low", "gain_high", "over"),
)
_NAMES: Mapping[SpanMeasure, str] = {
    "precision": "precision",
    "recall": "recall",
    "character_f1": "character F1",
    "micro_f1": "MPP micro F1",
    "macro_f1": "MPP macro F1",
}
#: So many kinds of a prediction are shown for a category.
_KINDS = 4
_NOTE = (
    "precision, recall, character F1: of marked characters, which count half with another severity; MPP: of "
    "spans matched one to one, with partial credit; gain: over the best baseline"
)


def span_view(found: Sequence[SpanAgreement]) -> list[RenderableType]:
    """A block for each data set: figures, gains over the best baseline, kinds of errors."""
    parts: list[RenderableType] = []
    for one in found:
        title = Text(visible(f"{one.name} {one.language_pair}".strip()), style="bold")
        title.append(f"   {_basis(one)}", style="not bold")
        parts += [title, _figures(one), ""]
        if any(row.gains for row in one.rows):
            parts += [_gains(one), ""]
        if one.categories:
            parts += [_categories(one), ""]
            parts += [part for row in one.rows for part in _kinds(one, row.name)]
        parts += [one_line(note, "dim") for note in _notes(one)]
        parts.append("")
    return [*parts, one_line(_NOTE, "dim")]


def span_json(found: Sequence[SpanAgreement]) -> str:
    """All of it."""
    tables = [one.to_dict() for one in found]
    return json.dumps(tables, ensure_ascii=False, indent=1, allow_nan=False)


def span_tsv(found: Sequence[SpanAgreement]) -> Iterator[str]:
    """A row for each prediction and measure."""
    yield "\t".join(COLUMNS)
    for one in found:
        ceiling = [] if one.ceiling is None else [one.ceiling]
        for row in (*one.rows, *ceiling):
            role = "rater" if row is one.ceiling else "prediction" if row.gains else "baseline"
            for measure in MEASURES:
                value, gain = row.figures[measure], row.gains.get(measure)
                cells = [one.name, one.language_pair, row.name, role, measure]
                cells += _numbers(value) + _numbers(gain or Estimate(None))
                cells.append("" if gain is None else one.best_baseline[measure])
                yield "\t".join(" ".join(cell.split()) for cell in cells)


def _numbers(found: Estimate) -> list[str]:
    return [
        "" if number is None else repr(number) for number in (found.value, found.low, found.high)
    ]


def _basis(one: SpanAgreement) -> str:
    translations = counted(one.translations, "translation")
    if one.translations < one.of_translations:
        rated = counted(one.of_translations, "translation")
        translations = f"{one.translations:,} of {rated}, those that all predictions have,"
    return (
        f"{translations} of {counted(one.segments, 'segment')}, {counted(one.ratings, 'rating')}, "
        f"{counted(one.spans, 'error span')}"
    )


def _figures(one: SpanAgreement) -> Columns:
    header = ["", "marked", *(_NAMES[measure] for measure in MEASURES)]
    rows = [
        _figure_row(row, "" if row.gains else "dim", LEARNED if row.name in one.learned else "")
        for row in one.rows
    ]
    if one.ceiling is not None:
        rows.append(_figure_row(one.ceiling, "italic"))
    return Columns(header, rows, [False, *(True for _ in header[1:])])


def _figure_row(row: SpanRow, style: str, mark: str = "") -> list[Cell]:
    cells = []
    for measure in MEASURES:
        shown = row.figures[measure]
        text = _interval(shown) if measure in GAINS else _number(shown.value)
        cells.append(Cell(text, style))
    return [Cell(f"{row.name}{mark}", style), Cell(f"{row.marked:.0%}", style), *cells]


def _gains(one: SpanAgreement) -> Columns:
    header = [
        "gain over",
        *(f"{one.best_baseline[measure]}: {_NAMES[measure]}" for measure in GAINS),
    ]
    rows = [
        [Cell(row.name), *(_gain_cell(row.gains[measure]) for measure in GAINS)]
        for row in one.rows
        if row.gains
    ]
    return Columns(header, rows, [False, *(True for _ in GAINS)])


def _gain_cell(gain: Estimate) -> Cell:
    style = ""
    if gain.low is not None and gain.high is not None:
        style = "green" if gain.low > 0 else "red" if gain.high < 0 else ""
    return Cell(_interval(gain, "+.3f"), style)


def _categories(one: SpanAgreement) -> Columns:
    """Which share of each error is marked; what marks more has more of each."""
    shown = [row for row in one.rows if row.gains or row.name == "unaligned"]
    header = ["share of errors marked", "errors", *(row.name for row in shown)]
    whole = [Cell(f"{row.marked:.0%}", "dim") for row in shown]
    rows = [[Cell("(all characters)", "dim"), Cell(""), *whole]]
    for category in one.categories:
        shares = (Cell(f"{category.covered[row.name]:.0%}") for row in shown)
        rows.append([Cell(category.category), Cell(f"{category.errors:,}"), *shares])
    return Columns(header, rows, [False, *(True for _ in header[1:])])


def _kinds(one: SpanAgreement, name: str) -> Iterator[RenderableType]:
    """What a prediction calls the errors of each category, the most frequent first."""
    rows = []
    for category in one.categories:
        kinds = category.kinds.get(name)
        if kinds is not None:
            most = [f"{kind} {count:,}" for kind, count in list(kinds.items())[:_KINDS]]
            rows.append([Cell(category.category), Cell(", ".join(most))])
    if rows:
        yield Columns(["raters say", f"{name} says"], rows, [False, False])
        yield ""


def _notes(one: SpanAgreement) -> Iterator[str]:
    if one.learned:
        yield f"{LEARNED}: trained on scores of this set: {', '.join(one.learned)}"
    if one.unplaced:
        yield (
            f"{counted(one.unplaced, 'error')} of the source or without a place "
            f"{'is' if one.unplaced == 1 else 'are'} left out"
        )
    severities = [f"{row.name} {row.severity}" for row in one.rows if row.severity is not None]
    yield f"baselines have the severity that suits them best here: {', '.join(severities)}"
    if not any(row.name == "unaligned" for row in one.rows):
        yield "no references: words that are not aligned cannot be told"
    if one.segments < LEAST_SEGMENTS:
        yield f"too few segments for intervals (fewer than {LEAST_SEGMENTS})"
    elif one.resamples:
        yield f"95% intervals by a bootstrap over segments ({one.resamples:,} resamples)"
    if one.ceiling is None:
        yield (
            f"{counted(one.doubled, 'translation')} {'has' if one.doubled == 1 else 'have'} several raters: "
            f"too few (under {LEAST_DOUBLED}) to say how far raters agree with each other"
        )
    else:
        yield (
            f"{one.ceiling.name}: each rater's errors compared with those of each other one, on the "
            f"{one.doubled:,} translations that several have rated; what agrees better cannot be told from it"
        )


def _interval(shown: Estimate, form: str = ".3f") -> str:
    text = _number(shown.value, form)
    if shown.low is None or shown.high is None:
        return text
    between = " to " if "+" in form else "–"
    return f"{text} ({rounded(shown.low, form)}{between}{rounded(shown.high, form)})"


def _number(value: float | None, form: str = ".3f") -> str:
    return "—" if value is None else rounded(value, form)
