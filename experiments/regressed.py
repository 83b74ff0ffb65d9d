"""Baselines that learn as the edit machines do: ridge regressions of human scores on parts of metrics.

``python -m experiments.regressed`` with METAPHRASE_DATA set; METEOR needs Java and pycocoevalcap. BLEU,
NIST, TER, METEOR and chrF each give up what they count, apart and all together, in the manner of Padó et
al. (2009), whose regressed baselines Wang & Manning (EMNLP 2012) compare with. One language pair at a time
is held out; λ is chosen by holding out one of the others at a time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from experiments.frame import Floats, identity, kept, publish, remembered
from experiments.meteor import Meteor15
from experiments.round_robin import (
    DATA,
    RESAMPLES,
    RoundRobin,
    held_out_table,
    predicted_scores,
    round_robin,
)
from experiments.ter_edits import TerEdits
from metaphrase.meta import JudgedScores, Judgements
from metaphrase.metrics import Metric, compare, create
from metaphrase.metrics.nist.metric import length_penalty

#: Multiples of the number of rows.
PENALTIES = tuple(10.0**k for k in range(-6, 2))


def bleu_components(counts: Floats) -> Floats:
    """Logarithms of add-one precisions, brevity."""
    hypothesis, reference = counts[:, :2].T
    precisions = (counts[:, 2:6] + 1) / (counts[:, 6:10] + 1)
    brevity = np.minimum(0.0, 1 - reference / np.maximum(hypothesis, 1))
    return _columns(np.log(precisions), brevity, _log_ratio(hypothesis, reference))


def nist_components(counts: Floats) -> Floats:
    """Bits per n-gram, brevity."""
    hypothesis, reference = counts[:, :2].T
    matched, possible = np.split(counts[:, 2:], 2, axis=1)
    return _columns(
        matched / np.maximum(possible, 1),
        length_penalty(hypothesis, reference),
        _log_ratio(hypothesis, reference),
    )


def ter_components(counts: Floats) -> Floats:
    """Edits of each kind per reference word, and all of them."""
    reference, hypothesis = counts[:, 4:6].T
    rates = counts[:, :4] / np.maximum(reference, 1)[:, None]
    return _columns(rates, rates.sum(axis=1), _log_ratio(hypothesis, reference))


def meteor_components(counts: Floats) -> Floats:
    """Precision and recall of each matcher, content and function words apart; fragmentation."""
    lengths, function = counts[:, 0:2], counts[:, 2:4]
    matchers = counts[:, 4:20].reshape(len(counts), 4, 2, 2)  # matcher, content or function, side
    chunks, matched = counts[:, 20], counts[:, 21:23]
    by_matcher = (matchers.sum(axis=2) / np.maximum(lengths, 1)[:, None]).reshape(len(counts), -1)
    totals = np.maximum(np.stack([lengths - function, function], axis=1), 1)
    by_kind = (matchers.sum(axis=1) / totals).reshape(len(counts), -1)
    return _columns(
        by_matcher,
        by_kind,
        matched / np.maximum(lengths, 1),
        chunks / np.maximum(matched.mean(axis=1), 1),
        _log_ratio(*lengths.T),
    )


def chrf_components(counts: Floats) -> Floats:
    """Precision and recall of every order."""
    hypothesis, reference, matched = (counts[:, start::3] for start in range(3))
    return _columns(
        matched / np.maximum(hypothesis, 1),
        matched / np.maximum(reference, 1),
        _log_ratio(hypothesis[:, 0], reference[:, 0]),
    )


METRICS: dict[str, tuple[Callable[[], Metric], Callable[[Floats], Floats]]] = {
    "bleu": (lambda: create("bleu"), bleu_components),
    "nist": (lambda: create("nist"), nist_components),
    "ter": (TerEdits, ter_components),
    "meteor-1.5": (Meteor15, meteor_components),
    "chrf": (lambda: create("chrf"), chrf_components),
}


@dataclass(frozen=True, slots=True, eq=False)
class Ridge:
    """Prediction = intercept + weights · features, where features are standardised as in training."""

    mean: Floats
    spread: Floats
    weights: Floats
    intercept: float

    @classmethod
    def fit(cls, features: Floats, human: Floats, penalty: float) -> Ridge:
        mean, spread = features.mean(axis=0), features.std(axis=0)
        spread = np.where(spread > 0, spread, 1.0)
        standard = (features - mean) / spread
        intercept = float(human.mean())
        matrix = standard.T @ standard + penalty * len(human) * np.eye(standard.shape[1])
        return cls(
            mean, spread, np.linalg.solve(matrix, standard.T @ (human - intercept)), intercept
        )

    def predict(self, features: Floats) -> Floats:
        return np.asarray(self.intercept + (features - self.mean) / self.spread @ self.weights)


def fit_by_groups(features: Floats, human: Floats, group: NDArray[np.intp]) -> Ridge:
    """Fit with the penalty that has the smallest squared error on groups held out in turn."""

    def error(penalty: float) -> float:
        total = 0.0
        for out in np.unique(group).tolist():
            held_out = group == out
            model = Ridge.fit(features[~held_out], human[~held_out], penalty)
            total += float(((model.predict(features[held_out]) - human[held_out]) ** 2).sum())
        return total

    return Ridge.fit(features, human, min(PENALTIES, key=error))


def components(name: str, fingerprint: str, judged: Judgements) -> Floats:
    """A metric's parts and its score, one row a text."""
    create_metric, parts = METRICS[name]
    metric = create_metric()
    statistics = text_statistics(fingerprint, judged, metric)
    return _columns(parts(statistics), metric.segment_score(statistics))


