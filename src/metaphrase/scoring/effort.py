"""What is resampled unasked: decided by counts, never by a clock, so that it is always the same."""

from __future__ import annotations

from metaphrase.statistics.resampling import RESAMPLES

#: Sums over all resamples and metrics, of a segment of a system or of a pair, that take a second or two.
_WORK = 300_000_000
#: A score of a pair takes as long as adding up so many segments.
_PAIR = 10
#: A corrected p-value of the clearest pair is then .02 at most; beyond, the tests' bounds say as much.
_OF_EACH_PAIR = 50
_MOST = 10_000
#: Segments of all systems by all metrics whose statistics are kept unasked: at most 200 bytes each.
MOST_CELLS = 1_000_000


def test_resamples(segments: int, systems: int, metrics: int) -> int:
    """Resamples for tests of all pairs, in thousands; 0 if these are too many to be tested unasked.

    >>> [test_resamples(1000, systems, 1) for systems in (2, 3, 15, 200)]
    [1000, 1000, 5000, 0]
    >>> test_resamples(1177, 15, 3), test_resamples(100_000, 2, 2)
    (5000, 0)
    """
    pairs = systems * (systems - 1) // 2
    wanted = min(max(_OF_EACH_PAIR * pairs, RESAMPLES), _MOST)
    each = metrics * (systems * segments + _PAIR * pairs)
    return min(wanted, _WORK // max(each, 1)) // RESAMPLES * RESAMPLES


def interval_resamples(segments: int, systems: int, metrics: int) -> int:
    """Resamples for intervals of all systems, where they are not tested; 0 if there are too many.

    >>> interval_resamples(1000, 200, 1), interval_resamples(10_000, 200, 1)
    (1000, 0)
    """
    return RESAMPLES if segments * systems * metrics * RESAMPLES <= _WORK else 0
