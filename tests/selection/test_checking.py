"""What a short cut costs is measured on the very sentences."""

from __future__ import annotations

import pytest

import metaphrase
from metaphrase.errors import OptionError
from metaphrase.metrics import create
from metaphrase.selection import Candidates, Chooser, ShortCutCheck

SENTENCES = [
    Candidates(texts=["a cat sat", "the cat sat", "the dog sat on it", "the cat slept"]),
    Candidates(texts=["he ran", "he runs", "they were running", "he ran fast"]),
    Candidates(texts=["only one"]),
]


def checked(chooser: Chooser, most: int) -> ShortCutCheck:
    check = ShortCutCheck(chooser, most=most)
    assert len(list(check.watched(chooser.choose(SENTENCES)))) == len(SENTENCES)
    return check


def test_a_shortlist_of_all_costs_nothing() -> None:
    check = checked(Chooser(metrics=[create("bleu")], shortlist=10), most=10)
    assert (check.same, check.sentences, check.loss) == (3, 3, 0.0)


def test_no_more_sentences_are_checked_than_asked_for() -> None:
    assert checked(Chooser(metrics=[create("chrf")], aggregate=True), most=2).sentences == 2


def test_the_loss_is_that_of_all_pairs() -> None:
    chooser = Chooser(metrics=[create("chrf")], shortlist=1, shortlist_by=create("nist"))
    check, lost, same = checked(chooser, most=10), [], 0
    for sentence, chosen in zip(SENTENCES, chooser.choose(SENTENCES), strict=True):
        whole = metaphrase.select(sentence, "chrf")
        same += whole.text == chosen.text
        lost.append(whole.utilities[whole.index] - whole.utilities[chosen.index])
    assert check.same == same
    assert check.lost == pytest.approx(sum(lost), abs=0)


def test_without_a_short_cut_there_is_nothing_to_check() -> None:
    with pytest.raises(OptionError, match="MP839"):
        ShortCutCheck(Chooser(metrics=[create("chrf")]), most=1)
