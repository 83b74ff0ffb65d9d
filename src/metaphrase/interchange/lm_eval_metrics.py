"""Our metrics in tasks of lm-evaluation-harness (https://github.com/EleutherAI/lm-evaluation-harness).

A task names a metric by a function of this module, ``!function metaphrase.interchange.lm_eval_metrics.NAME``.
Any specification is a name, and importing the module registers each metric as ``metaphrase_NAME``. Nothing
else imports the harness.

It scores one answer after the other and then aggregates. An answer's score carries its sufficient statistics,
so that the score of all answers is that of the corpus, to the last bit, and nothing is read twice. Standard
errors are only estimated for aggregations of the harness' own; a metric may however return several values,
and one called ``NAME_stderr`` takes the place of the error that is missing.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from lm_eval.api.registry import (
    aggregation_registry,
    metric_registry,
    register_aggregation,
    register_metric,
)

from metaphrase.arrays import FloatArray
from metaphrase.corpus import Corpus
from metaphrase.corpus.validation import is_listed
from metaphrase.defaults import DEFAULT_LANGUAGE
from metaphrase.errors import InputError, OptionError
from metaphrase.metrics import Metric, available, create
from metaphrase.metrics.comparison import compare
from metaphrase.metrics.signature import reference_count
from metaphrase.statistics.exact_sum import ExactSum
from metaphrase.statistics.resampling import standard_error

#: What results of the harness call our metrics, beside its own bleu, chrf and ter.
PREFIX: Final = "metaphrase_"
#: What the harness says where there is no standard error.
_NONE = "N/A"
#: The harness shows what its own loggers say, and no others.
_logger = logging.getLogger("lm_eval.metaphrase")


class AnswerScore(float):
    """The score of one answer; ``statistics`` are what the score of all answers is made of."""

    def __new__(cls, value: float, statistics: AnswerStatistics) -> AnswerScore:
        """A number that remembers its statistics."""
        made = super().__new__(cls, value)
        made.statistics = statistics
        return made

    statistics: AnswerStatistics

    def __getnewargs__(self) -> tuple[float, AnswerStatistics]:  # type: ignore[override]
        return float(self), self.statistics

    def __bool__(self) -> bool:
        # With several targets the harness asks for each if it was met, and reports a 1 if any was.
        raise OptionError(
            "MP956",
            "several targets in a task: lm-evaluation-harness would make a yes or no of their scores.",
            hint="Write process_results for this task, and give all references of an answer at once.",
        )


class AnswerStatistics(tuple[float, ...]):
    """A row of a metric's statistics, which logs of samples show as numbers."""

    metric: Metric
    references: int

    @classmethod
    def of(cls, row: FloatArray, metric: Metric, references: int) -> AnswerStatistics:
        """A row of the metric, of an answer with so many references."""
        made = cls(row.tolist())
        made.metric, made.references = metric, references
        return made

    def __radd__(self, other: object) -> Any:
        # The harness adds up what it has no other aggregation for.
        raise OptionError(
            "MP955",
            f"{self.metric.label} is aggregated by something else than {corpus_score.__name__}.",
            hint="Leave `aggregation` out of the metric in the task.",
        )


