"""Compiled files with damage in them, whose checksums are right again: what reads them must see for itself.

The input of such a target is a few bytes that seed the damage: flipped bits, other numbers, pieces that are
cut out, put in, doubled or exchanged, and ends cut off. One time in ten the checksum stays wrong.
"""

from __future__ import annotations

import hashlib
import struct
import subprocess
from collections.abc import Callable
from ctypes import CDLL, c_char_p, c_size_t, c_uint64
from functools import cache
from random import Random

from fuzz.files import folder

Repair = Callable[[bytearray], None]
_MOST_CHANGES = 4
#: So much of a file is its head, where counts and places are.
_HEAD = 256
_NUMBERS = (
    0,
    1,
    2,
    0x7F,
    0x80,
    0xFF,
    0x100,
    0x7FFF,
    0xFFFF,
    0x10000,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFF,
)
#: As src/core/base/byte_stream.hpp computes it; in C, since a shipped model has a million words.
_SOURCE = """
#include <stddef.h>
#include <stdint.h>
#include <string.h>
static uint64_t mix(uint64_t h, uint64_t v) { h = (h ^ v) * 0x9E3779B97F4A7C15ull; return h ^ h >> 32; }
uint64_t checksum(const unsigned char* bytes, size_t size) {
  uint64_t h = mix(0x6D65746170687261ull, size), word;
  size_t at = 0;
  for (; at + 8 <= size; at += 8) { memcpy(&word, bytes + at, 8); h = mix(h, word); }
  for (; at < size; ++at) h = mix(h, bytes[at]);
  return h;
}
"""


def damaged(base: bytes, data: bytes, repair: Repair) -> bytes:
    """The file ``base`` with the damage that ``data`` seeds."""
    chance = Random(data)
    content = bytearray(base)
    for _ in range(1 + min(_MOST_CHANGES, int(chance.expovariate(1)))):
        _change(content, chance)
    if chance.random() < 0.9:
        repair(content)
    return bytes(content)


def _change(content: bytearray, chance: Random) -> None:
    if not content:
        return
    size = len(content) if chance.random() < 0.6 else min(_HEAD, len(content))
    at = chance.randrange(size)
    length = 1 << chance.randrange(7)
    # Most often what leaves the length as it is: what does not is soon seen.
    kind = chance.choices(range(11), (6, 6, 6, 4, 4, 6, 1, 1, 4, 1, 1))[0]
    if kind <= 1:
        content[at] ^= 1 << chance.randrange(8)
    elif kind == 2:
        content[at] = chance.randrange(256)
    elif kind <= 4:
        number = chance.choice(_NUMBERS) if kind == 3 else chance.getrandbits(32)
        content[at : at + 4] = struct.pack("<I", number)
    elif kind == 5:
        (number,) = struct.unpack("<I", bytes(content[at : at + 4]).ljust(4, b"\0"))
        content[at : at + 4] = struct.pack("<I", (number + chance.randint(-3, 3)) & 0xFFFFFFFF)
    elif kind == 6:
        del content[at : at + length]
    elif kind == 7:
        content[at:at] = content[at : at + length]
    elif kind == 8:
        other = chance.randrange(len(content))
        content[at : at + length] = content[other : other + length]
    elif kind == 9:
        content[at:at] = chance.randbytes(length)
    else:
        del content[chance.randrange(len(content)) :]


def of_model(content: bytearray) -> None:
    """Repair the head of base/model_file.hpp: four letters, a version, a checksum."""
    if len(content) >= 16:
        content[8:16] = struct.pack("<Q", checksum(bytes(content[16:])))


def of_table(content: bytearray) -> None:
    """Repair the head of paraphrases: eight letters, a version, a zero, a checksum."""
    if len(content) >= 24:
        content[16:24] = struct.pack("<Q", checksum(bytes(content[24:])))


def of_wordnet(content: bytearray) -> None:
    """Repair the head of WordNet: a digest, and the size of the file."""
    if len(content) >= 80:
        content[72:80] = struct.pack("<Q", len(content))
        content[8:40] = hashlib.sha256(content[40:]).digest()


def of_vectors(content: bytearray) -> None:
    """Repair the head of vectors, a digest of all up to the rows, as far as the sizes make sense."""
    if len(content) < 48:
        return
    count, dimension, cell = struct.unpack_from("<QQQ", content, 24)
    rows = count * dimension * cell
    first = len(content) - rows if 0 < rows < len(content) else len(content)
    content[8:24] = hashlib.blake2b(content[24:first], digest_size=16).digest()


def checksum(content: bytes) -> int:
    """The checksum that the core's files have."""
    compiled = _compiled()
    if compiled is not None:
        return int(compiled.checksum(content, len(content)))
    value = _mix(0x6D65746170687261, len(content))
    whole = len(content) // 8 * 8
    for (word,) in struct.iter_unpack("<Q", content[:whole]):
        value = _mix(value, word)
    for byte in content[whole:]:
        value = _mix(value, byte)
    return value


def _mix(value: int, word: int) -> int:
    value = (value ^ word) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
    return value ^ value >> 32


@cache
def _compiled() -> CDLL | None:
    """Where there is no compiler, Python does it."""
    source, library = folder() / "checksum.c", folder() / "checksum.so"
    source.write_text(_SOURCE)
    try:
        subprocess.run(
            ["cc", "-O2", "-shared", "-fPIC", "-o", str(library), str(source)],
            check=True,
            capture_output=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    loaded = CDLL(str(library))
    loaded.checksum.restype, loaded.checksum.argtypes = c_uint64, [c_char_p, c_size_t]
    return loaded
