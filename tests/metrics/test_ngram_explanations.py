"""BLEU and chrF say which n-grams match: as many as they count, and the score is the segment's."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase import Bleu, Chrf, ChrfPlusPlus
from metaphrase.analysis.metric_text.sacrebleu_tokens import TOKENISERS
from metaphrase.errors import InputError
from metaphrase.metrics import Explanation

HYPOTHESIS = "On Tuesday the government announced a plan."
REFERENCE = "The governments announced a new plan on Tuesday."

texts = st.text(st.sampled_from("aabAB1.,-&;!'€  \t\n\u2003雨伞。🙂ßİ"), max_size=30)
bleus = st.builds(
    Bleu,
    tokenize=st.sampled_from(TOKENISERS),
    lowercase=st.booleans(),
    smooth_method=st.sampled_from(["exp", "floor", "add-k", "none"]),
    max_ngram_order=st.integers(1, 12),
    effective_order=st.booleans(),
)
chrfs = st.builds(
    Chrf,
    lang=st.sampled_from(["en", "zh"]),
    char_order=st.integers(1, 6),
    word_order=st.integers(0, 2),
    beta=st.integers(1, 3),
    lowercase=st.booleans(),
    whitespace=st.booleans(),
    eps_smoothing=st.booleans(),
)


def linked(explanation: Explanation, layer: str) -> list[tuple[str, str, str]]:
    """The words of each link of a layer, and why they are linked."""
    return [
        (
            " ".join(explanation.hypothesis[i].form for i in link.hypothesis),
            " ".join(explanation.reference[j].form for j in link.reference),
            link.kind,
        )
        for link in explanation.layer(layer)
    ]


def left(explanation: Explanation, layer: str, side: str) -> list[str]:
    words = getattr(explanation, side)
    return [
        " ".join(words[i].form for i in rest.words)
        for rest in explanation.leftovers
        if (rest.layer, rest.side) == (layer, side)
    ]


def check_places(explanation: Explanation) -> None:
    """Words stand in the text, one after the other."""
    for side in ("hypothesis", "reference"):
        words, text = getattr(explanation, side), getattr(explanation, f"{side}_text")
        assert all(0 <= word.start < word.end <= len(text) for word in words)
        assert all(one.start <= other.start for one, other in pairwise(words))


class TestBleu:
    @settings(max_examples=250)
    @given(metric=bleus, hypothesis=texts, reference=texts)
    def test_links_are_the_matches_that_it_counts(
        self, metric: Bleu, hypothesis: str, reference: str
    ) -> None:
        found = metric.explain(hypothesis, reference)
        # Against no reference word at all, as a corpus may have it only if it is told to keep it.
        if reference.strip():
            assert found.score == metric.sentence_score(hypothesis, [reference]).score
        *orders, brevity = found.features
        assert [feature.name for feature in orders] == [
            f"n{n}" for n in range(1, metric.max_ngram_order + 1)
        ]
        for n, feature in enumerate(orders[:10], 1):
            matched = linked(found, feature.name)
            assert all(own == other for own, other, _ in matched)
            assert len(matched) == feature.details["matched"]
            for side in ("hypothesis", "reference"):
                missed = left(found, feature.name, side)
                assert len(matched) + len(missed) == feature.details[side]
                assert feature.details[side] == max(len(getattr(found, side)) - n + 1, 0)
        assert brevity.details["hypothesis"] == len(found.hypothesis)
        check_places(found)

    @given(metric=bleus, hypothesis=texts, reference=texts)
    def test_features_make_the_score(self, metric: Bleu, hypothesis: str, reference: str) -> None:
        metric = replace(metric, effective_order=True)
        found = metric.explain(hypothesis, reference)
        *orders, brevity = found.features
        precisions = [feature.value for feature in orders if feature.value is not None]
        expected = 0.0
        if any(feature.details["matched"] for feature in orders) and 0.0 not in precisions:
            mean = sum(map(math.log, precisions)) / len(precisions)
            expected = 100 * (brevity.value or 0.0) * math.exp(mean)
        assert found.score == pytest.approx(expected)

    def test_what_it_says(self) -> None:
        found = Bleu().explain(HYPOTHESIS, REFERENCE)
        assert linked(found, "n2") == [("announced a", "announced a", "equal")]
        assert left(found, "n1", "reference") == ["The", "governments", "new", "on"]
        assert left(found, "n1", "hypothesis") == ["On", "the", "government"]
        # By hand: 5 of 8 words, 1 of 7 pairs, then half a match of 6 and a quarter of one of 5;
        # the brevity penalty of 8 words for 9 is e^(1 - 9/8).
        values = [feature.value for feature in found.features]
        assert values == pytest.approx([5 / 8, 1 / 7, 1 / 12, 1 / 20, math.exp(-1 / 8)])
        assert found.notes == ("No match, so the precision is smoothed (exp): 3-grams, 4-grams.",)

    def test_of_equal_words_those_in_the_longest_run_are_linked(self) -> None:
        found = Bleu().explain("a b c", "a x a b c")
        assert [link.reference for link in found.layer("n1")] == [(2,), (3,), (4,)]

    def test_a_loop_is_linked_as_often_as_it_matches(self) -> None:
        found = Bleu().explain("so " * 900, "so " * 300 + "on")
        matched = [feature.details["matched"] for feature in found.features[:-1]]
        assert matched == [300, 299, 298, 297]
        assert [len(found.layer(f"n{n}")) for n in range(1, 5)] == matched

    def test_nothing_matches(self) -> None:
        found = Bleu().explain("a b", "c d")
        assert (found.score, found.links) == (0.0, ())
        assert found.notes == ("No n-gram matches, and so the score is 0.",)

    def test_words_are_where_they_are_in_the_text(self) -> None:
        text = "AT&amp;T &quot;s <skipped>Dog"
        words = Bleu(lowercase=True).explain(text, "dog").hypothesis
        assert [text[word.start : word.end] for word in words] == [
            *("AT", "&amp;", "T", "&quot;", "s", "Dog")
        ]


class TestChrf:
    @settings(max_examples=250)
    @given(metric=chrfs, hypothesis=texts, reference=texts)
    def test_counts_make_the_score(self, metric: Chrf, hypothesis: str, reference: str) -> None:
        found = metric.explain(hypothesis, reference)
        if reference.strip():
            assert found.score == metric.sentence_score(hypothesis, [reference]).score
        *orders, mean = found.features
        assert len(orders) == metric.char_order + metric.word_order
        assert mean.value == pytest.approx(found.score / 100)
        if metric.eps_smoothing:
            expected = sum(feature.value or 0.0 for feature in orders) / len(orders)
        else:
            precision, recall = mean.details["precision"], mean.details["recall"]
            weighed = metric.beta**2 * precision + recall
            expected = (1 + metric.beta**2) * precision * recall / weighed if weighed else 0.0
        assert mean.value == pytest.approx(expected)
        check_places(found)

    @given(metric=chrfs, hypothesis=texts, reference=texts)
    def test_every_word_is_linked_or_left_once(
        self, metric: Chrf, hypothesis: str, reference: str
    ) -> None:
        found = metric.explain(hypothesis, reference)
        for side in ("hypothesis", "reference"):
            places = [i for link in found.links for i in getattr(link, side)]
            places += [i for rest in found.leftovers if rest.side == side for i in rest.words]
            assert sorted(places) == list(range(len(getattr(found, side))))
        for own, other, kind in linked(found, "words"):
            assert (own == other) == (kind == "equal")
        if metric.word_order and metric.lang == "en" and reference.strip():
            words = found.features[metric.char_order]
            equal = sum(link.kind == "equal" for link in found.links)
            assert (words.name, words.details["common"]) == ("w1", equal)

    @pytest.mark.parametrize("metric", [Chrf(), ChrfPlusPlus()])
    def test_similar_words_are_linked_after_equal_ones(self, metric: Chrf) -> None:
        found = metric.explain(HYPOTHESIS, REFERENCE)
        assert ("government", "governments", "spelling") in linked(found, "words")
        assert left(found, "words", "reference") == ["The", "new", "on"]
        (link,) = (link for link in found.links if link.kind == "spelling")
        assert link.similarity == pytest.approx(
            Chrf().sentence_score("government", ["governments"]).score / 100
        )

    def test_chinese_is_shown_by_characters(self) -> None:
        found = Chrf(lang="zh").explain("我有个闺女。", "我有一个女儿。")
        assert [own for own, _, _ in linked(found, "words")] == list("我有个女。")
        assert left(found, "words", "reference") == ["一", "儿"]


@pytest.mark.parametrize("metric", [Bleu(), Chrf()])
def test_a_segment_too_long_to_read_is_not_explained(metric: Any) -> None:
    with pytest.raises(InputError, match="MP510"):
        metric.explain("a " * 1001, "a")
