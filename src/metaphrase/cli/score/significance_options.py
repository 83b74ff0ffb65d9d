"""The options of ``metaphrase score`` that ask how sure system scores are."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from metaphrase.cli.arguments import add_seed, positive

if TYPE_CHECKING:
    from metaphrase.scoring.significance import PairedTest

#: Each flag, as the parser stores its number of resamples, and its test.
_FLAGS: dict[str, PairedTest] = {
    "paired_ar": "approximate-randomisation",
    "paired_bs": "approximate-randomisation",
    "sacrebleu_ar": "sacrebleu-randomisation",
    "sacrebleu_bs": "sacrebleu-bootstrap",
}


def add_significance_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments for tests and intervals."""
    group = parser.add_argument_group(
        "significance", "Of system scores; N is the number of resamples, by default 1000."
    )
    tests = group.add_mutually_exclusive_group()
    for place, flag, text in (
        (tests, "--paired-ar", "test against the first system by approximate randomisation"),
        (tests, "--paired-bs", "the same test, with 95%% bootstrap intervals of all systems"),
        (tests, "--sacrebleu-ar", "approximate randomisation by sacreBLEU's formula"),
        (
            tests,
            "--sacrebleu-bs",
            "paired bootstrap by sacreBLEU's formula, whose p-values are too small",
        ),
        (group, "--confidence", "95%% bootstrap intervals"),
    ):
        place.add_argument(flag, nargs="?", const=1000, type=positive, metavar="N", help=text)
    add_seed(group)


def asked_test(options: argparse.Namespace) -> tuple[PairedTest | None, int]:
    """The test, if one was asked for, and its number of resamples."""
    for flag, test in _FLAGS.items():
        if resamples := getattr(options, flag):
            return test, resamples
    return None, 1000


def asked_intervals(options: argparse.Namespace) -> int | None:
    """The number of resamples for intervals, if they do not come with the test."""
    asked: int | None = options.confidence or options.paired_bs
    return asked


def resamples(options: argparse.Namespace) -> bool:
    """Whether anything of significance was asked for."""
    return asked_test(options)[0] is not None or options.confidence is not None
