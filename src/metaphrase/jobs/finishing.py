"""Totals of a job: scores of systems and documents from the sums of its shards."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from itertools import compress
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray, spread
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError
from metaphrase.jobs.manifest import read_sums
from metaphrase.jobs.plan import Plan
from metaphrase.jobs.profiling import added_profile
from metaphrase.jobs.shard_run import done, manifest_path
from metaphrase.jobs.sums import Sums
from metaphrase.metrics import Metric, Predictions
from metaphrase.metrics.refusals import in_order, refused_everything, summaries
from metaphrase.metrics.signature import reference_count
from metaphrase.scoring import MetricInfo, Profile, Resampling, Scores, SystemScores
from metaphrase.scoring.cautions import cautions
from metaphrase.statistics.resampling import ResampledScore, interval

FILE = "scores.json"


def finish(folder: str | PathLike[str]) -> Scores:
    """Add up what the shards have found, and write it to ``scores.json``; all must be done.

    Sums are exact, so that the scores are those of one process, to the last bit.
    """
    plan, metrics, sums = _summed(folder)
    scores = _scores(plan, metrics, sums)
    whole: dict[str, Any] = {"job": plan.job, **scores.to_dict()}
    if sums.profiles:
        whole["profiles"] = [one.to_dict() for one in _profiles(plan, metrics, sums)]
    with atomic_writer(Path(folder) / FILE, sync=True) as stream:
        stream.write(json.dumps(whole, ensure_ascii=False, indent=1).encode() + b"\n")
    for warning in scores.warnings:
        warnings.warn(warning, stacklevel=2)
    return scores


def profiles(folder: str | PathLike[str]) -> list[Profile]:
    """What points are lost by, as each metric sees it, of the rows that the plan says; all must be done.

    Intervals are those of a Poisson bootstrap. There is none if the plan asks for none.
    """
    return _profiles(*_summed(folder))


def _profiles(plan: Plan, metrics: Mapping[str, Metric], sums: Sums) -> list[Profile]:
    return [
        added_profile(plan, metric, sums.profiles[label])
        for label, metric in metrics.items()
        if label in sums.profiles and sums.profiles[label].rows
    ]


def _summed(folder: str | PathLike[str]) -> tuple[Plan, dict[str, Metric], Sums]:
    """The sums of all shards, which must be done."""
    plan = Plan.load(folder)
    metrics = {one.label: one.create(plan.references) for one in plan.metrics}
    missing = [shard.number for shard in plan.shards if done(folder, shard, plan) is None]
    if missing:
        raise InputError(
            "MP942",
            f"{len(missing):,} of {len(plan.shards):,} shards are not done; the first is {missing[0]}.",
            path=folder,
            hint="Run the job: metaphrase job run FOLDER.",
        )
    sums = Sums()
    for shard in plan.shards:
        sums.merge(read_sums(manifest_path(folder, shard), shard, plan))
    for label, count in sums.skipped.items():
        if count == sums.rows:
            raise refused_everything(label, count, sums.refusals)
    return plan, metrics, sums


def _scores(plan: Plan, metrics: Mapping[str, Metric], sums: Sums) -> Scores:
    totals = {
        label: {system: sums.totals[system, label].value() for system in plan.systems}
        for label in metrics
    }
    resampled = sums.resamples()
    count = reference_count(sums.reference_counts)
    skipped = {label: sums.skipped[label] for label in metrics if label in sums.skipped}
    return Scores(
        metrics=tuple(
            MetricInfo(
                label,
                str(metric.signature(count)),
                metric.higher_is_better,
                metric.bounds,
                preferences=metric.preferences,
                decimals=metric.decimals,
            ).without(sums.skipped.get(label, 0))
            for label, metric in metrics.items()
        ),
        systems=tuple(_system(name, metrics, sums, resampled) for name in plan.systems),
        segments=sums.rows,
        references=plan.references,
        documents=sums.documents,
        resampling=_resampling(plan),
        warnings=(
            *summaries(skipped, sums.rows, sums.refusals),
            *cautions(metrics, totals),
        ),
        refusals=in_order(sums.refusals, metrics),
        refused_of_documents=sums.skipped_of,
    )


def _resampling(plan: Plan) -> Resampling | None:
    if not plan.resamples:
        return None
    return Resampling(
        test=None, resamples=None, baseline=None, confidence=plan.resamples, seed=plan.seed
    )


def _system(
    name: str,
    metrics: Mapping[str, Metric],
    sums: Sums,
    resamples: Mapping[tuple[str, str], FloatArray],
) -> SystemScores:
    system: dict[str, float] = {}
    document: dict[str, FloatArray] = {}
    resampled: dict[str, ResampledScore] = {}
    predictions: dict[str, dict[str, Predictions]] = {"system": {}, "document": {}}
    for label, metric in metrics.items():
        total = sums.totals[name, label].value()
        system[label] = float(metric.score(total[None])[0])
        scored = float(sums.rows - sums.skipped.get(label, 0))
        found = metric.predict(np.array([system[label]]), np.array([scored]))
        if found is not None:
            predictions["system"][label] = found
        if sums.documents:
            known = np.array([(one, name, label) in sums.by_document for one in sums.documents])
            named = list(compress(sums.documents, known))
            of_documents = [sums.by_document[one, name, label].value() for one in named]
            values = metric.score(np.stack(of_documents))
            counts = [sums.documents[one] - sums.skipped_of.get((label, one), 0) for one in named]
            found = metric.predict(values, np.array(counts, dtype=np.float64))
            document[label] = spread(values, known)
            if found is not None:
                predictions["document"][label] = found.spread(known)
        if (name, label) in resamples:
            values = metric.score(resamples[name, label])
            resampled[label] = ResampledScore(system[label], interval=interval(values))
    return SystemScores(name, system, document, resampled=resampled, predictions=predictions)
