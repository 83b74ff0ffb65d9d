"""Where the tables and language models are that a model of TESLA names.

They are looked for in the directory that the user gives; otherwise beside the model file, and in the package
``metaphrase-pivots``, which carries those of the models that ship. A file whose content is not the one that
the model was trained with is refused: weights mean nothing for another. So is one of other languages or made
of other words than the model says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TypeVar

from metaphrase.corpus.lines import file_state
from metaphrase.errors import ResourceError
from metaphrase.extras import install_command
from metaphrase.lexicon.pivot_table import PivotTable
from metaphrase.trained.language_model import LanguageModel
from metaphrase.trained.tesla_model import Resource, TeslaModel

PACKAGE = "metaphrase_pivots"

Opened = TypeVar("Opened", PivotTable, LanguageModel)


def open_pivots(
    model: TeslaModel, *, name: str, directory: str | None = None
) -> dict[str, PivotTable]:
    """The pivot tables of ``model``, which the user calls ``name``."""
    found = _open_all(model.pivots, open_table, name, directory)
    for pivot, table in found.items():
        if table.languages != (model.lang, pivot):
            languages = "-".join(table.languages)
            raise _unfit(f"is of {languages}, and the model says {model.lang}-{pivot}", table.path)
        _check_words(table.analysers[0], model, table.path)
    return found


def open_language_models(
    model: TeslaModel, *, name: str, directory: str | None = None
) -> dict[str, LanguageModel]:
    """The language models of ``model``, which the user calls ``name``."""
    found = _open_all(model.language_models, open_language_model, name, directory)
    for language_model in found.values():
        _check_words(language_model.form.analyser, model, language_model.path)
    return found


def packaged(resources: Mapping[str, Resource]) -> list[Path] | None:
    """Where the package has the files of a model that ships; ``None`` if it is not installed."""
    paths = [_in_package(resource.file) for resource in resources.values()]
    return [path for path in paths if path is not None] if None not in paths else None


def open_table(path: Path) -> PivotTable:
    """A table; one that is open is shared, unless its file has changed."""
    return _table(str(path), file_state(path))


def open_language_model(path: Path) -> LanguageModel:
    """A language model; one that is open is shared, unless its file has changed."""
    return _language_model(str(path), file_state(path))


def _open_all(
    resources: Mapping[str, Resource],
    opener: Callable[[Path], Opened],
    name: str,
    directory: str | None,
) -> dict[str, Opened]:
    found: dict[str, Opened] = {}
    for key, resource in resources.items():
        path = _find(resource.file, name, directory)
        try:
            found[key] = opener(path)
            if found[key].fingerprint != resource.fingerprint:
                raise _unfit(
                    f"has the fingerprint {found[key].fingerprint}, and the model was trained with "
                    f"{resource.fingerprint}",
                    path,
                )
        except ResourceError as error:
            if path != _in_package(resource.file):
                raise
            # Nobody can train or choose what the package brings.
            raise ResourceError(
                error.code,
                error.message,
                path=path,
                hint=f"Run: {install_command('pivots', '--force-reinstall')}",
            ) from error
    return found


def _check_words(analyser: str | None, model: TeslaModel, path: Path | None) -> None:
    """Where nobody said which analyser made the words, there is nothing to compare."""
    if analyser not in (None, model.analyser):
        raise _unfit(f"has words of {analyser!r}, and the model those of {model.analyser!r}", path)


def _unfit(fault: str, path: Path | None) -> ResourceError:
    return ResourceError(
        "MP805",
        f"The file {fault}.",
        path=path,
        hint="Use the file that the model was trained with, or train the model again.",
    )


def _find(file: str, model: str, directory: str | None) -> Path:
    for path in _candidates(file, model, directory):
        if path.is_file():
            return path
    if directory is not None and not Path(directory).is_dir():
        raise ResourceError(
            "MP804",
            f"There is no directory {directory!r}, where resources= has the files of the model "
            f"{model!r} of TESLA.",
            hint="Check the path.",
        )
    if directory is not None:
        hint = "Name the directory that has the files of the model."
    elif model.startswith("file:"):
        hint = "Put it beside the model, or name its directory with resources=DIRECTORY."
    else:
        hint = f"Run: {install_command('pivots')}"
    raise ResourceError(
        "MP804", f"{file!r} is not there, which the model {model!r} of TESLA needs.", hint=hint
    )


def _candidates(file: str, model: str, directory: str | None) -> Iterator[Path]:
    if directory is not None:
        yield Path(directory) / file
        return
    kind, colon, path = model.partition(":")
    if kind == "file" and colon:
        yield Path(path).parent / file
    packaged = _in_package(file)
    if packaged is not None:
        yield packaged


def _in_package(file: str) -> Path | None:
    """Where the package has it, or would have it; nowhere if it is not installed."""
    try:
        return Path(import_module(PACKAGE).path(file))
    except ModuleNotFoundError:
        return None


@lru_cache(maxsize=32)
def _table(path: str, state: tuple[int, int]) -> PivotTable:
    return PivotTable(path)


@lru_cache(maxsize=32)
def _language_model(path: str, state: tuple[int, int]) -> LanguageModel:
    return LanguageModel.load(path)
