"""The built-in English analyser: Penn-style tokens, tags, universal tags and lemmas.

Everything is done in the compiled core, a batch at a time; ``models/english.md`` says what the
shipped model was trained on and how often it is right.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from importlib.resources import files
from os import PathLike
from pathlib import Path

from metaphrase._core import analysis as core
from metaphrase.analysis.analyser import requested_columns
from metaphrase.analysis.sentence import Batch
from metaphrase.analysis.unusable_text import unusable_text
from metaphrase.errors import OptionError, ResourceError

#: Raised whenever the same model would give other output than before; part of every fingerprint.
ALGORITHM_VERSION = 1


class EnglishAnalyser:
    """An :class:`~metaphrase.analysis.analyser.Analyser` of English; one may serve many threads."""

    def __init__(self, model: bytes, *, path: str | PathLike[str] | None = None) -> None:
        """From the content of a model file; ``path`` is only named in errors."""
        try:
            self._core = core.TextAnalyser(model)
        except core.ModelError as error:
            raise ResourceError(
                "MP210",
                f"The English model cannot be read: {error}.",
                path=path,
                hint="Install the package again, or train the model anew (training/english).",
            ) from None
        self._model = model

    @classmethod
    def load(cls, path: str | PathLike[str]) -> EnglishAnalyser:
        """From a model file that ``training/english`` wrote."""
        try:
            model = Path(path).read_bytes()
        except OSError as error:
            raise ResourceError(
                "MP211", f"The English model cannot be opened: {error.strerror}.", path=path
            ) from None
        return cls(model, path=path)

    @classmethod
    def default(cls) -> EnglishAnalyser:
        """The model that ships with the package, read once a process."""
        return _default()

    @property
    def name(self) -> str:
        """As the registry knows it."""
        return "builtin:en"

    def fingerprint(self, columns: Collection[str]) -> str:
        """The model's checksum and the version of the algorithm that reads it."""
        return f"{self._core.fingerprint:016x}.{ALGORITHM_VERSION}"

    @property
    def columns(self) -> frozenset[str]:
        """What :meth:`analyse` can compute."""
        return frozenset({"form", "start", "end", "lemma", "tag", "upos"})

    def analyse(self, texts: Sequence[str], columns: Collection[str], *, threads: int = 1) -> Batch:
        """One row a text; the same rows whatever the number of threads or the size of the batch."""
        names = requested_columns(self, columns)
        if threads < 1:
            raise OptionError("MP202", f"{threads} threads cannot work.", hint="Ask for 1 or more.")
        rows = list(texts)  # our own list: the core reads it without holding the interpreter's lock
        wanted = {name: name in columns for name in ("lemma", "tag", "upos")}
        try:
            offsets, cells, strings = self._core.analyse(rows, threads=threads, **wanted)
        except (TypeError, UnicodeEncodeError, ValueError):
            raise unusable_text(rows) from None
        return Batch(rows, offsets, {n: c for n, c in cells.items() if n in names}, strings)

    def __reduce__(self) -> tuple[object, ...]:
        # The shipped model is in every process already: only the others travel.
        if _default.cache_info().currsize and self is _default():
            return EnglishAnalyser.default, ()
        return EnglishAnalyser, (self._model,)


@cache
def _default() -> EnglishAnalyser:
    return EnglishAnalyser((files("metaphrase") / "models" / "english.bin").read_bytes())
