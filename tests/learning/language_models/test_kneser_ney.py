"""Language models have the probabilities of modified Kneser-Ney smoothing, and they sum to 1."""

from __future__ import annotations

import json
import random
from itertools import product
from math import log10
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase._core import language_models as core
from metaphrase.errors import InputError, OptionError
from metaphrase.learning import NgramModel, PackedText, TextForm, estimate
from oracle.kneser_ney import KneserNey

Ngram = tuple[str, ...]
GOLDEN = Path(__file__).parents[2] / "golden" / "lmplz_cases.json"

#: A few words only, so that n-grams come again.
sentences = st.lists(st.lists(st.sampled_from("abcd"), max_size=7), min_size=1, max_size=12)
settings_of_a_model = st.integers(1, 5).flatmap(
    lambda order: st.tuples(
        st.just(order),
        st.lists(st.integers(0, 2), min_size=order, max_size=order).map(sorted),
    )
)


def ngrams_of(model: NgramModel) -> dict[Ngram, tuple[float, float]]:
    """The logarithms of the probability and the back-off weight of every n-gram."""
    words = model.vocabulary
    found: dict[Ngram, tuple[float, float]] = {}
    contexts: list[Ngram] = [()]
    starts = np.array([0, len(words)], np.uint32)
    for order in range(1, model.order + 1):
        last, probabilities, back_offs, next_starts = model.core.level(order)
        if len(back_offs) == 0:
            back_offs = np.zeros(len(last))
        parents = np.repeat(np.arange(len(contexts)), np.diff(starts.astype(np.int64)))
        ngrams = [
            (*contexts[parent], words[word])
            for parent, word in zip(parents.tolist(), last.tolist(), strict=True)
        ]
        rows = zip(probabilities.tolist(), back_offs.tolist(), strict=True)
        found.update(zip(ngrams, rows, strict=True))
        contexts, starts = ngrams, next_starts
    return found


def probability(ngrams: dict[Ngram, tuple[float, float]], context: Ngram, word: str) -> float:
    """As any reader of ARPA files computes it."""
    ngram = (*context, word)
    if ngram in ngrams:
        return 10 ** ngrams[ngram][0]
    back_off = 10 ** ngrams[context][1] if context in ngrams else 1.0
    return back_off * probability(ngrams, context[1:], word)


@settings(max_examples=150)
@given(sentences, settings_of_a_model)
def test_every_ngram_has_the_probability_of_the_definition(
    text: list[list[str]], options: tuple[int, list[int]]
) -> None:
    order, cut_offs = options
    oracle = KneserNey(text, order, cut_offs)
    model = estimate(text, order=order, cut_offs=cut_offs)
    ngrams = ngrams_of(model)
    kept = {ngram for ngram in oracle.counts if oracle.is_kept(ngram)}
    assert set(ngrams) == kept | {("<s>",), ("<unk>",)}
    for ngram, (log_probability, log_back_off) in ngrams.items():
        if ngram != ("<s>",):
            expected = oracle.probability(ngram[:-1], ngram[-1])
            assert log_probability == pytest.approx(log10(expected), abs=1e-9)
        if len(ngram) < order:
            assert log_back_off == pytest.approx(log10(oracle.back_off(ngram)), abs=1e-9)
    for found, expected in zip(model.discounts, oracle.discounts, strict=True):
        assert (found.one, found.two, found.more) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=60)
@given(sentences, settings_of_a_model)
def test_probabilities_sum_to_one_after_every_context(
    text: list[list[str]], options: tuple[int, list[int]]
) -> None:
    order, cut_offs = options
    model = estimate(text, order=order, cut_offs=cut_offs)
    ngrams = ngrams_of(model)
    words = [word for word in model.vocabulary if word != "<s>"]
    seen = [ngram for ngram in ngrams if len(ngram) < order and ngram[-1] != "</s>"]
    unseen = [("d", "d", "c", "b"), ("<unk>",), ("<s>", "d", "a")]
    for context in [(), *seen, *(c[-(order - 1) :] for c in unseen if order > 1)]:
        total = sum(probability(ngrams, context, word) for word in words)
        assert total == pytest.approx(1, abs=1e-9), context


