"""The arguments that several commands share, and what they describe."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from metaphrase.cli.output import print_aside
from metaphrase.corpus import Corpus
from metaphrase.corpus.opening import MISSING_TARGETS, CorpusFiles, open_corpus
from metaphrase.corpus.validation import EmptyReferences
from metaphrase.errors import OptionError
from metaphrase.languages import canonical_language, known_language
from metaphrase.threads import available_cores

if TYPE_CHECKING:
    from metaphrase.metrics import Metric


def add_corpus_arguments(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Arguments that say where the texts are, in sacreBLEU's manner."""
    group = parser.add_argument_group("texts")
    group.add_argument(
        "references",
        nargs="*",
        metavar="REF",
        help="files of references: text with one segment per line, CoNLL-U, SGML, or localisation files "
        "(XLIFF, TMX, PO, CSV, .xlsx, .properties, JSON), which are joined by the ids of their units",
    )
    group.add_argument(
        "-i",
        "--input",
        nargs="+",
        action="extend",
        metavar="HYP",
        help="files of hypotheses, FILE or NAME=FILE, one for each system; '-' or nothing: standard input",
    )
    group.add_argument(
        "--corpus",
        metavar="FILE",
        help="all texts in one file instead: TSV, CSV, .xlsx, JSONL, Parquet, WMT's XML or XLIFF, whose "
        "targets are references and whose matches are systems; or a folder of mt-metrics-eval, "
        "LP=FOLDER if it has several language pairs",
    )
    group.add_argument(
        "--columns",
        action="append",
        default=[],
        metavar="ROLE=NAME,…",
        help="which columns of such a table hold what, as in reference=ref,hypothesis=mt; roles are "
        "reference, references, hypothesis, source, system, segment, document and domain",
    )
    group.add_argument(
        "--sources",
        metavar="FILE",
        help="source texts, one per line: for reports and conversion, as no metric reads them",
    )
    group.add_argument("--documents", metavar="FILE", help="one document id per line")
    group.add_argument("--domains", metavar="FILE", help="one domain id per line")
    group.add_argument(
        "--plain",
        action="store_true",
        help="REF, HYP and sources are plain text, even if they look like something else",
    )
    add_empty_references(group)
    group.add_argument(
        "--missing-targets",
        choices=MISSING_TARGETS,
        default="leave-out",
        help="what to do about a unit of a localisation file that a system leaves untranslated: leave it "
        "out for all systems (default), take it as empty, or stop with an error",
    )
    return group


def add_empty_references(group: argparse._ActionsContainer) -> None:
    """``--empty-references``, which would score a system 0 for somebody else's mistake."""
    group.add_argument(
        "--empty-references",
        choices=get_args(EmptyReferences),
        default="none",
        help="what an empty reference means where a hypothesis is not empty: of a second or further "
        "reference, that there is none, and of the first one, an error (none, default); an error of any; or "
        "an empty text (keep)",
    )


def described_files(options: argparse.Namespace) -> CorpusFiles:
    """The files that the arguments name: the same object for all who ask, so that each is looked at once."""
    if not hasattr(options, "described"):
        given = vars(options) | {
            "hypotheses": options.input or (),
            "columns": column_names(options.columns),
        }
        names = [field.name for field in fields(CorpusFiles) if field.init]
        options.described = CorpusFiles(**{name: given[name] for name in names})
    described: CorpusFiles = options.described
    return described


def column_names(given: Sequence[str]) -> dict[str, str | list[str]]:
    """The names by role; a role that was given several times has a list of them."""
    found: dict[str, list[str]] = {}
    for part in given:
        # A comma may be part of a name.
        for one in re.split(r",(?=\w+=)", part):
            role, equals, name = one.partition("=")
            if not (role and equals and name):
                raise OptionError(
                    "MP109",
                    f"--columns: {one!r} gives no column a role.",
                    hint="Write ROLE=NAME, such as reference=ref,hypothesis=mt.",
                )
            found.setdefault(role, []).append(name)
    return {role: names if len(names) > 1 else names[0] for role, names in found.items()}


def described_corpus(options: argparse.Namespace) -> Iterator[Corpus]:
    """Their texts, piece by piece; whoever has to type the hypotheses is told so.

    Nobody types them to several references: then a file of hypotheses was taken for one.
    """
    named = options.corpus is not None or not options.references or options.input
    if not named and sys.stdin is not None and sys.stdin.isatty():
        *references, last = options.references
        if references:
            raise OptionError(
                "MP615",
                f"{len(references) + 1} files of references were given, and no hypotheses: "
                "did you forget -i?",
                hint=f"Put it before the hypotheses: {shlex.join([*references, '-i', last])}. "
                "With `-i -` you can type them.",
            )
        print_aside(
            "metaphrase: reading hypotheses from standard input (a file of them goes after -i)"
        )
    return open_corpus(described_files(options))


