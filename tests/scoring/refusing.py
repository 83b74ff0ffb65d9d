"""Metrics of ours that refuse what is marked, and are themselves otherwise."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.errors import InputError
from metaphrase.metrics import Comparison, Metric

#: A character that stands in a text if and only if it is to be refused.
MARK = "☠"


def refusing(metric: Metric) -> Metric:
    """The same metric, which refuses a batch with a marked hypothesis or reference."""
    kind: Any = type(metric)

    class Refusing(kind):  # type: ignore[misc]
        def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
            for texts in (comparison.hypotheses, *comparison.references):
                if any(MARK in text for text in texts):
                    raise InputError("MP551", "a text is marked.")
            rows: FloatArray = super().statistics(comparison, threads=threads)
            return rows

    made: Metric = Refusing(**{one.name: getattr(metric, one.name) for one in fields(metric)})
    return made


@dataclass(frozen=True, kw_only=True)
class Troublesome(Metric):
    """Words of the translation, of which some are too much for it."""

    name = "troublesome"
    summary = "words"
    citation = ""

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        rows = []
        for text in comparison.hypotheses:
            if "raise" in text:
                raise ValueError("this is too much")
            if "memory" in text:
                raise MemoryError
            rows.append([np.nan if "nan" in text else float(len(text.split())), 1.0])
        return np.array(rows)
