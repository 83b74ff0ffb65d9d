"""How many threads somebody gets."""

from __future__ import annotations

import pytest

from metaphrase.errors import OptionError
from metaphrase.threads import available_cores, check_threads


def test_all_cores_are_used_if_nobody_says_how_many() -> None:
    assert check_threads(None) == available_cores() >= 1
    assert check_threads(3) == 3
    assert check_threads(10**6) == 256  # more help nobody


@pytest.mark.parametrize("threads", [0, -1, True, 2.0, "2"])
def test_what_is_no_number_of_threads_is_refused(threads: int) -> None:
    with pytest.raises(OptionError) as raised:
        check_threads(threads)
    assert raised.value.code == "MP519"
