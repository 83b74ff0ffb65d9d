"""Models of ``accord``: what each loss weighs, what the sum means to people, and how all that came about."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus.lines import FilePath, file_state
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import ResourceError
from metaphrase.shipped import MODELS
from metaphrase.statistics.elementary import power
from metaphrase.trained.json_model import JsonModel, shipped_models

#: Beyond these, sums of scores are no longer exact.
_LARGEST, _SMALLEST = 1e6, 1e-6
_FILE = JsonModel(
    of="accord",
    format="metaphrase accord model",
    version=4,
    most_bytes=1 << 20,
    folder=MODELS / "accord",
    unopened="MP840",
    unknown="MP841",
    damaged="MP842",
    other="MP843",
)


@dataclass(frozen=True, slots=True)
class Scale:
    """From the weighed sum of penalties to a score: 100 / (1 + (sum / middle)^steepness).

    No penalty is 100, ``middle`` is 50, and the score falls smoothly and never to 0, so that of two bad
    translations the worse one still has the lower score.
    """

    middle: float
    steepness: float

    def __post_init__(self) -> None:
        # What is not a number is neither more nor less than another.
        if not (_SMALLEST <= self.middle <= _LARGEST and 0.1 <= self.steepness <= 20.0):
            raise ResourceError(
                "MP842",
                f"the calibration is impossible: middle {self.middle!r}, steepness {self.steepness!r}.",
            )

    def scores(self, lost: FloatArray) -> FloatArray:
        """The scores of sums of penalties; the same bits on every machine."""
        return 100.0 / (1.0 + power(np.maximum(lost, 0.0) / self.middle, self.steepness))


@dataclass(frozen=True, slots=True)
class ErrorPoints:
    """From the weighted sum of penalties to penalty points of MQM: rate · sum · words^length.

    Raters count errors, so points grow with the words of the reference; how fast, judgements tell.
    """

    rate: float
    length: float

    def __post_init__(self) -> None:
        if not (_SMALLEST <= self.rate <= _LARGEST and 0.0 <= self.length <= 2.0):
            raise ResourceError(
                "MP842",
                f"the points are impossible: rate {self.rate!r}, length {self.length!r}.",
            )

    def worth(self, words: FloatArray) -> FloatArray:
        """The points of a sum of 1 beside references of so many words; the same bits on every machine."""
        return np.asarray(self.rate * power(np.maximum(words, 1.0), self.length))


@dataclass(frozen=True, slots=True)
class Interval:
    """How far from the score people's judgement lies, at most, in the share ``coverage`` of cases.

    ``segment`` is for one segment, ``ten`` for the mean of ten that follow each other, ``many`` for that of
    very many: what people think of a whole system that the metric does not see. Between them the squares go
    with 1/n.
    """

    coverage: float
    segment: float
    ten: float
    many: float

    def __post_init__(self) -> None:
        if not (0 < self.coverage < 1 and 0 <= self.many <= self.ten <= self.segment <= 100):
            raise ResourceError("MP842", "the interval is impossible.")

    def reach(self, segments: FloatArray) -> FloatArray:
        """Half the width of the interval of means over ``segments`` segments."""
        one, ten, many = self.segment**2, self.ten**2, self.many**2
        few = ten + (one - ten) * (10.0 / segments - 1.0) / 9.0
        return np.sqrt(np.where(segments < 10, few, many + (ten - many) * 10.0 / segments))


@dataclass(frozen=True, kw_only=True)
class AccordModel:
    """score = scale(Σ weight · loss).

    features: weights of at least 0, by the name of the loss
    scale:    what the sum of weighed losses means to people
    interval: how far people's judgements lie from the score; ``None`` if nobody has measured it
    points:   what the sum is worth in points of MQM; ``None`` if nobody has measured it
    encoder:  the fingerprint of the encoder that goes with the weights, if it is one that ships
    training: where the weights come from: data, agreement, the command to train again
    """

    name: str
    lang: str
    features: Mapping[str, float]
    scale: Scale
    interval: Interval | None = None
    points: ErrorPoints | None = None
    encoder: str = ""
    training: Mapping[str, Any] = field(default_factory=dict)
    licence: str = ""

    def __post_init__(self) -> None:
        if not self.name.isprintable() or "|" in self.name:
            raise ResourceError("MP842", f"{self.name!r} cannot be the name of a model.")
        if not self.features:
            raise ResourceError("MP842", "it weighs nothing.")
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

    def check_encoder(self, fingerprint: str) -> None:
        """An encoder of another release gives other vectors, by which the weights do not go."""
        if self.encoder not in ("", fingerprint):
            raise ResourceError(
                "MP692",
                f"The model {self.name!r} goes with the encoder {self.encoder}; metaphrase-encoder has "
                f"{fingerprint}.",
                hint="Install the metaphrase-encoder of this version: ./packages/metaphrase-encoder in a "
                'clone, else "metaphrase[encoder]".',
            )

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all that scores depend on, but for points of MQM, which signatures name."""
        interval = asdict(self.interval) if self.interval else {}
        content = json.dumps(
            [
                self.lang,
                sorted((name, float(weight)) for name, weight in self.features.items()),
                [float(self.scale.middle), float(self.scale.steepness)],
                {name: float(size) for name, size in interval.items()} or None,
            ]
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
            "scale": asdict(self.scale),
            "interval": asdict(self.interval) if self.interval else {},
            "points": asdict(self.points) if self.points else {},
            "encoder": self.encoder,
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
        kinds: dict[str, type] = dict.fromkeys(("name", "licence", "lang", "encoder"), str)
        kinds |= dict.fromkeys(("features", "scale", "interval", "points", "training"), dict)
        checked = _FILE.typed(_FILE.entries(content, path), kinds, "the model", path)
        weights = dict.fromkeys(checked["features"], float)
        checked["features"] = _FILE.typed(checked["features"], weights, "'features'", path)
        shape = dict.fromkeys(("middle", "steepness"), float)
        scale = _FILE.typed(checked["scale"], shape, "'scale'", path)
        sizes = dict.fromkeys(("coverage", "segment", "ten", "many"), float)
        interval = checked["interval"] and _FILE.typed(
            checked["interval"], sizes, "'interval'", path
        )
        sizes = dict.fromkeys(("rate", "length"), float)
        points = checked["points"] and _FILE.typed(checked["points"], sizes, "'points'", path)
        try:
            checked["scale"] = Scale(**scale)
            checked["interval"] = Interval(**interval) if interval else None
            checked["points"] = ErrorPoints(**points) if points else None
            return cls(**checked)
        except ResourceError as error:
            raise _FILE.wrong(error.message.rstrip("."), path) from None

    @classmethod
    def load(cls, path: FilePath) -> AccordModel:
        """Read a model file."""
        return cls.from_json(_FILE.read(path), path=path)

    @staticmethod
    def shipped() -> tuple[str, ...]:
        """The names of the models that ship."""
        return tuple(shipped_models(_FILE.folder))

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
