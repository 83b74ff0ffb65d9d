"""What a report holds, apart from how it looks: an overview, and blocks that are read when they are needed.

The page of ``metaphrase report`` carries both inside itself; a server sends the same ones. Names and types
of all of it are those of ``web/src/data/overview.ts``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus import Corpus
from metaphrase.corpus.formats.judged.human_scores import HumanScores
from metaphrase.errors import OptionError
from metaphrase.metrics import Metric
from metaphrase.report.dataset import blocks
from metaphrase.report.dataset.cells_to_explain import most_informative_cells
from metaphrase.report.dataset.changes import (
    change_block,
    changes_overview,
    compared_versions,
    with_changes,
)
from metaphrase.report.dataset.document_scores import document_scores
from metaphrase.report.dataset.found import Findings, finding_blocks, findings_overview, placed
from metaphrase.report.dataset.overview import make_overview
from metaphrase.report.dataset.profiles import (
    Profiled,
    profile_blocks,
    profile_notes,
    profile_overview,
)
from metaphrase.report.dataset.segment_explainer import SegmentExplainer
from metaphrase.report.dataset.unit_texts import UnitTexts
from metaphrase.scoring import Scores
from metaphrase.scoring.effort import test_resamples
from metaphrase.scoring.engine import labelled_metrics
from metaphrase.statistics.resampling import RESAMPLES, SEED

#: Which segments are explained: all, none, whichever a reader asks a server for, or so many for each metric.
Explain = Literal["all", "none", "live"] | int
#: A metric, a system and a segment, by their positions.
Cell = tuple[int, int, int]

EXPLAINED = 100


@dataclass(frozen=True, slots=True, eq=False)
class ReportData:
    """``overview`` is JSON; ``packed`` are the blocks by name, in the order in which a page wants them.

    They are compressed as pages embed and servers send them.
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
    notes: Sequence[str] = (),
    units: UnitTexts | None = None,
    findings: Findings | None = None,
    changes: tuple[str, str] | None = None,
    profiles: Sequence[Profiled] = (),
    doubts: bool = False,
    explain: Explain = EXPLAINED,
    resamples: int | None = None,
    seed: int = SEED,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> ReportData:
    """Collect what a report of ``scores`` shows.

    ``scores`` must come from ``score(corpus, metrics, levels=["system", "segment"], keep_statistics=True)``;
    statistics need not be kept if there are no ``resamples``. ``explain`` says which segments are explained;
    a number means so many for each metric, the most informative ones (see ``cells_to_explain``).
    ``notes`` are further sentences for readers. ``units`` are the ids and tags of localisation files,
    ``findings`` what checks said, and ``changes`` names two systems that are versions of one, before and
    after. ``profiles`` are those of all metrics, or why they have none. ``doubts`` says whether to look
    for what may be wrong with the scores. Without ``resamples`` there are as many as ``metaphrase score``
    takes for so many systems. ``progress`` is told how many explanations are done.
    """
    chosen = labelled_metrics(metrics, lang)
    if units is None and corpus.ids is not None:
        units = UnitTexts(ids=corpus.ids)
    if resamples is None:
        counts = scores.segments, len(scores.systems), len(scores.metrics)
        resamples = test_resamples(*counts) or RESAMPLES
    _check(corpus, scores, chosen, explain, resamples)
    segment = [np.stack([system.segment[label] for system in scores.systems]) for label in chosen]
    oriented = [
        values if metric.higher_is_better else -values
        for values, metric in zip(segment, chosen.values(), strict=True)
    ]
    cells = list(_cells(list(chosen.values()), oriented, human, explain))
    possible = sum(
        int(np.isfinite(values).sum())
        for values, metric in zip(oriented, chosen.values(), strict=True)
        if metric.explains()
    )
    explained = _explained(explain, len(cells), possible)
    documents = _group_scores(corpus.documents, scores, chosen)
    domains = _group_scores(corpus.domains, scores, chosen)
    found = None if findings is None else placed(findings, corpus)
    versions = None if changes is None else compared_versions(corpus, changes, units)
    if found is not None and versions is not None:
        found = with_changes(found, versions)
    overview = make_overview(
        corpus,
        scores,
        chosen,
        title=title,
        lang=lang,
        human=human,
        explained=explained,
        notes=[*notes, *_notes(explained, explain), *profile_notes(profiles, chosen)],
        documents=documents,
        doubts=doubts,
        resamples=resamples,
        seed=seed,
        threads=threads,
    )
    # Reports without profiles, domains, checks and versions know nothing of them.
    overview |= profile_overview(profiles)
    if domains is not None:
        overview["domains"] = list(dict.fromkeys(corpus.domains or ()))
    if findings is not None and found is not None:
        overview["findings"] = findings_overview(findings, found, list(corpus.systems))
    if versions is not None:
        info = scores.metrics[0]
        overview["changes"] = changes_overview(
            versions, segment[0], chosen[info.name], name=info.name, digits=info.digits, found=found
        )

    def content() -> Iterator[tuple[str, bytes]]:
        for m, values in enumerate(segment):
            yield f"scores/{m}", blocks.score_block(values)
        for m, values in enumerate(documents or ()):
            yield f"document-scores/{m}", blocks.score_block(values)
        for m, values in enumerate(domains or ()):
            yield f"domain-scores/{m}", blocks.score_block(values)
        if human is not None:
            yield "human", blocks.human_block(human.scores)
        if corpus.documents is not None and overview["documents"] is not None:
            yield "documents", blocks.document_block(corpus.documents, overview["documents"])
        if corpus.domains is not None and domains is not None:
            yield "domains", blocks.document_block(corpus.domains, overview["domains"])
        yield "lengths", blocks.length_block(corpus, lang)
        for k, texts in enumerate(blocks.text_blocks(corpus, units)):
            yield f"texts/{k}", texts
        if found is not None:
            yield from finding_blocks(found, corpus)
        if versions is not None:
            yield "changes", change_block(versions, found or ())
        yield from profile_blocks(profiles, list(corpus.systems))
        if explained == "some":
            yield "explained", blocks.json_block(cells)
        yield from _explanations(SegmentExplainer(corpus, list(chosen.values())), cells, progress)

    return ReportData(overview, {name: blocks.deflated(block) for name, block in content()})


