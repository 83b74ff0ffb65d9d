"""The options of ``metaphrase score --format wmt16|wmt17|wmt20|wmt23|mtme``: what others want to know."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from metaphrase.cli.score.significance_options import resamples
from metaphrase.corpus.formats.mtme.tree import ALL_REFERENCES, NO_REFERENCE, is_reference_name
from metaphrase.corpus.formats.score_text import is_language_pair
from metaphrase.corpus.formats.submissions.layouts import LAYOUTS
from metaphrase.errors import InputError, OptionError

#: What each format has room for.
_COLUMNS = {
    "wmt16": ("pair", "test_set"),
    "wmt17": ("pair", "test_set", "ensemble", "available"),
    "wmt20": ("pair", "test_set", "reference_name"),
    "wmt23": ("pair", "test_set", "reference_name"),
    "mtme": ("pair", "reference_name"),
}
FORMATS = tuple(_COLUMNS)
_ONLY = ("pair", "test_set", "reference_name", "ensemble", "available")


def add_folder_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments that say what the formats of the metrics task want to know."""
    group = parser.add_argument_group(
        "submissions",
        "With --format wmt16, wmt17, wmt20, wmt23 or mtme, -o is a folder that gets one file for each "
        "metric and level. Scores are written so that higher is better.",
    )
    group.add_argument("--pair", metavar="LP", help="the language pair, such as en-de")
    group.add_argument("--test-set", metavar="NAME", help="such as newstest2020; not for mtme")
    group.add_argument(
        "--reference-name", metavar="NAME", help="such as refA; for wmt20, wmt23 and mtme"
    )
    group.add_argument(
        "--ensemble",
        action="store_true",
        default=None,
        help="for wmt17: the metrics make use of other metrics",
    )
    group.add_argument(
        "--available",
        metavar="URL",
        help="for wmt17: where the metrics are available (default: no)",
    )


def layout_names(options: argparse.Namespace) -> list[str]:
    """The layouts that the levels asked for have in the format."""
    short = {"system": "sys", "document": "doc", "segment": "seg"}
    return [f"{options.format}-{short.get(name, name)}" for name in options.level or ["system"]]


def check_folder_options(options: argparse.Namespace) -> None:
    """Refuse options that do not go with the format, before anything is scored."""
    given = [name for name in _ONLY if getattr(options, name) is not None]
    if options.format not in FORMATS:
        if given:
            raise OptionError(
                "MP174",
                f"--{given[0].replace('_', '-')} says nothing in {options.format}.",
                hint=f"It is for --format {', '.join(FORMATS)}.",
            )
        return
    for name in given:
        if name not in _COLUMNS[options.format]:
            forms = [form for form, columns in _COLUMNS.items() if name in columns]
            raise OptionError(
                "MP174",
                f"--{name.replace('_', '-')} says nothing in {options.format}.",
                hint=f"It is for {', '.join(forms)}: leave it out.",
            )
    _check_values(options)
    for name in layout_names(options):
        if options.format != "mtme" and name not in LAYOUTS:
            raise OptionError(
                "MP174", f"there is no {name}.", hint="Leave that level out of --level."
            )
    if resamples(options) or options.wins:
        raise OptionError(
            "MP174",
            f"{options.format} holds scores only.",
            hint="Leave significance and --wins out, or choose another --format.",
        )
    if options.on_error == "skip":
        raise OptionError(
            "MP969",
            f"{options.format} needs a score of every segment.",
            hint="Leave --on-error out, and the segments that metrics refuse out of the files.",
        )
    _check_folder(options.output)


def _check_values(options: argparse.Namespace) -> None:
    needed = {"output": "-o FOLDER", "pair": "--pair LP"}
    if options.format != "mtme":
        needed["test_set"] = "--test-set NAME"
    if options.format in ("wmt20", "wmt23", "mtme"):
        needed["reference_name"] = "--reference-name NAME"
    for name, flag in needed.items():
        if not getattr(options, name):
            raise OptionError("MP174", f"{options.format} needs {flag}.", hint="Add it.")
    if not is_language_pair(options.pair):
        raise OptionError(
            "MP162", f"{options.pair!r} is not a language pair.", hint="Write it like en-de."
        )
    names = (options.reference_name or "").split(".")
    if options.format != "mtme":
        return
    if options.reference_name == NO_REFERENCE:
        raise OptionError(
            "MP174",
            "src is for metrics that use no reference: ours use them.",
            hint="Name the references.",
        )
    named = all(map(is_reference_name, names)) and len(set(names)) == len(names)
    if options.reference_name != ALL_REFERENCES and not named:
        raise OptionError(
            "MP172",
            f"{options.reference_name!r} does not name references.",
            hint="Names have no dots, dashes or blanks; several, each once, are separated by dots.",
        )


def _check_folder(path: str) -> None:
    if os.path.exists(path) and not os.path.isdir(path):
        raise InputError(
            "MP173",
            "This is not a folder.",
            path=path,
            hint="Name a folder for the files.",
        )
    above = Path(os.path.realpath(path)).parent
    if not os.path.isdir(above):
        raise InputError(
            "MP173",
            "There is no folder above it.",
            path=path,
            hint="Make that one first.",
        )
