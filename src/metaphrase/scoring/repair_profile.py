"""A system's profile: the points that it loses, by kind of error.

Every segment has repairs (:mod:`metaphrase.metrics.repairs`), whose points add up to what it lacks. Their
means over segments, by kind, add up to what the system lacks. Intervals are those of a bootstrap over
segments, so that they say how far another test set of the kind may differ, and what a sample of segments
leaves open.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus import Corpus
from metaphrase.errors import OptionError
from metaphrase.metrics import Metric
from metaphrase.metrics.explanation import MATCHED
from metaphrase.metrics.repairs import KINDS, RepairedSegment
from metaphrase.metrics.signature import Signature, reference_count
from metaphrase.statistics.resampling import (
    RESAMPLES,
    SEED,
    approximate_randomisation,
    check_resamples,
    confidence_interval,
)

#: Segments that are looked at unless somebody says how many.
SEGMENTS = 1000
#: What a segment lacks of which too few words match to say why.
UNMATCHED = "too different to say"
#: Repairs that are listed, and how often they must be there.
_FREQUENT, _TWICE = 10, 2
#: Segments whose repairs are made at a time.
_CHUNK = 64
_LENGTHS = ("short", "medium", "long")
#: Of fewer segments a bootstrap's intervals are much too narrow.
_LEAST = 10
#: Below it a difference is called significant.
LEVEL = 0.05


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
class FrequentRepair:
    """A repair that is needed again and again, and the points that all of it would gain."""

    kind: str
    before: str
    after: str
    count: int
    points: float


@dataclass(frozen=True, slots=True)
class GroupLoss:
    """Points lost per segment, by kind, in the segments of a document, of a domain or of like length."""

    by: str
    name: str
    segments: int
    points: float
    kinds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class SystemProfile:
    """What one system loses: ``lost`` points per segment of ``maximum``, most of them by the first kinds."""

    system: str
    score: float
    maximum: float
    lost: float
    kinds: tuple[KindLoss, ...]
    frequent: tuple[FrequentRepair, ...]
    groups: tuple[GroupLoss, ...]


@dataclass(frozen=True, slots=True)
class ProfileDifference:
    """Why one of two systems loses fewer points: by kind, with intervals.

    ``half`` segments make half of the difference, those that make most of it: a few may decide. ``p_value``
    is that of a randomisation test; ``untestable`` says why there is nothing to test, if so.
    """

    better: str
    worse: str
    points: float
    low: float | None
    high: float | None
    kinds: tuple[KindLoss, ...]
    half: int
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

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and dictionaries, for JSON."""
        return asdict(self) | {"signature": str(self.signature)}


