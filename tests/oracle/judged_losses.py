"""Made-up judgements: people who see four losses and take off what is true for each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metaphrase.learning.accord import JudgedLosses

Floats = NDArray[np.float64]
#: What a loss of 1 takes off the quality that judges see; the last one is no fault.
TRUTH = np.array([3.0, 1.0, 0.5, 0.0])
NAMES = ("c1p", "w1r", "short", "ap")
_NOTHING = np.empty(0, dtype=np.int64)


def made_up(number: int, rows: int = 400) -> tuple[Floats, Floats]:
    """Losses on different scales, and what judges make of them."""
    random = np.random.default_rng(number)
    texts = random.random((rows, 4)) * [1.0, 1.0, 2.0, 0.5]
    return texts, -texts @ TRUTH + 0.3 * random.normal(size=rows)


def placed(quality: Floats) -> Floats:
    """The share of the others that are worse, out of 100."""
    return 100.0 * quality.argsort().argsort() / len(quality)


def scored(
    number: int,
    *,
    name: str = "",
    rows: int = 400,
    texts: Floats | None = None,
    quality: Floats | None = None,
) -> JudgedLosses:
    """Two systems that were scored, on losses and with qualities of one's own or made up."""
    made = made_up(number, rows)
    texts = made[0] if texts is None else texts
    quality = made[1] if quality is None else quality
    system, segment = _halves(len(texts))
    human = (quality - quality.mean()) / quality.std()
    return JudgedLosses(
        name or f"set {number}",
        "de-en",
        texts,
        placed(quality),
        system,
        segment,
        human,
        _NOTHING,
        _NOTHING,
    )


def ranked(number: int, *, name: str = "", segments: int = 2000) -> JudgedLosses:
    """Two systems, of which people preferred one in every segment."""
    texts, quality = made_up(number, 2 * segments)
    system, segment = _halves(len(texts))
    one, other = np.arange(segments), np.arange(segments, 2 * segments)
    first = quality[one] > quality[other]
    better, worse = np.where(first, one, other), np.where(first, other, one)
    place = np.where(np.isin(np.arange(2 * segments), better), 100.0, 0.0)
    return JudgedLosses(
        name or f"set {number}", "de-en", texts, place, system, segment, None, better, worse
    )


def _halves(rows: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first half of one system, the second of another, with the same segments."""
    system, segment = np.divmod(np.arange(rows), (rows + 1) // 2)
    return system, segment
