"""Metrics from a file of Python that its user names: it is run, and the metrics that it defines are known."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Mapping
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any, SupportsIndex

from metaphrase.corpus.formats import Format
from metaphrase.corpus.formats.registry import load_formats
from metaphrase.corpus.lines import cannot_read
from metaphrase.entry_points import Origin
from metaphrase.errors import InputError, MetaphraseError, ResourceError
from metaphrase.metrics import registry
from metaphrase.metrics.base import Metric
from metaphrase.metrics.plugins import adopt, breach
from metaphrase.options import options

#: Threads that unpickle metrics of one file run it once.
_lock = RLock()


def load_metrics(path: str | PathLike[str]) -> dict[str, type[Metric]]:
    """Run a file of Python, and make the metrics that it defines known by their names.

    Whatever the file does is done: load only what you would run. A file that has been changed is run again,
    and its metrics take the place of the old ones. Signatures have the hash of the file, not of what it
    imports.

    >>> import metaphrase
    >>> list(metaphrase.load_metrics("word_recall.py"))
    ['word-recall']
    >>> float(metaphrase.create("word-recall").sentence_score("a big house", ["the big red house"]))
    0.5
    """
    content, origin = _read(path)
    try:
        return _loaded(content, origin)
    except MetaphraseError as error:
        raise error.at(path, error.line) from error.__cause__


def _read(path: str | PathLike[str]) -> tuple[bytes, Origin]:
    place = Path(os.path.abspath(path))  # noqa: PTH100
    try:
        content = place.read_bytes()
    except (OSError, ValueError) as error:
        raise cannot_read(path, os.fspath(path), error) from error
    return content, Origin(place.name, blake2b(content, digest_size=6).hexdigest(), str(place))


def _loaded(content: bytes, origin: Origin) -> dict[str, type[Metric]]:
    with _lock, registry.all_or_nothing() as metrics:
        of_file = {
            name: kind
            for name, kind in metrics.items()
            if kind.origin is not None and kind.origin.path == origin.path
        }
        if any(kind.origin == origin for kind in of_file.values()):
            return of_file
        for name in of_file:
            del metrics[name]
        kinds = _run(content, origin)
        for kind in kinds:
            registry.check_free(kind)
            adopt(kind, origin)
            # A process that gets such a metric by pickle has not run the file yet.
            kind.__reduce_ex__ = _reduce  # type: ignore[assignment]
            registry.register(kind)
        return {kind.name: kind for kind in kinds}


def _run(content: bytes, origin: Origin) -> list[type[Metric]]:
    """The metrics of a file, in their order; base classes of them have no name."""
    assert origin.path is not None
    # No import statement can spell this, so that it hides no module.
    module = ModuleType(f"{origin.name.removesuffix('.py').replace('.', '_')}@{origin.fingerprint}")
    module.__file__ = origin.path
    sys.modules[module.__name__] = module  # dataclasses look it up there
    try:
        exec(compile(content, origin.path, "exec"), vars(module))
    except MetaphraseError as error:
        raise error.at(origin.path, _line(error, origin.path)) from error
    except (Exception, SystemExit) as error:
        raise InputError(
            "MP521",
            f"Python cannot run this file: {type(error).__name__}: {_message(error)}.",
            path=origin.path,
            line=_line(error, origin.path),
            hint="Mend it; `python FILE` shows the same.",
        ) from error
    return _metrics_in(module, origin)


def _metrics_in(module: ModuleType, origin: Origin) -> list[type[Metric]]:
    """The metrics of a file, which may have formats of files as well, or nothing else."""
    assert origin.path is not None
    formats = [value for value in vars(module).values() if isinstance(value, Format)]
    metrics = [
        kind
        for kind in dict.fromkeys(filter(_is_metric, vars(module).values()))
        if kind.__module__ == module.__name__
    ]
    named = [kind for kind in metrics if hasattr(kind, "name")]
    if not load_formats(formats, origin.path) and not named:
        nameless = f": {metrics[-1].__name__} has no name" if metrics else ""
        raise InputError(
            "MP522",
            f"The file defines no metric{nameless}.",
            path=origin.path,
            hint="A metric is a sub-class of metaphrase.Metric with a name (docs/adding-a-metric.md).",
        )
    for kind in named:
        if found := breach(kind):
            raise InputError(
                "MP524",
                f"The class {kind.__name__} is no metric: {found}",
                path=origin.path,
                hint="docs/adding-a-metric.md says what belongs to one.",
            )
    return named


def _is_metric(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Metric)


def _message(error: BaseException) -> str:
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    return message.rstrip(".")


def _line(error: BaseException, path: str) -> int | None:
    """Where in the file it happened, however deep in what the file calls."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno for frame in reversed(frames) if frame.filename == path), None)


def _reduce(self: Metric, protocol: SupportsIndex) -> str | tuple[Any, ...]:
    origin = vars(type(self)).get("origin")
    if origin is None:  # a sub-class that is not of the file
        return object.__reduce_ex__(self, protocol)
    chosen = {name: getattr(self, name) for name in options(self)}
    return _made_again, (origin, self.name, chosen)


def _made_again(origin: Origin, name: str, chosen: Mapping[str, Any]) -> Metric:
    """A metric as it was pickled, maybe in another process, of the very same file."""
    with _lock:
        kind = registry.known(name)
        if kind is None or kind.origin != origin:
            assert origin.path is not None
            content, found = _read(origin.path)
            if found != origin:
                raise ResourceError(
                    "MP527",
                    f"The file was changed since a metric {name!r} of it was pickled.",
                    path=origin.path,
                    hint="Make the metric again.",
                )
            kind = _loaded(content, origin)[name]
    return kind(**chosen)
