"""Scores both translations of every item with every metric.

Items share their texts: in most sets one good translation has many bad twins. So each pair of a translation
and a reference is scored once, and all in one corpus, so that a text is analysed once for all metrics.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from metaphrase.arrays import Int64Array
from metaphrase.corpus import Corpus
from metaphrase.corpus.challenges import Challenge
from metaphrase.defaults import DEFAULT_METRICS
from metaphrase.errors import InputError
from metaphrase.metrics import Metric
from metaphrase.probing.result import Probed
from metaphrase.scoring import OnError, Refusal, score
from metaphrase.statistics.resampling import RESAMPLES, SEED, check_resamples

#: What warnings call the translations.
_TEXTS = "translations"


def probe(
    challenges: Sequence[Challenge],
    metrics: Sequence[str | Metric] = DEFAULT_METRICS,
    *,
    lang: str = "en",
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    check_language: bool = True,
    on_error: OnError = "stop",
) -> Probed:
    """How often each metric sees which errors.

    ``lang`` is for metrics given by name; ``progress`` is told how many texts are scored, of which there are
    ``len(distinct_texts(challenges))``. ``resamples`` and ``seed`` are those of the intervals of means.
    ``on_error="skip"`` leaves an item out, for all metrics, of which one of them refuses a text: metrics are
    compared on what all have scored.

    >>> item = metaphrase.probing.Challenge(
    ...     kind="numbers", reference="It is 9 o'clock.", good="It's 9 o'clock.", bad="It's 8 o'clock."
    ... )
    >>> metaphrase.probing.probe([item], ["chrf", "bleu"])
    <Probed items=1 kinds=1: chrf 100.0, bleu 100.0>
    """
    check_resamples(resamples, seed)
    if not challenges:
        raise InputError("MP760", "there is nothing to probe with.", hint="Give some items.")
    texts = distinct_texts(challenges)
    sources = [source for _, _, source in texts]
    corpus = Corpus(
        {_TEXTS: [text for text, _, _ in texts]},
        [[reference for _, reference, _ in texts]],
        sources=sources if any(sources) else None,
    )
    places = {text: place for place, text in enumerate(texts)}
    good, bad = (
        np.array([places[text] for text in map(side, challenges)]) for side in (_good, _bad)
    )
    try:
        scores = score(
            corpus,
            metrics,
            levels=["segment"],
            lang=lang,
            threads=threads,
            progress=progress,
            check_language=check_language,
            on_error=on_error,
        )
    except InputError as error:
        if on_error == "skip":
            raise
        item = _at_fault(error, corpus, metrics, lang, threads, challenges, good, bad)
        if item is None or not item.path:
            raise
        raise error.at(item.path, item.line) from None
    values = np.stack(
        [scores.values(system=_TEXTS, metric=info.name, level="segment") for info in scores.metrics]
    )
    known = ~np.isnan(values[:, good] + values[:, bad]).any(axis=0)
    if not known.any():
        raise InputError(
            "MP965",
            "metrics refused a text of every item.",
            hint="Leave a metric out, or mend what it refuses.",
        )
    rows = np.flatnonzero(known)
    left_out = len(challenges) - len(rows)
    return Probed(
        items=tuple(challenges[row] for row in rows.tolist()),
        metrics=tuple(replace(info, skipped=0) for info in scores.metrics),
        good=values[:, good[rows]],
        bad=values[:, bad[rows]],
        left_out=left_out,
        refusals=tuple(_refused(scores.refusals, challenges, good, bad)),
        warnings=scores.warnings,
        resamples=resamples,
        seed=seed,
    )


#: A translation, the reference that it is scored against, and the source.
_Text = tuple[str, str, str]


def distinct_texts(challenges: Sequence[Challenge]) -> list[_Text]:
    """What is scored: each translation once with each of its references.

    What has one reference comes together, to be analysed together.
    """
    found: dict[str, dict[_Text, None]] = {}
    for item in challenges:
        for side in (_good, _bad):
            found.setdefault(item.reference, {})[side(item)] = None
    return [text for texts in found.values() for text in texts]


def _good(item: Challenge) -> _Text:
    return item.good, item.reference, item.source


def _bad(item: Challenge) -> _Text:
    return item.bad, item.reference, item.source


def _at_fault(
    error: InputError,
    corpus: Corpus,
    metrics: Sequence[str | Metric],
    lang: str,
    threads: int | None,
    challenges: Sequence[Challenge],
    good: Int64Array,
    bad: Int64Array,
) -> Challenge | None:
    """The item that an error is about: whoever scores does not know where its texts come from."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            scores = score(
                corpus,
                metrics,
                levels=["segment"],
                lang=lang,
                threads=threads,
                check_language=False,
                on_error="skip",
            )
        except InputError:
            return None
    found = _refused(scores.refusals, challenges, good, bad)
    return next((item for refusal, item in found if refusal.message == error.message), None)


def _refused(
    refusals: Sequence[Refusal], challenges: Sequence[Challenge], good: Int64Array, bad: Int64Array
) -> list[tuple[Refusal, Challenge]]:
    """Each text that was refused, with the first item that has it."""
    first: dict[int, Challenge] = {}
    for item, one, other in zip(challenges, good.tolist(), bad.tolist(), strict=True):
        first.setdefault(one, item)
        first.setdefault(other, item)
    return [(refusal, first[refusal.segment]) for refusal in refusals]
