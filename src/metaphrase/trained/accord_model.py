"""Models of ``accord``: how many points each loss costs, and how the weights came about."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus.lines import FilePath, file_state
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import ResourceError
from metaphrase.trained.json_model import JsonModel

#: Beyond this, sums of scores are no longer exact.
_LARGEST = 1e6
_FILE = JsonModel(
    of="accord",
    format="metaphrase accord model",
    version=1,
    most_bytes=1 << 20,
    folder=Path(__file__).parents[1] / "models" / "accord",
    unopened="MP840",
    unknown="MP841",
    damaged="MP842",
    other="MP843",
)


@dataclass(frozen=True, kw_only=True)
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

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all that scores depend on."""
        content = json.dumps(
            [self.lang, sorted((name, float(w)) for name, w in self.features.items())]
        )
        return blake2b(content.encode(), digest_size=6).hexdigest()

    def to_json(self) -> str:
        """The content of a model file; reading it gives an equal model."""
        entries = {
            "format": _FILE.format,
            "version": _FILE.version,
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
        kinds: dict[str, type] = dict.fromkeys(("name", "licence", "lang"), str)
        kinds |= dict.fromkeys(("features", "training"), dict)
        checked = _FILE.typed(_FILE.entries(content, path), kinds, "the model", path)
        weights = dict.fromkeys(checked["features"], float)
        checked["features"] = _FILE.typed(checked["features"], weights, "'features'", path)
        try:
            return cls(**checked)
        except ResourceError as error:
            raise _FILE.wrong(error.message.rstrip("."), path) from None

    @classmethod
    def load(cls, path: FilePath) -> AccordModel:
        """Read a model file."""
        return cls.from_json(_FILE.read(path), path=path)

    @classmethod
    def find(cls, name: str) -> AccordModel:
        """A model that ships, by its name, or ``file:PATH``; a file that changed is read again."""
        kind, colon, path = name.partition(":")
        if kind == "file" and colon:
            return _load(path, file_state(path))
        return _load(_FILE.shipped(name, "Others are given as model=file:PATH."), (0, 0))


@lru_cache(maxsize=16)
def _load(path: str, state: tuple[int, int]) -> AccordModel:
    return AccordModel.load(path)
