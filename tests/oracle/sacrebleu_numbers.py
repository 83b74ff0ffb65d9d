"""When a number of ours is sacreBLEU's."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pytest


def same_as_sacrebleu(numbers: Sequence[float]) -> object:
    """What must equal ``numbers``: they themselves to the last bit, where sacreBLEU adds as we do.

    From Python 3.12 on the built-in ``sum``, which it adds with, compensates for rounding, and its last
    digit or two depend on that; ours do not depend on the version of Python.
    """
    if sys.version_info >= (3, 12):
        return pytest.approx(list(numbers), rel=1e-13, abs=1e-13)
    return list(numbers)
