"""What a selection came to: sentences, candidates, pairs that were compared, and the metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from metaphrase.selection import (
        BestSystem,
        BestSystemCheck,
        Chooser,
        NearCopies,
        Selection,
        ShortCutCheck,
    )

#: Of two candidates each is as far from the other.
_FEW = 2
#: A bar is not moved for every sentence.
_OFTEN = 16


class Summary:
    """Counts what goes by."""

    def __init__(
        self,
        systems: Sequence[str],
        chooser: Chooser,
        check: ShortCutCheck | None = None,
        judge: BestSystemCheck | None = None,
        merged: NearCopies | None = None,
    ) -> None:
        self.systems = systems
        self._chooser = chooser
        self._check = check
        self._judge = judge
        self._merged = merged
        self._concatenated = 0
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
            self._concatenated += len(selection.concatenated)
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
        if self._merged is not None:
            yield from self._votes(self._merged)
        if self._judge is not None and (best := self._judge.result()) is not None:
            yield self._against(best)
        if self._concatenated:
            yield (
                f"passed over: {self._concatenated:,} "
                f"candidate{'s' * (self._concatenated != 1)} made of others put together"
            )
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

    def _votes(self, merged: NearCopies) -> Iterator[str]:
        """Which systems have one vote together."""
        groups = [group for group in merged.groups if len(group) > 1]
        for group in groups:
            names = [self.systems[number] for number in group]
            yield f"one vote together: {', '.join(names)}, which say nearly the same"
        if not groups:
            yield "no two systems say nearly the same: each has a vote"

    def _against(self, best: BestSystem) -> str:
        """Whether the choice is worth more than the best single system."""
        name = self.systems[best.system]
        if best.same == best.sentences:
            return f"every choice is what {name} says: it is the best single system by itself"
        found = best.difference
        numbers = (
            f"{best.choice:.2f} against {best.best:.2f} of {name}, difference "
            f"{best.choice - best.best:+.2f}, 95% interval {found.low:+.2f} to {found.high:+.2f} by a "
            "bootstrap over sentences"
        )
        said = (
            "the choice scores higher than the best single system"
            if best.is_beaten
            else "the choice does not beat the best single system"
        )
        return f"by {best.metric}, which did not choose, {said}: {numbers}"

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
