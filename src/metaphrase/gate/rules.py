"""What a team allows: limits for every metric, for some, for a language, documents and domains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any

from metaphrase.errors import OptionError
from metaphrase.gate.checking import Checking
from metaphrase.gate.groups import LEVELS, Group, Level
from metaphrase.gate.snapshot import Measured
from metaphrase.languages import Language, find_language, regional_code
from metaphrase.options import check_options, option

#: What is asked if nobody says anything: a paired test, which needs no scale.
DEFAULTS: Mapping[str, Any] = {"alpha": 0.05}
#: Limits that are about what was before.
_OF_CHANGES = ("max_drop", "alpha", "max_segment_drop", "max_worse_segments")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one metric's scores may do; ``None`` is no limit. Scores and drops are on the metric's scale."""

    min_score: float | None = option(None, "the system's score may not be below this")
    max_score: float | None = option(None, "nor above this, for metrics of which less is better")
    max_drop: float | None = option(None, "the system's score may not get worse by more", low=0)
    alpha: float | None = option(
        None, "it may not get worse significantly: level of the paired test", low=0, high=1
    )
    tolerance: float | None = option(
        None, "a drop up to this is fine, however significant it is", low=0
    )
    max_segment_drop: float | None = option(None, "no segment's score may get worse by more", low=0)
    max_worse_segments: int | None = option(
        None, "so many segments may get worse by more than worse_by", low=0
    )
    worse_by: float | None = option(None, "what counts for max_worse_segments", low=0)

    def __post_init__(self) -> None:
        """Check each limit, and what must go together."""
        check_options(self, code="MP909")
        if self.max_worse_segments is None and self.worse_by is not None:
            raise OptionError(
                "MP910",
                "worse_by says what max_worse_segments counts, and that is not there.",
                hint="Add max_worse_segments, or write max_segment_drop instead.",
            )
        if self.tolerance is not None and self.alpha is None:
            raise OptionError(
                "MP910", "tolerance is for the paired test, and alpha is not there.", hint="Add it."
            )

    @property
    def needs_baseline(self) -> bool:
        """Whether a limit is about what was before."""
        return any(getattr(self, name) is not None for name in _OF_CHANGES)


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingLimits:
    """How many findings of each severity a change may bring; ``None`` is no limit."""

    new_critical: int | None = option(None, "findings that were not there before", low=0)
    new_major: int | None = option(None, "findings that were not there before", low=0)
    new_minor: int | None = option(None, "findings that were not there before", low=0)

    def __post_init__(self) -> None:
        """Check each limit."""
        check_options(self, code="MP909")


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Limits by name as they were written, for every metric and for single ones; ``None`` takes one away."""

    every: Mapping[str, Any] = field(default_factory=dict)
    metrics: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def of(self, metric: str) -> dict[str, Any]:
        """What it says of one metric, whose own limits go before those of all."""
        return {**self.every, **self.metrics.get(metric, {})}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How snapshots are compared.

    ``min_common`` is the share of the baseline's segments that must be there to be compared: a gate that
    compares next to nothing should not be green. ``max_removed`` is how many of them may be gone, or have
    lost their translation. ``max_skipped`` is how many may have lost their score, because a metric refuses
    them now: nobody knows that they did not get worse.
    """

    min_common: float = option(
        0.5, "share of the baseline's segments that must still be there", low=0, high=1
    )
    max_removed: int | None = option(None, "so many of the baseline's segments may be gone", low=0)
    max_skipped: int = option(
        0, "so many segments may lose their score because a metric refuses them now", low=0
    )
    resamples: int = option(1000, "of the paired test", low=1, high=1_000_000)
    seed: int = option(12345, "of the random numbers", low=0)

    def __post_init__(self) -> None:
        """Check each setting."""
        check_options(self, code="MP909")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """All that a team says.

    ``languages`` override the rest for texts in that language, ``over`` overrides everything: it is what the
    command line says. ``documents`` and ``domains`` are rules of their own for those whose names match a
    pattern.
    ``checking`` says which checks are made, ``findings`` how many may be new, and ``metrics`` what is to be
    scored, if the rules say so.

    >>> rules = Rules(section=Section(every={"max_drop": 1}, metrics={"ter": {"max_drop": 3}}))
    >>> rules.limits("chrf", "en").max_drop, rules.limits("ter", "en").max_drop
    (1, 3)
    """

    section: Section = field(default_factory=lambda: Section(every=DEFAULTS))
    languages: Mapping[str, Section] = field(default_factory=dict)
    documents: Mapping[str, Section] = field(default_factory=dict)
    domains: Mapping[str, Section] = field(default_factory=dict)
    over: Mapping[str, Any] = field(default_factory=dict)
    findings: FindingLimits = field(default_factory=lambda: FindingLimits(new_critical=0))
    checking: Checking = field(default_factory=lambda: Checking())
    metrics: tuple[str, ...] | None = None
    settings: Settings = field(default_factory=lambda: Settings())

    def limits(self, metric: str, language: str) -> Limits:
        """The limits of a metric for the whole of a text in a language."""
        given = self.section.of(metric)
        # ``pt-BR`` is Portuguese, too, unless it has rules of its own.
        found = find_language(language) or Language(language)
        for code in dict.fromkeys((found.base, found.code, found.tag)):
            for name, section in self.languages.items():
                if regional_code(name) == code:
                    given |= section.of(metric)
        return Limits(**{**given, **self.over})

    def groups(self, level: Level) -> Mapping[str, Section]:
        """The rules for documents or domains by name or pattern."""
        return self.documents if level == "document" else self.domains

    def group_limits(self, group: Group, metric: str) -> Limits | None:
        """The limits of a metric in a document or domain: of its name, or of the first pattern that fits."""
        sections = self.groups(group.level)
        section = sections.get(group.name) or next(
            (s for pattern, s in sections.items() if fnmatchcase(group.name, pattern)), None
        )
        return None if section is None else Limits(**section.of(metric))

    @property
    def needs_baseline(self) -> bool:
        """Whether a limit is about what was before, apart from what holds by default."""
        default = self.section.every is DEFAULTS
        sections = [
            *self.languages.values(),
            *(one for level in LEVELS for one in self.groups(level).values()),
        ]
        tables = [
            *([] if default else [self.section.every]),
            *self.section.metrics.values(),
            *(table for one in sections for table in (one.every, *one.metrics.values())),
            self.over,
        ]
        return any(table.get(name) is not None for table in tables for name in _OF_CHANGES)

    def overridden(self, **given: Any) -> Rules:
        """The same, with other limits for the whole text."""
        return replace(self, over={**self.over, **given})


