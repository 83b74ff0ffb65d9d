"""How models of accord agree with judgements that they have not seen, as a table."""

from __future__ import annotations

from math import isnan, nan
from typing import TYPE_CHECKING

from metaphrase.report.terminal.columns import Cell, Columns, rounded

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from rich.console import RenderableType

    from metaphrase.learning.accord import JudgedLosses, Validation
    from metaphrase.learning.accord.adaptation import Adaptation
    from metaphrase.trained.accord_model import AccordModel


def held_out_view(
    sets: Sequence[JudgedLosses],
    found: Mapping[str, Validation],
    given: AccordModel | None = None,
    seen: Collection[str] = (),
) -> list[RenderableType]:
    """A row for each set and language pair, a column for each model, and means over the rows.

    Of the ``given`` model, it says which of the sets it has ``seen``.
    """
    header = ["set", "pair", "judgements", "", *found]
    rows = []
    for one in sets:
        values = [
            validation.agreements.get(one.name, {}).get(one.language_pair, nan)
            for validation in found.values()
        ]
        labels = (one.name, one.language_pair, f"{one.count:,}", "τ" if one.is_ranked else "r")
        rows.append([*map(Cell, labels), *(Cell(_number(value)) for value in values)])
    if len(sets) > 1:
        means = [Cell(_number(validation.mean), "bold") for validation in found.values()]
        rows.append([Cell("mean", "bold"), Cell(""), Cell(""), Cell(""), *means])
    right = [False, False, True, False, *[True] * len(found)]
    view: list[RenderableType] = [Columns(header, rows, right, keys=2)]
    names = [name for name in dict.fromkeys(one.name for one in sets) if name in seen]
    if given is not None and names:
        view.append(
            f"{given.name} has learnt from {', '.join(names)}: its figures there flatter it."
        )
    return view


def verdict_view(
    found: Adaptation, sets: Sequence[JudgedLosses], label: str, *, kept_interval: bool
) -> list[RenderableType]:
    """Whether adapting a model helped, in words; ``label`` says which model."""
    kinds = {one.is_ranked for one in sets}
    measure = "r and τ in the mean," if len(kinds) == 2 else "τ =" if True in kinds else "r ="
    scratch = found.scratch.mean
    low, high = found.interval
    conclusion = {
        "helped": "Adapting helped.",
        "made no difference": "Adapting made no difference that these judgements can show.",
        "did harm": f"Adapting did harm: keep the {label} one.",
    }[found.verdict]
    if kept_interval:
        conclusion += f" With so few judgements, the interval stays that of the {label} one."
    return [
        "",
        f"Where held out, the adapted model agrees with your judgements at {measure} "
        f"{_number(found.adapted.mean)}, the {label} one at {_number(found.given.mean)}"
        + ("" if isnan(scratch) else f", and one learnt from scratch at {_number(scratch)}")
        + f". The difference that adapting makes lies between {low:+.3f} and {high:+.3f} (95 % of resamples "
        "of the segments).",
        conclusion,
    ]


def _number(value: float) -> str:
    return "—" if isnan(value) else rounded(value, ".3f")
