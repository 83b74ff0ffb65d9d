"""``metaphrase convert FILE --to judgements``: from any format of judgements that ``meta`` reads to ours."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import fields

from metaphrase.cli.meta.judgement_arguments import add_wmt_arguments
from metaphrase.cli.output import check_output
from metaphrase.corpus.formats.judged.writing_judgements import write_judgements
from metaphrase.corpus.opening import JudgementFiles, read_judgement_files
from metaphrase.errors import InputError, OptionError
from metaphrase.languages import is_wanted

#: What to write: scores or rankings, whichever it is, or one of them by its name.
TARGETS = ("judgements", "judgements-tsv", "rankings-jsonl")
#: Where the names of references are kept: REF is a file to convert.
_REFERENCES = "judged_references"
#: Options that say something about judgements only.
OPTIONS = (
    "pairs", "texts", _REFERENCES, "language_pair", "human", "min_judgements", "segment_ids", "segment_order",
    "system_pattern", "unknown_systems", "mqm_weights", "differing_texts",
)  # fmt: skip
#: Options about texts that judgements have no use for.
_OF_CORPORA = ("sources", "documents", "domains", "source_format", "set")


def add_judgement_options(parser: argparse.ArgumentParser) -> None:
    """What ``meta`` asks about files of judgements."""
    group = add_wmt_arguments(parser, references=_REFERENCES)
    group.add_argument("--pairs", nargs="+", metavar="LP", help="only these language pairs")


def flag(name: str) -> str:
    """What an option is called on the command line."""
    return "references" if name == _REFERENCES else name.replace("_", "-")


def convert_judgements(options: argparse.Namespace, unused: Sequence[str]) -> int:
    """Read files of judgements, with their texts, and write them as one file of ours."""
    for name in (*_OF_CORPORA, *unused):
        if getattr(options, name):
            shown = {"source_format": "from"}.get(name, name.replace("_", "-"))
            raise OptionError(
                "MP614", f"--{shown} says nothing about judgements.", hint="Leave it out."
            )
    if not options.references:
        raise OptionError(
            "MP602",
            "no file was given.",
            hint="metaphrase convert FILE --to judgements -o OUT",
        )
    given = vars(options) | {
        "judgements": options.references,
        "references": getattr(options, _REFERENCES),
        "judges": False,
        "metric_scores": False,
    }
    files = JudgementFiles(**{field.name: given[field.name] for field in fields(JudgementFiles)})
    check_output(options.output, files.paths)
    found, _ = read_judgement_files(files)
    found = [one for one in found if is_wanted(one.language_pair, options.pairs)]
    wanted = {"judgements-tsv": False, "rankings-jsonl": True}.get(options.to)
    for one in found:
        if wanted is not None and one.is_ranked != wanted:
            kind = "rankings" if one.is_ranked else "scores"
            raise InputError(
                "MP777",
                f"{one.name} {one.language_pair} has {kind}, which cannot become {options.to}.",
                hint="Write --to judgements.",
            )
    if not found:
        raise InputError(
            "MP784",
            f"there are no judgements of {', '.join(options.pairs)}.",
            hint="Name other language pairs, or leave out --pairs.",
        )
    write_judgements(found, options.output)
    return 0
