"""Characters as tokens, for languages whose writing does not show where words end.

Ideographs, kana, Hangul syllables, letters of Thai and its neighbours, punctuation and symbols are tokens of
their own. Of scripts that put spaces between words, a run of letters is one token; so is a number, with
points and commas between its digits. Marks belong to what they stand on. White space separates and
carries no other meaning.

Words of scripts with spaces may be smaller units as well (Liu & Ng 2012, section 5.1): their letters, or the
parts of German compounds.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Collection, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from metaphrase.analysis.analyser import requested_columns
from metaphrase.analysis.sentence import BASE_COLUMNS, Batch
from metaphrase.arrays import BoolArray, Int32Array, Int64Array, Uint8Array
from metaphrase.errors import InputError
from metaphrase.threads import check_threads

if TYPE_CHECKING:
    from metaphrase.analysis.builtin.compounds import CompoundTable

#: Raised whenever the same text would get other tokens than before; part of every fingerprint.
ALGORITHM_VERSION = 1

_SPACE, _SINGLE, _LETTER, _DIGIT, _POINT, _MARK = range(6)
#: Blocks whose letters are not spelt into words with spaces between them: first and beyond the last.
_UNSPACED = (
    (0x0E00, 0x10A0),  # Thai, Lao, Tibetan, Myanmar
    (0x1100, 0x1200),  # Hangul letters
    (0x1780, 0x1800),  # Khmer
    (0x2E80, 0xA4D0),  # radicals, kana, Bopomofo, ideographs, Yi
    (0xA960, 0xA980),
    (0xAC00, 0xD800),  # Hangul syllables
    (0xF900, 0xFB00),
    (0xFF66, 0xFFDD),  # half-width kana and Hangul
    (0x16FE0, 0x1B300),
    (0x20000, 0x40000),
)
_UNSPACED_STARTS = [first for first, _ in _UNSPACED]
_JOINERS = frozenset({0x200C, 0x200D})


class CharacterAnalyser:
    """An :class:`~metaphrase.analysis.analyser.Analyser` that knows nothing but forms and places."""

    columns = frozenset(BASE_COLUMNS)

    def __init__(
        self,
        *,
        presegmented: bool = False,
        letters: bool = False,
        compounds: CompoundTable | None = None,
    ) -> None:
        """One of them at most.

        ``presegmented``: tokens are what stands between spaces, as somebody else has cut them.
        ``letters``: every letter is a token, in scripts with spaces, too.
        ``compounds``: words with a capital are cut into the parts that the table knows, each linking element
        into a token of its own, so that *Arbeit|s|amt* has *Arbeit* in it and still spells the compound.
        Forms are in lower case, since the parts of a noun are written so and the noun is not.
        """
        self._presegmented = presegmented
        self._letters = letters
        self._compounds = compounds

    @property
    def name(self) -> str:
        """As the registry knows it."""
        if self._presegmented:
            return "characters:presegmented"
        if self._letters:
            return "characters:letters"
        return "characters:de+compounds" if self._compounds else "characters"

    def fingerprint(self, columns: Collection[str]) -> str:
        """The version of the rules, and of Unicode, whose classes of characters they use."""
        table = f".{self._compounds.fingerprint}" if self._compounds else ""
        return f"{ALGORITHM_VERSION}.unicode{unicodedata.unidata_version}{table}"

    def analyse(self, texts: Sequence[str], columns: Collection[str], *, threads: int = 1) -> Batch:
        """One row a text; it is too little work for several threads."""
        names = requested_columns(self, columns)
        check_threads(threads)
        rows = list(texts)
        for index, text in enumerate(rows):
            if not isinstance(text, str):
                kind = type(text).__name__
                raise InputError("MP103", f"Text {index} is a {kind}, not a str.")
        # A space after each text, so that no token goes from one to the next.
        joined = " ".join([*rows, ""])
        codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        classes = _classes(codes)
        continues = (
            (classes[1:] != _SPACE) & (classes[:-1] != _SPACE)
            if self._presegmented
            else _continuations(classes, letters=self._letters)
        )
        is_start = classes != _SPACE
        is_start[1:] &= ~continues
        starts = np.flatnonzero(is_start)
        ends = np.flatnonzero((classes[:-1] != _SPACE) & ~continues) + 1
        if self._compounds is not None:
            cuts = _cuts(joined, starts, ends, self._compounds)
            starts, ends = np.union1d(starts, cuts), np.union1d(ends, cuts)
        first = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum([len(text) + 1 for text in rows], out=first[1:])
        offsets = np.searchsorted(starts, first)
        shift = np.repeat(first[:-1], np.diff(offsets))
        forms, strings = _intern(joined, codes, starts, ends)
        if self._compounds is not None:
            forms, strings = _in_lower_case(forms, strings)
        cells = {
            "form": forms,
            "start": (starts - shift).astype(np.int32),
            "end": (ends - shift).astype(np.int32),
        }
        return Batch(rows, offsets, {name: cells[name] for name in names}, strings)


def _cuts(
    joined: str, starts: Int64Array, ends: Int64Array, compounds: CompoundTable
) -> Int64Array:
    """Where the compounds among the tokens are cut: at the ends of words and of linking elements."""
    known: dict[str, list[int]] = {}
    found: list[int] = []
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        if end - start > 1 and joined[start].isupper():
            word = joined[start:end]
            if (inner := known.get(word)) is None:
                places = (at for part in compounds.splitter.split(word) for at in part)
                inner = known[word] = sorted({*places} - {0, len(word)})
            found += [start + at for at in inner]
    return np.array(found, dtype=np.int64)


def _in_lower_case(forms: Int32Array, strings: Sequence[str]) -> tuple[Int32Array, list[str]]:
    lowered: dict[str, int] = {}
    numbers = [lowered.setdefault(string.lower(), len(lowered)) for string in strings]
    return np.array(numbers, dtype=np.int32)[forms], list(lowered)


def _continuations(classes: Uint8Array, *, letters: bool) -> BoolArray:
    """Whether each character but the first belongs to the token of the one before it."""
    before, after = classes[:-1], classes[1:]
    # A mark is of the class of what it stands on, as far as what follows it is concerned.
    base = np.where(classes != _MARK, np.arange(len(classes)), 0)
    standing = classes[np.maximum.accumulate(base)] if len(base) else classes
    runs = after == _DIGIT if letters else (after == _LETTER) | (after == _DIGIT)
    same = (standing[:-1] == after) & runs
    marks = (after == _MARK) & (before != _SPACE)
    digits = classes == _DIGIT
    inner = np.zeros(len(classes), dtype=bool)
    inner[1:-1] = (classes[1:-1] == _POINT) & digits[:-2] & digits[2:]
    joined: BoolArray = same | marks | inner[1:] | (inner[:-1] & digits[1:])
    return joined


def _intern(
    joined: str, codes: NDArray[np.uint32], starts: Int64Array, ends: Int64Array
) -> tuple[Int32Array, list[str]]:
    """A number for each token, and the strings that they number, each once."""
    long = np.flatnonzero(ends - starts > 1)
    characters, places = np.unique(codes[starts], return_inverse=True)
    strings = [chr(code) for code in characters.tolist()]
    longer: dict[str, int] = {}
    spelt = [
        longer.setdefault(joined[start:end], len(strings) + len(longer))
        for start, end in zip(starts[long].tolist(), ends[long].tolist(), strict=True)
    ]
    forms: Int32Array = places.astype(np.int32)
    forms[long] = spelt
    return forms, [*strings, *longer]


def _classes(codes: NDArray[np.uint32]) -> Uint8Array:
    distinct, place = np.unique(codes, return_inverse=True)
    return np.array([_class(code) for code in distinct.tolist()], dtype=np.uint8)[place]


@cache
def _class(code: int) -> int:
    character = chr(code)
    if character.isspace():
        return _SPACE
    if character in ".,":
        return _POINT
    category = unicodedata.category(character)
    if category[0] == "M" or code in _JOINERS:
        return _MARK
    if category == "Nd":
        return _DIGIT
    if category[0] != "L":
        return _SINGLE
    block = bisect_right(_UNSPACED_STARTS, code) - 1
    unspaced = block >= 0 and code < _UNSPACED[block][1]
    return _SINGLE if unspaced else _LETTER
