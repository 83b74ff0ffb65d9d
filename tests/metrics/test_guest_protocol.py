"""The border to guests: what they are asked is one line, and whatever they say is scores or a coded error."""

from __future__ import annotations

import json
import math
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.errors import ResourceError
from metaphrase.metrics.guests.protocol import (
    PROTOCOL,
    Answer,
    Hello,
    Row,
    read_answer,
    read_hello,
    request,
)

HELLO = {
    "guest": PROTOCOL,
    "name": "mine",
    "version": "1",
    "source": True,
    "references": "one",
    "deterministic": False,
    "higher_is_better": True,
}
UNBOUNDED = (-math.inf, math.inf)
ROWS = [Row("a cat", ()), Row("", ())]
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


def said(**changes: object) -> bytes:
    return json.dumps({**HELLO, **changes}).encode()


@given(st.lists(st.builds(Row, st.text(), st.lists(st.text()).map(tuple), st.none() | st.text())))
def test_a_request_is_one_line_that_says_all(rows: list[Row]) -> None:
    line = request(3, rows)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    asked = json.loads(line)
    assert asked["id"] == 3
    for sent, row in zip(asked["rows"], rows, strict=True):
        assert sent["hypothesis"] == row.hypothesis
        assert tuple(sent.get("references", ())) == row.references
        assert sent.get("source") == row.source


@given(
    st.fixed_dictionaries({"id": st.just(3) | values}, optional={"scores": values, "error": values})
    | values
    | st.binary()
)
def test_an_answer_is_scores_or_a_coded_error(what: object) -> None:
    line = what if isinstance(what, bytes) else json.dumps(what).encode()
    with suppress(ResourceError):
        answer = read_answer(line, 3, ROWS, (0.0, 1.0))
        assert len(answer.scores) == 2
        assert answer.faults or all(0 <= score <= 1 for score in answer.scores)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)))
def test_scores_come_through_to_the_last_bit(scores: list[float]) -> None:
    line = json.dumps({"id": 3, "scores": scores}).encode()
    rows = [Row("a", ())] * len(scores)
    assert read_answer(line, 3, rows, UNBOUNDED) == Answer(scores, {})


@given(st.dictionaries(st.sampled_from([*HELLO, "bounds", "model", "libraries", "x"]), values))
def test_a_hello_is_one_or_a_coded_error(changes: dict[str, object]) -> None:
    with suppress(ResourceError):
        assert isinstance(read_hello(said(**changes)), Hello)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"guest": True}, "speaks protocol True"),
        ({"source": "yes"}, "'source', true or false"),
        ({"references": "two"}, "none or one or all"),
        ({"bounds": [1, 0]}, "from 1.0 to 0.0"),
        ({"bounds": [0]}, "two numbers"),
        ({"model": {"sha": "x"}}, "name, hash, licence"),
        ({"libraries": ["torch"]}, "names and versions"),
        ({"name": "x" * 300}, "at most 200 characters"),
        ({"determinstic": True}, "'determinstic', which means nothing"),
    ],
)
def test_a_slip_in_a_hello_is_told(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ResourceError, match=message):
        read_hello(said(**changes))


def test_bounds_may_be_open() -> None:
    assert read_hello(said()).bounds == UNBOUNDED
    assert read_hello(said(bounds=[0, None])).bounds == (0, math.inf)
