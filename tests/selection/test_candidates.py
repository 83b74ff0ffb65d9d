"""What candidates may be, what their weights may be, and that each text is looked at once."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.errors import InputError
from metaphrase.selection import Candidates, probabilities

texts = st.lists(st.sampled_from(["", "a", "b", "a b", "c"]), min_size=1, max_size=12)
weight = st.sampled_from([0.0, 0.25, 1.0, 7.0, 1e-9])


@given(data=st.data(), lines=texts, others=st.none() | texts)
def test_each_text_stands_once_and_weighs_as_much_as_its_copies(
    data: st.DataObject, lines: list[str], others: list[str] | None
) -> None:
    weighed = lines if others is None else others
    weights = [data.draw(weight) for _ in weighed]
    if not any(weights):
        weights[-1] = 3.0
    distinct = Candidates(texts=lines, samples=others, weights=weights).distinct()
    assert len(set(distinct.texts)) == len(distinct.texts)
    assert [distinct.texts[row] for row in distinct.candidates] == lines
    samples = [distinct.texts[row] for row in distinct.samples]
    assert sorted(samples) == sorted(set(weighed))
    largest = max(weights)
    for text, found in zip(samples, distinct.weights, strict=True):
        copies = [w / largest for w, other in zip(weights, weighed, strict=True) if other == text]
        assert found == pytest.approx(math.fsum(copies), rel=1e-12)
    assert distinct.single.max() == 1
    assert distinct.mean_weights.sum() == pytest.approx(len(weighed), rel=1e-12)


@given(data=st.data(), lines=texts)
def test_other_copies_are_the_same_text_without_this_one(
    data: st.DataObject, lines: list[str]
) -> None:
    """A copy that weighs next to nothing is not lost beside one that weighs much."""
    weights = [data.draw(st.sampled_from([1.0, 1e-30, 0.5])) for _ in lines]
    distinct = Candidates(texts=lines, weights=weights).distinct()
    for i, found in enumerate(distinct.other_copies()):
        others = [w for j, w in enumerate(distinct.single) if j != i and lines[j] == lines[i]]
        assert found == pytest.approx(math.fsum(others), rel=1e-12, abs=0)


def test_without_weights_every_sample_counts_once() -> None:
    distinct = Candidates(texts=["a", "b", "a", "a"]).distinct()
    assert distinct.weights.tolist() == [3.0, 1.0]
    assert distinct.mean_weights.tolist() == [3.0, 1.0]


@pytest.mark.parametrize("size", [1e300, 1e308, 1.0, 1e-300, 5e-324])
def test_the_unit_of_weights_does_not_matter(size: float) -> None:
    small, large = (
        Candidates(texts=["a", "b", "a"], weights=[unit, unit, unit]).distinct()
        for unit in (1.0, size)
    )
    assert small.weights.tolist() == large.weights.tolist()
    assert np.isfinite(large.mean_weights).all()


def test_weights_are_those_that_were_given() -> None:
    given_weights = np.array([1.0, 2.0])
    sentence = Candidates(texts=["a", "b"], weights=given_weights)
    given_weights[0] = np.nan
    assert np.asarray(sentence.weights).tolist() == [1.0, 2.0]
    assert len(sentence) == 2


def test_texts_may_come_from_anything_that_gives_strings() -> None:
    sentence = Candidates(texts=(text for text in "ab"), references=np.array(["x"]))
    assert sentence.texts == ("a", "b")
    assert list(sentence.references) == ["x"]
    assert Candidates(texts=["a"], references=None).references == ()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("mistake", "code", "says"),
    [
        (lambda: Candidates(texts=[]), "MP850", "the sentence has no candidate"),
        (lambda: Candidates(texts=[], name="7"), "MP850", "sentence 7 has no candidate"),
        (lambda: Candidates(texts=["a"], samples=[]), "MP850", "no sample"),
        (lambda: Candidates(texts="a text"), "MP107", "str"),
        (lambda: Candidates(texts=3), "MP107", "int"),
        (lambda: Candidates(texts=["a", None]), "MP103", "candidate 2 of the sentence"),
        (lambda: Candidates(texts=["a", b"b"], name="7"), "MP103", "candidate 2 of sentence 7"),
        (lambda: Candidates(texts=["a"], samples=["b", 1]), "MP103", "sample 2"),
        (lambda: Candidates(texts=["a"], references=["b", 1]), "MP103", "reference 2"),
        (lambda: Candidates(texts=["a"], references="b"), "MP107", "str"),
        (lambda: Candidates(texts=["a"], source=1), "MP103", "source"),
        (lambda: Candidates(texts=["a", "b \ud83d"]), "MP106", "candidate 2.*character 3"),
        (lambda: Candidates(texts=["a"], samples=["\udc00"]), "MP106", "sample 1"),
        (lambda: Candidates(texts=["a"], references=["\udc00"]), "MP106", "reference 1"),
        (lambda: Candidates(texts=["a"], source="\udc00"), "MP106", "source"),
        (lambda: Candidates(texts=["a", "b"], weights=[1.0]), "MP851", "2 samples and 1 weights"),
        (lambda: Candidates(texts=["a"], weights=[]), "MP851", "1 samples and 0 weights"),
        (
            lambda: Candidates(texts=["a"], samples=["b", "c"], weights=[1.0]),
            "MP851",
            "2 samples and 1 weights",
        ),
        (lambda: Candidates(texts=["a", "b"], weights=[[1.0, 2.0]]), "MP851", "weights"),
        (lambda: Candidates(texts=["a", "b"], weights=[1.0, math.nan]), "MP851", "weight of nan"),
        (lambda: Candidates(texts=["a", "b"], weights=[1.0, math.inf]), "MP851", "weight of inf"),
        (lambda: Candidates(texts=["a", "b"], weights=[1.0, -0.5]), "MP851", "weight of -0.5"),
        (lambda: Candidates(texts=["a", "b"], weights=[0.0, 0.0]), "MP851", "all weights"),
        (lambda: Candidates(texts=["a", "b"], weights=[0.0, -0.0]), "MP851", "all weights"),
        (lambda: Candidates(texts=["a", "b"], weights=["a", "b"]), "MP851", "numbers"),
        (lambda: Candidates(texts=["a", "b"], weights=[1.0, None]), "MP851", "nan"),
        (lambda: Candidates(texts=["a", "b"], weights=[1.0, [2.0]]), "MP851", "numbers"),
        (lambda: probabilities([]), "MP851", "logarithm"),
        (lambda: probabilities([-1.0, math.nan]), "MP851", "logarithm"),
        (lambda: probabilities([-1.0, math.inf]), "MP851", "logarithm"),
        (lambda: probabilities([-math.inf, -math.inf]), "MP851", "all probabilities are 0"),
        (lambda: probabilities(["a"]), "MP851", "logarithm"),  # type: ignore[list-item]
        (lambda: probabilities([[-1.0, -2.0]]), "MP851", "logarithm"),  # type: ignore[list-item]
    ],
)
def test_mistakes_are_coded_errors(mistake: Callable[[], object], code: str, says: str) -> None:
    with pytest.raises(InputError, match=rf"(?s){code}.*{says}"):
        mistake()


@given(
    st.lists(st.floats(-1e308, 1e308) | st.just(-math.inf), min_size=1).filter(
        lambda logarithms: max(logarithms) > -math.inf
    )
)
def test_probabilities_of_any_logarithms_add_up_to_one(logarithms: list[float]) -> None:
    found = probabilities(logarithms)
    assert found.sum() == pytest.approx(1.0)
    assert (found >= 0).all()


def test_probabilities_are_those_of_the_logarithms() -> None:
    assert probabilities(np.log([0.5, 0.3, 0.2])) == pytest.approx([0.5, 0.3, 0.2])
    # Of a long sentence no probability is a double.
    assert probabilities([-2000.0, -2000.0 + math.log(3.0)]) == pytest.approx([0.25, 0.75])
    assert probabilities([-math.inf, 0.0]).tolist() == [0.0, 1.0]
