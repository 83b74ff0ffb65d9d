"""Profiles of a report: for each metric what systems lose by kind of error, or why nobody can tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from metaphrase.corpus import Corpus
from metaphrase.errors import MetaphraseError
from metaphrase.metrics import Metric
from metaphrase.report.dataset import blocks
from metaphrase.report.dataset.profile_words import (
    difference_paragraph,
    length_words,
    points_digits,
)
from metaphrase.report.dataset.segment_explainer import compact
from metaphrase.scoring import Profile, Scores, profile
from metaphrase.scoring.repair_profile import GroupLoss, after, is_external

#: Translations that are repaired for each metric unless somebody says how many segments, and the most and
#: the fewest segments that makes: some ten seconds with accord.
_TRANSLATIONS = 1_200
_MOST, _LEAST = 500, 50
#: Documents and domains of a profile: those where most is lost.
_GROUPS = 200

#: A profile, or in words why there is none.
Profiled = Profile | str


def profiled_segments(systems: int) -> int:
    """How many segments are profiled unless somebody says so."""
    return min(_MOST, max(_LEAST, _TRANSLATIONS // systems))


def profile_by_metric(
    corpus: Corpus,
    scores: Scores,
    metrics: Mapping[str, Metric],
    segments: int | None,
    *,
    resamples: int,
    seed: int,
    threads: int | None,
    progress: Callable[[int], None] | None = None,
) -> list[Profiled]:
    """The profile of each metric; ``segments`` are chosen for it if that is ``None``."""
    found: list[Profiled] = []
    wanted = profiled_segments(len(corpus.systems)) if segments is None else segments
    for metric in metrics.values():
        if segments is None and is_external(metric):
            found.append("it is an external metric, and --profile N was not given.")
            continue
        before = sum(one.segments for one in found if isinstance(one, Profile)) * len(
            corpus.systems
        )
        tell = None if progress is None else after(progress, before)
        try:
            of_metric = profile(
                corpus,
                metric,
                segments=wanted,
                scores=scores,
                resamples=resamples,
                seed=seed,
                threads=threads,
                progress=tell,
            )
        except MetaphraseError as error:
            found.append(error.message)
        else:
            found.append(of_metric)
    return found


def profile_overview(profiles: Sequence[Profiled]) -> dict[str, Any]:
    """Which metrics have a profile, by their positions; nothing at all if none has."""
    found = [number for number, one in enumerate(profiles) if isinstance(one, Profile)]
    return {"profiles": found} if found else {}


def profile_notes(profiles: Sequence[Profiled], metrics: Iterable[str]) -> list[str]:
    """Why metrics have none."""
    return [
        f"By {metric}, no points lost by kind of error: {one}"
        for metric, one in zip(metrics, profiles, strict=False)
        if isinstance(one, str) and one
    ]


def profile_blocks(
    profiles: Sequence[Profiled], systems: Sequence[str]
) -> Iterator[tuple[str, bytes]]:
    """A block for each metric that has a profile, with systems by their positions."""
    for number, one in enumerate(profiles):
        if isinstance(one, Profile):
            yield f"profile/{number}", blocks.json_block(compact(_record(one, systems)))


def _record(found: Profile, systems: Sequence[str]) -> dict[str, Any]:
    difference = found.difference
    return {
        "digits": points_digits(found),
        "segments": found.segments,
        "ofSegments": found.of_segments,
        "paragraph": difference_paragraph(found),
        "systems": [
            {
                "system": systems.index(one.system),
                "score": one.score,
                "low": one.score_low,
                "high": one.score_high,
                "scoreOfAll": one.score_of_all,
                "lost": one.lost,
                "kinds": [asdict(kind) for kind in one.kinds],
                "frequent": [asdict(repair) for repair in one.frequent],
            }
            for one in found.systems
        ],
        "groups": list(_groups(found)),
        "lengths": length_words(found),
        "difference": None
        if difference is None
        else {
            "better": systems.index(difference.better),
            "worse": systems.index(difference.worse),
            "kinds": [asdict(kind) for kind in difference.kinds],
        },
    }


def _groups(found: Profile) -> Iterator[dict[str, Any]]:
    """Documents, domains and lengths, with what each system loses there; of many, where most is lost."""
    columns = [{(one.by, one.name): one for one in system.groups} for system in found.systems]
    for by in ("domain", "document", "length"):
        places = [place for place in columns[0] if place[0] == by]
        if len(places) > _GROUPS:
            places.sort(key=lambda place: -sum(column[place].points for column in columns))
        for place in places[:_GROUPS]:
            of_place = [column[place] for column in columns]
            yield {
                "by": by,
                "name": place[1],
                "segments": of_place[0].segments,
                "points": [one.points for one in of_place],
                "mostly": [most_costly(one) for one in of_place],
            }


def most_costly(group: GroupLoss) -> str:
    """The kind that costs most there."""
    return max(group.kinds, key=lambda kind: group.kinds[kind]) if group.kinds else ""
