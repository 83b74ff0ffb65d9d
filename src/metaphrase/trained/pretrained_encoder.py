"""A pretrained encoder: a vector for each word piece of a text in its context, and one for the whole text.

It is a BERT whose file, which :func:`metaphrase.learning.pretrained_file.pretrained_content` writes, has
weights of 8 bits and the vocabulary. Texts are cut into pieces as BERT cuts them, and each piece knows the
characters that it was read from. All sums of products are of whole numbers: results are the same bits on
every machine, whatever else is encoded and on any number of threads.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from metaphrase._core import encoder as core
from metaphrase.analysis.sentence import Batch
from metaphrase.arrays import Int32Array, Int64Array, one_line
from metaphrase.corpus.lines import FilePath, file_state
from metaphrase.errors import InputError, OptionError, ResourceError
from metaphrase.shipped import shipped_file
from metaphrase.threads import check_threads

#: The pretrained encoder that ships for a language.
SHIPPED = {"en": "english-minilm"}
#: A text with more pieces is no sentence, and would take minutes.
MOST_PIECES = 1 << 15
_HINT = "Make or fetch the encoder again."
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class PretrainedShape:
    """How large a pretrained encoder is."""

    width: int
    layers: int
    heads: int
    inner: int
    #: Pieces that are read at once, with the two marks around them.
    positions: int


@dataclass(frozen=True, slots=True, eq=False)
class EncodedPieces:
    """Piece ``t`` of text ``k`` has row ``offsets[k] + t`` of each column.

    ``vectors[i]`` has its vectors after layer ``layers[i]``, each of length 1. ``first`` and ``last`` are the
    characters of the text that it was read from, ``[first, last)``. ``words``, if a batch was encoded, has
    the row of its word among all of the batch, or -1 in a text without words. ``texts`` has a vector of
    length 1 for each text.
    """

    layers: tuple[int, ...]
    offsets: Int64Array
    pieces: Int32Array
    first: Int32Array
    last: Int32Array
    words: Int64Array | None
    vectors: NDArray[np.float32]
    texts: NDArray[np.float32]

    __repr__ = one_line

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def of_layer(self, layer: int) -> NDArray[np.float32]:
        """The vectors of all pieces after one of the layers."""
        found: NDArray[np.float32] = self.vectors[self.layers.index(layer)]
        return found


class PretrainedEncoder:
    """A model to be asked, with its vocabulary, read-only; any number of threads may share it.

    The file is mapped into memory. Opening checks everything that a result relies on, so that a truncated
    or damaged file raises ``ResourceError``. It must not be overwritten in place while it is open.
    """

    def __init__(self, model: core.PretrainedEncoder, path: Path) -> None:
        """Use :meth:`open`."""
        self._core = model
        self.path = path
        width, layers, heads, inner, positions, *_ = model.shape
        self.shape = PretrainedShape(
            width=width, layers=layers, heads=heads, inner=inner, positions=positions
        )

    @classmethod
    def open(cls, path: FilePath) -> PretrainedEncoder:
        """From a file; an unusable one is a ``ResourceError``."""
        # Asked first because opening a pipe would wait for its writer.
        if not Path(path).is_file():
            raise ResourceError(
                "MP691",
                "There is no such encoder, or it is not a file.",
                path=path,
                hint="Give the path of an encoder, or encoder=shipped.",
            )
        try:
            return cls(core.PretrainedEncoder(os.fsencode(path)), Path(path))
        except OSError as error:
            reason = f"{error.strerror or error}."
            raise ResourceError("MP691", reason, path=path, hint=_HINT) from error
        except ValueError as error:
            raise ResourceError("MP692", f"{error}.", path=path, hint=_HINT) from error

    @property
    def name(self) -> str:
        """What signatures call it."""
        return self.path.stem

    @property
    def fingerprint(self) -> str:
        """The first 12 hexadecimal digits of the content's checksum."""
        return f"{self._core.fingerprint:016x}"[:12]

    @property
    def licence(self) -> str:
        """Under which the weights may be used."""
        return self._core.licence

    @property
    def about(self) -> str:
        """What its makers say of it."""
        return self._core.about

    def __reduce__(self) -> tuple[object, ...]:
        return PretrainedEncoder.open, (self.path,)

    def __repr__(self) -> str:
        return f"<PretrainedEncoder {self.path.name}: {self.shape.layers} layers of {self.shape.width}>"

    def encode(
        self, texts: Batch | Sequence[str], *, layers: Sequence[int] = (), threads: int = 1
    ) -> EncodedPieces:
        """Each piece of each text after some layers (the last one, if none is named); equal texts once.

        A text with more pieces than there are positions is read in windows that overlap by a quarter, and
        each piece has its vector from the window in which it stands further from the ends.
        """
        threads = check_threads(threads)
        chosen = self._checked_layers(layers)
        wanted = _checked_texts(texts)
        distinct = list(dict.fromkeys(wanted))
        offsets, *columns = self.cut(distinct, threads=threads)
        self._check_sizes(distinct, wanted, offsets)
        vectors, means = self._core.encode(
            offsets=offsets,
            pieces=columns[0],
            layers=np.array(chosen, dtype=np.int32),
            threads=threads,
        )
        if len(distinct) < len(wanted):
            numbers = {text: number for number, text in enumerate(distinct)}
            rows = np.fromiter(map(numbers.__getitem__, wanted), np.int64, len(wanted))
            places, offsets = _repeated(offsets, rows)
            columns = [column[places] for column in columns]
            vectors, means = vectors[:, places], means[rows]
        pieces, first, last = columns
        words = words_of(texts, offsets, first, last) if isinstance(texts, Batch) else None
        return EncodedPieces(chosen, offsets, pieces, first, last, words, vectors, means)

    def _checked_layers(self, layers: Sequence[int]) -> tuple[int, ...]:
        chosen = tuple(layers) or (self.shape.layers,)
        if (
            list(chosen) != sorted(set(chosen))
            or not 1 <= chosen[0] <= chosen[-1] <= self.shape.layers
        ):
            raise OptionError(
                "MP697",
                f"the layers {chosen} do not rise within 1 to {self.shape.layers}.",
                hint="Name each layer once, the lowest first.",
            )
        return chosen

    def cut(
        self, texts: Sequence[str], *, threads: int = 1
    ) -> tuple[Int64Array, Int32Array, Int32Array, Int32Array]:
        """Offsets of texts, their pieces, and the characters from which to which each was read."""
        try:
            return self._core.cut(texts=list(texts), threads=threads)
        except (
            UnicodeEncodeError
        ):  # half a surrogate pair, dropped like other characters of no text
            plain = [_LONE_SURROGATE.sub("\ufffd", text) for text in texts]
            return self._core.cut(texts=plain, threads=threads)

    def _check_sizes(self, distinct: list[str], wanted: Sequence[str], offsets: Int64Array) -> None:
        sizes = np.diff(offsets)
        if len(sizes) and sizes.max() > MOST_PIECES:
            longest = int(sizes.argmax())
            row = wanted.index(distinct[longest])
            fault = (
                f" has {sizes[longest]:,} word pieces, and an encoder reads at most {MOST_PIECES:,}"
            )
            error = InputError(
                "MP698", f"Text {row + 1}{fault}.", hint="Split it into sentences or paragraphs."
            )
            error.row, error.fault = row, fault
            raise error


