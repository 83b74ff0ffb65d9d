"""Whether what a plan says can be meant: a hash that is right only proves that somebody computed it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, get_args

from metaphrase.corpus.validation import EmptyReferences

if TYPE_CHECKING:
    from metaphrase.jobs.plan import Plan

_TYPES = {"str": str, "int": int}


def is_sound(plan: Plan) -> bool:
    """Whether every entry has its type, and those that point at others point at something."""
    labels = {metric.label for metric in plan.metrics}
    return (
        all(map(_is_typed, (*plan.inputs, *plan.shards, *plan.metrics)))
        and bool(plan.inputs and plan.shards and plan.metrics)
        and len(labels) == len(plan.metrics)
        and all(shard.number == place for place, shard in enumerate(plan.shards))
        and all(shard.input < len(plan.inputs) for shard in plan.shards)
        and _are_columns(plan.columns)
        and isinstance(plan.kept, dict)
        and all(isinstance(kind, str) for kind in plan.kept.values())
        and isinstance(plan.documents, bool)
        and all(
            _is_count(number) for number in (plan.resamples, plan.seed, plan.merges, plan.profile)
        )
        and plan.empty_references in get_args(EmptyReferences)
        and set(plan.first_pass) <= labels
    )


def _is_typed(part: Any) -> bool:
    """Text is text, and numbers are whole and not below 0."""
    return all(
        isinstance(value := getattr(part, one.name), _TYPES[str(one.type)])
        and (isinstance(value, str) or _is_count(value))
        for one in fields(part)
    )


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _are_columns(found: object) -> bool:
    if not isinstance(found, Mapping):
        return False
    lists = [found.get(role) for role in ("systems", "references")]
    return all(
        isinstance(names, list) and names and all(isinstance(name, str) for name in names)
        for names in lists
    ) and all(
        role in found and isinstance(found[role], str | None) for role in ("source", "document")
    )
