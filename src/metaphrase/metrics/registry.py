"""Which metrics there are: every module of this package may register some, and so may plug-ins."""

from __future__ import annotations

import pkgutil
import traceback
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from metaphrase.corpus.formats.registry import temporary_formats
from metaphrase.entry_points import Origin, origin_of
from metaphrase.errors import MetaphraseError, OptionError, ResourceError
from metaphrase.metrics import plugins
from metaphrase.metrics.base import Metric
from metaphrase.options import options

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_metrics: dict[str, type[Metric]] = {}
_MetricType = TypeVar("_MetricType", bound=type[Metric])


def register(metric: _MetricType) -> _MetricType:
    """Class decorator: make the metric known by its ``name``. A name that is taken is an error."""
    if _metrics.get(metric.name, metric) is not metric:
        raise _taken(metric.name, _metrics[metric.name])
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
    """Every metric by name, sorted; plug-ins that cannot be used are left out.

    >>> "cobalt" in available()
    True
    """
    _import_all()
    unusable()  # the others are known then
    return dict(sorted(_metrics.items()))


def unusable() -> dict[str, MetaphraseError]:
    """What is wrong with installed plug-ins that cannot be used, by the name of their entry point."""
    found = {}
    for name, points in plugins.installed().items():
        try:
            _plug_in(name, points)
        except MetaphraseError as error:
            found[name] = error
    return found


def _plug_in(name: str, points: Sequence[EntryPoint]) -> None:
    """Make the metric of an entry point known, once."""
    taken = known(name)
    if taken is None:
        with all_or_nothing():
            register(plugins.imported(name, points))
    elif [taken.origin] != list(map(origin_of, points)):
        raise _taken(name, taken, " and ".join(str(origin_of(point)) for point in points))


def known(name: str) -> type[Metric] | None:
    """The metric called ``name``, if it is ours or a plug-in that was asked for before."""
    _import_all()
    return _metrics.get(name)


def check_free(metric: type[Metric]) -> None:
    """Refuse a name that another metric has, be it a plug-in that nobody has asked for yet."""
    if (taken := known(metric.name)) not in (None, metric):
        raise _taken(metric.name, taken)
    if points := plugins.installed().get(metric.name):
        raise _taken(metric.name, origin_of(points[0]))


def _taken(name: str, by: type[Metric] | Origin | None, claimant: str = "") -> OptionError:
    origin = by.origin if isinstance(by, type) else by
    whose = "of metaphrase itself" if origin is None else f"of {origin}"
    return OptionError(
        "MP523",
        f"{name!r}{' of ' if claimant else ''}{claimant} is the name of a metric {whose}, too.",
        hint="Give the new one another name.",
    )


@contextmanager
def temporary_metrics() -> Iterator[None]:
    """For tests: what a block makes known, metrics and formats, is forgotten after it.

    >>> import metaphrase
    >>> with temporary_metrics():
    ...     kinds = metaphrase.load_metrics("word_recall.py")
    >>> "word-recall" in available()
    False
    """
    _import_all()
    before = dict(_metrics)
    try:
        with temporary_formats():
            yield
    finally:
        _know_only(before)


@contextmanager
def all_or_nothing() -> Iterator[dict[str, type[Metric]]]:
    """The metrics known by name, of which an error leaves those that were there before."""
    _import_all()
    before = dict(_metrics)
    try:
        yield _metrics
    except BaseException:
        _know_only(before)
        raise


def _know_only(kinds: Mapping[str, type[Metric]]) -> None:
    _metrics.clear()
    _metrics.update(kinds)


def plugin_failure(error: BaseException) -> ResourceError | None:
    """``error`` said of the plug-in in whose code it happened; ``None`` if it is not a plug-in's."""
    packages = {_package(kind.__module__): kind for kind in _metrics.values() if kind.origin}
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        kind = packages.get(_package(frame.f_globals.get("__name__", "")))
        if kind is not None:
            return ResourceError(
                "MP526",
                f"the metric {kind.name} of {kind.origin} failed: {type(error).__name__}: {error}.",
                path=frame.f_code.co_filename,
                line=line,
            )
    return None


def _package(module: str) -> str:
    return module.partition(".")[0]


