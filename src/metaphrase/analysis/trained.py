"""The built-in analysers of German, French, Spanish and Czech: tokens, tags, universal tags and lemmas.

One compiled program serves them all; a model says what it learnt about its language. ``docs/languages.md``
says how each language is cut into words and which tags it has, ``models/*.md`` what the shipped models were
trained on and how often they are right.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from importlib.resources import files
from os import PathLike
from pathlib import Path

from metaphrase._core import analysis as core
from metaphrase.analysis.analyser import checked_request
from metaphrase.analysis.compounds import CompoundTable
from metaphrase.analysis.sentence import Batch
from metaphrase.analysis.unusable_text import unusable_text
from metaphrase.errors import OptionError, ResourceError

#: Raised whenever the same model would give other output than before; part of every fingerprint.
ALGORITHM_VERSION = 1
#: The models that ship, by the code of their language.
SHIPPED = {"de": "german", "fr": "french", "es": "spanish", "cs": "czech"}


class TrainedAnalyser:
    """An :class:`~metaphrase.analysis.analyser.Analyser`; one may serve many threads.

    With ``compounds``, nouns are cut into the words that they are made of, each a token with its own span;
    this is for German.
    """

    def __init__(
        self,
        model: bytes,
        *,
        compounds: CompoundTable | None = None,
        path: str | PathLike[str] | None = None,
    ) -> None:
        """From the content of a model file; ``path`` is only named in errors."""
        try:
            self._core = core.TextAnalyser(model)
        except core.ModelError as error:
            raise ResourceError(
                "MP235",
                f"The model cannot be read: {error}.",
                path=path,
                hint="Install the package again, or train the model anew (training/languages).",
            ) from None
        self._model = model
        self._compounds = compounds
        self._shipped_as: tuple[str, bool] | None = None

    @classmethod
    def load(
        cls, path: str | PathLike[str], *, compounds: CompoundTable | None = None
    ) -> TrainedAnalyser:
        """From a model file that ``training/languages`` wrote."""
        try:
            model = Path(path).read_bytes()
        except OSError as error:
            raise ResourceError(
                "MP236", f"The model cannot be opened: {error.strerror}.", path=path
            ) from None
        return cls(model, compounds=compounds, path=path)

    @classmethod
    def shipped(cls, language: str, *, compounds: bool = False) -> TrainedAnalyser:
        """The model of ``language`` that ships with the package, read once a process."""
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
        """The checksums of the model and the compounds, and the version of the algorithm."""
        compounds = f".{self._compounds.fingerprint}" if self._compounds else ""
        return f"{self._core.fingerprint:016x}{compounds}.{ALGORITHM_VERSION}"

    @property
    def columns(self) -> frozenset[str]:
        """What :meth:`analyse` can compute."""
        return frozenset({"form", "start", "end", "lemma", "tag", "upos"})

    def analyse(self, texts: Sequence[str], columns: Collection[str], *, threads: int = 1) -> Batch:
        """One row a text; the same rows whatever the number of threads or the size of the batch."""
        names = checked_request(self, columns, threads)
        rows = list(texts)  # our own list: the core reads it without holding the interpreter's lock
        wanted = {name: name in columns for name in ("lemma", "tag", "upos")}
        splitter = self._compounds.splitter if self._compounds else None
        try:
            offsets, cells, strings = self._core.analyse(rows, splitter, threads=threads, **wanted)
        except (TypeError, UnicodeEncodeError, ValueError):
            raise unusable_text(rows) from None
        return Batch(rows, offsets, {n: c for n, c in cells.items() if n in names}, strings)

    def __reduce__(self) -> tuple[object, ...]:
        # The shipped models are in every process already: only the others travel.
        if self._shipped_as:
            return _shipped, self._shipped_as
        return _rebuild, (self._model, self._compounds)


def _rebuild(model: bytes, compounds: CompoundTable | None) -> TrainedAnalyser:
    return TrainedAnalyser(model, compounds=compounds)


@cache
def _shipped(language: str, compounds: bool) -> TrainedAnalyser:
    model = (files("metaphrase") / "models" / f"{SHIPPED[language]}.bin").read_bytes()
    table = CompoundTable.default() if compounds else None
    analyser = TrainedAnalyser(model, compounds=table)
    analyser._shipped_as = (language, compounds)
    return analyser
