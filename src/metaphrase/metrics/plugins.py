"""Metrics that others wrote: what is asked of them, and those that installed distributions offer.

A distribution offers a metric by an entry point of the group ``metaphrase.metrics``, which has the name of
the metric and names its class. Nothing of a distribution is imported before somebody asks for its metric.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import MISSING, fields
from functools import wraps
from typing import TYPE_CHECKING, Any

import numpy as np

from metaphrase import entry_points
from metaphrase.arrays import FloatArray
from metaphrase.entry_points import Origin
from metaphrase.errors import ResourceError
from metaphrase.metrics.base import Metric
from metaphrase.metrics.comparison import Comparison

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "metaphrase.metrics"
#: What a specification or a signature cannot hold is in no name.
_NAME = re.compile(r"[\w+.-]+")


def breach(kind: Any) -> str | None:
    """In what a class falls short of a metric; ``None`` if it is one."""
    if not (isinstance(kind, type) and issubclass(kind, Metric)):
        return "it is no sub-class of metaphrase.Metric."
    name = getattr(kind, "name", None)
    if not (isinstance(name, str) and _NAME.fullmatch(name)):
        return f"its name, {name!r}, is not made of letters, digits and -, +, . or _."
    for text in ("summary", "citation"):
        if not isinstance(getattr(kind, text, None), str):
            return f"it lacks the class variable {text}, a text."
    if "__dataclass_params__" not in vars(kind):
        return "it is no dataclass: put @dataclass(frozen=True, kw_only=True) above it."
    if missing := sorted(kind.__abstractmethods__):
        return f"it lacks {' and '.join(missing)}."
    for one in fields(kind):
        if one.default is MISSING and one.default_factory is MISSING:
            return f"its option {one.name} has no default."
    if kind.signature is not Metric.signature:
        return (
            "it has a signature of its own: override signed, so that the signature says the rest."
        )
    try:
        kind()
    except Exception as error:
        return f"it cannot be made with its defaults: {type(error).__name__}: {error}"
    return None


def installed() -> dict[str, list[EntryPoint]]:
    """The entry points that offer metrics, by name."""
    return entry_points.installed(GROUP)


def imported(name: str, points: Sequence[EntryPoint]) -> type[Metric]:
    """The class of the metric called ``name``, which must have one entry point."""
    kind, origin = entry_points.imported("metric", name, points)
    found = breach(kind)
    if found is None and kind.name != name:
        found = f"its name is {kind.name!r}, and must be that of the entry point."
    if found is not None:
        raise entry_points.no_plugin("metric", name, points, origin, found)
    metric: type[Metric] = kind
    adopt(metric, origin)
    return metric


def adopt(kind: type[Metric], origin: Origin) -> None:
    """Note where a metric comes from, and check what it computes before anything sums it up."""
    adopted = "origin" in vars(kind)
    kind.origin = origin
    statistics = vars(kind).get("statistics")
    if statistics is None or adopted:
        return

    @wraps(statistics)
    def checked(self: Metric, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        rows = np.asarray(statistics(self, comparison, threads=threads), dtype=np.float64)
        if rows.ndim != 2 or len(rows) != len(comparison) or not np.isfinite(rows).all():
            raise ResourceError(
                "MP524",
                f"the statistics of {self.name} ({origin}) are no row of finite numbers for each segment: "
                f"segments {len(comparison)}, shape {rows.shape}.",
                hint="docs/adding-a-metric.md says what belongs to a metric.",
            )
        return rows

    kind.statistics = checked  # type: ignore[method-assign]
