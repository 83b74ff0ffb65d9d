"""BLEU, chrF and chrF++ with sacreBLEU's numbers, behind our contract.

Matt Post: A Call for Clarity in Reporting BLEU Scores. WMT 2018.

sacreBLEU computes a row of counts per segment, adds them up and makes a score of the sum. Words and counts
come from kernels of ours (chrF++'s words from its ``_remove_punctuation``), and scores from
:mod:`metaphrase.metrics.count_scores`; TER is in :mod:`metaphrase.metrics.ter`. What is reached of sacreBLEU
is not public, so tests compare every level with its public functions, and the dependency is bounded.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from metaphrase._core import ngrams as _core
from metaphrase.analysis.languages.codes import UNSPACED, base_language
from metaphrase.analysis.metric_text.sacrebleu_tokens import (
    check_tokeniser,
    default_tokeniser,
    tokenise,
)
from metaphrase.arrays import FloatArray, Int32Array
from metaphrase.errors import OptionError
from metaphrase.matching.ngram_overlap import MOST_ORDERS, ngram_overlaps
from metaphrase.matching.symbol_rows import SymbolRows
from metaphrase.metrics.base import Metric, best_rows
from metaphrase.metrics.comparison import Comparison, compare_pair
from metaphrase.metrics.count_scores import bleu_scores, chrf_scores
from metaphrase.metrics.count_tables import CharacterCountTable, WordCountTable
from metaphrase.metrics.explanation import Explanation
from metaphrase.metrics.registry import register
from metaphrase.metrics.signature import ReferenceCount, Signature
from metaphrase.options import option, options, same_as


@lru_cache(maxsize=64)
def sacrebleu_scorer(metric: SacreBleuMetric, segment_level: bool) -> Any:
    """sacreBLEU's object for the metric; BLEU has one for sums and one for single segments."""
    import sacrebleu.metrics  # takes 0.3 s, which only those who ask for these metrics pay

    scorer = getattr(sacrebleu.metrics, metric.sacrebleu_class)(**metric.arguments(segment_level))
    scorer._force = True  # no warnings about tokenised input on the screen of library users
    return scorer


@lru_cache(maxsize=64)
def _signature(metric: SacreBleuMetric, references: ReferenceCount | None) -> Signature:
    scorer = sacrebleu_scorer(metric, False)
    scorer.num_refs = -1  # we say it ourselves
    items = dict(item.split(":", 1) for item in str(scorer.get_signature()).split("|"))
    items.pop("nrefs")
    version = items.pop("version")
    return Signature.of(
        metric.name, {"nrefs": references, **items, **metric.unsaid(), "sacrebleu": version}
    )


@dataclass(frozen=True, kw_only=True)
class SacreBleuMetric(Metric):
    """What the metrics that sacreBLEU has, too, have in common."""

    bounds: ClassVar[tuple[float, float]] = (0.0, 100.0)
    sacrebleu_class: ClassVar[str]
    normalise: ClassVar[bool] = False  # type: ignore[misc]

    #: Options of ours that sacreBLEU does not know.
    own_options: ClassVar[frozenset[str]] = frozenset({"lang"})

    def arguments(self, segment_level: bool) -> dict[str, Any]:
        """Arguments of sacreBLEU's constructor, which our options are named after."""
        names = [name for name in options(self) if name not in self.own_options]
        return {name: getattr(self, name) for name in names}

    def score(self, statistics: FloatArray) -> FloatArray:
        """sacreBLEU's score of each (sum of) row."""
        return self._scores(statistics, segment_level=False)

    def segment_score(self, statistics: FloatArray) -> FloatArray:
        """sacreBLEU's sentence-level score of each row."""
        return self._scores(statistics, segment_level=True)

    def _scores(self, statistics: FloatArray, *, segment_level: bool) -> FloatArray:
        rows = np.asarray(statistics, dtype=np.float64).reshape(-1, statistics.shape[-1])
        return self._count_scores(rows, segment_level).reshape(statistics.shape[:-1])

    @abstractmethod
    def _count_scores(self, counts: FloatArray, segment_level: bool) -> FloatArray:
        """Scores of rows of sacreBLEU's counts."""

    def _signature(self, references: ReferenceCount | None) -> Signature:
        """sacreBLEU's own signature under our name for the metric."""
        return _signature(self, references)

    def unsaid(self) -> dict[str, object]:
        """What sacreBLEU's signature leaves out, or says otherwise."""
        return {
            name: getattr(self, name)
            for name, one in options(self).items()
            if name in ("beta", "max_ngram_order") and getattr(self, name) != one.default
        }


