"""How often a segment counts in the scores of what it belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus import Corpus
from metaphrase.corpus.reading_words import lengths
from metaphrase.errors import OptionError
from metaphrase.metrics import Metric

Weight = Literal["none", "length"]
WEIGHTS: tuple[Weight, ...] = get_args(Weight)


def check_weight(weight: Weight, metrics: Mapping[str, Metric]) -> None:
    """Refuse weights of metrics that are no means: BLEU, for one, adds up words as it is."""
    if weight not in WEIGHTS:
        raise OptionError(
            "MP767", f"there is no weight {weight!r}.", hint=f"Choose {' or '.join(WEIGHTS)}."
        )
    if weight == "none":
        return
    for label, metric in metrics.items():
        if not metric.is_mean:
            raise OptionError(
                "MP767",
                f"scores of {label} are no means of segment scores, and cannot be weighted.",
                hint="Leave the weight or the metric out.",
            )


def segment_weights(corpus: Corpus, weight: Weight) -> FloatArray | None:
    """The words of each segment's references, at least one; the mean of several references."""
    if weight == "none":
        return None
    words = np.array([lengths(column) for column in corpus.written_references], dtype=np.float64)
    there = np.array([[text is not None for text in column] for column in corpus.references])
    return np.asarray(np.sum(words * there, axis=0) / there.sum(axis=0))


def weighted_signature(signature: str, weight: Weight) -> str:
    """The signature with whatever weight there is.

    >>> weighted_signature("accord|version:1", "length")
    'accord|version:1|weight:length'
    """
    return signature if weight == "none" else f"{signature}|weight:{weight}"
