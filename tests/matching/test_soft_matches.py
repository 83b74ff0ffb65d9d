"""Soft matches are those of the definitions, to the last bit the same however they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from metaphrase.errors import InputError, OptionError
from metaphrase.matching.soft_matches import SOFT_MATCHES, WeightedVectors, soft_matches
from metaphrase.matching.symbol_rows import SymbolRows
from oracle.soft_matches import soft_match

LOST = ["lost_recall", "lost_precision"]
#: Those of the left only; any other column is another one if sides are swapped.
STEPS = ["follows", "rises"]
SWAPPED = [1, 0, 3, 2, 5, 4, 6, 8, 7, 12, 11]
UNSWAPPED = [k for k, name in enumerate(SOFT_MATCHES) if name not in STEPS]
#: The row of a sentence and itself.
SAME = [float(name not in LOST) for name in SOFT_MATCHES]


@dataclass(frozen=True)
class Case:
    """Sentences of numbered words, what is known of the words, and pairs of sentences."""

    sentences: list[list[int]]
    vectors: NDArray[np.float32]
    rarity: NDArray[np.float64]
    pairs: NDArray[np.int32]

    def match(
        self, pairs: NDArray[np.int32] | None = None, threads: int = 1
    ) -> NDArray[np.float64]:
        left, right = (self.pairs if pairs is None else pairs).T
        known = WeightedVectors(self.vectors, self.rarity)
        return soft_matches(rows(self.sentences), known, left=left, right=right, threads=threads)


def rows(sentences: list[list[int]]) -> SymbolRows:
    ends = np.cumsum([0, *map(len, sentences)])
    return SymbolRows(np.array([word for line in sentences for word in line], dtype=np.int32), ends)


def unit(vectors: NDArray[np.float64]) -> NDArray[np.float32]:
    """The vectors with length 1, but for zeros."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    vocabulary = draw(st.integers(1, 12))
    dimensions = draw(st.sampled_from([0, 1, 2, 7, 8, 19]))
    # Small whole numbers make vectors that are equal, opposite or at right angles, and unknown words.
    numbers = st.lists(st.integers(-2, 2), min_size=dimensions, max_size=dimensions)
    table = draw(st.lists(numbers, min_size=vocabulary, max_size=vocabulary))
    vectors = np.array(table, dtype=float).reshape(vocabulary, dimensions)
    weights = st.floats(0.01, 1) | st.just(0.7)
    rarity = draw(st.lists(weights, min_size=vocabulary, max_size=vocabulary))
    words = st.lists(st.integers(0, vocabulary - 1), max_size=draw(st.sampled_from([3, 10, 40])))
    sentences = draw(st.lists(words, min_size=1, max_size=4))
    row = st.integers(0, len(sentences) - 1)
    pairs = draw(st.lists(st.tuples(row, row), max_size=8))
    pairs_array = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    return Case(sentences, unit(vectors), np.array(rarity), pairs_array)


def close(expected: object) -> object:
    """What differs by the rounding of similarities; sums over words are of those of many."""
    return pytest.approx(expected, rel=1e-6, abs=5e-6)


@settings(max_examples=300, deadline=None)
@given(case=cases())
def test_the_definitions_agree(case: Case) -> None:
    expected = [
        soft_match(case.sentences[i], case.sentences[j], case.vectors.astype(float), case.rarity)
        for i, j in case.pairs
    ]
    found = case.match()
    assert found.shape == (len(case.pairs), len(SOFT_MATCHES))
    assert found == close(np.array(expected).reshape(found.shape))


@settings(max_examples=200, deadline=None)
@given(case=cases())
def test_scores_are_between_0_and_1_and_sides_swap(case: Case) -> None:
    found = case.match()
    assert (found >= 0).all()
    for name, column in zip(SOFT_MATCHES, found.T, strict=True):
        assert name in LOST or (column <= 1).all()
    assert (found[:, SOFT_MATCHES.index("follows")] <= found[:, SOFT_MATCHES.index("rises")]).all()
    assert (case.match(case.pairs[:, ::-1])[:, SWAPPED] == found[:, UNSWAPPED]).all()