def test_a_bigram_model_worked_by_hand() -> None:
    # Bigrams: <s> a twice; a b, b </s>, a </s> once. Different words to the left: a 1 (<s>), b 1 (a),
    # </s> 2 (b, a); so 4 in all. No count is 3, so that discounts are 0.5, 1, 1.5.
    # Left over of unigrams: 0.5 + 0.5 + 1 = 2 of 4, for <unk>, </s>, a, b: 1/8 each.
    model = estimate([["a", "b"], ["a"]], order=2)
    assert [discounts.estimated for discounts in model.discounts] == [False, False]
    found = {ngram: (10**p, 10**b) for ngram, (p, b) in ngrams_of(model).items()}
    expected = {
        ("<unk>",): (1 / 8, 1),
        ("</s>",): (1 / 4 + 1 / 8, 1),
        ("a",): (0.5 / 4 + 1 / 8, (0.5 + 0.5) / 2),
        ("b",): (0.5 / 4 + 1 / 8, 0.5),
        ("<s>",): (1e-99, 1 / 2),  # the mark for never
        ("<s>", "a"): (1 / 2 + 1 / 2 * 1 / 4, 1),
        ("a", "b"): (0.5 / 2 + 1 / 2 * 1 / 4, 1),
        ("a", "</s>"): (0.5 / 2 + 1 / 2 * 3 / 8, 1),
        ("b", "</s>"): (0.5 + 0.5 * 3 / 8, 1),
    }
    assert found.keys() == expected.keys()
    for ngram, values in expected.items():
        assert found[ngram] == pytest.approx(values, abs=1e-12), ngram


def test_what_is_cut_off_goes_to_the_order_below() -> None:
    # The same text without bigrams that occur once: the whole count after a and b is left to unigrams.
    ngrams = ngrams_of(estimate([["a", "b"], ["a"]], order=2, cut_offs=(0, 1)))
    assert {ngram for ngram in ngrams if len(ngram) == 2} == {("<s>", "a")}
    assert [ngrams[word,][1] for word in ("a", "b")] == [0, 0]


def test_discounts_come_from_counts_of_counts() -> None:
    # Occurrences: a, b, c and </s> 1, d and e 2, f 3, g 4; so n1 = 4, n2 = 2, n3 = n4 = 1.
    # Y = 4 / (4 + 2 * 2) = 1/2; D1 = 1 - 2 Y 2/4 = 1/2; D2 = 2 - 3 Y 1/2 = 5/4; D3 = 3 - 4 Y 1/1 = 1.
    # Left over: 4/2 + 2 * 5/4 + 1 + 1 = 13/2 of 15, for 7 words, </s> and <unk>.
    model = estimate([list("abcddeefffgggg")], order=1)
    (discounts,) = model.discounts
    assert (discounts.one, discounts.two, discounts.more) == pytest.approx((1 / 2, 5 / 4, 1))
    assert discounts.estimated
    ngrams = ngrams_of(model)
    assert 10 ** ngrams["<unk>",][0] == pytest.approx(6.5 / 15 / 9)
    assert 10 ** ngrams["g",][0] == pytest.approx((4 - 1) / 15 + 6.5 / 15 / 9)


def golden() -> tuple[list[list[str]], list[dict[str, object]]]:
    content = json.loads(GOLDEN.read_text("utf-8"))
    return [sentence.split() for sentence in content["sentences"]], content["cases"]


