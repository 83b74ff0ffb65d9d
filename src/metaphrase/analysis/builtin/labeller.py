"""Chunks and named entities of English: IOB2 labels by a compiled linear-chain model.

The cards of the shipped models (``english-chunks.md``, ``english-entities.md``) say what these were trained
on and how often they are right.
"""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from typing import ClassVar, TypeVar, cast

import numpy as np

from metaphrase._core import labelling as core
from metaphrase._core.analysis import ModelError
from metaphrase.analysis.builtin.model_content import read_model
from metaphrase.analysis.sentence import Batch
from metaphrase.analysis.unusable_text import not_unicode
from metaphrase.arrays import Int32Array
from metaphrase.errors import InputError, ResourceError
from metaphrase.shipped import shipped_file
from metaphrase.threads import check_threads

#: Raised whenever the same model would give other output than before; part of every fingerprint.
ALGORITHM_VERSION = 1

Self = TypeVar("Self", bound="SequenceLabeller")


class SequenceLabeller:
    """Reads the columns ``form`` and ``tag`` of a batch and gives one more; may serve many threads.

    A row is labelled as a whole and by itself: the labels depend neither on other rows nor on the
    number of threads.
    """

    #: The column that it fills, and its model among those that ship.
    column: ClassVar[str]
    file: ClassVar[str]

    def __init__(self, model: bytes, *, path: str | PathLike[str] | None = None) -> None:
        """From the content of a model file; ``path`` is only named in errors."""
        try:
            self._core = core.Labeller(model)
            if self._core.task != self.column:
                raise ModelError(f"it is for the column {self._core.task!r}, not {self.column!r}")
        except ModelError as error:
            raise ResourceError(
                "MP225",
                f"The model of {self.column} labels cannot be read: {error}.",
                path=path,
                hint="Install the package again, or train the model anew (training/).",
            ) from None
        self._model = model
        self._names, self._numbers = _distinct([self.cell(name) for name in self._core.labels])

    @classmethod
    def load(cls: type[Self], path: str | PathLike[str]) -> Self:
        """From a model file that one of the scripts in ``training`` wrote."""
        return cls(read_model(path), path=path)

    @classmethod
    def default(cls: type[Self]) -> Self:
        """The model that ships with the package, read once a process."""
        if cls not in _defaults:
            _defaults[cls] = cls.load(shipped_file(cls.file))
        return cast("Self", _defaults[cls])

    @staticmethod
    def cell(label: str) -> str:
        """What the column says where the model says ``label``."""
        return label

    @property
    def fingerprint(self) -> str:
        """The model's checksum and the version of the algorithm that reads it."""
        return f"{self._core.fingerprint:016x}.{ALGORITHM_VERSION}"

    @property
    def names(self) -> tuple[str, ...]:
        """What the cells of the column can be."""
        return self._names

    def label(self, batch: Batch, *, threads: int = 1) -> Int32Array:
        """One number a token, an index into :attr:`names`."""
        threads = check_threads(threads)
        for name in ("form", "tag"):
            if name not in batch.columns:
                raise InputError(
                    "MP227",
                    f"{self.column.capitalize()} labels need the column {name!r}.",
                    hint="Analyse the texts with tags.",
                )
        form, tag = batch.columns["form"], batch.columns["tag"]
        strings = list(batch.strings)
        try:
            labels = self._core.label(batch.offsets, form, tag, strings, threads=threads)
        except (TypeError, ValueError) as error:
            raise _unusable(strings, error) from None
        return self._numbers[labels]

    def add_to(self, batch: Batch, *, threads: int = 1) -> Batch:
        """The batch with the new column, its names among the strings."""
        number = {text: i for i, text in enumerate(batch.strings)}
        cells = [number.setdefault(name, len(number)) for name in self._names]
        labels = np.array(cells, dtype=np.int32)[self.label(batch, threads=threads)]
        return replace(batch, columns={**batch.columns, self.column: labels}, strings=list(number))

    def __reduce__(self) -> tuple[object, ...]:
        # A shipped model is in every process already: only the others travel.
        if self is self.default():
            return type(self).default, ()
        return type(self), (self._model,)


_defaults: dict[type[SequenceLabeller], SequenceLabeller] = {}


class Chunker(SequenceLabeller):
    """Base phrases as in CoNLL-2000: ``B-NP I-NP B-VP … O``."""

    column = "chunk"
    file = "english-chunks.bin"


class EntityRecogniser(SequenceLabeller):
    """Names of persons, organisations and places: ``PERSON``, ``ORGANIZATION``, ``LOCATION``, ``O``.

    The column has bare types, as that of the spaCy adapter: a maximal run of one type is a name.
    """

    column = "entity"
    file = "english-entities.bin"

    @staticmethod
    def cell(label: str) -> str:
        """The type alone."""
        return label.removeprefix("B-").removeprefix("I-")


def _distinct(cells: list[str]) -> tuple[tuple[str, ...], Int32Array]:
    """The cells, each once, and for every label the number of its cell."""
    names = tuple(dict.fromkeys(cells))
    return names, np.array([names.index(cell) for cell in cells], dtype=np.int32)


def _unusable(strings: list[str], error: Exception) -> InputError:
    """Says which string the core could not read, or what is wrong with the arrays."""
    malformed = InputError("MP229", f"The batch is not well formed: {error}.")
    return not_unicode(strings, "String") or malformed