@register
@dataclass(frozen=True, kw_only=True)
class Bleu(SacreBleuMetric):
    """BLEU (Papineni et al., ACL 2002), 0 to 100.

    Single segments are scored with the effective order, as ``sacrebleu --sentence-level`` does; sums are
    not, unless ``effective_order`` says so.

    >>> bleu = metaphrase.Bleu(lowercase=True)
    >>> bleu.corpus_score(["a cat sat on a mat"], [["The cat sat on the mat"]])
    <Score bleu:lowercase=yes 32.4668>
    """

    name: ClassVar[str] = "bleu"
    summary: ClassVar[str] = "precision of word n-grams (through sacreBLEU)"
    citation: ClassVar[str] = "Papineni et al., ACL 2002"
    sacrebleu_class: ClassVar[str] = "BLEU"
    combines_references: ClassVar[str] = "joint"

    tokenize: str | None = option(
        None,
        "sacreBLEU's tokeniser: ``13a``, ``intl``, ``zh``, ``ja-mecab``, ``ko-mecab``, ``char`` or ``none``; "
        "by default that of the language",
        names_files=False,
    )
    lowercase: bool = option(False, "whether case is ignored")
    smooth_method: str = option(
        "exp",
        "what a precision without a match is taken for: ``exp``, ``floor``, ``add-k`` or ``none``",
        choices=("none", "floor", "add-k", "exp"),
    )
    smooth_value: float | None = option(
        None, "the number that ``floor`` (by default 0.1) and ``add-k`` (1) take", low=0
    )
    max_ngram_order: int = option(4, "the longest n-grams, in words", low=1, high=1000)
    effective_order: bool = option(
        False, "whether sums, too, leave out the orders for which a hypothesis is too short"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_tokeniser(self.tokenize)
        if self.smooth_value is not None and self.smooth_method not in ("floor", "add-k"):
            raise OptionError("MP508", "bleu: only floor and add-k smoothing have a smooth_value.")

    def arguments(self, segment_level: bool) -> dict[str, Any]:
        """Single segments get the effective order, and a language its tokeniser."""
        return super().arguments(segment_level) | {
            "tokenize": self.tokeniser,
            "effective_order": self.effective_order or segment_level,
        }

    def unsaid(self) -> dict[str, object]:
        """``eff:segments`` where only single segments get the effective order."""
        return super().unsaid() | ({} if self.effective_order else {"eff": "segments"})

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """Lengths, matches and n-grams, counted by the compiled core."""
        hypotheses, references = comparison.sides(lambda texts: self._words(texts, threads))
        return _core.matches(hypotheses, references, self.max_ngram_order, threads)

    def _words(self, texts: Sequence[str], threads: int) -> _core.TokenisedTexts:
        lines = (text.lower() for text in texts) if self.lowercase else texts
        return tokenise((line.rstrip() for line in lines), self.tokeniser, threads=threads)

    @property
    def tokeniser(self) -> str:
        """The one that was chosen, or that of the language."""
        return self.tokenize or default_tokeniser(self.lang)

    def words(self, texts: Sequence[str], *, threads: int = 1) -> list[list[str]]:
        """What is compared of each text."""
        return [text.split() for text in self._words(texts, threads).texts()]

    def table(self, texts: Sequence[str], *, threads: int = 1) -> BleuTable:
        """Texts whose words are counted once."""
        return BleuTable(self, texts, threads=threads)

    def explain(self, hypothesis: str, reference: str) -> Explanation:
        """The n-grams that match, order by order, and those that do not."""
        from metaphrase.metrics.ngram_explanations import explain_bleu

        return explain_bleu(self, compare_pair(self, hypothesis, reference))

    def _count_scores(self, counts: FloatArray, segment_level: bool) -> FloatArray:
        return bleu_scores(
            counts,
            smooth_method=self.smooth_method,
            smooth_value=self.smooth_value,
            effective_order=self.effective_order or segment_level,
        )


class BleuTable(WordCountTable):
    """Texts that BLEU compares each with each."""

    metric: Bleu

    def kinds(self, texts: Sequence[str]) -> Sequence[tuple[SymbolRows, int]]:
        """Words."""
        words = self.metric.words(texts, threads=self.threads)
        return [(SymbolRows.of_words(words, {}), self.metric.max_ngram_order)]


class SymbolKinds(list[SymbolRows]):
    """Texts as symbols of one kind after the other."""

    def take(self, rows: Int32Array) -> SymbolKinds:
        """These rows, each as often as it is named."""
        return SymbolKinds(kind.take(rows) for kind in self)


@register
@dataclass(frozen=True, kw_only=True)
class Chrf(SacreBleuMetric):
    """chrF (Popović, WMT 2015), 0 to 100.

    >>> metaphrase.Chrf().sentence_score("A cat sat on a mat.", ["The cat sat on the mat."])
    <Score chrf 46.8871>
    """

    name: ClassVar[str] = "chrf"
    summary: ClassVar[str] = "F-score of character n-grams (sacreBLEU's numbers)"
    citation: ClassVar[str] = "Popović, WMT 2015"
    sacrebleu_class: ClassVar[str] = "CHRF"
    combines_references: ClassVar[str] = "best"

    char_order: int = option(6, "the longest n-grams, in characters", low=1, high=MOST_ORDERS)
    word_order: int = option(0, "the longest n-grams of words; 0: none", low=0, high=MOST_ORDERS)
    beta: int = option(2, "how much more recall counts than precision", low=1)
    lowercase: bool = option(False, "whether case is ignored")
    whitespace: bool = option(False, "whether white space is part of n-grams of characters")
    eps_smoothing: bool = option(
        False, "whether the F-scores of all orders are averaged, as in chrF++.py"
    )

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        """By order n-grams of both sides and common ones, of the reference that gives the best score."""
        numbers: dict[str, int] = comparison.kept_of_all("numbers", dict)
        hypotheses, references = comparison.sides(lambda texts: self._symbols(texts, numbers))
        counts = (
            np.concatenate(
                [
                    ngram_overlaps(*sides, orders=order, threads=threads)
                    for *sides, order in zip(hypotheses, reference, self._orders, strict=True)
                ],
                axis=1,
                dtype=np.float64,
            )
            for reference in references
        )
        return best_rows(counts, self.score)

    def table(self, texts: Sequence[str], *, threads: int = 1) -> ChrfTable:
        """Texts whose characters and words are counted once."""
        return ChrfTable(self, texts, threads=threads)

    def kinds(self, texts: Sequence[str]) -> list[tuple[SymbolRows, int]]:
        """The texts as symbols of each kind, and the longest n-grams of it."""
        return list(zip(self._symbols(texts, {}), self._orders, strict=True))

    @property
    def _orders(self) -> list[int]:
        """sacreBLEU's order: characters, then words."""
        return [order for order in (self.char_order, self.word_order) if order]

    def _symbols(self, texts: Sequence[str], numbers: dict[str, int]) -> SymbolKinds:
        """What is compared: characters, and words if the metric looks at them."""
        scorer = sacrebleu_scorer(self, False)
        lines = [scorer._preprocess_segment(text) for text in texts]
        bare = lines if self.whitespace else ["".join(line.split()) for line in lines]
        symbols = [SymbolRows.of_characters(bare)]
        if self.word_order:
            words = map(scorer._remove_punctuation, lines)
            symbols.append(SymbolRows.of_words(words, numbers))
        return SymbolKinds(symbols)

    def _count_scores(self, counts: FloatArray, segment_level: bool) -> FloatArray:
        return chrf_scores(counts, beta=self.beta, eps_smoothing=self.eps_smoothing)

    def words(self, text: str) -> list[str]:
        """The words of chrF++; in a language without spaces between words its characters."""
        scorer = sacrebleu_scorer(self, False)
        line = scorer._preprocess_segment(text)
        if base_language(self.lang) in UNSPACED:
            return list("".join(line.split()))
        return list(scorer._remove_punctuation(line))

    def explain(self, hypothesis: str, reference: str) -> Explanation:
        """The n-grams of each order that match, and the words that they make equal or similar."""
        from metaphrase.metrics.ngram_explanations import explain_chrf

        return explain_chrf(self, compare_pair(self, hypothesis, reference))


class ChrfTable(CharacterCountTable):
    """Texts that chrF compares each with each."""

    metric: Chrf

    def kinds(self, texts: Sequence[str]) -> Sequence[tuple[SymbolRows, int]]:
        """Characters, and words of chrF++."""
        return self.metric.kinds(texts)


@register
@dataclass(frozen=True, kw_only=True)
class ChrfPlusPlus(Chrf):
    """chrF++ (Popović, WMT 2017): chrF with word 1- and 2-grams.

    >>> metaphrase.ChrfPlusPlus().sentence_score("A cat sat on a mat.", ["The cat sat on the mat."])
    <Score chrf++ 50.4699>
    """

    name: ClassVar[str] = "chrf++"
    summary: ClassVar[str] = "F-score of character and word n-grams (sacreBLEU's numbers)"
    citation: ClassVar[str] = "Popović, WMT 2017"

    word_order: int = same_as(Chrf, "word_order", default=2)
