"""TESLA in full: TESLA-M's features, n-grams of pivot languages, language models; weights from rankings.

Chang Liu, Daniel Dahlmeier and Hwee Tou Ng: TESLA: Translation Evaluation of Sentences with
Linear-programming-based Analysis. WMT 2010.

A sentence is cut into phrases of a table, each phrase becomes a slot of alternatives in another language, and
pivot n-grams weigh as much as they are to be expected. Hypothesis and reference are compared by them as by
their own n-grams, and the hypothesis is asked for its probability. The score is linear in all of this,

    score = b + Σ w · (x − mean) / scale,

with weights that a ranking SVM learnt from people's rankings: 0 is an average translation of the training
data, and there are no bounds. A feature that says nothing (neither side has an n-gram) adds nothing. The
system's score is the mean over segments, with several references the mean over them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

import numpy as np

from metaphrase import lexicon
from metaphrase.arrays import FloatArray
from metaphrase.errors import OptionError, ResourceError
from metaphrase.lexicon.pivot_table import PivotTable
from metaphrase.metrics.base import Metric
from metaphrase.metrics.comparison import Comparison, compare_pair
from metaphrase.metrics.explanation import Explanation
from metaphrase.metrics.published import PAPER, Difference
from metaphrase.metrics.registry import register
from metaphrase.metrics.tesla.features import TeslaFeatures, feature_group, feature_names
from metaphrase.metrics.tesla.published import DEPARTURES, SUBSTITUTED
from metaphrase.metrics.tesla.resources import open_language_models, open_pivots
from metaphrase.metrics.tesla_m.metric import TeslaM
from metaphrase.options import option, same_as
from metaphrase.trained.language_model import LanguageModel
from metaphrase.trained.tesla_model import TeslaModel


@register
@dataclass(frozen=True, kw_only=True)
class Tesla(Metric):
    """TESLA-M's n-grams, n-grams of pivot languages and language models, weighed as people rank.

    >>> sorted(metaphrase.Tesla().columns)
    ['lemma', 'tag']
    """

    name: ClassVar[str] = "tesla"
    summary: ClassVar[str] = (
        "TESLA-M with pivot languages and language models, weighed as people rank"
    )
    citation: ClassVar[str] = "Liu, Dahlmeier and Ng, WMT 2010"
    bounds: ClassVar[tuple[float, float]] = (-inf, inf)
    variants: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        PAPER: {"normalise": False, "model": PAPER}
    }
    substituted: ClassVar[tuple[Difference, ...]] = SUBSTITUTED
    departures: ClassVar[tuple[Difference, ...]] = DEPARTURES

    signed_first: ClassVar[tuple[str, ...]] = (
        "lang", "model", "analyser", "synonyms", "pivots", "lm",
    )  # fmt: skip

    lang: str = same_as(
        Metric,
        "lang",
        meaning="the language of the texts: en, de, fr, es, cs, or another with a ``model`` of it",
    )
    model: str | None = option(
        None,
        "``file:PATH`` of a model from ``metaphrase train tesla``, or ``paper`` for the one that was learned "
        "as in the paper; by default the one of ``lang`` that ships",
    )
    resources: str | None = option(
        None,
        "the directory of the model's tables and language models; by default that of the model file, and the "
        "package metaphrase-pivots",
        signed=False,  # their content is signed
    )
    without: tuple[str, ...] = option(
        (),
        "groups of features that count for nothing, for ablations: ``words``, pivot languages, ``lm``; the "
        "others keep their weights",
        names_files=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.model == PAPER and self.lang != "en":
            raise OptionError(
                "MP531",
                f"tesla: model=paper, and with it tesla:paper, is for English, not for {self.lang!r}.",
                hint="`metaphrase train tesla --loss hinge --lm-divisor n --as-given` makes a model of the "
                "paper's kind for another language; -m tesla has models of some.",
            )
        model = self.tesla_model
        if model.lang != self.lang:
            raise OptionError(
                "MP531",
                f"tesla: the model {self.model_name!r} is for {model.lang!r}, not {self.lang!r}.",
                hint=f"Say lang={model.lang} if that is the language of the texts, or give a model of "
                f"{self.lang!r}: `metaphrase train tesla` makes them.",
            )
        names = feature_names(model.pivots, model.language_models)
        if tuple(model.features) != names:
            wrong = sorted(set(names) ^ set(model.features)) or ["their order"]
            raise ResourceError(
                "MP806",
                f"the model {self.model_name!r} does not weigh TESLA's features: {wrong[0]}.",
                hint="Train it again.",
            )
        groups = dict.fromkeys(map(feature_group, names))
        unknown = [group for group in self.without if group not in groups]
        if unknown:
            raise OptionError(
                "MP507",
                f"tesla: there is no group of features {unknown[0]!r} to leave out.",
                hint=f"Choose from {' '.join(groups)}.",
            )
        if not set(groups) - set(self.without):
            raise OptionError(
                "MP507",
                "tesla: all groups of features are left out, and nothing is left to score with.",
                hint="Leave fewer of them out.",
            )

    @property
    def model_name(self) -> str:
        """The model asked for, or the name of the one that ships for the language."""
        if self.model == PAPER:
            return f"{self.lang}-{PAPER}"
        return self.lang if self.model is None else self.model

    @property
    def tesla_model(self) -> TeslaModel:
        """The model; reading it is remembered."""
        return TeslaModel.find(self.model_name)

    @property
    def trained(self) -> TeslaModel:
        """The model, as that of any metric."""
        return self.tesla_model

    @property
    def words(self) -> TeslaM:
        """The part of it that is TESLA-M."""
        model = self.tesla_model
        return TeslaM(
            lang=model.lang,
            analyser=model.analyser,
            synonyms=model.synonyms,
            alpha=model.alpha,
            function_divisor=model.function_divisor,
        )

    @property
    def features(self) -> TeslaFeatures:
        """TESLA-M, the tables and the language models of the model; opening them is remembered."""
        model, name = self.tesla_model, self.model_name
        return TeslaFeatures(
            self.words,
            open_pivots(model, name=name, directory=self.resources),
            open_language_models(model, name=name, directory=self.resources),
            model.lm_divisor,
        )

    @property
    def columns(self) -> frozenset[str]:
        """Those of TESLA-M."""
        return self.words.columns

    @property
    def analyser_name(self) -> str:
        """The analyser that the model was trained with."""
        return self.tesla_model.analyser

    def contributions(self, values: FloatArray) -> FloatArray:
        """What each feature adds to the score; NaN values add nothing."""
        left_out = [feature_group(name) in self.without for name in self.tesla_model.features]
        found = self.tesla_model.contributions(values)
        found[..., left_out] = 0.0
        return found

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """Columns: score, 1, then for each feature its sum and how many there were."""
        values = self.features.values(comparison, threads=threads)
        scores = self.tesla_model.intercept + self.contributions(values).sum(axis=-1)
        present = ~np.isnan(values)
        columns = (
            scores.mean(axis=0)[:, None],
            np.ones((values.shape[1], 1)),
            np.where(present, values, 0.0).mean(axis=0),
            present.mean(axis=0),
        )
        return np.concatenate(columns, axis=1)

    def signed(self) -> dict[str, object]:
        """The model and all that it names, with the hashes of their content."""
        signed = super().signed()  # which asks for the analyser first, as scoring does
        model, features = self.tesla_model, self.features
        return signed | {
            "model": model,
            "synonyms": lexicon.load(model.synonyms),
            "pivots": _listed(features.pivots) or None,
            "lm": _listed(features.language_models) or None,
            "without": sorted(set(self.without)) or None,
        }

    def explain(self, hypothesis: str, reference: str) -> Explanation:
        """What each feature adds, matched n-grams, and the phrases that were read in pivot languages."""
        from metaphrase.metrics.tesla.explanation import explain

        return explain(self, compare_pair(self, hypothesis, reference))


def _listed(opened: Mapping[str, PivotTable] | Mapping[str, LanguageModel]) -> list[str]:
    return [f"{name}@{resource.fingerprint}" for name, resource in opened.items()]
