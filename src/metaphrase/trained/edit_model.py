"""Models of edit machines: the weights that training found, and all that scores depend on beside them.

A model is one JSON file. It says which sentences the machine sees (analyser, synonyms, paraphrases,
substitutions), what the machine may do with them, the weight of each feature, and how the model came about.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import blake2b
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from metaphrase.arrays import FloatArray
from metaphrase.corpus.lines import FilePath, file_state
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import OptionError, ResourceError
from metaphrase.matching.edit_machine import MachineOptions
from metaphrase.matching.substitutions import SubstitutionOptions
from metaphrase.shipped import MODELS
from metaphrase.trained.edit_features import JUMP_LABELS, parameter_names, parameter_of_feature
from metaphrase.trained.edit_model_file import (
    file_content,
    model_entries,
    options_entries,
    read_content,
)
from metaphrase.trained.json_model import shipped_models

#: What to do about several references.
REFERENCES = ("best", "mean")
#: No training comes near it; what is larger is damage, and the sums of the machine would overflow.
LARGEST_WEIGHT = 1e4
#: With these and the largest weights, scores can still be added up exactly (statistics/exact_sum.py).
LARGEST_SLOPE = 1e4
LARGEST_ALPHA = 1e6


@dataclass(frozen=True, kw_only=True)
class EditModel:
    """``prediction = slope · y / (|s| + |r|) + alpha``, with y the log-sum over all edit sequences.

    weights:        of the features that were kept, by their names: those of
                    :func:`~metaphrase.matching.edit_pairs.feature_names`, with ``jump`` for every
                    jump if ``jump_labels`` is 1, as in ``U|jump`` or ``B|word|jump``
    slope:          1 as trained; another one fits the prediction to another scale
    start_features: whether the first edit has a weight of its own (published: it has none)
    references:     ``best`` or ``mean`` prediction where there are several
    training:       where the weights come from: data, objective, optimiser, the command to train again
    """

    name: str
    weights: Mapping[str, float]
    alpha: float
    slope: float = 1.0
    machine: MachineOptions = field(default_factory=MachineOptions)
    substitutions: SubstitutionOptions = field(default_factory=SubstitutionOptions)
    synonyms: str = "wordnet"
    paraphrases: str = "paraphrases"
    jump_labels: int = 1
    start_features: bool = False
    analyser: str = "builtin:en"
    lang: str = "en"
    references: str = "best"
    training: Mapping[str, Any] = field(default_factory=dict)
    licence: str = ""

    def __post_init__(self) -> None:
        for mapping in ("weights", "training"):
            read_only = MappingProxyType(dict(getattr(self, mapping)))
            object.__setattr__(self, mapping, read_only)
        self._check_texts()
        if self.jump_labels not in JUMP_LABELS:
            raise OptionError("MP623", f"jump_labels is {self.jump_labels!r}, neither 1 nor 3.")
        if self.references not in REFERENCES:
            raise OptionError(
                "MP623", f"references is {self.references!r}, neither 'best' nor 'mean'."
            )
        if not 0 < self.slope <= LARGEST_SLOPE or not abs(self.alpha) <= LARGEST_ALPHA:
            raise OptionError(
                "MP623",
                f"a model with slope {self.slope!r} and alpha {self.alpha!r} predicts nothing.",
                hint=f"The slope is above 0 and at most {LARGEST_SLOPE:g}, alpha is from "
                f"-{LARGEST_ALPHA:g} to {LARGEST_ALPHA:g}.",
            )
        self._check_weights()

    def _check_texts(self) -> None:
        for entry in ("name", "licence", "lang", "analyser", "synonyms", "paraphrases"):
            text = getattr(self, entry)
            if entry == "name" and not text.strip():
                raise OptionError("MP623", "the name of a model is empty.")
            try:
                text.encode()
            except UnicodeEncodeError:
                raise OptionError(
                    "MP623", f"{entry} is {text!r}, which UTF-8 cannot write."
                ) from None
        if not self.name.isprintable():
            raise OptionError("MP623", f"the name of a model is {self.name!r}, which is no line.")

    def _check_weights(self) -> None:
        known = {
            name
            for name in parameter_names(self.jump_labels)
            if self.start_features or not name.startswith("S|")
        }
        for name, weight in self.weights.items():
            if name not in known:
                raise OptionError("MP624", f"the machine has no feature {name!r} to weigh.")
            if not abs(weight) <= LARGEST_WEIGHT:
                raise OptionError(
                    "MP624",
                    f"the weight of {name!r} is {weight!r}.",
                    hint=f"Weights are numbers from -{LARGEST_WEIGHT:g} to {LARGEST_WEIGHT:g}.",
                )

    def __hash__(self) -> int:
        numbers = self.slope, self.alpha, frozenset(self.weights.items())
        return hash((self.name, *numbers, self.machine, self.substitutions))

    def __reduce__(self) -> tuple[object, ...]:
        # A read-only mapping cannot be pickled, the content of a file can.
        return EditModel.from_json, (self.to_json(),)

    def vector(self) -> FloatArray:
        """The weights as the kernel takes them, one for each feature, 0 for those that were dropped."""
        weights = [self.weights.get(name, 0.0) for name in parameter_names(self.jump_labels)]
        return np.array(weights, dtype=np.float64)[parameter_of_feature(self.jump_labels)]

    def predict(self, log_sums: ArrayLike, lengths: ArrayLike) -> FloatArray:
        """Predictions from log-sums and the words of both sides together; two empty sides give alpha."""
        sums, words = np.asarray(log_sums, dtype=np.float64), np.asarray(lengths)
        return np.asarray(self.slope * (sums / np.maximum(words, 1)) + self.alpha)

    def rescaled(self, slope: float, alpha: float) -> EditModel:
        """The model that predicts ``slope · p + alpha`` where this one predicts p."""
        return replace(self, slope=slope * self.slope, alpha=slope * self.alpha + alpha)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all that scores depend on: neither name, nor licence, nor training."""
        entries = self._entries()
        for unused in ("name", "licence", "training"):
            del entries[unused]
        entries["weights"] = sorted(entries["weights"].items())
        text = json.dumps(entries, sort_keys=True)
        return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()

    def to_json(self) -> str:
        """The content of a model file; reading it gives an equal model."""
        return file_content(self._entries())

    def save(self, path: FilePath, *, overwrite: bool = True) -> None:
        """Write the model file, whole or not at all."""
        content = self.to_json().encode()
        with atomic_writer(path, overwrite=overwrite) as stream:
            stream.write(content)

    @classmethod
    def from_json(cls, content: str | bytes, *, path: FilePath | None = None) -> EditModel:
        """The model in the content of a file; ``path`` is for messages."""
        entries = model_entries(content, path)
        machine = options_entries(entries.pop("machine"), MachineOptions, "machine", path)
        substitutions = options_entries(
            entries.pop("substitutions"), SubstitutionOptions, "substitutions", path
        )
        try:
            return cls(
                machine=MachineOptions(**machine),
                substitutions=SubstitutionOptions(**substitutions),
                **entries,
            )
        except OptionError as error:
            raise ResourceError(
                error.code, f"The model is damaged: {error.message}", path=path, hint=error.hint
            ) from None

    @classmethod
    def load(cls, path: FilePath) -> EditModel:
        """Read a model file."""
        return cls.from_json(read_content(path), path=path)

    @staticmethod
    def shipped(name: str) -> EditModel:
        """The model called ``name`` among those that come with the package."""
        models = shipped_models(MODELS)
        if name not in models:
            raise ResourceError(
                "MP625",
                f"no edit model called {name!r} ships.",
                hint=f"There are: {', '.join(models) or 'none'}. Others are given as file:PATH.",
            )
        return _load(models[name], (0, 0))

    @classmethod
    def find(cls, name: str) -> EditModel:
        """A shipped model by its name, or ``file:PATH``; a file is read again when it has changed."""
        kind, colon, path = name.partition(":")
        if kind != "file" or not colon:
            return cls.shipped(name)
        if not path:
            raise ResourceError(
                "MP620", "'file:' names no edit model.", hint="Write file:PATH, with its path."
            )
        return _load(path, file_state(path))

    def _entries(self) -> dict[str, Any]:
        """What the file says, in its order."""
        return {
            "name": self.name,
            "licence": self.licence,
            "lang": self.lang,
            "analyser": self.analyser,
            "synonyms": self.synonyms,
            "paraphrases": self.paraphrases,
            "substitutions": _fields(self.substitutions),
            "machine": _fields(self.machine),
            "jump_labels": self.jump_labels,
            "start_features": self.start_features,
            "references": self.references,
            "slope": float(self.slope),
            "alpha": float(self.alpha),
            "weights": {name: float(weight) for name, weight in self.weights.items()},
            "training": dict(self.training),
        }


def _fields(options: MachineOptions | SubstitutionOptions) -> dict[str, Any]:
    return {name: getattr(options, name) for name in options.__dataclass_fields__}


@lru_cache(maxsize=16)
def _load(path: str, state: tuple[int, int]) -> EditModel:
    return EditModel.load(path)