def text_statistics(fingerprint: str, judged: Judgements, metric: Metric) -> Floats:
    """What a metric counts in each text, kept for the next run."""

    def count() -> dict[str, Floats]:
        print(f"{judged.language_pair} {metric.name}", file=sys.stderr, flush=True)
        (corpus,) = (corpus for _, corpus in judged.corpora())
        (comparison,) = compare(corpus, metric)
        return {"rows": metric.statistics(comparison, threads=os.cpu_count() or 1)}

    key = f"{identity(fingerprint, judged)}\tstatistics\t{metric.signature(1)}"
    return kept(key, count)["rows"]


def baselines(
    data: RoundRobin, names: Sequence[str] = tuple(METRICS)
) -> dict[str, list[JudgedScores]]:
    """Rows of a table: metrics as they are, each of them regressed, and if all are, in one regression."""
    rows: dict[str, list[JudgedScores]] = {}
    features: dict[str, Floats] = {}
    for name in names:
        metric = METRICS[name][0]()
        rows[name] = [remembered(data.fingerprint, fold.judged, metric) for fold in data.folds]
        parts = [components(name, data.fingerprint, fold.judged) for fold in data.folds]
        features[name] = np.concatenate(parts)
    if len(features) == len(METRICS):
        features["all five"] = np.concatenate(list(features.values()), axis=1)
    for name, matrix in features.items():
        label = f"{name}, regressed"
        rows[label] = []
        for fold in data.folds:
            some = fold.training
            model = fit_by_groups(matrix[some], data.human[some], data.group[some])
            rows[label].append(predicted_scores(label, model.predict(matrix[fold.rows])))
    return rows


def _columns(*parts: Floats) -> Floats:
    return np.column_stack(parts)


def _log_ratio(hypothesis: Floats, reference: Floats) -> Floats:
    return np.asarray(np.log(np.maximum(hypothesis, 1) / np.maximum(reference, 1)))


REMARK = (
    "The components are, for BLEU, the logarithms of smoothed n-gram precisions and brevity; for NIST, bits "
    "per n-gram and brevity; for TER, insertions, deletions, substitutions and shifts per reference word; "
    "for METEOR, precision and recall of each of its matchers, of content and of function words, and chunks "
    "per match; for chrF, precision and recall of each order; and for all of them the logarithm of the ratio "
    "of lengths and the metric's own score. The penalty is chosen by holding out one of the other language "
    "pairs at a time. TER gains most; METEOR and chrF, whose own formulas suit these data, gain next to "
    "nothing in ρ. A quarter of the references occur in several language pairs: what has a reference of the "
    "pair that is held out is not trained on."
)


def main() -> None:
    data = round_robin()
    publish(
        "regressed",
        "Baselines regressed on their own components, each language pair held out in turn",
        held_out_table(data.folds, baselines(data)),
        DATA,
        remark=REMARK,
        tests=f"{RESAMPLES} resamples",
    )


if __name__ == "__main__":
    main()
