"""All doubts about the texts, noted while these go by to be scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from metaphrase.corpus import Corpus
from metaphrase.scoring.doubts.broken_lines import BrokenLines
from metaphrase.scoring.doubts.doubt import Doubt
from metaphrase.scoring.doubts.equal_systems import EqualSystems
from metaphrase.scoring.doubts.file_names import FileNames
from metaphrase.scoring.doubts.reference_copies import ReferenceCopies
from metaphrase.scoring.doubts.reference_origin import ReferenceOrigin
from metaphrase.scoring.doubts.texts import Texts

#: Hypotheses that are looked at, from the first on: nobody shall wait for doubts.
MOST_HYPOTHESES = 100_000
#: Segments that are looked at together.
_PIECE = 1024


class _Watcher(Protocol):
    def watch(self, texts: Texts) -> None: ...

    def doubts(self) -> Iterator[Doubt]: ...


class TextDoubts:
    """Watches a corpus go by, piece by piece, and says in the end what is doubtful about it.

    >>> doubts = TextDoubts(["en"])
    >>> doubts.watch(metaphrase.Corpus({"mine": ["", "A cat."]}, [["A dog.", "A cow."]]))
    >>> [doubt.text for doubt in doubts.found()]
    ['1 hypothesis is empty: 1 of mine (line 1).']
    """

    def __init__(self, languages: Sequence[str]) -> None:
        self._watchers: tuple[_Watcher, ...] = (
            FileNames(),
            ReferenceCopies(),
            ReferenceOrigin(),
            EqualSystems(),
            BrokenLines(languages),
        )
        self._segments = 0

    def watched(self, pieces: Iterable[Corpus]) -> Iterator[Corpus]:
        """The pieces, looked at as they go by."""
        for piece in pieces:
            self.watch(piece)
            yield piece

    def watch(self, piece: Corpus) -> None:
        """Look at the next piece, as far as there have not been enough."""
        most = max(MOST_HYPOTHESES // len(piece.systems) - self._segments, 0)
        for part in piece[:most].pieces(_PIECE) if most else ():
            texts = Texts(part, self._segments)
            for watcher in self._watchers:
                watcher.watch(texts)
            self._segments += len(part)

    def found(self) -> tuple[Doubt, ...]:
        """All doubts, those first that make most scores worthless."""
        return tuple(doubt for watcher in self._watchers for doubt in watcher.doubts())
