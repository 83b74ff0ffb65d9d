"""Where a metric is not what its paper describes: other resources, and other defaults.

``NAME:paper`` is the configuration that the paper describes. What even that must replace is
``Metric.substituted``; in which options the default of ``NAME`` differs from it is ``Metric.departures``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from metaphrase.options import options

if TYPE_CHECKING:
    from metaphrase.metrics.base import Metric

#: The variant that is what its paper describes.
PAPER = "paper"


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """One part of a metric that is not what its paper describes.

    The part is the name of an option, or a resource in one or two words: *parser*, *training data*.
    """

    part: str
    published: str
    here: str
    #: With the figure that decided it, and where it was measured, if it is a default.
    why: str = ""
    #: Whether the default was chosen on the test sets on which it is reported.
    chosen_on_test: bool = False


def is_paper(metric: Metric) -> bool:
    """Whether its options are those of its paper, but for some that were chosen."""
    return metric.variant_name == f"{metric.name}:{PAPER}"


def substituted(metric: Metric) -> Iterator[Difference]:
    """What is not the paper's in a metric that is to be the paper's.

    A part that is an option is no longer substituted once another value is chosen: paraphrases of PPDB, say.

    >>> list(substituted(metaphrase.Cobalt()))  # which is not to be the paper's
    []
    """
    if not is_paper(metric):
        return
    known, chosen = options(metric), metric.variants[PAPER]
    for one in metric.substituted:
        option = known.get(one.part)
        if option is None or getattr(metric, one.part) == chosen.get(one.part, option.default):
            yield one
