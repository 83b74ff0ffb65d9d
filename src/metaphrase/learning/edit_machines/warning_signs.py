"""Signs that a trained edit machine has learnt little, or the wrong way round."""

from __future__ import annotations

from dataclasses import replace
from math import nan

import numpy as np

from metaphrase.errors import InputError
from metaphrase.learning.edit_machines.data import TrainingData
from metaphrase.learning.edit_machines.training import predictions, training_pairs
from metaphrase.matching.edit_pairs import EditPairs
from metaphrase.meta import pearson
from metaphrase.trained.edit_model import EditModel

#: So many references are asked about; more would say the same.
_MOST_COPIES = 100


def warning_signs(
    model: EditModel, data: TrainingData, pairs: EditPairs, *, threads: int = 1
) -> list[str]:
    """What a user should know about ``model``, trained on ``data``; nothing if all is well.

    Weights can learn scores of which lower ones are better, and predict them well. Nobody wants that of
    a metric, and it shows in what the model says about perfect translations.
    """
    found = []
    if len(pairs) < len(model.weights):
        found.append(
            f"there are {len(model.weights)} weights, but only {len(pairs)} pairs to learn them from."
        )
    predicted = predictions(model, pairs, threads=threads)
    if not pearson(predicted, data.targets) > 0:
        found.append(
            "nothing was learnt: predictions do not rise with the scores they were trained on. "
            "Is it the better translations that have the higher scores?"
        )
    elif _of_copies(model, data, threads) < predicted.mean():
        found.append(
            "the model prefers other words to those of the reference. "
            "Is it the better translations that have the higher scores?"
        )
    return found


def _of_copies(model: EditModel, data: TrainingData, threads: int) -> float:
    """The mean prediction for references as translations of themselves; NaN if one is too repetitive."""
    references = list(dict.fromkeys(data.references))[:_MOST_COPIES]
    copies = replace(data, hypotheses=references, references=references)
    try:
        return float(np.mean(predictions(model, training_pairs(model, copies), threads=threads)))
    except InputError:  # more substitutions than the kernels take
        return nan
