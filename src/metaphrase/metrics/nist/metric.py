"""NIST: n-gram precision in which rare n-grams tell more than frequent ones.

George Doddington: Automatic Evaluation of Machine Translation Quality Using N-gram Co-occurrence Statistics.
HLT 2002. Where the paper is silent, the evaluation's own program (mteval-v13a) decides.

An n-gram w_1 … w_n tells Info = log2(count(w_1 … w_{n−1}) / count(w_1 … w_n)) bits, counted in all
references of the corpus; a single word's context is the number of all words. The score is

    Σ_n (Σ Info of the hypothesis's n-grams that match / number of its n-grams) · exp(−β ln²(min(1, c/r)))

for n = 1 … 5, each n-gram matched at most as often as it is in the reference that has it most often. c is
the hypothesis's length and r the mean length of its references; β makes the factor ½ at c/r = ⅔. There is no
upper bound: the more text, the more its n-grams tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from metaphrase.analysis.metric_text.sacrebleu_tokens import (
    check_tokeniser,
    default_tokeniser,
    signed_tokeniser,
    tokenise,
)
from metaphrase.arrays import FloatArray, Int32Array, Int64Array
from metaphrase.corpus import Corpus
from metaphrase.matching.ngram_information import NgramInformation
from metaphrase.matching.symbol_rows import SymbolRows
from metaphrase.metrics.base import Metric
from metaphrase.metrics.comparison import Comparison, single_pair
from metaphrase.metrics.corpus_counts import CorpusCounts, CorpusTotals, Keys, followed, keys_of
from metaphrase.metrics.count_tables import WordCountTable
from metaphrase.metrics.explanation import Explanation
from metaphrase.metrics.registry import register
from metaphrase.metrics.sacrebleu_metrics import Bleu
from metaphrase.metrics.text_table import TextTable
from metaphrase.options import option, same_as
from metaphrase.statistics.elementary import exp, log

#: Doddington's β: a hypothesis of two thirds of the reference's length keeps half of its score.
_BETA = float(log(2.0) / log(1.5) ** 2)
#: The key of the number of all words; no word is a space.
_ALL_WORDS = keys_of([" "])


@register
@dataclass(frozen=True, kw_only=True)
class Nist(Metric):
    """NIST, at least 0 and without an upper bound.

    Scores depend on the references of the whole corpus, those of single segments as well: a segment alone
    tells little, and scores of two corpora cannot be compared.

    >>> metaphrase.Nist().corpus_score(["a cat sat", "a dog"], [["the cat sat", "a dog"]])
    <Score nist 1.8575>
    """

    name: ClassVar[str] = "nist"
    summary: ClassVar[str] = "precision of word n-grams, weighted by what they tell"
    citation: ClassVar[str] = "Doddington, HLT 2002"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    #: An n-gram may match in any of them, and their lengths are averaged.
    combines_references: ClassVar[str] = "joint"
    #: What an n-gram tells is counted in all references.
    needs_whole_corpus: ClassVar[bool] = True
    gathers: ClassVar[bool] = True
    normalise: ClassVar[bool] = False  # type: ignore[misc]

    orders: int = option(5, "the longest n-grams, in words", low=1, high=100)
    tokenize: str | None = same_as(Bleu, "tokenize", signed="tok")
    lowercase: bool = option(True, "whether case is ignored, as mteval does unless told otherwise")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_tokeniser(self.tokenize)

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """Columns: hypothesis length, mean reference length, matched bits by n, n-grams by n."""
        numbers: dict[str, int] = comparison.kept_of_all("numbers", dict)
        rows, references = comparison.sides(
            lambda texts: SymbolRows.of_words(self.words(texts), numbers)
        )
        information = comparison.kept(
            "information",
            lambda: self._counted(numbers, references, comparison.of_corpus).information,
        )
        return np.column_stack(
            [
                rows.lengths,
                np.mean([one.lengths for one in references], axis=0),
                information.matched(rows, threads=threads),
                np.maximum(rows.lengths[:, None] - np.arange(self.orders), 0),
            ]
        )

    def gather(self, comparisons: Sequence[Comparison]) -> CorpusCounts:
        """Counts of n-grams of the references, after that of all words."""
        references = self.references(comparisons[0].references)
        keys, counts = references.counted()
        return CorpusCounts(
            np.concatenate([_ALL_WORDS, keys]), np.concatenate([[references.words], counts])
        )

    def score(self, statistics: FloatArray) -> FloatArray:
        """Bits per n-gram, summed over n, times the penalty for what is too short."""
        length, reference = statistics[..., 0], statistics[..., 1]
        matched, possible = np.split(statistics[..., 2:], 2, axis=-1)
        bits = (matched / np.maximum(possible, 1.0)).sum(axis=-1)
        return np.asarray(bits * length_penalty(length, reference))

    def table(self, texts: Sequence[str], *, threads: int = 1) -> NistTable:
        """Texts of one corpus: what n-grams tell is counted in the references of each call."""
        return NistTable(self, texts, threads=threads)

    def explain(self, hypothesis: str, reference: str) -> Explanation:
        """The n-grams that match; what they tell is counted in this reference alone."""
        return self.viewer(single_pair(hypothesis, reference))("hypothesis", 0, 0)

    def viewer(self, corpus: Corpus) -> Callable[[str, int, int], Explanation]:
        """Explains segments with what n-grams tell in ``corpus``, one reference at a time."""
        from metaphrase.metrics.nist.explanation import explain

        references = self.references(corpus.written_references)
        counted = sum(text is not None for column in corpus.references for text in column)

        def explain_segment(system: str, row: int, reference: int) -> Explanation:
            texts = corpus.systems[system][row], corpus.text(reference, row)
            return explain(self, references, *texts, counted=counted)

        return explain_segment

    def signed(self) -> dict[str, object]:
        """The tokeniser, which is all that the language decides."""
        return super().signed() | {"lang": None, "tok": signed_tokeniser(self.tokeniser)}

    @property
    def tokeniser(self) -> str:
        """The one that was chosen, or that of the language."""
        return self.tokenize or default_tokeniser(self.lang)

    def words(self, texts: Iterable[str]) -> Iterator[list[str]]:
        """What is compared of each text."""
        # As in mteval, case goes after tokenising: <SKIPPED> is no tag and &QUOT; no quote.
        return (
            (text.lower() if self.lowercase else text).split() for text in self.tokenised(texts)
        )

    def tokenised(self, texts: Iterable[str]) -> Iterable[str]:
        """The texts with spaces between words, of the case that they have."""
        return tokenise(texts, self.tokeniser).texts()

    def references(self, columns: Sequence[Sequence[str]]) -> References:
        """Count the n-grams of every reference of every segment."""
        numbers: dict[str, int] = {}
        rows = [SymbolRows.of_words(self.words(texts), numbers) for texts in columns]
        return self._counted(numbers, rows, None)

    def _counted(
        self, numbers: dict[str, int], rows: Sequence[SymbolRows], of_corpus: CorpusTotals | None
    ) -> References:
        """What n-grams of these references tell, by their own counts or by those ``of_corpus``."""
        information = NgramInformation(rows, orders=self.orders)
        references = References(numbers, information, sum(len(one.symbols) for one in rows))
        if of_corpus is not None:
            keys, _ = references.counted()
            words = int(of_corpus.counts_of(_ALL_WORDS)[0])
            information.weigh(of_corpus.counts_of(keys), words)
        return references


class NistTable(WordCountTable):
    """Texts that NIST compares each with each; pairs go the way of other metrics."""

    metric: Nist

    matrices = TextTable.matrices

    def kinds(self, texts: Sequence[str]) -> Sequence[tuple[SymbolRows, int]]:
        """Words."""
        return [(SymbolRows.of_words(self.metric.words(texts), {}), self.metric.orders)]

    def values(self, rows: SymbolRows, references: Int32Array, orders: int) -> FloatArray:
        """The bits that an n-gram tells."""
        information = NgramInformation([rows.take(references)], orders=orders)
        return information.told(rows.symbols)


@dataclass(frozen=True, slots=True, eq=False)
class References:
    """The numbers of their words, what their n-grams tell, and how many words there are."""

    numbers: dict[str, int]
    information: NgramInformation
    words: int

    def counted(self) -> tuple[Keys, Int64Array]:
        """The key of each n-gram, and how often it is there."""
        contexts, last, counts = self.information.ngrams()
        keys = keys_of(self.numbers)[last]
        length = np.where(contexts < 0, 1, 0)
        n = 1
        while len(longer := np.flatnonzero((length[contexts] == n) & (contexts >= 0))):
            keys[longer] = followed(keys[contexts[longer]], keys[longer])
            n += 1
            length[longer] = n
        return keys, counts


def length_penalty(length: FloatArray, reference: FloatArray) -> FloatArray:
    """exp(−β ln²(c/r)) where the hypothesis is shorter than its references, and 0 where it is empty."""
    ratio = np.divide(length, reference, out=np.ones_like(length), where=reference > 0)
    logarithm = log(np.clip(ratio, np.finfo(np.float64).tiny, 1.0))
    return exp(-_BETA * logarithm * logarithm)
