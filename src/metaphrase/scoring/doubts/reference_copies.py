"""Systems that equal the reference unusually often: they may have been trained on it.

Segments that most systems translate like the reference say nothing and are left out. What is left is counted
for each system and compared with the median of the others, as if copies came about by chance at that rate
(Poisson); p-values are corrected for the number of systems by Holm's method.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, lgamma, log
from statistics import median

from metaphrase.scoring.doubts.doubt import Doubt
from metaphrase.scoring.doubts.texts import Texts
from metaphrase.scoring.doubts.wording import joined, spanned
from metaphrase.statistics.multiple_tests import holm

#: Fewer systems have no usual rate.
_FEWEST_SYSTEMS = 4
#: Good systems copy more often than bad ones: so many times as many, and so many more, must be copied.
_TIMES, _MORE = 2.5, 10
_LEVEL = 0.01
#: What more systems than this share do is usual, among the good ones.
_UNUSUAL = 0.25


class ReferenceCopies:
    """Counts hypotheses that are a reference, character by character."""

    def __init__(self) -> None:
        self._copies: dict[str, int] = {}
        self._all: dict[str, int] = {}
        self._segments = 0

    def watch(self, texts: Texts) -> None:
        """Count those of the next piece."""
        corpus = texts.corpus
        names = list(corpus.systems)
        for name in names:
            self._copies.setdefault(name, 0)
            self._all.setdefault(name, 0)
        self._segments += len(corpus)
        for row, of_references in enumerate(zip(*corpus.written_references, strict=True)):
            wanted = {text.strip() for text in of_references} - {""}
            copied = [name for name in names if corpus.systems[name][row].strip() in wanted]
            for name in copied:
                self._all[name] += 1
                self._copies[name] += len(copied) <= len(names) / 2

    def doubts(self) -> Iterator[Doubt]:
        """Who equals the reference everywhere, and who does so more often than the others."""
        whole = [name for name, count in self._all.items() if count == self._segments]
        for name in whole:
            yield Doubt(
                "reference-as-system",
                f"{name} equals the reference in all {self._segments:,} segments: "
                "is it the file of the reference?",
                (name,),
                {"segments": self._segments},
            )
        counts = {name: count for name, count in self._copies.items() if name not in whole}
        if len(counts) >= _FEWEST_SYSTEMS:
            yield from self._unusual(counts)

    def _unusual(self, counts: dict[str, int]) -> Iterator[Doubt]:
        usual = {
            name: max(median(n for other, n in counts.items() if other != name), 0.5)
            for name in counts
        }
        p = dict(
            zip(
                counts,
                holm([poisson_tail(counts[name], usual[name]) for name in counts]).tolist(),
                strict=True,
            )
        )
        found = sorted(
            (
                name
                for name, count in counts.items()
                if p[name] < _LEVEL and count >= max(_TIMES * usual[name], usual[name] + _MORE)
            ),
            key=lambda name: -counts[name],
        )
        if not found or len(found) > _UNUSUAL * len(counts):
            return
        others = [count for name, count in counts.items() if name not in found]
        numbers = [f"{counts[name]:,}" for name in found]
        worst = max(p[name] for name in found)
        verb = "equals" if len(found) == 1 else "equal"
        yield Doubt(
            "reference-copies",
            f"{joined(found)} {verb} the reference in {joined(numbers)} of {self._segments:,} segments, "
            f"the others in {spanned(others)} (Poisson test against their median, Holm's correction, "
            f"p {'< .001' if worst < 0.001 else f'= {worst:.3f}'.replace('0.', '.')}): "
            "they may have seen it.",
            tuple(found),
            {name: counts[name] for name in found}
            | {
                "others_least": min(others),
                "others_most": max(others),
                "p_value": worst,
            },
        )


def poisson_tail(count: int, mean: float) -> float:
    """With which probability at least ``count`` events come about if there are ``mean`` on average.

    >>> round(poisson_tail(3, 1.0), 4)  # 1 - e⁻¹ (1 + 1 + 1/2)
    0.0803
    """
    if count == 0:
        return 1.0
    if count <= mean:
        # Of no use to a test, which asks whether there are too many.
        return 1.0 - sum(exp(i * log(mean) - mean - lgamma(i + 1)) for i in range(count))
    term = exp(count * log(mean) - mean - lgamma(count + 1))
    total, i = term, count
    while term > 1e-17 * total and term > 0:
        i += 1
        term *= mean / i
        total += term
    return min(total, 1.0)
