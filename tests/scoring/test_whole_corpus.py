"""Metrics that look beyond the segment are given the whole corpus at once, with its documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from metaphrase import Corpus, score
from metaphrase.arrays import FloatArray
from metaphrase.corpus.judgements import JudgedText, JudgementsBuilder
from metaphrase.meta import score_judged
from metaphrase.metrics import Comparison, Metric, Signature


@dataclass(frozen=True, kw_only=True)
class ShareOfDocument(Metric):
    """How many segments of the corpus are in the segment's document; a score from 0 to 1."""

    name: ClassVar[str] = "share"
    summary: ClassVar[str] = "share of the corpus"
    citation: ClassVar[str] = "nobody"

    @property
    def needs_whole_corpus(self) -> bool:
        return True

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        assert comparison.documents is not None
        names = list(comparison.documents)
        rows = [[names.count(name) / len(names), 1.0] for name in names]
        return np.array(rows)

    def score(self, statistics: FloatArray) -> FloatArray:
        return np.asarray(statistics[..., 0] / statistics[..., 1])

    def signature(self, references: int | None = None) -> Signature:
        return Signature.of(self.name, {"nrefs": references})


DOCUMENTS = ["d1", "d2", "d1", "d1", "d3"] * 40
TEXTS = [f"text {i}" for i in range(len(DOCUMENTS))]
CORPUS = Corpus({"a": TEXTS, "b": TEXTS}, [TEXTS], documents=DOCUMENTS)
LEVELS = ("system", "document", "segment")


def test_pieces_are_put_together_before_it_is_asked() -> None:
    whole = score(CORPUS, [ShareOfDocument(), "bleu"], levels=LEVELS).to_dict()
    assert whole["systems"][0]["documents"][0]["scores"]["share"] == pytest.approx(0.6)
    for size in (1, 7, 1000):
        pieces = CORPUS.pieces(size)
        assert score(pieces, [ShareOfDocument(), "bleu"], levels=LEVELS).to_dict() == whole


def test_statistics_are_kept_for_resampling() -> None:
    scores = score(CORPUS.pieces(9), [ShareOfDocument()], keep_statistics=True)
    assert scores.systems[1].statistics["share"].shape == (200, 2)


def test_progress_is_told_after_each_system() -> None:
    told: list[int] = []
    score(CORPUS.pieces(50), [ShareOfDocument()], progress=told.append)
    assert told == [100, 200]


def test_progress_never_goes_back_beside_other_metrics() -> None:
    told: list[int] = []
    score(CORPUS.pieces(50), ["bleu", ShareOfDocument()], progress=told.append)
    assert told == [50, 100, 150, 200, 200, 200]


def test_documents_reach_the_metric_through_its_own_methods() -> None:
    texts, documents = ["a", "b", "c", "d"], ["x", "y", "y", "y"]
    scores = ShareOfDocument().segment_scores(texts, [texts], documents=documents)
    assert scores.tolist() == [0.25, 0.75, 0.75, 0.75]
    total = ShareOfDocument().corpus_score(texts, [texts], documents=documents)
    assert float(total) == pytest.approx(2.5 / 4)


def _judged(rows: Iterator[str]) -> JudgementsBuilder:
    builder = JudgementsBuilder("set", "de-en")
    for row in rows:
        system, document, segment, references, text = row.split()
        judged = JudgedText(text, tuple(references.split("/")), segment)
        builder.judge(builder.place(system, document, segment, judged), 1.0)
    return builder


def test_judged_texts_are_scored_among_what_the_system_said() -> None:
    """The same text counts once for every system and segment; a system lacks a segment."""
    judged = _judged(
        iter(["A x 1 r same", "A x 2 r same", "A y 3 r t", "B x 1 r same", "B y 3 r u"])
    ).build()
    assert len(judged.texts) < 5
    scores = score_judged(judged, ShareOfDocument())
    np.testing.assert_allclose(
        scores.segment, [[2 / 3, 2 / 3, 1 / 3], [0.5, np.nan, 0.5]], equal_nan=True
    )
    np.testing.assert_allclose(scores.document, [[2 / 3, 1 / 3], [0.5, 0.5]])
    np.testing.assert_allclose(scores.system, [5 / 9, 0.5])


def test_systems_with_the_same_segments_and_references_share_a_corpus() -> None:
    rows = ["A x 1 r h", "B x 1 r g", "C x 1 q h", "D x 1 r/q h", "D x 2 r h"]
    judged = _judged(iter(rows)).build()
    found = [
        (systems.tolist(), segments.tolist(), list(corpus.systems), len(corpus.references))
        for systems, segments, corpus in judged.system_corpora()
    ]
    assert found == [
        ([0, 1], [0], ["A", "B"], 1),
        ([2], [0], ["C"], 1),
        ([3], [0], ["D"], 2),
        ([3], [1], ["D"], 1),
    ]
