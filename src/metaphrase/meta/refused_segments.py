"""Judged segments that a metric refuses, which are then left out for all metrics.

Metrics can only be compared on what all of them have scored: one that refuses what is difficult would
otherwise agree with people more than the others.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from metaphrase.corpus.judgements import Judgements
from metaphrase.metrics import Metric
from metaphrase.metrics.refusals import Refusals
from metaphrase.metrics.segment_statistics import segment_statistics
from metaphrase.threads import check_threads


def refused_segments(
    judged: Judgements, metric: Metric, *, threads: int | None = None
) -> dict[int, str]:
    """The segments of which a metric refuses what any system said, by position, and the codes."""
    workers = check_threads(threads)
    found: dict[int, str] = {}
    if metric.needs_whole_corpus:
        for _, segments, corpus in judged.system_corpora():
            refusals = Refusals()
            for _ in segment_statistics(
                corpus, {metric.label: metric}, threads=workers, first=0, refusals=refusals
            ):
                pass
            found |= {int(segments[one.segment]): one.code for one in refusals.found}
        return found
    texts: dict[int, str] = {}
    for places, corpus in judged.corpora():
        refusals = Refusals()
        for _ in segment_statistics(
            corpus, {metric.label: metric}, threads=workers, first=0, refusals=refusals
        ):
            pass
        texts |= {int(places[one.segment]): one.code for one in refusals.found}
    for text, code in texts.items():
        for segment in np.flatnonzero((judged.text_of == text).any(axis=0)).tolist():
            found[segment] = code
    return found


def left_out(judged: Judgements, refused: Mapping[str, Mapping[int, str]]) -> list[str]:
    """What readers must know: how many segments each metric refused, and which came first."""
    said = []
    for name, segments in refused.items():
        first = min(segments)
        codes = ", ".join(sorted(set(segments.values())))
        said.append(
            f"{judged.name} {judged.language_pair}: {name} refused {len(segments):,} of "
            f"{len(judged.segments):,} segments ({codes}), which are left out for all metrics; the first is "
            f"{judged.segments[first]}."
        )
    return said
