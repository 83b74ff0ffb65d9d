"""Where the tables and language models are that a model of TESLA names.

They are looked for in the directory that the user gives; otherwise beside the model file, and in the package
``metaphrase-pivots``, which carries those of the models that ship. A file whose content is not the one that
the model was trained with is refused: weights mean nothing for another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TypeVar

from metaphrase.errors import ResourceError
from metaphrase.learning.language_model import LanguageModel
from metaphrase.learning.pivot_table import PivotTable
from metaphrase.learning.tesla_model import Resource, TeslaModel, file_state

PACKAGE = "metaphrase_pivots"
INSTALL = "pip install ./packages/metaphrase-pivots"

Opened = TypeVar("Opened", PivotTable, LanguageModel)


def open_pivots(
    model: TeslaModel, *, name: str, directory: str | None = None
) -> dict[str, PivotTable]:
    """The pivot tables of ``model``, which the user calls ``name``."""
    return _open_all(model.pivots, open_table, name, directory)


def open_language_models(
    model: TeslaModel, *, name: str, directory: str | None = None
) -> dict[str, LanguageModel]:
    """The language models of ``model``, which the user calls ``name``."""
    return _open_all(model.language_models, open_language_model, name, directory)


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
        opened = opener(path)
        if opened.fingerprint != resource.fingerprint:
            raise ResourceError(
                "MP805",
                f"The file has the fingerprint {opened.fingerprint}, and the model was trained with "
                f"{resource.fingerprint}.",
                path=path,
                hint="Use the file that the model was trained with, or train the model again.",
            )
        found[key] = opened
    return found


def _find(file: str, model: str, directory: str | None) -> Path:
    for path in _candidates(file, model, directory):
        if path.is_file():
            return path
    if directory is not None:
        hint = "Name the directory that has the files of the model."
    elif model.startswith("file:"):
        hint = "Put it beside the model, or name its directory with resources=DIRECTORY."
    else:
        hint = f"In a checkout of metaphrase, run: {INSTALL}"
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
    try:
        yield Path(import_module(PACKAGE).path(file))
    except ModuleNotFoundError:
        return


@lru_cache(maxsize=32)
def _table(path: str, state: tuple[int, int]) -> PivotTable:
    return PivotTable(path)


@lru_cache(maxsize=32)
def _language_model(path: str, state: tuple[int, int]) -> LanguageModel:
    return LanguageModel.load(path)
