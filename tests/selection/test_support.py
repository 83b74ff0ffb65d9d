"""Why a candidate was chosen: who supports it, what it shares, and what the runner-up has."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase import select
from metaphrase.errors import OptionError
from metaphrase.metrics import create
from metaphrase.selection import Candidates, support
from oracle import selection as oracle

TEXTS = ["The cat sat.", "A cat sat.", "The cat sits.", "A cat sat.", "Dogs bark!", ""]
line = st.lists(st.sampled_from("the The a cat dog sat .".split()), max_size=5).map(" ".join)


def test_supporters_are_the_closest_samples_other_than_itself() -> None:
    selection = select(TEXTS, "chrf")
    why = support(selection)
    others = [text for text in dict.fromkeys(TEXTS) if text != selection.text]
    scores = {text: oracle.score(create("chrf"), selection.text, text) for text in others}
    assert [one.text for one in why.supporters] == sorted(others, key=lambda text: -scores[text])
    assert [one.score for one in why.supporters] == sorted(scores.values(), reverse=True)
    assert why.text == selection.text
    assert why.metric == "chrf"
    assert why.utility == selection.utilities[selection.index]
    assert [one.text for one in support(selection, most=2).supporters] == [
        one.text for one in why.supporters[:2]
    ]
    assert support(selection, most=0).supporters == []


@settings(max_examples=40)
@given(data=st.data(), lines=st.lists(line, min_size=1, max_size=6))
def test_shares_are_those_of_the_weight(data: st.DataObject, lines: list[str]) -> None:
    weights = [data.draw(st.sampled_from([1.0, 2.0, 0.5])) for _ in lines]
    why = support(select(lines, "chrf", weights=weights), most=10)
    total = sum(weights)

    def share(has: list[bool]) -> float:
        return math.fsum(w for w, one in zip(weights, has, strict=True) if one) / total

    assert why.copies == pytest.approx(share([text == why.text for text in lines]))
    assert why.copies + sum(one.share for one in why.supporters) == pytest.approx(1.0)
    for one in why.supporters:
        assert one.share == pytest.approx(share([text == one.text for text in lines]))

    def having(word: str) -> float:
        return share([word.lower() in text.lower().split() for text in lines])

    assert [one.word for one in why.words] == why.text.split()
    for one in [*why.words, *why.lacking, *why.second_words]:
        assert one.share == pytest.approx(having(one.word))  # type: ignore[attr-defined]
    own = why.text.lower().split()
    wanted = {word for text in lines for word in text.lower().split() if word not in own}
    assert {one.word.lower() for one in why.lacking} == {
        word for word in wanted if having(word) > 0.5 - 1e-6
    }
    assert [one.share for one in why.lacking] == sorted(
        (one.share for one in why.lacking), reverse=True
    )


@pytest.mark.parametrize("count", range(2, 60, 2))
def test_half_of_the_samples_are_half(count: int) -> None:
    """However the shares of so many samples are rounded."""
    half = count // 2
    texts = [f"cat {'x' * i}" for i in range(half)] + [f"dog {'y' * i}" for i in range(half)]
    why = support(select(texts, "chrf"))
    (chosen,) = [word.word for word in why.words][:1]
    assert {"cat": "dog", "dog": "cat"}[chosen] in [one.word for one in why.lacking]


def test_the_runner_up_is_another_text() -> None:
    selection = select(["a cat", "a cat", "the cat", "a dog"], "chrf")
    why = support(selection)
    assert selection.text == "a cat"
    assert why.second == selection.candidates.texts[selection.n_best(2)[1]]
    second = selection.utilities[selection.n_best(2)[1]]
    assert why.lead == selection.utilities[0] - second
    own = {one.word for one in why.words}
    assert not own & {one.word for one in why.second_words}


def test_the_lead_is_positive_where_lower_is_better() -> None:
    why = support(select(TEXTS, "ter"))
    assert why.lead is not None
    assert why.lead >= 0
    scores = [one.score for one in why.supporters]
    assert scores == sorted(scores)


@pytest.mark.parametrize("texts", [["a cat"], ["a cat"] * 3, [""], ["", ""]])
def test_there_may_be_nobody_else(texts: list[str]) -> None:
    why = support(select(texts, "chrf"))
    assert (why.second, why.lead, list(why.second_words)) == (None, None, [])
    assert why.copies == 1.0
    assert list(why.supporters) == []
    assert list(why.lacking) == []
    assert all(one.share == 1.0 for one in why.words)


def test_references_take_the_place_of_samples() -> None:
    selection = select(TEXTS, "chrf", references=["The cats sat.", "A cat."])
    why = support(selection)
    assert {one.text for one in why.supporters} == {"The cats sat.", "A cat."}
    assert [one.share for one in why.supporters] == [0.5, 0.5]
    assert why.copies == 0.0
    itself = support(select(TEXTS, "chrf", references=["A cat sat."]))
    assert itself.copies == 1.0


def test_samples_that_are_no_candidates_support_too() -> None:
    why = support(select(["a cat", "a dog"], "chrf", samples=["the cat", "cats"], weights=[3, 1]))
    assert {one.text: one.share for one in why.supporters} == {"the cat": 0.75, "cats": 0.25}
    assert why.copies == 0.0


@pytest.mark.parametrize(
    "options",
    [{"confidence": 0.5}, {"shortlist": 1}, {"leave_self_out": True}, {"aggregate": True}],
)
def test_it_explains_whatever_was_chosen(options: dict[str, object]) -> None:
    texts = [f"{text} {i}" for i in range(8) for text in TEXTS]
    why = support(select(texts, "chrf", **options))
    assert np.isfinite(why.utility)
    assert why.lead is None or np.isfinite(why.lead)
    if options == {"shortlist": 1}:
        assert why.second is None


def test_the_first_of_several_metrics_gives_the_scores() -> None:
    selection = select(TEXTS, ["accord", "chrf"])
    why = support(selection)
    assert why.metric == "accord"
    best = why.supporters[0]
    assert best.score == oracle.score(create("accord"), why.text, best.text)
    nist = support(select(TEXTS, "nist"))
    assert np.isfinite([one.score for one in nist.supporters]).all()


def test_languages_without_spaces_are_read_by_character() -> None:
    sentence = Candidates(texts=["国境なき", "国境 ない"])
    why = support(select(sentence, "chrf", lang="ja"))
    assert [one.word for one in why.words] == list("国境なき")
    assert [one.word for one in why.second_words] == ["い"]


def test_it_can_be_written_as_json() -> None:
    found = json.loads(json.dumps(support(select(TEXTS, "chrf")).as_dict(), allow_nan=False))
    assert found["text"] == support(select(TEXTS, "chrf")).text
    assert found["supporters"][0].keys() == {"text", "share", "score"}


@pytest.mark.parametrize("most", [-1, True, 1.5, "5", None])
def test_most_is_a_number(most: object) -> None:
    with pytest.raises(OptionError, match="MP847"):
        support(select(["a"], "chrf"), most=most)
