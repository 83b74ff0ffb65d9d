"""What is made of texts is made once, whichever rows a comparison names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metaphrase
from metaphrase import analysis
from metaphrase.errors import InputError
from metaphrase.metrics.comparison import Comparison, RowTexts
from metaphrase.scoring import score

DISTINCT = ["one", "", "two", " \t"]


def rows(*numbers: int) -> RowTexts:
    return RowTexts(DISTINCT, np.array(numbers, dtype=np.int32))


@given(st.lists(st.integers(0, 3), max_size=9), st.slices(9))
def test_rows_of_texts_are_a_sequence_of_texts(numbers: list[int], part: slice) -> None:
    texts = [DISTINCT[number] for number in numbers]
    found = rows(*numbers)
    assert list(found) == texts
    assert len(found) == len(texts)
    assert [found[i] for i in range(-len(texts), len(texts))] == texts * 2
    assert list(found[part]) == texts[part]
    places = np.arange(len(texts), dtype=np.int32)[::-1]
    assert list(found.take(places)) == texts[::-1]


def test_rows_may_be_all_there_are() -> None:
    assert list(RowTexts.of(DISTINCT)) == DISTINCT
    with pytest.raises(IndexError):
        rows(0)[1]


def test_blank_segments_are_those_of_plain_texts() -> None:
    hypotheses, references = rows(0, 1, 3, 2), rows(1, 3, 3, 0)
    by_rows = Comparison(hypotheses=hypotheses, references=[references])
    plain = Comparison(hypotheses=list(hypotheses), references=[list(references)])
    assert by_rows.blank.tolist() == plain.blank.tolist() == [False, True, True, False]


class Made(list[str]):
    def take(self, rows: Sequence[int]) -> Made:
        return Made(self[row] for row in rows)


def test_each_distinct_text_is_made_once_for_both_sides() -> None:
    asked: list[list[str]] = []

    def make(texts: Sequence[str]) -> Made:
        asked.append(list(texts))
        return Made(text.upper() for text in texts)

    store: dict[str, object] = {}
    for numbers in ((0, 2), (2, 2)):
        comparison = Comparison(
            hypotheses=rows(*numbers), references=[rows(1, 0), rows(2, 1)], _made_of_all=store
        )
        hypotheses, references = comparison.sides(make)
        assert hypotheses == [DISTINCT[number].upper() for number in numbers]
        assert references == [["", "ONE"], ["TWO", ""]]
    assert asked == [DISTINCT]


def test_references_may_be_read_otherwise() -> None:
    for hypotheses, reference in ((rows(0, 2), rows(2, 0)), (["one", "two"], ["two", "one"])):
        comparison = Comparison(hypotheses=hypotheses, references=[reference])
        own, others = comparison.sides(
            lambda texts: Made(text.upper() for text in texts),
            lambda texts: Made(text[::-1] for text in texts),
        )
        assert (own, others) == (["ONE", "TWO"], [["owt", "eno"]])


def test_what_is_kept_of_references_is_not_what_is_kept_of_all() -> None:
    comparison = Comparison(hypotheses=["a"], references=[["b"]])
    assert comparison.kept("name", lambda: 1) == comparison.kept("name", lambda: 2) == 1
    assert comparison.kept_of_all("name", lambda: 3) == comparison.kept_of_all("name", list) == 3


#: More than the 16,383 words that can be aligned with as many (src/core/alignment/bind_alignment.cpp).
LONG = "word " * 16_400
SHORT = "A short one."


class TestTooManyWordsToAlign:
    def test_it_says_which_segment_of_which_system(self) -> None:
        corpus = metaphrase.Corpus(
            {"a": [SHORT, SHORT, SHORT], "b": [SHORT, SHORT, LONG]}, [[SHORT, LONG, LONG]]
        )
        named = r"MP430.*segment 3 of b \('word .*16,400 tokens and a reference 16,400"
        with pytest.raises(InputError, match=named):
            score(corpus, ["cobalt"])
        with pytest.raises(InputError, match=named):
            score(corpus.pieces(1), ["cobalt"])
        with pytest.raises(InputError, match=r"MP430.*the segment 'word"):
            metaphrase.Cobalt().explain(LONG, LONG)
        with pytest.raises(InputError, match=r"MP430.*the segment 'word"):
            metaphrase.pairwise("cobalt", [LONG], [LONG])

    def test_it_is_said_before_anything_is_parsed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[frozenset[str]] = []
        analyser = analysis.shared("builtin:en")
        analyse = analyser.analyse

        def noted(texts: Sequence[str], columns: Sequence[str], **options: int) -> analysis.Batch:
            asked.append(frozenset(columns))
            return analyse(texts, columns, **options)

        monkeypatch.setattr(analyser, "analyse", noted)
        for metrics in (["cobalt"], ["tesla-m", "cobalt"]):
            with pytest.raises(InputError, match="MP430"):
                score(metaphrase.Corpus({"a": [LONG]}, [[LONG]]), metrics)
        assert asked == [frozenset(), frozenset()]

    def test_long_texts_beside_short_ones_are_aligned(self) -> None:
        assert metaphrase.Cobalt().sentence_score(LONG[:40_000], [SHORT]).score < 0.1

    def test_it_may_be_left_out(self) -> None:
        corpus = metaphrase.Corpus({"a": [SHORT, LONG]}, [[SHORT, LONG]])
        with pytest.warns(UserWarning, match="MP430"):
            found = metaphrase.Cobalt().corpus_score(
                corpus.systems["a"], corpus.references, on_error="skip"
            )
        assert [(one.segment, one.code) for one in found.refusals] == [(1, "MP430")]
        assert found.score == metaphrase.Cobalt().corpus_score([SHORT], [[SHORT]]).score
