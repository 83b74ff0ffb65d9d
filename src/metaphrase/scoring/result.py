"""The one shape of a result, for every combination of metrics, systems and levels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from math import inf, isnan, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from metaphrase.arrays import BoolArray, FloatArray
from metaphrase.metrics import Predictions
from metaphrase.metrics.refusals import Refusal, kept_rows
from metaphrase.presentation import present
from metaphrase.trained.preference_table import PreferenceTable

if TYPE_CHECKING:
    from metaphrase.scoring.doubts.doubt import Doubt
    from metaphrase.scoring.ranking import SystemRanking
    from metaphrase.scoring.system_difference import SystemDifference
    from metaphrase.statistics.resampling import ResampledScore

#: Raised when a key of the JSON form changes its meaning.
SCHEMA = 1
#: Systems that a short form of the scores has room for.
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class MetricInfo:
    """What a reader must know about a column of numbers.

    ``skipped`` segments were refused by the metric, and none of its scores says anything about them.
    ``preferences`` say how often raters prefer what scores higher, if that was measured.
    """

    name: str
    signature: str
    higher_is_better: bool
    bounds: tuple[float, float]
    skipped: int = 0
    preferences: PreferenceTable | None = field(default=None, repr=False)
    #: As the metric says, where its bounds do not tell.
    decimals: int | None = None

    @property
    def digits(self) -> int:
        """Decimals to show: four of scores out of 1 and of those without bounds, two of those out of 100."""
        if self.decimals is not None:
            return self.decimals
        low, high = self.bounds
        return 4 if high <= 1 or low == -inf else 2

    def shown(self, value: float) -> str:
        """A score as tables show it, where there is one."""
        return "—" if isnan(value) else f"{value:.{self.digits}f}"

    def without(self, segments: int) -> MetricInfo:
        """The same of scores without so many segments; the signature says so, too."""
        if not segments:
            return self
        return replace(self, signature=f"{self.signature}|skipped:{segments}", skipped=segments)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampling:
    """How intervals and p-values came about.

    test: ``approximate-randomisation``, ``sacrebleu-bootstrap`` or ``sacrebleu-randomisation`` of so many
        ``resamples``, against ``baseline``
    confidence: the number of resamples behind the intervals, if there are any
    """

    test: str | None
    resamples: int | None
    baseline: str | None
    confidence: int | None
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class SystemScores:
    """One system's scores by metric; domains, documents, segments and the rest if they were asked for.

    ``statistics`` are (segments, k); ``resampled`` are intervals and p-values of the system scores; ``wins``
    are shares of segments (:func:`metaphrase.scoring.count_wins`). ``predictions`` say between which scores
    people's judgement lies, by level and metric, for the metrics that know.
    """

    name: str
    system: Mapping[str, float] = field(default_factory=dict)
    document: Mapping[str, FloatArray] = field(default_factory=dict)
    segment: Mapping[str, FloatArray] = field(default_factory=dict)
    statistics: Mapping[str, FloatArray] = field(default_factory=dict)
    resampled: Mapping[str, ResampledScore] = field(default_factory=dict)
    wins: Mapping[str, float] = field(default_factory=dict)
    predictions: Mapping[str, Mapping[str, Predictions]] = field(default_factory=dict)
    domain: Mapping[str, FloatArray] = field(default_factory=dict)

    def __repr__(self) -> str:
        """One line: its scores, and what else there is."""
        scores = " ".join(f"{metric} {value:.4f}" for metric, value in self.system.items())
        kinds = ("domain", "document", "segment", "statistics")
        others = [name for name in kinds if getattr(self, name)]
        beside = f" with {', '.join(others)}" if others else ""
        return f"<SystemScores {self.name}{': ' if scores else ''}{scores}{beside}>"


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Scores of systems on one corpus.

    ``documents`` names the documents in the order of the text with their numbers of segments;
    ``segment_documents`` is each segment's document and ``segment_ids`` what its file calls it, if the corpus
    says so; ``warnings`` are what readers must know of the scores. ``refusals`` are the segments that metrics
    refused (``score(…, on_error="skip")``): their scores and statistics are NaN, and no other score of the
    metric knows of them. ``refused_of_documents`` has their numbers by metric and document. ``domains`` and
    what belongs to them is the same of domains. ``rankings`` by metric, ``differences`` of two systems and
    ``doubts`` are there if somebody has asked for them; ``all_pairs`` says that readers want each test.

    >>> corpus = metaphrase.Corpus({"mine": ["a cat sat", "no"]}, [["a cat slept", "no"]])
    >>> scores = metaphrase.score(corpus, ["ter"], levels=["system", "segment"])
    >>> scores
    <Scores systems=1 segments=2 references=1: mine ter 25.00>
    >>> scores.values(system="mine", metric="ter", level="segment")
    array([33.33333333,  0.        ])
    """

    metrics: tuple[MetricInfo, ...]
    systems: tuple[SystemScores, ...]
    segments: int
    references: int
    documents: Mapping[str, int] = field(default_factory=dict)
    segment_documents: tuple[str, ...] = ()
    segment_ids: tuple[str, ...] = ()
    resampling: Resampling | None = None
    warnings: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    refused_of_documents: Mapping[tuple[str, str], int] = field(default_factory=dict)
    domains: Mapping[str, int] = field(default_factory=dict)
    segment_domains: tuple[str, ...] = ()
    refused_of_domains: Mapping[tuple[str, str], int] = field(default_factory=dict)
    rankings: Mapping[str, SystemRanking] = field(default_factory=dict)
    differences: tuple[SystemDifference, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    all_pairs: bool = False

    def __repr__(self) -> str:
        """One line: how much was scored, and what the first systems got."""
        numbers = [
            " ".join(
                [system.name, *(f"{m.name} {m.shown(system.system[m.name])}" for m in self.metrics)]
            )
            for system in self.systems[:_SHOWN]
            if system.system
        ]
        if numbers and len(self.systems) > _SHOWN:
            numbers.append("…")
        counts = (
            f"systems={len(self.systems)} segments={self.segments} references={self.references}"
        )
        return f"<Scores {counts}{': ' if numbers else ''}{'; '.join(numbers)}>"

    def _repr_html_(self) -> str:
        """A table, for notebooks."""
        return str(present(self, "html"))

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` with a row for each number (:mod:`metaphrase.interchange.frames`).

        >>> corpus = metaphrase.Corpus({"mine": ["a cat"]}, [["a dog"]])
        >>> metaphrase.score(corpus, ["ter"]).to_pandas()["score"].tolist()
        [50.0]
        """
        return present(self, "data_frame")

    @property
    def coverages(self) -> dict[str, float]:
        """The coverage of the prediction intervals, by the name of each metric that gives some."""
        return {
            name: values.coverage
            for system in self.systems[:1]
            for level in system.predictions.values()
            for name, values in level.items()
        }

    def values(self, *, system: str, metric: str, level: str = "system") -> FloatArray:
        """The scores of one system by one metric at one level, always as an array.

        >>> corpus = metaphrase.Corpus({"mine": ["a cat", "no"]}, [["a dog", "no"]])
        >>> scores = metaphrase.score(corpus, ["ter"], levels=["segment"])
        >>> scores.values(system="mine", metric="ter", level="segment")
        array([50.,  0.])
        """
        values: Mapping[str, object] = getattr(self._of(system), level)
        if metric not in values:
            raise KeyError(f"there are no {level} scores of metric {metric!r}")
        return np.atleast_1d(np.asarray(values[metric], dtype=np.float64))

    def predictions(self, *, system: str, metric: str, level: str = "system") -> Predictions | None:
        """Between which scores people's judgement lies, for each of ``values``.

        ``None`` if the metric does not know.

        >>> scores = metaphrase.score(metaphrase.Corpus({"mine": ["A cat."]}, [["A cat."]]), ["accord"])
        >>> scores.predictions(system="mine", metric="accord").coverage
        0.9
        """
        return self._of(system).predictions.get(level, {}).get(metric)

    def preference(
        self, one: str, other: str, *, metric: str, level: str = "system"
    ) -> FloatArray | None:
        """With what probability raters prefer ``one`` to ``other``, for each of ``values``.

        ``None`` if nobody has measured it. A tie of raters counts half.

        >>> corpus = metaphrase.Corpus({"old": ["A dog sat."], "new": ["A cat sat."]}, [["A cat sat."]])
        >>> scores = metaphrase.score(corpus, ["accord"])
        >>> [chance] = scores.preference("new", "old", metric="accord")
        >>> bool(0.5 < chance < 1)
        True
        >>> bool(scores.preference("old", "new", metric="accord")[0] == 1 - chance)
        True
        """
        info = next(info for info in self.metrics if info.name == metric)
        if info.preferences is None:
            return None
        apart = self.values(system=one, metric=metric, level=level)
        apart = apart - self.values(system=other, metric=metric, level=level)
        counts = {
            "system": [self.segments - info.skipped],
            "document": [
                count - self.refused_of_documents.get((metric, name), 0)
                for name, count in self.documents.items()
            ],
            "segment": [1] * self.segments,
        }[level]
        sign = 1.0 if info.higher_is_better else -1.0
        found = [
            nan if isnan(by) else info.preferences.probability(by, count)
            for by, count in zip(apart.tolist(), counts, strict=True)
        ]
        chance = np.array(found, dtype=np.float64)
        return np.where(sign * apart >= 0, chance, 1.0 - chance)

    def _of(self, system: str) -> SystemScores:
        for scores in self.systems:
            if scores.name == system:
                return scores
        raise KeyError(f"there is no system {system!r}")

    def kept(self, metric: str) -> BoolArray:
        """Which segments ``metric`` did not refuse: those that all its scores are made of.

        >>> scores = metaphrase.score(metaphrase.Corpus({"mine": ["a cat"]}, [["a dog"]]), ["ter"])
        >>> scores.kept("ter")
        array([ True])
        """
        refused = (one.segment for one in self.refusals if one.metric == metric)
        return kept_rows(refused, 0, self.segments)

    def best(self, metric: str) -> tuple[str, ...]:
        """The systems that ``metric`` puts first: several if their scores are equal.

        >>> corpus = metaphrase.Corpus({"old": ["a cat"], "new": ["a dog"]}, [["a dog"]])
        >>> metaphrase.score(corpus, ["ter"]).best("ter")
        ('new',)
        """
        info = next(info for info in self.metrics if info.name == metric)
        values = [scores.system[metric] for scores in self.systems]
        best = max(values) if info.higher_is_better else min(values)
        return tuple(s.name for s, v in zip(self.systems, values, strict=True) if v == best)

    def without_segments(self) -> Scores:
        """The same without the scores of single segments.

        >>> corpus = metaphrase.Corpus({"mine": ["a cat"]}, [["a dog"]])
        >>> scores = metaphrase.score(corpus, ["ter"], levels=["system", "segment"])
        >>> scores.systems[0], scores.without_segments().systems[0]
        (<SystemScores mine: ter 50.0000 with segment>, <SystemScores mine: ter 50.0000>)
        """
        systems = tuple(
            replace(
                system,
                segment={},
                predictions={k: v for k, v in system.predictions.items() if k != "segment"},
            )
            for system in self.systems
        )
        return replace(
            self, systems=systems, segment_documents=(), segment_domains=(), segment_ids=()
        )

    def best_first(self, metric: str) -> Scores:
        """The same with the systems in the order of their scores; equal ones stay as they are.

        >>> corpus = metaphrase.Corpus({"old": ["a cat"], "new": ["a dog"]}, [["a dog"]])
        >>> [system.name for system in metaphrase.score(corpus, ["ter"]).best_first("ter").systems]
        ['new', 'old']
        """
        info = next(info for info in self.metrics if info.name == metric)
        values = np.array([system.system[metric] for system in self.systems])
        order = np.argsort(-values if info.higher_is_better else values, kind="stable")
        return replace(self, systems=tuple(self.systems[place] for place in order.tolist()))

    def to_dict(self) -> dict[str, Any]:
        """The JSON form; keys are the same whatever was asked for, lists are empty if nothing was.

        >>> scores = metaphrase.score(metaphrase.Corpus({"mine": ["a cat"]}, [["a dog"]]), ["ter"])
        >>> scores.to_dict()["systems"][0]["scores"]
        {'ter': 50.0}
        """
        from metaphrase.scoring.preference import raters_preferences
        from metaphrase.version import __version__

        return {
            "schema": SCHEMA,
            "metaphrase": __version__,
            "segments": self.segments,
            "references": self.references,
            "metrics": [
                {
                    "name": metric.name,
                    "signature": metric.signature,
                    "higher_is_better": metric.higher_is_better,
                    "skipped": metric.skipped,
                }
                for metric in self.metrics
            ],
            "resampling": None if self.resampling is None else asdict(self.resampling),
            "warnings": list(self.warnings),
            "refusals": [refusal.as_dict() for refusal in self.refusals],
            "preferences": [one.as_dict() for one in raters_preferences(self)],
            "systems": [self._system_dict(scores) for scores in self.systems],
            "rankings": self._rankings(),
            "differences": [one.as_dict() for one in self.differences],
            "doubts": [doubt.as_dict() for doubt in self.doubts],
        }

    def _rankings(self) -> list[dict[str, Any]]:
        names = [system.name for system in self.systems]
        return [
            {"metric": metric, **ranking.as_dict(names, pairs=self.all_pairs)}
            for metric, ranking in self.rankings.items()
        ]

    def _groups(self, scores: SystemScores, level: str) -> list[dict[str, Any]]:
        """The documents or domains of a system."""
        found: Mapping[str, FloatArray] = getattr(scores, level)
        of_level = self.refused_of_documents if level == "document" else self.refused_of_domains
        names = self.documents if level == "document" else self.domains
        return [
            {
                level: name,
                "segments": count,
                "skipped": {
                    metric: of_level[metric, name] for metric in found if (metric, name) in of_level
                },
                "scores": _row(found, i),
                "predictions": _predictions(scores, level, i),
            }
            for i, (name, count) in enumerate(names.items() if found else ())
        ]

    def _system_dict(self, scores: SystemScores) -> dict[str, Any]:
        segments = [
            {
                "segment": i + 1,
                "id": self.segment_ids[i] if self.segment_ids else None,
                "document": self.segment_documents[i] if self.segment_documents else None,
                "domain": self.segment_domains[i] if self.segment_domains else None,
                "scores": _row(scores.segment, i),
                "predictions": _predictions(scores, "segment", i),
            }
            for i in range(self.segments if scores.segment else 0)
        ]
        return {
            "name": scores.name,
            "scores": dict(scores.system),
            "predictions": _predictions(scores, "system"),
            "wins": dict(scores.wins),
            "resampled": {name: _resampled(value) for name, value in scores.resampled.items()},
            "domains": self._groups(scores, "domain"),
            "documents": self._groups(scores, "document"),
            "segments": segments,
        }


def _row(columns: Mapping[str, FloatArray], i: int) -> dict[str, float | None]:
    return {name: known(float(values[i])) for name, values in columns.items()}


def known(value: float) -> float | None:
    """A score, if there is one: of a segment that was refused there is none."""
    return None if isnan(value) else value


def _predictions(scores: SystemScores, level: str, i: int = 0) -> dict[str, Any]:
    found = scores.predictions.get(level, {})
    return {
        name: asdict(predictions[i])
        for name, predictions in found.items()
        if not isnan(predictions.low[i])
    }


def _resampled(value: ResampledScore) -> dict[str, float | None]:
    interval, test = value.interval, value.test
    return {
        "mean": None if interval is None else interval.mean,
        "low": None if interval is None else interval.low,
        "high": None if interval is None else interval.high,
        "p_value": value.p_value,
        "smallest_p": None if test is None else test.smallest_p,
        "differing": None if test is None else test.differing,
    }
