"""With what probability raters prefer the one of two systems, or translations, that a metric scores higher.

The table is made by isotonic regression (:mod:`metaphrase.learning.accord.preference`) of judgements that
the metric's weights had not seen; its file names the models of the metric that it is for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from math import sqrt
from typing import Any

import numpy as np

from metaphrase.corpus.lines import FilePath
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import ResourceError
from metaphrase.shipped import MODELS
from metaphrase.trained.json_model import JsonModel

_FILE = JsonModel(
    of="accord",
    format="metaphrase preference table",
    version=1,
    most_bytes=1 << 20,
    folder=MODELS / "preference",
    unopened="MP840",
    unknown="MP841",
    damaged="MP842",
    other="MP843",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceTable:
    """The probability rises with the difference d of means over n segments: p(d / √(1 + segments/n)).

    models:        the models of the metric whose scores were calibrated
    calibrated_on: the judgements, in a few words
    segments:      with as many segments a difference says 1/√2 of what it says with very many
    differences, probabilities: points of p, which is straight between them, 0.5 at 0, and the last
        probability whatever is larger: nothing is claimed beyond what was observed
    """

    name: str
    models: tuple[str, ...]
    calibrated_on: str
    segments: float
    differences: tuple[float, ...]
    probabilities: tuple[float, ...]
    training: Mapping[str, Any] = field(default_factory=dict)
    licence: str = ""

    def __post_init__(self) -> None:
        places = np.array([0.0, *self.differences])
        chances = np.array([0.5, *self.probabilities])
        if len(places) != len(chances) or len(places) < 2:
            raise ResourceError("MP842", "differences and probabilities are not as many.")
        rising = (np.diff(places) > 0).all() and (np.diff(chances) >= 0).all()
        if not (rising and chances[-1] < 1.0 and 0.0 <= self.segments <= 1e6):
            raise ResourceError("MP842", "its probabilities do not rise with the difference.")

    def probability(self, difference: float, segments: float) -> float:
        """That raters prefer the one with the higher mean over so many segments.

        Raters' ties count half for either, so that it is never below 0.5.
        """
        reduced = abs(difference) / sqrt(1.0 + self.segments / segments)
        places, chances = [0.0, *self.differences], [0.5, *self.probabilities]
        return float(np.interp(reduced, places, chances))

    def points(self) -> dict[str, Any]:
        """What a page needs to compute the same."""
        return {
            "calibratedOn": self.calibrated_on,
            "segments": self.segments,
            "differences": list(self.differences),
            "probabilities": list(self.probabilities),
        }

    def to_json(self) -> str:
        """The content of a file; reading it gives an equal table."""
        entries = {
            "format": _FILE.format,
            "version": _FILE.version,
            "name": self.name,
            "licence": self.licence,
            "models": list(self.models),
            "calibrated on": self.calibrated_on,
            "segments": self.segments,
            "differences": list(self.differences),
            "probabilities": list(self.probabilities),
            "training": dict(self.training),
        }
        return json.dumps(entries, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def save(self, path: FilePath) -> None:
        """Write the file, whole or not at all."""
        with atomic_writer(path, overwrite=True) as stream:
            stream.write(self.to_json().encode())

    @classmethod
    def from_json(cls, content: str | bytes, *, path: FilePath | None = None) -> PreferenceTable:
        """The table in the content of a file, read with suspicion; ``path`` is for messages."""
        kinds: dict[str, type] = dict.fromkeys(("name", "licence", "calibrated on"), str)
        kinds |= dict.fromkeys(("models", "differences", "probabilities"), list)
        kinds |= {"segments": float, "training": dict}
        checked = _FILE.typed(_FILE.entries(content, path), kinds, "the table", path)
        for name in ("differences", "probabilities"):
            column = checked[name]
            checked[name] = tuple(_FILE.numbers(column, len(column), f"{name!r}", path))
        if not all(isinstance(name, str) for name in checked["models"]):
            raise _FILE.wrong("'models' is not a list of names", path)
        checked["models"] = tuple(checked["models"])
        checked["calibrated_on"] = checked.pop("calibrated on")
        try:
            return cls(**checked)
        except ResourceError as error:
            raise _FILE.wrong(error.message.rstrip("."), path) from None

    @classmethod
    def load(cls, path: FilePath) -> PreferenceTable:
        """Read a file."""
        return cls.from_json(_FILE.read(path), path=path)

    @staticmethod
    @cache
    def shipped(name: str) -> PreferenceTable:
        """The table of a metric, by its name; it is read once."""
        return PreferenceTable.load(_FILE.shipped(name, "Others do not know what raters prefer."))
