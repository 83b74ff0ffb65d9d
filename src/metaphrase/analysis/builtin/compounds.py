"""German noun compounds: the frequencies of words that tell how a noun is to be cut.

TESLA (METRICS 3.1) chooses for each noun the split p1…pn, n ≥ 1, that maximises the geometric mean of the
parts' corpus frequencies, after Koehn and Knight, Empirical Methods for Compound Splitting, EACL 2003.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from os import PathLike
from pathlib import Path

import numpy as np

from metaphrase._core.analysis import CompoundSplitter
from metaphrase.errors import ResourceError
from metaphrase.shipped import shipped_file

#: Shorter words are not taken for parts: most of them are endings and prefixes that happen to be words.
SHORTEST_PART = 4
#: What may stand between two parts and belongs to neither.
LINKING_ELEMENTS = ("s", "es", "n")

#: Part of the fingerprint, to be raised whenever sentences with compounds come out otherwise.
_VERSION = 2


class CompoundTable:
    """Words in lower case with their frequencies, and the options of the split."""

    def __init__(
        self,
        frequencies: Mapping[str, int],
        *,
        shortest: int = SHORTEST_PART,
        linking: Sequence[str] = LINKING_ELEMENTS,
    ) -> None:
        self._frequencies = dict(frequencies)
        self._shortest = shortest
        self._linking = tuple(linking)
        counts = np.array(list(self._frequencies.values()), dtype=np.int32)
        self.splitter = CompoundSplitter(
            list(self._frequencies), counts, shortest=shortest, linking=list(linking)
        )
        lines = "".join(
            f"{word}\t{self._frequencies[word]}\n" for word in sorted(self._frequencies)
        )
        content = f"{_VERSION}\n{shortest}\n{','.join(self._linking)}\n{lines}"
        #: A hash of the frequencies and the options.
        self.fingerprint = hashlib.blake2b(content.encode(), digest_size=4).hexdigest()

    @classmethod
    def read(cls, path: str | PathLike[str]) -> CompoundTable:
        """From a gzip file of lines ``word TAB frequency``, as ``training/languages/compounds.py`` writes."""
        try:
            return cls(_parse(gzip.decompress(Path(path).read_bytes())))
        except (OSError, EOFError, zlib.error, ValueError, OverflowError) as error:
            raise ResourceError(
                "MP238",
                f"The table of compounds cannot be read: {error}.",
                path=path,
                hint="Install the package again, or build the table with training/languages.",
            ) from None

    @staticmethod
    def default() -> CompoundTable:
        """The German table that ships with the package, read once a process."""
        return _default()

    def split(self, noun: str) -> list[str]:
        """The parts of ``noun``, linking elements with the part before them."""
        return [noun[start:end] for start, _, end in self.splitter.split(noun)]

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (self._frequencies, self._shortest, self._linking)


def _rebuild(
    frequencies: Mapping[str, int], shortest: int, linking: Sequence[str]
) -> CompoundTable:
    return CompoundTable(frequencies, shortest=shortest, linking=linking)


def _parse(content: bytes) -> dict[str, int]:
    rows = (line.split("\t") for line in content.decode().splitlines())
    frequencies = {word: int(count) for word, count in rows}
    if not frequencies:
        raise ValueError("it is empty")
    if max(frequencies.values()) > np.iinfo(np.int32).max:
        raise ValueError("a frequency is beyond 32 bits")
    return frequencies


@cache
def _default() -> CompoundTable:
    return CompoundTable.read(shipped_file("german_compounds.tsv.gz"))
