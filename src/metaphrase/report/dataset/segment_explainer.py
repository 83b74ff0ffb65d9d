"""Explanations of segments of a corpus, in the form in which a report holds them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from metaphrase.corpus import Corpus
from metaphrase.errors import MetaphraseError
from metaphrase.metrics import Explanation, Metric

#: Digits of numbers inside explanations: more than a screen shows, and half the bytes of all of them.
_DIGITS = 6


class SegmentExplainer:
    """Explains what any of ``metrics`` says about any cell of ``corpus``, all by their positions.

    With several references the explanation is that of the best one, which is what counts or, if the metric
    takes their mean, what counts most.
    """

    def __init__(self, corpus: Corpus, metrics: Sequence[Metric]) -> None:
        self._corpus = corpus
        self._systems = tuple(corpus.systems)
        self._metrics = tuple(metrics)
        self._explain: dict[int, Callable[[str, int, int], Explanation]] = {}

    def explain(self, metric: int, system: int, segment: int) -> Explanation:
        """The explanation with the best reference; the first one of those that are equally good."""
        chosen = self._metrics[metric]
        if metric not in self._explain:
            self._explain[metric] = chosen.explainer(self._corpus)
        explain, name = self._explain[metric], self._systems[system]
        found = (explain(name, segment, r) for r in self._corpus.references_of(segment))
        sign = 1.0 if chosen.higher_is_better else -1.0
        return max(found, key=lambda explanation: sign * explanation.score)

    def record(self, metric: int, system: int, segment: int) -> dict[str, Any]:
        """The explanation as JSON, or the error that came instead of it."""
        try:
            explanation = self.explain(metric, system, segment)
        except MetaphraseError as error:
            return {"error": {"code": error.code, "message": error.message, "hint": error.hint}}
        return explanation_record(explanation)


def explanation_record(explanation: Explanation) -> dict[str, Any]:
    """The explanation as JSON, with as many digits as a page needs."""
    record: dict[str, Any] = compact(explanation.to_dict())
    return record


def compact(value: Any) -> Any:
    """The same with short numbers; what JSON cannot express is null."""
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        short = float(f"{value:.{_DIGITS}g}")
        return int(short) if short.is_integer() and abs(short) < 1e15 else short
    if isinstance(value, Mapping):
        return {name: compact(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [compact(item) for item in value]
    return value