def check_limits(limits: Limits, metric: str, measured: Measured) -> None:
    """Refuse a limit that this metric's scores can never break, or that means the opposite for it.

    A drop of 1 is much for a score out of 100 and everything for one out of 1.
    """
    low, high = measured.bounds
    for name in ("max_drop", "tolerance", "max_segment_drop", "worse_by"):
        limit = getattr(limits, name)
        if limit is not None and limit >= high - low:
            raise OptionError(
                "MP910",
                f"{name} = {limit:g} can never be exceeded: {metric} goes from {low:g} to {high:g}.",
                hint=f"Give {metric} limits of its own: [metric.{_key(metric)}].",
            )
    wrong, right = (
        ("max_score", "min_score") if measured.higher_is_better else ("min_score", "max_score")
    )
    if getattr(limits, wrong) is not None:
        better = "more" if measured.higher_is_better else "less"
        raise OptionError(
            "MP910",
            f"{wrong} is no limit for {metric}, of which {better} is better.",
            hint=f"Write {right}.",
        )
    limit = getattr(limits, right)
    if limit is not None and not low <= limit <= high:
        raise OptionError(
            "MP910", f"{right} = {limit:g}, but {metric} goes from {low:g} to {high:g}."
        )


def _key(name: str) -> str:
    return name if name.replace("-", "").replace("_", "").isalnum() else f'"{name}"'
