"""Texts that are broken, whatever their words, and words that do not follow each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.analysis import Batch, shared
from metaphrase.matching.symbol_rows import SymbolRows
from metaphrase.metrics.accord.fluency import (
    FLUENCY,
    FLUENCY_MODELS,
    TAG_MARK,
    FluentWords,
    fluency_penalties,
    load_fluency,
)
from metaphrase.metrics.accord.form import FORM, form_penalties
from metaphrase.trained.language_model import LanguageModel
from oracle import accord_form as oracle

words = st.lists(st.sampled_from("a b c d e f g h".split()), max_size=12)
REFERENCE = (
    "the committee has not yet decided whether the bridge will be repaired this year .".split()
)


def form(pairs: list[tuple[list[str], list[str]]], lost: float = 0.0) -> list[dict[str, float]]:
    numbers: dict[str, int] = {}
    sides = [SymbolRows.of_words([pair[side] for pair in pairs], numbers) for side in (0, 1)]
    share = np.full(len(pairs), lost)
    table = form_penalties(*sides, share, share)
    return [dict(zip(FORM, row, strict=True)) for row in table.tolist()]


@given(st.lists(st.tuples(words, words), min_size=1, max_size=4))
def test_they_are_those_of_the_oracle(pairs: list[tuple[list[str], list[str]]]) -> None:
    for found, (hypothesis, reference) in zip(form(pairs), pairs, strict=True):
        assert found["repeated"] == pytest.approx(oracle.repeated(hypothesis, reference))
        assert found["stutter"] == pytest.approx(oracle.stutter(hypothesis, reference))
        assert found["scrambled"] == pytest.approx(oracle.scrambled(hypothesis, reference))
        cut, overlong = oracle.lengths(hypothesis, reference)
        assert found["cut"] == pytest.approx(cut)
        assert found["overlong"] == pytest.approx(overlong)


def test_a_text_said_twenty_times_is_repeated_more_than_one_said_twice() -> None:
    twice, often = form([(REFERENCE * 2, REFERENCE), (REFERENCE * 20, REFERENCE)])
    assert 0.5 < twice["repeated"] < often["repeated"]


def test_a_poem_may_repeat_what_its_reference_repeats() -> None:
    poem = "row row row your boat gently down the stream row row row your boat".split()
    (found,) = form([(poem, poem)])
    assert not any(found.values())


def test_a_reversed_text_is_scrambled_and_a_moved_clause_hardly() -> None:
    moved = [*REFERENCE[-4:-1], *REFERENCE[:-4], "."]
    backwards, clause = form([(REFERENCE[::-1], REFERENCE), (moved, REFERENCE)])
    assert backwards["scrambled"] == 1.0
    assert clause["scrambled"] < 0.1


def test_only_texts_with_hardly_anything_in_common_are_unrelated() -> None:
    pair = [(REFERENCE, REFERENCE[::-1])]
    assert form(pair, lost=0.6)[0]["unrelated"] == 0.0
    assert form(pair, lost=1.0)[0]["unrelated"] == pytest.approx(1.0)


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return load_fluency("en")


class TestFluency:
    def penalties(
        self, model: LanguageModel, hypothesis: str, reference: str
    ) -> tuple[dict[str, float], Batch]:
        batch = shared("builtin:en").analyse([hypothesis, reference], ("form", "tag"))
        fluent = FluentWords(batch, model, threads=1)
        rows = np.array([0], dtype=np.int32), np.array([1], dtype=np.int32)
        return dict(zip(FLUENCY, fluency_penalties(fluent, rows)[0].tolist(), strict=True)), batch

    @pytest.mark.parametrize(
        ("hypothesis", "reference"),
        [
            ("He the house sold.", "He sold the house."),
            ("The cat sat on the mat.", "The cat sat on the mat."),
            ("", "Nothing."),
            ("A a a of of.", "She had been there before."),
        ],
    )
    def test_they_are_those_of_the_oracle(
        self, model: LanguageModel, hypothesis: str, reference: str
    ) -> None:
        found, batch = self.penalties(model, hypothesis, reference)
        sides = []
        for sentence in batch:
            units = [
                form.lower() if model.numbers([form.lower()])[0] else TAG_MARK + tag
                for form, tag in zip(sentence.form, sentence.tag or (), strict=True)
            ]
            scored = model.word_probabilities(units)
            sides.append([(word.word, -word.log10) for word in scored])
        expected = oracle.fluency(*sides)
        assert list(found.values()) == pytest.approx(list(expected))

    def test_a_sentence_without_its_verb_is_less_fluent(self, model: LanguageModel) -> None:
        reference = "The committee rejected the proposal."
        whole, _ = self.penalties(model, "The panel rejected the proposal.", reference)
        broken, _ = self.penalties(model, "The panel the proposal.", reference)
        assert broken["odd joints"] > whole["odd joints"]

    @pytest.mark.parametrize("lang", FLUENCY_MODELS)
    def test_every_language_has_its_model(self, lang: str) -> None:
        assert load_fluency(lang).order == 4
