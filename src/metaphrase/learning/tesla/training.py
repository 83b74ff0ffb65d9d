"""People's judgements as TESLA learns from them: pairs of texts in order, or scores.

Features are computed elsewhere (``metrics/tesla/features.py``) and come as one array with a row for each text
of each set of judgements, in their order; so do the shares of references that have them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from os import fspath
from pathlib import PurePath
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.corpus.formats.judged.judgement_files import read_judgements
from metaphrase.corpus.judgements import Judgements
from metaphrase.corpus.lines import FilePath
from metaphrase.errors import InputError
from metaphrase.learning.edit_machines.data import Source
from metaphrase.learning.tesla.ranking import LinearFit, Report, fit_ranking, fit_scores
from metaphrase.meta.measures import preferences
from metaphrase.statistics.normalisation import standardise_by_judge
from metaphrase.trained.tesla_model import FeatureWeight


@dataclass(frozen=True, slots=True, eq=False)
class TeslaTrainingData:
    """Judgements of translations into one language, either all of them rankings or all of them scores.

    ``left_out`` says how many judgements of the files are of translations into other languages.
    """

    judgements: tuple[Judgements, ...]
    sources: tuple[Source, ...]
    left_out: int = 0

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
    found: list[Judgements] = []
    sources: list[Source] = []
    seen: set[tuple[str, str]] = set()
    left_out = 0
    for path in paths:
        read = list(read_judgements(path).values())
        wanted = [one for one in read if one.target == lang]
        left_out += sum(_count(one) for one in read if one.target != lang)
        digest, count = blake2b(digest_size=16), 0
        for judged in wanted:
            name = judged.name, judged.language_pair
            fault, hint = "", ""
            if judged.is_ranked == absolute:
                fault = f"These are {'rankings' if absolute else 'scores'}."
                hint = "Leave --absolute out." if absolute else "Learn from scores with --absolute."
            elif name in seen:
                fault, hint = (
                    f"The judgements of {' '.join(name)} were given twice.",
                    "Once will do.",
                )
            if fault:
                raise InputError("MP814", fault, path=path, hint=hint)
            seen.add(name)
            digest.update(repr((judged.texts, judged.rankings, judged.human.tolist())).encode())
            count += _count(judged)
        if not wanted:
            raise InputError(
                "MP814",
                f"There are no judgements of translations into {lang!r}.",
                path=path,
                hint="Choose other data, or another --language.",
            )
        found += wanted
        sources.append(Source(PurePath(fspath(path)).name, count, digest.hexdigest()))
    return TeslaTrainingData(tuple(found), tuple(sources), left_out)


def _count(judged: Judgements) -> int:
    """Rankings, or scores."""
    return len(judged.rankings) or int((~np.isnan(judged.human)).sum())


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
    fit = fit_ranking(features, better, worse, groups, shares=shares, folds=folds, report=report)
    account = {"method": "ranking SVM", "C": fit.regularisation, "pairs": len(better)}
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
