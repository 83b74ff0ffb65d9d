"""What TESLA sees of a hypothesis and a reference: the features that its linear model weighs (METRICS 3.6).

Six F values of n-grams in the language itself, as in TESLA-M; for each pivot language six F values of pivot
n-grams, compared by lemmas and by tags (s_lem and s_pos, section 4.3 of the paper); for each language model
log₁₀ P(hypothesis) per word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus.judgements import Judgements
from metaphrase.errors import InputError
from metaphrase.lexicon.pivot_table import PivotTable
from metaphrase.matching.pivot_bags import pivot_bags, pivot_sentences
from metaphrase.metrics.comparison import Comparison, compare
from metaphrase.metrics.tesla_m import metric as tesla_m
from metaphrase.metrics.tesla_m.bags import f_measure
from metaphrase.metrics.tesla_m.metric import TeslaM
from metaphrase.trained.language_model import LanguageModel, SentenceProbabilities
from metaphrase.trained.tesla_model import LM_DIVISORS

#: The names of groups of features beside the pivot languages.
WORDS, LANGUAGE_MODELS = "words", "lm"
#: Features of a pivot language.
PIVOT_FEATURES = tuple(f"{kind}{n}" for kind in ("lemma", "tag") for n in (1, 2, 3))
_PIECE = 2048


@dataclass(frozen=True, slots=True, eq=False)
class TeslaFeatures:
    """Where features come from: TESLA-M with its options, pivot tables and language models by name.

    ``lm_divisor`` is that of the model (:class:`~metaphrase.trained.tesla_model.TeslaModel`).
    """

    words: TeslaM
    pivots: Mapping[str, PivotTable] = field(default_factory=dict)
    language_models: Mapping[str, LanguageModel] = field(default_factory=dict)
    lm_divisor: str = LM_DIVISORS[0]

    @property
    def names(self) -> tuple[str, ...]:
        """Those of the last axis of ``values``."""
        return feature_names(self.pivots, self.language_models)

    def values(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """Shape (references, segments, features); NaN where neither side has an n-gram.

        Section 4.4 of the paper: 6 + 6 of each pivot language + 1 of each language model.
        """
        analysed = comparison.analysed
        parts = [self.words.f_values(comparison, threads=threads)]
        sentences = comparison.kept_of_all(
            "pivot sentences", lambda: pivot_sentences(analysed.batch)
        )
        for table in self.pivots.values():
            rows = []
            for reference in analysed.references:
                with _refusals(comparison):
                    bags = pivot_bags(
                        table,
                        sentences,
                        analysed.hypotheses,
                        reference,
                        divisor=self.words.function_divisor,
                        threads=threads,
                    )
                matched = np.concatenate([bags.matched_lemma, bags.matched_tag], axis=1)
                totals = np.tile(bags.reference, 2), np.tile(bags.hypothesis, 2)
                rows.append(f_measure(matched, *totals, self.words.alpha))
            parts.append(np.stack(rows))
        for name, model in self.language_models.items():
            found: SentenceProbabilities = comparison.kept_of_all(
                f"log probabilities {name}",
                lambda model=model: model.log_probability(  # type: ignore[misc]
                    analysed.batch, threads=threads
                ),
            )
            known = found.normalised if self.lm_divisor == "n+1" else found.per_word
            column = known[analysed.hypotheses][None, :, None]
            parts.append(np.repeat(column, len(analysed.references), axis=0))
        return np.concatenate(parts, axis=-1)


@contextmanager
def _refusals(comparison: Comparison) -> Iterator[None]:
    """Say by its text, not by its number among distinct texts, which sentence the kernel refuses."""
    try:
        yield
    except InputError as error:
        if error.row is None:
            raise
        analysed = comparison.analysed
        sides = [(analysed.hypotheses, comparison.hypotheses)]
        sides += zip(analysed.references, comparison.references, strict=True)
        text = next(
            texts[int(np.argmax(rows == error.row))]
            for rows, texts in sides
            if (rows == error.row).any()
        )
        raise InputError(
            error.code,
            f"a text{error.fault}: {text[:40]!r}…",
            hint="Split it into sentences.",
        ) from error


def feature_names(pivots: Iterable[str], language_models: Iterable[str]) -> tuple[str, ...]:
    """``ms1`` … ``pos3``; ``de.lemma1`` … ``de.tag3`` for each pivot; ``lm.news`` for each model."""
    return (
        *tesla_m.FEATURES,
        *(f"{pivot}.{feature}" for pivot in pivots for feature in PIVOT_FEATURES),
        *(f"{LANGUAGE_MODELS}.{name}" for name in language_models),
    )


def feature_group(name: str) -> str:
    """``words``, a pivot language, or ``lm``."""
    group, dot, _ = name.partition(".")
    return group if dot else WORDS


class JudgedFeatures(NamedTuple):
    """A row for each of the judged texts: means over the references that have the feature, NaN if none has.

    ``shares`` says how many of the references that is, from 0 to 1.
    """

    values: FloatArray
    shares: FloatArray


def judged_features(
    features: TeslaFeatures,
    judgements: Judgements,
    *,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> JudgedFeatures:
    """What weights are learnt from; ``progress`` is told how many texts are done."""
    shape = len(judgements.texts), len(features.names)
    found = JudgedFeatures(np.empty(shape), np.empty(shape))
    done = 0
    for places, corpus in judgements.corpora():
        for start in range(0, len(places), _PIECE):
            (comparison,) = compare(corpus[start : start + _PIECE], features.words)
            values = features.values(comparison, threads=threads)
            present = ~np.isnan(values)
            sums = np.where(present, values, 0.0).sum(axis=0)
            counts = present.sum(axis=0)
            means = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
            rows = places[start : start + _PIECE]
            found.values[rows] = means
            found.shares[rows] = present.mean(axis=0)
            done += len(means)
            if progress is not None:
                progress(done)
    return found
