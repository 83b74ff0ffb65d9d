"""Runs of small systems, as the tests of the gate compare them."""

from __future__ import annotations

from collections.abc import Sequence

from metaphrase import Corpus, score
from metaphrase.gate import Rules, Section, Snapshot, Verdict, judge, take_snapshot
from metaphrase.gate.snapshot import SegmentFinding
from metaphrase.scoring import OnError

REFERENCES = [
    "The museum stays open until midnight.",
    "He paid 12 euros for the letter.",
    "Children under six travel free of charge.",
    "The old bridge was closed in spring.",
    "Police arrested three suspects.",
    "The union will call a strike.",
    "Profits rose in the first quarter.",
    "Heavy rain caused floods.",
]
GOOD = [text.replace("the ", "a ") for text in REFERENCES]
BAD = [" ".join(reversed(text.split())) for text in REFERENCES]
METRICS = ("chrf", "ter")


def run(
    hypotheses: Sequence[str] = GOOD,
    references: Sequence[str] = REFERENCES,
    *,
    metrics: Sequence[str] = METRICS,
    sources: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    domains: Sequence[str] | None = None,
    ids: Sequence[str] | None = None,
    findings: Sequence[Sequence[SegmentFinding]] | None = None,
    on_error: OnError = "stop",
) -> Snapshot:
    """A snapshot of one system, called ``mine``."""
    corpus = Corpus(
        {"mine": hypotheses}, [references], sources=sources, documents=documents, domains=domains
    )
    scores = score(
        corpus,
        metrics,
        levels=["system", "segment"],
        threads=1,
        keep_statistics=True,
        check_language=False,
        on_error=on_error,
    )
    return take_snapshot(
        corpus, scores, metrics, ids=ids, findings=findings, lines=range(1, len(corpus) + 1)
    )


def judged(
    before: Snapshot | None,
    after: Snapshot,
    metrics: Sequence[str] = METRICS,
    *,
    rules: Rules | None = None,
    **limits: object,
) -> Verdict:
    """The verdict by the rules, or by these limits alone."""
    chosen = rules or Rules(section=Section(every=limits))
    return judge(chosen, before, after, metrics, threads=1)


def broken(verdict: Verdict) -> list[str]:
    """The titles of the rules that do not hold."""
    return [outcome.title for outcome in verdict.broken]
