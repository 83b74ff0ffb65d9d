"""Models of ``accord``: how many points each loss costs, and how the weights came about."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus.lines import FilePath, file_state
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import ResourceError
from metaphrase.trained.checked_json import DamagedJsonError, parse_object, read_limited

FORMAT = "metaphrase accord model"
#: Goes up whenever a model means something else than before, or has other entries.
VERSION = 1
#: A model has a few dozen weights; what is larger is something else.
_MOST_BYTES = 1 << 20
#: Beyond this, sums of scores are no longer exact.
_LARGEST = 1e6
_SHIPPED = Path(__file__).parents[1] / "models" / "accord"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccordModel:
    """score = 100 − Σ weight · loss.

    features: points that a loss of 1 costs, by the name of the loss
    training: where the weights come from: data, agreement, the command to train again
    """

    name: str
    lang: str
    features: Mapping[str, float]
    training: Mapping[str, Any] = field(default_factory=dict)
    licence: str = ""

    def __post_init__(self) -> None:
        if not self.name.isprintable() or "|" in self.name:
            raise ResourceError("MP842", f"{self.name!r} cannot be the name of a model.")
        for name, weight in self.features.items():
            if not isinstance(weight, int | float) or not 0 <= weight <= _LARGEST:
                raise ResourceError("MP842", f"the weight of {name!r} is {weight!r}.")

    def weights(self, known: Sequence[str]) -> FloatArray:
        """The weights of the losses that are ``known``, in that order; a model may not ask for others."""
        for name in self.features:
            if name not in known:
                raise ResourceError(
                    "MP842",
                    f"The model {self.name!r} asks for {name!r}, which nothing computes.",
                    hint="Train it again with this version.",
                )
        return np.array([self.features.get(name, 0.0) for name in known])

    @property
    def fingerprint(self) -> str:
        """A hash of all that scores depend on."""
        content = json.dumps(
            [self.lang, sorted((name, float(w)) for name, w in self.features.items())]
        )
        return blake2b(content.encode(), digest_size=6).hexdigest()

    def to_json(self) -> str:
        """The content of a model file; reading it gives an equal model."""
        entries = {
            "format": FORMAT,
            "version": VERSION,
            "name": self.name,
            "licence": self.licence,
            "lang": self.lang,
            "features": {name: float(weight) for name, weight in self.features.items()},
            "training": dict(self.training),
        }
        return json.dumps(entries, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def save(self, path: FilePath) -> None:
        """Write the model file, whole or not at all."""
        content = self.to_json().encode()
        with atomic_writer(path, overwrite=True) as stream:
            stream.write(content)

    @classmethod
    def from_json(cls, content: str | bytes, *, path: FilePath | None = None) -> AccordModel:
        """The model in the content of a file, read with suspicion; ``path`` is for messages."""
        try:
            entries = parse_object(content)
        except DamagedJsonError as error:
            raise _damaged(str(error), path) from None
        found = entries.pop("format", None), entries.pop("version", None)
        # True and 1.0 are equal to 1.
        if found[0] != FORMAT or type(found[1]) is not int or found[1] != VERSION:
            known = found[0] == FORMAT
            raise ResourceError(
                "MP843",
                f"The model is of version {found[1]!r}, and this program reads {VERSION}."
                if known
                else "This is not a model of accord.",
                path=path,
                hint="Train it again." if known else None,
            )
        kinds: dict[str, type] = dict.fromkeys(("name", "licence", "lang"), str)
        kinds |= {"features": dict, "training": dict}
        if entries.keys() != kinds.keys():
            odd = sorted(entries.keys() ^ kinds.keys())[0]
            raise _damaged(f"it {'lacks' if odd in kinds else 'has an unknown'} {odd!r}", path)
        for name, kind in kinds.items():
            if type(entries[name]) is not kind:
                raise _damaged(f"{name!r} is {repr(entries[name])[:40]}", path)
        for name, weight in entries["features"].items():
            if type(weight) is not float or not math.isfinite(weight):
                raise _damaged(f"the weight of {name!r} is {repr(weight)[:40]}", path)
        try:
            return cls(**entries)
        except ResourceError as error:
            raise _damaged(error.message.rstrip("."), path) from None

    @classmethod
    def load(cls, path: FilePath) -> AccordModel:
        """Read a model file."""
        try:
            return cls.from_json(read_limited(path, _MOST_BYTES), path=path)
        except OSError as error:
            raise ResourceError(
                "MP840",
                f"The model cannot be opened: {error.strerror}.",
                path=path,
                hint="Check the path.",
            ) from None
        except DamagedJsonError as error:
            raise _damaged(str(error), path) from None

    @classmethod
    def find(cls, name: str) -> AccordModel:
        """A model that ships, by its name, or ``file:PATH``; a file that changed is read again."""
        kind, colon, path = name.partition(":")
        if kind == "file" and colon:
            return _load(path, file_state(path))
        names = sorted(path.stem for path in _SHIPPED.glob("*.json"))
        if name not in names:
            raise ResourceError(
                "MP841",
                f"No model of accord called {name!r} ships.",
                hint=f"There are: {', '.join(names)}; others are given as model=file:PATH.",
            )
        return _load(str(_SHIPPED / f"{name}.json"), (0, 0))


@lru_cache(maxsize=16)
def _load(path: str, state: tuple[int, int]) -> AccordModel:
    return AccordModel.load(path)


def _damaged(reason: str, path: FilePath | None) -> ResourceError:
    return ResourceError(
        "MP842",
        f"The model is damaged: {reason}.",
        path=path,
        hint="Train it again, or fetch it again.",
    )
