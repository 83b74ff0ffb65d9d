"""Why a candidate was chosen, as the terminal shows it."""

from __future__ import annotations

import pytest

import metaphrase
from metaphrase.report import support_view
from metaphrase.selection import Candidates, support
from report.screen import on_screen

TEXTS = ["the cat sat", "a cat sat", "the cat sits", "the cat sat"]


def view(sentence: Candidates, *metrics: str) -> str:
    selection = metaphrase.select(sentence, list(metrics) or "chrf")
    return on_screen(support_view(selection, support(selection), system="mine"))


def test_words_are_told_by_how_many_have_them() -> None:
    text = view(Candidates(texts=[*TEXTS, "dogs sat"], name="7"))
    assert "sentence 7   candidate 1 of 5, mine: chrf " in text
    for row in ("in half or more", "closest other samples", "the same text", "40 %"):
        assert row in text


def test_several_metrics_each_say_their_score() -> None:
    text = view(Candidates(texts=TEXTS), "chrf", "bleu")
    assert "chrf " in text.splitlines()[0]
    assert "bleu " in text.splitlines()[0]


def test_references_take_the_place_of_samples() -> None:
    text = view(Candidates(texts=TEXTS, references=["the cat has sat"], source="Katze"))
    assert "closest references" in text
    assert "in all references" in text
    assert "Katze" in text


@pytest.mark.parametrize("texts", [["alone"], [""], ["", "a"], ["same", "same"]])
def test_the_smallest_sentences_have_a_view(texts: list[str]) -> None:
    assert "chosen" in view(Candidates(texts=texts))


def test_equal_candidates_are_told() -> None:
    assert "equal: the first of them is taken" in view(Candidates(texts=["a", "b"]))
