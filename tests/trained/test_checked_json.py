"""JSON that is read with suspicion."""

from __future__ import annotations

import pytest

from metaphrase.trained.checked_json import DamagedJsonError, parse_object


def test_a_number_without_end_is_damage_of_the_file() -> None:
    """Python's own message speaks of a setting of the interpreter."""
    for sign in ("", "-"):
        with pytest.raises(DamagedJsonError, match=r"^it has a number of 5,000 digits$"):
            parse_object(f'{{"slope": {sign}{"7" * 5000}}}')


def test_whole_numbers_are_read_as_they_are() -> None:
    assert parse_object('{"a": -12, "b": 340282366920938463463374607431768211456}') == {
        "a": -12,
        "b": 2**128,
    }


@pytest.mark.parametrize(
    "number", ["1e400", "-1E+309", "9" * 250 + "1e99", "1.5e0400", "8" * 310 + ".5"]
)
def test_an_infinite_number_is_damage_however_it_is_written(number: str) -> None:
    with pytest.raises(DamagedJsonError, match=r"^it has .* for a number$"):
        parse_object(f'{{"training": {{"loss": {number}}}}}')


def test_a_large_number_is_none() -> None:
    assert parse_object('{"a": 1e308, "b": -2.5e-400}') == {"a": 1e308, "b": 0.0}
