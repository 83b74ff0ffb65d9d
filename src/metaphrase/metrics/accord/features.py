"""What ``accord`` looks at: losses, each of them 0 where hypothesis and reference are the same.

One analysis, one alignment and one look at every resource serve all of them. A loss of precision (``p``) is
the share of the hypothesis that nothing in the reference answers to, a loss of recall (``r``) the other way
round. Every language has those of its surface and spelling, some those of tags, and English all.

=================  ====================================================================================
``c1p`` … ``c6r``  n-grams of characters, white space left out
``chrf``           what chrF makes of them
``lcs p, lcs r``   the longest sequence of characters that both texts have, in their order
``w1p`` … ``w4r``  n-grams of words in lower case
``edit …``         what TER's edits miss, add and move of these words, per word of the reference, at most 1
``extra words``    words of the hypothesis that the reference lacks, per word of the reference, at most 2
``case``           words that both have and one side alone capitalises, per word of the reference
``short, long``    the logarithm of the ratio of lengths, by which side is the shorter one
``ap, ar``         words aligned by UPF-Cobalt's aligner, content words counting more
``cp, cr``         the same, less the penalty for different syntactic contexts
``unlike``         how unlike aligned words are, in the mean
``context``        the penalty for their contexts, in the mean
``breaks``         how often neighbours are aligned with words that are no neighbours
``content …``      the share of content words that are extra or missing; ``function …`` likewise
``b1p`` … ``b3r``  TESLA's bags of n-grams of lemmas, with synonyms
``t1p`` … ``t3r``  the same of tags
``s …``            words matched by their spelling, longer ones counting more
``v …``            words matched by their vectors, rarer ones counting more; both as
                   :mod:`metaphrase.matching.soft_matches` does it
``x …``            words matched by their vectors in context (:mod:`metaphrase.metrics.accord.context`)
=================  ====================================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metaphrase.analysis import Batch
from metaphrase.arrays import BoolArray, FloatArray, Int32Array, Int64Array
from metaphrase.lexicon import VectorSource
from metaphrase.lexicon.word_evidence import unit_vectors
from metaphrase.matching import NgramBags
from metaphrase.matching.common_subsequence import common_subsequences
from metaphrase.matching.edit_rate import KINDS, count_edits
from metaphrase.matching.ngram_overlap import ngram_overlaps
from metaphrase.matching.soft_matches import SOFT_MATCHES, WeightedVectors, soft_matches
from metaphrase.matching.spelling_vectors import spelling_vectors
from metaphrase.matching.symbol_rows import SymbolRows
from metaphrase.matching.word_alignment import WordAlignments, is_function_word
from metaphrase.metrics.accord.context import CONTEXT
from metaphrase.metrics.accord.facts import DENIED, FACTS
from metaphrase.metrics.accord.fluency import FLUENCY
from metaphrase.metrics.accord.form import FORM
from metaphrase.metrics.accord.meaning import MEANING
from metaphrase.statistics.elementary import log

_CHARACTERS, _WORDS, _BAGS = 6, 4, 3
#: Extra words are counted up to so many for each word of the reference; ``repeated`` and ``overlong`` go on.
_MOST_EXTRA = 2.0
#: The rank of the last word of a usual table of vectors, and the rarity of words that everybody uses.
_LAST_RANK, _COMMON = 100_000, 0.1
#: A word is a run of letters and digits; signs, and characters of scripts without spaces, stand alone.
_WORD = re.compile(r"[^\W\u0e00-\u0fff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+|\S")


def _orders(letter: str, first: int, last: int) -> tuple[str, ...]:
    return tuple(f"{letter}{n}{side}" for n in range(first, last + 1) for side in "pr")


def _soft(letter: str) -> tuple[str, ...]:
    """The columns of :data:`~metaphrase.matching.soft_matches.SOFT_MATCHES`, as losses."""
    names = ("p", "r", "p³", "r³", "p near", "r near", "sum", "worst r", "worst p")
    return tuple(f"{letter} {name}" for name in (*names, "follows", "rises", "lost r", "lost p"))


SURFACE = (
    *_orders("c", 1, _CHARACTERS),
    *_orders("w", 1, _WORDS),
    *("edit missing", "edit extra", "edit shift"),
    *("short", "long", "chrf", "lcs p", "lcs r", "extra words", "case"),
)
SPELLING = _soft("s")
ALIGNMENT = (
    *("ap", "ar", "cp", "cr", "unlike", "context", "breaks"),
    *("content extra", "content missing", "function extra", "function missing"),
)
TAGGED = (*_orders("b", 1, _BAGS), *_orders("t", 1, _BAGS))
VECTORS = _soft("v")
#: Penalties by what they need: text, an aligner, an analyser, vectors, an encoder.
FAMILIES = {
    "surface": SURFACE,
    "form": FORM,
    "facts": FACTS,
    "denials": DENIED,
    "spelling": SPELLING,
    "alignment": ALIGNMENT,
    "meaning": MEANING,
    "tags": TAGGED,
    "fluency": FLUENCY,
    "vectors": VECTORS,
    "context": CONTEXT,
}
#: Penalties are added up in these sums, those that none of them names before, and the sums then: another
#: order would change the last bits of scores.
_SUMS = (
    r"ar|(content|function|edit) missing|omitted|unrelated|[vsx]\d? (all |lost |worst )*r³?",
    r"ap|(content|function|edit) extra|extra words|added|repeated|stutter|[vsx]\d? (all |lost |worst )*p³?",
    r"unlike|[vsx]\d? sum|x text|[wb]1[pr]",
    r"breaks|edit shift|lcs [pr]|scrambled|[wb][2-4][pr]|[vsx]\d? ([pr] near|follows|rises|moved|moved sum)",
    r"context|c[pr]|t[1-3][pr]|odd joints|odd share|oddest|less fluent",
    r"c[1-6][pr]|chrf|case",
    r"short|long|cut|overlong",
)


def losses_of(families: Iterable[str]) -> tuple[str, ...]:
    """The names of the losses of some families, in the order of columns."""
    return tuple(name for family in families for name in FAMILIES[family])


@cache
def sums_of(names: tuple[str, ...]) -> tuple[list[int], ...]:
    """The columns of each of the sums in which penalties of these names are added up."""
    sums: tuple[list[int], ...] = tuple([] for _ in range(len(_SUMS) + 1))
    for column, name in enumerate(names):
        found = (number for number, one in enumerate(_SUMS, 1) if re.fullmatch(one, name))
        sums[next(found, 0)].append(column)
    return sums


def words_of(text: str) -> list[str]:
    """The words of a text as its surface has them, in lower case."""
    return _WORD.findall(text.lower())


def _changed_case(text: str) -> Iterator[bool]:
    """Whether each word of a text has a capital letter."""
    lower = text.lower()
    # Lower case may be longer: İ becomes two characters.
    same = text if len(text) == len(lower) else lower
    return (match[0] != same[match.start() : match.end()] for match in _WORD.finditer(lower))


@dataclass(frozen=True, slots=True, eq=False)
class SurfaceTexts:
    """Texts as kernels compare them: characters, these with spaces, words in lower case and with theirs."""

    characters: SymbolRows
    text: SymbolRows
    words: SymbolRows
    cased: SymbolRows

    @classmethod
    def of(cls, texts: Sequence[str], numbers: dict[str, int]) -> SurfaceTexts:
        """``numbers`` has those of the words in lower case."""
        words = SymbolRows.of_words(map(words_of, texts), numbers)
        changed = (_changed_case(text) for text in texts)
        capital = np.fromiter(chain.from_iterable(changed), np.int32, len(words.symbols))
        return cls(
            SymbolRows.of_characters(["".join(text.split()) for text in texts]),
            SymbolRows.of_characters([" ".join(text.split()) for text in texts]),
            words,
            SymbolRows(2 * words.symbols + capital, words.offsets),
        )

    def take(self, rows: Int32Array) -> SurfaceTexts:
        """These rows, each as often as it is named."""
        sides = self.characters, self.text, self.words, self.cased
        return SurfaceTexts(*(side.take(rows) for side in sides))


def count_words(texts: Sequence[str]) -> FloatArray:
    """How many words each text has, without signs; of scripts without spaces, characters."""
    counts = (sum(any(map(str.isalnum, word)) for word in words_of(text)) for text in texts)
    return np.fromiter(counts, np.float64, len(texts))


def surface_losses(
    hypotheses: SurfaceTexts, references: SurfaceTexts, *, threads: int
) -> FloatArray:
    """The columns of ``SURFACE``."""
    columns = []
    shares = []
    for side, orders in (("characters", _CHARACTERS), ("words", _WORDS)):
        rows = getattr(hypotheses, side), getattr(references, side)
        counts = ngram_overlaps(*rows, orders=orders, threads=threads).astype(np.float64)
        counts = counts.reshape(len(counts), orders, 3)
        for n in range(orders):
            # The kernel counts as chrF does: none of the hypothesis where the reference has none.
            own = np.maximum(rows[0].lengths - n, 0.0)
            other, common = counts[:, n, 1], counts[:, n, 2]
            columns += [_lost(common, own, other), _lost(common, other, own)]
            if side == "characters":
                shares.append((common, own, other))
    edits = dict(
        zip(KINDS, count_edits(hypotheses.words, references.words, threads=threads).T, strict=True)
    )
    lengths = hypotheses.words.lengths, references.words.lengths
    # Of a wrong word both are told: else one that is put in could take the place of one that is missing.
    for count in (
        edits["insert"] + edits["substitute"],
        edits["delete"] + edits["substitute"],
        edits["shift"],
    ):
        columns.append(np.minimum(count / np.maximum(lengths[1], 1), 1.0))
    ratio = _logarithms(lengths[0]) - _logarithms(lengths[1])
    columns += [np.maximum(-ratio, 0.0), np.maximum(ratio, 0.0), _lost_chrf(shares)]
    common = common_subsequences(hypotheses.text, references.text, threads=threads).astype(
        np.float64
    )
    own, other = (side.text.lengths.astype(np.float64) for side in (hypotheses, references))
    columns += [_lost(common, own, other), _lost(common, other, own)]
    cased = ngram_overlaps(hypotheses.cased, references.cased, orders=1, threads=threads)[:, 2]
    # The last counts are those of words.
    said, length = counts[:, 0, 2], np.maximum(lengths[1], 1)
    extra = np.minimum((lengths[0] - said) / length, _MOST_EXTRA)
    return np.column_stack([*columns, extra, (said - cased) / length])


def _lost_chrf(shares: Sequence[tuple[FloatArray, FloatArray, FloatArray]]) -> FloatArray:
    """1 − F of the mean precision and recall over the orders that both texts have, recall counting double."""
    precision, recall, orders = (np.zeros(len(shares[0][0])) for _ in range(3))
    for common, own, other in shares:
        both = (own > 0) & (other > 0)
        precision += np.divide(common, own, out=np.zeros(len(own)), where=both)
        recall += np.divide(common, other, out=np.zeros(len(own)), where=both)
        orders += both
    # With β = 2, F = 5·P·R/(4·P + R); the numbers of orders cancel out but for one.
    below = (4.0 * precision + recall) * orders
    nothing = np.where(shares[0][1] + shares[0][2] > 0, 0.0, 1.0)
    return np.asarray(
        1.0 - np.divide(5.0 * precision * recall, below, out=nothing, where=below > 0)
    )


def _logarithms(counts: Int64Array) -> FloatArray:
    """log(1 + count)."""
    return log(np.arange(1, int(counts.max(initial=0)) + 2))[counts]


def spelling_losses(
    hypotheses: SurfaceTexts, references: SurfaceTexts, words: WeightedVectors, *, threads: int
) -> FloatArray:
    """The columns of ``SPELLING``."""
    count = len(hypotheses.words)
    sides = hypotheses.words, references.words
    rows = SymbolRows(
        np.concatenate([side.symbols for side in sides]),
        np.concatenate([sides[0].offsets, sides[0].offsets[-1] + sides[1].offsets[1:]]),
    )
    left = np.arange(count, dtype=np.int32)
    return _soft_losses(
        soft_matches(rows, words, left=left, right=left + np.int32(count), threads=threads)
    )


def spelled(words: Sequence[str]) -> WeightedVectors:
    """Words with the vectors of their spelling; signs and short words, which are common, count little."""
    weights = [min(_COMMON + 0.12 * (len(word) - 1), 1.0) for word in words]
    return WeightedVectors(spelling_vectors(words), np.array(weights))


def _soft_losses(matches: FloatArray) -> FloatArray:
    """Shares of what matches, and the absolute losses at the end, as losses."""
    absolute = sum(name.startswith("lost") for name in SOFT_MATCHES)
    return np.concatenate([1.0 - matches[:, :-absolute], matches[:, -absolute:]], axis=1)


def alignment_losses(
    found: WordAlignments, batch: Batch, rows: tuple[Int32Array, Int32Array], content: float
) -> FloatArray:
    """The columns of ``ALIGNMENT``; content words weigh ``content``, function words the rest."""
    of_function = _function_words(batch)
    weight = np.where(of_function, 1.0 - content, content)
    count = len(rows[0])
    pair = np.repeat(np.arange(count), np.diff(found.pair_offsets))
    places = [
        batch.offsets[row][pair] + at
        for row, at in zip(rows, (found.left, found.right), strict=True)
    ]
    worth = {"a": found.similarity, "c": np.maximum(found.similarity - found.penalty, 0.01)}
    columns: dict[str, FloatArray] = {}
    weights = _sums(weight, batch)
    for side, row, other, place in zip("pr", rows, rows[::-1], places, strict=True):
        for name, value in worth.items():
            gained = _counted(pair, value * weight[place], count)
            columns[name + side] = _lost(gained, weights[row], weights[other])
        fate = {"p": "extra", "r": "missing"}[side]
        for kind, chosen in (("content", ~of_function), ("function", of_function)):
            used = _counted(pair, chosen[place], count)
            all_of_them = _sums(chosen.astype(np.float64), batch)[row]
            columns[f"{kind} {fate}"] = _lost(used, all_of_them, np.zeros(count))
    pairs = np.bincount(pair, minlength=count)
    nothing = np.where(columns["ap"] + columns["ar"] > 0, 1.0, 0.0)
    for name, value in (("unlike", 1.0 - found.similarity), ("context", found.penalty)):
        columns[name] = np.divide(
            _counted(pair, value, count), pairs, out=nothing.copy(), where=pairs > 0
        )
    same = pair[1:] == pair[:-1]
    jumps = same & ((np.diff(found.left) != 1) | (np.diff(found.right) != 1))
    breaks = _counted(pair[1:], jumps, count)
    columns["breaks"] = breaks / np.maximum(pairs - 1, 1)
    return np.column_stack([columns[name] for name in ALIGNMENT])


def _function_words(batch: Batch) -> BoolArray:
    """Which tokens are function words; strings that are no forms need not be looked up."""
    forms, places = np.unique(batch.columns["form"], return_inverse=True)
    words = (batch.strings[form] for form in forms.tolist())
    return np.fromiter(map(is_function_word, words), np.bool_, len(forms))[places]


def bag_losses(bags: NgramBags) -> FloatArray:
    """The columns of ``TAGGED``."""
    columns = []
    for matched in (bags.matched, bags.matched_tags):
        for own, other, common in zip(bags.hypothesis.T, bags.reference.T, matched.T, strict=True):
            columns += [_lost(common, own, other), _lost(common, other, own)]
    return np.column_stack(columns)


def _lost(common: FloatArray, own: FloatArray, other: FloatArray) -> FloatArray:
    """1 − common / own; where there is nothing, nothing is lost unless the other side has something."""
    nothing = np.where(other > 0, 0.0, 1.0)
    kept = np.divide(common, own, out=nothing, where=own > 0)
    return np.asarray(1.0 - np.minimum(kept, 1.0))


def _counted(groups: Int64Array, amounts: NDArray[Any], count: int) -> FloatArray:
    """The sum of the amounts of each group."""
    return np.bincount(groups, amounts, count).astype(np.float64)


def _sums(values: FloatArray, batch: Batch) -> FloatArray:
    """The sum of a column over each sentence, the same whatever stands before it."""
    sentence = np.repeat(np.arange(len(batch)), np.diff(batch.offsets))
    return _counted(sentence, values, len(batch))


def vector_losses(
    words: VectorWords, rows: tuple[Int32Array, Int32Array], *, threads: int
) -> FloatArray:
    """The columns of ``VECTORS``."""
    return _soft_losses(
        soft_matches(words.rows, words.vectors, left=rows[0], right=rows[1], threads=threads)
    )


class VectorWords:
    """The words of a batch in lower case, with their vectors and their rarity.

    Rarity is the logarithm of the rank among all words over that of the last one. Of words that have none,
    names and numbers are as rare as can be, function words and punctuation as common.
    """

    def __init__(self, batch: Batch, source: VectorSource) -> None:
        numbers: dict[str, int] = {}
        of_string = [numbers.setdefault(one.lower(), len(numbers)) for one in batch.strings]
        symbols = np.array(of_string, dtype=np.int32)[batch.columns["form"]]
        self.rows = SymbolRows(symbols, batch.offsets)
        words = list(numbers)
        ranks = source.ranks(words)
        of_ranks = (log(np.maximum(ranks, 0) + 2.0) / log(_LAST_RANK + 2)).tolist()
        rarity = [
            min(of_rank, 1.0) if rank >= 0 else (_COMMON if is_function_word(word) else 1.0)
            for rank, of_rank, word in zip(ranks.tolist(), of_ranks, words, strict=True)
        ]
        self.rarity = np.array(rarity)
        vectors = source.vectors(words)
        squares = np.square(vectors, dtype=np.float64).sum(axis=1)
        # Those that ship have their length already, and keep their last bit.
        if (np.minimum(np.abs(squares - 1.0), squares) > 1e-6).any() or np.isnan(squares).any():
            vectors = unit_vectors(source, words)
        self.vectors = WeightedVectors(vectors, self.rarity)
