"""Whether metrics can be had as they were asked for, found out before an evaluation is taken on."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from pathlib import Path
from typing import Any

from metaphrase.corpus.formats.conllu import is_named_conllu
from metaphrase.errors import MetaphraseError
from metaphrase.serve.evaluation_request import EvaluationRequest
from metaphrase.serve.limits import Limits
from metaphrase.serve.problems import from_record
from metaphrase.serve.processes import ask_refusal

#: Answers that are remembered: people ask for the same few metrics again and again.
_REMEMBERED = 256

Choice = tuple[str, tuple[str, ...]]


class Choices:
    """Asks a worker about a choice of metrics when it comes for the first time."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._folder = folder
        self._limits = limits
        self._refusals: OrderedDict[Choice, dict[str, Any] | None] = OrderedDict()

    async def check(self, request: EvaluationRequest) -> None:
        """Refuse metrics that do not exist, or not in the language, or not with such options."""
        if any(is_named_conllu(file.name) for file in (*request.references, *request.systems)):
            return  # files that bring an analysis along make more possible, which the evaluation knows
        choice = (request.lang, request.metrics)
        if choice not in self._refusals:
            try:
                refusal = await ask_refusal(
                    request.metrics, request.lang, self._folder, self._limits
                )
            except (MetaphraseError, asyncio.TimeoutError):
                return  # a worker that fails says nothing about the metrics: the evaluation will
            self._refusals[choice] = refusal
            if len(self._refusals) > _REMEMBERED:
                self._refusals.popitem(last=False)
        refusal = self._refusals[choice]
        if refusal is not None:
            raise from_record(refusal)
