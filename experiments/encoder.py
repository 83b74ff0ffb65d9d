"""What encoders add to accord on the sets of one group, of which they have not seen a judgement.

``python -m experiments.encoder GROUP ENCODER [ENCODER …]`` with METAPHRASE_DATA set; groups are those of
``training/encoder/years.py``. The weights for a set come from the other sets of the group alone: so one
network is enough for a comparison, where ``training.accord --encoders`` needs one for each group.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from training.accord.__main__ import FILES
from training.encoder.years import YEARS

from experiments.frame import data_directory
from metaphrase.learning.accord import JudgedLosses, Untrained, judged_losses, validate
from metaphrase.meta import read_judgements
from metaphrase.metrics.accord.features import CONTEXT


def judged_sets(names: tuple[str, ...], encoder: Path, threads: int) -> Iterator[JudgedLosses]:
    """The sets of these names into English, pair by pair; the losses of the encoder stand last."""
    metric = Untrained(lang="en", encoder=f"file:{encoder}")
    for file in FILES:
        if file.partition(".")[0] in names:
            found = read_judgements(data_directory() / "judgements" / file)
            for judged in found.values():
                if judged.target == "en":
                    yield judged_losses(judged, metric, threads=threads)


def row(what: str, sets: list[JudgedLosses]) -> str:
    agreements = validate(sets).agreements
    cells = (f"{np.mean([*pairs.values()]):.3f}" for pairs in agreements.values())
    return f"| {what} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    groups = {years[0]: years for years in YEARS}
    parser.add_argument("group", choices=groups)
    parser.add_argument("encoders", type=Path, nargs="+", metavar="ENCODER")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    for number, encoder in enumerate(options.encoders):
        sets = list(judged_sets(groups[options.group], encoder, options.threads))
        if number == 0:
            names = dict.fromkeys(one.name for one in sets)
            print(f"| | {' | '.join(names)} |\n| --- |{' ---: |' * len(names)}")
            plain = [replace(one, texts=one.texts[:, : -len(CONTEXT)]) for one in sets]
            print(row("`accord`", plain), flush=True)
        print(row(encoder.stem, sets), flush=True)


if __name__ == "__main__":
    main()
