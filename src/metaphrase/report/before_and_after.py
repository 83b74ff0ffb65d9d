"""The report of a gate: a baseline and what is to be merged, as two systems of one corpus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict

from metaphrase.checks import CHECKS, KINDS
from metaphrase.corpus import Corpus
from metaphrase.gate import Snapshot
from metaphrase.gate.joining import join_segments
from metaphrase.gate.snapshot import check_texts
from metaphrase.metrics import Metric
from metaphrase.report.dataset import ReportData, build
from metaphrase.report.dataset.found import Findings
from metaphrase.scoring import score

BEFORE, AFTER = "before", "after"


def before_and_after(
    baseline: Snapshot,
    current: Snapshot,
    metrics: Sequence[str | Metric],
    *,
    title: str = "",
    resamples: int = 1000,
    seed: int = 12345,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> ReportData:
    """What a report shows of the segments that both have, with the systems ``before`` and ``after``.

    The texts of both are scored again, which gives the same scores: signatures are the same.
    """
    past, texts = check_texts(baseline), check_texts(current)
    old, new = zip(*join_segments(baseline, current).pairs, strict=True)
    corpus = Corpus(
        {
            BEFORE: [past.hypotheses[row] for row in old],
            AFTER: [texts.hypotheses[row] for row in new],
        },
        [[column[row] for row in new] for column in texts.references],
        sources=None if texts.sources is None else [texts.sources[row] for row in new],
        documents=None if current.documents is None else [current.documents[row] for row in new],
        domains=None if current.domains is None else [current.domains[row] for row in new],
        ids=None if current.ids is None else [current.ids[row] for row in new],
        empty_references="keep",
    )
    scores = score(
        corpus,
        metrics,
        levels=["system", "segment"],
        lang=current.language,
        threads=threads,
        keep_statistics=True,
        check_language=False,
        on_error="skip" if _skips(baseline) or _skips(current) else "stop",
    )
    return build(
        corpus,
        scores,
        metrics,
        title=title,
        lang=current.language,
        findings=_findings(baseline, old, current, new),
        changes=(BEFORE, AFTER),
        resamples=resamples,
        seed=seed,
        threads=threads,
        progress=progress,
    )


def _skips(snapshot: Snapshot) -> bool:
    return not all(measured.kept.all() for measured in snapshot.metrics.values())


def _findings(
    baseline: Snapshot, old: Sequence[int], current: Snapshot, new: Sequence[int]
) -> Findings | None:
    """What checks said of both, if both were checked."""
    if baseline.findings is None or current.findings is None:
        return None
    return Findings(
        {
            name: [
                {"segment": number, **asdict(finding)}
                for number, row in enumerate(rows, 1)
                for finding in found[row]
            ]
            for name, found, rows in (
                (BEFORE, baseline.findings, old),
                (AFTER, current.findings, new),
            )
        },
        list(CHECKS),
        {code: kind.description for code, kind in KINDS.items()},
    )
