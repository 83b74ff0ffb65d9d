"""How probable a sentence is: language models asked in large numbers.

A model is a file that :meth:`NgramModel.write_binary` or any program for ARPA files wrote. The
probability of a sentence is that of its words and its end after its begin,

    P(w1 … wn) = p(w1 | <s>) p(w2 | <s> w1) … p(</s> | … wn)

where ``p`` is read from the longest n-gram that the model has, times the back-off weights of the longer
contexts that it had to leave.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from metaphrase._core import language_models as core
from metaphrase.analysis.packed_text import PackedText, checked_words
from metaphrase.analysis.sentence import Batch
from metaphrase.arrays import FloatArray, Int32Array, Int64Array
from metaphrase.corpus.lines import FilePath
from metaphrase.errors import InputError, ResourceError
from metaphrase.threads import check_threads
from metaphrase.trained.ngram_model import NgramModel, TextForm

_MAGIC = b"MPLM"
#: What is wrong with a file that is not even text: empty, of another encoding, with NUL bytes.
_NO_TEXT = frozenset({"MP113", "MP120", "MP121", "MP122", "MP123"})


class SentenceProbabilities(NamedTuple):
    """Of each sentence the logarithm of its probability to base 10, and its length with ``</s>``."""

    log10: FloatArray
    lengths: Int64Array

    @property
    def normalised(self) -> FloatArray:
        """The logarithm divided by the length, which TESLA takes for fluency."""
        return np.asarray(self.log10 / self.lengths, dtype=np.float64)

    @property
    def per_word(self) -> FloatArray:
        """(1/n) log P of a sentence of n words (TESLA, section 4.4); NaN of one without words."""
        words = self.lengths - 1
        return np.where(words > 0, self.log10 / np.maximum(words, 1), np.nan)


class WordProbability(NamedTuple):
    """The logarithm of a word's probability to base 10, and the length of the n-gram that has it."""

    word: str
    log10: float
    order: int


class LanguageModel:
    """A model to be asked, read-only; any number of threads may share it.

    Compiled models are mapped into memory. Opening checks everything that an answer relies on, so that
    a truncated or damaged file raises ``ResourceError``. The file must not be overwritten in place
    while it is open.
    """

    def __init__(
        self, model: core.LanguageModel, form: TextForm, *, path: Path | None = None
    ) -> None:
        """Use :meth:`load` or :meth:`of`."""
        self._core = model
        self.form = form
        self.path = path

    @classmethod
    def of(cls, ngrams: NgramModel, *, path: Path | None = None) -> LanguageModel:
        """Ask a model that is in memory."""
        form = ngrams.form
        return cls(core.LanguageModel.of(ngrams.core, form.to_json()), form, path=path)

    @classmethod
    def load(cls, path: FilePath) -> LanguageModel:
        """From a compiled model, or from an ARPA file, gzipped or not, which takes longer."""
        source = Path(path)
        hint = "Make or fetch the model again."
        # Asked first because opening a pipe would wait for its writer.
        if not source.is_file():
            raise ResourceError("MP684", "no such language model.", path=path, hint=hint)
        try:
            with source.open("rb") as stream:
                is_compiled = stream.read(len(_MAGIC)) == _MAGIC
            if is_compiled:
                compiled = core.LanguageModel(os.fsencode(source))
                return cls(compiled, TextForm.from_json(compiled.about), path=source)
        except OSError as error:
            reason = error.strerror or error
            raise ResourceError("MP684", f"{reason}.", path=path, hint=hint) from error
        except ValueError as error:
            raise ResourceError("MP685", f"{error}.", path=path, hint=hint) from error
        try:
            return cls.of(NgramModel.read_arpa(source), path=source)
        except InputError as error:
            if error.code not in _NO_TEXT:
                raise
            fault = f"neither a compiled language model nor an ARPA file: {error.message}"
            raise ResourceError("MP685", fault, path=path, line=error.line, hint=hint) from None

    def __reduce__(self) -> tuple[object, ...]:
        if self.path is None:
            raise TypeError("a language model that is in no file cannot be pickled")
        return LanguageModel.load, (self.path,)

    def __repr__(self) -> str:
        name = "" if self.path is None else f"{self.path.name}: "
        return f"<LanguageModel {name}{' + '.join(map(str, self.counts))} n-grams>"

    @property
    def name(self) -> str:
        """Of the file, without its ending; ``memory`` if there is none."""
        return "memory" if self.path is None else self.path.stem

    @property
    def order(self) -> int:
        """Words of the longest n-grams."""
        return len(self.counts)

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """How many n-grams there are of each order."""
        return tuple(self._core.counts)

    @property
    def fingerprint(self) -> str:
        """The first 12 hexadecimal digits of the content's checksum."""
        return f"{self._core.fingerprint:016x}"[:12]

    def log_probability(
        self,
        sentences: Batch | PackedText | Iterable[Sequence[str]],
        *,
        threads: int = 1,
    ) -> SentenceProbabilities:
        """Of each sentence, with every word unknown that the model does not have.

        Words must be tokens as ``form`` describes them; they are put in lower case here if need be. A
        sentence without words has the probability of ``</s>`` and the length 1.
        """
        threads = check_threads(threads)
        offsets, words, strings = _packed(sentences)
        numbers = self._core.numbers(self.form.words(strings))
        try:
            sums = self._core.score(
                offsets=offsets, words=numbers[words] if len(words) else words, threads=threads
            )
        except ValueError as error:
            raise _unusable(str(error)) from None
        return SentenceProbabilities(sums, np.diff(offsets) + 1)

    def numbers(self, words: Sequence[str]) -> Int32Array:
        """Of words in the model, 0 of all others."""
        return self._core.numbers(self.form.words(words))

    def token_log_probabilities(
        self, offsets: Int64Array, numbers: Int32Array, *, threads: int = 1
    ) -> FloatArray:
        """log10 of each word of many sentences, by their :meth:`numbers`, and of each sentence's end.

        Those of sentence k begin at ``offsets[k] + k``.
        """
        found, _ = self._core.word_scores(offsets=offsets, words=numbers, threads=threads)
        return found

    def word_probabilities(self, words: Sequence[str]) -> list[WordProbability]:
        """Each word of one sentence and its end, for explanations; their sum is the sentence's."""
        sentence = checked_words(words, _unusable)
        numbers = self._core.numbers(self.form.words(sentence))
        whole = np.array([0, len(sentence)])
        found, orders = self._core.word_scores(offsets=whole, words=numbers, threads=1)
        columns = zip([*sentence, "</s>"], found.tolist(), orders.tolist(), strict=True)
        return [WordProbability(*row) for row in columns]


def _packed(
    sentences: Batch | PackedText | Iterable[Sequence[str]],
) -> tuple[Int64Array, Int32Array, Sequence[str]]:
    if isinstance(sentences, Batch):
        return sentences.offsets, sentences.columns["form"], sentences.strings
    packed = PackedText.checked(sentences, _unusable)
    return packed.offsets, packed.words, packed.vocabulary


def _unusable(reason: str) -> InputError:
    return InputError(
        "MP689", f"The sentences cannot be scored: {reason}.", hint="Analyse or split them first."
    )
