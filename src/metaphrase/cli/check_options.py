"""Arguments that say what is checked, for whichever command checks translations."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from metaphrase.cli.arguments import positive
from metaphrase.errors import OptionError

if TYPE_CHECKING:
    from metaphrase.checks import Settings

SEVERITIES = ("critical", "major", "minor")


def add_check_arguments(group: argparse._ArgumentGroup) -> None:
    """Declare which checks are made, with which glossaries, and how bad their findings are."""
    group.add_argument(
        "--glossary",
        action="append",
        default=[],
        metavar="FILE",
        help="terms to be used: TBX, or a table of source and target; again for another one",
    )
    for flag, meaning in (
        ("--off", "checks or codes not to make, such as punctuation or numbers/added"),
        ("--only", "checks or codes to make, and no others"),
    ):
        group.add_argument(
            flag, nargs="+", action="extend", default=[], metavar="CHECK", help=meaning
        )
    group.add_argument(
        "--severity",
        nargs="+",
        action="extend",
        default=[],
        metavar="CHECK=SEVERITY",
        help=f"how bad a check or code is: {', '.join(SEVERITIES)}",
    )
    group.add_argument(
        "--max-characters", type=positive, metavar="N", help="length that no target may exceed"
    )
    group.add_argument(
        "--max-ratio",
        type=float,
        metavar="R",
        help="length that no target may exceed, in lengths of its source",
    )


def check_settings(options: argparse.Namespace) -> Settings:
    """What these arguments say, but for the glossaries, which depend on the languages of a file."""
    from metaphrase.checks import Settings

    severities: dict[str, Any] = {}
    for given in options.severity:
        name, equals, severity = given.partition("=")
        if not equals:
            raise OptionError(
                "MP891",
                f"--severity {given} gives no check a severity.",
                hint="Write CHECK=SEVERITY, such as numbers=critical.",
            )
        severities[name] = severity
    return Settings(
        off=options.off,
        only=options.only,
        severities=severities,
        max_characters=options.max_characters,
        max_ratio=options.max_ratio,
    )
