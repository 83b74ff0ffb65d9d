"""The covering kernel against METRICS 4: HiGHS on the whole program, golden values, hostile input."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase.errors import InputError, OptionError
from metaphrase.matching import (
    Coverings,
    SpanLexicon,
    SpanSentences,
    covering,
    covering_trace,
)
from oracle import covering as oracle

# 60 random pairs with sets of their own; expected values from the LP of METRICS 4.4, HiGHS.
GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "celab_cases.json").read_text("utf-8"))[
    "cases"
]
F = 0.25


def pack(
    sentences: Sequence[Sequence[str]], weights: dict[str, float] | None = None
) -> SpanSentences:
    strings = sorted({token for tokens in sentences for token in tokens})
    number = {token: n for n, token in enumerate(strings)}
    return SpanSentences(
        np.cumsum([0, *map(len, sentences)]),
        np.array([number[t] for tokens in sentences for t in tokens], dtype=np.int32),
        strings,
        None if weights is None else np.array([weights[t] for t in strings]),
    )


def scores(c: Coverings, f: float = F) -> np.ndarray:
    total = c.total_reference + f * c.total_hypothesis
    covered = c.covered_reference + f * c.covered_hypothesis
    return np.divide(covered, total, out=np.zeros_like(total), where=total > 0)


def score(
    reference: Sequence[str], hypothesis: Sequence[str], sets: oracle.Sets = (), **options: object
) -> float:
    weights = options.pop("weights", None)
    found = covering(
        pack([reference, hypothesis], weights),
        hypothesis_rows=[1],
        reference_rows=[0],
        lexicon=SpanLexicon(sets),
        **options,
    )
    assert found.exact.all()
    return float(scores(found)[0])


def equal_sets(words: Sequence[Sequence[str]]) -> list[tuple[float, Sequence[str]]]:
    return [(1.0, one) for one in words]


@pytest.mark.parametrize("case", GOLDEN)
def test_golden_case(case: dict) -> None:
    reference, candidate = case["reference"], case["candidate"]
    sets = equal_sets(case["synonyms"])
    assert score(reference, candidate, sets) == pytest.approx(case["score"], abs=1e-9)
    released = score(reference, candidate, sets, released=True)
    assert released == pytest.approx(case["score_released_dp"], abs=1e-9)
    plain = score(reference, candidate)
    assert plain == pytest.approx(case["score_without_dictionary"], abs=1e-9)


# METRICS 4.5: the pairs whose score does not hang on the rest of Cilin.
@pytest.mark.parametrize(
    ("reference", "candidate", "sets", "expected"),
    [
        ("买雨伞", "买伞", [["雨伞", "伞"]], 1.0),
        ("买雨伞", "买伞", [], 0.370370),
        ("下周。", "下星期。", [["周", "星期"]], 1.0),
        ("下周。", "下星期。", [], 0.294118),
        ("我有一个女儿。", "我有个闺女。", [["女儿", "闺女"]], 0.613208),
        ("我有一个女儿。", "我有个闺女。", [], 0.283019),
        ("你在这儿工作吗？", "您在这里上班吗？", [["你", "您"], ["工作", "上班"]], 0.615385),
        ("你在这儿工作吗？", "您在这里上班吗？", [], 0.230769),
        ("好好好", "好", [], 0.2),
        ("ABCDE", "EDCBA", [], 0.357143),
    ],
)
def test_worked_example(
    reference: str, candidate: str, sets: list[list[str]], expected: float
) -> None:
    assert score(reference, candidate, equal_sets(sets)) == pytest.approx(expected, abs=1e-6)


def test_the_released_program_needs_a_single_token_in_the_first_piece() -> None:
    # METRICS 4.3: 上班/出工 scores 1.0 by the paper, 0.0 by the program; 个女儿/个闺女 is linked by both.
    sets = equal_sets([["上班", "出工"], ["女儿", "闺女"]])
    assert score("上班", "出工", sets) == 1.0
    assert score("上班", "出工", sets, released=True) == 0.0
    sentences = pack(["个女儿", "个闺女"])
    trace = covering_trace(
        sentences, hypothesis_row=1, reference_row=0, lexicon=SpanLexicon(sets), released=True
    )
    assert [2, 2, 0] in trace.matches.tolist()  # span 2 is that of three tokens from 0 on


alphabets = st.sampled_from(["ab", "abc", "甲乙丙丁", "甲乙丙丁戊己庚"])


@st.composite
def problems(draw: st.DrawFn, *, similarities: tuple[float, ...] = (1.0,)) -> tuple:
    letters = st.sampled_from(draw(alphabets))
    sentence = st.lists(letters, min_size=1, max_size=9)
    words = st.lists(letters, min_size=1, max_size=3).map("".join)
    sets = st.lists(
        st.tuples(st.sampled_from(similarities), st.lists(words, min_size=2, max_size=3)),
        max_size=5,
    )
    return draw(sentence), draw(sentence), draw(sets)


@settings(max_examples=120)
@given(problem=problems(), released=st.booleans(), order=st.integers(1, 4))
def test_the_optimum_is_that_of_the_whole_program(
    problem: tuple, released: bool, order: int
) -> None:
    expected = oracle.celab(*problem, released=released, order=order)
    found = score(*problem, released=released, order=order)
    assert found == pytest.approx(expected, abs=1e-9)


@settings(max_examples=40)
@given(problem=problems(similarities=(1.0, 0.8, 0.3)))
def test_similarities_are_integrated_over_thresholds(problem: tuple) -> None:
    assert score(*problem) == pytest.approx(oracle.celab(*problem), abs=1e-9)


@settings(max_examples=60)
@given(problem=problems(similarities=(1.0, 0.0)))
def test_similarities_of_0_and_1_give_the_published_metric(problem: tuple) -> None:
    reference, hypothesis, sets = problem
    published = [(s, words) for s, words in sets if s == 1.0]
    tiny = [(max(s, 1e-300), words) for s, words in sets]
    assert score(reference, hypothesis, tiny) == pytest.approx(
        oracle.celab(reference, hypothesis, published), abs=1e-9
    )


@settings(max_examples=40)
@given(
    problem=problems(),
    numbers=st.lists(st.sampled_from([0.0, 0.1, 0.7, 1.0, 3.0]), min_size=7, max_size=7),
)
def test_weights_of_spans_are_means_of_their_tokens(problem: tuple, numbers: list[float]) -> None:
    reference, hypothesis, _ = problem
    weights = {token: numbers[n] for n, token in enumerate(sorted({*reference, *hypothesis}))}

    def mean(tokens: Sequence[str]) -> float:
        return sum(weights[t] for t in tokens) / len(tokens)

    expected = oracle.celab(*problem, weight=mean)
    assert score(*problem, weights=weights) == pytest.approx(expected, abs=1e-9)


@settings(max_examples=30)
@given(problem=problems(), f=st.sampled_from([0.01, 1.0, 4.0]))
def test_the_sides_can_be_maximised_separately(problem: tuple, f: float) -> None:
    reference, hypothesis, sets = problem
    found = covering(
        pack([reference, hypothesis]),
        hypothesis_rows=[1],
        reference_rows=[0],
        lexicon=SpanLexicon(sets),
    )
    assert scores(found, f)[0] == pytest.approx(oracle.celab(*problem, f=f), abs=1e-9)


tokens_of_any_length = st.lists(
    st.sampled_from(["a", "b", "ab", "ba", "aab"]), min_size=1, max_size=6
)


@settings(max_examples=60)
@given(
    reference=tokens_of_any_length,
    hypothesis=tokens_of_any_length,
    words=st.lists(st.sampled_from(["a", "b", "ab", "aab", "bb"]), max_size=3),
    released=st.booleans(),
)
def test_spelling_counts_not_the_cut_into_tokens(
    reference: list[str], hypothesis: list[str], words: list[str], released: bool
) -> None:
    sets = equal_sets([words])
    expected = oracle.celab(reference, hypothesis, sets, released=released)
    assert score(reference, hypothesis, sets, released=released) == pytest.approx(
        expected, abs=1e-9
    )


def test_a_number_matches_its_digits() -> None:
    assert score(["500", "元"], ["5", "0", "0", "元"]) == 1.0


@settings(max_examples=40)
@given(problem=problems(similarities=(1.0, 0.5)), more=problems(similarities=(1.0, 0.7)))
def test_a_larger_lexicon_never_lowers_the_score(problem: tuple, more: tuple) -> None:
    reference, hypothesis, sets = problem
    assert score(reference, hypothesis, [*sets, *more[2]]) >= score(*problem) - 1e-12
    assert score(*problem) >= score(reference, hypothesis) - 1e-12


@settings(max_examples=60)
@given(problem=problems(similarities=(1.0, 0.6)), layer=st.integers(0, 1), released=st.booleans())
def test_a_trace_tells_the_matches_and_the_value(
    problem: tuple, layer: int, released: bool
) -> None:
    reference, hypothesis, sets = problem
    lexicon = SpanLexicon(sets)
    layer = min(layer, len(lexicon.layers) - 1)
    threshold = sum(lexicon.layers[layer:])
    trace = covering_trace(
        pack([reference, hypothesis]),
        hypothesis_row=1,
        reference_row=0,
        lexicon=lexicon,
        layer=layer,
        released=released,
    )
    edges = oracle.matches(reference, hypothesis, sets, threshold=threshold, released=released)
    number = {((4 * a + b - a - 1), (4 * c + d - c - 1)) for (a, b), (c, d) in edges}
    assert {(x, y) for x, y, _ in trace.matches.tolist()} == number
    value = trace.reference[1].sum() + F * trace.hypothesis[1].sum()
    assert value == pytest.approx(oracle.optimum(reference, hypothesis, edges, f=F), abs=1e-9)


def test_pairs_do_not_depend_on_batches_or_threads() -> None:
    random = np.random.default_rng(1)
    sentences = [
        "".join(random.choice(list("甲乙丙丁戊"), random.integers(0, 30))) for _ in range(60)
    ]
    lexicon = SpanLexicon([(1.0, ["甲乙", "丙"]), (0.5, ["丁", "戊戊"])])
    rows = np.arange(60)
    together = [
        scores(
            covering(
                pack(sentences),
                hypothesis_rows=rows,
                reference_rows=rows[::-1].copy(),
                lexicon=lexicon,
                threads=threads,
            )
        ).tolist()
        for threads in (1, 3)
    ]
    assert together[0] == together[1]
    alone = [
        score(sentences[59 - i], sentences[i], [(1.0, ["甲乙", "丙"]), (0.5, ["丁", "戊戊"])])
        for i in range(60)
    ]
    assert together[0] == alone


def test_empty_and_one_character_segments() -> None:
    assert score("", "") == 0.0
    assert score("好", "") == 0.0
    assert score("", "好") == 0.0
    assert score("好", "好") == 1.0
    assert score("好", "坏") == 0.0


def test_half_a_surrogate_pair_is_a_character_like_others() -> None:
    assert score(["\ud800", "a"], ["\ud800", "a"]) == 1.0


def test_5000_equal_characters_are_compared() -> None:
    found = covering(
        pack([["好"] * 5000, ["好"] * 1000]), hypothesis_rows=[0, 1], reference_rows=[0, 0]
    )
    assert scores(found)[0] == 1.0
    assert found.exact.tolist()[0]
    # 1,000 characters match 1,000 unigrams and 997 + 998 + 999 longer spans at most, all covered.
    assert found.covered_hypothesis[1] == found.total_hypothesis[1]
    # At best all matched spans are apart: 997 of four cover 10 each, and so on down.
    assert 0 < found.covered_reference[1] <= 997 * 10 + 998 * 6 + 999 * 3 + 1000


def test_every_character_a_synonym_of_every_other() -> None:
    random = np.random.default_rng(2)
    letters = [chr(0x4E00 + i) for i in range(300)]
    texts = [random.choice(letters, 600).tolist() for _ in range(2)]
    found = covering(
        pack(texts),
        hypothesis_rows=[1],
        reference_rows=[0],
        lexicon=SpanLexicon([(1.0, letters)]),
    )
    assert scores(found)[0] == 1.0


@pytest.mark.parametrize("length", [6, 20])
def test_a_repeated_character_is_exact(length: int) -> None:
    expected = oracle.celab("好" * length, "好" * (length // 2))
    assert score("好" * length, "好" * (length // 2)) == pytest.approx(expected, abs=1e-9)


def test_what_is_too_large_is_refused() -> None:
    with pytest.raises(InputError, match="MP440"):
        score(["a"] * 6000, ["a"] * 6000)


def test_wrong_arguments_are_coded_errors() -> None:
    for order in (0, 5, True, 2.0):
        with pytest.raises(OptionError, match="MP404"):
            score("a", "a", order=order)
    for similarity in (0.0, 1.5, -1.0, float("nan")):
        with pytest.raises(InputError, match="MP441"):
            SpanLexicon([(similarity, ["a", "b"])])
    sentences = pack(["ab", "ba"])
    with pytest.raises(InputError, match="MP403"):
        covering(sentences, hypothesis_rows=[2], reference_rows=[0])
    with pytest.raises(InputError, match="MP406"):
        covering(sentences, hypothesis_rows=[0, 1], reference_rows=[0])
    with pytest.raises(InputError, match="MP402"):
        score("ab", "b", weights={"a": -1.0, "b": 1.0})
    with pytest.raises(InputError, match="MP401"):
        SpanLexicon([(1.0, ["a", 5])])
