"""What a report holds, apart from how it looks: an overview, and blocks that are read when they are needed.

The page of ``metaphrase report`` carries both inside itself; a server sends the same ones. Names and types
of all of it are those of ``web/src/overview.ts``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from math import isfinite
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from metaphrase.corpus import Corpus
from metaphrase.corpus.human_scores import HumanScores
from metaphrase.errors import OptionError
from metaphrase.metrics import Metric
from metaphrase.report import blocks
from metaphrase.report.human_agreement import MEASURE, agreement
from metaphrase.report.segment_explainer import SegmentExplainer
from metaphrase.report.system_ranking import LEVEL, rank_systems
from metaphrase.report.telling import telling_cells
from metaphrase.scoring import MetricInfo, Scores
from metaphrase.scoring.engine import labelled_metrics

FloatArray = NDArray[np.float64]
#: Which segments are explained: all, none, whichever a reader asks a server for, or so many for each metric.
Explain = Literal["all", "none", "live"] | int
#: A metric, a system and a segment, by their positions.
Cell = tuple[int, int, int]

SCHEMA = 1
EXPLAINED = 100


@dataclass(frozen=True, slots=True, eq=False)
class ReportData:
    """``overview`` is JSON; ``packed`` are the blocks by name, compressed as pages embed and servers send them.

    They are in the order in which a page wants them.
    """

    overview: Mapping[str, Any]
    packed: Mapping[str, bytes]

    def block(self, name: str) -> bytes:
        """One block, not compressed; ``KeyError`` if there is none of that name."""
        return blocks.inflated(self.packed[name])


def build(
    corpus: Corpus,
    scores: Scores,
    metrics: Sequence[str | Metric],
    *,
    title: str = "",
    lang: str = "en",
    human: HumanScores | None = None,
    explain: Explain = EXPLAINED,
    resamples: int = 1000,
    seed: int = 12345,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> ReportData:
    """Collect what a report of ``scores`` shows.

    ``scores`` must come from ``score(corpus, metrics, levels=["system", "segment"], keep_statistics=True)``;
    statistics need not be kept if there are no ``resamples``. ``explain`` says which segments are
    explained: so many for each metric, the most telling ones (:mod:`metaphrase.report.telling`).
    ``progress`` is told how many explanations are done.
    """
    chosen = labelled_metrics(metrics, lang)
    _check(corpus, scores, chosen, explain, resamples)
    segment = [np.stack([system.segment[label] for system in scores.systems]) for label in chosen]
    oriented = [
        values if metric.higher_is_better else -values
        for values, metric in zip(segment, chosen.values(), strict=True)
    ]
    cells = list(_cells(list(chosen.values()), oriented, human, explain))
    possible = sum(metric.explains() for metric in chosen.values()) * oriented[0].size
    explained = _explained(explain, len(cells), possible)
    documents = list(dict.fromkeys(corpus.documents or ()))
    overview = {
        "schema": SCHEMA,
        "metaphrase": _version(),
        # What a command line cannot decode arrives as half a surrogate pair.
        "title": title.encode("utf-8", "replace").decode(),
        "lang": lang,
        "segments": len(corpus),
        "references": len(corpus.references),
        "systems": list(corpus.systems),
        "metrics": [_metric(info, chosen[info.name]) for info in scores.metrics],
        "documents": documents if any(documents) else None,
        "table": list(_tables(scores, chosen, resamples, seed, threads)),
        "resampling": _resampling(len(scores.systems), resamples, seed),
        "human": None if human is None else _human(scores, chosen, oriented, human),
        "chunk": blocks.CHUNK,
        "explained": explained,
        "notes": list(_notes(scores, chosen, explained, explain, human)),
    }

    def content() -> Iterator[tuple[str, bytes]]:
        for m, values in enumerate(segment):
            yield f"scores/{m}", blocks.score_block(values)
        if human is not None:
            yield "human", blocks.human_block(human.scores)
        if any(documents):
            yield "documents", blocks.document_block(corpus.documents or (), documents)
        yield "lengths", blocks.length_block(corpus, lang)
        for k, texts in enumerate(blocks.text_blocks(corpus)):
            yield f"texts/{k}", texts
        if explained == "some":
            yield "explained", blocks.json_block(cells)
        yield from _explanations(SegmentExplainer(corpus, list(chosen.values())), cells, progress)

    return ReportData(overview, {name: blocks.deflated(block) for name, block in content()})


def _check(
    corpus: Corpus,
    scores: Scores,
    metrics: Mapping[str, Metric],
    explain: Explain,
    resamples: int,
) -> None:
    if isinstance(explain, str) and explain not in ("all", "none", "live"):
        raise OptionError(
            "MP648", f"explain is {explain!r}.", hint="Choose all, none or a number of segments."
        )
    if not isinstance(explain, str) and (isinstance(explain, bool) or explain < 1):
        raise OptionError("MP648", f"explain is {explain!r}.", hint="Give at least 1, or none.")
    same = (
        tuple(system.name for system in scores.systems) == tuple(corpus.systems)
        and scores.segments == len(corpus)
        and [info.name for info in scores.metrics] == list(metrics)
    )
    complete = all(
        label in system.system
        and label in system.segment
        and (label in system.statistics or not resamples)
        for system in scores.systems
        for label in metrics
    )
    if not same or not complete:
        raise OptionError(
            "MP649",
            "a report needs system and segment scores of its corpus by its metrics, and their statistics.",
            hint='Score with levels=["system", "segment"] and keep_statistics=True.',
        )


def _cells(
    metrics: Sequence[Metric],
    scores: Sequence[FloatArray],
    human: HumanScores | None,
    explain: Explain,
) -> Iterator[Cell]:
    """What is to be explained, in order."""
    if explain in ("none", "live"):
        return
    segments = scores[0].shape[1]
    people = [] if human is None else [human.scores]
    for m, metric in enumerate(metrics):
        if not metric.explains():
            continue
        chosen: Iterable[int] = range(scores[m].size)
        if isinstance(explain, int):
            chosen = telling_cells(scores[m], [*scores[:m], *scores[m + 1 :], *people], explain)
        yield from ((m, *divmod(cell, segments)) for cell in sorted(chosen))


def _explained(explain: Explain, chosen: int, possible: int) -> str:
    if explain == "live":
        return "live"
    if not chosen:
        return "none"
    return "all" if chosen == possible else "some"


def _explanations(
    explainer: SegmentExplainer, cells: Sequence[Cell], progress: Callable[[int], None] | None
) -> Iterator[tuple[str, bytes]]:
    """Blocks of the explanations of each chunk of segments; chunks without any have no block."""
    done = 0
    # One chunk after the other, since the explanations of all would fill the memory before they are packed.
    ordered = sorted(cells, key=lambda cell: cell[2] // blocks.CHUNK)
    for chunk, members in groupby(ordered, key=lambda cell: cell[2] // blocks.CHUNK):
        records = {}
        for cell in members:
            records["/".join(map(str, cell))] = explainer.record(*cell)
            done += 1
            if progress is not None:
                progress(done)
        yield f"explanations/{chunk}", blocks.json_block(records)


def _metric(info: MetricInfo, metric: Metric) -> dict[str, Any]:
    return {
        "name": info.name,
        "signature": info.signature,
        "higherIsBetter": info.higher_is_better,
        "bounds": [_number(bound) for bound in info.bounds],
        "explains": metric.explains(),
    }


def _tables(
    scores: Scores, metrics: Mapping[str, Metric], resamples: int, seed: int, threads: int
) -> Iterator[dict[str, Any]]:
    for number, (label, metric) in enumerate(metrics.items()):
        ranking = rank_systems(
            metric,
            [system.system[label] for system in scores.systems],
            [system.statistics[label] for system in scores.systems] if resamples else None,
            resamples=resamples,
            seed=seed,
            threads=threads,
        )
        yield {
            "metric": number,
            "rows": [
                {name: _number(value) for name, value in asdict(row).items()}
                for row in ranking.rows
            ],
            "p": [[_number(p) for p in row] for row in ranking.p_values.tolist()],
        }


def _resampling(systems: int, resamples: int, seed: int) -> dict[str, Any] | None:
    if not resamples:
        return None
    test = "paired-bootstrap" if systems > 1 else "bootstrap"
    return {"test": test, "resamples": resamples, "seed": seed, "level": LEVEL}


def _human(
    scores: Scores,
    metrics: Mapping[str, Metric],
    segment: Sequence[FloatArray],
    human: HumanScores,
) -> dict[str, Any]:
    rows = []
    for number, (label, metric) in enumerate(metrics.items()):
        sign = 1.0 if metric.higher_is_better else -1.0
        system = [sign * system.system[label] for system in scores.systems]
        found = agreement(segment[number], system, human)
        rows.append(
            {
                "metric": number,
                "segment": _number(found.segment),
                "system": _number(found.system),
            }
        )
    return {
        "name": human.name,
        "measure": MEASURE,
        "system": [_number(value) for value in human.systems().tolist()],
        "segments": True,
        "agreement": rows,
    }


def _notes(
    scores: Scores,
    metrics: Mapping[str, Metric],
    explained: str,
    explain: Explain,
    human: HumanScores | None,
) -> Iterator[str]:
    """What a reader must know."""
    if explained == "some":
        yield (
            f"For each metric that explains itself, the {explain} most telling translations are explained: "
            "the worst of each system, the largest differences between systems and the largest disagreements "
            "between metrics."
        )
    if len(scores.systems) == 1:
        yield "With one system there is nothing to test."
    if human is not None and human.passed_over:
        yield f"Judgements of other systems were passed over: {', '.join(human.passed_over)}."
    for system in scores.systems:
        for label, metric in metrics.items():
            if label in system.statistics:
                caution = metric.caution(system.statistics[label].sum(axis=0))
                if caution:
                    yield f"{label}, {system.name}: {caution}"


def _number(value: float | int | None) -> float | int | None:
    return value if value is not None and isfinite(value) else None


def _version() -> str:
    from metaphrase import __version__

    return __version__
