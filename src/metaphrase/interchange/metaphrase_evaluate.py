"""The script that ``evaluate.load`` runs: ``evaluate.load(SCRIPT, "accord")`` is our metric ``accord``."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import datasets
import evaluate

from metaphrase.defaults import DEFAULT_METRIC
from metaphrase.interchange.evaluate_module import EvaluateModule
from metaphrase.metrics import create, find
from metaphrase.scoring import OnError

_DESCRIPTION = "metaphrase: machine translation metrics that explain every score word by word."
_INPUTS = """
predictions: list of N translations
references: N lists of R references each (or N texts, one reference each)
sources: list of N source texts, for metrics that read them
lang: the language of the translations (default: en); other arguments are options of the metric
"""


class Metaphrase(evaluate.Metric):  # type: ignore[misc]
    """One of our metrics; the configuration names it."""

    def _info(self) -> evaluate.MetricInfo:
        name = DEFAULT_METRIC if self.config_name == "default" else self.config_name
        text, texts = datasets.Value("string"), datasets.Sequence(datasets.Value("string"))
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=find(name.partition(":")[0]).citation,
            inputs_description=_INPUTS,
            features=[
                datasets.Features({"predictions": text, "references": texts}),
                datasets.Features({"predictions": text, "references": text}),
            ],
        )

    def _compute(
        self,
        predictions: list[str],
        references: list[list[str]] | list[str],
        sources: Iterable[str] | None = None,
        lang: str = "en",
        threads: int | None = None,
        on_error: OnError = "stop",
        **options: Any,
    ) -> dict[str, Any]:
        name = DEFAULT_METRIC if self.config_name == "default" else self.config_name
        # Defaults of `create` may be for other metrics; an option that is given here is for this one.
        module = EvaluateModule(replace(create(name, lang=lang), **options))
        return module.compute(
            predictions=predictions,
            references=references,
            sources=sources,
            threads=threads,
            on_error=on_error,
        )
