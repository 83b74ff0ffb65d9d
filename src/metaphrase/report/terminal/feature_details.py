"""The numbers behind features: columns if all features have them, else beside the feature."""

from __future__ import annotations

from collections.abc import Sequence

from metaphrase.metrics import Feature
from metaphrase.report.terminal.columns import rounded


def common_details(features: Sequence[Feature]) -> list[str]:
    """The names of details that every feature has, in order."""
    first = features[0].details if features else {}
    return [name for name in first if all(name in feature.details for feature in features)]


def own_details(feature: Feature, common: Sequence[str]) -> str:
    """The other details of a feature, with their names."""
    others = (name for name in feature.details if name not in common)
    return ", ".join(f"{name} {rounded(feature.details[name], '.3f')}" for name in others)
