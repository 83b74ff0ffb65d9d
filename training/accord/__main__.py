"""Trains the model of accord that ships, and says how each set is predicted by a model of the others.

METAPHRASE_DATA=... python -m training.accord MODEL [--threads N]

MODEL is src/metaphrase/models/accord/en.json. The data are all judgements of translations into English. The
same data give the same bytes. Takes some minutes on one core.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from training.english.treebank import data_path

from metaphrase.learning.accord import JudgedLosses, judged_losses, leave_one_out, train_accord
from metaphrase.learning.accord.training import agreement
from metaphrase.meta import read_judgements
from metaphrase.metrics.accord.features import LOSSES
from metaphrase.metrics.accord.metric import Accord

SCORES = (
    *("daseg13", "daseg15", "daseg16", "mlqe_etmr", "tradopad"),
    *("wmt21da", "nt21mqm", "tedmqm", "biomqm"),
)
RANKINGS = ("wmt08deen", "wmt10deen", "wmt12", "wmt13fren", "wmt15")
LICENCE = "Weights from published judgements of WMT and others; Apache-2.0, as the package."


def judged_sets(threads: int) -> Iterator[JudgedLosses]:
    """Every set, language pair by language pair, with the losses of its translations."""
    files = [
        *(f"{name}.en.tsv.gz" for name in SCORES),
        *(f"{name}.rank.jsonl.gz" for name in RANKINGS),
    ]
    for file in files:
        for pair, found in read_judgements(data_path() / "judgements" / file).items():
            if found.target == "en":
                print(f"{file} {pair}: {len(found.texts)} texts", flush=True)
                yield judged_losses(found, Accord(), threads=threads)


def held_out(sets: list[JudgedLosses]) -> dict[str, dict[str, float]]:
    """By set and language pair, r or τ of the model that has not seen the set."""
    fits = leave_one_out(sets)
    rows: dict[str, dict[str, float]] = {}
    for one in sets:
        rows.setdefault(one.name, {})[one.language_pair] = round(agreement(one, fits[one.name]), 4)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    sets = list(judged_sets(options.threads))
    agreements = held_out(sets)
    for name, pairs in agreements.items():
        print(f"without {name}: {np.mean(list(pairs.values())):.3f}", pairs, flush=True)
    counts = {f"{one.name} {one.language_pair}": len(one.losses) for one in sets}
    training = {"judgements": counts, "agreement when left out": agreements}
    model = train_accord(sets, LOSSES, name="en", lang="en", licence=LICENCE, training=training)
    model.save(options.model)


if __name__ == "__main__":
    main()
