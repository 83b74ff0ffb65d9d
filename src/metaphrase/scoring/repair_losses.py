"""What each segment of a system loses, by kind of error: the rows that profiles are sums of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import FloatArray, one_line
from metaphrase.corpus import Corpus
from metaphrase.errors import MetaphraseError
from metaphrase.metrics import Metric
from metaphrase.metrics.corpus_counts import CorpusTotals
from metaphrase.metrics.explanation import MATCHED
from metaphrase.metrics.repairs import KINDS, UNMATCHED, RepairedSegment, with_best_references
from metaphrase.scoring.repair_counts import RepairCounts

#: What a segment of too many words lacks.
TOO_LONG = "too long to say"
#: All that points are lost by.
LOSSES = (*KINDS, UNMATCHED, TOO_LONG)
#: Segments whose repairs are made at a time.
_CHUNK = 64
#: Characters of a text that has more words than are repaired, in any language.
_LONGEST = 20_000
#: Errors of segments that are too long; a text with some edits undone can be longer than either side.
_LENGTH = ("MP510", "MP430", "MP518", "MP551", "MP594")


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """By segment: points lost by each of ``LOSSES`` (columns), the score, and the reference's own."""

    points: FloatArray
    scores: FloatArray
    maxima: FloatArray
    counts: RepairCounts

    __repr__ = one_line

    def __len__(self) -> int:
        return len(self.scores)


def losses(
    metric: Metric,
    corpus: Corpus,
    system: str,
    *,
    of_corpus: CorpusTotals | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Losses:
    """What the segments of ``system`` lose; ``progress`` is told how many are done.

    With several references a segment is repaired towards the one that it scores best with.
    """
    repaired: list[RepairedSegment | _TooLong] = []
    for piece in corpus.pieces(_CHUNK):
        repaired += _repaired(metric, piece, system, of_corpus, threads)
        if progress is not None:
            progress(len(repaired))
    sign = 1.0 if metric.higher_is_better else -1.0
    points = np.zeros((len(repaired), len(LOSSES)))
    counts = RepairCounts()
    for row, segment in enumerate(repaired):
        if isinstance(segment, _TooLong) or segment.matched < MATCHED:
            kind = TOO_LONG if isinstance(segment, _TooLong) else UNMATCHED
            points[row, LOSSES.index(kind)] = sign * (segment.maximum - segment.score)
            continue
        counts.add(segment.repairs, sign)
        for repair in segment.repairs:
            points[row, LOSSES.index(repair.kind)] += sign * repair.points
    return Losses(
        points,
        np.array([segment.score for segment in repaired]),
        np.array([segment.maximum for segment in repaired]),
        counts,
    )


@dataclass(frozen=True, slots=True)
class _TooLong:
    """A segment of more words than anybody repairs."""

    score: float
    maximum: float


def _repaired(
    metric: Metric,
    piece: Corpus,
    system: str,
    of_corpus: CorpusTotals | None,
    threads: int | None,
) -> list[RepairedSegment | _TooLong]:
    return with_best_references(
        metric,
        piece.systems[system],
        piece.references,
        piece.sources,
        lambda hypotheses, references, sources: _towards(
            metric, hypotheses, references, sources, of_corpus, threads
        ),
    )


def _towards(
    metric: Metric,
    hypotheses: Sequence[str],
    references: Sequence[str],
    sources: Sequence[str] | None,
    of_corpus: CorpusTotals | None,
    threads: int | None,
) -> Sequence[RepairedSegment | _TooLong]:
    """The repairs of all at once or, if any is too long, of one by one."""
    if max(map(len, (*hypotheses, *references))) <= _LONGEST:
        try:
            return metric.repairs(
                hypotheses, references, sources=sources, of_corpus=of_corpus, threads=threads
            )
        except MetaphraseError as error:
            if error.code not in _LENGTH:
                raise
    if len(hypotheses) == 1:
        (score,), (maximum,) = (
            metric.segment_scores(texts, [references], sources=sources, threads=threads)
            for texts in (hypotheses, references)
        )
        return [_TooLong(float(score), float(maximum))]
    return [
        found
        for row in range(len(hypotheses))
        for found in _towards(
            metric,
            hypotheses[row : row + 1],
            references[row : row + 1],
            None if sources is None else sources[row : row + 1],
            of_corpus,
            threads,
        )
    ]