@pytest.mark.parametrize("case", golden()[1], ids=lambda c: f"{c['order']}{c['cut_offs']}")
def test_models_are_those_of_lmplz(case: dict[str, object]) -> None:
    # KenLM's program writes 7 digits and computes in floats; its <s> has the logarithm 0, not -99.
    text, _ = golden()
    model = estimate(text, order=case["order"], cut_offs=case["cut_offs"])  # type: ignore[arg-type]
    for found, printed in zip(model.discounts, case["discounts"], strict=True):  # type: ignore[call-overload]
        assert [found.one, found.two, found.more] == pytest.approx(printed, abs=1e-5)
    ngrams = ngrams_of(model)
    rows = {tuple(words.split()): values for words, *values in case["ngrams"]}  # type: ignore[attr-defined]
    if case["order"] == 1:
        rows.setdefault(("<s>",), [0, 0])
    assert ngrams.keys() == rows.keys()
    for ngram, (log_probability, log_back_off) in rows.items():
        assert ngrams[ngram][1] == pytest.approx(log_back_off, abs=2e-6), ngram
        if ngram != ("<s>",):
            assert ngrams[ngram][0] == pytest.approx(log_probability, abs=2e-6), ngram


def test_the_order_of_sentences_does_not_matter(tmp_path: Path) -> None:
    text, _ = golden()
    shuffled = random.Random(1).sample(text, len(text))
    files = []
    for sentences in (text, shuffled):
        estimate(sentences).write_binary(tmp_path / "model.lm")
        files.append((tmp_path / "model.lm").read_bytes())
    assert files[0] == files[1]


def test_words_that_no_model_can_hold_are_unknown() -> None:
    odd = ["", "two words", "a\tb", "\0", "x" * 256, "<s>", "</s>", "<unk>", "\ud800"]
    model = estimate([["a", word, "b"] for word in odd], order=2)
    assert model.vocabulary == ["<unk>", "<s>", "</s>", "a", "b"]
    assert model.unknown == len(odd)
    assert ("a", "<unk>") in ngrams_of(model)
    assert estimate([["x" * 255, "c\xa0d", "<S>"]]).unknown == 0


def test_lower_case_joins_words() -> None:
    model = estimate([["The", "the", "THE"]], form=TextForm(lowercase=True))
    assert model.vocabulary[3:] == ["the"]


def test_many_different_words_do_not_fit_one_key() -> None:
    # 2^17 words take 18 bits each, so that 5 of them must be compared beyond a key of 64.
    words = [f"w{i}" for i in range(1 << 17)]
    tails = [list(tail) for tail in product("ab", repeat=5)]
    with_many = estimate([words, *tails, *tails], order=5, cut_offs=(0, 0, 1))
    assert {n for n in ngrams_of(with_many) if len(n) == 5} == {
        tuple((["<s>", *t, "</s>"])[i : i + 5]) for t in tails for i in range(3)
    }


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"order": 0}, "MP680"),
        ({"order": 6}, "MP680"),
        ({"cut_offs": ()}, "MP681"),
        ({"cut_offs": (1, 0)}, "MP681"),
        ({"cut_offs": (-1,)}, "MP681"),
        ({"cut_offs": (0, 0, 0, 0)}, "MP681"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, int], code: str) -> None:
    with pytest.raises(OptionError) as caught:
        estimate([["a"]], **options)  # type: ignore[arg-type]
    assert caught.value.code == code


def test_text_that_cannot_be_used_is_refused() -> None:
    with pytest.raises(InputError, match="MP682"):
        estimate([])
    outside = PackedText(np.array([0, 1], np.int64), np.array([3], np.int32), ["a"])
    with pytest.raises(InputError, match="MP683"):
        estimate(outside)
    backwards = PackedText(np.array([0, 2, 1], np.int64), np.array([0], np.int32), ["a"])
    with pytest.raises(InputError, match="MP683"):
        estimate(backwards)


def test_the_core_checks_what_it_is_given() -> None:
    model = estimate([["a"]]).core
    for order, first, count in [(0, 0, 1), (4, 0, 1), (1, 0, 9), (1, 9, 0), (2, 1 << 63, 1 << 63)]:
        with pytest.raises((ValueError, IndexError)):
            model.arpa(order, first, count)
    with pytest.raises(ValueError, match="16 or 32"):
        model.file(8, "")
    with pytest.raises(ValueError, match="cut-offs"):
        core.NgramModel.estimate(
            offsets=np.array([0, 1]),
            words=np.zeros(1, np.int32),
            vocabulary=["a"],
            order=2,
            cut_offs=[1, 0],
        )
