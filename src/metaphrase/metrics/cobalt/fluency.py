"""How much less fluent a hypothesis is than its reference: a factor on the score of UPF-Cobalt.

The paper leaves language models to future work: beside *Nevada has already completed*, *Nevada already has
completed* scores the same as the very words. With P the geometric mean of the probabilities of a
sentence's words and of its end,

    fluency = min(1, P(hypothesis) / P(reference))^w
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from metaphrase.analysis import Batch
from metaphrase.arrays import FloatArray, Int32Array
from metaphrase.corpus.lines import file_state
from metaphrase.errors import ResourceError
from metaphrase.statistics.elementary import exp, log
from metaphrase.trained.language_model import LanguageModel


def load_model(name: str, lang: str) -> LanguageModel:
    """``shipped``: frequent words, and tags for all others; else a file with a language model."""
    if name == "shipped":
        from metaphrase.metrics.accord.fluency import load_fluency  # which asks this metric itself

        return load_fluency(lang)
    path = name.removeprefix("file:")
    if not Path(path).exists():
        raise ResourceError(
            "MP684",
            "no such language model.",
            path=path,
            hint="fluency is none, shipped, or the file of a model from `metaphrase train language-model`.",
        )
    return _load(path, file_state(path))


@lru_cache(maxsize=4)
def _load(path: str, state: tuple[int, int]) -> LanguageModel:
    return LanguageModel.load(path)


def mean_log_probabilities(batch: Batch, model: LanguageModel, *, threads: int = 1) -> FloatArray:
    """The logarithm of P to base 10, of each sentence."""
    from metaphrase.metrics.accord.fluency import FluentWords

    return -FluentWords(batch, model, threads=threads).mean


def fluency(means: FloatArray, rows: tuple[Int32Array, Int32Array], weight: float) -> FloatArray:
    """The factor, of pairs of a hypothesis and a reference."""
    less = means[rows[0]] - means[rows[1]]
    return exp(log(10.0) * weight * np.minimum(less, 0.0))
