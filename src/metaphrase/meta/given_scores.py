"""Scores that a test set brings along, beside the metrics that are run on its texts."""

from __future__ import annotations

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus.formats.mtme.scores import Level
from metaphrase.corpus.formats.mtme.test_set import MtmeSet
from metaphrase.corpus.judgements import Judgements
from metaphrase.meta.judged_scores import JudgedScores, document_numbers


def given_metrics(mtme: MtmeSet) -> tuple[str, ...]:
    """The metrics that a test set has scores of, as ``NAME-REF``."""
    return tuple(dict.fromkeys(f"{name}-{used}" for name, used, _ in mtme.metrics))


def given_scores(mtme: MtmeSet, metric: str, judgements: Judgements) -> JudgedScores | None:
    """The scores of ``metric`` (``NAME-REF``) for what people judged; None if the set has none.

    They are taken as they are, higher meaning better, at the levels that there are files of: nothing is
    averaged from another level. NaN stands for a system or level without scores.
    """
    if metric not in given_metrics(mtme):
        return None
    name, _, used = metric.rpartition("-")

    def matrix(level: Level, columns: int) -> FloatArray:
        scores = np.full((len(judgements.systems), columns), np.nan)
        file = mtme.metrics.get((name, used, level))
        given = {} if file is None else file.by_system()
        for row, system in enumerate(judgements.systems):
            if system in given:
                scores[row] = given[system]
        return scores

    segment = matrix("seg", len(judgements.segments))
    segment[judgements.text_of < 0] = np.nan
    documents = int(document_numbers(judgements).max(initial=-1)) + 1
    signature = f"{metric}|given:{mtme.name}"
    return JudgedScores(
        metric, signature, segment, matrix("doc", documents), matrix("sys", 1)[:, 0]
    )
