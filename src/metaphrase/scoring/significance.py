"""Intervals and p-values of system scores, from the statistics that scoring kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal, get_args

from metaphrase.errors import InputError, OptionError
from metaphrase.metrics import Metric
from metaphrase.scoring.engine import labelled_metrics
from metaphrase.scoring.result import Resampling, Scores

PairedTest = Literal["approximate-randomisation", "sacrebleu-bootstrap", "sacrebleu-randomisation"]
TESTS: tuple[PairedTest, ...] = get_args(PairedTest)
#: It resamples each system by itself.
_WITH_INTERVALS = "sacrebleu-bootstrap"


def resample(
    scores: Scores,
    metrics: Sequence[str | Metric],
    *,
    test: PairedTest | None = None,
    resamples: int = 1000,
    confidence: int | None = None,
    seed: int = 12345,
    lang: str = "en",
    threads: int | None = None,
) -> Scores:
    """Add to ``scores`` p-values against the first system, and 95 % intervals.

    ``scores`` must come from ``score(…, metrics, keep_statistics=True)`` at system level. sacreBLEU's
    bootstrap gives intervals as well; otherwise ``confidence`` is the number of bootstrap resamples for them.
    The order of segments plays the same part as the seed: another one gives slightly other numbers. Segments
    that a metric refused are not drawn: they are left out for all systems, so that pairs stay pairs.

    >>> corpus = metaphrase.read("reference.txt", ["system-a.txt", "system-b.txt"])
    >>> scores = metaphrase.score(corpus, ["chrf"], keep_statistics=True)
    >>> tested = resample(scores, ["chrf"], test="approximate-randomisation")
    >>> tested.systems[1].resampled["chrf"].p_value < 0.05
    True
    """
    from metaphrase.statistics import resampling  # only those who resample pay for it

    chosen = labelled_metrics(metrics, lang)
    _check(scores, chosen, test, confidence)
    if confidence is not None:
        resampling.check_resamples(confidence, seed)
    results: list[dict[str, resampling.ResampledScore]] = [{} for _ in scores.systems]
    for label, metric in chosen.items():
        kept = scores.kept(label)
        statistics = [
            system.statistics[label] if kept.all() else system.statistics[label][kept]
            for system in scores.systems
        ]
        if test is not None:
            function = getattr(resampling, test.replace("-", "_"))
            tested = function(
                statistics, metric.score, resamples=resamples, seed=seed, threads=threads
            )
        else:
            tested = tuple(
                resampling.ResampledScore(system.system[label]) for system in scores.systems
            )
        for place, rows, value in zip(results, statistics, tested, strict=True):
            if confidence is not None:
                interval = resampling.confidence_interval(
                    rows, metric.score, resamples=confidence, seed=seed, threads=threads
                )
                value = replace(value, interval=interval)
            place[label] = value
    systems = (
        replace(system, resampled=place)
        for system, place in zip(scores.systems, results, strict=True)
    )
    return replace(
        scores,
        systems=tuple(systems),
        resampling=Resampling(
            test=test,
            resamples=resamples if test else None,
            baseline=scores.systems[0].name if test else None,
            confidence=resamples if test == _WITH_INTERVALS else confidence,
            seed=seed,
        ),
    )


def check_rivals(systems: int) -> None:
    """Refuse a paired test of a single system."""
    if systems < 2:
        raise InputError(
            "MP741",
            "a paired test needs a baseline and another system.",
            hint="The first system is the baseline.",
        )


def _check(
    scores: Scores, metrics: Iterable[str], test: str | None, confidence: int | None
) -> None:
    if test is not None and test not in TESTS:
        raise OptionError(
            "MP753", f"there is no test {test!r}.", hint=f"Choose {' or '.join(TESTS)}."
        )
    if test is None and confidence is None:
        raise OptionError("MP753", "neither a test nor an interval was asked for.")
    if test == _WITH_INTERVALS and confidence is not None:
        raise OptionError(
            "MP754",
            "sacreBLEU's bootstrap gives intervals already.",
            hint="Leave the confidence interval out.",
        )
    if test is not None:
        check_rivals(len(scores.systems))
    for system in scores.systems:
        for metric in metrics:
            if metric not in system.statistics or metric not in system.system:
                raise OptionError(
                    "MP755",
                    f"resampling needs the system scores and the statistics of {metric}.",
                    hint="Score with keep_statistics=True and the level 'system' among the levels.",
                )
