"""Paraphrases: words and phrases that can stand for each other, compiled for lookup in large numbers.

A phrase is looked up in lower case, its words separated by single spaces. Tables are directed, as
probabilities are, but two phrases count as paraphrases if a table has them in either order.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from metaphrase._core import phrases as core
from metaphrase.arrays import Int32Array, Int64Array
from metaphrase.errors import OptionError, ResourceError
from metaphrase.extras import not_installed
from metaphrase.lexicon.compilation import compiled
from metaphrase.lexicon.paraphrase_files import READERS, Pair, phrase_key
from metaphrase.lexicon.relation import SynonymGraph
from metaphrase.shipped import shipped_file

SHIPPED = shipped_file("paraphrases-en.bin")
#: To be raised whenever a reader or the compiled form changes, so that caches are not used again.
_VERSION = 1
_PAIRS_PER_CALL = 1 << 16


class ParaphraseTable:
    """A compiled table, opened memory-mapped and read-only; any number of threads may share it.

    Opening checks the checksum and everything that an answer relies on, so that a truncated or
    damaged file raises ``ResourceError``. The file must not be overwritten in place while it is open.
    """

    def __init__(self, path: str | os.PathLike[str], *, name: str | None = None) -> None:
        """From a file that :func:`compile_pairs` wrote; see :meth:`read` for other formats."""
        self.path = Path(path)
        #: The file's name; without its ending if it is a compiled table.
        self.name = name or self.path.stem
        self._source: tuple[str, str] | None = None
        hint = "Reinstall metaphrase, or compile the table again."
        # Asked first because opening a pipe would wait for its writer.
        if not self.path.is_file():
            raise ResourceError("MP348", "no such table of paraphrases.", path=self.path, hint=hint)
        try:
            self._core = core.ParaphraseTable(os.fsencode(self.path))
        except OSError as error:
            raise ResourceError("MP348", f"{error}.", path=self.path, hint=hint) from error
        except ValueError as error:
            raise ResourceError("MP349", f"{error}.", path=self.path, hint=hint) from error

    @staticmethod
    @cache
    def default() -> ParaphraseTable:
        """The English table that ships with the package, opened once per process."""
        return ParaphraseTable(SHIPPED)

    @classmethod
    def read(cls, path: str | os.PathLike[str], form: str) -> ParaphraseTable:
        """From a file of one of the formats ``file``, ``ppdb`` and ``meteor``, compiled on first use."""
        if form not in READERS:
            raise OptionError(
                "MP344",
                f"there is no format of paraphrases called {form!r}.",
                hint=f"Choose {', '.join(READERS)}.",
            )
        source = Path(path)

        def compile_to(stream: BinaryIO) -> None:
            stream.write(compile_pairs(READERS[form](source)))

        table = compiled(
            source,
            form=f"{form}-paraphrases-{_VERSION}",
            compile_to=compile_to,
            opened=lambda target: cls(target, name=source.name),
        )
        table._source = str(source), form
        return table

    @classmethod
    def meteor(cls) -> ParaphraseTable:
        """METEOR 1.5's English table, as the package ``pycocoevalcap`` carries it."""
        package = find_spec("pycocoevalcap")
        for place in (package.submodule_search_locations or ()) if package else ():
            path = Path(place) / "meteor" / "data" / "paraphrase-en.gz"
            if path.is_file():
                return cls.read(path, "meteor")
        raise not_installed(
            "METEOR's paraphrases are not installed.",
            "paraphrases",
            "Name a file (meteor:PATH), or run",
        )

    def __reduce__(self) -> tuple[object, ...]:
        if self._source is not None:
            return ParaphraseTable.read, self._source
        return ParaphraseTable, (self.path,)

    def __repr__(self) -> str:
        return f"<ParaphraseTable {self.name}: {self.pair_count} pairs>"

    @property
    def fingerprint(self) -> str:
        """The first 12 hexadecimal digits of the content's checksum, the same however it was made."""
        return f"{self._core.fingerprint:016x}"[:12]

    @property
    def phrase_count(self) -> int:
        """How many different phrases there are."""
        return self._core.phrase_count

    @property
    def pair_count(self) -> int:
        """How many directed pairs there are."""
        return self._core.pair_count

    def __iter__(self) -> Iterator[str]:
        """All phrases, in the order of their UTF-8 bytes."""
        return map(self._core.phrase, range(self._core.phrase_count))

    def lookup(self, phrase: str) -> list[tuple[str, float | None]]:
        """Paraphrases with ``p(paraphrase | phrase)``, the most probable first; ``None`` if not known."""
        found = self._core.lookup(phrase_key(phrase))
        found.sort(key=lambda pair: 0.0 if math.isnan(pair[1]) else -pair[1])
        return [(other, None if math.isnan(p) else p) for other, p in found]

    def paraphrase_graph(self, words: Sequence[str]) -> SynonymGraph:
        """For each word or phrase, which of the others the table has as its paraphrases, in either order.

        Two that differ in case only have the same paraphrases, but are none of each other.
        """
        offsets, neighbours, _ = self.weighted_graph(words)
        return offsets, neighbours

    def weighted_graph(
        self, words: Sequence[str]
    ) -> tuple[Int64Array, Int32Array, npt.NDArray[np.float32]]:
        """The graph with the higher probability of the two orders at each edge; NaN if not known."""
        return self._core.graph(tuple([phrase_key(word) for word in words]))


class NoParaphrases:
    """Nothing paraphrases anything."""

    name = "none"
    fingerprint = "0" * 12

    def paraphrase_graph(self, words: Sequence[str]) -> SynonymGraph:
        """Without edges."""
        return np.zeros(len(words) + 1, dtype=np.int64), np.zeros(0, dtype=np.int32)


def compile_pairs(pairs: Iterable[Pair]) -> bytes:
    """The content of a compiled table, the same for the same pairs in whatever order they come.

    Phrases are taken as they are; of equal pairs the highest probability stays, NaN standing for none.
    """
    writer = core.ParaphraseTableWriter()
    source = iter(pairs)
    while piece := list(islice(source, _PAIRS_PER_CALL)):
        phrases, paraphrases, probabilities = zip(*piece, strict=True)
        writer.add(list(phrases), list(paraphrases), np.array(probabilities, dtype=np.float32))
    return writer.file()
