"""The segments that two snapshots have in common, side by side, and the rules about what changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan

import numpy as np

from metaphrase.arrays import FloatArray, Int64Array
from metaphrase.errors import InputError
from metaphrase.gate.groups import Group
from metaphrase.gate.joining import Joined
from metaphrase.gate.rules import Limits, Rules
from metaphrase.gate.snapshot import Measured, Snapshot
from metaphrase.gate.verdict import ChangedSegment, Difference, NewFinding, Outcome, counted
from metaphrase.metrics import Metric
from metaphrase.statistics import resampling
from metaphrase.statistics.exact_sum import ExactSum


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """One metric's numbers of the segments that both have, side by side; ``losses`` is how much worse."""

    before: FloatArray
    after: FloatArray
    scores: tuple[FloatArray, FloatArray]
    losses: FloatArray

    def changed(self, place: int) -> bool:
        """Whether a segment has another score, or has one only before or after."""
        before, after = (float(scores[place]) for scores in self.scores)
        return before != after and not (isnan(before) and isnan(after))


class Comparison:
    """What both snapshots have in common, and the rules about it."""

    def __init__(
        self,
        rules: Rules,
        baseline: Snapshot,
        current: Snapshot,
        metrics: Mapping[str, Metric],
        joined: Joined,
        threads: int | None,
    ) -> None:
        self.notes: list[str] = []
        self._rules = rules
        self._baseline = baseline
        self._current = current
        self._metrics = metrics
        self._joined = joined
        self._threads = threads
        pairs = np.array(joined.pairs, dtype=np.int64)
        self._old, self._new = pairs[:, 0], pairs[:, 1]
        self._rows = {name: self._aligned(name) for name in metrics}
        everything = np.arange(len(pairs))
        self.scores = {name: self._difference(name, everything) for name in metrics}
        whole = [name for name, metric in metrics.items() if metric.needs_whole_corpus]
        if whole and (joined.added or joined.removed or joined.changed):
            self.notes.append(
                f"{', '.join(whole)} looks at all segments together, and not all are the same: its "
                "scores before and after can differ for that alone."
            )

    def _aligned(self, name: str) -> _Rows:
        old, new = self._baseline.metrics[name], self._current.metrics[name]
        if not _is_sound(old, new, self._metrics[name]):
            raise InputError(
                "MP901",
                f"The baseline is damaged: its scores of {name} are not those that its statistics give.",
                hint="Write it again with --write-baseline.",
            )
        before, after = old.segment[self._old], new.segment[self._new]
        losses = before - after if new.higher_is_better else after - before
        rows = old.statistics[self._old], new.statistics[self._new]
        return _Rows(*rows, (before, after), losses)

    def _difference(self, name: str, places: Int64Array) -> Difference:
        rows, metric, measured = self._rows[name], self._metrics[name], self._current.metrics[name]
        scored = self._scored(name, places)
        if not len(scored):
            return _difference(measured, nan, nan)
        totals = []
        for statistics in (rows.before, rows.after):
            total = ExactSum()
            total.add(statistics[scored])
            totals.append(total.value())
        before, after = metric.score(np.stack(totals)).tolist()
        return _difference(measured, before, after)

    def _scored(self, name: str, places: Int64Array) -> Int64Array:
        """Those that the metric refused neither before nor now: only they can be compared."""
        return places[~np.isnan(self._rows[name].losses[places])]

    def skipped(self) -> Iterator[Outcome]:
        """Whether segments lost their score because a metric refuses them now, where any is refused."""
        most = self._rules.settings.max_skipped
        for name, rows in self._rows.items():
            refused = ~self._current.metrics[name].kept
            if not refused.any():
                continue
            lost = np.flatnonzero(~np.isnan(rows.scores[0]) & np.isnan(rows.scores[1]))
            names = tuple(self._current.name(int(self._new[place])) for place in lost)
            yield Outcome(
                rule="max_skipped",
                passed=len(names) <= most,
                measured=len(names),
                limit=most,
                message=f"{counted(len(names), 'segment')} that had a score by {name} are refused now; "
                f"{most:,} may be",
                metric=name,
                segments=names if len(names) > most else (),
                shown=(f"{len(names):,}", f"at most {most:,}"),
            )

    def common(self) -> Iterator[Outcome]:
        """Whether enough of the baseline is left to be compared."""
        least = self._rules.settings.min_common
        share = len(self._joined.pairs) / len(self._baseline)
        yield Outcome(
            rule="min_common",
            passed=share >= least,
            measured=share,
            limit=least,
            message=f"{share:.1%} of the baseline's segments can be compared, and it must be "
            f"at least {least:.1%}",
            shown=(f"{share:.1%}", f"at least {least:.1%}"),
        )
        if (most := self._rules.settings.max_removed) is not None:
            gone = tuple(map(self._baseline.name, self._joined.removed))
            yield Outcome(
                rule="max_removed",
                passed=len(gone) <= most,
                measured=len(gone),
                limit=most,
                message=f"{counted(len(gone), 'segment')} of the baseline are gone; {most:,} may be",
                segments=gone if len(gone) > most else (),
                shown=(f"{len(gone):,}", f"at most {most:,}"),
            )

    def outcomes(self, name: str, limits: Limits, group: Group | None) -> Iterator[Outcome]:
        """Each limit of a metric, for the whole text, or for one document or domain."""
        places = self._scored(name, self._places(group))
        if not len(places):
            note = f"Nothing of {group or 'the text'} can be compared by {name}."
            if group is not None and not len(self._places(group)):
                note = f"Nothing of {group} can be compared."
            if limits.needs_baseline and note not in self.notes:
                self.notes.append(note)
            return
        if limits.max_drop is not None:
            yield self._drop(name, limits.max_drop, places, group)
        if limits.alpha is not None:
            yield self._significance(name, limits, places, group)
        yield from self._segments(name, limits, places, group)

    def _places(self, group: Group | None) -> Int64Array:
        names = None if group is None else self._current.groups(group.level)
        if group is None or names is None:
            return np.arange(len(self._new))
        return np.array([i for i, row in enumerate(self._new) if names[row] == group.name], int)

    def _drop(self, name: str, limit: float, places: Int64Array, group: Group | None) -> Outcome:
        one, measured = self._difference(name, places), self._current.metrics[name]
        return Outcome(
            rule="max_drop",
            passed=one.loss <= limit,
            measured=one.loss,
            limit=limit,
            message=f"{_said(name, one)}; it may get worse by {measured.shown(limit)}",
            metric=name,
            group=group,
            shown=(_loss_shown(measured, one.loss), f"at most {measured.shown(limit)}"),
        )

    def _significance(
        self, name: str, limits: Limits, places: Int64Array, group: Group | None
    ) -> Outcome:
        """The paired test, if the segments that changed allow a p-value below its level."""
        alpha, tolerance = limits.alpha or 0.0, limits.tolerance or 0.0
        rows, settings = self._rows[name], self._rules.settings
        before, after = rows.before[places], rows.after[places]
        one = self._difference(name, places)
        _, after_before = resampling.approximate_randomisation(
            [before, after],
            self._metrics[name].score,
            resamples=settings.resamples,
            seed=settings.seed,
            threads=self._threads,
        )
        test = after_before.test
        untestable = None if test is None else test.untestable(alpha)
        p = None if untestable else after_before.p_value
        worse = one.loss > tolerance
        tested = "" if p is None else f" (p = {p:.4f}, tested at {alpha:g})"
        if test is not None and test.differing and untestable:
            tested = f" ({counted(test.differing, 'change')}: {untestable} at {alpha:g})"
        return Outcome(
            rule="alpha",
            passed=p is None or p >= alpha or not worse,
            measured=p,
            limit=alpha,
            message=f"{_said(name, one)}{tested}"
            + (f"; up to {tolerance:g} is fine" if tolerance else ""),
            metric=name,
            group=group,
            shown=(_tested(p, one.loss, untestable), f"at least {alpha:g} if worse"),
        )

    def _segments(
        self, name: str, limits: Limits, places: Int64Array, group: Group | None
    ) -> Iterator[Outcome]:
        losses, measured = self._rows[name].losses[places], self._current.metrics[name]
        if (limit := limits.max_segment_drop) is not None:
            worst = float(losses.max(initial=0.0))
            guilty = self._worse(losses, places, limit)
            yield Outcome(
                rule="max_segment_drop",
                passed=not guilty,
                measured=worst,
                limit=limit,
                message=f"the segment that lost most lost {measured.shown(worst)} {name}; "
                f"it may lose {measured.shown(limit)}",
                metric=name,
                group=group,
                segments=guilty,
                shown=(measured.shown(worst), f"at most {measured.shown(limit)}"),
            )
        if (most := limits.max_worse_segments) is not None:
            guilty = self._worse(losses, places, limits.worse_by or 0.0)
            by = f" by more than {measured.shown(limits.worse_by)}" if limits.worse_by else ""
            yield Outcome(
                rule="max_worse_segments",
                passed=len(guilty) <= most,
                measured=len(guilty),
                limit=most,
                message=f"{counted(len(guilty), 'segment')} got worse in {name}{by}; {most:,} may",
                metric=name,
                group=group,
                segments=guilty if len(guilty) > most else (),
                shown=(f"{len(guilty):,}{by}", f"at most {most:,}"),
            )

    def _worse(self, losses: FloatArray, places: Int64Array, limit: float) -> tuple[str, ...]:
        """The segments that lost more, worst first."""
        order = np.argsort(-losses, kind="stable")
        return tuple(
            self._current.name(int(self._new[places[i]])) for i in order if losses[i] > limit
        )

    def changes(self, found: Mapping[int, Sequence[NewFinding]]) -> Iterator[ChangedSegment]:
        """The segments that are not what they were, those that lost most by the first metric first.

        ``found`` are today's new findings by row.
        """
        before, after = self._baseline, self._current
        first = next(iter(self._rows.values()))
        for place in np.argsort(-first.losses, kind="stable").tolist():
            old, new = self._joined.pairs[place]
            reworded = before.hypothesis_hashes[old] != after.hypothesis_hashes[new]
            if reworded or new in found or any(r.changed(place) for r in self._rows.values()):
                yield self._change(place, old, new, reworded, found.get(new, ()))

    def _change(
        self, place: int, old: int, new: int, reworded: bool, found: Sequence[NewFinding]
    ) -> ChangedSegment:
        before, after = self._baseline.texts, self._current.texts
        documents, domains = self._current.documents, self._current.domains
        scores = {
            name: _difference(
                self._current.metrics[name],
                float(rows.scores[0][place]),
                float(rows.scores[1][place]),
            )
            for name, rows in self._rows.items()
        }
        return ChangedSegment(
            name=self._current.name(new),
            row=new,
            reworded=reworded,
            scores=scores,
            before=None if before is None else before.hypotheses[old],
            after="" if after is None else after.hypotheses[new],
            reference="" if after is None else after.references[0][new] or "",
            source=None if after is None or after.sources is None else after.sources[new],
            document=None if documents is None else documents[new],
            domain=None if domains is None else domains[new],
            line=self._current.line(new),
            new_findings=tuple(one.finding for one in found),
        )


