"""Two versions of one system: which segments changed, for better or worse, and what checks say of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus import Corpus
from metaphrase.errors import OptionError
from metaphrase.metrics import Metric
from metaphrase.report.dataset.found import Placed
from metaphrase.report.dataset.unit_texts import UnitTexts


@dataclass(frozen=True, slots=True)
class Versions:
    """Before and after: two systems by their positions, and the segments on which they differ."""

    before: int
    after: int
    segments: tuple[int, ...]


def compared_versions(
    corpus: Corpus, names: tuple[str, str], units: UnitTexts | None = None
) -> Versions:
    """The versions of these names, and which segments have another text, or other tags in it."""
    systems = list(corpus.systems)
    for name in names:
        if name not in systems:
            raise OptionError(
                "MP920",
                f"there is no system {name!r} to compare.",
                hint=f"The systems are {', '.join(systems)}.",
            )
    if names[0] == names[1]:
        raise OptionError(
            "MP920", f"{names[0]!r} is compared with itself.", hint="Name two systems."
        )
    before, after = (corpus.systems[name] for name in names)
    tags = [{} if units is None else dict(enumerate(units.systems.get(name, ()))) for name in names]
    changed = (
        row
        for row, (old, new) in enumerate(zip(before, after, strict=True))
        if old != new or tuple(tags[0].get(row, ())) != tuple(tags[1].get(row, ()))
    )
    return Versions(systems.index(names[0]), systems.index(names[1]), tuple(changed))


def with_changes(found: Sequence[Placed], versions: Versions) -> list[Placed]:
    """The findings, those of the two versions marked as ``new`` or ``gone`` where only one of them has them.

    Findings are the same if they are of one kind and disagree in the same words, wherever these stand.
    """
    sides = {versions.before: "gone", versions.after: "new"}
    other = {versions.before: versions.after, versions.after: versions.before}
    left = Counter(_key(one) for one in found if one.system in sides)
    result = []
    for one in found:
        if one.system in sides:
            twin = (other[one.system], *_key(one)[1:])
            if left[twin]:
                left[twin] -= 1
            else:
                one = replace(one, change=sides[one.system])
        result.append(one)
    return result


def changes_overview(
    versions: Versions,
    scores: FloatArray,
    metric: Metric,
    *,
    name: str,
    digits: int,
    found: Sequence[Placed] | None,
) -> dict[str, Any]:
    """The positions of both versions, and a sentence. ``scores`` are those of ``metric``, by segment."""
    rows = list(versions.segments)
    gain = scores[versions.after, rows] - scores[versions.before, rows]
    gain = gain if metric.higher_is_better else -gain
    # What a page shows as 0 is no difference.
    shown = np.round(gain, digits)
    better, worse = int((shown > 0).sum()), int((shown < 0).sum())
    refused = int(np.isnan(gain).sum())
    return {
        "before": versions.before,
        "after": versions.after,
        "summary": _summary(
            len(rows), scores.shape[1], (better, worse, refused), metric, name, found
        ),
    }


def change_block(versions: Versions, found: Sequence[Placed]) -> bytes:
    """Of each changed segment its number, and how many findings are new and how many gone."""
    counts = Counter((one.segment, one.change) for one in found)
    rows = [(row, counts[row, "new"], counts[row, "gone"]) for row in versions.segments]
    return np.array(rows, dtype="<u4").tobytes()


def _key(one: Placed) -> tuple[Any, ...]:
    said = [one.record.get(name) for name in ("side", "expected", "found")]
    # What names no words is known by its message.
    message = one.record["message"] if said[1] is None and said[2] is None else None
    return one.system, one.segment, one.kind[0], *said, message


def _summary(
    changed: int,
    segments: int,
    judged: tuple[int, int, int],
    metric: Metric,
    name: str,
    found: Sequence[Placed] | None,
) -> str:
    """*41 of 200 segments changed: 30 score higher, 9 lower, 2 alike by chrf; 3 new findings, 5 gone.*

    What a change improves comes first, also where lower scores are better.
    """
    if not changed:
        return "No segment changed."
    better, worse, refused = judged
    alike = changed - better - worse - refused
    ways = ("higher", "lower") if metric.higher_is_better else ("lower", "higher")
    plural = "segment" if segments == 1 else "segments"
    said = (
        f"{changed:,} of {segments:,} {plural} changed: "
        f"{better:,} score {ways[0]}, {worse:,} {ways[1]}, {alike:,} alike by {name}"
    )
    if refused:
        said += f", {refused:,} refused"
    if found is not None:
        marks = Counter(one.change for one in found)
        new = "1 new finding" if marks["new"] == 1 else f"{marks['new']:,} new findings"
        said += f"; {new}, {marks['gone']:,} gone"
    return f"{said}."
