"""What systems lose, by kind of error, for the terminal and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from metaphrase.report.terminal.columns import Cell, Columns, one_line, visible
from metaphrase.report.terminal.joined_words import repair_words, short
from metaphrase.report.terminal.score_tables import counted
from metaphrase.scoring.repair_profile import (
    LEVEL,
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
    digits = _digits(profile)
    parts: list[RenderableType] = [Text(_title(profile), style="bold"), "", _kinds(profile, digits)]
    if profile.difference is not None:
        parts += ["", Text(visible(why(profile, profile.difference)), style="bold"), ""]
        parts.append(_difference_table(profile.difference, digits))
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
    note = (
        "points lost per segment, of what the metric gives the reference itself; they are the metric's own, "
        f"not a rater's; {reach}"
    )
    return [*parts, "", one_line(note, "dim"), one_line(str(profile.signature), "dim")]


def profile_json(profile: Profile) -> str:
    """All of it."""
    return json.dumps(profile.to_dict(), ensure_ascii=False, indent=1, allow_nan=False)


def profile_tsv(profile: Profile) -> Iterator[str]:
    """A row for each system and kind."""
    yield "\t".join(COLUMNS)
    for system in profile.systems:
        for one in system.kinds:
            cells = (system.system, one.kind, one.points, one.low, one.high, one.segments)
            yield "\t".join("" if cell is None else " ".join(str(cell).split()) for cell in cells)


def why(profile: Profile, found: ProfileDifference) -> str:
    """Why one of two systems loses less, in a paragraph."""
    digits = _digits(profile)
    if not found.points:
        return f"{found.better} and {found.worse} lose the same."
    text = f"{found.better} loses {_number(found.points, digits)} points fewer than {found.worse}"
    said = []
    if found.low is not None and found.high is not None:
        said.append(f"95% interval {_number(found.low, digits)} to {_number(found.high, digits)}")
    said.append(found.untestable or f"p = {found.p_value:.4f} by randomisation")
    text += f" ({'; '.join(said)}){'' if found.p_value < LEVEL else ', which may be chance'}: "
    gains = [one for one in found.kinds if one.points > 0 and round(one.points, digits)][:3]
    losses = [one for one in found.kinds if one.points < 0 and round(one.points, digits)][:2]
    text += ", ".join(f"{one.kind} {_number(one.points, digits)}" for one in gains)
    if losses:
        text += ("; it loses more by " if gains else "it loses more by ") + ", ".join(
            f"{one.kind} ({_number(-one.points, digits)})" for one in losses
        )
    text += f". {counted(found.half, 'segment')} of {profile.segments:,} "
    return text + ("makes half of it." if found.half == 1 else "make half of it.")


def _title(profile: Profile) -> str:
    size = counted(profile.of_segments, "segment")
    if profile.segments < profile.of_segments:
        size = f"a sample of {profile.segments:,} of {size}"
    return f"{visible(profile.metric)} · {counted(len(profile.systems), 'system')} · {size}"


def _digits(profile: Profile) -> int:
    largest = max((abs(one.maximum) for one in profile.systems), default=0.0)
    return 1 if max(largest, *(abs(one.score) for one in profile.systems)) > 2 else 3


def _number(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return text.replace("-", "−") if float(text) else f"{0.0:.{digits}f}"


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
    for name in ("lost", "score"):
        cells = [Cell(name, "bold")]
        for system in profile.systems:
            value = system.lost if name == "lost" else system.score
            cells += [Cell(_number(value, digits), "bold"), Cell("")]
        rows.append(cells)
    header = ["points lost by", *(part for name in names for part in (name, ""))]
    return Columns(header, rows, [False] + [True, False] * len(names))


def _ordered(profile: Profile) -> list[str]:
    """All kinds, those that cost most over all systems first."""
    whole: dict[str, float] = {}
    for system in profile.systems:
        for one in system.kinds:
            whole[one.kind] = whole.get(one.kind, 0.0) + one.points
    return sorted(whole, key=lambda kind: -whole[kind])


def _cells(found: KindLoss | None, digits: int) -> tuple[Cell, Cell]:
    if found is None:
        return Cell("–"), Cell("")
    reach = ""
    if found.low is not None and found.high is not None:
        reach = f"[{_number(found.low, digits)}, {_number(found.high, digits)}]"
    return Cell(_number(found.points, digits)), Cell(reach, "dim")


def _difference_table(found: ProfileDifference, digits: int) -> Columns:
    rows = []
    for one in found.kinds:
        style = "green" if (one.low or 0) > 0 else "bold red" if (one.high or 0) < 0 else ""
        sign = "+" if one.points > 0 else ""
        rows.append(
            [
                Cell(one.kind),
                Cell(sign + _number(one.points, digits), style),
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
            Cell(_number(one.points, digits)),
        ]
        for one in system.frequent
    ]
    name = short(visible(system.system), _NAME)
    return Columns(
        [f"{name} needs again", "kind", "times", "points"], rows, [False, False, True, True]
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
                    for cell in (Cell(_number(one.points, digits)), Cell(_mostly(one), "dim"))
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


def _mostly(group: GroupLoss) -> str:
    """The kind that costs most there."""
    return max(group.kinds, key=lambda kind: group.kinds[kind]) if group.kinds else ""
