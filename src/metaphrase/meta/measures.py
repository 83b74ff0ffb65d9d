"""Measures by name: from the scores of a metric and the judgements of people to one number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.corpus.judgements import Judgements, Ranking
from metaphrase.errors import InputError, OptionError
from metaphrase.meta.judged_scores import JudgedScores, document_numbers
from metaphrase.statistics.annotators import AnnotatorAgreement, annotator_agreement
from metaphrase.statistics.coefficients import Coefficient, correlation
from metaphrase.statistics.consistency import segment_consistency
from metaphrase.statistics.grouping import GroupBy, cells, document_scores
from metaphrase.statistics.pairwise import tie_calibration
from metaphrase.statistics.permutation import permutation_test
from metaphrase.statistics.preference_test import preference_test
from metaphrase.statistics.preferences import Preferences, from_rankings, relative_ranking
from metaphrase.statistics.resampling import RESAMPLES, SEED
from metaphrase.statistics.system_level import (
    soft_pairwise_accuracy_of_scores,
    system_pairwise_accuracy,
)
from metaphrase.statistics.wins import check_tie_rule, wins
from metaphrase.statistics.wmt_tau import TAU_VARIANTS, TauTable, ranking_tau

LEVELS = ("segment", "document", "system")
GROUPS = ("none", "segment", "system")
_COEFFICIENTS = ("pearson", "spearman", "kendall")
#: Which measures read preferences, which scores, and which compare systems as a whole.
_ON_PREFERENCES = ("tau", "darr", "consistency")
_ON_SYSTEMS = ("system-accuracy", "soft-accuracy")
MEASURES = (*_COEFFICIENTS, "acc-eq", *_ON_PREFERENCES, *_ON_SYSTEMS)
OPTIONS = ("level", "group_by", "variant", "threshold", "wins")
_DEFAULTS = {
    "level": "segment",
    "group_by": "none",
    "variant": None,
    "threshold": None,
    "wins": None,
}


@dataclass(frozen=True, slots=True)
class Basis:
    """How much stands behind a value: what was judged, and how many pairs of it are compared, if any are.

    ``judged`` counts translations with a score, or in rankings those that were ranked; at system level one
    value is compared for each of ``systems``.
    """

    systems: int
    segments: int
    judged: int
    pairs: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """What is measured, and how.

    name:      ``pearson``, ``spearman``, ``kendall`` (τ-b), ``acc-eq`` (pairwise accuracy with tie
               calibration), ``tau`` (on rankings), ``darr`` (τ on scores that differ by ``threshold``),
               ``consistency``, ``system-accuracy``, ``soft-accuracy``
    level:     ``segment``, ``document`` or ``system``, for the coefficients and acc-eq
    group_by:  ``none`` pools all cells, ``segment`` and ``system`` average over groups; likewise
    variant:   of ``tau``: how ties count (default: ``wmt14``)
    threshold: of ``darr`` (default: 25 points)
    wins:      where systems are compared, a metric's score of a system is the share of segments in which it
               scores best, as in UPF-Cobalt's paper: ``all``, ``share``
               (:func:`metaphrase.statistics.wins.wins`)
    """

    name: str
    level: str = "segment"
    group_by: GroupBy = "none"
    variant: str | None = None
    threshold: float | None = None
    wins: str | None = None

    def __post_init__(self) -> None:
        _check("measure", self.name, MEASURES)
        _check("level", self.level, LEVELS)
        _check("group_by", self.group_by, GROUPS)
        _check("variant", self.variant or "wmt14", tuple(TAU_VARIANTS))
        taken = options_of(self.name)
        for option in OPTIONS:
            if option not in taken and getattr(self, option) != _DEFAULTS[option]:
                raise OptionError(
                    "MP781",
                    f"{self.name} has no {option}.",
                    hint=f"It has: {', '.join(taken) or 'no options'}.",
                )
        if self.wins is not None:
            check_tie_rule(self.wins)
            if self.name not in _ON_SYSTEMS and self.level != "system":
                raise OptionError(
                    "MP781",
                    f"segments are won by systems, not by a {self.level}.",
                    hint="Choose level system.",
                )
        if self.level == "system" and self.group_by != "none":
            raise OptionError(
                "MP781",
                "there is nothing to group at system level.",
                hint="Leave group_by out, or choose another level.",
            )

    @classmethod
    def usual(cls, judgements: Judgements) -> Measure:
        """τ for rankings, Pearson's r for scores: what the data sets of WMT are reported with."""
        return cls(name="tau" if judgements.is_ranked else "pearson")

    @property
    def label(self) -> str:
        """A short name for tables that tells everything chosen."""
        if self.name == "tau":
            return f"τ ({self.variant or 'wmt14'})"
        if self.name == "darr":
            return f"darr ({self._threshold:g} points)"
        parts = [self.name]
        if "level" in options_of(self.name):
            parts.append(f"{self.level} level")
            if self.group_by != "none":
                unit = self.level if self.group_by == "segment" else self.group_by
                parts.append(f"by {unit}")
        if self.wins is not None:
            parts.append("by wins" if self.wins == "all" else "by shared wins")
        return ", ".join(parts)

    @property
    def _threshold(self) -> float:
        return 25.0 if self.threshold is None else self.threshold

    def __call__(self, scores: JudgedScores, judgements: Judgements) -> float:
        """The agreement of one metric with people; NaN where it is undefined."""
        if self.name in _ON_PREFERENCES:
            return self._on_preferences(scores, judgements)
        if self.name in _ON_SYSTEMS:
            return self._on_systems(scores, judgements)
        metric, human = self._matrices(scores, judgements)
        if self.name == "acc-eq":
            return tie_calibration(metric, human, group_by=self.group_by).accuracy
        return correlation(
            metric, human, coefficient=cast("Coefficient", self.name), group_by=self.group_by
        )

    def basis(self, judgements: Judgements) -> Basis:
        """How much of ``judgements`` stands behind a value, for a metric that has scored all of it."""
        if judgements.is_ranked:
            known = np.zeros(judgements.text_of.shape, dtype=bool)
            for ranking in judgements.rankings:
                known[list(ranking.systems), ranking.segment] = True
        else:
            known = ~np.isnan(judgements.human)
        systems, segments = (int(known.any(axis=axis).sum()) for axis in (1, 0))
        return Basis(systems, segments, int(known.sum()), self._pairs(judgements, systems))

    def _pairs(self, judgements: Judgements, systems: int) -> int | None:
        if self.name in _ON_PREFERENCES:
            pairs, table = self._preferences(judgements)
            counts_ties = table.human_tie is not None or table.both_tie is not None
            return len(pairs) if counts_ties else int(np.count_nonzero(pairs.order))
        if self.name in _ON_SYSTEMS:
            return systems * (systems - 1) // 2
        if self.name != "acc-eq":
            return None
        human = self._human(judgements)
        sizes = cells(human, human, group_by=self.group_by).sizes().astype(np.int64)
        return int((sizes * (sizes - 1) // 2).sum())

    def why_undefined(self, scores: JudgedScores, judgements: Judgements) -> str:
        """Why there is no value, in a sentence."""
        basis = self.basis(judgements)
        if basis.pairs == 0:
            if self.name == "darr":
                known = judgements.human[~np.isnan(judgements.human)]
                return (
                    f"No two translations of a segment differ by {self._threshold:g} points (scores go from "
                    f"{known.min():.3g} to {known.max():.3g}); give a smaller threshold."
                )
            return "There is no pair to compare."
        compares_systems = self.name in _ON_SYSTEMS or self.level == "system"
        if compares_systems and basis.systems < 2:
            return "There is only one system."
        values = self._of_systems(scores) if compares_systems else scores.segment
        if self.level == "document":
            values = scores.document
        if np.isnan(values).all():
            return f"It has no scores at {'system' if compares_systems else self.level} level."
        return "Too little was judged, or all scores are the same."

    @property
    def can_be_tested(self) -> bool:
        """Whether there is a test for the difference of two metrics."""
        return self.name not in _ON_SYSTEMS

    def p_value(
        self,
        metric: JudgedScores,
        rival: JudgedScores,
        judgements: Judgements,
        *,
        resamples: int = RESAMPLES,
        seed: int = SEED,
        threads: int | None = None,
    ) -> float:
        """One-sided, of "``metric`` agrees better than ``rival``": permutation tests throughout."""
        if self.name in _ON_PREFERENCES:
            pairs, table = self._preferences(judgements)
            return preference_test(
                metric.segment, rival.segment, pairs, table, resamples=resamples, seed=seed
            )
        ours, human = self._matrices(metric, judgements)
        theirs, _ = self._matrices(rival, judgements)
        return permutation_test(
            ours,
            theirs,
            human,
            agreement="accuracy" if self.name == "acc-eq" else cast("Coefficient", self.name),
            group_by=self.group_by,
            epsilon="calibrated" if self.name == "acc-eq" else 0.0,
            resamples=resamples,
            seed=seed,
            threads=threads,
        ).p_value

    def _matrices(
        self, scores: JudgedScores, judgements: Judgements
    ) -> tuple[FloatArray, FloatArray]:
        human = self._human(judgements)
        if self.level == "system":
            return self._of_systems(scores)[:, None], human
        return scores.segment if self.level == "segment" else scores.document, human

    def _of_systems(self, scores: JudgedScores) -> FloatArray:
        """A metric's score of each system: its own, or the share of segments that the system wins.

        Where one system alone has a text, it wins nothing.
        """
        if self.wins is None:
            return scores.system
        contested = (~np.isnan(scores.segment)).sum(axis=0) > 1
        return wins(scores.segment[:, contested], ties=self.wins)

    def _human(self, judgements: Judgements) -> FloatArray:
        """What people say, at the level that is measured."""
        if self.level == "system":
            return system_judgements(judgements)[:, None]
        self._need_scores(judgements)
        if self.level == "segment":
            return judgements.human
        if judgements.documents is None:
            raise InputError(
                "MP782",
                f"{judgements.name} {judgements.language_pair} has no document ids.",
                hint="Use the level segment or system.",
            )
        return document_scores(judgements.human, document_numbers(judgements))

    def _preferences(self, judgements: Judgements) -> tuple[Preferences, TauTable]:
        if self.name == "darr":
            self._need_scores(judgements)
            pairs = relative_ranking(judgements.human, threshold=self._threshold)
            return pairs, TAU_VARIANTS["darr"]
        # Consistency is the share of preferences that the metric has too: a tie is not one.
        variant = "metric-ties-wrong" if self.name == "consistency" else self.variant or "wmt14"
        return preferences(judgements), TAU_VARIANTS[variant]

    def _on_preferences(self, scores: JudgedScores, judgements: Judgements) -> float:
        pairs, table = self._preferences(judgements)
        if self.name == "consistency":
            return segment_consistency(scores.segment, pairs)
        return ranking_tau(scores.segment, pairs, variant=table)

    def _on_systems(self, scores: JudgedScores, judgements: Judgements) -> float:
        if self.name == "system-accuracy":
            return system_pairwise_accuracy(self._of_systems(scores), system_judgements(judgements))
        self._need_scores(judgements)
        # What nobody judged says nothing about people, and WMT leaves it out for metrics, too.
        known = ~np.isnan(judgements.human)
        judged = known.any(axis=0)
        metric = np.where(known, scores.segment, np.nan)
        return soft_pairwise_accuracy_of_scores(metric[:, judged], judgements.human[:, judged])

    def _need_scores(self, judgements: Judgements) -> None:
        if judgements.is_ranked:
            raise InputError(
                "MP783",
                f"{self.name} needs scores, but {judgements.name} {judgements.language_pair} has "
                "rankings.",
                hint="Use tau or consistency.",
            )


def options_of(measure: str) -> tuple[str, ...]:
    """Which options a measure has."""
    if measure in (*_COEFFICIENTS, "acc-eq"):
        return ("level", "group_by", "wins")
    others = {"tau": ("variant",), "darr": ("threshold",), "system-accuracy": ("wins",)}
    return others.get(measure, ())


def preferences(judgements: Judgements, *, each_item_once: bool = False) -> Preferences:
    """What people prefer: from rankings, or from scores that differ at all.

    An item that stood for several systems counts for each of them, as in WMT's τ. With
    ``each_item_once`` it counts for the first of them only, as agreement of judges needs it: they
    compared items.
    """
    if not judgements.is_ranked:
        return relative_ranking(judgements.human, threshold=np.finfo(float).tiny)
    rows = [
        (number, ranking.segment, system, rank, ranking.judge)
        for number, ranking in enumerate(judgements.rankings)
        for system, rank in _ranked(ranking, each_item_once)
    ]
    ranking, segment, system, rank, judge = zip(*rows, strict=True)
    return from_rankings(ranking=ranking, segment=segment, system=system, rank=rank, judge=judge)


def _ranked(ranking: Ranking, each_item_once: bool) -> Iterator[tuple[int, int]]:
    shown: set[int] = set()
    for system, rank, item in zip(ranking.systems, ranking.ranks, ranking.items, strict=True):
        if not each_item_once or item not in shown:
            yield system, rank
        shown.add(item)


def judge_agreement(judgements: Judgements) -> tuple[AnnotatorAgreement, AnnotatorAgreement]:
    """Cohen's kappa between different judges, and of judges with themselves, as WMT defines it.

    ``docs/agreement.md`` says why it is not what the program of WMT 2016 printed.
    """
    if not judgements.is_ranked:
        raise InputError(
            "MP785",
            f"{judgements.name} {judgements.language_pair} has scores without judges, not rankings.",
            hint="Agreement of judges needs a file of rankings.",
        )
    pairs = preferences(judgements, each_item_once=True)
    return (
        annotator_agreement(pairs, between="different-judges"),
        annotator_agreement(pairs, between="same-judge"),
    )


def system_judgements(judgements: Judgements) -> FloatArray:
    """A human score per system: the mean of its scores, or the share of decided comparisons it won."""
    if not judgements.is_ranked:
        known = ~np.isnan(judgements.human)
        totals = np.where(known, judgements.human, 0.0).sum(axis=1)
        return _divide(totals, known.sum(axis=1))
    pairs = preferences(judgements)
    systems = len(judgements.systems)
    better = np.where(pairs.order > 0, pairs.first, pairs.second)[pairs.order != 0]
    worse = np.where(pairs.order > 0, pairs.second, pairs.first)[pairs.order != 0]
    won = np.bincount(better, minlength=systems)
    return _divide(won.astype(float), won + np.bincount(worse, minlength=systems))


def _divide(totals: FloatArray, counts: Int64Array) -> FloatArray:
    undefined = np.full(len(totals), np.nan)
    return np.asarray(np.divide(totals, counts, out=undefined, where=counts > 0))


def _check(option: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise OptionError(
            "MP710", f"{option}={value!r} is unknown.", hint=f"Choose one of {', '.join(choices)}."
        )
