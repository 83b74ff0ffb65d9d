"""Totals of a job: scores of systems and documents from the sums of its shards."""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError
from metaphrase.jobs.manifest import Sums
from metaphrase.jobs.plan import Plan
from metaphrase.jobs.shard_run import done
from metaphrase.metrics import Metric, Predictions
from metaphrase.scoring import MetricInfo, Resampling, Scores, SystemScores
from metaphrase.scoring.cautions import cautions
from metaphrase.statistics.resampling import Interval, ResampledScore

FILE = "scores.json"


def finish(folder: str | PathLike[str]) -> Scores:
    """Add up what the shards have found, and write it to ``scores.json``; all must be done.

    Sums are exact, so that the scores are those of one process, to the last bit.
    """
    plan = Plan.load(folder)
    sums = Sums()
    missing = []
    for shard in plan.shards:
        manifest = done(folder, shard, plan)
        if manifest is None:
            missing.append(shard.number)
        else:
            sums.merge(manifest.sums)
    if missing:
        raise InputError(
            "MP942",
            f"{len(missing):,} of {len(plan.shards):,} shards are not done; the first is {missing[0]}.",
            path=folder,
            hint="Run the job: metaphrase job run FOLDER.",
        )
    scores = _scores(plan, sums)
    whole: dict[str, Any] = {"job": plan.job, **scores.to_dict()}
    with atomic_writer(Path(folder) / FILE, sync=True) as stream:
        stream.write(json.dumps(whole, ensure_ascii=False, indent=1).encode() + b"\n")
    return scores


def _scores(plan: Plan, sums: Sums) -> Scores:
    metrics = {one.label: one.create(plan.references) for one in plan.metrics}
    totals = {
        label: {system: sums.totals[system, label].value() for system in plan.systems}
        for label in metrics
    }
    return Scores(
        metrics=tuple(
            MetricInfo(
                label, str(metric.signature(plan.references)), metric.higher_is_better, metric.bounds
            )
            for label, metric in metrics.items()
        ),
        systems=tuple(_system(name, metrics, sums) for name in plan.systems),
        segments=sums.rows,
        references=plan.references,
        documents=sums.documents,
        resampling=_resampling(plan),
        warnings=tuple(cautions(metrics, totals)),
    )


def _resampling(plan: Plan) -> Resampling | None:
    if not plan.resamples:
        return None
    return Resampling(
        test=None, resamples=None, baseline=None, confidence=plan.resamples, seed=plan.seed
    )


def _system(name: str, metrics: Mapping[str, Metric], sums: Sums) -> SystemScores:
    system: dict[str, float] = {}
    document: dict[str, FloatArray] = {}
    resampled: dict[str, ResampledScore] = {}
    predictions: dict[str, dict[str, Predictions]] = {"system": {}, "document": {}}
    for label, metric in metrics.items():
        total = sums.totals[name, label].value()
        system[label] = float(metric.score(total[None])[0])
        found = metric.predict(np.array([system[label]]), np.array([float(sums.rows)]))
        if found is not None:
            predictions["system"][label] = found
        if sums.documents:
            of_documents = [sums.by_document[one, name, label].value() for one in sums.documents]
            document[label] = metric.score(np.stack(of_documents))
            counts = np.array(list(sums.documents.values()), dtype=np.float64)
            found = metric.predict(document[label], counts)
            if found is not None:
                predictions["document"][label] = found
        if (name, label) in sums.resampled:
            values = metric.score(sums.resampled[name, label].value())
            low, high = np.percentile(values, [2.5, 97.5])
            interval = Interval(float(values.mean()), float(low), float(high))
            resampled[label] = ResampledScore(system[label], interval=interval)
    return SystemScores(
        name, system, document, resampled=resampled, predictions=predictions
    )
