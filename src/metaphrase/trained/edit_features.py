"""What an edit machine learns: its features, with or without one weight for the three kinds of jumps.

The kernel has a place for every feature. A model that does not tell jumps apart has fewer parameters: one
weight then stands in several places, and its expected count is the sum of theirs.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from metaphrase.errors import OptionError
from metaphrase.matching.edit_pairs import STATES, feature_names

#: How many labels the three jumps may have between them.
JUMP_LABELS = (1, 3)
_JUMPS = frozenset(state for state in STATES if state.startswith("jump_"))


def parameter_names(jump_labels: int) -> tuple[str, ...]:
    """The names of all weights: features with ``jump`` for every kind of jump, or the features themselves."""
    return _tying(jump_labels)[0]


def parameter_of_feature(jump_labels: int) -> NDArray[np.intp]:
    """For each feature of the kernel the place of its weight among :func:`parameter_names`."""
    return np.array(_tying(jump_labels)[1], dtype=np.intp)


@lru_cache(maxsize=len(JUMP_LABELS))
def _tying(jump_labels: int) -> tuple[tuple[str, ...], tuple[int, ...]]:
    if jump_labels not in JUMP_LABELS:
        raise OptionError(
            "MP626",
            f"jumps have one label or three, not {jump_labels!r}.",
            hint="Choose 1 or 3.",
        )
    places: dict[str, int] = {}
    features = []
    for feature in feature_names():
        kind, *states = feature.split("|")
        if jump_labels == 1:
            states = ["jump" if state in _JUMPS else state for state in states]
        features.append(places.setdefault("|".join([kind, *states]), len(places)))
    return tuple(places), tuple(features)
