"""NIST: worked values, the oracle, and what depends on the whole corpus."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase import Corpus, score
from metaphrase.errors import InputError
from metaphrase.metrics import create
from metaphrase.metrics.explanation import Explanation
from metaphrase.metrics.nist.metric import Nist
from oracle.nist import nist

words = st.lists(st.sampled_from("a b c d .".split()), min_size=1, max_size=8)
corpora = st.integers(1, 3).flatmap(
    lambda references: st.lists(
        st.tuples(words, st.lists(words, min_size=references, max_size=references)),
        min_size=1,
        max_size=4,
    )
)


@settings(max_examples=60)
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
        assert found == pytest.approx(alone, abs=1e-12)


#: The example of NLTK's documentation of sentence_nist, as cased there.
GUIDE = [
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the command of"
    " the Party",
    "It is the practical guide for the army always to heed the directions of the party",
]
OBEYS = (
    "It is a guide to action which ensures that the military always obeys the commands of the party"
)


@settings(max_examples=60)
@given(rows=st.lists(st.tuples(words, words), min_size=1, max_size=4))
def test_with_one_reference_it_is_nltks(rows: list[tuple[list[str], list[str]]]) -> None:
    nist_score = pytest.importorskip("nltk.translate.nist_score")
    hypotheses, references = [list(column) for column in zip(*rows, strict=True)]
    # NLTK divides by 0 if there is no n-gram of an order at all.
    orders = min(max(map(len, hypotheses)), 5)
    theirs = nist_score.corpus_nist([[line] for line in references], hypotheses, orders)
    columns = [[" ".join(line) for line in side] for side in (hypotheses, references)]
    ours = Nist(orders=orders, tokenize="none").corpus_score(columns[0], [columns[1]])
    assert ours.score == pytest.approx(theirs, abs=1e-9)


def test_nltk_takes_each_order_from_one_reference_and_mteval_from_all() -> None:
    # NLTK's documentation has 3.3709. mteval-v13a lets every n-gram match in the reference that has it most
    # often, so that more of them do: "which", "always" and "the party" are in no reference together with
    # "a guide to action". The penalty is none in either: 18 words and 16⅔ on average.
    metric = Nist(tokenize="none", lowercase=False)
    ours = metric.sentence_score(OBEYS, GUIDE).score
    expected = nist([OBEYS.split()], [[t.split() for t in GUIDE]], [t.split() for t in GUIDE], 5)
    assert ours == pytest.approx(expected)
    assert ours > 3.3709
    nist_score = pytest.importorskip("nltk.translate.nist_score")
    theirs = nist_score.sentence_nist([text.split() for text in GUIDE], OBEYS.split())
    assert theirs == pytest.approx(3.3709, abs=1e-4)


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
    cut = score(corpus.pieces(1), ["nist"], levels=["segment", "system"]).to_dict()
    assert cut == whole


def test_an_empty_hypothesis_scores_0() -> None:
    assert Nist().corpus_score([""], [["a b c"]]).score == 0.0


def explained(hypothesis: str, reference: str, *others: str) -> Explanation:
    """The explanation of a segment in a corpus that has other references, too."""
    corpus = Corpus({"a": [hypothesis, *others]}, [[reference, *others]])
    return Nist(tokenize="none", orders=2).explainer(corpus)("a", 0, 0)


def test_an_explanation_links_ngrams_with_what_they_tell() -> None:
    # By hand: of 4 words "a" is 2 and "b" 1, so they tell 1 and 2 bits; after "a" comes "b" once in 2.
    found = explained("a b x y", "a a b c")
    assert [(link.layer, link.hypothesis, link.reference, link.weight) for link in found.links] == [
        ("n1", (0,), (1,), 1.0),  # the second "a" of the reference, which "b" follows
        ("n1", (1,), (2,), 2.0),
        ("n2", (0, 1), (1, 2), 1.0),
    ]
    assert found.score == pytest.approx(3 / 4 + 1 / 3)
    assert found.summands == pytest.approx({"bits of 1-grams": 3 / 4, "bits of 2-grams": 1 / 3})
    missing = {(rest.layer, rest.words): rest.weight for rest in found.leftovers}
    assert missing["n1", (3,)] == 2.0  # c, one word in four
    assert missing["n1", (2,)] == 0.0  # x, of which no reference tells anything


def test_an_explanation_counts_in_the_whole_corpus() -> None:
    # "b" is 1 of 2 words by itself, and 1 of 8 with the other segment.
    (alone,) = (link for link in explained("b", "a b").links)
    (among,) = (link for link in explained("b", "a b", "c c c d d d").links)
    assert (alone.weight, among.weight) == (1.0, 3.0)


@settings(max_examples=60)
@given(rows=corpora, orders=st.integers(1, 5))
def test_an_explanation_adds_up_to_the_score(
    rows: list[tuple[list[str], list[list[str]]]], orders: int
) -> None:
    hypotheses = [" ".join(hypothesis) for hypothesis, _ in rows]
    references = [" ".join(own[0]) for _, own in rows]
    metric = Nist(orders=orders, tokenize="none")
    explain = metric.explainer(Corpus({"a": hypotheses}, [references]))
    for row, expected in enumerate(metric.segment_scores(hypotheses, [references])):
        found = explain("a", row, 0)
        assert found.score == expected
        assert sum(found.summands.values()) == pytest.approx(found.score)
        for feature in found.features[:-1]:
            bits = sum(link.weight for link in found.layer(feature.name))
            assert bits == pytest.approx(feature.details["bits"])
        for link in found.links:
            sides = zip(
                (found.hypothesis, found.reference), (link.hypothesis, link.reference), strict=True
            )
            own, other = ([side[place].form for place in places] for side, places in sides)
            assert own == other


def test_explained_words_are_where_they_are_in_the_text() -> None:
    text = "AT&amp;T &quot;s &QUOT <skipped>Dog"
    found = Nist().explain(text, "dog")
    assert [text[word.start : word.end] for word in found.hypothesis] == [
        *("AT", "&amp;", "T", "&quot;", "s", "&", "QUOT", "Dog")
    ]
    assert len(found.links) == 1


def test_a_segment_too_long_to_read_is_not_explained() -> None:
    with pytest.raises(InputError, match="MP510"):
        Nist().explain("a " * 1001, "a")
