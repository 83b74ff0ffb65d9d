"""A corpus in memory: what it holds, what it refuses, how it is cut."""

from __future__ import annotations

import copy
import pickle
from collections import OrderedDict, deque
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from dataclasses import FrozenInstanceError
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.corpus import Corpus, Segment

Refused = Callable[..., AbstractContextManager[None]]


def small() -> Corpus:
    return Corpus(
        {"A": ["one", "two", "three"], "B": ["un", "", "trois"]},
        [["1", "2", "3"], ["I", "II", "III"]],
        sources=["eins", "zwei", "drei"],
        documents=["d1", "d1", "d2"],
        domains=["news", "news", "talk"],
    )


def test_a_segment_is_one_row_of_every_column() -> None:
    assert small()[1] == Segment(
        1, {"A": "two", "B": ""}, ("2", "II"), source="zwei", document="d1", domain="news"
    )


def test_optional_columns_may_be_missing() -> None:
    segment = Corpus({"A": ["x"]}, [["y"]])[0]
    assert (segment.source, segment.document, segment.domain) == (None, None, None)


def test_iteration_gives_the_segments_in_order() -> None:
    corpus = small()
    assert len(corpus) == 3
    assert [segment.index for segment in corpus] == [0, 1, 2]
    assert corpus[-1] == list(corpus)[2]
    with pytest.raises(IndexError):
        corpus[3]


def test_corpora_are_equal_when_their_columns_are() -> None:
    assert small() == small()
    assert small() != small().select([0, 1, 1])
    assert Corpus({"A": ("x",)}, [["y"]]) == Corpus({"A": ["x"]}, (["y"],))


def test_a_corpus_does_not_change() -> None:
    texts = ["x"]
    corpus = Corpus({"A": texts}, [["y"]])
    texts[0] = "z"
    assert corpus.systems["A"] == ("x",)
    with pytest.raises(FrozenInstanceError):
        corpus.references = ()  # type: ignore[misc]
    with pytest.raises(TypeError):
        corpus.systems["A"] = ("z",)  # type: ignore[index]


def test_a_corpus_survives_pickling_and_copying() -> None:
    kept = Corpus({"A": ["x"]}, [[""]], empty_references="keep")
    assert pickle.loads(pickle.dumps(kept)) == kept
    assert copy.deepcopy(small()) == small()


def test_the_representation_is_short() -> None:
    assert repr(small()) == "<Corpus: 3 segments, 2 references, systems A, B>"


def test_select_takes_rows_in_the_given_order_with_repetition() -> None:
    picked = small().select([2, 0, 2])
    assert picked.systems["A"] == ("three", "one", "three")
    assert picked.references[1] == ("III", "I", "III")
    assert picked.documents == ("d2", "d1", "d2")


def test_a_slice_is_a_corpus() -> None:
    assert small()[1:] == small().select([1, 2])


def test_select_refuses_masks_and_empty_selections(refused: Refused) -> None:
    for row in (True, 1.0, "1", None):
        with refused("MP108", repr(row)):
            small().select([0, row])  # type: ignore[list-item]
    with refused("MP101", "no segment"):
        small().select([])


@given(st.lists(st.text(), min_size=1), st.integers(1, 7))
def test_pieces_join_to_the_whole(texts: list[str], size: int) -> None:
    corpus = Corpus({"A": texts}, [texts], sources=texts)
    pieces = list(corpus.pieces(size))
    assert all(len(piece) == size for piece in pieces[:-1])
    assert 1 <= len(pieces[-1]) <= size
    assert Corpus.join(pieces) == corpus == Corpus.join(corpus.chunks(size))


def test_join_refuses_other_columns(refused: Refused) -> None:
    with refused("MP102", "Part 2"):
        Corpus.join([small(), Corpus({"A": ["x"]}, [["y"]])])
    with refused("MP101"):
        Corpus.join([])


@pytest.mark.parametrize("size", [0, -1, 1.5, True, None])
def test_sizes_of_pieces_are_positive_numbers(refused: Refused, size: int) -> None:
    with refused("MP108", "chunk size"):
        small().pieces(size)


def test_a_corpus_needs_a_system_a_reference_and_a_segment(refused: Refused) -> None:
    with refused("MP101", "no system"):
        Corpus({}, [["x"]])
    with refused("MP101", "no reference"):
        Corpus({"A": ["x"]}, [])
    with refused("MP101", "no segment"):
        Corpus({"A": []}, [[]])


def test_unequal_lengths_are_reported_with_both_counts(refused: Refused) -> None:
    with refused("MP102", "reference 1 has 2 segments, system 'A' has 1"):
        Corpus({"A": ["x"]}, [["y", "z"]])
    with refused("MP102", "reference 1 has 1 segments, reference 2 has 2"):
        Corpus({"A": ["x"]}, [["y"], ["y", "z"]])
    with refused("MP102", "documents has 0"):
        Corpus({"A": ["x"]}, [["y"]], documents=[])


