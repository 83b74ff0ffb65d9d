"""Our metrics as those of mbrs (https://github.com/naist-nlp/mbrs), so that its decoders can call them.

mbrs brings torch, so nothing else imports this module, and the package does not ask for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from mbrs import timer
from mbrs.metrics import MetricAggregatable
from mbrs.metrics import register as register_metric
from mbrs.selectors import SelectorNbest
from mbrs.selectors import register as register_selector

from metaphrase.arrays import FloatArray
from metaphrase.corpus.validation import checked_column
from metaphrase.defaults import DEFAULT_LANGUAGE, DEFAULT_METRIC
from metaphrase.errors import OptionError
from metaphrase.metrics import create
from metaphrase.selection import Candidates, Chooser, pairwise, probabilities
from metaphrase.threads import check_threads


@register_metric("metaphrase")
class MbrsMetric(MetricAggregatable):  # type: ignore[misc]
    """A metric of ours behind mbrs' interface: scores are ours, in double precision, and read no source.

    References are aggregated for metrics that are made of counts (bleu, chrf, chrf++, nist); their statistics
    are those of all pairs, added up, where mbrs' own clip counts by the mean of the references.
    """

    @dataclass
    class Config(MetricAggregatable.Config):  # type: ignore[misc]
        """What to measure with.

        - name (str): The metric, with its options if there are any: chrf, bleu:lowercase=yes.
        - lang (str): The language of the texts.
        - threads (int): Threads to work with; 0 takes all cores.
        """

        name: str = DEFAULT_METRIC
        lang: str = DEFAULT_LANGUAGE
        threads: int = 0

    def __init__(self, cfg: MbrsMetric.Config) -> None:
        super().__init__(cfg)
        self.metric = create(cfg.name, lang=cfg.lang)
        if self.metric.needs_documents:
            raise OptionError(
                "MP570",
                f"{self.metric.label} needs documents, of which mbrs' interface knows nothing.",
                hint="Use metaphrase.score, or a variant that needs none.",
            )
        self.threads = check_threads(cfg.threads or None)
        # Decoders ask the metric itself, not its class.
        self.HIGHER_IS_BETTER = self.metric.higher_is_better

    def score(self, hypothesis: str, reference: str, source: str | None = None) -> float:
        """The score of a hypothesis."""
        return float(self.scores([hypothesis], [reference])[0])

    def scores(
        self, hypotheses: list[str], references: list[str], sources: list[str] | None = None
    ) -> torch.Tensor:
        """The score of each hypothesis with the reference in its place."""
        with timer.measure("score") as watch:
            watch.set_delta_ncalls(len(hypotheses))
            # Samples may be empty, which references of a corpus may not.
            rows: dict[str, int] = {}
            own, other = (
                np.array(
                    [
                        rows.setdefault(text, len(rows))
                        for text in checked_column(name, texts, "text")
                    ],
                    dtype=np.int32,
                )
                for name, texts in (("hypotheses", hypotheses), ("references", references))
            )
            table = self.metric.table(list(rows), threads=self.threads)
            return torch.from_numpy(table.scores(own, other))

    def pairwise_scores(
        self, hypotheses: list[str], references: list[str], source: str | None = None
    ) -> torch.Tensor:
        """The score of each hypothesis with each reference: (hypotheses, references)."""
        with timer.measure("score") as watch:
            watch.set_delta_ncalls(len(hypotheses) * len(references))
            return torch.from_numpy(
                pairwise(self.metric, hypotheses, references, threads=self.threads)
            )

    def expected_scores(
        self,
        hypotheses: list[str],
        references: list[str],
        source: str | None = None,
        reference_lprobs: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """The mean score of each hypothesis, references weighted by their probabilities.

        They are the utilities of :func:`metaphrase.select`, to the last bit.
        """
        return self._expected(hypotheses, references, reference_lprobs, aggregate=False)

    def expected_scores_reference_aggregation(
        self,
        hypotheses: list[str],
        references: list[str],
        source: str | None = None,
        reference_lprobs: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """The score of each hypothesis by the sum of its statistics with all references."""
        return self._expected(hypotheses, references, reference_lprobs, aggregate=True)

    def corpus_score(
        self,
        hypotheses: list[str],
        references_lists: list[list[str]],
        sources: list[str] | None = None,
    ) -> float:
        """The score of a corpus; ``references_lists[r][i]`` is the r-th reference of segment i."""
        found = self.metric.corpus_score(hypotheses, references_lists, threads=self.threads)
        return float(found.score)

    def _expected(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str],
        logarithms: torch.Tensor | None,
        *,
        aggregate: bool,
    ) -> torch.Tensor:
        weights: FloatArray | None = None
        if logarithms is not None:
            weights = probabilities(logarithms.tolist())
        sentence = Candidates(texts=hypotheses, samples=references, weights=weights)
        chooser = Chooser(metrics=[self.metric], aggregate=aggregate, threads=self.threads)
        with timer.measure("expectation"):
            return torch.from_numpy(next(chooser.choose([sentence])).utilities)


@register_selector("metaphrase")
class MbrsSelector(SelectorNbest):  # type: ignore[misc]
    """The best hypotheses, of equal ones the first first, as in :func:`metaphrase.select`.

    Which of equal ones mbrs' own selector takes, torch leaves open.
    """

    def topk(
        self, x: torch.Tensor, k: int = 1, maximize: bool = True
    ) -> tuple[list[float], list[int]]:
        """The ``k`` best scores and their places."""
        values: Any = x.numpy(force=True)
        order = np.argsort(-values if maximize else values, kind="stable")[:k]
        return values[order].tolist(), order.tolist()
