"""Intervals of shares: how often something happened among so many trials."""

from __future__ import annotations

from math import sqrt

from metaphrase.errors import InputError

#: The 97.5 % point of the normal distribution.
_Z = 1.959963984540054


def wilson_interval(successes: float, trials: float) -> tuple[float, float]:
    """The 95 % interval of a share by Wilson (1927), for ``trials`` that are independent.

    With p = successes / trials it has the shares q with |p − q| ≤ z √(q (1 − q) / trials). It stays within 0
    and 1, and is no single point where nothing or everything succeeded, as that of a bootstrap is. Half a
    success is a tie, and trials of unequal weights are as many as their effective number.

    >>> low, high = wilson_interval(10, 10)
    >>> print(f"{low:.3f} {high:.3f}")
    0.722 1.000
    """
    if not 0 <= successes <= trials or trials == 0:
        raise InputError("MP768", f"{successes} of {trials} is no share.", hint="Count anew.")
    share, z2 = successes / trials, _Z * _Z
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = _Z * sqrt(share * (1 - share) / trials + z2 / (4 * trials**2)) / (1 + z2 / trials)
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    return low, 1.0 if successes == trials else min(1.0, centre + half)
