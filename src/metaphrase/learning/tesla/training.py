"""People's judgements as TESLA learns from them: pairs of texts in order, or scores.

Features are computed elsewhere (``metrics/tesla/features.py``) and come as one array with a row for each text
of each set of judgements, in their order; so do the shares of references that have them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.corpus.judgements import Judgements
from metaphrase.corpus.lines import FilePath
from metaphrase.errors import InputError
from metaphrase.learning.judged_sets import JudgedSets, read_judged_sets
from metaphrase.learning.tesla.ranking import LOSSES, LinearFit, Report, fit_ranking, fit_scores
from metaphrase.meta.measures import preferences
from metaphrase.statistics.normalisation import standardise_by_judge
from metaphrase.trained.tesla_model import FeatureWeight


@dataclass(frozen=True, slots=True, eq=False)
class TeslaTrainingData(JudgedSets):
    """Judgements of translations into one language, either all of them rankings or all of them scores."""

    @property
    def offsets(self) -> Int64Array:
        """Where the texts of each set of judgements begin among all texts."""
        counts = [0, *(len(judged.texts) for judged in self.judgements)]
        return np.cumsum(counts, dtype=np.int64)

    @property
    def segments(self) -> list[str]:
        """For each text what it was compared with.

        Cross-validation keeps texts with the same references together, whatever data set they are of: a
        sentence that was learnt from must not come back as one never seen.
        """
        return [repr(text.references) for judged in self.judgements for text in judged.texts]


def read_tesla_data(
    paths: Sequence[FilePath], *, lang: str, absolute: bool = False
) -> TeslaTrainingData:
    """Rankings (JSONL) or, if ``absolute``, scores (TSV); only those of translations into ``lang``."""

    def refused(judged: Judgements) -> tuple[str, str]:
        if judged.is_ranked != absolute:
            return "", ""
        if absolute:
            return "These are rankings.", "Leave --absolute out."
        return (
            "These are scores.",
            "Learn from scores with --absolute, or give rankings (docs/formats.md, JSON Lines of rankings).",
        )

    read = read_judged_sets(paths, lang=lang, code="MP814", refused=refused)
    return TeslaTrainingData(read.judgements, read.sources, read.left_out, read.paths)


def ordered_pairs(data: TeslaTrainingData) -> tuple[Int64Array, Int64Array]:
    """The texts that people prefer and, beside each, the one that they prefer it to.

    Ties of people are left out, and so are pairs of systems that said the same.
    """
    better, worse = [], []
    for judged, offset in zip(data.judgements, data.offsets.tolist(), strict=False):
        pairs = preferences(judged)
        first, second = (
            judged.text_of[system, pairs.segment].astype(np.int64) + offset
            for system in (pairs.first, pairs.second)
        )
        keep = (pairs.order != 0) & (first != second)
        prefers_first = (pairs.order > 0)[keep]
        first, second = first[keep], second[keep]
        better.append(np.where(prefers_first, first, second))
        worse.append(np.where(prefers_first, second, first))
    return np.concatenate(better), np.concatenate(worse)


def scored_texts(
    data: TeslaTrainingData, *, standardise: bool = False
) -> tuple[Int64Array, FloatArray]:
    """Texts that have scores, and these; ``standardise`` makes z-scores of each set's."""
    rows, scores, scale = [], [], []
    for number, (judged, offset) in enumerate(
        zip(data.judgements, data.offsets.tolist(), strict=False)
    ):
        systems, segments = np.nonzero(~np.isnan(judged.human))
        rows.append(judged.text_of[systems, segments].astype(np.int64) + offset)
        scores.append(judged.human[systems, segments])
        scale.append(np.full(len(systems), number))
    values, sets = np.concatenate(scores), np.concatenate(scale)
    if standardise:
        values = standardise_by_judge(values, sets)
    return np.concatenate(rows), values


def learn_ranking(
    data: TeslaTrainingData,
    features: FloatArray,
    *,
    shares: FloatArray | None = None,
    loss: str = LOSSES[0],
    folds: int = 5,
    report: Report | None = None,
) -> tuple[LinearFit, dict[str, Any]]:
    """Weights from rankings, and an account of them for the model."""
    better, worse = ordered_pairs(data)
    if len(better) == 0:
        files = ", ".join(source.name for source in data.sources)
        raise InputError(
            "MP811",
            "Nobody put two different texts in order.",
            path=files,
            hint="Add rankings in which one text is better than another.",
        )
    segments = data.segments
    groups = [segments[row] for row in better.tolist()]
    fit = fit_ranking(
        features, better, worse, groups, shares=shares, loss=loss, folds=folds, report=report
    )
    method = "ranking SVM" if loss == LOSSES[0] else f"ranking SVM, {loss} loss"
    account = {"method": method, "C": fit.regularisation, "pairs": len(better)}
    return fit, account | _account(data, fit, groups, folds, "share of pairs in order")


def learn_scores(
    data: TeslaTrainingData,
    features: FloatArray,
    *,
    shares: FloatArray | None = None,
    standardise: bool = False,
    folds: int = 5,
    report: Report | None = None,
) -> tuple[LinearFit, dict[str, Any]]:
    """Weights from scores, and an account of them for the model."""
    rows, scores = scored_texts(data, standardise=standardise)
    segments = data.segments
    groups = [segments[row] for row in rows.tolist()]
    chosen = None if shares is None else shares[rows]
    fit = fit_scores(features[rows], scores, groups, shares=chosen, folds=folds, report=report)
    account = {"method": "ridge regression", "lambda": fit.regularisation, "scores": len(rows)}
    account["standardised"] = standardise
    return fit, account | _account(data, fit, groups, folds, "Pearson's r")


def _account(
    data: TeslaTrainingData, fit: LinearFit, groups: Sequence[str], folds: int, measure: str
) -> dict[str, Any]:
    distinct = len(set(groups))
    return {
        "segments": distinct,
        "measure": measure,
        "accuracy": round(fit.found, 6),
        "folds": min(folds, distinct),
        "held_out": {f"{key:g}": round(value, 6) for key, value in fit.validated.items()},
        "data": [asdict(source) for source in data.sources],
    }


def weighed(names: Sequence[str], fit: LinearFit) -> dict[str, FeatureWeight]:
    """The features of a model, by what was learnt of them, to the six digits that training determines."""
    columns = zip(fit.weights.tolist(), fit.means.tolist(), fit.scales.tolist(), strict=True)
    rows = ([float(f"{number:.6g}") for number in row] for row in columns)
    return {name: FeatureWeight(*row) for name, row in zip(names, rows, strict=True)}
