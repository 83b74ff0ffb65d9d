"""From losses and judgements to the weights of ``accord``.

Two linear models are fitted and averaged, because each is best at its own task and nearly as good at the
other's: ridge regression of people's standardised scores, and logistic regression of their preferences. Both
see losses over their standard deviation, and no weight is below 0. Their mean is scaled so that the judged
translations lose 1 in the mean.

Judged translations hardly ever are word salad, loops or the opposite of what they should say. So weights are
then moved until corrupted texts lose enough, as far as that changes little of what is said of the judged
ones. With w the weights so far and C the covariance of penalties over the judged translations, they become
the u that gives the least

    strength · Σ log(1 + exp(−m·u / margin)) + ½ (u − w)·(C + penalty)·(u − w),   u ≥ w/4

where m is what the worse text of a pair has more of each penalty, or, of a broken reference that should
score no more than s, its penalties less those that an average judged translation would have at s.

Sets count by the square root of their size, so that no large set drowns the others, and by a weight that the
user may give. With a ``prior``, weights stay near those of a model that is there already; how near, the
penalty says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.errors import InputError
from metaphrase.learning.accord.calibration import HeldOut, calibrate, coverage
from metaphrase.learning.accord.data import JudgedLosses
from metaphrase.trained.accord_model import AccordModel, ErrorPoints, Interval, Scale

#: The ridge per judgement, of standardised losses; a usual one, not tuned.
PENALTY = 0.01
#: What corrupted texts count: the most that costs hardly any correlation with raters, chosen by nested
#: cross-validation among powers of 2 (docs/results/accord.md).
CORRUPTION = 0.005
#: How much more a corrupted text, and a broken reference, must lose, by the mean loss of judged translations.
_MARGIN, _BROKEN_MARGIN = 0.003, 0.05
#: What all broken references count beside all pairs.
_BROKEN = 0.25
#: The share of its weight that each penalty keeps.
_KEPT = 0.25
#: How steep the scale of judged translations is, about; a translation that loses 1 has about 50 points on it.
_STEEPNESS = 3.6
_NEWTON_STEPS = 100
#: A step that promises less than this ends the search.
_CONVERGED = 1e-9
#: A fold of one set that has nothing but itself to be validated with.
_FOLDS = 5
#: What is left out at a time.
FoldsBy = Literal["set", "pair", "segment"]
#: What is learnt from, and what it is tested on.
Split: TypeAlias = tuple[list[JudgedLosses], list[JudgedLosses]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Recipe:
    """How weights are learnt.

    penalty:     the ridge per judgement
    prior:       weights to stay near, or none
    set_weights: what a set counts besides the square root of its size, by its name
    corruption:  what corrupted texts count beside judged ones
    floors:      columns with what they weigh at least: so much, or a share of what another column weighs
    """

    penalty: float = PENALTY
    prior: FloatArray | None = None
    set_weights: Mapping[str, float] = field(default_factory=dict)
    corruption: float = CORRUPTION
    floors: tuple[tuple[int, float, int | None], ...] = ()

    def weight(self, judged: JudgedLosses) -> float:
        """What a row counts."""
        return float(self.set_weights.get(judged.name, 1.0) / np.sqrt(judged.count))


def fit_weights(sets: Sequence[JudgedLosses], recipe: Recipe | None = None) -> FloatArray:
    """Fit both models to the sets."""
    recipe = recipe or Recipe()
    corrupted = [one for one in sets if one.corrupted]
    sets = [one for one in sets if not one.corrupted]
    scored = [one for one in sets if not one.is_ranked]
    ranked = [one for one in sets if one.is_ranked]
    if not sets or not all(one.count for one in sets):
        raise InputError("MP844", "There is nothing to learn from.")
    scale = _deviations(sets, recipe)
    fits = []
    if scored:
        fits.append(_ridge(scored, scale, recipe))
    if ranked:
        fits.append(_preferences(ranked, scale, recipe))
    directions = [weights / max(_deviation(sets, scale, weights), 1e-12) for weights in fits]
    weights = np.mean(directions, axis=0) / scale
    if not weights.any():
        raise InputError(
            "MP844",
            "No loss is greater where people are less content.",
            hint="Are higher scores better in your judgements?",
        )
    weights = np.asarray(weights / np.mean([(one.texts @ weights).mean() for one in sets]))
    if recipe.prior is not None:
        # What these judgements never show keeps its place beside the rest of the prior.
        seen = np.where(np.isfinite(scale), recipe.prior, 0.0)
        share = float(weights @ seen) / max(float(seen @ seen), 1e-12)
        weights = np.where(np.isfinite(scale), weights, max(share, 0.0) * recipe.prior)
    if corrupted and recipe.corruption:
        weights = _protected(sets, corrupted, weights, recipe)
    for column, least, of in recipe.floors:
        weights[column] = max(weights[column], least * (1.0 if of is None else weights[of]))
    return np.asarray(weights)


def _protected(
    sets: Sequence[JudgedLosses],
    corrupted: Sequence[JudgedLosses],
    weights: FloatArray,
    recipe: Recipe,
) -> FloatArray:
    """The weights nearest to those of judged translations by which corrupted texts lose enough."""
    margins, counts = _margins(sets, corrupted)
    counts *= recipe.corruption
    spread = np.zeros((len(weights), len(weights)))
    totals = [np.sqrt(len(one.texts)) for one in sets]
    for one, total in zip(sets, totals, strict=True):
        centred = one.texts - one.texts.mean(axis=0)
        spread += total * (centred.T @ centred) / len(one.texts)
    spread /= sum(totals)
    # A penalty that judged translations never have would cost nothing to raise without end.
    ridge = recipe.penalty * np.average((margins * _MARGIN) ** 2, axis=0, weights=counts)
    quadratic = spread + np.diag(ridge + 1e-12)
    least = _KEPT * weights

    def cost(tried: FloatArray) -> float:
        moved = tried - weights
        return float(
            counts @ np.logaddexp(0.0, -(margins @ tried)) + 0.5 * moved @ quadratic @ moved
        )

    found = weights
    for _ in range(_NEWTON_STEPS):
        wrong = 1.0 / (1.0 + np.exp(np.clip(margins @ found, -30.0, 30.0)))
        gradient = margins.T @ (wrong * counts) - quadratic @ (found - weights)
        curvature = (margins * (counts * wrong * (1.0 - wrong))[:, None]).T @ margins + quadratic
        step = least + _least(curvature, curvature @ (found - least) + gradient) - found
        promised = float(gradient @ step)
        if promised < _CONVERGED:
            break
        # Where hardly anything is wrong the curvature says too little, and a whole step goes too far.
        now, share = cost(found), 1.0
        while cost(found + share * step) > now - 0.1 * share * promised and share > 1e-6:
            share /= 2.0
        found = found + share * step
    return found


def _margins(
    sets: Sequence[JudgedLosses], corrupted: Sequence[JudgedLosses]
) -> tuple[FloatArray, FloatArray]:
    """What corrupted texts have more of each penalty than they must, in margins, and what each row counts.

    What all pairs count is 1.
    """
    usual = np.mean([one.texts.mean(axis=0) for one in sets], axis=0)
    rows, counts = [], []
    for margin, worth, kind in (
        (_MARGIN, 1.0, [one.losses for one in corrupted]),
        (_BROKEN_MARGIN, _BROKEN, [_beyond(one, usual) for one in corrupted]),
    ):
        sizes = [np.full(len(one), 1.0 / np.sqrt(max(len(one), 1))) for one in kind]
        total = max(sum(one.sum() for one in sizes), 1e-12)
        rows += [one / margin for one in kind]
        counts += [worth * one / total for one in sizes]
    return np.concatenate(rows), np.concatenate(counts)


def _beyond(one: JudgedLosses, usual: FloatArray) -> FloatArray:
    """The penalties of broken references less those at the most that they should score."""
    broken = one.place < 100.0
    lost = (100.0 / one.place[broken] - 1.0) ** (1.0 / _STEEPNESS)
    return one.texts[broken] - lost[:, None] * usual


def folds(sets: Sequence[JudgedLosses], by: FoldsBy = "set") -> Iterator[Split]:
    """Each set, or each language pair, beside the others that share no texts with it.

    People judged the same translations of a test set more than once, in other ways: who has learnt from one
    of these sets has seen the texts of the other. One for which nothing is left is cut into folds of
    segments, and so is each one ``by`` segment.
    """

    def label(judged: JudgedLosses) -> str:
        return judged.language_pair if by == "pair" else judged.name

    judged = [one for one in sets if not one.corrupted]
    for name in dict.fromkeys(map(label, judged)):
        tested = [one for one in judged if label(one) == name]
        others = [
            one
            for one in sets
            if label(one) != name and not any(map(one.shares_texts_with, tested))
        ]
        if by != "segment" and not all(one.corrupted for one in others):
            yield others, tested
            continue
        for one in tested:
            others = [
                other for other in sets if other is not one and not other.shares_texts_with(one)
            ]
            for fold in range(_FOLDS):
                rest, left = _halves(one, fold)
                if rest.count and len(left.texts):
                    yield [rest, *others], [left]


def _halves(judged: JudgedLosses, fold: int) -> tuple[JudgedLosses, JudgedLosses]:
    """The segments outside of a fold and those in it; every fifth run of ten segments is in the same fold."""
    segments = np.arange(int(judged.segment.max()) + 1)
    run = 10 if len(segments) >= 100 * _FOLDS else 1
    chosen = segments // run % _FOLDS == fold
    return judged.of_segments(~chosen), judged.of_segments(chosen)


@dataclass(frozen=True, slots=True, eq=False)
class Validation:
    """What weights say about judgements that they were not learnt from.

    agreements: r or τ, by set and language pair; of a set in folds, the mean of the folds
    held_out:   the losses, for calibration
    parts:      what was held out at a time, with the weights that did not know it
    """

    agreements: dict[str, dict[str, float]]
    held_out: list[HeldOut]
    parts: list[tuple[JudgedLosses, FloatArray]]

    @property
    def weights(self) -> dict[str, FloatArray]:
        """Those that were learnt without a set, by its name."""
        return {judged.name: fitted for judged, fitted in self.parts}

    @property
    def mean(self) -> float:
        """The mean agreement over sets and language pairs."""
        values = [value for pairs in self.agreements.values() for value in pairs.values()]
        return float(np.mean(values)) if values else float("nan")


def validate(
    sets: Sequence[JudgedLosses],
    recipe: Recipe | None = None,
    *,
    weights: FloatArray | None = None,
    by: FoldsBy = "set",
    choose: Callable[[Sequence[JudgedLosses]], Recipe] | None = None,
    progress: Callable[[str], None] | None = None,
) -> Validation:
    """Leave each set out; or ask ``weights`` that are there already about the same folds.

    ``choose`` finds a recipe for each fold, from what is learnt from alone.
    """
    found: dict[str, dict[str, list[float]]] = {}
    held_out: dict[tuple[str, str], list[HeldOut]] = {}
    parts: list[tuple[JudgedLosses, FloatArray]] = []
    for learnt, tested in folds(sets, by):
        if progress is not None:
            first = tested[0]
            progress(f"learning without {first.language_pair if by == 'pair' else first.name}")
        if weights is None:
            fitted = fit_weights(learnt, recipe if choose is None else choose(learnt))
        else:
            fitted = weights
        for one in tested:
            parts.append((one, fitted))
            agreed = agreement(one, fitted)
            if not np.isnan(agreed):
                found.setdefault(one.name, {}).setdefault(one.language_pair, []).append(agreed)
            part = HeldOut(one.name, one.language_pair, one.texts @ fitted, one.place, one.system)
            held_out.setdefault((one.name, one.language_pair), []).append(part)
    if not parts:
        raise InputError(
            "MP844",
            "The judgements are of too few segments to hold some of them out.",
            hint="Judge translations of more segments.",
        )
    agreements = {
        name: {pair: float(np.mean(values)) for pair, values in pairs.items()}
        for name, pairs in found.items()
    }
    return Validation(agreements, [_joined(each) for each in held_out.values()], parts)


def _joined(parts: Sequence[HeldOut]) -> HeldOut:
    first = parts[0]
    return HeldOut(
        first.name,
        first.language_pair,
        lost=np.concatenate([part.lost for part in parts]),
        place=np.concatenate([part.place for part in parts]),
        system=np.concatenate([part.system for part in parts]),
    )


def agreement(judged: JudgedLosses, weights: FloatArray) -> float:
    """Pearson's r with people's scores, or τ with their preferences, where a tie is wrong."""
    lost = judged.texts @ weights
    if judged.human is None:
        right = lost[judged.better] < lost[judged.worse]
        return float(2.0 * right.mean() - 1.0) if len(right) else float("nan")
    if len(lost) < 2 or lost.std() < 1e-12 or judged.human.std() < 1e-12:
        return float("nan")
    return float(np.corrcoef(-lost, judged.human)[0, 1])


def coverages(
    held_out: Sequence[HeldOut],
    calibrated: Callable[[Sequence[HeldOut]], tuple[Scale, Interval]] = calibrate,
) -> Iterator[tuple[HeldOut, dict[str, tuple[float, int]]]]:
    """For each set and language pair the share of segments, of tens of segments, and of systems whose place
    is within an interval that was calibrated on the other sets, with their numbers."""
    for one in held_out:
        others = [other for other in held_out if other.name != one.name]
        if not others:
            continue
        scale, interval = calibrated(others)
        yield (
            one,
            {
                what: coverage(one, scale, interval, size)
                for what, size in (("segments", 1), ("tens", 10), ("systems", None))
            },
        )


def train_accord(
    sets: Sequence[JudgedLosses],
    names: Sequence[str],
    scale: Scale,
    interval: Interval | None,
    recipe: Recipe | None = None,
    *,
    name: str,
    lang: str,
    licence: str = "",
    points: ErrorPoints | None = None,
    encoder: str = "",
    training: dict[str, Any] | None = None,
) -> AccordModel:
    """The model of all sets, with the scale, interval and points of what was held out of them."""
    return AccordModel(
        name=name,
        lang=lang,
        features=named_weights(names, fit_weights(sets, recipe)),
        scale=scale,
        interval=interval,
        points=points,
        encoder=encoder,
        licence=licence,
        training=dict(training or {}),
    )


def named_weights(names: Sequence[str], weights: FloatArray) -> dict[str, float]:
    """The weights that a model file has: those that are not 0."""
    return {
        name: round(float(weight), 6)
        for name, weight in zip(names, weights, strict=True)
        if weight >= 5e-7
    }


def _deviations(sets: Sequence[JudgedLosses], recipe: Recipe) -> FloatArray:
    """The standard deviation of each loss over the judged translations; infinite if it never changes."""
    weights = [recipe.weight(one) * len(one.texts) for one in sets]
    mean = np.average([one.texts.mean(axis=0) for one in sets], axis=0, weights=weights)
    squares = [((one.texts - mean) ** 2).mean(axis=0) for one in sets]
    scale = np.sqrt(np.average(squares, axis=0, weights=weights))
    return np.where(scale > 1e-9, scale, np.inf)


def _deviation(sets: Sequence[JudgedLosses], scale: FloatArray, weights: FloatArray) -> float:
    return float(np.mean([np.std(one.texts @ (weights / scale)) for one in sets]))


def _ridge(sets: Sequence[JudgedLosses], scale: FloatArray, recipe: Recipe) -> FloatArray:
    """Regression of −z on losses, each language pair with an intercept of its own."""
    gram = np.zeros((len(scale), len(scale)))
    product_with_human = np.zeros(len(scale))
    total = 0.0
    for one in sets:
        assert one.human is not None
        weight = recipe.weight(one)
        rows = (one.texts - one.texts.mean(axis=0)) / scale
        gram += weight * (rows.T @ rows)
        product_with_human -= weight * (rows.T @ one.human)
        total += weight * len(rows)
    prior = _prior(recipe, scale)
    # The prior predicts people's scores up to a factor, which the judgements tell.
    slope = float(prior @ gram @ prior)
    if slope > 0:
        prior = prior * max(float(prior @ product_with_human) / slope, 0.0)
    ridge = recipe.penalty * total
    return _least(gram + ridge * np.eye(len(scale)), product_with_human + ridge * prior)


def _preferences(sets: Sequence[JudgedLosses], scale: FloatArray, recipe: Recipe) -> FloatArray:
    """Logistic regression, by Newton's method; differences are the losses of the worse less the better's."""
    rows = np.concatenate([one.losses / scale for one in sets])
    counts = np.concatenate([np.full(len(one.better), recipe.weight(one)) for one in sets])
    prior = _prior(recipe, scale)
    if prior.any():
        along = (rows @ prior)[:, None]
        prior = prior * float(_logistic(along, counts, 1e-9, np.zeros(1))[0])
    return _logistic(rows, counts, recipe.penalty * counts.sum(), prior)


def _logistic(rows: FloatArray, counts: FloatArray, ridge: float, prior: FloatArray) -> FloatArray:
    weights = prior
    for _ in range(_NEWTON_STEPS):
        wrong = 1.0 / (1.0 + np.exp(np.clip(rows @ weights, -30.0, 30.0)))
        gradient = rows.T @ (wrong * counts) - ridge * (weights - prior)
        curvature = (rows * (counts * wrong * (1.0 - wrong))[:, None]).T @ rows
        curvature += ridge * np.eye(len(prior))
        before, weights = weights, _least(curvature, curvature @ weights + gradient)
        if np.abs(weights - before).max() < 1e-9:
            break
    return weights


def _prior(recipe: Recipe, scale: FloatArray) -> FloatArray:
    """The weights of the prior, of standardised losses."""
    if recipe.prior is None:
        return np.zeros(len(scale))
    return recipe.prior * np.where(np.isfinite(scale), scale, 0.0)


def _least(quadratic: FloatArray, linear: FloatArray) -> FloatArray:
    """The weights of at least 0 that minimise ½ w·Qw − l·w.

    By active sets (Lawson and Hanson, 1974): one weight after the other that would help most is set free, and
    those that would fall below 0 are tied again.
    """
    weights = np.zeros(len(linear))
    free = np.zeros(len(linear), dtype=bool)
    small = 1e-10 * max(float(np.abs(linear).max(initial=0.0)), 1e-300)
    for _ in range(10 * len(linear)):
        gain = np.where(free, -np.inf, linear - quadratic @ weights)
        best = int(gain.argmax())
        if gain[best] <= small:
            break
        free[best] = True
        while free.any():
            chosen = np.flatnonzero(free)
            wanted = np.zeros(len(linear))
            wanted[chosen] = np.linalg.solve(quadratic[np.ix_(chosen, chosen)], linear[chosen])
            below = chosen[wanted[chosen] <= 0]
            if not len(below):
                weights = wanted
                break
            step = np.min(weights[below] / (weights[below] - wanted[below]))
            weights = weights + step * (wanted - weights)
            free &= weights > 1e-12
            weights[~free] = 0.0
    return weights
