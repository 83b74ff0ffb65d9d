"""Which of two systems raters would prefer, and with what probability: one wording for all that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import isnan
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from metaphrase.scoring.result import Scores
    from metaphrase.trained.preference_table import PreferenceTable


@dataclass(frozen=True, slots=True)
class RatersPreference:
    """Raters prefer ``preferred`` to ``other`` with ``probability``; ties of raters count half.

    Both were scored on so many ``segments``, and their scores differ by ``difference``. If it is 0, either is
    preferred with probability 0.5.
    """

    metric: str
    preferred: str
    other: str
    difference: float
    segments: int
    probability: float
    calibrated_on: str

    def __str__(self) -> str:
        """A sentence without its full stop."""
        name = self.preferred if self.difference else None
        return preference_sentence(name, self.probability, self.calibrated_on)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def preference_sentence(name: str | None, probability: float, calibrated_on: str) -> str:
    """What raters would say, in words; ``name`` is ``None`` if both score the same.

    >>> preference_sentence("new", 0.8312, "WMT 2021")
    'raters would prefer new with probability 0.83 (calibrated on WMT 2021)'
    """
    return (
        f"raters would prefer {name or 'either'} with probability {probability:.2f} "
        f"(calibrated on {calibrated_on})"
    )


def preferred(
    table: PreferenceTable | None,
    metric: str,
    scores: tuple[float, float],
    names: tuple[str, str],
    *,
    segments: int = 1,
    higher_is_better: bool = True,
) -> RatersPreference | None:
    """Which of two raters prefer; ``None`` if nobody has measured it or a score is missing."""
    difference = scores[0] - scores[1] if higher_is_better else scores[1] - scores[0]
    if table is None or segments < 1 or isnan(difference):
        return None
    better, worse = names if difference >= 0 else (names[1], names[0])
    return RatersPreference(
        metric=metric,
        preferred=better,
        other=worse,
        difference=abs(difference),
        segments=segments,
        probability=table.probability(difference, segments),
        calibrated_on=table.calibrated_on,
    )


def raters_preferences(scores: Scores) -> Iterator[RatersPreference]:
    """The first system beside each other one, by each metric of which it is known."""
    if not scores.systems or not scores.systems[0].system:
        return
    first, *others = scores.systems
    for info in scores.metrics:
        for other in others:
            found = preferred(
                info.preferences,
                info.name,
                (first.system[info.name], other.system[info.name]),
                (first.name, other.name),
                segments=scores.segments - info.skipped,
                higher_is_better=info.higher_is_better,
            )
            if found is not None:
                yield found


def preference_lines(scores: Scores) -> Iterator[str]:
    """Of two systems, a line for each metric of which it is known what raters prefer."""
    if len(scores.systems) == 2:
        for one in raters_preferences(scores):
            yield f"{one.metric}: {one}"
