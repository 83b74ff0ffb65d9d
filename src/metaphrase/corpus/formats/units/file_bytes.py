"""The bytes of a localisation file, whole: what was read is written back byte for byte."""

from __future__ import annotations

from metaphrase.corpus.lines import FilePath, byte_blocks, shown_name
from metaphrase.errors import InputError

#: No memory of a localisation team comes near to it, and a gzipped bomb ends here.
MOST_BYTES = 1 << 30


def file_bytes(path: FilePath, *, most: int | None = None) -> bytes:
    """What a file holds, decompressed; one that is empty or larger than ``most`` is refused."""
    limit = MOST_BYTES if most is None else most
    parts: list[bytes] = []
    size = 0
    for block in byte_blocks(path):
        size += len(block)
        if size > limit:
            raise InputError(
                "MP863",
                f"The file has more than {limit >> 20} MiB.",
                path=shown_name(path),
                hint="Split it.",
            )
        parts.append(block)
    if size == 0:
        raise InputError("MP113", "The file is empty.", path=shown_name(path), hint="Name another.")
    return b"".join(parts)
