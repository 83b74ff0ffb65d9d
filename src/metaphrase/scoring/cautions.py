"""What readers must know of scores: once for each metric, however many systems it concerns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.metrics import Metric


def cautions(
    metrics: Mapping[str, Metric], totals: Mapping[str, Mapping[str, FloatArray]]
) -> Iterator[str]:
    """What each metric has to say of ``totals``, the sums of its statistics by metric and by system.

    The numbers in it are those of all systems concerned together.
    """
    for label, metric in metrics.items():
        systems = totals[label]
        concerned = [name for name, total in systems.items() if metric.caution(total)]
        if concerned:
            caution = metric.caution(np.sum([systems[name] for name in concerned], axis=0))
            few = len(concerned) == 1
            who = concerned[0] if few else f"{len(concerned)} of {len(systems)} systems"
            yield f"{label}, {who}: {caution}"
