"""Spans of two sentences that cover each other, as in TESLA-CELAB (Liu & Ng, ACL 2012, section 3; METRICS 4).

The spans of a sentence are its sequences of up to N tokens, each occurrence counted. Two spans *match*
if they can be cut into equally many pieces X1 … Xk, Y1 … Yk such that every Xi and Yi are spelt alike or
stand in one set of the lexicon (3.1 and 3.2). The program (3.3 and 3.4) gives each match (X, Y) a weight
w >= 0 and asks for

    maximise    sum_X m(X) c(X)  +  f * sum_Y m(Y) c(Y)
    subject to  sum_Y w(X, Y) <= 1  and  sum_X w(X, Y) <= 1          for every span,
                c(X) <= 1,  c(X) <= sum of w(X', Y) over X' containing X,   likewise c(Y).

The two sums can be maximised separately, so f plays no part here; ``src/core/covering/span_cover.hpp`` proves
that and the reductions that leave little of the program.

**Similarities** (section 5.2). A set may state how similar its words are, s in (0, 1]. Pieces are as
similar as the best set they share (1 if spelt alike), and a composed match as its worst pieces, at its best
cut. A similarity that must reach a threshold t is a yes or no; let V(t) be the optimum of the program above
with the matches that reach t. The value with similarities is the integral of V(t) over t from 0 to 1: every
span X has a coverage c(X, t) for every threshold, covered by the matches that reach it. It is a finite sum,
because V changes at similarities of sets only, and with similarities of 0 and 1 it is the program above.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metaphrase._core import covering as _core
from metaphrase.arrays import BoolArray, FloatArray, Int32Array, Int64Array, one_line
from metaphrase.errors import InputError, OptionError
from metaphrase.matching.checked_array import refusals, vector
from metaphrase.threads import check_threads

#: The longest span, in tokens.
MAX_SPAN = 4


class SpanLexicon:
    """Sets of words with the similarity of each; words are compared as they are spelt.

    Building it takes a moment for a large lexicon; any number of threads may then share it.
    """

    def __init__(self, sets: Iterable[tuple[float, Iterable[str]]] = ()) -> None:
        """``(similarity, words)`` for each set."""
        ordered = sorted(
            ((float(s), dict.fromkeys(words)) for s, words in sets), key=lambda s: -s[0]
        )
        members: dict[str, list[int]] = {}
        for number, (_, words) in enumerate(ordered):
            for word in words:
                members.setdefault(word, []).append(number)
        lists = list(members.values())
        with refusals():
            self._core = _core.make_lexicon(
                *_utf32(list(members)),
                _offsets([len(numbers) for numbers in lists]),
                np.array([n for numbers in lists for n in numbers], dtype=np.int32),
                np.array([similarity for similarity, _ in ordered], dtype=np.float64),
            )

    @property
    def layers(self) -> list[float]:
        """The share of each layer; the similarity of a layer is the sum of its share and those after it."""
        return self._core.layers


@dataclass(frozen=True, slots=True, eq=False)
class SpanSentences:
    """Sentences as arrays: token ``t`` of sentence ``i`` is ``strings[tokens[offsets[i] + t]]``.

    ``token_weights``, if there are any, hold one number for each of ``strings``; a span weighs the mean
    of its tokens.
    """

    offsets: Int64Array
    tokens: Int32Array
    strings: Sequence[str]
    token_weights: FloatArray | None = None

    __repr__ = one_line

    def checked(self) -> _core.Sentences:
        """As the core takes them."""
        weights = np.empty(0) if self.token_weights is None else self.token_weights
        return _core.Sentences(
            vector(self.offsets, np.int64, "offsets"),
            vector(self.tokens, np.int32, "tokens"),
            *_utf32(self.strings),
            vector(weights, np.float64, "token_weights"),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Coverings:
    """One number a pair: the weight of covered spans and of all spans on either side.

    ``exact`` is false where a program was so large (hundreds of overlapping spans that compete for the same
    partners) that a greedy solution stands in for the optimum; it is never above it.
    """

    covered_reference: FloatArray
    covered_hypothesis: FloatArray
    total_reference: FloatArray
    total_hypothesis: FloatArray
    exact: BoolArray

    __repr__ = one_line


@dataclass(frozen=True, slots=True, eq=False)
class CoveringTrace:
    """How one pair is covered by the matches that reach one similarity.

    ``matches`` has a row ``(reference span, hypothesis span, 1 if it is one piece)`` for each match. Row 0
    of a side is the weight that each span must be matched with at least, row 1 how much it is covered.
    Span number ``4 s + n - 1`` is that of n tokens from s on.
    """

    matches: Int32Array
    reference: FloatArray
    hypothesis: FloatArray

    __repr__ = one_line


def covering(
    sentences: SpanSentences,
    *,
    hypothesis_rows: ArrayLike,
    reference_rows: ArrayLike,
    lexicon: SpanLexicon | None = None,
    order: int = MAX_SPAN,
    released: bool = False,
    threads: int = 1,
) -> Coverings:
    """Compare sentence ``hypothesis_rows[p]`` with sentence ``reference_rows[p]`` for every p.

    ``order`` is N, 1 to 4. ``released`` takes only the matches that the authors' program finds: there the
    first piece has a single token on one side at least. The lengths of a pair may have a product of
    up to 2²⁵ (5,792 tokens on both sides).
    """
    with refusals():
        table = _core.cover(
            (lexicon or SpanLexicon())._core,
            sentences.checked(),
            vector(hypothesis_rows, np.int32, "hypothesis_rows"),
            vector(reference_rows, np.int32, "reference_rows"),
            _checked_order(order),
            bool(released),
            check_threads(threads),
        )
    return Coverings(table[:, 0], table[:, 1], table[:, 2], table[:, 3], table[:, 4] > 0)


def covering_trace(
    sentences: SpanSentences,
    *,
    hypothesis_row: int,
    reference_row: int,
    lexicon: SpanLexicon | None = None,
    order: int = MAX_SPAN,
    released: bool = False,
    layer: int = 0,
) -> CoveringTrace:
    """What :func:`covering` does with one pair in one layer of the lexicon, to be explained."""
    with refusals():
        return CoveringTrace(
            *_core.trace(
                (lexicon or SpanLexicon())._core,
                sentences.checked(),
                vector([hypothesis_row], np.int32, "hypothesis_row"),
                vector([reference_row], np.int32, "reference_row"),
                _checked_order(order),
                bool(released),
                layer,
            )
        )


def _checked_order(order: int) -> int:
    if isinstance(order, bool) or not isinstance(order, int) or not 1 <= order <= MAX_SPAN:
        raise OptionError("MP404", f"order is {order!r}; it must be an integer of 1 to {MAX_SPAN}.")
    return order


def _utf32(strings: Sequence[str]) -> tuple[NDArray[np.uint32], Int64Array]:
    """Code points of all strings, one after the other, and where each begins; surrogates are only numbers."""
    try:
        joined = "".join(strings).encode("utf-32-le", "surrogatepass")
    except TypeError as error:
        raise InputError("MP401", f"a token or word is not a string: {error}.") from None
    return np.frombuffer(joined, dtype="<u4").astype(np.uint32), _offsets(list(map(len, strings)))


def _offsets(lengths: Sequence[int]) -> Int64Array:
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets
