"""Files of numbered blocks of numbers, of which one can be read without the rest.

A line says what the file is and begins with its checksum; three integers for each block follow, where it
begins, where it ends and its checksum; then the blocks.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metaphrase.corpus.writing import atomic_writer

#: Bytes of what is known of a block.
_ENTRY = 24
#: Nothing that describes a file is longer.
_LONGEST = 1 << 16


class DamagedError(Exception):
    """The file is not as it was written, or another than was expected."""


def write_blocks(
    path: Path, facts: Mapping[str, Any], blocks: Sequence[NDArray[np.integer]], *, columns: int
) -> None:
    """Write blocks, each of so many columns; the file is there complete or not at all."""
    # Blocks are made bytes twice, so that these need not all be there at once.
    ends = np.cumsum([0, *(8 * block.size for block in blocks)])
    entries = [
        [ends[i], ends[i + 1], zlib.crc32(_bytes(block), _seed(i))]
        for i, block in enumerate(blocks)
    ]
    body = json.dumps({**facts, "columns": columns, "size": int(ends[-1])}).encode()
    with atomic_writer(path, sync=True) as stream:
        stream.write(b"%08x %s\n" % (zlib.crc32(body), body))
        stream.write(np.array(entries, dtype="<i8").tobytes())
        for block in blocks:
            stream.write(_bytes(block))


class BlockFile:
    """A file of blocks, to read some of them; ``facts`` must be what it says of itself.

    A file that is not there is a ``FileNotFoundError``.
    """

    def __init__(self, path: Path, facts: Mapping[str, Any], blocks: int) -> None:
        self._stream = path.open("rb")
        try:
            self._blocks = blocks
            self._index, self.columns, self._size = self._head(facts)
        except BaseException:
            self._stream.close()
            raise

    def __enter__(self) -> BlockFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stream.close()

    def _head(self, facts: Mapping[str, Any]) -> tuple[int, int, int]:
        line = self._stream.readline(_LONGEST)
        checksum, _, rest = line.partition(b" ")
        body = rest.removesuffix(b"\n")
        if checksum != b"%08x" % zlib.crc32(body):
            raise DamagedError
        found = json.loads(body)
        columns, size = found.pop("columns"), found.pop("size")
        if type(columns) is not int or type(size) is not int or columns < 1:
            raise DamagedError
        whole = len(line) + _ENTRY * self._blocks + size
        if found != facts or self._stream.seek(0, 2) != whole:
            raise DamagedError
        return len(line), columns, size

    def block(self, number: int) -> NDArray[np.uint64]:
        """A row for each column."""
        self._stream.seek(self._index + _ENTRY * number)
        begin, end, checksum = np.frombuffer(self._read(_ENTRY), dtype="<i8").tolist()
        if not 0 <= begin <= end <= self._size or (end - begin) % (8 * self.columns):
            raise DamagedError
        self._stream.seek(self._index + _ENTRY * self._blocks + begin)
        data = self._read(end - begin)
        if zlib.crc32(data, _seed(number)) != checksum:
            raise DamagedError
        return np.frombuffer(data, dtype="<u8").astype(np.uint64).reshape(self.columns, -1)

    def check(self) -> None:
        """Read all of it."""
        for number in range(self._blocks):
            self.block(number)

    def _read(self, size: int) -> bytes:
        data = self._stream.read(size)
        if len(data) != size:
            raise DamagedError
        return data


def _bytes(block: NDArray[np.integer]) -> bytes:
    return block.astype("<u8", copy=False).tobytes()


def _seed(number: int) -> int:
    """Two blocks that have changed places have the wrong checksums."""
    return zlib.crc32(str(number).encode())
