"""What changed from one text to another, word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

#: A run of letters and digits, of blanks, or one other character. Scripts without spaces between words
#: (Han, kana, Thai, Lao, Khmer, Burmese) are compared character by character.
_PIECES = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
    "|[^\\W\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff]+|\\s+|[^\\w\\s]"
)
#: Beyond this, comparing takes longer than anybody would look at it.
_MOST_PIECES = 4_000

Kind = Literal["same", "gone", "new"]


@dataclass(frozen=True, slots=True)
class Piece:
    """Some text that both have, or only the first (``gone``), or only the second (``new``)."""

    kind: Kind
    text: str


def changed_words(before: str, after: str) -> list[Piece]:
    """The pieces of both texts in order; where words were exchanged, the old ones come first.

    >>> [(p.kind, p.text) for p in changed_words("He paid 12 euros.", "He paid 21 euros.")]
    [('same', 'He paid '), ('gone', '12'), ('new', '21'), ('same', ' euros.')]
    """
    old, new = _PIECES.findall(before), _PIECES.findall(after)
    if len(old) > _MOST_PIECES or len(new) > _MOST_PIECES:
        pieces = (
            [Piece("same", before)]
            if before == after
            else [Piece("gone", before), Piece("new", after)]
        )
    else:
        pieces = list(_compared(old, new))
    return [piece for piece in pieces if piece.text]


def _compared(old: list[str], new: list[str]) -> Iterator[Piece]:
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    gone = fresh = ""
    for number, (kind, *cut) in enumerate(blocks):
        first, second = "".join(old[cut[0] : cut[1]]), "".join(new[cut[2] : cut[3]])
        inside = 0 < number < len(blocks) - 1
        if kind == "equal" and not (inside and first.isspace()):
            yield from (Piece("gone", gone), Piece("new", fresh), Piece("same", first))
            gone = fresh = ""
        else:
            # A blank between two words that changed is no island.
            gone, fresh = gone + first, fresh + second
    yield from (Piece("gone", gone), Piece("new", fresh))
