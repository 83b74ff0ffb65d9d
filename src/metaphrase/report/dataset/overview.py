"""The overview of a report: what its first page shows before any block is read.

Keys are those of ``web/src/data/overview.ts``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from math import isfinite
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus import Corpus
from metaphrase.corpus.formats.judged.human_scores import HumanScores
from metaphrase.metrics import Metric
from metaphrase.report.dataset.blocks import CHUNK
from metaphrase.report.dataset.human_agreement import MEASURE, agreement
from metaphrase.report.dataset.verdict import Judged, verdict
from metaphrase.scoring import MetricInfo, Scores, SystemScores
from metaphrase.scoring.doubts.score_doubts import score_doubts
from metaphrase.scoring.doubts.text_doubts import TextDoubts
from metaphrase.scoring.ranking import LEVEL, SystemRanking, rank_scores

#: Raised when a key or a block changes its meaning.
SCHEMA = 1
#: Refusals that an overview tells; of others the page only knows that they were refused.
_TOLD = 1000


def make_overview(
    corpus: Corpus,
    scores: Scores,
    metrics: Mapping[str, Metric],
    *,
    title: str,
    lang: str,
    human: HumanScores | None,
    explained: str,
    notes: Sequence[str],
    documents: Sequence[FloatArray] | None,
    doubts: bool,
    resamples: int,
    seed: int,
    threads: int | None = None,
) -> dict[str, Any]:
    """Rank and test the systems, and say all else that a reader must know.

    ``documents`` are the scores of systems × documents by each metric, if they are known; ``doubts`` says
    whether anybody looks for them.
    """
    more = ["With one system there is nothing to test."] if len(scores.systems) == 1 else []
    if human is not None and human.passed_over:
        more.append(f"Judgements of other systems were ignored: {', '.join(human.passed_over)}.")
    rankings = list(_rankings(scores, metrics, resamples, seed, threads))
    said = frame(corpus, title=title, lang=lang, explained=explained)
    judged = [
        Judged(
            info,
            ranking,
            None if documents is None else documents[number],
            scores.segments - info.skipped,
        )
        for number, (info, ranking) in enumerate(zip(scores.metrics, rankings, strict=True))
    ]
    return {
        **said,
        "documentScores": documents is not None,
        "verdict": verdict(said["systems"], judged, said["documents"] or ()),
        "metrics": [_metric(info, metrics[info.name], scores) for info in scores.metrics],
        "table": [
            _table(number, info.name, ranking, scores)
            for number, (info, ranking) in enumerate(zip(scores.metrics, rankings, strict=True))
        ],
        "resampling": _resampling(len(scores.systems), resamples, seed),
        "human": None if human is None else _human(scores, metrics, human),
        "warnings": [
            *(_doubts(corpus, scores, metrics, rankings) if doubts else ()),
            *scores.warnings,
        ],
        "notes": [*notes, *more],
        # Where nothing was refused, nothing is said of it.
        **({"refusals": list(_refusals(scores))} if scores.refusals else {}),
    }


def _doubts(
    corpus: Corpus,
    scores: Scores,
    metrics: Mapping[str, Metric],
    rankings: Sequence[SystemRanking],
) -> Iterator[str]:
    """What ``metaphrase score`` says below its tables: doubts about the texts, then about the scores."""
    watch = TextDoubts([metric.lang for metric in metrics.values()])
    watch.watch(corpus)
    ranked = replace(scores, rankings=dict(zip(metrics, rankings, strict=True)))
    for doubt in (*watch.found(), *score_doubts(ranked, metrics)):
        yield doubt.text


def _refusals(scores: Scores) -> Iterator[dict[str, Any]]:
    """The first of what metrics refused, by positions."""
    metrics = [info.name for info in scores.metrics]
    systems = [system.name for system in scores.systems]
    for one in scores.refusals[:_TOLD]:
        yield {
            "metric": metrics.index(one.metric),
            "segment": one.segment,
            "system": None if one.system is None else systems.index(one.system),
            "code": one.code,
            "message": one.message,
        }


def frame(corpus: Corpus, *, title: str, lang: str, explained: str) -> dict[str, Any]:
    """All keys, with what can be said of a corpus before anything is scored."""
    from metaphrase.version import __version__

    documents = list(dict.fromkeys(corpus.documents or ()))
    return {
        "schema": SCHEMA,
        "metaphrase": __version__,
        # What a command line cannot decode arrives as half a surrogate pair.
        "title": title.encode("utf-8", "replace").decode(),
        "lang": lang,
        "segments": len(corpus),
        "references": len(corpus.references),
        "systems": list(corpus.systems),
        "verdict": None,
        "metrics": [],
        "documents": documents if any(documents) else None,
        "documentScores": False,
        "table": [],
        "resampling": None,
        "human": None,
        "chunk": CHUNK,
        "explained": explained,
        "warnings": [],
        "notes": [],
    }


def _metric(info: MetricInfo, metric: Metric, scores: Scores) -> dict[str, Any]:
    return {
        "name": info.name,
        "signature": info.signature,
        "summary": metric.summary,
        "higherIsBetter": info.higher_is_better,
        "bounds": [_number(bound) for bound in info.bounds],
        "explains": metric.explains(),
        "coverage": scores.coverages.get(info.name),
        "preferences": None if info.preferences is None else info.preferences.points(),
        **({"skipped": info.skipped} if info.skipped else {}),
    }


def _rankings(
    scores: Scores, metrics: Mapping[str, Metric], resamples: int, seed: int, threads: int | None
) -> Iterator[SystemRanking]:
    for label, metric in metrics.items():
        yield rank_scores(
            metric, scores, label=label, resamples=resamples, seed=seed, threads=threads
        )


def _table(number: int, label: str, ranking: SystemRanking, scores: Scores) -> dict[str, Any]:
    return {
        "metric": number,
        "rows": [
            {
                **{name: _number(value) for name, value in asdict(row).items()},
                "predicted": _predicted(scores.systems[row.system], label),
            }
            for row in ranking.rows
        ],
        **_tests(ranking),
    }


def _tests(ranking: SystemRanking) -> dict[str, list[list[Any]]]:
    """Systems × systems: corrected p-values, the segments that differ, and why no p could be small."""
    places = range(len(ranking.rows))
    tests = [[ranking.test(one, other) for other in places] for one in places]
    return {
        "p": [[ranking.p_value(one, other) for other in places] for one in places],
        "differing": [[None if test is None else test.differing for test in row] for row in tests],
        "untestable": [
            [None if test is None else test.untestable(LEVEL) for test in row] for row in tests
        ],
    }


def _predicted(system: SystemScores, label: str) -> list[float] | None:
    """Between which scores people's judgement of the system lies."""
    found = system.predictions.get("system", {}).get(label)
    return None if found is None else [found[0].low, found[0].high]


def _resampling(systems: int, resamples: int, seed: int) -> dict[str, Any] | None:
    if not resamples:
        return None
    test = "approximate-randomisation" if systems > 1 else "bootstrap"
    return {
        "test": test,
        "resamples": resamples,
        "seed": seed,
        "level": LEVEL,
        # A single pair has nothing to be corrected for.
        **({"correction": "holm"} if systems > 2 else {}),
    }


def _human(scores: Scores, metrics: Mapping[str, Metric], human: HumanScores) -> dict[str, Any]:
    rows = []
    for number, (label, metric) in enumerate(metrics.items()):
        sign = 1.0 if metric.higher_is_better else -1.0
        found = agreement(
            sign * np.stack([system.segment[label] for system in scores.systems]),
            [sign * system.system[label] for system in scores.systems],
            human,
        )
        numbers = {name: _number(value) for name, value in asdict(found).items()}
        rows.append({"metric": number, **numbers})
    return {
        "name": human.name,
        "measure": MEASURE,
        "system": [_number(value) for value in human.systems().tolist()],
        "segments": True,
        "agreement": rows,
    }


def _number(value: float | int | None) -> float | int | None:
    return value if value is not None and isfinite(value) else None
