"""Sentences read through the phrases of another language.

See src/core/pivots/bind_pivots.cpp. Call these through metaphrase.learning and metaphrase.matching.
"""

from metaphrase.arrays import FloatArray, Int32Array, Int64Array, Uint8Array

most_words: int
most_alternatives: int
most_string: int

#: Lemma, tag, and whether it is a function word.
Unit = tuple[str, str, bool]

class Units:
    """What pivot phrases are made of; ``function`` is by tag."""

    def __init__(
        self,
        *,
        lemmas: list[str],
        tags: list[str],
        function: Uint8Array,
        lemma: Int32Array,
        tag: Int32Array,
    ) -> None: ...

def write_table(
    *,
    names: list[str],
    words: list[str],
    units: Units,
    phrases: tuple[Int64Array, Int32Array],
    totals: Int64Array,
    pivots: tuple[Int64Array, Int32Array],
    pairs: tuple[Int32Array, Int32Array, Int64Array],
    total: int,
) -> bytes:
    """The content of a table's file; ``names`` are two languages and two analysers.

    ``pairs`` are phrases, pivot phrases and their counts.
    """

def expected_ngrams(
    *,
    slot_offsets: Int64Array,
    unit_offsets: Int64Array,
    units: Int32Array,
    probabilities: FloatArray,
    order: int,
) -> tuple[Int32Array, FloatArray]:
    """Units of the n-grams, one after the other, and their expected counts."""

class PivotTable:
    """A compiled table, memory-mapped; an unusable file is an ``OSError`` or a ``ValueError``."""

    def __init__(self, path: bytes) -> None: ...
    @property
    def languages(self) -> tuple[str, str]: ...
    @property
    def analysers(self) -> tuple[str, str]: ...
    @property
    def fingerprint(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def phrase_count(self) -> int: ...
    @property
    def alternative_count(self) -> int: ...
    def lookup(self, words: list[str]) -> tuple[int, list[tuple[tuple[Unit, ...], int]]] | None:
        """N(p), and the units and N(p, f) of each alternative."""

    def segment(self, strings: list[str], word: Int32Array) -> list[tuple[int, int, bool]]:
        """First word, number of words, and whether the table has the phrase."""

    def ngrams(
        self, strings: list[str], word: Int32Array, *, order: int, divisor: int
    ) -> list[tuple[tuple[Unit | str, ...], float, float]]:
        """Units (a str is an unknown word), expected count, discount for function words."""

    def overlaps(
        self,
        *,
        strings: list[str],
        offsets: Int64Array,
        word: Int32Array,
        hypotheses: Int32Array,
        references: Int32Array,
        divisor: int,
        threads: int,
    ) -> FloatArray:
        """Matched lemmas, matched tags, reference and hypothesis totals; three columns each."""
