"""Where a metric is not what its paper describes: other resources, and other defaults.

``NAME:paper`` is the configuration that the paper describes. What even that must replace is
``Metric.substituted``; in which options the default of ``NAME`` differs from it is ``Metric.departures``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from metaphrase.metrics.signature import spell
from metaphrase.options import options

if TYPE_CHECKING:
    from metaphrase.metrics.base import Metric

#: The variants that are what a paper describes, and what its authors' program does.
PAPER, RELEASED = "paper", "released"


def always(metric: Metric) -> bool:
    """Of every configuration."""
    return True


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
    #: Whether the authors' program has it, too, so that ``NAME:released`` replaces it as well.
    in_program: bool = False
    #: Of which configurations it is true: topics are replaced only where there are any.
    when: Callable[[Any], bool] = always


def is_paper(metric: Metric) -> bool:
    """Whether its options are those of its paper, but for some that were chosen."""
    return metric.variant_name == f"{metric.name}:{PAPER}"


def substituted(metric: Metric) -> Iterator[Difference]:
    """What is not the paper's, or the program's, in a metric that is to be that.

    A part that is an option is no longer substituted once it is given: paraphrases of PPDB, say. What a
    variant sets and somebody has set otherwise is not the paper's either.

    >>> list(substituted(metaphrase.Cobalt()))  # which is to be neither
    []
    """
    variant = metric.variant_name.partition(":")[2]
    if variant not in (PAPER, RELEASED):
        return
    known, chosen = options(metric), metric.variants[variant]
    others = [name for name, value in chosen.items() if getattr(metric, name) != value]
    for one in metric.substituted:
        if (variant == PAPER or one.in_program) and one.when(metric):
            option = known.get(one.part)
            own = None if option is None else chosen.get(one.part, option.default)
            if option is None or getattr(metric, one.part) in (own, "none"):
                yield one
            if one.part in others:
                others.remove(one.part)
    for name in others:
        here = spell(getattr(metric, name))
        yield Difference(part=name, published=spell(chosen[name]), here=here, why="It was chosen.")
