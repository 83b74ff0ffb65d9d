"""What a selection came to: sentences, candidates, pairs that were compared, and the metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from metaphrase.selection import Chooser, Selection, ShortCutCheck

#: Of two candidates each is as far from the other.
_FEW = 2
#: A bar is not moved for every sentence.
_OFTEN = 16


class Summary:
    """Counts what goes by."""

    def __init__(
        self, systems: Sequence[str], chooser: Chooser, check: ShortCutCheck | None = None
    ) -> None:
        self.systems = systems
        self._chooser = chooser
        self._check = check
        self._chosen = [0] * len(systems)
        self._sentences = self._candidates = self._pairs = self._possible = 0
        self._with_references = False
        self._most = 0
        self._refused = self._undecided = 0

    def watched(
        self, found: Iterable[Selection], progress: Callable[[int], None] | None
    ) -> Iterator[Selection]:
        """The selections as they are made."""
        for selection in found:
            self._sentences += 1
            self._candidates += len(selection.candidates)
            self._pairs += selection.pairs
            self._possible += selection.possible
            self._with_references |= bool(selection.candidates.references)
            others = selection.candidates.samples or selection.candidates.texts
            self._most = max(self._most, len(others))
            self._refused += len(selection.refused)
            self._undecided += not selection.is_decided
            if self.systems:
                self._chosen[selection.index] += 1
            if progress is not None and self._sentences % _OFTEN == 0:
                progress(self._sentences)
            yield selection

    def lines(self) -> Iterator[str]:
        """A few lines for people, and the signatures."""
        chooser = self._chooser
        by = "closest to the references" if self._with_references else "minimum Bayes risk"
        yield (
            f"{self._sentences:,} sentence{'s' * (self._sentences != 1)} · "
            f"{self._candidates:,} candidates · {by} · {self._compared()}"
        )
        if self.systems:
            counts = zip(self.systems, self._chosen, strict=True)
            yield "chosen: " + " · ".join(f"{name} {count:,}" for name, count in counts)
        if self._refused:
            yield (
                f"skipped: {self._refused:,} candidates that metrics refused; of "
                f"{self._undecided:,} sentence{'s' * (self._undecided != 1)} nothing could be measured, and "
                "the first candidate was taken"
            )
        if self._most <= _FEW and not self._with_references:
            yield (
                f"no sentence has more than {self._most} samples, which decide nothing: choose among "
                f"{_FEW + 1} or more, or give --references"
            )
        if chooser.confidence is not None:
            yield (
                "pruned: what was as good as the best so far in less than "
                f"{1 - chooser.confidence:.3g} of resamples"
            )
        if chooser.shortlist is not None:
            yield (
                f"shortlist: the {chooser.shortlist} best by {chooser.shortlist_by.label}; "
                "a better candidate may have been left out"
            )
        if (check := self._check) is not None:
            yield _checked(check, chooser)
        for metric in chooser.metrics:
            yield str(metric.signature())

    def _compared(self) -> str:
        if self._chooser.aggregate and not self._with_references:
            return "no pairs compared, counts of samples added up"
        if self._pairs == self._possible or not self._possible:
            return f"{self._pairs:,} pairs compared"
        share = self._pairs / self._possible
        return f"{self._pairs:,} of {self._possible:,} pairs compared ({100 * share:.0f} %)"


def _checked(check: ShortCutCheck, chooser: Chooser) -> str:
    told = f"checked: {check.same:,} of {check.sentences:,} choices are those of all pairs"
    if check.same == check.sentences:
        return told
    unit = chooser.metrics[0].label if len(chooser.metrics) == 1 else "standard deviations"
    return f"{told}; another choice loses {check.loss:.4f} ({unit}) in the mean"
