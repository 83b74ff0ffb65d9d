"""The options of ``metaphrase score`` that ask how sure system scores are."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from metaphrase.cli.arguments import add_seed, positive
from metaphrase.errors import OptionError

if TYPE_CHECKING:
    from metaphrase.scoring.significance import PairedTest

#: As in ``scoring.resampled_units`` and ``statistics.multiple_tests``, which only those load who resample.
UNITS = ("segment", "document", "domain")
CORRECTIONS = ("holm", "none")
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
    group.add_argument(
        "--all-pairs",
        nargs="?",
        const=0,
        type=positive,
        metavar="N",
        help="show the test of every pair of systems; with three or more, ranks come from these tests",
    )
    group.add_argument(
        "--correction",
        choices=CORRECTIONS,
        help="of p-values for the number of pairs (default: holm)",
    )
    group.add_argument(
        "--unit",
        choices=UNITS,
        help="what resamples exchange and draw: single segments (default), or all segments of a "
        "document or domain together",
    )
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


def ranks_systems(options: argparse.Namespace) -> bool:
    """Whether systems are ranked and compared unasked: nobody has asked for a test against the first."""
    from metaphrase.cli.score.folder_options import FORMATS

    with_systems = "system" in (options.level or ["system"]) and options.format not in FORMATS
    return with_systems and asked_test(options)[0] is None


def asked_all_pairs(options: argparse.Namespace) -> bool:
    """Whether every test is to be shown."""
    return options.all_pairs is not None


def check_ranking_options(options: argparse.Namespace) -> None:
    """Refuse what would do nothing."""
    if ranks_systems(options):
        return
    for name in ("all_pairs", "correction", "unit"):
        if getattr(options, name) is not None:
            raise OptionError(
                "MP765",
                f"--{name.replace('_', '-')} is about tests of all pairs of systems.",
                hint="Leave out the test against the first system, and keep system among the levels.",
            )