def load_pretrained(name: str, lang: str) -> PretrainedEncoder:
    """``shipped``, of the package metaphrase-encoder, or ``file:PATH``; a file that changed is read again."""
    kind, colon, path = name.partition(":")
    if kind == "file" and colon:
        return _load(path, file_state(path))
    if name != "shipped":
        raise OptionError(
            "MP697",
            f"there is no encoder called {name!r}.",
            hint="Choose shipped, none or file:PATH.",
        )
    if lang not in SHIPPED:
        raise OptionError(
            "MP697",
            f"no pretrained encoder of lang={lang} ships.",
            hint=f"There are encoders of {', '.join(SHIPPED)}.",
        )
    return _load(str(shipped_file(f"{SHIPPED[lang]}.encoder")), (0, 0))


@lru_cache(maxsize=4)
def _load(path: str, state: tuple[int, int]) -> PretrainedEncoder:
    return PretrainedEncoder.open(path)


def words_of(batch: Batch, offsets: Int64Array, first: Int32Array, last: Int32Array) -> Int64Array:
    """For each piece of each text of a batch the row of the word of which it has most characters.

    A piece of characters that are in no word goes with the word before it, or the first.
    """
    texts = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    low, high = batch.offsets[texts], batch.offsets[texts + 1]
    start, end = batch.columns["start"], batch.columns["end"]
    # One axis for the characters of all texts.
    longest = 1 + max(int(column.max(initial=0)) for column in (start, end, last))
    of_words = np.repeat(np.arange(len(batch)), np.diff(batch.offsets)) * longest + start
    found = np.searchsorted(of_words, texts * longest + first, side="right") - 1
    found = np.where(low < high, np.maximum(found, low), -1)
    pending = np.flatnonzero(low < high)
    best = _shared(start, end, first, last, found, pending)
    following = found.copy()
    while len(pending):
        following[pending] += 1
        pending = pending[following[pending] < high[pending]]
        pending = pending[start[following[pending]] < last[pending]]
        shared = _shared(start, end, first, last, following, pending)
        more = pending[shared[pending] > best[pending]]
        best[more], found[more] = shared[more], following[more]
    return found.astype(np.int64)


def _shared(
    start: Int32Array,
    end: Int32Array,
    first: Int32Array,
    last: Int32Array,
    words: Int64Array,
    rows: Int64Array,
) -> Int64Array:
    """How many characters pieces share with words; 0 for other rows."""
    found = np.zeros(len(words), dtype=np.int64)
    chosen = words[rows]
    found[rows] = np.minimum(end[chosen], last[rows]) - np.maximum(start[chosen], first[rows])
    return np.maximum(found, 0)


def _repeated(offsets: Int64Array, rows: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Where the members of the chosen rows stand, and the offsets of these."""
    sizes = np.diff(offsets)[rows]
    after = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum(sizes, out=after[1:])
    places = np.arange(after[-1]) + np.repeat(offsets[rows] - after[:-1], sizes)
    return places, after


def _checked_texts(texts: Batch | Sequence[str]) -> Sequence[str]:
    found = texts.texts if isinstance(texts, Batch) else texts
    if isinstance(found, str) or not isinstance(found, Sequence):
        raise _unusable("they are not a list of texts")
    for number, text in enumerate(found, 1):
        if not isinstance(text, str):
            raise _unusable(f"text {number} is {text!r}, not a str")
    return found


def _unusable(reason: str) -> InputError:
    return InputError(
        "MP694", f"The texts cannot be encoded: {reason}.", hint="Give a list of str."
    )
