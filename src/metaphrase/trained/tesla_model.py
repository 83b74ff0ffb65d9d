"""Models of TESLA: the weight of each feature, and all that scores depend on beside them.

A model is one JSON file. It says how sentences are analysed and matched, which tables of pivot phrases and
which language models are asked (by file name and fingerprint, for they are far larger than the model), what
each feature weighs, and how the weights came about.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus.lines import FilePath, file_state
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import ResourceError
from metaphrase.languages import language_code
from metaphrase.shipped import MODELS
from metaphrase.trained.json_model import JsonModel, shipped_models

#: What log P of a sentence of n words is divided by.
LM_DIVISORS = ("n+1", "n")
#: Beyond this, sums of scores are no longer exact.
_LARGEST = 1e6
_FILE = JsonModel(
    of="TESLA",
    format="metaphrase tesla model",
    version=1,
    most_bytes=1 << 22,
    folder=MODELS / "tesla",
    unopened="MP800",
    unknown="MP801",
    damaged="MP802",
    other="MP803",
)


@dataclass(frozen=True, slots=True)
class Resource:
    """A file that the model needs beside itself, and the fingerprint of its content."""

    file: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class FeatureWeight:
    """A feature x adds ``weight · (x − mean) / scale`` to the score, and nothing where it is missing."""

    weight: float
    mean: float
    scale: float


@dataclass(frozen=True, kw_only=True)
class TeslaModel:
    """score = intercept + Σ weight · (feature − mean) / scale.

    pivots, language_models: what is asked, by the name that features have it under
    alpha, function_divisor: of the F values of all n-grams, as in TESLA-M
    lm_divisor:              what log P of a sentence of n words is divided by: ``n+1``, for its end has a
                             probability, too, or ``n``, as the paper has it
    training:                where the weights come from: data, accuracy, the command to train again
    """

    name: str
    lang: str
    analyser: str
    synonyms: str
    features: Mapping[str, FeatureWeight]
    pivots: Mapping[str, Resource] = field(default_factory=dict)
    language_models: Mapping[str, Resource] = field(default_factory=dict)
    alpha: float = 0.8
    function_divisor: int = 10
    lm_divisor: str = LM_DIVISORS[0]
    intercept: float = 0.0
    training: Mapping[str, Any] = field(default_factory=dict)
    licence: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.alpha <= 1 or not 1 <= self.function_divisor <= 100:
            raise ResourceError(
                "MP802", "a model's alpha is from 0 to 1, its function_divisor from 1 to 100."
            )
        if self.lm_divisor not in LM_DIVISORS:
            known = " or ".join(LM_DIVISORS)
            raise ResourceError("MP802", f"lm_divisor is {self.lm_divisor!r}, not {known}.")
        for name, found in self.features.items():
            if not all(abs(number) <= _LARGEST for number in asdict(found).values()):
                raise ResourceError(
                    "MP802", f"the weight of {name!r} is too large to compute with."
                )
            if not found.scale > 1e-12:
                raise ResourceError("MP802", f"the scale of {name!r} is {found.scale!r}.")
        if not abs(self.intercept) <= _LARGEST:
            raise ResourceError("MP802", f"the intercept is {self.intercept!r}.")
        self._check_names()

    def _check_names(self) -> None:
        """Names go into signatures, which are lines with lists of them, and files are found by theirs."""
        if not self.name.isprintable():
            raise ResourceError("MP802", f"{self.name!r} cannot be the name of a model.")
        for name in (*self.pivots, *self.language_models):
            if not is_resource_name(name):
                raise ResourceError("MP802", f"{name!r} cannot be the name of a resource.")
        for one in (*self.pivots.values(), *self.language_models.values()):
            if Path(one.file).name != one.file or not is_resource_name(one.file):
                raise ResourceError("MP802", f"{one.file!r} is not the name of a file.")

    def contributions(self, features: FloatArray) -> FloatArray:
        """What each feature adds to the score: an array (…, features) in, one of that shape out.

        Features come in the model's order; NaN is a missing one.
        """
        weights, means, scales = self._columns()
        return np.where(np.isnan(features), 0.0, weights * ((features - means) / scales))

    def _columns(self) -> FloatArray:
        """Weights, means and scales."""
        rows = [(one.weight, one.mean, one.scale) for one in self.features.values()]
        return np.asarray(np.array(rows, dtype=np.float64).reshape(-1, 3).T)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all that scores depend on: neither name, nor licence, nor training."""
        entries = self._entries()
        for unused in ("name", "licence", "training"):
            del entries[unused]
        return blake2b(json.dumps(entries).encode(), digest_size=6).hexdigest()

    def to_json(self) -> str:
        """The content of a model file; reading it gives an equal model."""
        whole = {"format": _FILE.format, "version": _FILE.version, **self._entries()}
        return json.dumps(whole, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def save(self, path: FilePath) -> None:
        """Write the model file, whole or not at all."""
        content = self.to_json().encode()
        with atomic_writer(path, overwrite=True) as stream:
            stream.write(content)

    def _entries(self) -> dict[str, Any]:
        """What the file says, in its order."""
        return {
            "name": self.name,
            "licence": self.licence,
            "lang": self.lang,
            "analyser": self.analyser,
            "synonyms": self.synonyms,
            "alpha": float(self.alpha),
            "function_divisor": self.function_divisor,
            # Models that do not say it are older than the choice.
            **({} if self.lm_divisor == LM_DIVISORS[0] else {"lm_divisor": self.lm_divisor}),
            "pivots": {name: asdict(one) for name, one in self.pivots.items()},
            "language_models": {name: asdict(one) for name, one in self.language_models.items()},
            "intercept": float(self.intercept),
            "features": {name: asdict(one) for name, one in self.features.items()},
            "training": dict(self.training),
        }

    @classmethod
    def from_json(cls, content: str | bytes, *, path: FilePath | None = None) -> TeslaModel:
        """The model in the content of a file, read with suspicion; ``path`` is for messages."""
        entries = _FILE.entries(content, path)
        kinds: dict[str, type] = dict.fromkeys(("name", "licence", "lang", "analyser"), str)
        kinds |= {"synonyms": str, "alpha": float, "function_divisor": int, "intercept": float}
        kinds |= dict.fromkeys(("pivots", "language_models", "features", "training"), dict)
        kinds["lm_divisor"] = str
        given = {"lm_divisor": LM_DIVISORS[0], **entries}
        checked = _FILE.typed(given, kinds, "the model", path)
        for name in ("pivots", "language_models"):
            checked[name] = _objects(checked[name], Resource, name, path)
        checked["lang"] = language_code(checked["lang"])
        checked["features"] = _objects(checked["features"], FeatureWeight, "features", path)
        try:
            return cls(**checked)
        except ResourceError as error:
            raise ResourceError(
                error.code, f"The model is damaged: {error.message}", path=path
            ) from None

    @classmethod
    def load(cls, path: FilePath) -> TeslaModel:
        """Read a model file."""
        return cls.from_json(_FILE.read(path), path=path)

    @staticmethod
    def shipped() -> tuple[str, ...]:
        """The names of the models that ship."""
        return tuple(shipped_models(_FILE.folder))

    @classmethod
    def find(cls, name: str) -> TeslaModel:
        """A model that ships, by its language, or ``file:PATH``; a file that changed is read again."""
        kind, colon, path = name.partition(":")
        if kind == "file" and colon:
            return _load(path, file_state(path))
        others = "Others are trained with `metaphrase train tesla` and given as model=file:PATH."
        return _load(_FILE.shipped(name, others), (0, 0))


def is_resource_name(name: str) -> bool:
    """Whether a table or language model may be called so: in print, and without what separates names."""
    return bool(name) and name.isprintable() and not {"|", ","} & set(name)


@lru_cache(maxsize=16)
def _load(path: str, state: tuple[int, int]) -> TeslaModel:
    return TeslaModel.load(path)


def _objects(
    found: Mapping[str, Any], kind: type[Any], where: str, path: FilePath | None
) -> dict[str, Any]:
    """Objects with an entry for each field of ``kind``, as such."""
    kinds: dict[str, type] = {
        one.name: float if "float" in str(one.type) else str for one in fields(kind)
    }
    made = {}
    for name, entries in found.items():
        if not isinstance(entries, dict):
            raise _FILE.wrong(f"{name!r} of {where!r} is no object", path)
        made[name] = kind(**_FILE.typed(entries, kinds, f"{name!r} of {where!r}", path))
    return made
