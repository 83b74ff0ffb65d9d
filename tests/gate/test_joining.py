"""Each segment finds its past, wherever it stands."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.runs import GOOD, REFERENCES, run
from metaphrase.errors import InputError
from metaphrase.gate.joining import join_segments

METRIC = ["chrf"]


def test_a_line_at_the_top_moves_nothing() -> None:
    after = run(["New.", *GOOD], ["New.", *REFERENCES], metrics=METRIC)
    joined = join_segments(run(metrics=METRIC), after)
    assert joined.pairs == tuple((row, row + 1) for row in range(8))
    assert (joined.added, joined.removed) == ((0,), ())


def test_equal_references_are_taken_in_order() -> None:
    before = run(["a", "b", "c"], ["OK", "OK", "No"], metrics=METRIC)
    after = run(["c", "a", "b"], ["No", "OK", "OK"], metrics=METRIC)
    assert set(join_segments(before, after).pairs) == {(2, 0), (0, 1), (1, 2)}


def test_of_equal_references_those_of_the_same_document_belong_together() -> None:
    before = run(["a", "b"], ["OK", "OK"], documents=["help", "legal"], metrics=METRIC)
    after = run(["b", "a"], ["OK", "OK"], documents=["legal", "help"], metrics=METRIC)
    assert join_segments(before, after).pairs == ((1, 0), (0, 1))


def test_a_renamed_document_is_found_by_its_texts() -> None:
    before = run(documents=["old"] * 8, metrics=METRIC)
    after = run(documents=["new"] * 8, metrics=METRIC)
    assert len(join_segments(before, after).pairs) == 8


def test_ids_join_whatever_the_order() -> None:
    names = [f"id{row}" for row in range(8)]
    before = run(ids=names, metrics=METRIC)
    after = run(GOOD[::-1], REFERENCES[::-1], ids=names[::-1], metrics=METRIC)
    assert join_segments(before, after).pairs == tuple((7 - row, row) for row in range(8))


def test_an_id_with_another_reference_is_not_compared() -> None:
    names = [f"id{row}" for row in range(8)]
    after = run(references=["Another one.", *REFERENCES[1:]], ids=names, metrics=METRIC)
    joined = join_segments(run(ids=names, metrics=METRIC), after)
    assert joined.changed == ((0, 0),)
    assert len(joined.pairs) == 7


def test_nothing_in_common_is_an_error() -> None:
    with pytest.raises(InputError, match="MP905"):
        join_segments(run(metrics=METRIC), run(["x"], ["Other."], metrics=METRIC))


def test_an_id_for_two_segments_is_an_error() -> None:
    with pytest.raises(InputError, match=r"MP906.*segments 1 and 8"):
        run(ids=["a", *"bcdefg", "a"], metrics=METRIC)


@settings(max_examples=50)
@given(
    st.lists(st.sampled_from("abcd"), min_size=1, max_size=8),
    st.lists(st.sampled_from("abcd"), min_size=1, max_size=8),
)
def test_as_many_are_joined_as_there_are_in_common_and_none_twice(
    old: list[str], new: list[str]
) -> None:
    before, after = run(old, old, metrics=METRIC), run(new, new, metrics=METRIC)
    common = sum(min(old.count(text), new.count(text)) for text in "abcd")
    if not common:
        with pytest.raises(InputError, match="MP905"):
            join_segments(before, after)
        return
    joined = join_segments(before, after)
    assert len(joined.pairs) == common
    assert all(old[a] == new[b] for a, b in joined.pairs)
    assert sorted([a for a, _ in joined.pairs] + list(joined.removed)) == list(range(len(old)))
    assert sorted([b for _, b in joined.pairs] + list(joined.added)) == list(range(len(new)))
