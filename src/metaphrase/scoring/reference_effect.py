"""What further references change: system scores with the first one, with the first two, and so on."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array, one_line
from metaphrase.corpus import Corpus
from metaphrase.defaults import DEFAULT_METRICS
from metaphrase.errors import InputError
from metaphrase.metrics import Metric
from metaphrase.metrics.refusals import OnError
from metaphrase.scoring.engine import score
from metaphrase.scoring.result import MetricInfo, Scores


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceEffect:
    """System scores by metric: a row for each system, and column k for the first k + 1 references.

    ``having[k]`` is how many segments have reference k + 1; those that do not are scored with the others.
    ``metrics`` and ``warnings`` are those of the scores with all references, ``signatures`` those of each
    metric by column.
    """

    systems: tuple[str, ...]
    segments: int
    having: tuple[int, ...]
    metrics: tuple[MetricInfo, ...]
    scores: Mapping[str, FloatArray]
    signatures: Mapping[str, tuple[str, ...]]
    warnings: tuple[str, ...] = ()

    __repr__ = one_line

    def ranks(self, metric: str) -> Int64Array:
        """The rank of each system in each column, from 1; equal scores share the better rank."""
        values = self._higher(metric)
        better = values[None, :, :] > values[:, None, :]
        return np.asarray(1 + better.sum(axis=1), dtype=np.int64)

    def reordered(self, metric: str) -> list[tuple[str, str]]:
        """Pairs of systems whose order all references turn round, the first one's better system first."""
        values = self._higher(metric)
        found = []
        for one, other in combinations(range(len(self.systems)), 2):
            first, last = (values[one] - values[other])[[0, -1]]
            if first * last < 0:
                pair = (one, other) if first > 0 else (other, one)
                found.append((self.systems[pair[0]], self.systems[pair[1]]))
        return found

    def _higher(self, metric: str) -> FloatArray:
        info = next(one for one in self.metrics if one.name == metric)
        return self.scores[metric] * (1.0 if info.higher_is_better else -1.0)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form; lists have an entry for the first reference, for the first two, and so on."""
        return {
            "segments": self.segments,
            "references": [
                {"reference": number, "segments": count}
                for number, count in enumerate(self.having, 1)
            ],
            "metrics": [
                {
                    "name": info.name,
                    "higher_is_better": info.higher_is_better,
                    "signatures": list(self.signatures[info.name]),
                    "reordered": [list(pair) for pair in self.reordered(info.name)],
                    "systems": [
                        {"name": name, "scores": scores, "ranks": ranks}
                        for name, scores, ranks in zip(
                            self.systems,
                            self.scores[info.name].tolist(),
                            self.ranks(info.name).tolist(),
                            strict=True,
                        )
                    ],
                }
                for info in self.metrics
            ],
            "warnings": list(self.warnings),
        }


def reference_effect(
    corpus: Corpus | Iterable[Corpus],
    metrics: Sequence[str | Metric] = DEFAULT_METRICS,
    *,
    lang: str = "en",
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    check_language: bool = True,
    on_error: OnError = "stop",
) -> ReferenceEffect:
    """Score every system with the first reference, with the first two, and so on until all of them.

    Options are those of :func:`metaphrase.score`. Segments with one reference each are an error (MP116).

    >>> segments = [["a cat sat", "a cat was sitting"], ["no"]]
    >>> corpus = metaphrase.Corpus({"mine": ["a cat was there", "no"]}, segment_references=segments)
    >>> effect = reference_effect(corpus, ["ter"])
    >>> effect.scores["ter"].round(1).tolist(), effect.having
    ([[50.0, 22.2]], (2, 1))
    """
    whole = corpus if isinstance(corpus, Corpus) else Corpus.join(corpus)
    if whole.reference_counts == {1}:
        raise InputError(
            "MP116",
            "Every segment has one reference, so that no other can change anything.",
            hint="Give more references: files after the first one, or lists in a table.",
        )
    steps = len(whole.references)
    found: list[Scores] = []
    for count in range(1, steps + 1):

        def told(done: int, before: int = len(found)) -> None:
            if progress is not None:
                progress((before * len(whole) + done) // steps)

        # What is to be said of the texts is said once, of all references.
        with nullcontext() if count == steps else warnings.catch_warnings():
            if count < steps:
                warnings.simplefilter("ignore")
            found.append(
                score(
                    whole.with_references(count),
                    metrics,
                    lang=lang,
                    threads=threads,
                    progress=told,
                    check_language=check_language and count == steps,
                    on_error=on_error,
                )
            )
    last = found[-1]
    return ReferenceEffect(
        systems=tuple(whole.systems),
        segments=len(whole),
        having=tuple(sum(text is not None for text in column) for column in whole.references),
        metrics=last.metrics,
        scores={
            info.name: np.array(
                [
                    [of_step.systems[row].system[info.name] for of_step in found]
                    for row in range(len(last.systems))
                ]
            )
            for info in last.metrics
        },
        signatures={
            info.name: tuple(of_step.metrics[place].signature for of_step in found)
            for place, info in enumerate(last.metrics)
        },
        warnings=last.warnings,
    )
