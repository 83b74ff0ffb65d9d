"""The built-in analysers: English, German, French, Spanish and Czech, compiled, offline.

One program serves them all; a model says what it learnt about its language. Tokens, tags and lemmas
come from the language's first model; each further *layer* (the parser, and for English chunks and
entities) has a model of its own, which is read when one of its columns is asked for.
``docs/languages.md`` says how each language is cut into words and which tags it has, the cards beside
the shipped models what these were trained on and how often they are right.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from os import PathLike
from typing import Protocol

from metaphrase._core import analysis as core
from metaphrase.analysis.analyser import checked_request
from metaphrase.analysis.builtin.compounds import CompoundTable
from metaphrase.analysis.builtin.labeller import Chunker, EntityRecogniser
from metaphrase.analysis.builtin.model_content import read_model
from metaphrase.analysis.builtin.parser import Parser
from metaphrase.analysis.sentence import Batch
from metaphrase.analysis.unusable_text import unusable_text
from metaphrase.errors import InputError, OptionError, ResourceError
from metaphrase.shipped import shipped_file

#: Raised whenever the same model would give other output than before; part of every fingerprint.
ALGORITHM_VERSION = 1
#: The models that ship, by the code of their language.
SHIPPED = {"en": "english", "de": "german", "fr": "french", "es": "spanish", "cs": "czech"}


class Layer(Protocol):
    """What reads tokens with tags and adds columns."""

    @property
    def fingerprint(self) -> str:
        """Of the model and the program that reads it."""

    def add_to(self, batch: Batch, *, threads: int = 1) -> Batch:
        """The batch with the layer's columns."""


@dataclass(frozen=True, slots=True)
class LayerSource:
    """A layer that is loaded when it is needed: ``columns`` is what it adds."""

    columns: frozenset[str]
    load: Callable[[], Layer]


class BuiltinAnalyser:
    """An :class:`~metaphrase.analysis.analyser.Analyser`; one may serve many threads.

    With ``compounds``, nouns are cut into the words that they are made of, each a token with its own span;
    this is for German.
    """

    def __init__(
        self,
        model: bytes,
        *,
        compounds: CompoundTable | None = None,
        layers: Sequence[LayerSource] = (),
        path: str | PathLike[str] | None = None,
    ) -> None:
        """From the content of a model file; ``path`` is only named in errors."""
        try:
            self._core = core.TextAnalyser(model)
        except core.ModelError as error:
            raise ResourceError(
                "MP210",
                f"The model cannot be read: {error}.",
                path=path,
                hint="Install the package again, or train the model anew (training/).",
            ) from None
        self._model = model
        self._compounds = compounds
        self._layers = tuple(layers)
        self._shipped_as: tuple[str, bool] | None = None

    @classmethod
    def load(
        cls, path: str | PathLike[str], *, compounds: CompoundTable | None = None
    ) -> BuiltinAnalyser:
        """From a model file that ``training/english`` or ``training/languages`` wrote."""
        return cls(read_model(path), compounds=compounds, path=path)

    @classmethod
    def shipped(cls, language: str, *, compounds: bool = False) -> BuiltinAnalyser:
        """The models of ``language`` that ship with the package, read once a process."""
        if language not in SHIPPED:
            raise OptionError(
                "MP237",
                f"no model of language {language!r} ships.",
                hint=f"There are: {', '.join(SHIPPED)}.",
            )
        return _shipped(language, compounds)

    @property
    def language(self) -> str:
        """The code of the model's language."""
        return self._core.language

    @property
    def name(self) -> str:
        """As the registry knows it."""
        return f"builtin:{self.language}" + ("+compounds" if self._compounds else "")

    def fingerprint(self, columns: Collection[str]) -> str:
        """The checksums of the models that ``columns`` need, and the versions of what reads them."""
        compounds = f".{self._compounds.fingerprint}" if self._compounds else ""
        first = f"{self._core.fingerprint:016x}{compounds}.{ALGORITHM_VERSION}"
        return "+".join([first, *(layer.fingerprint for layer in self._needed(columns))])

    @property
    def columns(self) -> frozenset[str]:
        """What :meth:`analyse` can compute."""
        own = frozenset({"form", "start", "end", "lemma", "tag", "upos"})
        return own.union(*(source.columns for source in self._layers))

    def analyse(self, texts: Sequence[str], columns: Collection[str], *, threads: int = 1) -> Batch:
        """One row a text; the same rows whatever the number of threads or the size of the batch."""
        names = checked_request(self, columns, threads)
        if isinstance(texts, str):
            raise InputError(
                "MP107", "One text stands where a list of texts belongs.", hint="[text]"
            )
        rows = list(texts)  # our own list: the core reads it without holding the interpreter's lock
        layers = self._needed(names)
        wanted = {
            "lemma": "lemma" in names,
            "tag": "tag" in names or bool(layers),
            "upos": "upos" in names or bool(layers),
        }
        splitter = self._compounds.splitter if self._compounds else None
        try:
            offsets, cells, strings = self._core.analyse(rows, splitter, threads=threads, **wanted)
        except (TypeError, UnicodeEncodeError, ValueError):
            raise unusable_text(rows) from None
        batch = Batch(rows, offsets, cells, strings)
        for layer in layers:
            batch = layer.add_to(batch, threads=threads)
        return replace(batch, columns={n: c for n, c in batch.columns.items() if n in names})

    def _needed(self, columns: Collection[str]) -> list[Layer]:
        return [source.load() for source in self._layers if not source.columns.isdisjoint(columns)]

    def __reduce__(self) -> tuple[object, ...]:
        # The shipped models are in every process already: only the others travel.
        if self._shipped_as:
            return _shipped, self._shipped_as
        return _rebuild, (self._model, self._compounds, self._layers)


def _rebuild(
    model: bytes, compounds: CompoundTable | None, layers: tuple[LayerSource, ...]
) -> BuiltinAnalyser:
    return BuiltinAnalyser(model, compounds=compounds, layers=layers)


@cache
def _shipped(language: str, compounds: bool) -> BuiltinAnalyser:
    parser = partial(Parser.shipped, SHIPPED[language])
    layers = [LayerSource(frozenset({"head", "relation"}), parser)]
    if language == "en":
        layers.append(LayerSource(frozenset({"chunk"}), Chunker.default))
        layers.append(LayerSource(frozenset({"entity"}), EntityRecogniser.default))
    path = shipped_file(f"{SHIPPED[language]}.bin")
    analyser = BuiltinAnalyser(
        read_model(path),
        compounds=CompoundTable.default() if compounds else None,
        layers=layers,
        path=path,
    )
    analyser._shipped_as = (language, compounds)
    return analyser
