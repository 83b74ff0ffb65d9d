"""Which metrics there are: every module of this package may register some."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from metaphrase.errors import MetaphraseError, OptionError
from metaphrase.metrics.base import Metric
from metaphrase.options import options

_metrics: dict[str, type[Metric]] = {}
_MetricType = TypeVar("_MetricType", bound=type[Metric])


def register(metric: _MetricType) -> _MetricType:
    """Class decorator: make the metric known by its ``name``. A name that is taken is an error."""
    if metric.name in _metrics and _metrics[metric.name] is not metric:
        raise ValueError(f"two metrics are called {metric.name!r}")
    if "__init__" in vars(metric):
        metric.__init__.__doc__ = "\n".join(
            f"{name}: {one.meaning}" for name, one in options(metric).items()
        )
    _metrics[metric.name] = metric
    return metric


@cache
def _import_all() -> None:
    package = import_module(__package__ or "metaphrase.metrics")
    for module in pkgutil.iter_modules(package.__path__):
        import_module(f"{package.__name__}.{module.name}")


def available() -> dict[str, type[Metric]]:
    """Every metric by name, sorted."""
    _import_all()
    return dict(sorted(_metrics.items()))


def of_class(name: str) -> type[Metric]:
    """The metric whose class is called ``name``."""
    return next(metric for metric in available().values() if metric.__name__ == name)


def find(name: str) -> type[Metric]:
    """The metric called ``name``; an unknown one is an error that suggests the nearest."""
    metrics = available()
    if name not in metrics:
        # TESLA-CELAB is "celab" here, which readers of its paper cannot know.
        known = {**dict.fromkeys(metrics), **{f"tesla-{name}": None for name in metrics}}
        close = get_close_matches(name.lower().replace("_", "-"), known, n=1)
        close = [match if match in metrics else match.removeprefix("tesla-") for match in close]
        hint = f"Did you mean {close[0]!r}?" if close else f"There are: {', '.join(metrics)}."
        if len(several := name.split(",")) > 1 and metrics.keys() >= set(several):
            hint = f"Did you mean {len(several)} metrics? Put a space between them: {' '.join(several)}"
        raise OptionError("MP504", f"there is no metric called {name!r}.", hint=hint)
    return metrics[name]


def create(specification: str, **defaults: Any) -> Metric:
    """Make a metric from ``name``, ``name:variant`` or ``name:option=value:option=value``.

    A variant is a name for several options (:attr:`Metric.variants`), and options may follow it.
    ``defaults`` are options for every metric that has them; what the specification says comes first.
    """
    name, *assignments = specification.split(":")
    metric = find(name)
    known = options(metric)
    chosen = {key: value for key, value in defaults.items() if key in known}
    if assignments and metric.variants and "=" not in assignments[0]:
        chosen |= _variant(metric, assignments.pop(0))
    for assignment in _join_values(assignments):
        key, equals, value = assignment.partition("=")
        if not equals:
            raise OptionError(
                "MP505",
                f"cannot read {assignment!r} in {specification!r}.",
                hint="Options are written name:option=value.",
            )
        chosen[key] = known[key].parse(value) if key in known else value
    return metric(**chosen)


def obstacle(specification: str, **defaults: Any) -> MetaphraseError | None:
    """Why a metric cannot run here: what it lacks, or what it does not know; ``None`` if it can."""
    try:
        # A signature has the hash of all that a score depends on.
        create(specification, **defaults).signature()
    except MetaphraseError as error:
        return error
    return None


def _variant(metric: type[Metric], name: str) -> Mapping[str, Any]:
    if name not in metric.variants:
        close = get_close_matches(name.lower(), metric.variants, n=1)
        hint = (
            f"Did you mean {metric.name}:{close[0]}?"
            if close
            else f"It has: {', '.join(metric.variants)}; options are written name:option=value."
        )
        raise OptionError("MP560", f"{metric.name} has no variant {name!r}.", hint=hint)
    return metric.variants[name]


def _join_values(parts: Sequence[str]) -> list[str]:
    """Put colons back that belong to a value (``analyser=spacy:NAME``)."""
    joined: list[str] = []
    for part in parts:
        if "=" in part or not joined:
            joined.append(part)
        else:
            joined[-1] += f":{part}"
    return joined