def _is_sound(old: Measured, new: Measured, metric: Metric) -> bool:
    """Whether the scores of a baseline are those that its statistics give: somebody may have edited it."""
    if old.statistics.shape[1] != new.statistics.shape[1]:
        return False
    with np.errstate(all="ignore"):
        scores = metric.segment_score(old.statistics[old.kept])
    return np.allclose(scores, old.segment[old.kept], rtol=1e-9, atol=1e-9)


def _difference(measured: Measured, before: float, after: float) -> Difference:
    loss = before - after if measured.higher_is_better else after - before
    return Difference(
        before=before,
        after=after,
        loss=loss,
        shown=(
            measured.shown(before),
            measured.shown(after),
            measured.shown(after - before, "+"),
        ),
    )


def _said(name: str, one: Difference) -> str:
    """``chrf fell from 77.40 to 58.24``."""
    if one.before == one.after:
        return f"{name} is {one.shown[0]} as before"
    verb = "fell" if one.after < one.before else "rose"
    return f"{name} {verb} from {one.shown[0]} to {one.shown[1]}"


def _tested(p: float | None, loss: float, untestable: str | None) -> str:
    if p is None:
        return untestable or "not tested" if loss else "as before"
    return f"{'worse' if loss > 0 else 'improved'}, p = {p:.4f}" if loss else f"p = {p:.4f}"


def _loss_shown(measured: Measured, loss: float) -> str:
    if loss == 0:
        return "as before"
    return f"{'worse' if loss > 0 else 'improved'} by {measured.shown(abs(loss))}"
