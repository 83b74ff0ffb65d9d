"""What becomes of characters before a text is cut into word pieces, as the reader's table has it.

These are BERT's rules for models without capitals: control characters are dropped, accents and capitals are
taken off, ideographs and punctuation stand alone. Categories are those of Python's Unicode; what that does
not know is a letter.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

#: CharacterTable::Kind in src/core/encoder/word_pieces.hpp.
PART, DROPPED, SPACE, ALONE = range(4)
_CODE_POINTS = 0x110000
_SURROGATES = range(0xD800, 0xE000)
#: The core takes them apart itself.
_SYLLABLES = range(0xAC00, 0xD7A4)
#: What BERT takes for ideographs; the end of the sixth is the tokenizers library's.
_IDEOGRAPHS = (
    range(0x4E00, 0xA000),
    range(0x3400, 0x4DC0),
    range(0x20000, 0x2A6E0),
    range(0x2A700, 0x2B740),
    range(0x2B740, 0x2B820),
    range(0x2B920, 0x2CEB0),
    range(0xF900, 0xFB00),
    range(0x2F800, 0x2FA20),
)


@dataclass(frozen=True)
class CharacterTable:
    """Characters from ``starts[i]`` on are of ``kinds[i]``; some of ``to`` replace those in ``from_``."""

    starts: NDArray[np.uint32]
    kinds: NDArray[np.uint8]
    from_: NDArray[np.uint32]
    lengths: NDArray[np.uint8]
    to: NDArray[np.uint32]


@cache
def character_table() -> CharacterTable:
    """Of all characters."""
    kinds = np.zeros(_CODE_POINTS, dtype=np.uint8)
    replaced = {}
    for code in range(_CODE_POINTS):
        if code not in _SURROGATES:
            kinds[code], plain = what_becomes_of(chr(code))
            if plain not in ("", chr(code)) and code not in _SYLLABLES:
                replaced[code] = plain
    starts = np.flatnonzero(np.diff(kinds, prepend=255))
    return CharacterTable(
        starts.astype(np.uint32),
        kinds[starts],
        np.array(list(replaced), dtype=np.uint32),
        np.array(list(map(len, replaced.values())), dtype=np.uint8),
        np.array(list(map(ord, "".join(replaced.values()))), dtype=np.uint32),
    )


def what_becomes_of(character: str) -> tuple[int, str]:
    """The kind of a character, and the characters in its place."""
    if character in "\t\n\r" or (character.isspace() and not _is_control(character)):
        return SPACE, ""
    if character in "\0\ufffd" or _is_control(character):
        return DROPPED, ""
    plain = "".join(
        letter.lower()
        for letter in unicodedata.normalize("NFD", character)
        if unicodedata.category(letter) != "Mn"
    )
    if not plain:
        return DROPPED, ""
    alone = any(ord(character) in block for block in _IDEOGRAPHS) or _is_punctuation(plain)
    return ALONE if alone else PART, plain


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Co")


def _is_punctuation(character: str) -> bool:
    # Of ASCII all symbols, too.
    return len(character) == 1 and (
        unicodedata.category(character).startswith("P") or character in "$+<=>^`|~"
    )
