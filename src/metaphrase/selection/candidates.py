"""What there is to choose from: the translations of one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from metaphrase.arrays import FloatArray, Int32Array
from metaphrase.corpus.validation import checked_column
from metaphrase.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidates:
    """Translations of one sentence, and what they are measured by.

    texts: the translations to choose from, at least one; a text may come several times
    samples: the translations that stand in for references; by default the candidates themselves
    weights: how much each sample counts, in any unit (see :func:`probabilities`); by default they are equal
    references: translations by people, for oracles
    source: the sentence itself, for metrics that read it
    name: what readers call the sentence

    >>> sentence = Candidates(texts=["a cat", "the cat", "the cat"], weights=[0.5, 0.3, 0.2])
    >>> metaphrase.select(sentence, "chrf").text
    'the cat'
    """

    texts: Sequence[str]
    samples: Sequence[str] | None = None
    weights: Sequence[float] | FloatArray | None = None
    references: Sequence[str] = ()
    source: str | None = None
    name: str = ""

    def __post_init__(self) -> None:
        owner = self.owner
        if self.references is None:
            object.__setattr__(self, "references", ())
        for kind in ("texts", "samples", "references"):
            column = getattr(self, kind)
            if column is not None:
                named = "candidate" if kind == "texts" else kind.removesuffix("s")
                object.__setattr__(self, kind, checked_texts(owner, column, named))
        if self.source is not None:
            checked_texts(owner, [self.source], "source")
        if not self.texts:
            raise InputError("MP850", f"{owner} has no candidate.")
        if self.samples is not None and not self.samples:
            raise InputError("MP850", f"{owner} has no sample to compare candidates with.")
        if self.weights is not None:
            self._check_weights(owner)

    @property
    def owner(self) -> str:
        """How to name the sentence to a reader."""
        return f"sentence {self.name}" if self.name else "the sentence"

    def _check_weights(self, owner: str) -> None:
        try:
            weights = np.array(self.weights, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(
                "MP851", f"the weights of {owner} are not a list of numbers."
            ) from None
        weighed = self.texts if self.samples is None else self.samples
        if weights.shape != (len(weighed),):
            raise InputError(
                "MP851", f"{owner} has {len(weighed)} samples and {weights.size} weights."
            )
        if not np.isfinite(weights).all() or (weights < 0).any() or not weights.any():
            wrong = next((w for w in weights.tolist() if not 0 <= w < np.inf), 0.0)
            raise InputError(
                "MP851",
                f"{owner} has a weight of {wrong}." if wrong else f"all weights of {owner} are 0.",
                hint="Weights are numbers of at least 0, and not all of them 0.",
            )
        object.__setattr__(self, "weights", weights)

    def __len__(self) -> int:
        return len(self.texts)

    def distinct(self) -> DistinctCandidates:
        """Each text once: it is compared once, and counts for all its copies."""
        texts: dict[str, int] = {}

        def place(column: Sequence[str]) -> Int32Array:
            rows = (texts.setdefault(text, len(texts)) for text in column)
            return np.fromiter(rows, dtype=np.int32, count=len(column))

        candidates = place(self.texts)
        occurrences = candidates if self.samples is None else place(self.samples)
        # The largest is 1, so that sums neither overflow nor lose what counts.
        single = np.ones(len(occurrences))
        if self.weights is not None:
            single = np.asarray(self.weights) / np.max(self.weights)
        samples = np.unique(occurrences)
        weights = np.bincount(occurrences, single, len(texts)).astype(np.float64)[samples]
        return DistinctCandidates(
            list(texts), candidates, samples, weights, single, self.samples is None
        )


def checked_texts(owner: str, texts: Sequence[str], kind: str) -> tuple[str, ...]:
    """The texts of a sentence as a tuple of strings, each of which can be encoded."""
    return checked_column(owner, texts, kind, place="{kind} {number} of {owner}")


class DistinctCandidates(NamedTuple):
    """Texts by row, each once."""

    texts: list[str]
    #: The row of each candidate.
    candidates: Int32Array
    #: The rows of samples, each once, and their weights.
    samples: Int32Array
    weights: FloatArray
    #: The weight of each sample by itself, in the order given.
    single: FloatArray
    #: Whether the samples are the candidates themselves.
    are_samples: bool

    def other_copies(self) -> FloatArray:
        """Of each sample the weight of all others of the same text."""
        weights = np.zeros(len(self.single))
        by_text = np.argsort(self.candidates, kind="stable")
        ends = np.flatnonzero(np.diff(self.candidates[by_text])) + 1
        for members in np.split(by_text, ends):
            if len(members) > 1:
                # Those before and those after: what is small is not lost beside what is large.
                for some in (members, members[::-1]):
                    weights[some[1:]] += np.cumsum(self.single[some])[:-1]
        return weights

    @property
    def mean_weights(self) -> FloatArray:
        """Weights of which that of a single sample is 1 in the mean."""
        total = self.weights.sum()
        return (
            self.weights if total == len(self.single) else self.weights * (len(self.single) / total)
        )


def probabilities(log_probabilities: Sequence[float]) -> FloatArray:
    """Weights of samples from the logarithms of their probabilities, which add up to 1."""
    try:
        logarithms = np.array(log_probabilities, dtype=np.float64)
    except (TypeError, ValueError):
        logarithms = np.full(1, np.nan)
    if logarithms.ndim != 1 or not logarithms.size or not (logarithms < np.inf).all():
        raise InputError("MP851", "a logarithm of a probability is not a number below infinity.")
    if np.isneginf(logarithms).all():
        raise InputError("MP851", "all probabilities are 0.")
    with np.errstate(over="ignore"):
        shares = np.exp(logarithms - logarithms.max())
    return np.asarray(shares / shares.sum())
