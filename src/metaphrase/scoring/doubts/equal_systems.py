"""Systems that are nearly each other's copy: votes and minimum Bayes risk count them twice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from metaphrase.arrays import Int64Array
from metaphrase.scoring.doubts.doubt import Doubt
from metaphrase.scoring.doubts.texts import Texts
from metaphrase.scoring.doubts.wording import joined, spanned

#: Two systems of this share of equal segments are near copies, and so are those of the other share if most
#: pairs have less than half of it.
_COPIES, _NEAR = 0.9, 0.5
#: In so few segments anybody may be equal by chance.
_FEWEST_SEGMENTS = 20
#: Shorter texts are translated alike by anybody.
_CHARACTERS = 20


class EqualSystems:
    """Counts the segments in which two systems say the same, up to case and punctuation."""

    def __init__(self) -> None:
        self._equal: Int64Array = np.zeros((0, 0), dtype=np.int64)
        self._names: tuple[str, ...] = ()
        self._segments = 0
        self._short = 0

    def watch(self, texts: Texts) -> None:
        """Compare the systems in the next piece."""
        systems = texts.corpus.systems
        if not self._names:
            self._names = tuple(systems)
            self._equal = np.zeros((len(systems), len(systems)), dtype=np.int64)
        for hypotheses in zip(*systems.values(), strict=True):
            if max(map(len, hypotheses)) < _CHARACTERS:
                self._short += 1
                continue
            self._segments += 1
            groups: dict[str, list[int]] = {}
            for place, text in enumerate(hypotheses):
                groups.setdefault("".join(filter(str.isalnum, text.casefold())), []).append(place)
            for members in groups.values():
                if len(members) > 1:
                    self._equal[np.ix_(members, members)] += 1

    def doubts(self) -> Iterator[Doubt]:
        """One for each group of systems that are near copies."""
        systems = len(self._names)
        enough = self._segments >= _FEWEST_SEGMENTS or np.all(self._equal == self._segments)
        if systems < 2 or not self._segments or not enough:
            return
        shares = self._equal / self._segments
        above = np.triu_indices(systems, 1)
        usual = float(np.median(shares[above]))
        # Two versions of one system may be as alike as they like, if anything differs.
        least = 1.0 if systems == 2 else min(_COPIES, max(_NEAR, 2 * usual))
        for group in _connected(shares >= least):
            counts = [int(self._equal[pair]) for pair in combinations(group, 2)]
            names = [self._names[place] for place in group]
            if min(counts) == self._segments and not self._short:
                text = f"{joined(names)} are equal in all {self._segments:,} segments"
            else:
                text = (
                    f"{joined(names)} are nearly each other's copy: equal in {spanned(counts)} of "
                    f"{self._segments:,} segments of {_CHARACTERS} characters and more"
                )
            if systems > 2 and len(group) < systems:
                text += f" (two systems usually in {usual:.0%})"
            yield Doubt(
                "equal-systems",
                f"{text}.",
                tuple(names),
                {
                    "equal_least": min(counts),
                    "equal_most": max(counts),
                    "segments": self._segments,
                    "usual_share": usual,
                },
            )


def _connected(linked: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Iterator[list[int]]:
    """Groups of two and more that hang together."""
    left = set(range(len(linked)))
    while left:
        group, border = set[int](), {min(left)}
        while border:
            group |= border
            near = np.flatnonzero(linked[sorted(border)].any(axis=0)).tolist()
            border = set(near) - group
        left -= group
        if len(group) > 1:
            yield sorted(group)
