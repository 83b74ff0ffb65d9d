"""A profile in words: how far two systems are apart, by what, and how few segments decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from metaphrase.report.dataset.verdict import p_words
from metaphrase.report.terminal.score_tables import counted
from metaphrase.scoring.doubts.wording import joined
from metaphrase.scoring.repair_profile import LEVEL, KindLoss, Profile, ProfileDifference

#: Kinds that a sentence names.
_MORE, _LESS = 3, 2


def difference_paragraph(profile: Profile) -> str | None:
    """Why one of two systems scores higher, with the test; ``None`` unless there are two."""
    found = profile.difference
    if found is None:
        return None
    if not found.points:
        return f"{found.better} and {found.worse} score the same by {profile.metric} {_where(profile)}."
    sentences = [_outcome(profile, found), _of_all(profile, found), _kinds(profile, found)]
    if found.half is not None:
        verb = "makes" if found.half == 1 else "make"
        sentences.append(
            f"{counted(found.half, 'segment')} of {profile.segments:,} {verb} half of the difference."
        )
    return " ".join(filter(None, sentences))


def profile_record(profile: Profile) -> dict[str, Any]:
    """The profile as JSON, with the paragraph."""
    return {**profile.to_dict(), "paragraph": difference_paragraph(profile)}


def sample_words(profile: Profile) -> str:
    """How many segments were looked at, and of how many."""
    if profile.segments < profile.of_segments:
        return f"a sample of {profile.segments:,} of {counted(profile.of_segments, 'segment')}"
    return counted(profile.of_segments, "segment")


def length_words(profile: Profile) -> str | None:
    """What short, medium and long are, if the segments are parted so."""
    most = [one.words[1] for one in profile.systems[0].groups if one.words is not None]
    if not most:
        return None
    numbers = joined([f"{words:,}" for words in most])
    return (
        f"short, medium and long are thirds of the segments: up to {numbers} words of the reference"
    )


def points_digits(profile: Profile) -> int:
    """Decimals of points: one on a scale of 100, three on a scale of 1."""
    values = (abs(value) for one in profile.systems for value in (one.maximum, one.score))
    return 1 if max(values, default=0.0) > 2 else 3


def points_words(value: float, digits: int) -> str:
    """A number without a sign if it is 0 as shown."""
    text = f"{value:.{digits}f}"
    return text.replace("-", "−") if float(text) else f"{0.0:.{digits}f}"


def _where(profile: Profile) -> str:
    return f"on average over {sample_words(profile)}"


def _outcome(profile: Profile, found: ProfileDifference) -> str:
    digits = points_digits(profile)
    ahead = points_words(found.points, digits)
    facts = []
    if found.low is not None and found.high is not None:
        ends = (points_words(end, digits) for end in (found.low, found.high))
        facts.append("95% interval {} to {}".format(*ends))
    if found.untestable is None:
        facts.append(p_words(found.p_value))
    told = f" ({'; '.join(facts)})" if facts else ""
    if found.p_value >= LEVEL and found.untestable is None:
        return (
            f"{found.better} and {found.worse} do not differ significantly {_where(profile)}: "
            f"{found.better} is {ahead} {profile.metric} ahead{told}."
        )
    higher = "higher" if profile.higher_is_better else "lower (lower is better)"
    text = f"{found.better} scores {ahead} {profile.metric} {higher} than {found.worse} "
    text += f"{_where(profile)}{told}"
    return f"{text}, with {found.untestable}." if found.untestable else f"{text}."


def _of_all(profile: Profile, found: ProfileDifference) -> str:
    """What the sample misses the difference of all segments by."""
    means = {one.system: one.score_of_all for one in profile.systems}
    better, worse = means[found.better], means[found.worse]
    if better is None or worse is None:
        return ""
    ahead = better - worse if profile.higher_is_better else worse - better
    number = points_words(ahead, points_digits(profile))
    return f"Over all {profile.of_segments:,} segments the difference is {number}."


def _kinds(profile: Profile, found: ProfileDifference) -> str:
    """The kinds that make the difference; where there are intervals, those that leave out 0."""
    digits = points_digits(profile)
    shown = [one for one in found.kinds if float(f"{one.points:.{digits}f}")]
    clear = [one for one in shown if one.low is None or one.high is None or one.low * one.high > 0]
    if not clear:
        return "No kind of error differs clearly by itself." if shown else ""
    fewer = [one for one in clear if one.points > 0][:_MORE]
    more = [one for one in clear if one.points < 0][:_LESS]
    parts = []
    if fewer:
        parts.append(f"loses fewer points by {_listed(fewer, digits)}")
    if more:
        parts.append(f"{'more' if fewer else 'loses more points'} by {_listed(more, digits)}")
    return f"{found.better} {', and '.join(parts)}."


def _listed(kinds: Sequence[KindLoss], digits: int) -> str:
    return joined([f"{one.kind} ({points_words(abs(one.points), digits)})" for one in kinds])
