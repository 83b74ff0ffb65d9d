"""Rules from a file, and those that are said on the command line, which go before it."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from metaphrase.cli.arguments import natural

if TYPE_CHECKING:
    from metaphrase.gate import Rules

#: Options by the limits that they set.
_LIMITS = {
    "min_score": "the score may not be below this",
    "max_score": "for metrics of which less is better: nor above this",
    "max_drop": "the score may not get worse by more",
    "alpha": "it may not get worse significantly, by a paired test at this level",
    "max_segment_drop": "no segment's score may get worse by more",
}
_USUAL = "metaphrase-gate.toml"


def add_rule_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that make rules."""
    group = parser.add_argument_group(
        "rules", "Limits are on the scale of each metric. Without any, --alpha 0.05 holds."
    )
    group.add_argument(
        "--rules",
        metavar="FILE",
        help=f"in TOML (default: {_USUAL}, if it is there); options below go before it",
    )
    for name, what in _LIMITS.items():
        group.add_argument(
            f"--{name.replace('_', '-')}", type=float, metavar="X", help=what, dest=name
        )
    group.add_argument(
        "--max-worse-segments",
        type=natural,
        metavar="N",
        help="so many segments may get worse by more than --worse-by",
    )
    group.add_argument("--worse-by", type=float, metavar="X", help="(default: 0)")


def chosen_rules(options: argparse.Namespace) -> Rules:
    """The rules of the file, if there is one, under what the command line says."""
    from metaphrase.gate import Limits, Rules, Section, load_rules

    path = options.rules
    if path is None and os.path.exists(_USUAL):
        path = options.rules = _USUAL
    names = (*_LIMITS, "max_worse_segments", "worse_by")
    given: dict[str, Any] = {
        name: value for name in names if (value := getattr(options, name)) is not None
    }
    if path is not None:
        return load_rules(path).overridden(**given)
    if not given:
        return Rules()
    Limits(**given)  # what is wrong with them is told before anything is scored
    return Rules(section=Section(every=given))
