"""Two snapshots held against rules: what came before, and what is to be merged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from math import nan

from metaphrase.errors import InputError, OptionError
from metaphrase.gate.comparison import Comparison
from metaphrase.gate.groups import LEVELS, Group
from metaphrase.gate.joining import Joined, join_segments
from metaphrase.gate.new_findings import by_row, finding_outcomes, new_findings
from metaphrase.gate.rules import Limits, Rules, check_limits
from metaphrase.gate.signatures import check_check_signatures, check_signatures
from metaphrase.gate.snapshot import Measured, Snapshot
from metaphrase.gate.verdict import Outcome, Verdict
from metaphrase.metrics import Metric
from metaphrase.scoring.engine import labelled_metrics
from metaphrase.statistics.exact_sum import ExactSum

_NO_BASELINE = "There is no baseline, so nothing was compared with what was before."


def judge(
    rules: Rules,
    baseline: Snapshot | None,
    current: Snapshot,
    metrics: Sequence[str | Metric],
    *,
    threads: int | None = None,
) -> Verdict:
    """Say which rules hold for ``current``, and what changed since ``baseline``.

    ``metrics`` are those of ``current``, none if it was only checked. Without a baseline, rules about what
    was before are not judged: a note says so.

    >>> from metaphrase.gate import take_snapshot
    >>> def run(file):
    ...     corpus = metaphrase.read("reference.txt", {"mine": file})
    ...     scores = metaphrase.score(
    ...         corpus, ["chrf"], levels=["system", "segment"], keep_statistics=True
    ...     )
    ...     return take_snapshot(corpus, scores, ["chrf"])
    >>> judge(Rules(), run("system-a.txt"), run("system-b.txt"), ["chrf"]).title
    'red: 1 of 2 rules is broken'
    """
    chosen = labelled_metrics(metrics, current.language) if metrics else {}
    if missing := [name for name in chosen if name not in current.metrics]:
        raise OptionError("MP755", f"{missing[0]} was not measured.", hint="Score with it first.")
    limits = {name: rules.limits(name, current.language) for name in chosen}
    for name, metric_limits in limits.items():
        check_limits(metric_limits, name, current.metrics[name])
    if baseline is None:
        return _without_baseline(rules, current, chosen, limits)
    if not chosen:
        return _checks_alone(rules, baseline, current)
    check_signatures(baseline, {name: current.metrics[name].signature for name in chosen})
    check_check_signatures(baseline, current)
    groups = list(_group_limits(rules, current, chosen))
    _check_domains(rules, baseline)
    joined = join_segments(baseline, current)
    comparison = Comparison(rules, baseline, current, chosen, joined, threads)
    found = new_findings(baseline, current, joined)
    outcomes = [*comparison.common(), *comparison.skipped()]
    for group, name, some in [*((None, *one) for one in limits.items()), *groups]:
        outcomes += _absolute(some, name, chosen[name], current, group)
        outcomes += comparison.outcomes(name, some, group)
    return Verdict(
        system=current.system,
        language=current.language,
        outcomes=(*outcomes, *finding_outcomes(rules.findings, found)),
        scores=comparison.scores,
        signatures={name: current.metrics[name].signature for name in chosen},
        segments=len(current),
        compared=len(joined.pairs),
        changes=tuple(comparison.changes(by_row(found or ()))),
        new_findings=tuple(found or ()),
        added=tuple(map(current.name, joined.added)),
        removed=tuple(map(baseline.name, joined.removed)),
        rereferenced=tuple(current.name(new) for _, new in joined.changed),
        notes=(
            *_skipped_notes(current, chosen),
            *comparison.notes,
            *_check_notes(baseline, current),
            *_group_notes(rules, current),
        ),
    )


def _checks_alone(rules: Rules, baseline: Snapshot, current: Snapshot) -> Verdict:
    """What can be said of units without references: which findings are new."""
    check_check_signatures(baseline, current)
    found = new_findings(baseline, current, Joined(()))
    return Verdict(
        system=current.system,
        language=current.language,
        outcomes=tuple(finding_outcomes(rules.findings, found)),
        scores={},
        signatures={},
        segments=len(current),
        compared=0,
        new_findings=tuple(found or ()),
        notes=tuple(_check_notes(baseline, current)),
    )


def _skipped_notes(current: Snapshot, metrics: Iterable[str]) -> Iterator[str]:
    """How many segments no score knows of."""
    for name in metrics:
        kept = current.metrics[name].kept
        if not kept.all():
            yield (
                f"{name} refused {int((~kept).sum()):,} of {len(kept):,} segments, which are in none of "
                "its scores."
            )


def _check_notes(before: Snapshot, after: Snapshot) -> Iterator[str]:
    """Why findings were not compared, where only one side has them."""
    if (before.findings is None) != (after.findings is None):
        which = "The baseline was" if before.findings is None else "The translations were"
        yield f"{which} not checked, so it is not known which findings are new."


def _without_baseline(
    rules: Rules, current: Snapshot, metrics: Mapping[str, Metric], limits: Mapping[str, Limits]
) -> Verdict:
    """Whether scores are good enough, which is all that can be said."""
    whole = ((None, name, some) for name, some in limits.items())
    outcomes = [
        outcome
        for group, name, some in (*whole, *_group_limits(rules, current, metrics))
        for outcome in _absolute(some, name, metrics[name], current, group)
    ]
    return Verdict(
        system=current.system,
        language=current.language,
        outcomes=tuple(outcomes),
        scores={},
        signatures={name: current.metrics[name].signature for name in metrics},
        segments=len(current),
        compared=0,
        notes=(_NO_BASELINE, *_skipped_notes(current, metrics), *_group_notes(rules, current)),
    )


def _check_domains(rules: Rules, baseline: Snapshot) -> None:
    """Refuse a baseline that does not say what was in a domain before."""
    if rules.domains and baseline.domains is None:
        raise InputError(
            "MP914",
            "there are rules for domains, and the segments of the baseline have none.",
            hint="Write it again with --write-baseline and --domains.",
        )


def _group_limits(
    rules: Rules, current: Snapshot, metrics: Iterable[str]
) -> Iterator[tuple[Group, str, Limits]]:
    """Each document and domain that has rules, each metric, and its limits there."""
    for level in LEVELS:
        if not rules.groups(level):
            continue
        names = current.groups(level)
        if names is None:
            raise OptionError(
                "MP914",
                f"there are rules for {level}s, and the texts have no {level} ids.",
                hint=f"Give them with --{level}s, or a {level} column.",
            )
        for group in (Group(level, name) for name in dict.fromkeys(names)):
            for metric in metrics:
                limits = rules.group_limits(group, metric)
                if limits is not None:
                    check_limits(limits, metric, current.metrics[metric])
                    yield group, metric, limits


def _group_notes(rules: Rules, current: Snapshot) -> Iterator[str]:
    """Rules for documents and domains that are not there, which may have been renamed."""
    for level in LEVELS:
        known = dict.fromkeys(current.groups(level) or ())
        for pattern in rules.groups(level):
            if not any(name == pattern or fnmatchcase(name, pattern) for name in known):
                close = get_close_matches(pattern, known, n=1)
                hint = f" Did you mean {close[0]}?" if close else ""
                yield f"No {level} is called {pattern}, for which there are rules.{hint}"


def _absolute(
    limits: Limits, name: str, metric: Metric, current: Snapshot, group: Group | None
) -> Iterator[Outcome]:
    """Whether a score is good enough, whatever came before."""
    measured = current.metrics[name]
    for rule, limit in (("min_score", limits.min_score), ("max_score", limits.max_score)):
        if limit is not None:
            value = _score(metric, measured, current, group)
            than = "at least" if rule == "min_score" else "at most"
            yield Outcome(
                rule=rule,
                passed=value >= limit if rule == "min_score" else value <= limit,
                measured=value,
                limit=limit,
                message=f"{name} is {measured.shown(value)} and must be {than} "
                f"{measured.shown(limit)}",
                metric=name,
                group=group,
                shown=(measured.shown(value), f"{than} {measured.shown(limit)}"),
            )


def _score(metric: Metric, measured: Measured, current: Snapshot, group: Group | None) -> float:
    """The score of the system, or of one document or domain."""
    names = None if group is None else current.groups(group.level)
    if group is None or names is None:
        return measured.system
    kept = measured.kept
    rows = [row for row, name in enumerate(names) if name == group.name and kept[row]]
    if not rows:
        return nan
    total = ExactSum()
    total.add(measured.statistics[rows])
    return float(metric.score(total.value()[None])[0])
