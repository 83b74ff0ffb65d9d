"""The options of ``metaphrase score`` that ask how sure system scores are."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from metaphrase.cli.arguments import add_seed, positive

if TYPE_CHECKING:
    from metaphrase.scoring.significance import PairedTest

#: The flag of each test, as the parser stores its number of resamples.
_FLAGS: dict[PairedTest, str] = {
    "paired-bootstrap": "paired_bs",
    "sacrebleu-bootstrap": "sacrebleu_bs",
    "approximate-randomisation": "paired_ar",
}


def add_significance_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments for tests and intervals."""
    group = parser.add_argument_group(
        "significance", "Of system scores; N is the number of resamples, by default 1000."
    )
    tests = group.add_mutually_exclusive_group()
    for place, flag, text in (
        (tests, "--paired-bs", "paired bootstrap against the first system, with 95%% intervals"),
        (tests, "--sacrebleu-bs", "the same by sacreBLEU's formula, whose p-values are too small"),
        (tests, "--paired-ar", "paired approximate randomisation against the first system"),
        (group, "--confidence", "95%% bootstrap intervals"),
    ):
        place.add_argument(flag, nargs="?", const=1000, type=positive, metavar="N", help=text)
    add_seed(group)


def asked_test(options: argparse.Namespace) -> tuple[PairedTest | None, int]:
    """The test, if one was asked for, and its number of resamples."""
    for test, flag in _FLAGS.items():
        if resamples := getattr(options, flag):
            return test, resamples
    return None, 1000


def resamples(options: argparse.Namespace) -> bool:
    """Whether anything of significance was asked for."""
    return asked_test(options)[0] is not None or options.confidence is not None
