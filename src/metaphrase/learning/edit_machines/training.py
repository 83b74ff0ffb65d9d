"""Training of edit machines on people's scores.

What to train is given as an :class:`~metaphrase.trained.edit_model.EditModel` whose weights do not count:
training keeps its options and finds the weights.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metaphrase import analysis, lexicon
from metaphrase.arrays import FloatArray, Int32Array
from metaphrase.errors import InputError, OptionError
from metaphrase.learning.checkpoint import Checkpoint
from metaphrase.learning.edit_machines.data import TrainingData
from metaphrase.learning.edit_machines.optimisers import (
    MOST_ITERATIONS,
    TOLERANCE,
    Solution,
    minimise,
    optimiser_version,
)
from metaphrase.learning.edit_machines.regression import (
    Machine,
    Regression,
    Report,
    frequent_parameters,
)
from metaphrase.matching.edit_machine import log_sums, windowed
from metaphrase.matching.edit_pairs import EditPairs
from metaphrase.matching.substitutions import columns, edit_pairs, edit_sentences
from metaphrase.meta import pearson
from metaphrase.trained.edit_features import parameter_names
from metaphrase.trained.edit_model import (
    LARGEST_ALPHA,
    LARGEST_SLOPE,
    LARGEST_WEIGHT,
    EditModel,
)
from metaphrase.version import __version__

#: What the command calls options that have another name here.
_FLAGS = {"penalty": "lambda (penalty)", "most_iterations": "iterations (most_iterations)"}
#: Numbers that differ by a smaller share of themselves differ by rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class FitOptions:
    """How weights are found.

    penalty:         λ, of the squares of the weights
    cut_off:         features that fire on fewer arcs of the training data's trellises are dropped
    optimiser:       ``lm`` or ``lbfgs``, which needs SciPy
    tolerance:       done when the objective can fall by less than this share of itself
    most_iterations: stop after so many accepted steps, done or not
    """

    penalty: float = 5.0
    cut_off: int = 5
    optimiser: str = "lm"
    tolerance: float = TOLERANCE
    most_iterations: int = MOST_ITERATIONS

    def __post_init__(self) -> None:
        for name, low, high in (
            ("penalty", 1e-9, 1e9),
            ("cut_off", 0, math.inf),
            ("tolerance", 1e-14, 0.1),
            ("most_iterations", 1, math.inf),
        ):
            value = getattr(self, name)
            if not low <= value <= high:
                raise OptionError(
                    "MP633",
                    f"{_FLAGS.get(name, name)} is {value!r}.",
                    hint=f"It must be at least {low:g}"
                    + (f" and at most {high:g}." if high < math.inf else "."),
                )


def training_pairs(model: EditModel, data: TrainingData, *, threads: int = 1) -> EditPairs:
    """The rows of ``data`` as the machine of ``model`` sees them."""
    rows: dict[str, int] = {}

    def place(texts: Sequence[str]) -> Int32Array:
        return np.array([rows.setdefault(text, len(rows)) for text in texts], dtype=np.int32)

    hypotheses, references = place(data.hypotheses), place(data.references)
    batch = analysis.shared(model.analyser).analyse(
        list(rows), columns(model.substitutions), threads=threads
    )
    sentences = edit_sentences(
        batch,
        options=model.substitutions,
        synonyms=lexicon.load(model.synonyms),
        paraphrases=lexicon.load_paraphrases(model.paraphrases),
    )
    try:
        pairs = edit_pairs(
            sentences, hypotheses, references, options=model.substitutions, threads=threads
        )
        # It also checks the lengths, as training would after a while.
        windowed(pairs, options=model.machine, threads=threads)
    except InputError as error:
        if error.row is None:
            raise
        fault = f"the text {data.hypotheses[error.row][:40]!r}{error.fault}."
        raise InputError(error.code, fault, hint="Leave it out.") from error
    return pairs


def predictions(model: EditModel, pairs: EditPairs, *, threads: int = 1) -> FloatArray:
    """What the model says about each pair."""
    sums = log_sums(pairs, model.vector(), options=model.machine, threads=threads)
    words = np.add(pairs.reference_lengths, pairs.hypothesis_lengths, dtype=np.int64)
    return model.predict(sums, words)


def train_edit_machine(
    model: EditModel,
    pairs: EditPairs,
    targets: FloatArray,
    *,
    options: FitOptions | None = None,
    threads: int = 1,
    checkpoint: str | None = None,
    resume: bool = False,
    report: Report | None = None,
) -> EditModel:
    """``model`` with the weights that predict ``targets`` best.

    With ``checkpoint``, a file is written after every accepted step, from which ``resume`` goes on.
    """
    chosen = options or FitOptions()
    _check_targets(targets)
    learnt = _learnt_parameters(model, pairs, chosen.cut_off, threads)
    machine = Machine(pairs, model.machine, model.jump_labels, learnt, threads)
    saved = None
    if checkpoint is not None:
        saved = Checkpoint(checkpoint, _problem(model, pairs, targets, chosen))
    solution = minimise(
        Regression(targets, machine, learnt.size, chosen.penalty),
        optimiser=chosen.optimiser,
        tolerance=chosen.tolerance,
        most_iterations=chosen.most_iterations,
        state=saved.load() if saved is not None and resume else None,
        save=None if saved is None else saved.save,
        report=report,
    )
    if np.abs(solution.weights).max() > LARGEST_WEIGHT or abs(solution.alpha) > LARGEST_ALPHA:
        raise _too_large(targets)
    names = parameter_names(model.jump_labels)
    weights = dict(zip((names[i] for i in learnt), solution.weights.tolist(), strict=True))
    return replace(
        model,
        weights=weights,
        alpha=solution.alpha,
        slope=1.0,
        training=_provenance(model, pairs, chosen, solution),
    )


def _check_targets(targets: FloatArray) -> None:
    if not _vary(targets):
        raise InputError(
            "MP630",
            f"all {targets.size} scores are the same: there is nothing to learn from them.",
            hint="Give translations of different quality, and their scores.",
        )
    if not (targets.std() <= LARGEST_WEIGHT and abs(targets.mean()) <= LARGEST_ALPHA):
        raise _too_large(targets)


def _learnt_parameters(
    model: EditModel, pairs: EditPairs, cut_off: int, threads: int
) -> NDArray[np.intp]:
    learnt = frequent_parameters(
        pairs,
        options=model.machine,
        jump_labels=model.jump_labels,
        start_features=model.start_features,
        cut_off=cut_off,
        threads=threads,
    )
    if learnt.size == 0:
        raise InputError(
            "MP634",
            f"no feature fires {cut_off} times in {len(pairs)} pairs.",
            hint="Give more data, or a lower --cut-off.",
        )
    return learnt


def _too_large(targets: FloatArray) -> InputError:
    return InputError(
        "MP637",
        f"the scores range from {targets.min():g} to {targets.max():g}, which no weights can meet.",
        hint="Train with --standardise, and fit the model to their scale with train rescale.",
    )


def with_data_sources(model: EditModel, data: TrainingData, **more: Any) -> EditModel:
    """The model with a note of the data it was trained on."""
    sources = [asdict(source) for source in data.sources]
    return replace(model, training={"data": sources, **more, **model.training})


def rescale(model: EditModel, data: TrainingData, *, threads: int = 1) -> EditModel:
    """The model on the scale of ``data``: slope and intercept by least squares, its order untouched.

    Several rows of a judgement are taken together as the model takes several references.
    """
    rows = predictions(model, training_pairs(model, data, threads=threads), threads=threads)
    judgements, first = np.unique(data.judgement, return_index=True)
    if model.references == "mean":
        counts = np.bincount(data.judgement)
        predicted = np.bincount(data.judgement, weights=rows) / counts
    else:
        predicted = np.full(len(judgements), -np.inf)
        np.maximum.at(predicted, data.judgement, rows)
    targets = data.targets[first]
    for what, numbers in (("scores", targets), (f"predictions of {model.name}", predicted)):
        if not _vary(numbers):
            raise InputError(
                "MP636",
                f"all {numbers.size} {what} are the same: no slope can be found.",
                hint="Give translations of different quality, and their scores.",
            )
    centred = predicted - predicted.mean()
    slope = float(np.sum(centred * targets)) / float(np.sum(centred * centred))
    if not slope > 0:
        raise InputError(
            "MP636",
            f"{model.name} does not rise with these scores: its slope would be {slope:g}.",
            hint="On the scale of the data, a better translation must have a higher score.",
        )
    intercept = float(targets.mean() - slope * predicted.mean())
    if slope * model.slope > LARGEST_SLOPE or abs(slope * model.alpha + intercept) > LARGEST_ALPHA:
        raise InputError(
            "MP636",
            f"the scores range from {targets.min():g} to {targets.max():g}, a scale too large for "
            "a model.",
            hint="Divide them by a round number.",
        )
    note = {
        "slope": slope,
        "intercept": intercept,
        "pearson": pearson(predicted, targets),
        "judgements": len(targets),
        "data": [asdict(source) for source in data.sources],
    }
    earlier = model.training.get("rescaled", [])
    notes = [*earlier, note] if isinstance(earlier, list) else [earlier, note]
    return replace(model.rescaled(slope, intercept), training={**model.training, "rescaled": notes})


def _vary(numbers: FloatArray) -> bool:
    """Whether there are different numbers; those that are none count as different."""
    return numbers.size > 1 and not np.ptp(numbers) <= _ROUNDING * np.abs(numbers).max()


def _problem(
    model: EditModel, pairs: EditPairs, targets: FloatArray, options: FitOptions
) -> dict[str, Any]:
    """All that the way to the minimum depends on, under the names that a mismatch is reported by."""
    digest = blake2b(digest_size=16)
    for array in (targets, *(getattr(pairs, name) for name in pairs.__dataclass_fields__)):
        digest.update(repr((array.dtype.str, array.shape)).encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return {
        "optimiser": f"{options.optimiser} {optimiser_version(options.optimiser)}",
        "lambda": options.penalty,
        "cut_off": options.cut_off,
        "tolerance": options.tolerance,
        "machine": asdict(model.machine),
        "substitutions": asdict(model.substitutions),
        "jump_labels": model.jump_labels,
        "start_features": model.start_features,
        "version": __version__,
        "data": digest.hexdigest(),
    }


def _provenance(
    model: EditModel, pairs: EditPairs, options: FitOptions, solution: Solution
) -> dict[str, Any]:
    analyser = analysis.shared(model.analyser)
    synonyms = lexicon.load(model.synonyms)
    paraphrases = lexicon.load_paraphrases(model.paraphrases)
    return {
        "pairs": len(pairs),
        "pairs_with_a_jump_window": int(windowed(pairs, options=model.machine).sum()),
        "analyser": f"{analyser.name}@{analyser.fingerprint(columns(model.substitutions))}",
        "synonyms": f"{synonyms.name}@{synonyms.fingerprint}",
        "paraphrases": f"{paraphrases.name}@{paraphrases.fingerprint}",
        "lambda": options.penalty,
        "cut_off": options.cut_off,
        "optimiser": options.optimiser,
        "tolerance": options.tolerance,
        "objective": solution.objective,
        "converged": solution.converged,
        "iterations": solution.iterations,
        "evaluations": solution.evaluations,
        "gradients": solution.gradients,
        "version": __version__,
    }