def _group_scores(
    groups: Sequence[str] | None, scores: Scores, metrics: Mapping[str, Metric]
) -> list[FloatArray] | None:
    """Systems × documents or domains by each metric, if there are any and statistics."""
    known = all(label in system.statistics for system in scores.systems for label in metrics)
    if groups is None or not any(groups) or not known:
        return None
    return [
        document_scores(metric, [system.statistics[label] for system in scores.systems], groups)
        for label, metric in metrics.items()
    ]


def _check(
    corpus: Corpus,
    scores: Scores,
    metrics: Mapping[str, Metric],
    explain: Explain,
    resamples: int,
) -> None:
    number = isinstance(explain, int) and not isinstance(explain, bool) and explain >= 1
    if not number and explain not in ("all", "none", "live"):
        raise OptionError(
            "MP648",
            f"explain is {explain!r}.",
            hint="Choose all, none, live or a whole number of at least 1.",
        )
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
        chosen: Iterable[int] = np.flatnonzero(np.isfinite(scores[m])).tolist()
        if isinstance(explain, int):
            chosen = most_informative_cells(
                scores[m], [*scores[:m], *scores[m + 1 :], *people], explain
            )
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
    """Blocks of the explanations of each piece of the corpus; pieces without any have no block."""
    done = 0
    # One piece after the other, since the explanations of all would fill the memory before they are packed.
    ordered = sorted(cells, key=lambda cell: cell[2] // blocks.CHUNK)
    for piece, members in groupby(ordered, key=lambda cell: cell[2] // blocks.CHUNK):
        records = {}
        for cell in members:
            records["/".join(map(str, cell))] = explainer.record(*cell)
            done += 1
            if progress is not None:
                progress(done)
        yield f"explanations/{piece}", blocks.json_block(records)


def _notes(explained: str, explain: Explain) -> list[str]:
    if explained != "some":
        return []
    return [
        f"For each metric that explains itself, the {explain} most informative translations are explained: "
        "the worst of each system, the largest differences between systems and the largest disagreements "
        "between metrics."
    ]