def of_class(name: str) -> type[Metric]:
    """The metric of ours whose class is called ``name``."""
    _import_all()
    ours = (kind for kind in _metrics.values() if _package(kind.__module__) == "metaphrase")
    return next(kind for kind in ours if kind.__name__ == name)


def find(name: str) -> type[Metric]:
    """The metric called ``name``; an unknown one is an error that suggests the nearest.

    Only if it is none of ours, plug-ins are looked for.

    >>> find("chrf++").summary
    "F-score of character and word n-grams (sacreBLEU's numbers)"
    """
    if (kind := known(name)) is not None:
        return kind
    installed = plugins.installed()
    if name not in installed:
        raise _unknown(name, sorted({*_metrics, *installed}))
    _plug_in(name, installed[name])
    return _metrics[name]


def _unknown(name: str, metrics: Sequence[str]) -> OptionError:
    # TESLA-CELAB is "celab" here, which readers of its paper cannot know.
    names = [*metrics, *(f"tesla-{name}" for name in metrics)]
    close = get_close_matches(name.lower().replace("_", "-"), names, n=1)
    close = [match if match in metrics else match.removeprefix("tesla-") for match in close]
    hint = f"Did you mean {close[0]!r}?" if close else f"There are: {', '.join(metrics)}."
    if len(several := name.split(",")) > 1 and set(metrics) >= set(several):
        hint = f"Did you mean {len(several)} metrics? Put a space between them: {' '.join(several)}"
    return OptionError("MP504", f"there is no metric called {name!r}.", hint=hint)


def create(specification: str, **defaults: Any) -> Metric:
    """Make a metric from ``name``, ``name:variant`` or ``name:option=value:option=value``.

    A variant is a name for several options (:attr:`Metric.variants`), and options may follow it. A metric may
    take what comes last as it is written, colons and all (``exec:COMMAND``).
    ``defaults`` are options for every metric that has them; what the specification says comes first.

    >>> create("cobalt:alpha=0.5")
    Cobalt(alpha=0.5)
    >>> create("pbe:tfidf:similarity=none", lang="en").specification
    'pbe:tfidf:similarity=none'
    """
    name, *assignments = specification.split(":")
    metric = find(name)
    known = options(metric)
    chosen = {key: value for key, value in defaults.items() if key in known}
    if assignments and metric.variants and "=" not in assignments[0]:
        chosen |= _variant(metric, assignments.pop(0))
    if metric.rest_option is not None:
        assignments = _with_rest(assignments, metric.rest_option, known)
    for assignment in _join_values(assignments):
        key, equals, value = assignment.partition("=")
        if not equals:
            raise _no_option(metric, assignment, specification)
        chosen[key] = known[key].parse(value) if key in known else value
    return metric(**chosen)


def _no_option(metric: type[Metric], given: str, specification: str) -> OptionError:
    hint = "Options are written name:option=value."
    if given in metric.variants:
        hint = f"A metric has one variant at most, and options may follow it. {hint}"
    elif not metric.variants:
        hint = f"{metric.name} has no variants. {hint}"
    return OptionError("MP505", f"cannot read {given!r} in {specification!r}.", hint=hint)


def obstacle(specification: str, **defaults: Any) -> MetaphraseError | None:
    """Why a metric cannot run here: what it lacks, or what it does not know; ``None`` if it can."""
    try:
        # A signature has the hash of all that a score depends on.
        create(specification, **defaults).signature()
    except MetaphraseError as error:
        return error
    except Exception as error:
        if (failure := plugin_failure(error)) is None:
            raise
        return failure
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


def _with_rest(parts: Sequence[str], rest: str, known: Collection[str]) -> list[str]:
    """``option=value`` as long as there are options, and all that follows as the last of them."""
    for place, part in enumerate(parts):
        key, equals, value = part.partition("=")
        if key == rest and equals:
            return [*parts[:place], ":".join([f"{rest}={value}", *parts[place + 1 :]])]
        if not (equals and key in known):
            return [*parts[:place], f"{rest}={':'.join(parts[place:])}"]
    return list(parts)


def _join_values(parts: Sequence[str]) -> list[str]:
    """Put colons back that belong to a value (``analyser=spacy:NAME``)."""
    joined: list[str] = []
    for part in parts:
        if "=" in part or not joined:
            joined.append(part)
        else:
            joined[-1] += f":{part}"
    return joined
