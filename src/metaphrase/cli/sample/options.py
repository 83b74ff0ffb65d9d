"""The options of ``metaphrase sample`` about campaigns, and which options go together."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence

from metaphrase.cli.arguments import natural, positive
from metaphrase.corpus.formats.score_text import is_language_pair
from metaphrase.corpus.ratings import PROTOCOLS
from metaphrase.errors import OptionError

FORMS = ("appraise", "pearmut", "csv", "xlsx")
#: What each use of the command understands, by the names in the namespace; all others are mistakes there.
_CAMPAIGN = ("protocol", "judges", "each_by", "degraded", "repeats", "language_pair", "name")
_CHOOSING = (
    *("segments", "words", "by", "by_document", "whole_documents", "systems_per_segment"),
    *("input", "corpus", "columns", "sources", "documents", "domains", "references", "plain"),
)
_IMPORT = ("key", "all_judges", "standardise", "mqm_weights")
_SIMULATION = ("sizes", "halves", "measure", "leave_out", "pairs")
WITHOUT_METRICS = ("diversity", "coverage", "random")
#: A name of a judge is that of a file, too.
_NAME = re.compile(r"[\w.-]{1,80}")


def add_campaign_arguments(parser: argparse.ArgumentParser) -> None:
    """What judges are asked, and how it is written."""
    group = parser.add_argument_group("export")
    group.add_argument(
        "--export",
        choices=FORMS,
        help="also write what was chosen for judges, into the folder -o, with the key that import needs: "
        "batches of Appraise, a campaign of Pearmut, or a table for each judge",
    )
    group.add_argument(
        "--protocol",
        choices=PROTOCOLS,
        help="a score (da), a score and the places of errors (esa, default), errors (mqm)",
    )
    group.add_argument(
        "--judges",
        nargs="+",
        metavar="N|NAME",
        help="how many judges, or their names (default: 1)",
    )
    group.add_argument(
        "--each-by", type=positive, metavar="N", help="judges for each translation (default: all)"
    )
    group.add_argument(
        "--degraded",
        type=natural,
        metavar="N",
        help="degraded copies for each judge, to see who reads (default: a tenth, at least 5)",
    )
    group.add_argument(
        "--repeats",
        type=natural,
        metavar="N",
        help="translations that each judge gets twice (default: likewise)",
    )
    group.add_argument("--language-pair", metavar="LP", help="of the texts: de-en")
    group.add_argument("--name", help="of the campaign (default: that of the folder)")


def judge_names(given: Sequence[str] | None) -> list[str]:
    """The names, or as many as a number says."""
    if given is None:
        return ["judge-1"]
    if len(given) == 1 and given[0].isdecimal():
        count = int(given[0])
        if not 1 <= count <= 1000:
            raise OptionError(
                "MP786", f"{count} judges are too few or too many.", hint="1 to 1000."
            )
        width = len(str(count))
        return [f"judge-{number:0{width}}" for number in range(1, count + 1)]
    for name in given:
        if not _NAME.fullmatch(name) or set(name) <= {"."}:
            raise OptionError(
                "MP786",
                f"{name[:40]!r} is no name for a judge.",
                hint="Names are of letters, digits, hyphens and full stops; files are called by them.",
            )
    return list(given)


def check_options(options: argparse.Namespace) -> None:
    """Refuse what would do nothing in the use that was asked for, and what is missing."""
    if options.imported is not None and options.simulate is not None:
        raise OptionError(
            "MP786", "--import and --simulate are two things.", hint="Do one at a time."
        )
    if options.imported is not None:
        _refuse(options, (*_CHOOSING, *_CAMPAIGN, *_SIMULATION, "export", "metrics"), "--import")
        return
    if options.simulate is not None:
        others = [name for name in (*_CHOOSING, *_CAMPAIGN, *_IMPORT) if name != "by"]
        _refuse(options, (*others, "export"), "--simulate")
        return
    _refuse(options, (*_IMPORT, *_SIMULATION), "choosing segments")
    if options.by in WITHOUT_METRICS:
        _refuse(options, ("metrics",), f"choosing by {options.by}")
    if options.export is None:
        _refuse(options, _CAMPAIGN, "a sample without --export")
        return
    for name in ("output", "language_pair"):
        if getattr(options, name) is None:
            shown = "-o FOLDER" if name == "output" else "--language-pair LP"
            raise OptionError("MP786", f"--export needs {shown}.", hint="Add it.")
    if not is_language_pair(options.language_pair):
        raise OptionError(
            "MP162",
            f"{options.language_pair!r} is not a language pair.",
            hint="Write it like de-en.",
        )


def _refuse(options: argparse.Namespace, names: Sequence[str], use: str) -> None:
    for name in names:
        if getattr(options, name):
            shown = {"references": "a reference", "segments": "-n", "input": "-i"}.get(
                name, f"--{name.replace('_', '-')}"
            )
            raise OptionError("MP786", f"{shown} says nothing about {use}.", hint="Leave it out.")
