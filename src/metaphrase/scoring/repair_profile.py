"""A system's profile: the points that it loses, by kind of error.

Every segment has repairs (:mod:`metaphrase.metrics.repairs`), whose points add up to what it lacks. Their
means over segments, by kind, add up to what the system lacks. Intervals are those of a bootstrap over
segments, so that they say how far another test set of the kind may differ, and what a sample of segments
leaves open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.corpus import Corpus
from metaphrase.defaults import DEFAULT_LANGUAGE
from metaphrase.errors import OptionError
from metaphrase.metrics import Metric
from metaphrase.metrics.repairs import corpus_totals
from metaphrase.metrics.signature import Signature, reference_count
from metaphrase.presentation import present
from metaphrase.scoring.engine import labelled_metrics, score
from metaphrase.scoring.repair_counts import FrequentRepair
from metaphrase.scoring.repair_losses import LOSSES, Losses, losses
from metaphrase.scoring.result import Scores
from metaphrase.statistics.resampling import (
    RESAMPLES,
    SEED,
    approximate_randomisation,
    check_resamples,
    confidence_interval,
)

#: Segments that are looked at unless somebody says how many.
SEGMENTS = 1000
_LENGTHS = ("short", "medium", "long")
#: Of fewer segments a bootstrap's intervals are much too narrow.
LEAST = 10
#: Below it a difference is called significant.
LEVEL = 0.05
#: The ends of an interval, unless there are too few segments for one.
Ends = tuple[float | None, float | None]


@dataclass(frozen=True, slots=True)
class KindLoss:
    """Points lost by one kind, per segment, and in how many segments.

    There is a 95 % interval, unless the segments are too few for one.
    """

    kind: str
    points: float
    low: float | None
    high: float | None
    segments: int


@dataclass(frozen=True, slots=True)
class GroupLoss:
    """Points lost per segment, by kind, in the segments of a document, of a domain or of like length.

    Of like length are thirds of the segments, whose references have ``words``, from the fewest to the most.
    """

    by: str
    name: str
    segments: int
    points: float
    kinds: Mapping[str, float]
    words: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class SystemProfile:
    """What one system loses: ``lost`` points per segment of ``maximum``, most of them by the first kinds.

    ``score`` is the mean of the segments that were looked at, with its interval. Where they are a sample,
    ``score_of_all`` is the mean of all segments, if that is known: what the sample misses it by is its error.
    ``missed`` frequent repairs may not be counted, at most.
    """

    system: str
    score: float
    score_low: float | None
    score_high: float | None
    score_of_all: float | None
    maximum: float
    lost: float
    kinds: tuple[KindLoss, ...]
    frequent: tuple[FrequentRepair, ...]
    groups: tuple[GroupLoss, ...]
    missed: int = 0


@dataclass(frozen=True, slots=True)
class ProfileDifference:
    """Why one of two systems loses fewer points: by kind, with intervals.

    ``half`` segments make half of the difference, those that make most of it: a few may decide. It is
    ``None`` if they are more than anybody counted. ``p_value`` is that of a randomisation test;
    ``untestable`` says why there is nothing to test, if so.
    """

    better: str
    worse: str
    points: float
    low: float | None
    high: float | None
    kinds: tuple[KindLoss, ...]
    half: int | None
    p_value: float
    untestable: str | None


@dataclass(frozen=True, slots=True)
class Profile:
    """Profiles of systems by one metric: of ``segments``, which may be a sample of ``of_segments``.

    >>> corpus = metaphrase.Corpus({"a": ["a cat sat", "no"]}, [["a cat slept", "no"]])
    >>> (system,) = metaphrase.profile(corpus, metaphrase.Chrf()).systems
    >>> [(one.kind, one.segments) for one in system.kinds]
    [('wrong word', 1)]
    """

    metric: str
    signature: Signature
    higher_is_better: bool
    segments: int
    of_segments: int
    systems: tuple[SystemProfile, ...]
    difference: ProfileDifference | None

    def __str__(self) -> str:
        """The tables that the command line shows."""
        return str(present(self, "text"))

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and dictionaries, for JSON."""
        return asdict(self) | {"signature": str(self.signature)}


