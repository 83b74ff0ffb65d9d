"""NIST: worked values, the oracle, and what depends on the whole corpus."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase import Corpus, score
from metaphrase.errors import OptionError
from metaphrase.metrics import create
from metaphrase.metrics.nist import Nist
from oracle.nist import nist

words = st.lists(st.sampled_from("a b c d .".split()), min_size=1, max_size=8)
corpora = st.integers(1, 3).flatmap(
    lambda references: st.lists(
        st.tuples(words, st.lists(words, min_size=references, max_size=references)),
        min_size=1,
        max_size=4,
    )
)


@settings(max_examples=60, deadline=None)
@given(rows=corpora, orders=st.integers(1, 5))
def test_it_equals_the_definition(
    rows: list[tuple[list[str], list[list[str]]]], orders: int
) -> None:
    metric = Nist(orders=orders, tokenize="none")
    hypotheses, own = [list(column) for column in zip(*rows, strict=True)]
    corpus = [text for texts in own for text in texts]
    texts = [" ".join(line) for line in hypotheses]
    columns = [[" ".join(line) for line in column] for column in zip(*own, strict=True)]
    expected = nist(hypotheses, own, corpus, orders)
    assert metric.corpus_score(texts, columns).score == pytest.approx(expected, abs=1e-12)
    segments = metric.segment_scores(texts, columns)
    for found, hypothesis, references in zip(segments, hypotheses, own, strict=True):
        alone = nist([hypothesis], [references], corpus, orders)
        assert found.score == pytest.approx(alone, abs=1e-12)


def test_a_match_is_worth_what_it_tells() -> None:
    # By hand: of 4 words "a" is 2 and "b" 1, so they tell 1 and 2 bits; after "a" comes "b" once in 2.
    metric = Nist(tokenize="none")
    value = metric.corpus_score(["a b x y"], [["a a b c"]]).score
    assert value == pytest.approx((1 + 2) / 4 + math.log2(2 / 1) / 3)


def test_two_thirds_of_the_length_keep_half_of_the_score() -> None:
    # Doddington (2002): β is chosen for that.
    metric = Nist(tokenize="none")
    references = [["a b", "c d", "e f"]]
    whole = metric.corpus_score(["a b", "c d", "e f"], references).score
    assert metric.corpus_score(["a b", "c d", ""], references).score == pytest.approx(whole / 2)


def test_a_repeated_word_counts_as_often_as_the_reference_has_it() -> None:
    # One of four words matches, and each word of the reference tells 2 bits.
    value = Nist(tokenize="none", orders=1).corpus_score(["a a a a"], [["a b c d"]]).score
    assert value == pytest.approx(2 / 4)


def test_case_and_punctuation_are_as_in_mteval() -> None:
    metric = Nist()
    assert (
        metric.sentence_score("THE CAT, it sat.", ["The cat, it sat."]).score
        == metric.sentence_score("the cat , it sat .", ["the cat , it sat ."]).score
    )
    cased = Nist(lowercase=False)
    assert cased.sentence_score("THE CAT", ["the cat"]).score == 0.0


def test_chinese_is_cut_into_characters() -> None:
    metric = create("nist", lang="zh")
    assert "tok:zh" in str(metric.signature())
    assert metric.sentence_score("我们吃鱼", ["他们吃鱼"]).score > 0.0


def test_segments_are_weighted_with_the_whole_corpus_however_it_is_cut() -> None:
    corpus = Corpus(
        {"a": ["a b c", "a a b", "c b a", "b b c"]}, [["a b c", "a b a", "c b b", "a b c"]]
    )
    whole = score(corpus, ["nist"], levels=["segment", "system"]).to_dict()
    cut = score(corpus.chunks(1), ["nist"], levels=["segment", "system"]).to_dict()
    assert cut == whole


def test_an_empty_hypothesis_scores_0() -> None:
    assert Nist().corpus_score([""], [["a b c"]]).score == 0.0


def test_options_are_checked() -> None:
    with pytest.raises(OptionError, match="MP508"):
        create("nist:orders=0")
    with pytest.raises(OptionError, match="MP507"):
        create("nist:tokenize=intl")
