"""The bytes of a localisation file, whole: what was read is written back byte for byte."""

from __future__ import annotations

import io
import zipfile

from metaphrase.corpus.lines import FilePath, byte_blocks, shown_name
from metaphrase.errors import InputError

#: No memory of a localisation team comes near to it, and a gzipped bomb ends here.
MOST_BYTES = 1 << 30
#: What a zip archive, such as a workbook, begins with.
ZIP = b"PK\x03\x04"


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


def unpacked_size(path: FilePath, *, enough: int) -> int:
    """How many bytes a file unpacks to, be it gzip, a zip archive, both or neither.

    Nothing is unpacked beyond ``enough`` bytes: of an archive, the sizes count that its entries declare,
    because nobody can read more of them. Of an archive that is damaged the packed bytes count.
    """
    size = 0
    archive = bytearray()
    for block in byte_blocks(path):
        if size < len(ZIP) or archive.startswith(ZIP):
            archive += block
        size += len(block)
        if size > enough:
            return size
    if not archive.startswith(ZIP):
        return size
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as parts:
            return max(size, sum(entry.file_size for entry in parts.infolist()))
    except Exception:  # archives fail in as many ways as they can be damaged; the reader says which
        return size


def file_text(path: FilePath, *, code: str) -> str:
    """The same as text, which must be UTF-8; ``code`` is of the error if it is not."""
    data = file_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            code,
            f"The byte 0x{data[error.start]:02X} is not UTF-8.",
            path=shown_name(path),
            line=data.count(b"\n", 0, error.start) + 1,
            hint="Convert the file to UTF-8.",
        ) from None
