"""Metrics beside as many references as each segment has; BLEU, chrF and TER are judged by sacreBLEU."""

from __future__ import annotations

from itertools import zip_longest

import numpy as np
import pytest
import sacrebleu.metrics
from hypothesis import given, settings
from hypothesis import strategies as st

import metaphrase
from metaphrase.corpus import Corpus
from metaphrase.errors import InputError
from metaphrase.metrics import Metric, create
from metaphrase.metrics.comparison import compare
from oracle.nist import nist
from small_metrics import NAMES, small

HYPOTHESES = ["The cat sat on the mat.", "A dog barks", "hello there", "It rains in May again."]
SEGMENTS = [
    ["A cat sat on the mat.", "The cat was on a mat."],
    ["The dog barked."],
    ["hello", "hi there, you", "Hello there!"],
    ["Once more it rains in May."],
]
CORPUS = Corpus({"A": HYPOTHESES, "B": HYPOTHESES[::-1]}, segment_references=SEGMENTS)

TEXTS = st.text(st.sampled_from("abAB1.,-&' \t雨伞é"), max_size=18)
ROWS = st.lists(
    st.tuples(TEXTS, st.lists(TEXTS.filter(str.strip), min_size=1, max_size=3)),
    min_size=1,
    max_size=5,
)
THEIRS = {
    "bleu": (sacrebleu.metrics.BLEU(), sacrebleu.metrics.BLEU(effective_order=True)),
    "chrf": (sacrebleu.metrics.CHRF(),) * 2,
    "chrf++": (sacrebleu.metrics.CHRF(word_order=2),) * 2,
    "ter": (sacrebleu.metrics.TER(),) * 2,
}


@pytest.mark.parametrize("name", THEIRS)
@settings(max_examples=150)
@given(rows=ROWS)
def test_scores_are_sacrebleus_to_the_last_bit(
    name: str, rows: list[tuple[str, list[str]]]
) -> None:
    ours, (whole, single) = create(name), THEIRS[name]
    hypotheses = [text for text, _ in rows]
    segments = [own for _, own in rows]
    columns = list(zip_longest(*segments))
    score = ours.corpus_score(hypotheses, segment_references=segments)
    # The mean length of three references is no double, so that TER's sums differ: ours are exact.
    error = 1e-14 if name == "ter" else 0.0
    assert score.score == pytest.approx(whole.corpus_score(hypotheses, columns).score, rel=error)
    items = dict(score.signature.items)
    assert f"nrefs:{items['nrefs']}" == str(whole.get_signature()).split("|")[0]
    expected = [single.sentence_score(text, own).score for text, own in rows]
    assert ours.segment_scores(hypotheses, columns).tolist() == expected


@pytest.mark.parametrize("name", THEIRS)
def test_so_are_the_counts_that_intervals_are_made_of(name: str) -> None:
    ours, (theirs, _) = create(name), THEIRS[name]
    (comparison,) = compare(Corpus({"A": HYPOTHESES}, CORPUS.references), ours)
    columns = list(zip_longest(*SEGMENTS))
    counts = theirs._extract_corpus_statistics(HYPOTHESES, columns)
    assert ours.statistics(comparison).tolist() == np.array(counts).tolist()


@pytest.mark.parametrize("name", NAMES)
def test_a_segment_scores_what_it_scores_among_its_like(name: str) -> None:
    metric = small(name)
    if metric.needs_whole_corpus:
        pytest.skip("a segment has no score of its own")
    found = metric.segment_scores(HYPOTHESES, segment_references=SEGMENTS)
    for text, own, score in zip(HYPOTHESES, SEGMENTS, found.tolist(), strict=True):
        assert score == metric.sentence_score(text, own).score


@pytest.mark.parametrize("name", NAMES)
def test_the_mean_or_best_is_that_of_the_references_there_are(name: str) -> None:
    metric = small(name)
    if metric.needs_whole_corpus or metric.combines_references == "joint":
        pytest.skip("references are looked at together")
    if metric.name == "ter":
        pytest.skip("TER takes the mean of the lengths of references")
    choose = {"best": max if metric.higher_is_better else min, "mean": np.mean}
    found = metric.segment_scores(HYPOTHESES, segment_references=SEGMENTS)
    for text, own, score in zip(HYPOTHESES, SEGMENTS, found.tolist(), strict=True):
        alone = [metric.sentence_score(text, [one]).score for one in own]
        assert score == pytest.approx(choose[metric.combines_references](alone), abs=1e-12)