def profile(
    corpus: Corpus,
    metric: Metric,
    *,
    segments: int = SEGMENTS,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Profile:
    """What each system of ``corpus`` loses, by kind; of two, also why one loses less.

    Of a corpus with more segments a sample of so many is looked at. With several references a segment is
    repaired towards the one that it scores best with.

    >>> corpus = metaphrase.Corpus({"a": ["a cat", "no"], "b": ["a cat sat", "no"]}, [["a cat sat", "no"]])
    >>> found = metaphrase.profile(corpus, metaphrase.Ter()).difference
    >>> found.better, [(one.kind, round(one.points, 1)) for one in found.kinds], found.half
    ('b', [('missing words', 16.7)], 1)
    """
    if segments < 1:
        raise OptionError("MP519", "a profile needs at least one segment.", hint="Give 1 or more.")
    check_resamples(resamples, seed)
    rows = np.arange(len(corpus))
    if len(corpus) > segments:
        chosen = np.random.default_rng(seed).choice(len(corpus), segments, replace=False)
        rows = np.sort(chosen)
    sample = corpus.select(rows.tolist())
    bootstrap = _Bootstrap(resamples, seed)
    found = {}
    done = 0
    for system in sample.systems:
        repaired = []
        for some in sample.pieces(_CHUNK):
            repaired += _repaired(metric, some, system, threads)
            done += len(some)
            if progress is not None:
                progress(done)
        found[system] = _Losses.of(repaired, sign=1.0 if metric.higher_is_better else -1.0)
    return Profile(
        metric.label,
        metric.signature(reference_count(corpus.reference_counts)),
        metric.higher_is_better,
        len(rows),
        len(corpus),
        tuple(_system(system, losses, sample, bootstrap) for system, losses in found.items()),
        _difference(found, bootstrap) if len(found) == 2 else None,
    )


def _repaired(
    metric: Metric, piece: Corpus, system: str, threads: int | None
) -> list[RepairedSegment]:
    sign = 1.0 if metric.higher_is_better else -1.0
    of_segments: list[list[RepairedSegment]] = [[] for _ in range(len(piece))]
    for column in piece.references:
        texts = {row: text for row, text in enumerate(column) if text is not None}
        if not texts:
            continue
        hypotheses = [piece.systems[system][row] for row in texts]
        sources = None if piece.sources is None else [piece.sources[row] for row in texts]
        repaired = metric.repairs(
            hypotheses, list(texts.values()), sources=sources, threads=threads
        )
        for row, found in zip(texts, repaired, strict=True):
            of_segments[row].append(found)
    return [max(some, key=lambda found: sign * found.score) for some in of_segments]


@dataclass(frozen=True, slots=True)
class _Bootstrap:
    """Intervals of means; the draws are the same for all systems and kinds."""

    resamples: int
    seed: int

    def reach(self, points: FloatArray) -> tuple[float | None, float | None]:
        """The interval of a mean, unless there are too few segments for one."""
        if len(points) < _LEAST:
            return None, None
        found = confidence_interval(
            _with_ones(points), _mean, resamples=self.resamples, seed=self.seed, threads=1
        )
        return found.low, found.high


def _with_ones(points: FloatArray) -> FloatArray:
    return np.column_stack([points, np.ones(len(points))])


def _mean(sums: FloatArray) -> FloatArray:
    return np.asarray(sums[..., 0] / sums[..., 1])


@dataclass(frozen=True, slots=True)
class _Losses:
    """Points lost by each segment (rows) and kind (columns)."""

    repaired: Sequence[RepairedSegment]
    kinds: tuple[str, ...]
    points: FloatArray
    sign: float

    @classmethod
    def of(cls, repaired: Sequence[RepairedSegment], *, sign: float) -> _Losses:
        kinds = (*KINDS, UNMATCHED)
        points = np.zeros((len(repaired), len(kinds)))
        for row, segment in enumerate(repaired):
            if segment.matched < MATCHED:
                points[row, -1] = sign * (segment.maximum - segment.score)
                continue
            for repair in segment.repairs:
                points[row, kinds.index(repair.kind)] += sign * repair.points
        return cls(repaired, kinds, points, sign)

    @property
    def frequent(self) -> tuple[FrequentRepair, ...]:
        """Repairs that several segments need, those that gain most first."""
        counts: Counter[tuple[str, str, str]] = Counter()
        gained: defaultdict[tuple[str, str, str], float] = defaultdict(float)
        for segment in self.repaired:
            for one in segment.repairs if segment.matched >= MATCHED else ():
                key = one.kind, one.before.lower(), one.after.lower()
                counts[key] += 1
                gained[key] += self.sign * one.points
        often = [
            FrequentRepair(*key, count, gained[key])
            for key, count in counts.items()
            if count >= _TWICE and gained[key] > 0
        ]
        return tuple(
            sorted(often, key=lambda one: (-one.points, one.before, one.after))[:_FREQUENT]
        )


def _system(name: str, losses: _Losses, sample: Corpus, bootstrap: _Bootstrap) -> SystemProfile:
    return SystemProfile(
        name,
        float(np.mean([segment.score for segment in losses.repaired])),
        float(np.mean([segment.maximum for segment in losses.repaired])),
        float(losses.points.sum(axis=1).mean()),
        _kind_losses(losses.kinds, losses.points, bootstrap),
        losses.frequent,
        tuple(_groups(losses, sample)),
    )


def _kind_losses(
    kinds: Sequence[str], points: FloatArray, bootstrap: _Bootstrap
) -> tuple[KindLoss, ...]:
    """The kinds that any segment has, those with most points first."""
    found = []
    for column, kind in enumerate(kinds):
        touched = int(np.count_nonzero(points[:, column]))
        if touched:
            mean = float(points[:, column].mean())
            found.append(KindLoss(kind, mean, *bootstrap.reach(points[:, column]), touched))
    return tuple(sorted(found, key=lambda one: -abs(one.points)))


def _groups(losses: _Losses, sample: Corpus) -> Iterator[GroupLoss]:
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
        for name in dict.fromkeys(sorted(names, key=_LENGTHS.index) if by == "length" else names):
            rows = [row for row, other in enumerate(names) if other == name]
            means = losses.points[rows].mean(axis=0)
            yield GroupLoss(
                by,
                name,
                len(rows),
                float(means.sum()),
                {
                    kind: mean
                    for kind, mean in zip(losses.kinds, means.tolist(), strict=True)
                    if mean
                },
            )


def _difference(found: Mapping[str, _Losses], bootstrap: _Bootstrap) -> ProfileDifference:
    (one, losses), (other, others) = found.items()
    if losses.points.sum() > others.points.sum():
        one, losses, other, others = other, others, one, losses
    points = others.points - losses.points
    whole = points.sum(axis=1)
    ordered = np.cumsum(np.sort(whole)[::-1])
    half = int(np.argmax(ordered >= whole.sum() / 2)) + 1 if whole.sum() > 0 else 0
    rows = [_with_ones(side.points.sum(axis=1)) for side in (losses, others)]
    tested = approximate_randomisation(
        rows, _mean, resamples=bootstrap.resamples, seed=bootstrap.seed, threads=1
    )[1].test
    assert tested is not None
    return ProfileDifference(
        one,
        other,
        float(whole.mean()),
        *bootstrap.reach(whole),
        _kind_losses(losses.kinds, points, bootstrap),
        half,
        tested.p_value,
        tested.untestable(LEVEL),
    )
