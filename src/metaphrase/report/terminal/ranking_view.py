"""What tests say of systems: notes below a table, sentences about two systems, matrices of all pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from metaphrase.report.p_values import p_number, p_text
from metaphrase.report.terminal.columns import Cell, Columns
from metaphrase.scoring import MetricInfo, Scores
from metaphrase.scoring.ranking import LEVEL, SystemRanking
from metaphrase.scoring.system_difference import SystemDifference

#: Systems that a matrix on a screen shows.
MOST_IN_A_MATRIX = 20
_CORRECTIONS = {"holm": "Holm's correction", "none": "no correction for their number"}


def ranking_notes(scores: Scores) -> Iterator[str]:
    """What ranks and intervals mean, and how they came about: once for all metrics that share it."""
    if not scores.rankings:
        return
    first = next(iter(scores.rankings.values()))
    tested = [ranking for ranking in scores.rankings.values() if ranking.tested]
    reasons = {test.untestable(LEVEL) for ranking in tested for test in ranking.tests.values()}
    if tested and None not in reasons:
        reason = min(map(str, reasons)).replace("segment", first.unit)
        yield f"Ranks were not tested: {reason}."
    elif tested:
        pairs = len(tested[0].tests)
        yield (
            f"rank: places that cannot be told apart, p < {LEVEL} in approximate randomisation of "
            f"{pairs:,} pairs, {tested[0].resamples:,} resamples, {_CORRECTIONS[tested[0].correction]}"
        )
    elif len(scores.systems) > 1:
        yield (
            "Ranks were not tested: there are too many pairs and segments to do it unasked. "
            "--all-pairs tests them."
        )
    if first.rows and first.rows[0].low is not None:
        yield (
            f"±: half of the 95 % interval of {first.resamples:,} bootstrap resamples; seed {first.seed}"
        )
    if first.unit != "segment":
        yield f"Whole {first.unit}s were exchanged and drawn."


def difference_text(difference: SystemDifference, info: MetricInfo) -> str:
    """One sentence: who scores higher, by how much, whether that was an accident, and where."""
    one, other = difference.leader, difference.other
    test = f"{p_text(difference.test.p_value)}, approximate randomisation"
    if difference.unit != "segment":
        test += f" of {difference.unit}s"
    untestable = difference.test.untestable(LEVEL)
    if untestable:
        test = untestable.replace("segment", difference.unit)
    by = f"{info.shown(difference.difference)}"
    interval = f"95 % interval {info.shown(difference.low)} to {info.shown(difference.high)}"
    if difference.difference == 0:
        said = f"{one} and {other} have the same score ({interval}, {test})"
    else:
        direction = "higher" if info.higher_is_better else "lower"
        aside = "" if info.higher_is_better else "; lower is better"
        said = f"{one} scores {direction} than {other} by {by} ({interval}, {test}{aside})"
        if not difference.significant and not untestable:
            said = f"{said}, which is not significant"
    wins = "wins" if difference.difference else f"{one} wins"
    return (
        f"{difference.metric}: {said}; {wins} {_segments(difference.wins)}, "
        f"loses {difference.losses:,}, {difference.equal:,} equal"
    )


def _segments(count: int) -> str:
    return f"{count:,} segment{'' if count == 1 else 's'}"


def pair_matrices(scores: Scores) -> Iterator[tuple[str, Columns]]:
    """Of each metric a title and a matrix: p-values below the diagonal, differences above it."""
    infos: Mapping[str, MetricInfo] = {info.name: info for info in scores.metrics}
    for metric, ranking in scores.rankings.items():
        if ranking.tested:
            yield _title(metric, ranking), _matrix(scores, ranking, infos[metric])


def _title(metric: str, ranking: SystemRanking) -> str:
    shown, size = min(len(ranking.rows), MOST_IN_A_MATRIX), len(ranking.rows)
    corrected = "corrected p-values" if ranking.correction == "holm" else "p-values"
    said = f"{metric}: differences (row − column) above, {corrected} below the diagonal; bold: p < {LEVEL}"
    if shown == size:
        return said
    return f"{said}; the first {shown} of {size} systems (--format tsv and json have all)"


def _matrix(scores: Scores, ranking: SystemRanking, info: MetricInfo) -> Columns:
    rows = ranking.rows[:MOST_IN_A_MATRIX]
    size = len(rows)
    cells = [[Cell("") for _ in rows] for _ in rows]
    for above, below in combinations(range(size), 2):
        one, other = rows[above], rows[below]
        p = ranking.p_value(one.system, other.system)
        style = "bold" if ranking.differ(one.system, other.system) else ""
        cells[above][below] = Cell(info.shown(one.score - other.score), style)
        test = ranking.test(one.system, other.system)
        untestable = test is not None and test.untestable(LEVEL)
        cells[below][above] = Cell("—" if p is None or untestable else p_number(p), style)
    table = [
        [Cell(str(number + 1)), Cell(scores.systems[row.system].name), *line]
        for number, (row, line) in enumerate(zip(rows, cells, strict=True))
    ]
    header = ["", "system", *(str(number + 1) for number in range(size))]
    return Columns(header, table, [True, False, *(True for _ in rows)], keys=2)
