"""Training of edit machines on 5,000 judged pairs and two cores, Levenberg–Marquardt beside L-BFGS.

``python -m benchmarks.edit_training``, with METAPHRASE_DATA set to the directory of the judgements.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np

from metaphrase.learning.edit_machines.data import read_training_data
from metaphrase.learning.edit_machines.training import (
    FitOptions,
    train_edit_machine,
    training_pairs,
)
from metaphrase.learning.edit_machines.validation import chosen_pairs
from metaphrase.trained.edit_model import EditModel

PAIRS = 5_000
THREADS = 2


def main() -> None:
    directory = os.environ.get("METAPHRASE_DATA")
    if directory is None:
        print("METAPHRASE_DATA is not set: nothing to train on.")
        return
    files = [Path(directory) / "judgements" / f"daseg{year}.en.tsv.gz" for year in (15, 16)]
    data = read_training_data(files, lang="en")
    for name in ("pfsm", "ppda", "ppda+f"):
        model = EditModel.shipped(name)
        started = time.perf_counter()
        pairs = chosen_pairs(training_pairs(model, data, threads=THREADS), np.arange(PAIRS))
        print(f"{name}: analysed in {time.perf_counter() - started:.1f} s", flush=True)
        for optimiser in ("lm", "lbfgs"):
            clock, cpu = time.perf_counter(), time.process_time()
            trained = train_edit_machine(
                model,
                pairs,
                data.targets[:PAIRS],
                options=FitOptions(optimiser=optimiser),
                threads=THREADS,
            )
            print(
                f"  {optimiser}: {time.perf_counter() - clock:.1f} s on the clock, "
                f"{time.process_time() - cpu:.1f} s of CPU time, "
                f"{trained.training['evaluations']} evaluations, "
                f"objective {trained.training['objective']:.6f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
