"""Formats in which word vectors come: word2vec's two, and a numpy matrix with a list of words.

Text: a word and its numbers, separated by spaces (GloVe, fastText, word2vec); the first line may state
how many words and dimensions follow. Binary: that line, then each word, a space, and its numbers as
32-bit floats. All numbers must be finite.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from metaphrase.corpus.lines import LineReader
from metaphrase.errors import InputError, ResourceError

Vectors = tuple[list[str], npt.NDArray[np.float32]]

#: Words of a binary file end at a space; one longer than this means that the file is something else.
_LONGEST_WORD = 4096
_LINES_PER_BLOCK = 4096
#: Sizes have fewer digits; Python refuses to read a number of thousands of them.
_MOST_DIGITS = 100
#: Bytes of the line that states how many words and dimensions follow.
_LONGEST_HEADER = 64


def read_vectors(path: Path) -> Vectors:
    """Words, and a matrix of as many rows."""
    if path.suffix == ".npy":
        return _read_numpy(path)
    if _is_binary(path):
        return _read_binary(path)
    return _read_text(path)


def _read_text(path: Path) -> Vectors:
    words: list[str] = []
    blocks: list[npt.NDArray[np.float32]] = []
    stated: int | None = None
    with LineReader(path) as reader:
        first = reader.take(1)[0].split()
        if len(first) == 2 and all(cell.isdecimal() for cell in first):
            if max(map(len, first)) > _MOST_DIGITS:
                raise _wrong_columns(path, 1, "sizes beyond measure", "a word and its vector")
            stated, dimension = map(int, first)
            lines = reader.take(_LINES_PER_BLOCK)
            if lines and dimension > len(lines[0]):  # also if no array can be so large
                numbers = len(lines[0].split()) - 1
                raise _wrong_columns(path, 2, f"{numbers} numbers", f"a word and {dimension}")
        else:
            dimension = len(first) - 1
            lines = [" ".join(first), *reader.take(_LINES_PER_BLOCK - 1)]
        if dimension < 1:
            raise _wrong_columns(path, 1, "no numbers", "a word and its vector")
        while lines:
            start = reader.taken - len(lines) + 1
            some, block = _parse(lines, dimension, path, start)
            words += some
            blocks.append(block)
            lines = reader.take(_LINES_PER_BLOCK)
    if not words or (stated is not None and stated != len(words)):
        raise _wrong_number(path, len(words), stated)
    return words, np.concatenate(blocks)


def _parse(
    lines: list[str], dimension: int, path: Path, start: int
) -> tuple[list[str], npt.NDArray[np.float32]]:
    block = np.empty((len(lines), dimension), dtype=np.float32)
    words: list[str] = []
    for row, line in enumerate(lines):
        # From the right, because some collections have words with spaces.
        cells = line.rstrip().rsplit(" ", dimension)
        numbers = len(cells) - 1
        if _is_number(cells[0].rpartition(" ")[2]) and " " in cells[0]:
            numbers = len(line.split()) - 1  # more than there should be, not a word with a space
        if numbers != dimension:
            raise _wrong_columns(
                path, start + row, f"{numbers} numbers", f"a word and {dimension} numbers"
            )
        words.append(cells[0])
        try:
            block[row] = cells[1:]
        except ValueError:
            raise _not_finite(path, start + row) from None
    finite = np.isfinite(block).all(axis=1)
    if not finite.all():
        raise _not_finite(path, start + int(np.argmin(finite)))
    return words, block


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _is_binary(path: Path) -> bool:
    """A header of two numbers, and then bytes that no text of numbers has."""
    with path.open("rb") as stream:
        header = stream.readline(_LONGEST_HEADER).split()
        if len(header) != 2 or not all(cell.isdigit() for cell in header):
            return False
        rest = stream.read(min(4 * int(header[1]) + 64, path.stat().st_size))
    # Numbers, signs, exponents and spaces are below 0x80, and words may be anything: look behind the word.
    numbers = rest.partition(b" ")[2].partition(b"\n")[0]
    return bool(numbers.translate(None, b"0123456789+-.eE \r\tnaifNAIF"))


def _read_binary(path: Path) -> Vectors:
    with path.open("rb") as stream:
        count, dimension = map(int, stream.readline(_LONGEST_HEADER).split())
        size = path.stat().st_size
        if dimension < 1 or count < 1 or count * dimension * 4 > size:
            raise _wrong_number(path, size // max(1, 4 * dimension), count)
        matrix = np.empty((count, dimension), dtype=np.float32)
        words: list[str] = []
        for row in range(count):
            word = _binary_word(stream)
            numbers = stream.read(4 * dimension)
            if word is None or len(numbers) != 4 * dimension:
                raise _wrong_number(path, row, count)
            words.append(word)
            matrix[row] = np.frombuffer(numbers, dtype="<f4")
        if stream.read(2).strip():
            raise _wrong_number(path, count + 1, count)
    finite = np.isfinite(matrix).all(axis=1)
    if not finite.all():
        raise _not_finite(path, int(np.argmin(finite)) + 2)
    return words, matrix


def _binary_word(stream: BinaryIO) -> str | None:
    word = bytearray()
    while (byte := stream.read(1)) != b" ":
        if not byte or len(word) > _LONGEST_WORD:
            return None
        word += byte
    # Some writers end each vector with a line feed, and some words were cut inside a character.
    return word.lstrip(b"\n").decode(errors="replace")


def _read_numpy(path: Path) -> Vectors:
    listed = path.with_suffix(".txt")
    with LineReader(listed) as reader:
        words = [word for _, word in reader]
    try:
        matrix = np.load(path, allow_pickle=False)
    except Exception as error:  # numpy reads the header as Python, which can fail in any way
        raise ResourceError(
            "MP364",
            f"The matrix cannot be read: {error}.",
            path=path,
            hint="Save it with numpy.save.",
        ) from error
    if matrix.ndim != 2 or matrix.dtype.kind != "f" or len(words) != len(matrix):
        shape = " × ".join(map(str, matrix.shape))
        raise InputError(
            "MP364",
            f"A matrix of {shape} ({matrix.dtype}) does not go with the {len(words)} words of {listed.name}.",
            path=path,
            hint="Give a row of floating-point numbers for each line of the word list.",
        )
    finite = np.isfinite(matrix).all(axis=1)
    if not finite.all():
        raise _not_finite(listed, int(np.argmin(finite)) + 1)
    return words, np.ascontiguousarray(matrix, dtype=np.float32)


def _wrong_columns(path: Path, line: int, found: str, wanted: str) -> InputError:
    return InputError(
        "MP361", f"There are {found} here.", path=path, line=line, hint=f"A line is {wanted}."
    )


def _not_finite(path: Path, line: int) -> InputError:
    return InputError(
        "MP362",
        "A vector has a cell that is not a finite number.",
        path=path,
        line=line,
        hint="Mend it or leave the word out.",
    )


def _wrong_number(path: Path, found: int, stated: int | None) -> InputError:
    said = "" if stated is None else f" where its first line says {stated}"
    return InputError(
        "MP363", f"The file has {found} vectors{said}.", path=path, hint="Fetch or write it again."
    )
