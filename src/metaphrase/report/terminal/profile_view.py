"""What systems lose, by kind of error, for the terminal and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from metaphrase.presentation import presents
from metaphrase.report.dataset.profile_words import (
    difference_paragraph,
    length_words,
    points_digits,
    points_words,
    profile_record,
    sample_words,
)
from metaphrase.report.dataset.profiles import most_costly
from metaphrase.report.terminal.columns import Cell, Columns, one_line, plain_text, visible
from metaphrase.report.terminal.joined_words import repair_words, short
from metaphrase.report.terminal.score_tables import counted
from metaphrase.scoring.repair_profile import (
    GroupLoss,
    KindLoss,
    Profile,
    ProfileDifference,
    SystemProfile,
)

COLUMNS = ("system", "kind", "points", "low", "high", "segments")
#: Columns of a phrase, and rows of documents: of all there are, those that lose most.
_PHRASE, _DOCUMENTS = 30, 5
_NAME = 20


def profile_view(profile: Profile) -> list[RenderableType]:
    """The kinds of all systems, why one loses less, frequent repairs, documents and lengths."""
    digits = points_digits(profile)
    parts: list[RenderableType] = [Text(_title(profile), style="bold"), "", _kinds(profile, digits)]
    if profile.difference is not None:
        parts += ["", *difference_view(profile)]
    for system in profile.systems:
        if system.frequent:
            parts += ["", _frequent_table(system, digits)]
    for by in ("domain", "document", "length"):
        table = _group_table(profile, by, digits)
        if table is not None:
            parts += ["", table]
    few = all(one.low is None for system in profile.systems for one in system.kinds)
    reach = (
        "too few segments for intervals" if few else "95% intervals by a bootstrap over segments"
    )
    if any(one.missed for one in profile.systems):
        missed = max(one.missed for one in profile.systems)
        reach += f"; frequent repairs may be needed up to {missed:,} times more"
    if any(system.frequent for system in profile.systems):
        reach += "; points in all are of all segments together"
    if lengths := length_words(profile):
        reach += f"; {lengths}"
    note = (
        "points lost per segment, of what the metric gives the reference itself; they are the metric's own, "
        f"not a rater's; {reach}"
    )
    return [*parts, "", one_line(note, "dim"), one_line(str(profile.signature), "dim")]


@presents("text", Profile)
def profile_text(profile: Profile) -> str:
    """The same as plain text, for ``print``."""
    return plain_text(profile_view(profile))


def difference_view(profile: Profile) -> list[RenderableType]:
    """Why one of two systems scores higher: a paragraph, and a row for each kind."""
    paragraph = Text(visible(difference_paragraph(profile) or ""), style="bold")
    if profile.difference is None or not profile.difference.kinds:
        return [paragraph]
    return [paragraph, "", _difference_table(profile.difference, points_digits(profile))]


def profile_json(profile: Profile) -> str:
    """All of it."""
    return json.dumps(profile_record(profile), ensure_ascii=False, indent=1, allow_nan=False)


def profile_tsv(profile: Profile) -> Iterator[str]:
    """A row for each system and kind."""
    yield "\t".join(COLUMNS)
    for system in profile.systems:
        for one in system.kinds:
            cells = (system.system, one.kind, one.points, one.low, one.high, one.segments)
            yield "\t".join("" if cell is None else " ".join(str(cell).split()) for cell in cells)


def _title(profile: Profile) -> str:
    systems = counted(len(profile.systems), "system")
    return f"{visible(profile.metric)} · {systems} · {sample_words(profile)}"


def _kinds(profile: Profile, digits: int) -> Columns:
    kinds = _ordered(profile)
    names = [short(visible(system.system), _NAME) for system in profile.systems]
    rows = []
    for kind in kinds:
        cells = [Cell(kind)]
        for system in profile.systems:
            found = next((one for one in system.kinds if one.kind == kind), None)
            cells += [*_cells(found, digits)]
        rows.append(cells)
    rows.append(_whole("lost", [(one.lost, None, None) for one in profile.systems], digits))
    scores = [(one.score, one.score_low, one.score_high) for one in profile.systems]
    rows.append(_whole("score", scores, digits))
    means = [one.score_of_all for one in profile.systems if one.score_of_all is not None]
    if len(means) == len(profile.systems):
        name = f"score of all {profile.of_segments:,}"
        rows.append(_whole(name, [(mean, None, None) for mean in means], digits))
    header = ["points lost by", *(part for name in names for part in (name, ""))]
    return Columns(header, rows, [False] + [True, False] * len(names))


def _ordered(profile: Profile) -> list[str]:
    """All kinds, those that cost most over all systems first."""
    whole: dict[str, float] = {}
    for system in profile.systems:
        for one in system.kinds:
            whole[one.kind] = whole.get(one.kind, 0.0) + one.points
    return sorted(whole, key=lambda kind: -whole[kind])


def _whole(
    name: str, values: Sequence[tuple[float, float | None, float | None]], digits: int
) -> list[Cell]:
    cells = [Cell(name, "bold")]
    for value, low, high in values:
        cells += [Cell(points_words(value, digits), "bold"), _reach(low, high, digits)]
    return cells


def _cells(found: KindLoss | None, digits: int) -> tuple[Cell, Cell]:
    if found is None:
        return Cell("–"), Cell("")
    return Cell(points_words(found.points, digits)), _reach(found.low, found.high, digits)


def _reach(low: float | None, high: float | None, digits: int) -> Cell:
    if low is None or high is None:
        return Cell("")
    return Cell(f"[{points_words(low, digits)}, {points_words(high, digits)}]", "dim")


def _difference_table(found: ProfileDifference, digits: int) -> Columns:
    rows = []
    for one in found.kinds:
        style = "green" if (one.low or 0) > 0 else "bold red" if (one.high or 0) < 0 else ""
        sign = "+" if round(one.points, digits) > 0 else ""
        rows.append(
            [
                Cell(one.kind),
                Cell(sign + points_words(one.points, digits), style),
                _cells(one, digits)[1],
            ]
        )
    return Columns(["fewer points lost by", "", ""], rows, [False, True, False])


def _frequent_table(system: SystemProfile, digits: int) -> Columns:
    rows = [
        [
            Cell(repair_words(one, 2 * _PHRASE)),
            Cell(one.kind),
            Cell(f"{one.count:,}"),
            Cell(points_words(one.points, digits)),
        ]
        for one in system.frequent
    ]
    name = short(visible(system.system), _NAME)
    return Columns(
        [f"{name} needs again", "kind", "times", "points in all"], rows, [False, False, True, True]
    )


def _group_table(profile: Profile, by: str, digits: int) -> Columns | None:
    """Documents, domains or lengths down, systems across; of many documents those that lose most."""
    groups = [[one for one in system.groups if one.by == by] for system in profile.systems]
    if not groups or not groups[0]:
        return None
    names = [one.name for one in groups[0]]
    title = by
    if by != "length" and len(names) > _DOCUMENTS:
        worst = {name: sum(_of(column, name).points for column in groups) for name in names}
        names = sorted(names, key=lambda name: -worst[name])[:_DOCUMENTS]
        title = f"{by} (the {_DOCUMENTS} that lose most)"
    rows = []
    for name in names:
        found = [_of(column, name) for column in groups]
        rows.append(
            [
                Cell(short(visible(name), _PHRASE)),
                Cell(f"{found[0].segments:,}"),
                *(
                    cell
                    for one in found
                    for cell in (
                        Cell(points_words(one.points, digits)),
                        Cell(most_costly(one), "dim"),
                    )
                ),
            ]
        )
    heads = [
        part for system in profile.systems for part in (short(visible(system.system), _NAME), "")
    ]
    numbers = [False, True] + [True, False] * len(profile.systems)
    return Columns([title, "segments", *heads], rows, numbers)


def _of(groups: Sequence[GroupLoss], name: str) -> GroupLoss:
    return next(one for one in groups if one.name == name)
