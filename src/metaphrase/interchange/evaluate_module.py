"""Metrics in the manner of Hugging Face's ``evaluate``: predictions, references N × R, a dictionary.

There, ``references[i]`` is the list of references of prediction i; everywhere else here, ``references[r]``
is the r-th reference of all segments. The two are never told apart by guessing: this module takes the first
shape, all others the second, and a shape that cannot be right is an error that names both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isnan
from pathlib import Path
from typing import Any

from metaphrase.corpus import Corpus
from metaphrase.corpus.validation import ReferenceColumn, columns_of_segments, is_listed
from metaphrase.defaults import DEFAULT_METRIC
from metaphrase.errors import InputError
from metaphrase.metrics import Metric, create
from metaphrase.scoring import OnError, score

#: The script for ``evaluate.load(SCRIPT, "accord")``, which needs the package ``evaluate``.
SCRIPT = str(Path(__file__).parent / "metaphrase_evaluate.py")


class EvaluateModule:
    """``add``, ``add_batch`` and ``compute`` of one metric; nothing but this package is needed."""

    def __init__(self, metric: str | Metric = DEFAULT_METRIC, *, lang: str = "en") -> None:
        self.metric = create(metric, lang=lang) if isinstance(metric, str) else metric
        self._predictions: list[str] = []
        self._references: list[str | Sequence[str]] = []

    def add(self, *, prediction: str, references: str | Sequence[str]) -> None:
        """One prediction with its reference or references."""
        self.add_batch(predictions=[prediction], references=[references])

    def add_batch(
        self, *, predictions: Iterable[str], references: Iterable[str | Iterable[str]]
    ) -> None:
        """Several of them, all or none: what is refused is not kept."""
        texts, rows = _listed(predictions), [_row(entry) for entry in _listed(references)]
        references_by_number(texts, rows)
        self._predictions.extend(texts)
        self._references.extend(rows)

    def compute(
        self,
        *,
        predictions: Iterable[str] | None = None,
        references: Iterable[str | Iterable[str]] | None = None,
        sources: Iterable[str] | None = None,
        threads: int | None = None,
        on_error: OnError = "stop",
    ) -> dict[str, Any]:
        """``score`` of all, ``scores`` of each, ``signature``, ``higher_is_better`` and ``skipped``.

        With ``on_error="skip"`` predictions that the metric refuses are in no score; theirs is ``None``.
        ``sources`` are those of all predictions, for metrics that read them.

        What was added before counts first, and is forgotten afterwards, whether it could be scored or not.
        """
        try:
            if predictions is not None or references is not None:
                self.add_batch(
                    predictions=() if predictions is None else predictions,
                    references=() if references is None else references,
                )
            columns = references_by_number(self._predictions, self._references)
            texts = None if sources is None else _listed(sources)
            corpus = Corpus({"predictions": self._predictions}, columns, sources=texts)
        finally:
            self._predictions, self._references = [], []
        scores = score(
            corpus,
            [self.metric],
            levels=["system", "segment"],
            threads=threads,
            on_error=on_error,
        )
        (info,) = scores.metrics
        (system,) = scores.systems
        return {
            "score": system.system[info.name],
            "scores": [None if isnan(one) else one for one in system.segment[info.name].tolist()],
            "signature": info.signature,
            "higher_is_better": info.higher_is_better,
            "skipped": info.skipped,
        }


def _listed(given: Iterable[Any]) -> list[Any]:
    """What a list, an array or a generator has, as a list."""
    if not is_listed(given):
        raise InputError("MP572", "predictions and references are lists.", hint="Write [text].")
    return [str(entry) if isinstance(entry, str) else entry for entry in given]


def _row(entry: Any) -> str | list[Any]:
    return entry if isinstance(entry, str) else _listed(entry)


def check_shape(predictions: Sequence[str], references: Sequence[str | Sequence[str]]) -> None:
    """Refuse references that are not one entry a prediction."""
    if isinstance(predictions, str) or isinstance(references, str):
        raise InputError("MP572", "predictions and references are lists.", hint="Write [text].")
    if len(references) != len(predictions):
        inner = {len(entry) for entry in references if not isinstance(entry, str)}
        turned = inner == {len(predictions)}
        raise InputError(
            "MP572",
            f"there are {len(predictions)} predictions, but {len(references)} entries of references.",
            hint=f"These look like {len(references)} × {len(predictions)} (R × N); here they are "
            f"{len(predictions)} × {len(references)} (N × R): one list for each prediction."
            if turned
            else "Give one list of references (or one text) for each prediction: N × R.",
        )


def references_by_number(
    predictions: Sequence[str], references: Sequence[str | Sequence[str]]
) -> list[ReferenceColumn]:
    """N × R turned into R × N; a text alone is one reference, and predictions may have more or fewer."""
    check_shape(predictions, references)
    rows = [[entry] if isinstance(entry, str) else list(entry) for entry in references]
    if not all(rows):
        raise InputError(
            "MP573",
            f"prediction {rows.index([]) + 1} has no references.",
            hint="Give every prediction one or more.",
        )
    return columns_of_segments(rows)
