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

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import ClassVar, cast

import numpy as np

from metaphrase.metrics.base import FloatArray, Metric
from metaphrase.metrics.comparison import Comparison
from metaphrase.metrics.options import check_choice, check_range
from metaphrase.metrics.registry import register
from metaphrase.metrics.signature import Signature

Ngram = tuple[str, ...]

#: Doddington's β: a hypothesis of two thirds of the reference's length keeps half of its score.
_BETA = math.log(2.0) / math.log(1.5) ** 2
#: sacreBLEU's classes by the names of its tokenisers.
_TOKENISERS = {"13a": "Tokenizer13a", "zh": "TokenizerZh", "none": "NoneTokenizer"}


@register
@dataclass(frozen=True, kw_only=True)
class Nist(Metric):
    """NIST, at least 0 and without an upper bound.

    Scores depend on the references of the whole corpus, those of single segments as well: a segment alone
    tells little, and scores of two corpora cannot be compared.

    orders:    n-grams of up to so many words
    tokenize:  ``13a`` as mteval-v13a and sacreBLEU, ``zh`` for Chinese (the default there), or ``none`` for
               words between spaces
    lowercase: whether case is ignored, as mteval does unless told otherwise
    """

    name: ClassVar[str] = "nist"
    summary: ClassVar[str] = "precision of word n-grams, weighted by what they tell"
    citation: ClassVar[str] = "Doddington, HLT 2002"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))

    orders: int = 5
    tokenize: str | None = None
    lowercase: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range(self, "orders", 1, 100)
        if self.tokenize is not None:
            check_choice(self, "tokenize", tuple(_TOKENISERS))

    @property
    def needs_whole_corpus(self) -> bool:
        """What an n-gram tells is counted in all references."""
        return True

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """Columns: hypothesis length, mean reference length, matched bits by n, n-grams by n.

        It is Python, so ``threads`` would not help.
        """
        references = comparison.once("references", lambda: self._references(comparison.references))
        rows = np.zeros((len(comparison), 2 + 2 * self.orders))
        for row, text, (length, most) in zip(
            rows, comparison.hypotheses, references.segments, strict=True
        ):
            words = self._words(text)
            row[:2] = len(words), length
            row[2 + self.orders :] = np.maximum(len(words) - np.arange(self.orders), 0)
            for ngram, count in Counter(_ngrams(words, self.orders)).items():
                if ngram in most:
                    row[1 + len(ngram)] += min(count, most[ngram]) * references.information[ngram]
        return rows

    def score(self, statistics: FloatArray) -> FloatArray:
        """Bits per n-gram, summed over n, times the penalty for what is too short."""
        length, reference = statistics[..., 0], statistics[..., 1]
        matched, possible = np.split(statistics[..., 2:], 2, axis=-1)
        bits = (matched / np.maximum(possible, 1.0)).sum(axis=-1)
        return np.asarray(bits * length_penalty(length, reference))

    def signature(self, references: int | None = None) -> Signature:
        """Options, and the version of sacreBLEU if its tokeniser is used."""
        from metaphrase import __version__

        return Signature.of(
            self.name,
            {
                "nrefs": references,
                "orders": self.orders,
                "tok": self._tokeniser,
                "lowercase": self.lowercase,
                "sacrebleu": None if self._tokeniser == "none" else _sacrebleu_version(),
                "version": __version__,
            },
        )

    @property
    def _tokeniser(self) -> str:
        return self.tokenize or ("zh" if self.lang.startswith("zh") else "13a")

    def _words(self, text: str) -> list[str]:
        tokenise = _sacrebleu_tokeniser(self._tokeniser)
        return tokenise(text.lower() if self.lowercase else text).split()

    def _references(self, columns: Sequence[Sequence[str]]) -> _References:
        """Count every reference of every segment; equal ones share what is kept of them."""
        counts: Counter[Ngram] = Counter()
        kept: dict[tuple[str, ...], tuple[float, Counter[Ngram]]] = {}
        uses = Counter(zip(*columns, strict=True))
        for texts, times in uses.items():
            lines = [self._words(text) for text in texts]
            bags = [Counter(_ngrams(words, self.orders)) for words in lines]
            most: Counter[Ngram] = Counter()
            for words, bag in zip(lines, bags, strict=True):
                counts[()] += times * len(words)
                most |= bag
                for ngram, count in bag.items():
                    counts[ngram] += times * count
            kept[texts] = sum(map(len, lines)) / len(lines), most
        information = {
            ngram: math.log2(counts[ngram[:-1]] / count) for ngram, count in counts.items() if ngram
        }
        return _References(information, [kept[texts] for texts in zip(*columns, strict=True)])


@dataclass(frozen=True, slots=True, eq=False)
class _References:
    """What an n-gram tells, and for each segment the mean length and the highest count of n-grams."""

    information: dict[Ngram, float]
    segments: list[tuple[float, Counter[Ngram]]]


def length_penalty(length: FloatArray, reference: FloatArray) -> FloatArray:
    """exp(−β ln²(c/r)) where the hypothesis is shorter than its references, and 0 where it is empty."""
    ratio = np.divide(length, reference, out=np.ones_like(length), where=reference > 0)
    logarithm = np.log(np.clip(ratio, np.finfo(np.float64).tiny, 1.0))
    return np.asarray(np.exp(-_BETA * logarithm * logarithm))


def _ngrams(words: Sequence[str], orders: int) -> Iterator[Ngram]:
    for n in range(1, orders + 1):
        yield from zip(*(words[start:] for start in range(n)), strict=False)


@cache
def _sacrebleu_tokeniser(name: str) -> Callable[[str], str]:
    module = import_module(f"sacrebleu.tokenizers.tokenizer_{name}")
    return cast("Callable[[str], str]", getattr(module, _TOKENISERS[name])())


def _sacrebleu_version() -> str:
    import sacrebleu

    return str(sacrebleu.__version__)