def profile(
    corpus: Corpus,
    metric: str | Metric,
    *,
    lang: str = DEFAULT_LANGUAGE,
    segments: int = SEGMENTS,
    scores: Scores | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Profile:
    """What each system of ``corpus`` loses, by kind; of two, also why one loses less.

    Of a corpus with more segments a sample of so many is looked at. With several references a segment is
    repaired towards the one that it scores best with. ``scores`` of the corpus, if they are known, say which
    segments the metric refused, and what the mean of all segments is; else these are scored to tell the
    error of a sample, unless the metric is another program. ``lang`` is that of a metric given by its name.
    ``progress`` is told how many translations are done.

    >>> corpus = metaphrase.Corpus({"a": ["a cat", "no"], "b": ["a cat sat", "no"]}, [["a cat sat", "no"]])
    >>> found = metaphrase.profile(corpus, metaphrase.Ter()).difference
    >>> found.better, [(one.kind, round(one.points, 1)) for one in found.kinds], found.half
    ('b', [('missing words', 16.7)], 1)
    """
    if segments < 1:
        raise OptionError("MP508", "a profile needs at least one segment.", hint="Give 1 or more.")
    check_resamples(resamples, seed)
    (metric,) = labelled_metrics([metric], lang).values()
    known = np.ones(len(corpus), dtype=np.bool_) if scores is None else scores.kept(metric.label)
    everything = np.flatnonzero(known)
    if not len(everything):
        raise OptionError("MP513", f"{metric.label} scored no segment that could be profiled.")
    rows = sample_rows(len(everything), segments, seed)
    sample = corpus.select(everything[rows].tolist())
    totals = corpus_totals(metric, corpus)
    bootstrap = _Bootstrap(resamples, seed)
    found: dict[str, Losses] = {}
    for number, system in enumerate(sample.systems):
        before = number * len(sample)
        found[system] = losses(
            metric,
            sample,
            system,
            of_corpus=totals,
            threads=threads,
            progress=None if progress is None else after(progress, before),
        )
    means: Mapping[str, float] = {}
    if len(rows) < len(everything):
        means = _means_of_all(corpus, metric, scores, threads)
    return Profile(
        metric.label,
        metric.signature(reference_count(corpus.reference_counts)),
        metric.higher_is_better,
        len(rows),
        len(everything),
        tuple(
            _system(system, of_system, means.get(system), sample, bootstrap)
            for system, of_system in found.items()
        ),
        _difference(found, bootstrap) if len(found) == 2 else None,
    )


def after(progress: Callable[[int], None], before: int) -> Callable[[int], None]:
    """Progress of what comes after something else."""
    return lambda done: progress(before + done)


def sample_rows(of: int, segments: int, seed: int) -> Int64Array:
    """Which of so many segments are looked at, in order: all, or the sample that belongs to the seed."""
    if of <= segments:
        return np.arange(of)
    chosen = np.random.default_rng(seed).choice(of, segments, replace=False, shuffle=False)
    return np.asarray(np.sort(chosen), dtype=np.int64)


def is_external(metric: Metric) -> bool:
    """Whether somebody else's code scores, which may take its time for each of the many texts."""
    from metaphrase.metrics.guests.metric import GuestMetric

    return metric.origin is not None or isinstance(metric, GuestMetric)


def knows_means(metric: Metric, references: int) -> bool:
    """Whether the metric's segment scores are those that repairs are made for."""
    return references == 1 or metric.combines_references == "best"


def _means_of_all(
    corpus: Corpus, metric: Metric, scores: Scores | None, threads: int | None
) -> dict[str, float]:
    """The mean score of all segments by system, if it is cheap to know."""
    if not knows_means(metric, len(corpus.references)) or (scores is None and is_external(metric)):
        return {}
    known = scores or score(
        corpus, [metric], levels=["segment"], threads=threads, check_language=False
    )
    kept = known.kept(metric.label)
    return {
        system.name: float(system.segment[metric.label][kept].mean()) for system in known.systems
    }


@dataclass(frozen=True, slots=True)
class _Bootstrap:
    """Intervals of means; the draws are the same for all systems and kinds."""

    resamples: int
    seed: int

    def reach(self, points: FloatArray) -> Ends:
        """The interval of a mean, unless there are too few segments for one."""
        if len(points) < LEAST:
            return None, None
        found = confidence_interval(
            _with_ones(points), _mean, resamples=self.resamples, seed=self.seed, threads=1
        )
        return found.low, found.high

    def kinds(self, points: FloatArray) -> tuple[KindLoss, ...]:
        """What is lost by each kind."""
        return kind_losses(
            points.mean(axis=0),
            np.count_nonzero(points, axis=0),
            lambda column: self.reach(points[:, column]),
        )


def _with_ones(points: FloatArray) -> FloatArray:
    return np.column_stack([points, np.ones(len(points))])


def _mean(sums: FloatArray) -> FloatArray:
    return np.asarray(sums[..., 0] / sums[..., 1])


def kind_losses(
    means: FloatArray, segments: Int64Array, reach: Callable[[int], Ends]
) -> tuple[KindLoss, ...]:
    """The kinds that any segment has, those with most points first."""
    found = [
        KindLoss(LOSSES[column], float(means[column]), *reach(column), int(segments[column]))
        for column in np.flatnonzero(segments).tolist()
    ]
    return tuple(sorted(found, key=lambda one: -abs(one.points)))


def _system(
    name: str, found: Losses, of_all: float | None, sample: Corpus, bootstrap: _Bootstrap
) -> SystemProfile:
    return SystemProfile(
        name,
        float(found.scores.mean()),
        *bootstrap.reach(found.scores),
        of_all,
        float(found.maxima.mean()),
        float(found.points.sum(axis=1).mean()),
        bootstrap.kinds(found.points),
        found.counts.frequent(),
        tuple(_groups(found, sample)),
    )


def _groups(found: Losses, sample: Corpus) -> Iterator[GroupLoss]:
    columns: dict[str, Sequence[str]] = {}
    if sample.documents is not None:
        columns["document"] = sample.documents
    if sample.domains is not None:
        columns["domain"] = sample.domains
    words = np.array([len(text.split()) or len(text) for text in sample.first_references])
    ranks = np.argsort(np.argsort(words, kind="stable"), kind="stable") * 3 // max(len(words), 1)
    if len(words) >= len(_LENGTHS):
        columns["length"] = [_LENGTHS[rank] for rank in ranks.tolist()]
    for by, names in columns.items():
        places: dict[str, list[int]] = {}
        for row, name in enumerate(names):
            places.setdefault(name, []).append(row)
        ordered = sorted(places, key=_LENGTHS.index) if by == "length" else places
        for name in ordered:
            rows = places[name]
            one = group_loss(by, name, len(rows), found.points[rows].mean(axis=0))
            if by == "length":
                one = replace(one, words=(int(words[rows].min()), int(words[rows].max())))
            yield one


def group_loss(by: str, name: str, segments: int, means: FloatArray) -> GroupLoss:
    """What so many segments lose in the mean, by each kind that they have."""
    kinds = {kind: mean for kind, mean in zip(LOSSES, means.tolist(), strict=True) if mean}
    return GroupLoss(by, name, segments, float(means.sum()), kinds)


def _difference(found: Mapping[str, Losses], bootstrap: _Bootstrap) -> ProfileDifference:
    (one, own), (other, others) = found.items()
    if own.points.sum() > others.points.sum():
        one, own, other, others = other, others, one, own
    points = others.points - own.points
    whole = points.sum(axis=1)
    rows = [_with_ones(side.points.sum(axis=1)) for side in (own, others)]
    tested = approximate_randomisation(
        rows, _mean, resamples=bootstrap.resamples, seed=bootstrap.seed, threads=1
    )[1].test
    assert tested is not None
    return ProfileDifference(
        one,
        other,
        float(whole.mean()),
        *bootstrap.reach(whole),
        bootstrap.kinds(points),
        half_of(np.sort(whole)[::-1], float(whole.sum())),
        tested.p_value,
        tested.untestable(LEVEL),
    )


def half_of(largest: FloatArray, whole: float) -> int | None:
    """How few segments make half of a difference; ``None`` if the largest ones do not suffice."""
    if whole <= 0:
        return 0
    reached = np.cumsum(largest) >= whole / 2
    return int(np.argmax(reached)) + 1 if reached.any() else None