@pytest.mark.parametrize("text", [b"x", None, 3, 0.5, float("nan"), ["x"]])
def test_a_text_that_is_no_string_is_named_by_system_and_segment(
    refused: Refused, text: object
) -> None:
    with refused("MP103", "segment 2 of system 'A'", type(text).__name__):
        Corpus({"A": ["x", text]}, [["y", "z"]])  # type: ignore[list-item]
    code = "MP118" if text is None else "MP103"
    with refused(code, "egment 1"):
        Corpus({"A": ["x"]}, [[text]])  # type: ignore[list-item]
    with refused("MP103", "segment 1 of sources"):
        Corpus({"A": ["x"]}, [["y"]], sources=[text])  # type: ignore[list-item]


@pytest.mark.parametrize("name", ["", " ", "\t", None, 3, b"A", "A\ud800"])
def test_system_names_are_strings_that_say_something(refused: Refused, name: str) -> None:
    with refused("MP104"):
        Corpus({name: ["x"]}, [["y"]])


def test_columns_nested_the_wrong_way_are_refused(refused: Refused) -> None:
    with refused("MP107", "reference 1 is of type str"):
        Corpus({"A": ["x"]}, ["y"])
    with refused("MP107", "references is of type str"):
        Corpus({"A": ["x"]}, "y")  # type: ignore[arg-type]
    with refused("MP107", "system 'A' is of type str"):
        Corpus({"A": "x"}, [["y"]])
    with refused("MP107", "systems is of type list"):
        Corpus([["x"]], [["y"]])  # type: ignore[arg-type]
    with refused("MP107", "sources is of type int"):
        Corpus({"A": ["x"]}, [["y"]], sources=3)  # type: ignore[arg-type]


UNORDERED = [
    {"x"},
    frozenset({"x"}),
    {"x": "x"},
    OrderedDict(x="x"),
    MappingProxyType({"x": "x"}),
    {"x": 1}.keys(),
    {1: "x"}.values(),
    {"x": 1}.items(),
]


@pytest.mark.parametrize("texts", UNORDERED, ids=lambda texts: type(texts).__name__)
def test_texts_without_an_order_of_their_own_are_refused(
    refused: Refused, texts: Collection[str]
) -> None:
    kind = f"is of type {type(texts).__name__}"
    with refused("MP107", f"system 'A' {kind}"):
        Corpus({"A": texts}, [["y"]])  # type: ignore[dict-item]
    with refused("MP107", f"reference 2 {kind}"):
        Corpus({"A": ["x"]}, [["y"], texts])  # type: ignore[list-item]
    with refused("MP107", f"references {kind}"):
        Corpus({"A": ["x"]}, texts)  # type: ignore[arg-type]
    for name in ("sources", "documents", "domains", "ids"):
        with refused("MP107", f"{name} {kind}"):
            Corpus({"A": ["x"]}, [["y"]], **{name: texts})  # type: ignore[arg-type]


def test_texts_may_come_from_anything_that_has_an_order(refused: Refused) -> None:
    given = (
        ["x", "y"],
        ("x", "y"),
        deque(["x", "y"]),
        np.array(["x", "y"], dtype=object),
        iter("xy"),
    )
    for texts in given:
        assert Corpus({"A": texts}, [["x", "y"]]).systems["A"] == ("x", "y")  # type: ignore[dict-item]


def test_half_a_surrogate_pair_is_refused(refused: Refused) -> None:
    with refused("MP106", "segment 2 of system 'A'", "character 3"):
        Corpus({"A": ["x", "yy\ud83d"]}, [["y", "z"]])


def test_text_may_contain_line_breaks_in_memory() -> None:
    assert Corpus({"A": ["x\ny"]}, [["\r\n."]])[0].hypotheses["A"] == "x\ny"


@pytest.mark.parametrize("empty", ["", " ", "\t\u3000\u00a0"])
class TestEmptyText:
    def test_an_empty_hypothesis_is_kept(self, empty: str) -> None:
        assert Corpus({"A": [empty]}, [["y"]])[0].hypotheses["A"] == empty

    def test_an_empty_first_reference_for_a_translated_segment_is_an_error(
        self, refused: Refused, empty: str
    ) -> None:
        with refused("MP105", "Reference 1 of segment 3", "system 'B'"):
            Corpus(
                {"A": ["x", empty, empty], "B": ["x", empty, "x"]},
                [["y", empty, empty], ["y", empty, empty]],
            )

    def test_an_empty_further_reference_is_none_or_an_error(
        self, refused: Refused, empty: str
    ) -> None:
        systems = {"A": ["x", empty, empty], "B": ["x", empty, "x"]}
        references = [["y", empty, "y"], ["y", empty, empty]]
        assert Corpus(systems, references).references[1] == ("y", empty, None)
        with refused("MP105", "Reference 2 of segment 3", "system 'B'"):
            Corpus(systems, references, empty_references="error")

    def test_it_is_kept_on_request(self, empty: str) -> None:
        corpus = Corpus({"A": ["x", "y"]}, [[empty, "y"]], empty_references="keep")
        assert corpus.references == ((empty, "y"),)
        assert corpus.select([0])[0].references == (empty,)

    def test_it_is_kept_where_all_hypotheses_are_empty(self, empty: str) -> None:
        assert len(Corpus({"A": [empty], "B": [""]}, [[empty]])) == 1


def test_there_are_three_rules_for_empty_references(refused: Refused) -> None:
    with refused("MP108", "'drop'"):
        Corpus({"A": ["x"]}, [["y"]], empty_references="drop")  # type: ignore[arg-type]
