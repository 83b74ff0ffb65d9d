"""How far judges can be relied on: with each other, with themselves, and on items that control quality."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus.ratings import Item, MarkedError, Rating, Ratings
from metaphrase.corpus.reading_words import words_of
from metaphrase.statistics.coefficients import pearson
from metaphrase.statistics.reliability import cohen_kappa, krippendorff_alpha
from metaphrase.statistics.signed_rank import signed_rank_test

Verdict = Literal["kept", "left out", "not tested"]
#: Twice the 238 words a minute at which adults read silently (Brysbaert, *How many words do we read per
#: minute?*, Journal of Memory and Language 2019): nobody judges a translation quicker than that.
WORDS_PER_SECOND = 2 * 238 / 60
#: From so many pairs on a judge can pass a test at 5%: 2⁻⁵ is the least p-value of five.
FEWEST_CONTROLS = 5
LEVEL = 0.05
#: How bad the worst error of an item is; a severity of another name is as bad as a major one.
_SEVERITIES = {"neutral": 1.0, "minor": 2.0, "major": 3.0, "critical": 4.0}


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """One judge: what was judged, and what speaks for and against it; NaN where nobody can tell.

    agreement:  Pearson's r with the mean of the others, on items that others judged too
    repeated:   items judged twice, and how far the two scores were apart in the mean
    controlled: items judged beside a degraded copy, the share of copies that scored lower, and the p-value of
                Wilcoxon's test that they do
    seconds:    the median time for an item; ``too_fast``: the share of items that nobody reads so quickly
    """

    judge: str
    items: int
    mean: float
    deviation: float
    agreement: float
    repeated: int
    repeat_difference: float
    controlled: int
    lower: float
    p_value: float
    seconds: float
    too_fast: float

    @property
    def verdict(self) -> Verdict:
        """Whether the judge passed: WMT leaves out whoever does not score degraded copies lower (p < .05)."""
        if self.controlled < FEWEST_CONTROLS:
            return "not tested"
        return "kept" if self.p_value < LEVEL else "left out"


@dataclass(frozen=True, slots=True)
class RatingAgreement:
    """All judges of a campaign.

    shared:         items that two or more have judged
    alpha:          Krippendorff's, of the scores (interval)
    pearson:        of two judges' scores, in the mean of pairs of judges
    severity_alpha: Krippendorff's, of the worst error of an item (ordinal), where errors were marked
    kappa:          Cohen's, of whether an item has an error of a category, in the mean of pairs of judges
    """

    name: str
    language_pair: str
    protocol: str
    items: int
    shared: int
    alpha: float
    pearson: float
    severity_alpha: float
    kappa: Mapping[str, float]
    judges: tuple[JudgeReport, ...]

    def failed(self) -> tuple[str, ...]:
        """Who did not pass the quality control."""
        return tuple(one.judge for one in self.judges if one.verdict == "left out")


def rating_agreement(ratings: Ratings) -> RatingAgreement:
    """How far the judges of a campaign agree, each with the others and with themselves."""
    judges = ratings.judges
    places: dict[str, int] = {}
    for _, item in ratings.of_kind("target"):
        places.setdefault(item.id, len(places))
    scores = np.full((len(judges), len(places)), np.nan)
    worst = np.full(scores.shape, np.nan)
    marked: dict[str, FloatArray] = {}
    for rating, item in ratings.of_kind("target"):
        cell = judges.index(rating.judge), places[item.id]
        if rating.score is not None:
            scores[cell] = rating.score
        if rating.errors is not None:
            worst[cell] = _worst(rating.errors)
            for category in _categories(rating.errors):
                marked.setdefault(category, np.full(scores.shape, np.nan))[cell] = 1.0
    for table in marked.values():
        table[np.isnan(table) & ~np.isnan(worst)] = 0.0
    judged = ~np.isnan(scores) | ~np.isnan(worst)
    return RatingAgreement(
        ratings.name,
        ratings.language_pair,
        ratings.protocol,
        len(places),
        int((judged.sum(axis=0) > 1).sum()),
        krippendorff_alpha(scores) if scores.size else float("nan"),
        _of_pairs(scores, pearson),
        krippendorff_alpha(worst, level="ordinal") if worst.size else float("nan"),
        {name: _of_pairs(table, cohen_kappa) for name, table in sorted(marked.items())},
        tuple(_report(ratings, judge, scores, number) for number, judge in enumerate(judges)),
    )


def _report(ratings: Ratings, judge: str, scores: FloatArray, number: int) -> JudgeReport:
    own = {one.item: one for one in ratings.ratings if one.judge == judge}
    mine = scores[number]
    others = np.delete(scores, number, axis=0)
    counts = (~np.isnan(others)).sum(axis=0)
    means = np.where(counts > 0, np.nansum(others, axis=0) / np.maximum(counts, 1), np.nan)
    known = mine[~np.isnan(mine)]
    repeats = np.array(list(_pairs(own, ratings.items, "repeat"))).reshape(-1, 2)
    controls = np.array(list(_pairs(own, ratings.items, "degraded"))).reshape(-1, 2)
    seconds = [one.seconds for one in own.values() if one.seconds is not None]
    nothing = float("nan")
    return JudgeReport(
        judge,
        int(sum(ratings.items[item].kind == "target" for item in own)),
        float(known.mean()) if known.size else nothing,
        float(known.std(ddof=1)) if known.size > 1 else nothing,
        pearson(mine, means),
        len(repeats),
        float(np.abs(repeats[:, 0] - repeats[:, 1]).mean()) if len(repeats) else nothing,
        len(controls),
        float((controls[:, 1] < controls[:, 0]).mean()) if len(controls) else nothing,
        signed_rank_test(controls[:, 0], controls[:, 1]) if len(controls) else nothing,
        float(np.median(seconds)) if seconds else nothing,
        _too_fast(list(own.values()), ratings.items),
    )


def _pairs(
    own: Mapping[str, Rating], items: Mapping[str, Item], kind: str
) -> Iterator[tuple[float, float]]:
    """What a judge gave an item and its copy, where both have a score."""
    for name, rating in own.items():
        item = items[name]
        original = own.get(item.of or "")
        if item.kind != kind or original is None:
            continue
        if original.score is not None and rating.score is not None:
            yield original.score, rating.score


def _too_fast(own: Sequence[Rating], items: Mapping[str, Item]) -> float:
    timed = [
        len(words_of(items[one.item].hypothesis)) / max(one.seconds, 1e-9) > WORDS_PER_SECOND
        for one in own
        if one.seconds is not None and items[one.item].hypothesis
    ]
    return float(np.mean(timed)) if timed else float("nan")


def _worst(errors: Sequence[MarkedError]) -> float:
    return max((_SEVERITIES.get(one.severity, 3.0) for one in errors), default=0.0)


def _categories(errors: Sequence[MarkedError]) -> set[str]:
    """The categories by their first part, in the spelling of most tools."""
    return {one.category.partition("/")[0].strip().capitalize() for one in errors if one.category}


def _of_pairs(table: FloatArray, measure: Callable[[FloatArray, FloatArray], float]) -> float:
    """The mean of a measure over all pairs of judges that have something in common."""
    found = [measure(one, other) for one, other in combinations(table, 2)]
    known = [value for value in found if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")
