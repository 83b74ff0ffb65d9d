"""A candidate that a metric refuses is not chosen, and the others are chosen as if it were not there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase import select
from metaphrase.errors import InputError
from metaphrase.metrics import create
from metaphrase.selection import Candidates, Chooser

TER = "ter:longest=6"
LONG = "word " * 9
line = st.lists(st.sampled_from("the a cat dog sat on".split()), max_size=5).map(" ".join)


def assert_as_without(sentence: list[str], found, **options) -> None:
    kept = [place for place, text in enumerate(sentence) if text != LONG]
    weights = options.pop("weights", None)
    if weights is not None:
        options["weights"] = [weights[place] for place in kept]
    expected = select([sentence[place] for place in kept], TER, **options)
    assert found.text == expected.text
    assert np.array_equal(found.utilities[kept], expected.utilities, equal_nan=True)
    assert found.order[: len(kept)].tolist() == [kept[place] for place in expected.order]
    assert set(found.refused) == set(range(len(sentence))) - set(kept)


@settings(max_examples=25)
@given(
    st.lists(line, min_size=1, max_size=5),
    st.lists(st.integers(0, 5), max_size=3),
    st.booleans(),
)
def test_the_others_are_chosen_as_if_it_were_not_there(
    texts: list[str], places: list[int], weighted: bool
) -> None:
    sentence = list(texts)
    for place in places:
        sentence.insert(min(place, len(sentence)), LONG)
    weights = [float(number + 1) for number in range(len(sentence))] if weighted else None
    found = select(sentence, TER, weights=weights, on_error="skip")
    assert_as_without(sentence, found, weights=weights)


def test_other_sentences_are_not_touched() -> None:
    plain = ["a cat", "the cat", "a cat sat"]
    sentences = [plain, [LONG, *plain], plain]
    found = select(sentences, TER, on_error="skip")
    alone = select(plain, TER)
    assert [one.text for one in found] == [alone.text] * 3
    assert found[2].utilities.tolist() == alone.utilities.tolist()
    assert "MP518" in found[1].refused[0]


def test_where_nothing_can_be_measured_the_first_is_taken() -> None:
    (found,) = select([[LONG, f"{LONG} x"]], TER, on_error="skip")
    assert found.index == 0
    assert not found.is_decided
    assert np.isnan(found.utilities).all()
    assert found.n_best(3) == [0]


def test_a_reference_that_is_refused_decides_nothing() -> None:
    sentence = Candidates(texts=["a", "b"], references=[LONG])
    (found,) = Chooser(metrics=[create(TER)], on_error="skip").choose([sentence])
    assert not found.is_decided


def test_without_it_a_refusal_is_an_error() -> None:
    with pytest.raises(InputError, match="MP518"):
        select(["a", LONG], TER)
