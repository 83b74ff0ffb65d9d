"""Candidates that are others put together are not chosen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import metaphrase
from metaphrase.selection import Candidates, Chooser
from metaphrase.selection.concatenations import concatenations

ONE, OTHER = "The cat sat on the mat.", "A cat was sitting on the mat."


@pytest.mark.parametrize("metric", ["accord", "chrf", "bleu", "ter", "tesla-m", "cobalt"])
@pytest.mark.parametrize("both", [f"{ONE} {OTHER}", f"{OTHER} {ONE}", f"{ONE[:-1]}, a{OTHER[1:]}"])
def test_no_metric_chooses_them(metric: str, both: str) -> None:
    for texts in ([ONE, OTHER, both], [both, ONE, OTHER, both]):
        found = metaphrase.select(texts, metric)
        assert found.text != both
        assert found.concatenated == {i for i, text in enumerate(texts) if text == both}
        assert both not in [texts[index] for index in found.n_best(4)]


@pytest.mark.parametrize(
    "options",
    [{"aggregate": True}, {"confidence": 0.99}, {"shortlist": 1}, {"leave_self_out": True}],
)
def test_no_short_cut_does(options: dict[str, object]) -> None:
    texts = [f"{ONE} {OTHER}", ONE, OTHER]
    found = metaphrase.select(texts, "chrf", **options)
    assert found.index != 0
    assert found.concatenated == {0}


def test_they_vote_as_before() -> None:
    """Only the choice is another one: the other candidates have the utilities that they had."""
    texts = [ONE, OTHER, f"{ONE} {OTHER}"]
    matrix = metaphrase.pairwise("chrf", texts)
    found = metaphrase.select(texts, "chrf")
    assert found.utilities[:2] == pytest.approx(matrix[:2].mean(axis=1))


def test_a_reference_may_be_one() -> None:
    both = f"{ONE} {OTHER}"
    found = metaphrase.select([ONE, OTHER, both], "chrf", references=[both])
    assert (found.text, found.concatenated) == (both, frozenset())


def test_what_is_put_together() -> None:
    assert concatenations(["a b", "c", "a b c", "c, A b", "a b c d", "c c", ""], "en") == {2, 3, 5}
    assert concatenations(["我们去。", "他来。", "我们去他来"], "zh") == {2}
    assert concatenations(["no", "where", "nowhere"], "en") == set()
    assert concatenations(["", "...", " "], "en") == set()


words = st.lists(st.sampled_from("abc"), max_size=6).map(" ".join)


@given(st.lists(words, min_size=1, max_size=6))
def test_every_way_to_put_words_together_is_found(texts: list[str]) -> None:
    parts = {text for text in texts if text}

    def makes(rest: str, whole: str) -> bool:
        return any(
            part != whole
            and (
                rest == part
                or (rest.startswith(f"{part} ") and makes(rest[len(part) + 1 :], whole))
            )
            for part in parts
        )

    expected = {number for number, text in enumerate(texts) if text and makes(text, text)}
    assert concatenations(texts, "en") == expected


def test_one_is_left_among_what_metrics_do_not_refuse() -> None:
    chooser = Chooser(metrics=[metaphrase.Ter(longest=7)], on_error="skip")
    texts = [f"{ONE} {ONE}", ONE, "The cat sat."]
    (found,) = chooser.choose([Candidates(texts=texts)])
    assert found.index in (1, 2)
