"""Systems that are near copies, and the best single system beside the choice."""

from __future__ import annotations

import numpy as np
import pytest

import metaphrase
from metaphrase.errors import MetaphraseError
from metaphrase.selection import BestSystemCheck, Candidates, Chooser, near_copies

TEXTS = [
    ["the cat sat on a mat", "the cat sat on a mat .", "a dog barked at me"],
    ["it rained in May", "it rained in May", "May was rainy"],
] * 6
SENTENCES = [Candidates(texts=texts, name=str(i)) for i, texts in enumerate(TEXTS)]


def test_near_copies_have_one_vote_together() -> None:
    found = near_copies(SENTENCES)
    assert found.groups == ((0, 1), (2,))
    assert found.weights.tolist() == [0.5, 0.5, 1.0]
    assert found.sentences == 12
    assert [one.weights.tolist() for one in found.merged(SENTENCES)] == [[0.5, 0.5, 1.0]] * 12
    expected = np.mean([metaphrase.pairwise("chrf", texts) for texts in TEXTS], axis=0)
    assert found.similarity == pytest.approx((expected + expected.T) / 2)


def test_groups_are_connected() -> None:
    # a and b share 5 of 6 words, b and c another 5 of 6: a and c are in one group by b.
    sentence = Candidates(texts=["ab cd ef gh", "ab cd ef gx", "ab cd ex gx", "zz"])
    between = near_copies([sentence]).similarity
    limit = float(min(between[0, 1], between[1, 2]))
    assert between[0, 2] < limit
    assert near_copies([sentence], limit=limit).groups == ((0, 1, 2), (3,))


def test_what_cannot_be_merged_is_refused() -> None:
    for wrong in (0, -1, 101, float("nan")):
        with pytest.raises(MetaphraseError) as raised:
            near_copies(SENTENCES, limit=wrong)
        assert raised.value.code == "MP847"
    for sentences, code in (
        ([], "MP850"),
        ([SENTENCES[0], Candidates(texts=["a", "b"])], "MP854"),
    ):
        with pytest.raises(MetaphraseError) as raised:
            near_copies(sentences)
        assert raised.value.code == code
    weighed = Candidates(texts=["a", "b", "c"], weights=[1, 2, 3])
    with pytest.raises(MetaphraseError) as raised:
        list(near_copies(SENTENCES).merged([weighed]))
    assert raised.value.code == "MP849"


def checked(metric: str) -> BestSystemCheck:
    chooser = Chooser(metrics=[metaphrase.create(metric)])
    check = BestSystemCheck(chooser)
    assert len(list(check.watched(chooser.choose(SENTENCES)))) == len(SENTENCES)
    return check


def test_the_choice_is_measured_by_a_metric_that_did_not_choose() -> None:
    assert checked("ter").metric.name == "chrf"
    assert checked("chrf++").metric.name == "bleu"


def test_the_best_system_by_hand() -> None:
    best = checked("ter").result()
    assert best is not None
    utilities = []
    for texts in TEXTS:
        scores = metaphrase.pairwise("chrf", texts)
        utilities.append((scores.sum(axis=1) - 100) / 2)
    means = np.mean(utilities, axis=0)
    assert best.system == int(means.argmax())
    assert best.best == pytest.approx(means.max())
    assert best.sentences == 12
    assert best.difference.mean == pytest.approx(best.choice - best.best, abs=0.5)


def test_what_equals_the_best_system_does_not_beat_it() -> None:
    sentences = [Candidates(texts=["a b c d", "a b c x", "a y c d"])] * 12
    chooser = Chooser(metrics=[metaphrase.create("ter")])
    check = BestSystemCheck(chooser)
    list(check.watched(chooser.choose(sentences)))
    best = check.result()
    assert best is not None
    assert (best.system, best.same, best.is_beaten) == (0, 12, False)
    assert (best.difference.low, best.difference.high) == (0.0, 0.0)


def test_a_few_sentences_say_nothing() -> None:
    chooser = Chooser(metrics=[metaphrase.create("ter")])
    check = BestSystemCheck(chooser)
    list(check.watched(chooser.choose(SENTENCES[:9])))
    assert check.result() is None


def test_near_copies_say_nothing_about_each_other() -> None:
    votes = near_copies(SENTENCES).votes
    assert votes.tolist() == [[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.5, 0.5, 0.0]]


def test_a_system_of_concatenations_is_not_the_best() -> None:
    """By recall it would be: both others find themselves in it."""
    texts = ["a cat sat here", "the dog barked", "a cat sat here the dog barked"]
    chooser = Chooser(metrics=[metaphrase.create("ter")])
    check = BestSystemCheck(chooser)
    list(check.watched(chooser.choose([Candidates(texts=texts)] * 12)))
    best = check.result()
    assert best is not None
    assert best.system != 2
    assert metaphrase.pairwise("chrf", texts).sum(axis=1).argmax() == 2
