"""Which segments are taken: budgets, documents, systems."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metaphrase
from metaphrase.corpus import Corpus
from metaphrase.errors import OptionError
from metaphrase.sampling import WAYS, Budget, sample
from metaphrase.sampling.choosing import choose, share_out

USEFUL = np.array([0.1, 0.9, 0.5, 0.7, 0.3, 0.2])
WORDS = np.array([5, 20, 10, 30, 5, 5])
DOCUMENTS = ["a", "a", "b", "b", "b", "b"]


def test_the_most_useful_come_first() -> None:
    assert choose(USEFUL, WORDS, Budget(segments=3)) == [1, 3, 2]


def test_words_are_not_exceeded_and_what_still_fits_is_taken() -> None:
    # 20, then 30 no longer fits, then 10 and 5.
    assert choose(USEFUL, WORDS, Budget(words=35)) == [1, 2, 4]


def test_documents_are_taken_from_in_proportion() -> None:
    chosen = choose(USEFUL, WORDS, Budget(segments=3), documents=DOCUMENTS, by_document=True)
    assert [DOCUMENTS[one] for one in chosen] == ["a", "b", "b"]
    assert chosen == [1, 3, 2]


def test_whole_documents_are_taken_by_their_mean_in_the_order_of_the_text() -> None:
    # a: .5; b: .425
    chosen = choose(USEFUL, WORDS, Budget(segments=2), documents=DOCUMENTS, whole_documents=True)
    assert chosen == [0, 1]
    everything = choose(
        USEFUL, WORDS, Budget(segments=6), documents=DOCUMENTS, whole_documents=True
    )
    assert everything == [0, 1, 2, 3, 4, 5]


def test_a_document_that_does_not_fit_is_passed_over() -> None:
    chosen = choose(
        -USEFUL,
        WORDS,
        Budget(segments=3),
        documents=["b", "b", "b", "b", "a", "a"],
        whole_documents=True,
    )
    assert chosen == [4, 5]


def test_nothing_fits() -> None:
    with pytest.raises(OptionError, match="MP788"):
        choose(USEFUL, WORDS, Budget(words=3))


def test_documents_that_are_not_there() -> None:
    with pytest.raises(OptionError, match="MP787"):
        choose(USEFUL, WORDS, Budget(segments=1), whole_documents=True)


def test_a_budget_is_one_thing() -> None:
    for options in ({}, {"segments": 1, "words": 1}):
        with pytest.raises(OptionError, match="MP786"):
            Budget(**options)


@given(st.integers(1, 40), st.integers(1, 6), st.integers(0, 9))
def test_all_systems_are_judged_alike(segments: int, systems: int, seed: int) -> None:
    for each in range(1, systems + 1):
        cells = share_out(range(segments), systems, per_segment=each, seed=seed)
        counts = np.bincount([system for _, system in cells], minlength=systems)
        assert counts.max() - counts.min() <= 1
        assert len(set(cells)) == len(cells) == segments * each


def test_more_systems_than_there_are() -> None:
    with pytest.raises(OptionError, match="MP788"):
        share_out([0], 2, per_segment=3, seed=1)


CORPUS = Corpus(
    {
        "good": ["the cat sat", "prices rose again", "no", "he left early"],
        "bad": ["the cat sat", "prize rise gain", "no", "early he left"],
    },
    [["the cat sat", "prices rose again", "no", "he left early"]],
)
METRICS = [metaphrase.Chrf(), metaphrase.Ter()]


@pytest.mark.parametrize("way", WAYS)
def test_every_way_says_why_and_the_seed_decides(way: str) -> None:
    metrics = [] if way in ("diversity", "coverage", "random") else METRICS
    once, again = (sample(CORPUS, metrics, Budget(segments=2), way=way, seed=3) for _ in range(2))
    assert once == again
    assert len(once.chosen) == 2
    assert all(one.why for one in once.chosen)


def test_what_all_systems_translate_alike_comes_last() -> None:
    for way in ("variance", "diversity"):
        metrics = METRICS if way == "variance" else []
        chosen = sample(CORPUS, metrics, Budget(segments=2), way=way).chosen
        assert [one.name for one in chosen] == ["2", "4"]


def test_scores_of_metrics_whose_lowest_is_best_are_shown_as_they_are() -> None:
    found = sample(CORPUS, [metaphrase.Ter()], Budget(segments=1))
    assert found.chosen[0].why == "ter good 0.00, bad 100.00"


def test_one_system_has_no_variance_and_one_metric_no_disagreement() -> None:
    alone = Corpus({"a": ["x"]}, [["x"]])
    with pytest.raises(OptionError, match="MP787"):
        sample(alone, METRICS, Budget(segments=1))
    with pytest.raises(OptionError, match="MP787"):
        sample(CORPUS, METRICS[:1], Budget(segments=1), way="disagreement")
    with pytest.raises(OptionError, match="MP786"):
        sample(CORPUS, METRICS, Budget(segments=1), way="luck")
