"""Counts of n-grams and of symbols in common; see src/core/counts/bind_ngrams.cpp."""

from collections.abc import Sequence

from metaphrase.arrays import FloatArray, Int32Array, Int64Array

class TokenisedTexts:
    """Texts as words."""

    def texts(self) -> list[str]:
        """Each text with its words between single spaces."""

    def take(self, rows: Int32Array) -> TokenisedTexts:
        """These texts, each as often as it is named."""

def tokenise(texts: list[str], tokeniser: str, threads: int) -> TokenisedTexts:
    """The words that sacreBLEU's tokeniser of this name finds: none, 13a, intl, zh or char."""

def tokenise_for_ter(
    texts: list[str],
    *,
    normalized: bool,
    asian_support: bool,
    no_punct: bool,
    passes: int,
    threads: int,
) -> TokenisedTexts:
    """The words that sacreBLEU's tokeniser of TER finds, after so many passes."""

class WordNumbers:
    """Words with a number each."""

    def __init__(self) -> None: ...
    def rows(self, texts: TokenisedTexts) -> tuple[Int32Array, Int64Array]:
        """The words of all texts by their numbers, and where each text begins.

        A new word gets the next number.
        """

def matches(
    hypotheses: TokenisedTexts, references: Sequence[TokenisedTexts], orders: int, threads: int
) -> FloatArray:
    """BLEU's statistics, (segments, 2 + 2 orders)."""

def overlaps(
    hypotheses: Int32Array,
    hypothesis_offsets: Int64Array,
    references: Int32Array,
    reference_offsets: Int64Array,
    orders: int,
    threads: int,
) -> Int64Array:
    """chrF's statistics of rows of symbols: by order n-grams of the hypothesis, of the reference, common."""

def common_subsequences(
    hypotheses: Int32Array,
    hypothesis_offsets: Int64Array,
    references: Int32Array,
    reference_offsets: Int64Array,
    threads: int,
) -> Int64Array:
    """How long the longest common subsequence of each pair of rows of symbols is."""

class CountedTexts:
    """The n-grams of some texts."""

    def matches(self, candidates: Int32Array, references: Int32Array, threads: int) -> Int32Array:
        """The n-grams that each candidate has in common with each reference, by order."""

    def expected(
        self,
        candidates: Int32Array,
        references: Int32Array,
        weights: FloatArray,
        values: FloatArray | None,
    ) -> FloatArray:
        """The sums of the matches with all references, each times its weight, by order."""

def counted(symbols: Int32Array, offsets: Int64Array, orders: int) -> CountedTexts:
    """Counts the n-grams of texts."""

class Information:
    """What n-grams of references tell, in bits."""

    def matched(self, hypotheses: Int32Array, offsets: Int64Array, threads: int) -> FloatArray:
        """NIST's statistics of rows of symbols: by order the bits that match, (segments, orders)."""

    def told(self, symbols: Int32Array) -> FloatArray:
        """What the n-grams that begin at each symbol tell; NaN if no reference has them."""

    def ngrams(self) -> tuple[Int32Array, Int32Array, Int64Array]:
        """Numbers of the n-grams of the first n-1 symbols, or -1; last symbols; counts."""

    def weigh(self, counts: Int64Array, symbols: int) -> None:
        """Takes these counts of n-grams, and of all symbols, for those of all references."""

def exponentials(values: FloatArray) -> FloatArray:
    """The C library's, which on every machine with it are Python's to the last bit."""

def bleu_scores(
    counts: FloatArray, smoothing: str, value: float, effective_order: bool
) -> FloatArray:
    """BLEU of rows of lengths, matches by order and n-grams by order."""

def chrf_scores(counts: FloatArray, weight: float, eps_smoothing: bool) -> FloatArray:
    """chrF of rows of n-grams of both sides and matches, for each order."""

def information(
    references: Int32Array, offsets: Int64Array, segments: int, orders: int
) -> Information:
    """Counts n-grams of references; the r-th one of segment i is row r * segments + i."""
