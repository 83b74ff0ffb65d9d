"""Repairs as marked errors, in the form in which raters mark them: a place, a severity and a kind.

How severe an error is, its points say: what the metric takes off for it, in percent of the metric's scale.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING

from metaphrase.corpus.ratings import MarkedError
from metaphrase.corpus.span_places import apart, without_margins
from metaphrase.errors import OptionError
from metaphrase.metrics.explanation import MATCHED
from metaphrase.metrics.repairs.kinds import MISSING
from metaphrase.metrics.repairs.points import RepairedSegment, repairs, with_best_references

if TYPE_CHECKING:
    from metaphrase.metrics.base import Metric

MINOR, MAJOR = "minor", "major"
#: The kind of an error that is the whole translation, of which nothing can be told apart.
UNMATCHED = "too different to say"


@dataclass(frozen=True, slots=True)
class Severities:
    """From how many points an error counts, and from how many it is major, in percent of the scale.

    >>> metaphrase.Severities(minor=4.0, major=8.0).of(5.0)
    'minor'
    """

    minor: float
    major: float

    def __post_init__(self) -> None:
        if not 0 <= self.minor <= self.major < float("inf"):
            raise OptionError(
                "MP536",
                f"errors cannot be minor from {self.minor:g} and major from {self.major:g} percent.",
                hint="Give two numbers from 0 on, the greater one for major errors.",
            )

    def of(self, percent: float) -> str | None:
        """The severity of an error, or None if it is too small to be one."""
        if percent <= 0 or percent < self.minor:
            return None
        return MAJOR if percent >= self.major else MINOR


#: What an error is unless somebody says otherwise. With ``accord`` the share of major ones is then a little
#: above that of raters of English (docs/results/spans.md).
SEVERITIES = Severities(minor=4.0, major=7.0)


@dataclass(frozen=True, slots=True)
class MarkedSegment:
    """The errors of one translation, and its score with the reference that these were found with.

    ``percent`` says where the score stands between the worst (0) and that of the reference itself (100).
    """

    score: float
    percent: float
    errors: tuple[MarkedError, ...]


def marked_segments(
    metric: Metric,
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    *,
    sources: Sequence[str] | None = None,
    severities: Severities = SEVERITIES,
    threads: int | None = None,
) -> Iterator[MarkedSegment]:
    """Each hypothesis beside the reference that it scores best with, in order."""
    sign = 1.0 if metric.higher_is_better else -1.0
    found = with_best_references(
        metric,
        hypotheses,
        references,
        sources,
        lambda *texts: list(repairs(metric, *texts[:2], sources=texts[2], threads=threads)),
    )
    for hypothesis, best in zip(hypotheses, found, strict=True):
        scale = _scale(metric, best)
        lost = 100 * sign * (best.maximum - best.score) / scale if scale else 0.0
        yield MarkedSegment(
            best.score,
            min(max(100 - lost, 0.0), 100.0),
            marked_errors(metric, hypothesis, best, severities),
        )


def marked_errors(
    metric: Metric, hypothesis: str, segment: RepairedSegment, severities: Severities = SEVERITIES
) -> tuple[MarkedError, ...]:
    """The errors of one hypothesis: those with a place in their order, then what is missing."""
    sign = 1.0 if metric.higher_is_better else -1.0
    scale = _scale(metric, segment)

    def errors(
        kind: str, spans: Sequence[tuple[int, int]], points: float, correction: str | None
    ) -> Iterator[MarkedError]:
        """One for each stretch, which share the points by their lengths; without any it has no place."""
        severity = severities.of(100 * points / scale) if scale else None
        if severity is None:
            return
        if not spans:
            yield MarkedError(severity, kind, None, points, correction)
        length = sum(end - start for start, end in spans)
        for start, end in spans:
            share = points * (end - start) / length
            yield MarkedError(severity, kind, (start, end), share, correction)

    if segment.matched < MATCHED:
        span = without_margins(hypothesis, 0, len(hypothesis))
        lost = sign * (segment.maximum - segment.score)
        if span is not None:
            return tuple(errors(UNMATCHED, [span], lost, None))
        return tuple(errors(MISSING, [], lost, _corrections(one.after for one in segment.repairs)))
    found = [
        error
        for repair in segment.repairs
        for error in errors(
            repair.kind,
            [(mark.start, mark.end) for mark in repair.hypothesis_marks if mark.start < mark.end],
            sign * repair.points,
            repair.after,
        )
    ]
    return tuple(_joined(hypothesis, apart(hypothesis, found)))


def _joined(text: str, errors: Iterable[MarkedError]) -> Iterator[MarkedError]:
    """Neighbours as one error, with the points of both, and else as the worse one: raters mark phrases."""
    run: list[MarkedError] = []
    end = 0
    for one in errors:
        if run and (one.span is None or text[end : one.span[0]].strip()):
            yield _as_one(run)
            run = []
        if one.span is None:
            yield one
        else:
            run.append(one)
            end = one.span[1]
    if run:
        yield _as_one(run)


def _as_one(run: Sequence[MarkedError]) -> MarkedError:
    worst = max(run, key=lambda error: (error.severity == MAJOR, error.points))
    places = [place for error in run for place in error.span or ()]
    points = sum(error.points or 0.0 for error in run)
    correction = _corrections(error.correction for error in run)
    return replace(worst, span=(places[0], places[-1]), points=points, correction=correction)


def _corrections(found: Iterable[str | None]) -> str:
    """All of them, each once: an error that another one parts has the same on both sides."""
    return " … ".join(filter(None, dict.fromkeys(found)))


def _scale(metric: Metric, segment: RepairedSegment) -> float:
    """How many points lie between the maximum and the worst score.

    Where that is not known, as of COMET, it is the maximum itself, or what was lost if that is more.
    """
    if isfinite(metric.worst):
        return abs(segment.maximum - metric.worst)
    return max(abs(segment.maximum), abs(segment.maximum - segment.score))
