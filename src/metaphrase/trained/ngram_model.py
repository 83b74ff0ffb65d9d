"""Language models of n-grams in memory: read from ARPA files, and written to these or compiled."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from metaphrase._core import language_models as core
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import InputError, OptionError
from metaphrase.trained.checked_json import parse_object

#: The first line of an ARPA file says how its text was made into words; other programs skip it.
_COMMENT = "# metaphrase "
_LINES_PER_CALL = 1 << 14


@dataclass(frozen=True, slots=True, kw_only=True)
class TextForm:
    """How the text of a model was made into words, and how text must be that is asked about.

    ``analyser`` is the name of the one whose tokens the words are, or ``None`` for words that were
    given as such.
    """

    analyser: str | None = None
    lowercase: bool = False

    def words(self, words: Sequence[str]) -> list[str]:
        """The words as the model has them."""
        return [word.lower() for word in words] if self.lowercase else list(words)

    def to_json(self) -> str:
        """In one line."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str | bytes) -> TextForm:
        """What :meth:`to_json` wrote; anything else is a ``ValueError``."""
        fields = parse_object(text)
        if fields.keys() != {"analyser", "lowercase"}:
            raise ValueError("it is not said how the text was made into words")
        form = cls(**fields)
        if not isinstance(form.lowercase, bool) or not isinstance(form.analyser, str | None):
            raise ValueError("it is not said how the text was made into words")
        return form


@dataclass(frozen=True, slots=True)
class Discounts:
    """What was taken from counts of 1, 2 and more, in one order."""

    one: float
    two: float
    more: float
    estimated: bool


class NgramModel:
    """All n-grams of a model with their probabilities; :func:`estimate` and :meth:`read_arpa` make it."""

    def __init__(self, model: core.NgramModel, form: TextForm) -> None:
        self.core = model
        self.form = form

    @property
    def order(self) -> int:
        """Words of the longest n-grams."""
        return len(self.core.counts)

    @property
    def counts(self) -> tuple[int, ...]:
        """How many n-grams there are of each order, the unknown word and the marks among them."""
        return tuple(self.core.counts)

    @property
    def discounts(self) -> tuple[Discounts, ...]:
        """Those of each order; none if the model was read from a file."""
        return tuple(Discounts(*amounts) for amounts in self.core.discounts)

    @property
    def unknown(self) -> int:
        """How many words of the text were read as unknown because no model can hold them."""
        return self.core.unknown

    @property
    def vocabulary(self) -> list[str]:
        """``<unk>``, ``<s>``, ``</s>``, and the words in the order of their UTF-8 bytes."""
        return self.core.vocabulary

    def __repr__(self) -> str:
        return f"<NgramModel of {' + '.join(map(str, self.counts))} n-grams>"

    def write_arpa(self, path: FilePath) -> None:
        """As text, which other programs read; compressed if the name ends in ``.gz``."""
        with atomic_writer(path) as stream:
            stream.write(f"{_COMMENT}{self.form.to_json()}\n\\data\\\n".encode())
            for order, count in enumerate(self.counts, 1):
                stream.write(f"ngram {order}={count}\n".encode())
            for order, count in enumerate(self.counts, 1):
                stream.write(f"\n\\{order}-grams:\n".encode())
                for first in range(0, count, _LINES_PER_CALL):
                    some = min(_LINES_PER_CALL, count - first)
                    stream.write(self.core.arpa(order, first, some))
            stream.write(b"\n\\end\\\n")

    def write_binary(self, path: FilePath, *, bits: int = 16) -> None:
        """In the form that :class:`LanguageModel` maps into memory.

        With ``bits=16`` logarithms of bigrams and longer n-grams are rounded to the 131,000th part of
        their range, about 0.00003; with ``bits=32`` nothing is lost that an ARPA file keeps.
        """
        if bits not in (16, 32):
            raise OptionError("MP687", f"numbers cannot have {bits} bits.", hint="Choose 16 or 32.")
        content = self.core.file(bits, self.form.to_json())
        with atomic_writer(path) as stream:
            stream.write(content)

    @classmethod
    def read_arpa(cls, path: FilePath) -> NgramModel:
        """From an ARPA file of any program, gzipped or not.

        Every n-gram's beginning must be an n-gram of the file, ``<s>`` and ``</s>`` must be there, and
        logarithms of probabilities must be finite and not above 0.
        Without ``<unk>`` an unknown word has the logarithm -100, as in KenLM.
        """
        reader = core.ArpaReader()
        form = TextForm()
        with LineReader(path) as lines:
            try:
                while some := lines.take(_LINES_PER_CALL):
                    if reader.line == 0 and some[0].startswith(_COMMENT):
                        form = TextForm.from_json(some[0].removeprefix(_COMMENT))
                    reader.add(some)
                return cls(reader.take(), form)
            except ValueError as error:
                raise InputError(
                    "MP686",
                    f"{error}.",
                    path=lines.name,
                    line=max(reader.line, 1),
                    hint="Make or fetch the ARPA file again.",
                ) from None
