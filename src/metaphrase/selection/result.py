"""What was chosen of one sentence's candidates, and how good the others are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.errors import OptionError
from metaphrase.metrics import Metric
from metaphrase.selection.candidates import Candidates


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Selection:
    """What was chosen of one sentence's candidates.

    utilities: of each candidate: the expected score, or the score with the references; of several metrics
        the weighted mean of standard scores, higher being better; NaN if pruned
    by_metric: of each metric and each candidate the expected score
    order: the candidates, best first; of equal ones the first comes first, and those pruned come last
    refused: why metrics refused candidates, by their numbers from 0; they come last, and have no utility
    concatenated: the candidates, from 0, that are others put together: they are not chosen from, and vote
    pairs: how many pairs of distinct texts each metric compared, of those that are ``possible``; what the
        metric of a shortlist compared does not count

    >>> metaphrase.select(["the cat sat", "a cat sat", "the cat sits"], "chrf")
    <Selection 1 of 3 by chrf: 76.09 'the cat sat'>
    """

    candidates: Candidates
    metrics: Sequence[Metric]
    utilities: FloatArray
    by_metric: FloatArray
    order: Int64Array
    pairs: int
    possible: int
    refused: Mapping[int, str] = field(default_factory=dict)
    concatenated: frozenset[int] = frozenset()

    @property
    def is_decided(self) -> bool:
        """Whether the chosen candidate was measured, and not only the first of those that were refused."""
        return self.index not in self.refused

    @property
    def index(self) -> int:
        """The number of the chosen candidate, from 0."""
        return int(self.order[0])

    @property
    def text(self) -> str:
        """The chosen candidate."""
        return self.candidates.texts[self.index]

    def n_best(self, count: int) -> list[int]:
        """The best candidates, each text once, best first; those pruned are left out."""
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise OptionError("MP847", f"an n-best list of {count!r} has no candidate.")
        found: dict[str, int] = {}
        for index in self.order.tolist():
            if len(found) == count or np.isnan(self.utilities[index]):
                break
            found.setdefault(self.candidates.texts[index], index)
        return list(found.values()) or [self.index]

    def __repr__(self) -> str:
        of = " ".join(metric.label for metric in self.metrics)
        utility = self.utilities[self.index]
        return f"<Selection {self.index + 1} of {len(self.candidates)} by {of}: {utility:.4g} {self.text!r}>"