@dataclass(frozen=True, slots=True)
class HarnessMetric:
    """A metric as the harness calls it: with one answer and what it should have been."""

    specification: str
    lang: str = DEFAULT_LANGUAGE

    @property
    def __name__(self) -> str:  # the harness takes it for a function
        return PREFIX + self.specification

    def metric(self, lang: str | None = None, **options: Any) -> Metric:
        """The metric with the options that a task gives beside its name."""
        made = replace(
            create(self.specification, lang=self.lang if lang is None else lang), **options
        )
        if made.needs_whole_corpus or made.needs_documents:
            raise OptionError(
                "MP957",
                f"{made.label} looks at the whole corpus, and the harness has one answer at a time.",
                hint="Take another metric, or score logged samples with metaphrase.score.",
            )
        return made

    def __call__(
        self,
        *,
        predictions: Sequence[str],
        references: Sequence[str | Sequence[str]],
        lang: str | None = None,
        **options: Any,
    ) -> dict[str, AnswerScore | AnswerStatistics]:
        """The score and the statistics of one answer; several references of it are a list in the list."""
        metric = self.metric(lang, **options)
        answer, texts = _checked(predictions, references)
        corpus = Corpus({"answer": [answer]}, [[text] for text in texts])
        (comparison,) = compare(corpus, metric)
        rows = metric.statistics(comparison)
        statistics = AnswerStatistics.of(rows[0], metric, len(texts))
        score = AnswerScore(float(metric.segment_score(rows)[0]), statistics)
        return {self.__name__: score, f"{self.__name__}_stderr": statistics}


def _checked(
    predictions: Sequence[str], references: Sequence[str | Sequence[str]]
) -> tuple[str, list[str]]:
    """One answer and its references, which have no number to name them by."""
    listed = is_listed(predictions) and is_listed(references)
    if (
        not listed
        or (len(predictions), len(references)) != (1, 1)
        or not isinstance(predictions[0], str)
    ):
        raise InputError(
            "MP958",
            "an answer is one text, with its reference or a list of its references.",
            hint="A filter that leaves one answer is take_first.",
        )
    (answer,), (given,) = predictions, references
    texts = [given] if isinstance(given, str) else list(given) if is_listed(given) else []
    if not texts or not all(isinstance(text, str) and text.strip() for text in texts):
        raise InputError(
            "MP958",
            f"the answer {answer[:60]!r} has no reference, or an empty one.",
            hint="Mend the data, or leave the document out (process_docs).",
        )
    return answer, texts


def corpus_score(items: Sequence[AnswerScore] | Sequence[AnswerStatistics]) -> float | str:
    """The score of the corpus of all answers, or its standard error by the bootstrap.

    The error is the standard deviation over 1,000 resamples of answers, drawn as for our intervals.
    """
    rows = [item.statistics if isinstance(item, AnswerScore) else item for item in items]
    if not all(isinstance(row, AnswerStatistics) for row in rows):
        raise OptionError(
            "MP955",
            f"{corpus_score.__name__} aggregates scores of metaphrase, and was given others.",
            hint="Take the metric from metaphrase.interchange.lm_eval_metrics, too.",
        )
    statistics, metric = np.array(rows), rows[0].metric
    if not isinstance(items[0], AnswerScore):
        return standard_error(statistics, metric.score) if len(rows) > 1 else _NONE
    total = ExactSum()
    total.add(statistics)
    score = float(metric.score(total.value()[None])[0])
    count = reference_count(row.references for row in rows)
    _logger.info("%s = %s %s", metric.label, score, metric.signature(count))
    return score


def metric(specification: str, *, lang: str = DEFAULT_LANGUAGE) -> HarnessMetric:
    """A metric for tasks, registered with the harness as ``metaphrase_SPECIFICATION``."""
    made = HarnessMetric(specification, lang)
    made.metric()  # refuses before a model has answered anything
    _register(made, create(specification, lang=lang).higher_is_better)
    return made


def _register(made: HarnessMetric, higher_is_better: bool) -> None:
    if made.__name__ not in metric_registry:
        register_metric(
            metric=made.__name__,
            higher_is_better=higher_is_better,
            output_type="generate_until",
            aggregation=PREFIX + corpus_score.__name__,
        )(made)


def __getattr__(name: str) -> HarnessMetric:
    """``!function metaphrase.interchange.lm_eval_metrics.NAME``: any specification of a metric."""
    if name.startswith("_"):  # what Python and the harness look for in modules
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return metric(name)


if PREFIX + corpus_score.__name__ not in aggregation_registry:
    register_aggregation(PREFIX + corpus_score.__name__)(corpus_score)
for _name, _kind in available().items():
    _register(HarnessMetric(_name), _kind.higher_is_better)
