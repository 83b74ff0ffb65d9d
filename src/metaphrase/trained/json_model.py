"""Models that are one JSON file: opened, recognised and read with suspicion, under codes of their own."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from metaphrase.corpus.lines import FilePath
from metaphrase.errors import ResourceError
from metaphrase.trained.checked_json import DamagedJsonError, parse_object, read_limited

_WORDS = {
    str: "text",
    dict: "an object",
    list: "a list",
    int: "a whole number",
    float: "a finite number",
}


@cache
def shipped_models(folder: Path) -> dict[str, str]:
    """Paths of the models in a folder of the package by their names, in order; it is looked at once."""
    return {path.stem: str(path) for path in sorted(folder.glob("*.json"))}


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonModel:
    """A kind of model, by the metric that it is ``of``.

    version:    goes up whenever a model means something else than before, or has other entries
    most_bytes: a model has a few dozen weights; what is larger is something else
    folder:     where those are that ship
    unopened, unknown, damaged, other: the codes of its errors
    """

    of: str
    format: str
    version: int
    most_bytes: int
    folder: Path
    unopened: str
    unknown: str
    damaged: str
    other: str

    def read(self, path: FilePath) -> bytes:
        """The content of a file."""
        try:
            return read_limited(path, self.most_bytes)
        except OSError as error:
            raise ResourceError(
                self.unopened,
                f"The model cannot be opened: {error.strerror}.",
                path=path,
                hint="Check the path.",
            ) from None
        except DamagedJsonError as error:
            raise self._broken(error, path) from None

    def entries(self, content: str | bytes, path: FilePath | None) -> dict[str, Any]:
        """What a file says besides its format and version; ``path`` is for messages."""
        try:
            entries = parse_object(content)
        except DamagedJsonError as error:
            raise self._broken(error, path) from None
        found = entries.pop("format", None), entries.pop("version", None)
        # True and 1.0 are equal to 1.
        if found[0] != self.format or type(found[1]) is not int or found[1] != self.version:
            known = found[0] == self.format
            raise ResourceError(
                self.other,
                f"The model is of version {found[1]!r}, and this program reads {self.version}."
                if known
                else f"This is not a model of {self.of}.",
                path=path,
                hint="Train it again." if known else None,
            )
        return entries

    def typed(
        self,
        entries: Mapping[str, Any],
        kinds: Mapping[str, type],
        where: str,
        path: FilePath | None,
    ) -> dict[str, Any]:
        """The entries, each of its type and none too many; a whole number will do for a number."""
        for name in (*kinds, *entries):
            if name not in entries or name not in kinds:
                lack = "lacks" if name in kinds else "has an unknown"
                raise self.wrong(f"{where} {lack} {name!r}", path)
        checked = {}
        for name, kind in kinds.items():
            value: Any = entries[name]
            if kind is float and type(value) is int and abs(value) < 1 << 53:
                value = float(value)
            if type(value) is not kind or (isinstance(value, float) and not math.isfinite(value)):
                excerpt = repr(value)[:40]
                raise self.wrong(f"{name!r} of {where} is {excerpt}, not {_WORDS[kind]}", path)
            checked[name] = value
        return checked

    def numbers(self, value: object, count: int, where: str, path: FilePath | None) -> list[float]:
        """A list of so many finite numbers."""
        if not isinstance(value, list) or len(value) != count:
            raise self.wrong(f"{where} is not {count} numbers", path)
        places = {str(place): number for place, number in enumerate(value, 1)}
        return list(self.typed(places, dict.fromkeys(places, float), where, path).values())

    def wrong(self, reason: str, path: FilePath | None) -> ResourceError:
        """The error for a model that says something impossible."""
        return ResourceError(self.damaged, f"The model is damaged: {reason}.", path=path)

    def shipped(self, name: str, hint: str) -> str:
        """The path of a model that ships; ``hint`` says how to get others."""
        models = shipped_models(self.folder)
        if name not in models:
            raise ResourceError(
                self.unknown,
                f"No model of {self.of} called {name!r} ships.",
                hint=f"There are: {', '.join(models) or 'none'}. {hint}",
            )
        return models[name]

    def _broken(self, error: DamagedJsonError, path: FilePath | None) -> ResourceError:
        return ResourceError(
            self.damaged,
            f"The model is damaged: {error}.",
            path=path,
            hint="Train it again, or fetch it again.",
        )
