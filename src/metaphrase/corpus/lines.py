"""Lines of text files, exactly: which bytes end a line, which encodings are refused, and where.

Only a line feed ends a line; one carriage return before it belongs to the line end. Every other
character that Unicode or Python call a line break (U+2028, U+0085, vertical tab, form feed, a lone
carriage return) is text, because the number of lines is the number of segments and all other tools
that count them count line feeds.
"""

from __future__ import annotations

import os
import sys
import zlib
from collections.abc import Generator, Iterator
from hashlib import blake2b
from os import PathLike, fspath
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from metaphrase.errors import InputError

FilePath = str | PathLike[str]

STDIN = "-"
#: Bytes read at a time: large enough that decoding dominates, small beside a piece of a corpus.
BLOCK = 1 << 18
_GZIP_MAGIC = b"\x1f\x8b"
_UTF8_MARK = b"\xef\xbb\xbf"
# UTF-32 first: its little-endian mark begins with that of UTF-16.
_FOREIGN_MARKS = {
    b"\xff\xfe\x00\x00": "UTF-32",
    b"\x00\x00\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}


class LineReader:
    """The lines of one file (``-``: standard input), taken a few at a time in bounded memory."""

    def __init__(self, path: FilePath) -> None:
        self.name = "<stdin>" if fspath(path) == STDIN else fspath(path)
        self.taken = 0
        self._blocks = _begun(path) or _blocks(path, self.name)
        self._lines: list[str] = []
        self._next = 0
        self._decoded = 0  # lines decoded so far
        self._offset = 0  # bytes decoded so far
        self._rest: list[bytes] = []  # a line whose end is in a later block

    def __enter__(self) -> LineReader:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._blocks.close()

    def take(self, count: int) -> list[str]:
        """The next ``count`` lines; fewer only at the end of the file."""
        ready: list[list[str]] = []
        wanted = count
        while wanted:
            if self._next == len(self._lines) and not self._decode_more():
                break
            part = self._lines[self._next : self._next + wanted]
            self._next += len(part)
            wanted -= len(part)
            ready.append(part)
        lines = ready[0] if len(ready) == 1 else [line for part in ready for line in part]
        self.taken += len(lines)
        return lines

    def count(self) -> int:
        """How many lines the file has; reads the rest of it without keeping it."""
        while self.take(4096):
            pass
        return self.taken

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """Each remaining line with its number, counted from 1."""
        while lines := self.take(1024):
            yield from enumerate(lines, self.taken - len(lines) + 1)

    def _decode_more(self) -> bool:
        """Decode up to the last line end in the next block; False at the end of the file."""
        for block in self._blocks:
            end = block.rfind(b"\n") + 1
            if end:
                data = b"".join((*self._rest, block[:end]))
                self._rest = [block[end:]] if end < len(block) else []
                self._lines, self._next = self._decode(data), 0
                return True
            self._rest.append(block)
        data, self._rest = b"".join(self._rest), []
        self._lines, self._next = self._decode(data) if data else [], 0
        if b"\r" in data and self._decoded == 1:
            raise InputError(
                "MP123",
                "The file has carriage returns but no line feed.",
                path=self.name,
                hint="Convert its line ends to LF (Unix) or CR LF (Windows).",
            )
        if self._decoded == 0:
            hint = "Give one segment per line."
            if self.name == "<stdin>":
                hint += " Did you forget -i? A file of hypotheses goes after it."
            raise InputError("MP113", "The file is empty.", path=self.name, hint=hint)
        return bool(self._lines)

    def _decode(self, data: bytes) -> list[str]:
        """Split and decode whole lines, the only ones or the next ones of the file."""
        start = 0
        if self._offset == 0:
            for mark, encoding in _FOREIGN_MARKS.items():
                if data.startswith(mark):
                    raise InputError(
                        "MP120",
                        f"The file is {encoding}.",
                        path=self.name,
                        hint="Convert it to UTF-8.",
                    )
            start = len(_UTF8_MARK) if data.startswith(_UTF8_MARK) else 0
        nul = data.find(b"\0")
        if nul >= 0:
            raise self._at_byte(
                "MP122", data, nul, "There is a NUL byte", "Remove it, or convert UTF-16 to UTF-8."
            )
        try:
            text = str(memoryview(data)[start:], "utf-8")
        except UnicodeDecodeError as error:
            position = start + error.start
            byte = f"The byte 0x{data[position]:02X} is not UTF-8"
            raise self._at_byte("MP121", data, position, byte, "Convert it to UTF-8.") from None
        if "\r\n" in text:
            text = text.replace("\r\n", "\n")
        lines = text.split("\n")
        if not lines[-1]:
            lines.pop()
        self._offset += len(data)
        self._decoded += len(lines)
        return lines

    def _at_byte(self, code: str, data: bytes, position: int, what: str, hint: str) -> InputError:
        column = position - data.rfind(b"\n", 0, position)
        return InputError(
            code,
            f"{what} (byte {column} of the line, byte {self._offset + position + 1} of the text).",
            path=self.name,
            line=self._decoded + data.count(b"\n", 0, position) + 1,
            hint=hint,
        )


class LineRange(LineReader):
    """Lines of the part of a text file from byte ``start`` to ``end``, numbered as in the whole.

    ``first`` is the number of the first of them, from 1. When all are read, ``digest`` is the hash of
    ``header`` and their bytes. A compressed file can only be read from its start on, and bytes are those of
    its text.
    """

    def __init__(
        self, path: FilePath, start: int, end: int, *, first: int, header: bytes = b""
    ) -> None:
        super().__init__(path)
        self._hash = blake2b(header, digest_size=16)
        self._blocks = self._range(path, start, end)
        self.taken = self._decoded = first - 1
        self._offset = start

    @property
    def digest(self) -> str:
        """The hash of the bytes that were read."""
        return self._hash.hexdigest()

    def read_on(self) -> None:
        """Read the rest for the sake of its hash."""
        for _ in self._blocks:
            pass

    def _range(self, path: FilePath, start: int, end: int) -> Generator[bytes, None, None]:
        left = end - start
        for block in _blocks(path, self.name, start):
            some = block[:left]
            left -= len(some)
            self._hash.update(some)
            yield some
            if not left:
                return


def read_lines(path: FilePath) -> list[str]:
    """All lines of a file."""
    with LineReader(path) as reader:
        return [line for _, line in reader]


#: Streams that can be read once only, and of which some has been read to see what they are.
_BEGUN: dict[object, Generator[bytes, None, None]] = {}
#: So much of a stream is enough to see what it is.
_ENOUGH = 1 << 20


def is_read_once(path: FilePath) -> bool:
    """Whether what has been read of a file cannot be read again, as of a pipe or standard input."""
    if fspath(path) == STDIN:
        return True
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def beginning(path: FilePath, count: int) -> list[str]:
    """The first lines of a stream that is read once, decoded leniently; the last one may be cut.

    Who reads the stream afterwards is given them, too: what was taken from it is kept until then.
    """
    name = "<stdin>" if fspath(path) == STDIN else fspath(path)
    blocks = _begun(path) or _blocks(path, name)
    head: list[bytes] = []
    ends = size = 0
    for block in blocks:
        head.append(block)
        ends += block.count(b"\n")
        size += len(block)
        if ends >= count or size >= _ENOUGH:
            break
    _BEGUN[_identity(path)] = _continued(head, blocks)
    text = b"".join(head).removeprefix(_UTF8_MARK).decode(errors="replace")
    lines = text.replace("\r\n", "\n").split("\n")
    return (lines if lines[-1] else lines[:-1])[:count]


def _begun(path: FilePath) -> Generator[bytes, None, None] | None:
    return _BEGUN.pop(_identity(path), None) if _BEGUN else None


def _identity(path: FilePath) -> object:
    """What tells streams apart: names of pipes come again, as numbers of descriptors do."""
    if fspath(path) == STDIN:
        return sys.stdin
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return None  # whoever opens it says what is wrong
    return fspath(path), status.st_dev, status.st_ino


def _continued(
    head: list[bytes], blocks: Generator[bytes, None, None]
) -> Generator[bytes, None, None]:
    yield from head
    yield from blocks


def is_gzip(path: FilePath) -> bool:
    """Whether a file begins as gzip does."""
    try:
        with Path(path).open("rb") as stream:
            return stream.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
    except OSError as error:
        raise cannot_read(path, fspath(path), error) from error


def text_blocks(path: FilePath) -> Generator[bytes, None, None]:
    """The bytes of a file, block by block, decompressed where they are compressed."""
    return _blocks(path, fspath(path))


def _blocks(path: FilePath, name: str, start: int = 0) -> Generator[bytes, None, None]:
    """The bytes of a file, decompressed if they begin as gzip does, whatever the file is called.

    From byte ``start`` on, which is 0 where anything is compressed.
    """
    try:
        if fspath(path) == STDIN:
            yield from _decompressed(_standard_input(), name)
            return
        with Path(path).open("rb") as stream:
            if not start:
                yield from _decompressed(stream, name)
                return
            stream.seek(start)
            while block := stream.read(BLOCK):
                yield block
    except (OSError, ValueError) as error:
        raise cannot_read(path, name, error) from error


def _standard_input() -> BinaryIO:
    stream: BinaryIO | None = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise OSError("there is no standard input")
    return stream


def cannot_read(path: FilePath, name: str, error: Exception) -> InputError:
    """The error of a file, which messages call ``name``, that cannot be opened or read."""
    if isinstance(error, FileNotFoundError):
        return InputError("MP110", "There is no such file.", path=name, hint="Check the path.")
    # Windows calls the attempt to open a directory a lack of permission.
    if isinstance(error, OSError) and name != "<stdin>" and os.path.isdir(path):
        return InputError("MP111", "This is a directory.", path=name, hint="Name a file in it.")
    reason = getattr(error, "strerror", None) or error
    return InputError(
        "MP112", f"The file cannot be read: {reason}.", path=name, hint="Check its permissions."
    )


def _decompressed(stream: BinaryIO, name: str) -> Iterator[bytes]:
    block = stream.read(BLOCK)
    if block.startswith(_GZIP_MAGIC):
        yield from _gunzip(block, stream, name)
        return
    while block:
        yield block
        block = stream.read(BLOCK)


def _gunzip(block: bytes, stream: BinaryIO, name: str) -> Iterator[bytes]:
    """Decompress one or more gzip members, never more than a block at a time."""
    member = zlib.decompressobj(wbits=31)
    while True:
        try:
            data = member.decompress(block, BLOCK)
        except zlib.error as error:
            raise _damaged(name, str(error)) from None
        if data:
            yield data
        if member.eof:
            # Members may follow one another; archivers pad the last one with zeros.
            block = member.unused_data.lstrip(b"\0")
            while not block:
                more = stream.read(BLOCK)
                if not more:
                    return
                block = more.lstrip(b"\0")
            member = zlib.decompressobj(wbits=31)
            continue
        block = member.unconsumed_tail or stream.read(BLOCK)
        if not block and not data:
            raise _damaged(name, "it ends too early")


def _damaged(name: str, reason: str) -> InputError:
    return InputError(
        "MP114", f"The gzip data is damaged: {reason}.", path=name, hint="Make or fetch it again."
    )


def file_state(path: FilePath) -> tuple[int, int]:
    """What changes when a file is written anew, so that caches read it again; (0, 0) if it is not there."""
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return 0, 0  # whoever opens it says what is wrong
    return status.st_mtime_ns, status.st_size
