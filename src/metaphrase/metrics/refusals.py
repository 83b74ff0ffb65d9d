"""Segments that a metric refuses: which they are, why, and what is left of the corpus without them.

Refusing is about a single segment that was read well: too long for a kernel, unknown to an analyser, or too
much for the code of a plug-in. With ``on_error="skip"`` it is left out of that metric's scores for all
systems, whichever of them it was about, so that every score and every test of the metric is the one of a
corpus without it, and systems are still compared on the same segments.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

import numpy as np

from metaphrase.arrays import BoolArray, FloatArray, spread
from metaphrase.errors import InputError, MetaphraseError, OptionError, ResourceError
from metaphrase.metrics.base import Metric
from metaphrase.metrics.corpus_counts import UncountedError
from metaphrase.metrics.registry import plugin_failure

#: What becomes of a run in which a metric refuses a segment: an error, or a score without the segment.
OnError = Literal["stop", "skip"]
ON_ERROR: tuple[OnError, ...] = get_args(OnError)
#: Errors of resources that are about the segments at hand: what a plug-in or a guest made of them.
_OF_SEGMENTS = ("MP524", "MP526", "MP534", "MP721", "MP723")


@dataclass(frozen=True, slots=True)
class Refusal:
    """One segment that a metric refused, counted from 0, and the error that it was refused with.

    ``system`` is ``None`` if all of several systems are concerned, as they are by a reference.
    """

    metric: str
    segment: int
    system: str | None
    code: str
    message: str

    def __str__(self) -> str:
        of = "" if self.system is None else f" of {self.system}"
        return f"segment {self.segment + 1}{of}: [{self.code}] {self.message}"

    def as_dict(self) -> dict[str, Any]:
        """As JSON, where segments count from 1."""
        return {**asdict(self), "segment": self.segment + 1}

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Refusal:
        """What :meth:`as_dict` gave."""
        return cls(**{**found, "segment": found["segment"] - 1})


class Refusals:
    """All that was refused so far; the segments of a metric come in their order."""

    def __init__(self) -> None:
        self.found: list[Refusal] = []
        self._segments: dict[str, list[int]] = {}

    def add(self, refusals: Iterable[Refusal]) -> None:
        """Note some more."""
        for refusal in refusals:
            self.found.append(refusal)
            segments = self._segments.setdefault(refusal.metric, [])
            if not segments or segments[-1] != refusal.segment:
                segments.append(refusal.segment)

    def count(self, metric: str) -> int:
        """How many segments a metric refused, for whichever system."""
        return len(self._segments.get(metric, ()))

    def counts(self) -> dict[str, int]:
        """How many segments each metric refused, if any."""
        return {metric: len(segments) for metric, segments in self._segments.items()}

    def kept(self, metric: str, first: int, count: int) -> BoolArray:
        """Which of ``count`` segments from ``first`` on have a score."""
        segments = self._segments.get(metric, [])
        places = segments[bisect_left(segments, first) : bisect_left(segments, first + count)]
        return kept_rows(places, first, count)


def kept_rows(refused: Iterable[int], first: int, count: int) -> BoolArray:
    """Which of ``count`` segments from ``first`` on are not among the refused ones."""
    kept = np.ones(count, dtype=np.bool_)
    kept[[segment - first for segment in refused]] = False
    return kept


def check_on_error(on_error: str) -> None:
    """Refuse what is no way to go on."""
    if on_error not in ON_ERROR:
        raise OptionError(
            "MP967", f"on_error={on_error!r} is no rule.", hint=f"Choose {' or '.join(ON_ERROR)}."
        )


def segment_scores(metric: Metric, statistics: FloatArray, kept: BoolArray) -> FloatArray:
    """The scores of segments; NaN where one was refused."""
    if not kept.any():
        return np.full(len(kept), np.nan)
    return spread(np.asarray(metric.segment_score(statistics[kept])), kept)


def reason(error: Exception, metric: Metric | None = None) -> MetaphraseError | None:
    """Why a segment is refused, maybe by a metric; ``None`` if it is not about segments, and ends the run.

    What a mistake in our code does to one segment is told as such and does no harm to the others.
    """
    if isinstance(error, OptionError | UncountedError):
        return None
    if isinstance(error, MetaphraseError):
        of_segments = isinstance(error, ResourceError) and error.code in _OF_SEGMENTS
        return error if of_segments or not isinstance(error, ResourceError) else None
    if isinstance(error, MemoryError):
        return InputError("MP966", "the memory does not suffice for it.")
    told = f"{type(error).__name__}: {error}."
    if metric is not None and type(metric).__module__.partition(".")[0] != "metaphrase":
        whose = metric.name if metric.origin is None else f"{metric.name} of {metric.origin}"
        return ResourceError("MP526", f"the metric {whose} failed: {told}")
    if (failure := plugin_failure(error)) is not None:
        return failure
    return InputError("MP699", f"this is a bug of ours, please report it: {told}")


def refused_everything(metric: str, segments: int, refusals: Sequence[Refusal]) -> InputError:
    """The error for a metric without a single segment to score."""
    first = next(one for one in refusals if one.metric == metric)
    return InputError(
        "MP965",
        f"{metric} refused all {segments:,} segments; the first one, {first}",
        hint="Leave the metric out, or mend what it refuses.",
    )


def in_order(found: Iterable[Refusal], metrics: Iterable[str]) -> tuple[Refusal, ...]:
    """By metric and segment, in whatever order they were found."""
    places = {metric: place for place, metric in enumerate(metrics)}
    return tuple(sorted(found, key=lambda one: (places[one.metric], one.segment)))


def summaries(counts: Mapping[str, int], segments: int, found: Iterable[Refusal]) -> Iterator[str]:
    """What readers must know, once for each metric."""
    codes: dict[str, set[str]] = {}
    for refusal in found:
        codes.setdefault(refusal.metric, set()).add(refusal.code)
    for metric, count in counts.items():
        yield (
            f"{metric}: {count:,} of {segments:,} segments refused ({', '.join(sorted(codes[metric]))}) "
            "and left out for all systems."
        )
