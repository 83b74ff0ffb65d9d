"""A model of ``accord`` brought nearer to somebody's own judgements, and whether that was worth it.

The weights are learnt from the judgements, but held near those of the model, the *prior*. How near, they are
asked by cross-validation over segments. Whether the adapted model is better than the given one, a second
cross-validation around the first tells: no judgement has a say in the weights, or in the strength of the
prior, that it is compared with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.errors import InputError
from metaphrase.learning.accord.calibration import FEWEST, fit_interval
from metaphrase.learning.accord.data import JudgedLosses
from metaphrase.learning.accord.training import (
    Recipe,
    Split,
    Validation,
    agreement,
    fit_weights,
    folds,
    validate,
)
from metaphrase.trained.accord_model import Interval, Scale

#: How hard weights are held to those of the given model, as a ridge per judgement; with the last one, they
#: hardly move.
STRENGTHS = (0.01, 0.1, 1.0, 10.0, 100.0)
#: Resamples of the segments, and the share of them that an interval has.
_RESAMPLES, _SHARE = 1000, 0.95
_SEED = 12345
#: So many held-out judgements tell which strength is best, without those of other folds.
_ENOUGH = 500


@dataclass(frozen=True, slots=True, eq=False)
class Adaptation:
    """What adapting a model to judgements brings, where neither has seen them.

    recipe:   how the adapted weights are learnt from all judgements
    adapted:  weights of the judgements and of the given model
    given:    those of the given model
    scratch:  weights of the judgements alone
    interval: 95 % of resamples of the segments have a difference between adapted and given within it
    """

    recipe: Recipe
    adapted: Validation
    given: Validation
    scratch: Validation
    interval: tuple[float, float]

    @property
    def verdict(self) -> str:
        """``helped``, ``made no difference`` or ``did harm``."""
        low, high = self.interval
        if low > 0:
            return "helped"
        return "did harm" if high < 0 else "made no difference"


def adapt(
    sets: Sequence[JudgedLosses],
    given: FloatArray,
    recipe: Recipe | None = None,
    *,
    strengths: Sequence[float] = STRENGTHS,
    progress: Callable[[str], None] | None = None,
) -> Adaptation:
    """Adapt the weights of a model to the sets; ``recipe`` says what the sets count.

    Of the ``strengths`` of the prior, the one is taken that agrees best with segments that were held out.
    """
    recipe = recipe or Recipe()
    near = replace(recipe, prior=given)

    def choose(learnt: Sequence[JudgedLosses]) -> Recipe:
        return best_strength(learnt, near, strengths)

    adapted = validate(sets, choose=choose, by="segment", progress=progress)
    before = validate(sets, weights=given, by="segment")
    return Adaptation(
        choose(sets),
        adapted,
        before,
        _from_scratch(sets, recipe),
        difference_interval(adapted, before),
    )


def _from_scratch(sets: Sequence[JudgedLosses], recipe: Recipe) -> Validation:
    """Without a prior; nothing, if there is a fold from which nothing can be learnt."""
    try:
        return validate(sets, recipe, by="segment")
    except InputError:
        return Validation({}, [], [])


def best_strength(
    sets: Sequence[JudgedLosses], recipe: Recipe, strengths: Sequence[float]
) -> Recipe:
    """The recipe with the strength that agrees best with held-out segments; of equals, the greatest."""
    recipes = [replace(recipe, penalty=strength) for strength in sorted(strengths, reverse=True)]
    if len(recipes) == 1:
        return recipes[0]
    splits = list(_enough(folds(sets, "segment")))
    found = [_mean_agreement(splits, one) for one in recipes]
    return recipes[int(np.argmax(found))]


def _enough(splits: Iterable[Split]) -> Iterator[Split]:
    """All folds of small sets, and the first fold of those that are large enough for one."""
    seen = set()
    for learnt, tested in splits:
        (one,) = tested
        name = one.name, one.language_pair
        if one.count < _ENOUGH or name not in seen:
            yield learnt, tested
        seen.add(name)


def _mean_agreement(splits: Iterable[Split], recipe: Recipe) -> float:
    """Over sets and language pairs; −1 where nothing can be learnt."""
    found: dict[tuple[str, str], list[float]] = {}
    try:
        for learnt, (tested,) in splits:
            agreed = agreement(tested, fit_weights(learnt, recipe))
            if not np.isnan(agreed):
                found.setdefault((tested.name, tested.language_pair), []).append(agreed)
    except InputError:
        return -1.0
    return (
        round(float(np.mean([np.mean(values) for values in found.values()])), 6) if found else -1.0
    )


def difference_interval(one: Validation, other: Validation) -> tuple[float, float]:
    """Where the mean agreement of one less the other's lies, if people had been asked about other segments.

    Of the same folds, segments are drawn anew (Efron, 1979), the same ones for both.
    """
    random = np.random.default_rng(_SEED)
    differences: dict[tuple[str, str], list[FloatArray]] = {}
    for (judged, weights), (_, rival) in zip(one.parts, other.parts, strict=True):
        if not judged.count:
            continue
        sums, rival_sums = _sums(judged, weights), _sums(judged, rival)
        drawn = random.multinomial(
            len(sums), np.full(len(sums), 1.0 / len(sums)), size=_RESAMPLES
        ).astype(np.float64)
        found = _agreements(drawn @ sums) - _agreements(drawn @ rival_sums)
        differences.setdefault((judged.name, judged.language_pair), []).append(found)
    means = np.mean([np.nanmean(each, axis=0) for each in differences.values()], axis=0)
    low, high = np.nanquantile(means, [(1 - _SHARE) / 2, (1 + _SHARE) / 2])
    return float(low), float(high)


def _sums(judged: JudgedLosses, weights: FloatArray) -> FloatArray:
    """For each segment what agreement is made of: sums over its preferences, or over its scores."""
    lost = judged.texts @ weights
    if judged.human is None:
        right = np.where(lost[judged.better] < lost[judged.worse], 1.0, -1.0)
        segment, columns = judged.segment[judged.better], [np.ones(len(right)), right]
    else:
        # Near 0, so that squares are exact enough.
        x, y = lost.mean() - lost, judged.human
        segment, columns = judged.segment, [np.ones(len(x)), x, y, x * x, y * y, x * y]
    _, place = np.unique(segment, return_inverse=True)
    return np.stack([np.bincount(place, column) for column in columns], axis=1)


def _agreements(sums: FloatArray) -> FloatArray:
    """τ or r of each row of sums; NaN where it is not defined."""
    with np.errstate(divide="ignore", invalid="ignore"):
        if sums.shape[1] == 2:
            return np.asarray(sums[:, 1] / sums[:, 0])
        count, x, y, xx, yy, xy = sums.T
        spread = np.maximum(count * xx - x * x, 0.0) * np.maximum(count * yy - y * y, 0.0)
        return np.where(spread > 0, (count * xy - x * y) / np.sqrt(spread), np.nan)


def calibrated_weights(
    sets: Sequence[JudgedLosses],
    adaptation: Adaptation,
    given: FloatArray,
    scale: Scale,
) -> tuple[FloatArray, Interval | None]:
    """The adapted weights, by which the judged translations lose as much in the mean as by the given ones, so
    that the scale can stay; and the interval, unless the judgements are too few to tell it."""
    weights = fit_weights(sets, adaptation.recipe)
    before, after = (
        float(np.mean([(one.texts @ each).mean() for one in sets])) for each in (given, weights)
    )
    held_out = [replace(one, lost=one.lost * before / after) for one in adaptation.adapted.held_out]
    enough = sum(len(one.lost) for one in held_out) >= FEWEST
    return weights * (before / after), fit_interval(held_out, scale) if enough else None
