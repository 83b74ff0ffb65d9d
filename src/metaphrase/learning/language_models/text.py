"""Text files read into the words that a language model is estimated from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import count

import numpy as np

from metaphrase.analysis import Analyser, shared
from metaphrase.analysis.packed_text import PackedText
from metaphrase.arrays import Int32Array, Int64Array
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.trained.ngram_model import TextForm

#: Lines in memory at a time.
_PIECE = 4096


@dataclass(slots=True)
class _Packer:
    """Collects pieces of text as numbers, 4 bytes a word, with one numbering for all of them."""

    # Looking a new word up gives it the next number.
    numbers: defaultdict[str, int] = field(default_factory=lambda: defaultdict(count().__next__))
    words: list[Int32Array] = field(default_factory=list)
    lengths: list[Int64Array] = field(default_factory=list)

    def add(self, words: Int32Array, lengths: Int64Array) -> None:
        self.words.append(words)
        self.lengths.append(lengths)

    def add_tokenised(self, lines: Sequence[str]) -> None:
        """Words are what stands between blanks."""
        rows = [line.split() for line in lines]
        cells = (self.numbers[word] for row in rows for word in row)
        self.add(np.fromiter(cells, np.int32), np.fromiter(map(len, rows), np.int64, len(rows)))

    def add_analysed(self, lines: Sequence[str], analyser: Analyser, threads: int) -> None:
        """Words are the tokens; only those that differ within the piece are looked up."""
        batch = analyser.analyse(lines, (), threads=threads)
        forms, inverse = np.unique(batch.columns["form"], return_inverse=True)
        numbers = np.array([self.numbers[batch.strings[i]] for i in forms.tolist()], np.int32)
        words = numbers[inverse] if len(forms) else numbers
        self.add(words, np.diff(batch.offsets))

    def packed(self) -> PackedText:
        lengths = np.concatenate([np.zeros(1, np.int64), *self.lengths])
        words = np.concatenate([np.zeros(0, np.int32), *self.words])
        return PackedText(np.cumsum(lengths), words, list(self.numbers))


def read_text(
    paths: Iterable[FilePath],
    *,
    form: TextForm,
    unique: bool = False,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> PackedText:
    """The sentences of text files, one per line, gzipped or not; lines without text are left out.

    ``unique`` leaves out every line that came before, as corpora of several language pairs repeat
    them, which counts of counts must not. ``progress`` is called with the number of lines read. Words
    keep their case, which :func:`estimate` sees to.
    """
    analyser = None if form.analyser is None else shared(form.analyser)
    packer = _Packer()
    seen: set[bytes] | None = set() if unique else None
    read = 0
    for lines in _pieces(paths):
        read += len(lines)
        wanted = [line for line in lines if line.strip() and (seen is None or _is_new(line, seen))]
        if analyser is None:
            packer.add_tokenised(wanted)
        else:
            packer.add_analysed(wanted, analyser, threads)
        if progress is not None:
            progress(read)
    return packer.packed()


def _pieces(paths: Iterable[FilePath]) -> Iterator[list[str]]:
    for path in paths:
        with LineReader(path) as reader:
            while lines := reader.take(_PIECE):
                yield lines


def _is_new(line: str, seen: set[bytes]) -> bool:
    """Whether the line has not come before, by a hash of 80 bits."""
    digest = blake2b(line.encode(), digest_size=10).digest()
    if digest in seen:
        return False
    seen.add(digest)
    return True
