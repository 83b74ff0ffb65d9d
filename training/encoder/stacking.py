"""What an encoder adds to accord: its losses beside ours, weighed by judgements of other sets.

python -m training.encoder.stacking DATA.npz TRIAL.npz [TRIAL.npz ...]

DATA.npz and DATA.losses.npz are what ``prepare`` wrote, TRIAL.npz what ``trial`` did. Every set is predicted
by weights that were learnt without it and without sets that share texts with it, from columns of networks
that have not seen its judgements. The interval of a difference is of 1,000 resamples of segments.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from experiments.accord import KINDS, means

from metaphrase.learning.accord import JudgedLosses, validate

RESAMPLES = 1000


def judged_sets(
    data: Mapping[str, np.ndarray], losses: Mapping[str, np.ndarray]
) -> list[JudgedLosses]:
    """The sets, with the losses of accord."""
    sets = []
    for label in data["sets"].tolist():
        name, pair = label.split()
        texts = np.asarray(losses[label], dtype=float)
        nothing = np.zeros(len(texts))
        sets.append(
            JudgedLosses(
                name,
                pair,
                texts=texts,
                place=nothing,
                system=nothing.astype(np.int64),
                segment=data[f"{label}/segment"].astype(np.int64),
                human=data[f"{label}/human"].astype(float) if f"{label}/human" in data else None,
                better=data[f"{label}/better"].astype(np.int64),
                worse=data[f"{label}/worse"].astype(np.int64),
                references=frozenset(map(str, data[f"{label}/reference"][:, 1].tolist())),
            )
        )
    return sets


def with_columns(
    sets: Sequence[JudgedLosses],
    data: Mapping[str, np.ndarray],
    trial: Mapping[str, np.ndarray],
    ways: Sequence[str],
) -> list[JudgedLosses]:
    """The sets, with the columns of some ways of comparing beside the losses."""
    found = []
    for one in sets:
        label = f"{one.name} {one.language_pair}"
        columns = [trial[f"{way}/{label}"][data[f"{label}/text"]] for way in ways]
        found.append(replace(one, texts=np.column_stack([one.texts, *columns])))
    return found


def lost_rows(sets: Sequence[JudgedLosses]) -> list[np.ndarray]:
    """What each row of each set loses by weights that do not know the set."""
    lost = {(one.name, one.language_pair): one.lost for one in validate(sets).held_out}
    return [lost[one.name, one.language_pair] for one in sets]


def agreement(judged: JudgedLosses, lost: np.ndarray, counts: np.ndarray) -> float:
    """r or τ, each row as often as ``counts`` says."""
    if judged.human is None:
        right = 2.0 * (lost[judged.better] < lost[judged.worse]) - 1.0
        return float(np.average(right, weights=counts[judged.better]))
    deviations = [side - np.average(side, weights=counts) for side in (-lost, judged.human)]
    one, other = deviations
    products = [(counts * a * b).sum() for a, b in ((one, other), (one, one), (other, other))]
    return float(products[0] / np.sqrt(products[1] * products[2]))


def difference(
    judged: JudgedLosses, before: np.ndarray, after: np.ndarray, seed: int = 1
) -> tuple[float, float, float]:
    """How much more agreement there is, with the ends of its interval of 95 %."""
    random = np.random.default_rng(seed)
    _, segment = np.unique(judged.segment, return_inverse=True)
    size = int(segment.max()) + 1
    found = []
    for counts in (np.ones(size), *random.multinomial(size, np.full(size, 1 / size), RESAMPLES)):
        rows = counts[segment].astype(float)
        if rows.any():
            found.append(agreement(judged, after, rows) - agreement(judged, before, rows))
    low, high = np.nanquantile(found[1:], (0.025, 0.975))
    return found[0], float(low), float(high)


def report(
    data: Mapping[str, np.ndarray],
    losses: Mapping[str, np.ndarray],
    trial: Mapping[str, np.ndarray],
) -> Iterator[str]:
    """A line for each way of comparing and one for all; then each set, by all."""
    sets = judged_sets(data, losses)
    ways = list(dict.fromkeys(key.split("/")[0] for key in trial))
    yield f"{'':24}" + "  ".join(KINDS)
    choices = {"accord": [], **{f"+ {way}": [way] for way in ways}, "+ all": ways}
    for what, chosen in choices.items():
        agreements = validate(with_columns(sets, data, trial, chosen)).agreements
        yield f"{what:24}" + "  ".join(f"{value:.4f}" for value in means(agreements))
    before, after = lost_rows(sets), lost_rows(with_columns(sets, data, trial, ways))
    for one, base, more in zip(sets, before, after, strict=True):
        gained, low, high = difference(one, base, more)
        sign = "worse" if high < 0 else "better" if low > 0 else ""
        yield f"{one.name} {one.language_pair}: {gained:+.4f} [{low:+.4f}, {high:+.4f}] {sign}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("trials", type=Path, nargs="+", metavar="TRIAL")
    options = parser.parse_args()
    with np.load(options.data) as data, np.load(options.data.with_suffix(".losses.npz")) as losses:
        for path in options.trials:
            print(path.stem)
            with np.load(path) as trial:
                for line in report(data, losses, trial):
                    print(line, flush=True)


if __name__ == "__main__":
    main()
