"""Words in context: a vector for each word of a sentence, how much it matters and how odd it looks there.

An encoder is a small transformer. A word enters with what is known of its form: its word vector, the
pieces that it is spelt with and its case. So a word that nobody has seen before still says something,
and each word has one vector. Its file, which :func:`metaphrase.learning.encoder_file.encoder_content`
writes, has weights of 8 bits, and all sums are of whole numbers: results are the same bits on every
machine, whatever else is in the batch and on any number of threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from metaphrase._core import encoder as core
from metaphrase.analysis.packed_text import PackedText
from metaphrase.analysis.sentence import Batch
from metaphrase.arrays import FloatArray, Int32Array, Int64Array, one_line
from metaphrase.corpus.lines import FilePath, file_state
from metaphrase.errors import InputError, OptionError, ResourceError
from metaphrase.lexicon.vectors import WordVectors
from metaphrase.shipped import shipped_file
from metaphrase.threads import check_threads
from metaphrase.trained.mapped_model import MappedModel, map_model

#: The encoder that ships for a language.
SHIPPED = {"en": "english", **dict.fromkeys(("de", "fr", "es", "cs"), "european")}


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderShape:
    """How large an encoder is."""

    width: int = 256
    layers: int = 4
    heads: int = 4
    inner: int = 1024
    #: Words that are further apart look alike.
    distance: int = 32
    #: Numbers of the vectors that come out.
    size: int = 128
    #: Numbers of the word vectors that go in.
    dimension: int = 100


@dataclass(frozen=True, slots=True, eq=False)
class EncodedWords:
    """Word ``t`` of sentence ``k`` has row ``offsets[k] + t`` of each column.

    ``vectors`` are of length 1, ``importance`` is in (0, 1]. ``oddness`` is a logit: above 0 if the word
    looks out of place.
    """

    offsets: Int64Array
    vectors: NDArray[np.float32]
    importance: FloatArray
    oddness: FloatArray

    __repr__ = one_line

    def __len__(self) -> int:
        return len(self.offsets) - 1


class Encoder(MappedModel[core.Encoder]):
    """A model to be asked, with the word vectors that it was trained with."""

    def __init__(self, model: core.Encoder, vectors: WordVectors, path: Path) -> None:
        """Use :meth:`open`."""
        super().__init__(model, path)
        self._vectors = vectors
        width, layers, heads, inner, distance, size, dimension = model.shape
        self.shape = EncoderShape(
            width=width,
            layers=layers,
            heads=heads,
            inner=inner,
            distance=distance,
            size=size,
            dimension=dimension,
        )

    @classmethod
    def open(cls, path: FilePath, *, vectors: WordVectors | None = None) -> Encoder:
        """From a file, with the word vectors that it was trained with: those that ship, if none are given."""
        model = map_model(core.Encoder, path)
        known = WordVectors.default() if vectors is None else vectors
        encoder = cls(model, known, Path(path))
        if (known.fingerprint, known.dimension) != (model.vectors, encoder.shape.dimension):
            raise ResourceError(
                "MP693",
                f"The encoder goes with the word vectors {model.vectors}, and not with {known.name}, "
                f"which are {known.fingerprint}.",
                path=path,
                hint="Give the vectors that it was trained with.",
            )
        return encoder

    def __reduce__(self) -> tuple[object, ...]:
        return _open_again, (self.path, self._vectors)

    def __repr__(self) -> str:
        return f"<Encoder {self.path.name}: {self.shape.layers} layers of {self.shape.width}>"

    def encode(
        self, sentences: Batch | PackedText | Iterable[Sequence[str]], *, threads: int = 1
    ) -> EncodedWords:
        """Each word of each sentence; words are forms, with their capitals, as an analyser cuts them."""
        threads = check_threads(threads, "MP695")
        offsets, types, forms = _packed(sentences)
        lower = [form.lower() for form in forms]
        try:
            vectors, importance, oddness = self._core.encode(
                words=lower,
                vectors=self._vectors.vectors(lower),
                cases=np.fromiter(map(case_of, forms), np.uint8, len(forms)),
                offsets=offsets,
                types=types,
                threads=threads,
            )
        except ValueError as error:
            raise _unusable(str(error)) from None
        return EncodedWords(offsets, vectors, importance, oddness)


def load_encoder(name: str, lang: str) -> Encoder:
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
            f"no encoder of lang={lang} ships.",
            hint=f"There are encoders of {', '.join(SHIPPED)}.",
        )
    return _load(str(shipped_file(f"{SHIPPED[lang]}.encoder")), (0, 0))


@lru_cache(maxsize=4)
def _load(path: str, state: tuple[int, int]) -> Encoder:
    return Encoder.open(path)


def case_of(form: str) -> int:
    """0 without capitals, 1 with one at the start, 2 all in capitals, 3 otherwise."""
    if form == form.lower():
        return 0
    if form == form.capitalize():
        return 1
    return 2 if form == form.upper() else 3


def _open_again(path: Path, vectors: WordVectors) -> Encoder:
    return Encoder.open(path, vectors=vectors)


def _packed(
    sentences: Batch | PackedText | Iterable[Sequence[str]],
) -> tuple[Int64Array, Int32Array, list[str]]:
    """Offsets, the type of each word, and the form of each type."""
    if isinstance(sentences, Batch):
        # Its strings are those of all columns.
        used, types = np.unique(sentences.columns["form"], return_inverse=True)
        forms = [sentences.strings[number] for number in used.tolist()]
        return sentences.offsets, types.astype(np.int32), forms
    packed = PackedText.checked(sentences, _unusable)
    return packed.offsets, packed.words, list(packed.vocabulary)


def _unusable(reason: str) -> InputError:
    return InputError(
        "MP694", f"The sentences cannot be encoded: {reason}.", hint="Analyse or split them first."
    )
