"""Phrases of a target language with their translations into a pivot language, compiled for TESLA.

Chang Liu, Daniel Dahlmeier and Hwee Tou Ng: TESLA: Translation Evaluation of Sentences with
Linear-programming-based Analysis. WMT 2010, section 4 (METRICS 3.6).

A phrase ``p`` is one to four words of the target language in lower case; an alternative ``f`` is one to
four *units* of the pivot language, each a lemma in lower case with the tag that it had in its sentence, and
has the probability ``N(p, f) / N(p)``. Counts are kept exactly. What pruning takes away is lost, not shared
out: ``N(p)`` and the sum of all ``N`` stay those of the whole text, so the alternatives of a phrase may add
up to less than 1. Not so what phrase extraction drops to keep within its memory (``most_pairs``): that counts
as if it had never been there. A phrase without any alternative left is not in the table.

The file is read in place (memory-mapped); every number in it takes as few bits as its column allows. The same
counts give the same bytes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from metaphrase._core import pivots as core
from metaphrase.errors import InputError, ResourceError

#: Of a phrase and of its alternatives.
MOST_WORDS = core.most_words
#: The tag of words that a table does not know and that stand for themselves.
UNKNOWN_TAG = "OOV"


@dataclass(frozen=True, slots=True)
class PivotUnit:
    """A word of the pivot language; ``function`` says whether its tag is one of function words."""

    lemma: str
    tag: str
    function: bool


@dataclass(frozen=True, slots=True)
class Alternative:
    """A translation into the pivot language and its probability ``N(p, f) / N(p)``."""

    units: tuple[PivotUnit, ...]
    probability: float


class PivotTable:
    """A compiled table, opened read-only; any number of threads may share it.

    Opening checks the checksum and everything that an answer relies on, so that a truncated or
    damaged file raises ``ResourceError``. The file must not be overwritten in place while it is open.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """From a file that ``metaphrase train phrases`` wrote."""
        self.path = Path(path)
        # Asked first because opening a pipe would wait for its writer.
        if not self.path.is_file():
            raise ResourceError(
                "MP660", "There is no such table of pivot phrases.", path=path, hint="Check it."
            )
        try:
            self._core = core.PivotTable(os.fsencode(path))
        except OSError as error:
            raise ResourceError(
                "MP660", f"{error}.", path=path, hint="Check its permissions."
            ) from error
        except ValueError as error:
            raise ResourceError(
                "MP661",
                f"The table cannot be used: {error}.",
                path=path,
                hint="Train it again with `metaphrase train phrases`.",
            ) from error

    def __reduce__(self) -> tuple[object, ...]:
        return PivotTable, (self.path,)

    def __repr__(self) -> str:
        target, pivot = self.languages
        return f"<PivotTable {target}-{pivot}: {self.phrase_count} phrases>"

    @property
    def languages(self) -> tuple[str, str]:
        """The codes of the target language and of the pivot language."""
        return self._core.languages

    @property
    def analysers(self) -> tuple[str, str]:
        """The names of the analysers that cut both sides into words."""
        return self._core.analysers

    @property
    def fingerprint(self) -> str:
        """The first 12 hexadecimal digits of the content's checksum."""
        return f"{self._core.fingerprint:016x}"[:12]

    @property
    def total(self) -> int:
        """The sum of N(p) over all phrases of the text, also those that were pruned."""
        return self._core.total

    @property
    def phrase_count(self) -> int:
        """How many phrases have alternatives."""
        return self._core.phrase_count

    @property
    def alternative_count(self) -> int:
        """How many alternatives there are in all."""
        return self._core.alternative_count

    def count(self, phrase: str | Sequence[str]) -> int:
        """N(p); 0 if the table does not have the phrase."""
        found = self._core.lookup(_words(phrase))
        return 0 if found is None else found[0]

    def lookup(self, phrase: str | Sequence[str]) -> list[Alternative]:
        """The alternatives of a phrase in lower case, the most probable first; none if it is unknown."""
        found = self._core.lookup(_words(phrase))
        if found is None:
            return []
        total, alternatives = found
        return [
            Alternative(tuple(PivotUnit(*unit) for unit in units), count / total)
            for units, count in alternatives
        ]


def _words(phrase: str | Sequence[str]) -> list[str]:
    words = phrase.split() if isinstance(phrase, str) else phrase
    if not isinstance(words, Iterable):
        raise InputError(
            "MP666", f"{phrase!r} is not a phrase.", hint="Give a string or a list of words."
        )
    found = list(words)
    if any(not isinstance(word, str) for word in found):
        raise InputError("MP666", "A word is not a string.", hint="Give a list of strings.")
    return found