words = st.lists(st.sampled_from("abc"), min_size=1, max_size=5)


@settings(max_examples=60)
@given(
    rows=st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3)), min_size=1, max_size=4)
)
def test_nist_counts_in_all_references_that_there_are(
    rows: list[tuple[list[str], list[list[str]]]],
) -> None:
    hypotheses = [" ".join(text) for text, _ in rows]
    segments = [[" ".join(one) for one in own] for _, own in rows]
    expected = nist(
        [text for text, _ in rows],
        [own for _, own in rows],
        [one for _, own in rows for one in own],
        3,
    )
    found = metaphrase.Nist(orders=3).corpus_score(hypotheses, segment_references=segments)
    assert found.score == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("metric", [metaphrase.Nist(), create("pbe:tfidf")])
def test_what_is_counted_piece_by_piece_is_what_is_counted_at_once(metric: Metric) -> None:
    from metaphrase.metrics.corpus_counts import CorpusCounts
    from metaphrase.metrics.ragged_references import gathered

    corpus = Corpus(dict(CORPUS.systems), CORPUS.references, documents=[f"d{i}" for i in range(4)])
    pieces = list(corpus.pieces(2))
    totals = CorpusCounts.joined(
        [gathered(metric, list(compare(piece, metric))) for piece in pieces]
    ).totals()
    for number, system in enumerate(corpus.systems):
        whole = metric.statistics(list(compare(corpus, metric))[number])
        parts = [
            metric.statistics(list(compare(piece, metric, of_corpus=totals))[number])
            for piece in pieces
        ]
        assert np.concatenate(parts).tolist() == whole.tolist(), system


def test_a_metric_that_sees_whole_columns_refuses_gaps() -> None:
    pytest.importorskip("tomotopy")
    metric = create("pbe:tfidf+topic")
    corpus = Corpus({"A": HYPOTHESES}, CORPUS.references, documents=list("aabb"))
    with pytest.raises(InputError) as raised:
        metaphrase.score(corpus, [metric])
    assert raised.value.code == "MP119"
    assert "segment 1 of A" in str(raised.value)
    assert "has 2 of 3" in str(raised.value)


@pytest.mark.parametrize("name", ["ter", "nist", "pbe"])
def test_explanations_are_of_references_that_there_are(name: str) -> None:
    metric = create(name)
    explain = metric.explainer(CORPUS)
    for row, own in enumerate(SEGMENTS):
        for number, text in enumerate(own):
            assert explain("A", row, number).reference_text == text
    with pytest.raises(metaphrase.MetaphraseError) as raised:
        explain("A", 1, 1)
    assert raised.value.code == "MP108"


def test_a_refused_segment_has_its_own_number() -> None:
    """Parts of a ragged corpus have other rows than the whole."""
    metric = metaphrase.Ter(longest=4)
    with pytest.raises(InputError) as raised:
        metaphrase.score(CORPUS[1:], [metric])
    assert (raised.value.segment, raised.value.system) == (2, "A")
    with pytest.warns(UserWarning, match="2 of 4 segments refused"):
        scores = metaphrase.score(CORPUS, [metric], levels=["segment"], on_error="skip")
    refused = {(one.segment, one.system) for one in scores.refusals}
    assert refused == {(0, None), (3, None)}


def test_the_engine_counts_references_over_all_pieces() -> None:
    pieces = [
        Corpus({"A": [text]}, segment_references=[own])
        for text, own in zip(HYPOTHESES, SEGMENTS, strict=True)
    ]
    scores = metaphrase.score(pieces, ["bleu", "nist"])
    whole = metaphrase.score(
        Corpus({"A": HYPOTHESES}, segment_references=SEGMENTS), ["bleu", "nist"]
    )
    assert scores.systems[0].system == whole.systems[0].system
    assert scores.references == whole.references == 3
    for one in (scores, whole):
        assert [str(info.signature).split("|")[1] for info in one.metrics] == ["nrefs:var"] * 2


def test_a_reference_that_no_segment_has_is_told() -> None:
    corpus = Corpus({"A": ["x"]}, [["y"], [None], ["z"], [""]])
    with pytest.warns(UserWarning, match="references 2, 4: no segment has such a reference"):
        scores = metaphrase.score(corpus, ["chrf"])
    assert "|nrefs:2|" in scores.metrics[0].signature
