"""What a report says in words before all tables: which system scores higher, and whether that was tested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.report.p_values import p_text
from metaphrase.scoring import MetricInfo
from metaphrase.scoring.doubts.wording import joined
from metaphrase.scoring.preference import preferred
from metaphrase.scoring.ranking import LEVEL, RankedSystem, SystemRanking
from metaphrase.statistics.resampling import PairedResult

_TEST = "randomisation test"
_CORRECTED = {"holm": f"{_TEST} with Holm's correction", "none": _TEST}


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """One metric's ranking; ``documents`` are scores of systems × documents, if they are known.

    ``segments`` is how many its scores are means of.
    """

    metric: MetricInfo
    ranking: SystemRanking
    documents: FloatArray | None = None
    segments: int = 0


def verdict(
    systems: Sequence[str], judged: Sequence[Judged], documents: Sequence[str] = ()
) -> str | None:
    """The verdict of the first of ``judged``, and which of the others put another system first.

    ``None`` if there are no two scores to compare.
    """
    first, *others = judged
    rows = [row for row in first.ranking.rows if np.isfinite(row.score)]
    if len(rows) < 2:
        return None
    best, second = rows[0], rows[1]
    sentences = [_differences(systems, first, rows), _raters(systems, first, best, second)]
    if best.score != second.score and first.ranking.differ(best.system, second.system) is not False:
        sentences.append(_by_document(systems, first, documents))
    leaders = {row.system for row in rows if row.rank == 1}
    dissenting = [one.metric.name for one in others if leaders.isdisjoint(_first(one.ranking))]
    if dissenting:
        sentences.append(f"By {joined(dissenting)}, another system comes first.")
    return " ".join(filter(None, sentences))


def _differences(systems: Sequence[str], judged: Judged, rows: Sequence[RankedSystem]) -> str:
    best, second = rows[0], rows[1]
    winner, next_best, metric = systems[best.system], systems[second.system], judged.metric
    ahead = f"{abs(best.score - second.score):.{metric.digits}f}"
    test = judged.ranking.test(best.system, second.system)
    if len(rows) > 2:
        leader = f"{winner} has the best score of {len(rows)} systems by {metric.name}"
        if test is not None:
            alike = _alike(judged.ranking, rows)
            test_name = _test(judged.ranking)
            if not alike:
                return (
                    f"{leader}, {ahead} ahead of {next_best} ({_p(judged.ranking, best, second)})."
                )
            names = joined([systems[place] for place in alike])
            reasons = {_untestable(judged.ranking.test(best.system, place)) for place in alike}
            if len(reasons) == 1 and (reason := reasons.pop()):
                return f"{leader}; there are {reason} it against {names}."
            if len(alike) == len(rows) - 1:
                return (
                    f"{leader}, but none of the others differs from it significantly ({test_name})."
                )
            verb = "does" if len(alike) == 1 else "do"
            return f"{leader}; {names} {verb} not differ from it significantly ({test_name})."
        ties = [systems[row.system] for row in rows if row.score == best.score]
        if len(ties) > 1:
            return f"{joined(ties)} share the best score of {len(rows)} systems by {metric.name}."
        return f"{leader}, {ahead} ahead of {next_best}. The differences were not tested."
    if best.score == second.score:
        return f"{winner} and {next_best} have the same score by {metric.name}."
    higher = "higher" if metric.higher_is_better else "lower"
    scores = f"{winner} scores {ahead} {metric.name} {higher} than {next_best}"
    if not metric.higher_is_better:
        scores += ", and lower is better"
    if test is None:
        return f"{scores}. The difference was not tested."
    if reason := _untestable(test):
        return f"{scores}, with {reason}."
    said = _p(judged.ranking, best, second)
    if judged.ranking.differ(best.system, second.system):
        return f"{scores} ({said})."
    return (
        f"{winner} and {next_best} do not differ significantly by {metric.name} ({said}): "
        f"{winner} is {ahead} ahead."
    )


def _raters(
    systems: Sequence[str], judged: Judged, best: RankedSystem, second: RankedSystem
) -> str:
    """Whether raters would agree that the first is better than the second."""
    found = preferred(
        judged.metric.preferences,
        judged.metric.name,
        (best.score, second.score),
        (systems[best.system], systems[second.system]),
        segments=judged.segments,
        higher_is_better=judged.metric.higher_is_better,
    )
    if found is None or not found.difference:
        return ""
    sentence = str(found)
    return f"{sentence[0].upper()}{sentence[1:]}."


def _alike(ranking: SystemRanking, rows: Sequence[RankedSystem]) -> list[int]:
    """The systems that do not differ significantly from the best: its cluster, and rarely one from below."""
    finite = {row.system for row in rows}
    return [place for place in ranking.alike() if place in finite]


def _untestable(test: PairedResult | None) -> str | None:
    """*Too few segments to test*, if they were; two systems may also be alike in all of many segments."""
    return test.untestable(LEVEL) if test is not None and test.differing else None


def _by_document(systems: Sequence[str], judged: Judged, documents: Sequence[str]) -> str:
    """On which documents the second system is ahead of the first, the clearest first."""
    if judged.documents is None or len(documents) < 2:
        return ""
    best, second = (row.system for row in judged.ranking.rows[:2])
    gain = judged.documents[second] - judged.documents[best]
    gain = gain if judged.metric.higher_is_better else -gain
    against = [int(place) for place in np.argsort(-gain, kind="stable") if gain[place] > 0]
    if against:
        names = joined([documents[place] or "the one without a name" for place in against])
        return (
            f"{systems[second]} is ahead in {len(against)} of {len(documents)} documents: {names}."
        )
    if np.all(gain < 0):
        return f"It is ahead in all {len(documents)} documents."
    return f"{systems[second]} is ahead in none of the {len(documents)} documents."


def _first(ranking: SystemRanking) -> set[int]:
    return {row.system for row in ranking.rows if row.rank == 1 and np.isfinite(row.score)}


def p_words(p: float) -> str:
    """The p-value with the name of the test."""
    return f"{_TEST}, {p_text(p)}"


def _p(ranking: SystemRanking, one: RankedSystem, other: RankedSystem) -> str:
    p = ranking.p_value(one.system, other.system)
    assert p is not None
    return f"{_test(ranking)}, {p_text(p)}"


def _test(ranking: SystemRanking) -> str:
    """The test's name; a single pair has nothing to be corrected for."""
    return _CORRECTED[ranking.correction] if len(ranking.rows) > 2 else _TEST