@settings(max_examples=200, deadline=None)
@given(case=cases())
def test_a_sentence_matches_itself_exactly(case: Case) -> None:
    itself = np.repeat(np.arange(len(case.sentences), dtype=np.int32), 2).reshape(-1, 2)
    assert (case.match(itself) == SAME).all()


@settings(max_examples=100, deadline=None)
@given(case=cases(), random=st.randoms(use_true_random=False))
def test_neither_order_nor_numbers_of_words_change_a_bit(case: Case, random: object) -> None:
    found = case.match()
    order = np.arange(len(case.pairs))
    random.shuffle(order)  # type: ignore[attr-defined]
    assert (case.match(case.pairs[order]) == found[order]).all()
    for row, pair in zip(found, case.pairs, strict=True):
        assert (case.match(pair[None]) == row).all()
    numbers = np.arange(len(case.rarity))
    random.shuffle(numbers)  # type: ignore[attr-defined]
    back = np.argsort(numbers)
    renumbered = [[int(numbers[word]) for word in line] for line in case.sentences]
    other = Case(renumbered, case.vectors[back], case.rarity[back], case.pairs)
    assert (other.match() == found).all()


def many(sentences: int, length: int, dimensions: int = 100) -> Case:
    random = np.random.default_rng(20)
    vectors = random.normal(size=(500, dimensions))
    vectors[::9] = 0
    # Frequent words are frequent, so that sentences share some.
    words = (500 * random.random((sentences, length)) ** 3).astype(int)
    lines = [line[: random.integers(length // 2, length + 1)] for line in words.tolist()]
    pairs = random.integers(0, sentences, (700, 2), dtype=np.int32)
    return Case(lines, unit(vectors), random.uniform(0.05, 1, 500), pairs)


def test_threads_change_no_bit() -> None:
    case = many(sentences=100, length=33)
    found = case.match()
    for threads in (2, 5):
        assert (case.match(threads=threads) == found).all()


def test_long_sentences_are_compared_piece_by_piece() -> None:
    case = many(sentences=4, length=700, dimensions=5)
    for i, j in [(0, 1), (2, 3)]:
        expected = soft_match(
            case.sentences[i], case.sentences[j], case.vectors.astype(float), case.rarity
        )
        assert case.match(np.array([[i, j]], dtype=np.int32))[0] == close(expected)


def test_an_example_by_hand() -> None:
    # Words: a rare one, one at 60° to it, and one of which nothing is known.
    case = Case(
        [[0, 2], [1, 2, 2]],
        np.array([[1, 0], [0.5, 0.75**0.5], [0, 0]], dtype=np.float32),
        np.array([1, 0.5, 0.25]),
        np.array([[0, 1]], dtype=np.int32),
    )
    assert dict(zip(SOFT_MATCHES, case.match()[0].tolist(), strict=True)) == pytest.approx(
        {
            "precision": (1 * 0.5 + 0.25) / 1.25,
            "recall": (0.5 * 0.5 + 0.25 + 0.25) / 1,
            "strict_precision": (1 * 0.125 + 0.25) / 1.25,
            "strict_recall": (0.5 * 0.125 + 0.25 + 0.25) / 1,
            # The unknown word is at 1/2 on the left, and at 1/3 and 2/3 on the right.
            "placed_precision": (1 * 0.5 + 0.25 * 11 / 12) / 1.25,
            "placed_recall": (0.5 * 0.5 + 0.25 * 11 / 12 + 0.25 * 11 / 12) / 1,
            "cosine": 0.5,
            "worst_recall": 1,
            "worst_precision": 0.5,
            # From the first word on the right to the second: from 1/2 it is as far to 1/3 as to 2/3.
            "follows": 1,
            "rises": 1,
            "lost_recall": 0,
            "lost_precision": 1 * 0.5,
        },
        abs=1e-6,
    )


@pytest.mark.parametrize(
    ("left", "right", "follows", "rises"),
    [
        # Nothing is known of words, so that only the same ones are linked.
        ([0, 1, 2], [0, 3, 1, 2], 1 / 2, 1),
        ([0, 1, 2], [2, 0, 1], 1 / 2, 1 / 2),
        ([0, 4, 1], [0, 1], 1, 1),
        ([0, 0, 1], [0, 1], 1 / 2, 1 / 2),
        ([0, 1, 0, 1], [1, 0, 1, 0], 2 / 3, 2 / 3),  # 1, 0, 1, 2: the first of two that are as near
        ([0, 4], [0, 3], 1, 1),
        ([4], [3], 1, 1),
    ],
)
def test_steps_by_hand(left: list[int], right: list[int], follows: float, rises: float) -> None:
    case = Case([left, right], np.zeros((5, 2), np.float32), np.ones(5), np.array([[0, 1]]))
    found = dict(zip(SOFT_MATCHES, case.match()[0].tolist(), strict=True))
    assert [found[name] for name in STEPS] == [follows, rises]


def test_the_same_words_in_another_order_have_one_sum() -> None:
    case = Case(
        [[0, 1, 1, 2], [1, 2, 0, 1]],
        unit(np.random.default_rng(1).normal(size=(3, 50))),
        np.array([0.3, 0.7, 1]),
        np.array([[0, 1]], dtype=np.int32),
    )
    found = dict(zip(SOFT_MATCHES, case.match()[0], strict=True))
    assert found["cosine"] == 1
    assert found["placed_precision"] < 1


def test_no_words_match_no_words_only() -> None:
    case = Case(
        [[], [0, 1, 0]],
        np.ones((2, 1), np.float32),
        np.array([0.75, 0.7]),
        np.array([[0, 0], [0, 1], [1, 0]]),
    )
    nothing = [0.0] * (len(SOFT_MATCHES) - len(LOST))
    assert case.match().tolist() == [SAME, [*nothing, 1.5, 0.0], [*nothing, 0.0, 1.5]]


KNOWN = [[1, 0], [0, 1]]


def ask(
    words: tuple[list[int], list[int]] = ([0, 1], [0, 1, 2]),
    vectors: object = KNOWN,
    rarity: object = (1, 0.5),
    left: object = (0,),
    right: object = (1,),
    threads: int = 1,
) -> None:
    known = WeightedVectors(vectors, rarity)  # type: ignore[arg-type]
    soft_matches(SymbolRows(*words), known, left=left, right=right, threads=threads)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("mistake", "code"),
    [
        (lambda: ask(words=([0, 1], [0, 1])), "MP406"),
        (lambda: ask(words=([0, 1], [0, 3, 2])), "MP406"),
        (lambda: ask(words=([], [])), "MP406"),
        (lambda: ask(words=([0, 2], [0, 1, 2])), "MP403"),
        (lambda: ask(words=([0, -1], [0, 1, 2])), "MP403"),
        (lambda: ask(left=[2]), "MP403"),
        (lambda: ask(right=[-1]), "MP403"),
        (lambda: ask(left=[0, 0]), "MP406"),
        (lambda: ask(left=[0.5]), "MP401"),
        (lambda: ask(rarity=[1]), "MP406"),
        (lambda: ask(vectors=[1, 0]), "MP401"),
        (lambda: ask(vectors=[["a"], ["b"]]), "MP401"),
        *((lambda bad=bad: ask(rarity=[1, bad]), "MP402") for bad in (0, -1, 1.5, np.nan, np.inf)),
        *(
            (lambda bad=bad: ask(vectors=[[1, 0], [bad, 1]]), "MP402")
            for bad in (0.5, np.nan, np.inf, 1e300)
        ),
        (lambda: ask(threads=0), "MP519"),
    ],
)
def test_what_makes_no_sense_is_a_coded_error(mistake: Callable[[], None], code: str) -> None:
    ask()
    with pytest.raises((InputError, OptionError), match=code):
        mistake()
