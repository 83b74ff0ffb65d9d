"""What metrics see of errors as HTML: the page of a report that shows a challenge set.

It is the same front end; what makes it another page is ``probe`` in the overview, and the block ``failures``.
Keys are those of ``web/src/data/probe.ts``.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any

from metaphrase.corpus import Corpus
from metaphrase.probing import MeanSeen, Probed, Seen
from metaphrase.report.dataset import ReportData, blocks
from metaphrase.report.dataset.overview import frame
from metaphrase.report.page.html_file import report_page

TITLE = "What metrics do not see"


def probe_page(probed: Probed, *, lang: str = "xx", title: str = TITLE, examples: int = 3) -> str:
    """The table and so many failures of each metric and kind, as a page that needs nothing but itself."""
    return b"".join(report_page(_page_data(probed, lang, title, examples))).decode()


def _page_data(probed: Probed, lang: str, title: str, examples: int) -> ReportData:
    items = probed.items
    corpus = Corpus(
        {"good": [item.good for item in items], "bad": [item.bad for item in items]},
        [[item.reference for item in items]],
        empty_references="keep",
    )
    overview = {
        **frame(corpus, title=title, lang=lang, explained="none"),
        "metrics": [
            {
                "name": info.name,
                "signature": info.signature,
                "higherIsBetter": info.higher_is_better,
                "bounds": [bound if isfinite(bound) else None for bound in info.bounds],
                "explains": False,
                "digits": info.digits,
            }
            for info in probed.metrics
        ],
        "warnings": list(probed.warnings),
        "probe": {
            "items": len(items),
            "leftOut": probed.left_out,
            "resamples": probed.resamples,
            "seed": probed.seed,
            "kinds": [
                {
                    "name": kind.name,
                    "severity": kind.severity,
                    "items": len(kind.items),
                    "cells": [_cell(probed.seen(info.name, kind)) for info in probed.metrics],
                }
                for kind in probed.kinds
            ],
            "means": list(_means(probed)),
        },
    }
    failures = list(_failures(probed, examples))
    return ReportData(overview, {"failures": blocks.deflated(blocks.json_block(failures))})


def _means(probed: Probed) -> Iterator[dict[str, Any]]:
    groups = [name for name in probed.severities if _kinds(probed, name) > 1]
    for severity in [*groups, None] if len(probed.severities) > 1 else groups:
        yield {
            "severity": severity,
            "kinds": _kinds(probed, severity),
            "cells": [_cell(probed.mean(info.name, severity)) for info in probed.metrics],
        }


def _kinds(probed: Probed, severity: str | None) -> int:
    return sum(severity is None or kind.severity == severity for kind in probed.kinds)


def _cell(seen: Seen | MeanSeen) -> dict[str, float]:
    low, high = seen.interval
    return {"accuracy": seen.accuracy, "low": low, "high": high, "ties": seen.ties}


def _failures(probed: Probed, examples: int) -> Iterator[dict[str, Any]]:
    """By kind, then by metric, each as positions."""
    for number, kind in enumerate(probed.kinds):
        for metric, info in enumerate(probed.metrics):
            for one in probed.failures(info.name, kind, examples):
                yield {
                    "kind": number,
                    "metric": metric,
                    "id": one.item.id,
                    "source": one.item.source,
                    "reference": one.item.reference,
                    "good": one.item.good,
                    "bad": one.item.bad,
                    "scores": [one.good, one.bad],
                }