def add_metric_names(
    parser: argparse.ArgumentParser, default: Sequence[str]
) -> argparse._ArgumentGroup:
    """The argument that says which metrics."""
    group = parser.add_argument_group("metrics")
    group.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        action="extend",
        metavar="METRIC",
        help="NAME, NAME:VARIANT or NAME:option=value:… "
        f"(default: {' '.join(default)}; see `metaphrase metrics`)",
    )
    add_load(group)
    return group


def add_load(group: argparse._ActionsContainer) -> None:
    """``--load``, which brings metrics and formats of one's own."""
    group.add_argument(
        "--load",
        action="append",
        default=[],
        metavar="FILE",
        help="a file of Python with metrics or formats of your own, which is run; again for another one",
    )


def add_metric_arguments(
    parser: argparse.ArgumentParser, default: Sequence[str], language: str = "en"
) -> argparse._ArgumentGroup:
    """Arguments that say which metrics, in which language, with which analyser."""
    group = add_metric_names(parser, default)
    add_language(
        group,
        "builtin:en, spacy:PIPELINE or conllu:FILE, for metrics that need analysed text",
        language,
        regional=True,
    )
    add_language_check(group)
    return group


def add_on_error(group: argparse._ActionsContainer) -> None:
    """``--on-error``: whether one segment ends a run."""
    group.add_argument(
        "--on-error",
        choices=("stop", "skip"),
        default="stop",
        help="if a metric refuses a segment, because it is too long for instance: stop (default), or leave "
        "the segment out of that metric's scores, for all systems, and say so",
    )


def add_language_check(group: argparse._ArgumentGroup) -> None:
    """``--no-language-check``, for those who know better."""
    group.add_argument(
        "--no-language-check",
        dest="check_language",
        action="store_false",
        help="do not warn of texts that look like another language, or repeat the source",
    )


def add_language(
    group: argparse._ArgumentGroup, analysers: str, language: str = "en", *, regional: bool = False
) -> None:
    """The language of the texts, and who analyses them; ``analysers`` and the default are for the help.

    ``regional`` keeps the region, which checks look at.
    """
    group.add_argument(
        "-l",
        "--language",
        type=regional_language if regional else canonical_language,
        default="en",
        metavar="LANG",
        help=f"of the texts, by its code or name: de, deu, de-AT, German (default: {language})",
    )
    group.add_argument("--analyser", metavar="NAME", help=analysers)


def add_seed(group: argparse._ActionsContainer, metavar: str = "S") -> None:
    """``--seed``, with which random numbers come again."""
    group.add_argument(
        "--seed",
        type=natural,
        default=12345,
        metavar=metavar,
        help="of the random numbers (default: 12345)",
    )


def add_doubts(group: argparse._ActionsContainer) -> None:
    """``--no-doubts``, for what tables and reports say may be wrong with scores."""
    group.add_argument(
        "--no-doubts",
        dest="doubts",
        action="store_false",
        help="do not look for what may be wrong: copies of the reference or of another system, broken "
        "lines, differences made by few segments",
    )


def metric_names(options: argparse.Namespace, default: Sequence[str], order: str) -> Sequence[str]:
    """The names of the metrics asked for, none of which is a file; ``order`` is what to put where."""
    names: Sequence[str] = options.metrics or default
    swallowed = [name for name in names if Path(name).suffix and os.path.exists(name)]
    if swallowed:
        raise OptionError(
            "MP602",
            f"{swallowed[0]} is a file, but stands where a metric belongs.",
            hint=f"Put {order}",
        )
    return names


def chosen_metrics(options: argparse.Namespace, default: Sequence[str]) -> list[Metric]:
    """The metrics asked for, in the language and with the analyser asked for."""
    order = "the references first: metaphrase score REFERENCE -i HYPOTHESIS -m METRIC"
    return metrics_for(described_files(options), options, default, order=order)


def metrics_for(
    files: CorpusFiles, options: argparse.Namespace, default: Sequence[str], *, order: str
) -> list[Metric]:
    """The metrics asked for, for the texts of files; ``order`` is what to put where."""
    from metaphrase.scoring.choice import create_metrics

    names = metric_names(options, default, order)
    return create_metrics(names, files, lang=options.language, analyser=options.analyser)


def positive(text: str) -> int:
    """A whole number of at least 1, for argparse."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def regional_language(text: str) -> str:
    """The canonical code with the region that was named, for argparse; nothing stays nothing."""
    return text and known_language(text).tag


def natural(text: str) -> int:
    """A whole number of at least 0, for argparse."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 0")
    return int(text)


def add_threads(group: argparse._ArgumentGroup) -> None:
    """``--threads``, on which no result depends."""
    group.add_argument(
        "--threads",
        type=positive,
        default=available_cores(),
        metavar="N",
        help="default: all cores; the results do not depend on it",
    )
