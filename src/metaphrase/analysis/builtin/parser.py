"""Dependency trees for tokens that are tagged already, whoever tokenised and tagged them.

A small recurrent network scores every pair of words as head and dependent (Dozat and Manning 2017),
and the best tree is taken; the card of a shipped model (``english-parser.md``) says what it was trained
on and how often it is right. Relations are those of Universal Dependencies, subtypes included.

A row may hold several sentences: it is cut after a full stop, question or exclamation mark and what
closes with it, where something follows that can begin a sentence, and each piece has its own root.
Pieces of more than 256 tokens are cut as well, after a token that is no word if there is one, so
that time grows evenly with the length of a row.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from os import PathLike

import numpy as np

from metaphrase._core import analysis, parsing
from metaphrase.analysis.builtin.model_content import read_model
from metaphrase.analysis.sentence import Batch
from metaphrase.analysis.unusable_text import not_unicode
from metaphrase.arrays import Int32Array
from metaphrase.errors import InputError, ResourceError
from metaphrase.shipped import shipped_file
from metaphrase.threads import check_threads

#: Raised whenever the same model would give other output than before; part of every fingerprint.
ALGORITHM_VERSION = 1
#: The columns that :meth:`Parser.parse` reads.
NEEDED_COLUMNS = ("form", "tag", "upos")


class Parser:
    """A dependency parser of the language of its model; one may serve many threads."""

    def __init__(self, model: bytes, *, path: str | PathLike[str] | None = None) -> None:
        """From the content of a model file; ``path`` is only named in errors."""
        try:
            self._core = parsing.Parser(model)
        except analysis.ModelError as error:
            raise ResourceError(
                "MP220",
                f"The parser's model cannot be read: {error}.",
                path=path,
                hint="Install the package again, or train the model anew (training/parser).",
            ) from None
        self._model = model
        self._shipped_as = ""

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Parser:
        """From a model file that ``training/parser`` wrote."""
        return cls(read_model(path), path=path)

    @classmethod
    def shipped(cls, language: str = "english") -> Parser:
        """The model of ``language`` that ships with the package, read once a process."""
        return _shipped(language)

    @property
    def fingerprint(self) -> str:
        """The model's checksum and the version of the algorithm that reads it."""
        return f"{self._core.fingerprint:016x}.{ALGORITHM_VERSION}"

    @property
    def relations(self) -> tuple[str, ...]:
        """The names of all relations that it can give."""
        return tuple(self._core.relations)

    def parse(
        self, batch: Batch, *, split: bool = True, threads: int = 1
    ) -> tuple[Int32Array, Int32Array]:
        """The head of every token of ``batch`` and the number of its relation in ``relations``.

        Heads count from 1 within the row, 0 is the root. Without ``split`` a row is one sentence.
        The trees depend neither on the other rows nor on the number of threads.
        """
        threads = check_threads(threads)
        if lacking := [name for name in NEEDED_COLUMNS if name not in batch.columns]:
            raise InputError(
                "MP222",
                f"The parser needs the column {lacking[0]!r}, which the batch does not have.",
                hint="Analyse the texts with the columns 'tag' and 'upos'.",
            )
        form, tag, upos = (batch.columns[name] for name in NEEDED_COLUMNS)
        # Our own list: the core reads it without holding the interpreter's lock.
        strings = list(batch.strings)
        try:
            return self._core.parse(
                batch.offsets, form, tag, upos, strings, split=split, threads=threads
            )
        except UnicodeEncodeError as error:
            raise not_unicode(strings, "String") or error from None

    def add_to(self, batch: Batch, *, threads: int = 1) -> Batch:
        """``batch`` with the columns ``head`` and ``relation``."""
        heads, relations = self.parse(batch, threads=threads)
        strings = list(batch.strings)
        known = {string: number for number, string in enumerate(strings)}
        names = self.relations
        numbers = np.zeros(
            len(names), dtype=np.int32
        )  # in the batch's strings, by the parser's own
        for relation in np.unique(relations).tolist():
            numbers[relation] = known.get(names[relation], len(strings))
            if names[relation] not in known:
                strings.append(names[relation])
        columns = {**batch.columns, "head": heads, "relation": numbers[relations]}
        return replace(batch, columns=columns, strings=strings)

    def __reduce__(self) -> tuple[object, ...]:
        # The shipped models are in every process already: only the others travel.
        if self._shipped_as:
            return _shipped, (self._shipped_as,)
        return Parser, (self._model,)


@cache
def _shipped(language: str) -> Parser:
    parser = Parser.load(shipped_file(f"{language}-parser.bin"))
    parser._shipped_as = language
    return parser
