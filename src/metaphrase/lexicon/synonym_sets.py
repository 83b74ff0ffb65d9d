"""Synonym sets of the user's own: one set per line, words separated by tabs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from metaphrase.corpus.lines import LineReader
from metaphrase.errors import InputError
from metaphrase.lexicon.relation import SynonymGraph


class SynonymSets:
    """Words are related if some set holds both; without sets, no words are."""

    def __init__(self, sets: Iterable[Iterable[str]] = (), *, name: str = "none") -> None:
        self._sets: dict[str, list[int]] = {}
        #: The file's name, or ``none``.
        self.name = name
        # Neither the order of sets nor that of their words means anything, so the hash ignores both.
        self._ordered = sorted({tuple(sorted(set(words))) for words in sets})
        for number, words in enumerate(self._ordered):
            for word in words:
                self._sets.setdefault(word, []).append(number)
        lines = "".join("\t".join(words) + "\n" for words in self._ordered)
        #: A hash of the sets.
        self.fingerprint = hashlib.blake2b(lines.encode(), digest_size=6).hexdigest()

    def __repr__(self) -> str:
        return f"<SynonymSets {self.name}>"

    @classmethod
    def read(cls, path: str) -> SynonymSets:
        """Read a file; words are compared as they are written there."""
        with LineReader(path) as reader:
            sets = [[word for word in line.split("\t") if word] for _, line in reader]
        if not any(len(words) > 1 for words in sets):
            raise InputError(
                "MP306",
                "the file has no two words on one line.",
                path=path,
                hint="A line is a set of synonyms, with tabs between them.",
            )
        return cls(sets, name=Path(path).name)

    @property
    def sets(self) -> list[tuple[str, ...]]:
        """The words of each set."""
        return list(self._ordered)

    def synonym_graph(
        self, words: Sequence[str], *, parts: Sequence[str] | None = None
    ) -> SynonymGraph:
        """The sets do not tell parts of speech apart: a restriction changes nothing."""
        members: dict[int, list[int]] = {}
        for i, word in enumerate(words):
            for number in self._sets.get(word, ()):
                members.setdefault(number, []).append(i)
        related = [
            sorted({k for number in self._sets.get(word, ()) for k in members[number]} - {i})
            for i, word in enumerate(words)
        ]
        offsets = np.zeros(len(words) + 1, dtype=np.int64)
        np.cumsum([len(row) for row in related], out=offsets[1:])
        return offsets, np.array([k for row in related for k in row], dtype=np.int32)
