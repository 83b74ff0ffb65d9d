"""Inputs with one thing in them that is far too long: what small mutations never come to.

A number of more digits than Python converts, a word of tens of thousands of letters, one sign thousands of
times, a line as often: for each of the first few such things in a seed, one input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_EACH = 12
_DIGITS = 5_000
_LETTERS = 30_000
_SIGNS = 20_000
_LINES = 2_000
_NUMBER, _WORD, _SIGN = (re.compile(pattern) for pattern in (rb"\d+", rb"[A-Za-z]\w*", rb"[^\w\s]"))


def extremes(seed: bytes) -> Iterator[bytes]:
    """The inputs that a seed becomes; they are longer than others may be."""
    for found in list(_NUMBER.finditer(seed))[:_EACH]:
        yield _replaced(seed, found, b"9" * _DIGITS)
    for found in list(_WORD.finditer(seed))[:_EACH]:
        yield _replaced(seed, found, b"a" * _LETTERS)
    firsts: dict[bytes, re.Match[bytes]] = {}
    for found in _SIGN.finditer(seed):
        firsts.setdefault(found[0], found)
    for found in list(firsts.values())[: 2 * _EACH]:
        yield _replaced(seed, found, found[0] * _SIGNS)
    lines = seed.splitlines(keepends=True)
    for place in range(min(_EACH, len(lines))):
        repeated = [lines[place]] * (_LINES if len(lines[place]) < 200 else 100)
        yield b"".join([*lines[:place], *repeated, *lines[place:]])
    yield seed * 100


def _replaced(seed: bytes, found: re.Match[bytes], by: bytes) -> bytes:
    return seed[: found.start()] + by + seed[found.end() :]
