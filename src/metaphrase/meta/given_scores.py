"""Scores that a test set brings along, beside the metrics that are run on its texts."""

from __future__ import annotations

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus.formats.mtme.scores import Level
from metaphrase.corpus.formats.mtme.test_set import MtmeSet
from metaphrase.corpus.judgements import Judgements
from metaphrase.meta.judged_scores import JudgedScores, document_numbers
from metaphrase.statistics.grouping import document_scores


def given_metrics(mtme: MtmeSet) -> tuple[str, ...]:
    """The metrics that a test set has scores of, as ``NAME-REF``."""
    return tuple(dict.fromkeys(f"{name}-{used}" for name, used, _ in mtme.metrics))


def given_scores(
    mtme: MtmeSet,
    metric: str,
    judgements: Judgements,
    *,
    domain: str | None = None,
    average_documents: bool = False,
) -> JudgedScores | None:
    """The scores of ``metric`` (``NAME-REF``) for what people judged; None if the set has none.

    They are taken as they are, higher meaning better, at the levels that there are files of. With
    ``average_documents``, documents without a file have the mean of their segments, as people's scores of
    documents do, and the signature says so; nothing else is averaged. With ``domain``, the judgements are
    those of that domain, and systems have the scores of their file of domains. NaN stands for a system or
    level without scores.
    """
    if metric not in given_metrics(mtme):
        return None
    name, _, used = metric.rpartition("-")
    segments = [row for row, at in enumerate(mtme.domains) if domain is None or at == domain]

    def matrix(level: Level, columns: list[int]) -> FloatArray:
        scores = np.full((len(judgements.systems), len(columns)), np.nan)
        file = mtme.metrics.get((name, used, level))
        given = {} if file is None else file.by_system()
        for row, system in enumerate(judgements.systems):
            if system in given:
                scores[row] = given[system][columns]
        return scores

    segment = matrix("seg", segments)
    segment[judgements.text_of < 0] = np.nan
    signature = f"{metric}|given:{mtme.name}"
    numbers = document_numbers(judgements)
    if (name, used, "doc") in mtme.metrics:
        places = {document: at for at, document in enumerate(dict.fromkeys(mtme.documents))}
        wanted = dict.fromkeys(mtme.documents[row] for row in segments)
        document = matrix("doc", [places[one] for one in wanted])
    elif average_documents and (name, used, "seg") in mtme.metrics:
        document = document_scores(segment, numbers)
        signature += "|documents:mean"
    else:
        document = np.full((len(judgements.systems), int(numbers.max(initial=-1)) + 1), np.nan)
    system = (
        matrix("sys", [0])[:, 0] if domain is None else _of_domain(mtme, metric, judgements, domain)
    )
    return JudgedScores(metric, signature, segment, document, system)


def _of_domain(mtme: MtmeSet, metric: str, judgements: Judgements, domain: str) -> FloatArray:
    """The systems' scores of one domain, from the file of domains."""
    name, _, used = metric.rpartition("-")
    file = mtme.metrics.get((name, used, "domain"))
    found: dict[str, float] = {}
    if file is not None and file.domains is not None:
        rows = zip(file.domains, file.systems, file.scores, strict=True)
        found = {system: float(score) for at, system, score in rows if at == domain}
    return np.array([found.get(system, np.nan) for system in judgements.systems])
