"""What a model of ``accord`` says about its training, and the card that says it to people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from metaphrase.errors import InputError
from metaphrase.learning.accord.adaptation import Adaptation
from metaphrase.learning.accord.calibration import HeldOut, calibrate, coverage
from metaphrase.learning.accord.data import JudgedLosses
from metaphrase.learning.accord.training import Recipe, Validation, coverages
from metaphrase.learning.judged_sets import JudgedSets
from metaphrase.trained.accord_model import AccordModel, Interval, Scale
from metaphrase.version import __version__

_FIFTHS = 5


def training_account(
    data: JudgedSets,
    sets: Sequence[JudgedLosses],
    recipe: Recipe,
    validation: Validation,
    scale: Scale,
    *,
    vectors: str,
    command: str,
) -> dict[str, Any]:
    """Data by their fingerprints, options, agreement and coverage where held out, how to train it again."""
    return {
        "data": [asdict(source) for source in data.sources],
        "left out": data.left_out,
        "judgements": {_label(one): one.count for one in sets},
        "options": {
            "penalty": recipe.penalty,
            "weights": dict(recipe.set_weights),
            "vectors": vectors,
        },
        "agreement when left out": {
            name: {pair: round(value, 4) for pair, value in pairs.items()}
            for name, pairs in validation.agreements.items()
        },
        "within the interval": _covered(validation.held_out, scale),
        "command": command,
        "metaphrase": __version__,
    }


def adaptation_account(
    found: Adaptation, model: AccordModel, *, kept_interval: bool
) -> dict[str, Any]:
    """What an adapted model says besides: where it comes from, and whether it is better."""
    means = {
        name: round(one.mean, 4)
        for name, one in (
            ("adapted", found.adapted),
            ("given", found.given),
            ("from scratch", found.scratch),
        )
        if not np.isnan(one.mean)
    }
    return {
        "adapted": {
            "from": model.name,
            "fingerprint": model.fingerprint,
            "sets": sorted(learnt_from(model)),
            "agreement when left out": means,
            "difference": [round(limit, 4) for limit in found.interval],
            "verdict": f"adapting {found.verdict}",
            "interval": "of the given model" if kept_interval else "of the judgements",
        }
    }


def learnt_from(model: AccordModel) -> set[str]:
    """The names of the sets that a model has seen, itself or as the one that it was adapted from."""
    own = model.training.get("judgements")
    names = {str(label).rpartition(" ")[0] for label in own} if isinstance(own, dict) else set()
    adapted = model.training.get("adapted")
    earlier = adapted.get("sets") if isinstance(adapted, dict) else None
    return names | ({str(name) for name in earlier} if isinstance(earlier, list) else set())


def _label(one: JudgedLosses | HeldOut) -> str:
    return f"{one.name} {one.language_pair}"


def _covered(held_out: Sequence[HeldOut], scale: Scale) -> dict[str, dict[str, list[float]]]:
    """By set and language pair, the share within an interval of the others, and how many that are.

    Where there are no others, fifths of the set are asked about an interval of the rest.
    """

    def on_scale(sets: Sequence[HeldOut]) -> tuple[Scale, Interval]:
        return calibrate(sets, scale)

    try:
        found = {_label(one): shares for one, shares in coverages(held_out, on_scale)}
        alone = held_out if len({one.name for one in held_out}) == 1 else []
        found |= {_label(one): {"segments": _in_fifths(one, scale)} for one in alone}
    except InputError as error:
        if error.code != "MP846":
            raise
        return {}
    return {
        label: {what: [round(share, 3), count] for what, (share, count) in shares.items() if count}
        for label, shares in found.items()
    }


def _in_fifths(judged: HeldOut, scale: Scale) -> tuple[float, int]:
    within, rows = 0.0, np.arange(len(judged.lost))
    for fifth in np.array_split(rows, _FIFTHS):
        rest = _rows(judged, np.setdiff1d(rows, fifth))
        share, count = coverage(_rows(judged, fifth), *calibrate([rest], scale), 1)
        within += share * count
    return within / len(rows), len(rows)


def _rows(judged: HeldOut, rows: np.ndarray[Any, Any]) -> HeldOut:
    return HeldOut(
        judged.name,
        judged.language_pair,
        judged.lost[rows],
        judged.place[rows],
        judged.system[rows],
    )


def card(model: AccordModel) -> str:
    """A page in Markdown: what the model learnt from, how well it agrees, how to train it again."""
    training = model.training
    lines = [f"# {model.name}: a model of accord for {model.lang!r}", ""]
    if adapted := training.get("adapted"):
        low, high = adapted["difference"]
        means = ", ".join(
            f"{name} {value:.3f}" for name, value in adapted["agreement when left out"].items()
        )
        lines += [
            f"Adapted from {adapted['from']} ({adapted['fingerprint']}). Agreement where held out: {means}; "
            f"the difference lies between {low:+.3f} and {high:+.3f}: {adapted['verdict']}.",
            "",
        ]
    lines += ["## Data", "", "| file | judgements | fingerprint |", "| --- | --- | --- |"]
    lines += [
        f"| {source['name']} | {source['judgements']:,} | {source['fingerprint']} |"
        for source in training["data"]
    ]
    lines += ["", "## Agreement with people, where held out", ""]
    lines += [
        "| set | pair | judgements | r or τ | within the interval |",
        "| --- | --- | --- | --- | --- |",
    ]
    for label, count in training["judgements"].items():
        name, _, pair = label.rpartition(" ")
        agreed = training["agreement when left out"].get(name, {}).get(pair)
        covered = training["within the interval"].get(label, {}).get("segments")
        lines.append(
            f"| {name} | {pair} | {count:,} | {'' if agreed is None else f'{agreed:.3f}'} | "
            f"{'' if covered is None else f'{covered[0]:.0%}'} |"
        )
    lines += ["", "## Licence", "", model.licence or "None was stated."]
    lines += ["", "## To train it again", "", f"    {training['command']}", ""]
    return "\n".join(lines)
