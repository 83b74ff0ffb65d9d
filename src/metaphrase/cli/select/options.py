"""The options of ``metaphrase select`` that say what to choose from and how, and which go together."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from metaphrase.cli.arguments import positive
from metaphrase.cli.output import check_output
from metaphrase.corpus.formats.candidates import CANDIDATE_FORMATS
from metaphrase.corpus.lines import is_read_once
from metaphrase.errors import OptionError


def add_texts(parser: argparse.ArgumentParser) -> None:
    """Arguments that say where candidates are, and what they are compared with."""
    group = parser.add_argument_group("texts")
    group.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="one file of candidates (text, JSONL, TSV, n-best list), or one for each system, FILE "
        "or NAME=FILE; '-' or nothing: standard input",
    )
    group.add_argument(
        "--per-sentence",
        type=positive,
        metavar="N",
        help="how many candidates a sentence has, in a file without ids",
    )
    group.add_argument(
        "--references", nargs="+", action="extend", default=[], metavar="REF",
        help="choose what is closest to these: the oracle; one line per sentence",
    )  # fmt: skip
    group.add_argument(
        "--oracle",
        action="store_true",
        help="the same with references that a table or JSON has beside the candidates",
    )
    group.add_argument(
        "--samples",
        metavar="FILE",
        help="what candidates are compared with, instead of each other; read like candidates",
    )
    group.add_argument(
        "--samples-per-sentence", type=positive, metavar="N", help="default: as --per-sentence"
    )
    group.add_argument(
        "--sources",
        metavar="FILE",
        help="source texts, one per line: to be shown, and for metrics of your own",
    )
    group.add_argument(
        "--columns",
        action="append",
        default=[],
        metavar="ROLE=NAME,…",
        help="what a table or JSON calls id, text, logprob, weight, source or reference",
    )
    group.add_argument(
        "--from",
        dest="file_format",
        choices=CANDIDATE_FORMATS,
        help="what the candidates are in (default: what they look like)",
    )


def add_choosing(parser: argparse.ArgumentParser) -> None:
    """Arguments that say how expected utilities are computed, and how thoroughly."""
    group = parser.add_argument_group("choosing")
    group.add_argument(
        "--equal-weights",
        action="store_true",
        help="all samples count alike, whatever their log-probabilities: for samples that were "
        "drawn, whose number says how probable they are",
    )
    group.add_argument(
        "--leave-self-out",
        action="store_true",
        help="do not compare a candidate with itself",
    )
    group.add_argument(
        "--merge-near-copies",
        nargs="?",
        const=90.0,
        type=float,
        metavar="CHRF",
        help="systems that say nearly the same have one vote together: those with a mean chrF of 90 "
        "or CHRF and more between them, in the first 1,000 sentences",
    )
    group.add_argument(
        "--aggregate",
        action="store_true",
        help="score against the sum of all samples' counts, not each by itself: for bleu, chrf "
        "and nist; much faster, nearly the same",
    )
    group.add_argument(
        "--confidence",
        type=float,
        metavar="P",
        help="drop candidates early that are hardly the best; P, such as 0.99, is how sure to be",
    )
    group.add_argument(
        "--shortlist",
        type=positive,
        metavar="K",
        help="look only at the K candidates that are best by a cheap metric",
    )
    group.add_argument("--shortlist-by", metavar="METRIC", help="the cheap metric (default: chrf)")
    group.add_argument(
        "--check",
        type=positive,
        metavar="N",
        help="choose the first N sentences without these short cuts, too, and say what they cost",
    )


def check_options(options: argparse.Namespace, inputs: Sequence[str]) -> None:
    """Refuse what would do nothing, or could not be written."""
    given = [*inputs, options.samples, options.sources, *options.references]
    for path in (options.output, options.scores):
        check_output(path, given)
    if options.scores and os.path.realpath(options.scores) == os.path.realpath(
        options.output or ""
    ):
        raise OptionError(
            "MP115", "The file is named twice.", path=options.output, hint="Give each its own."
        )
    form = output_format(options)
    if form == "text" and (options.n_best or 1) > 1:
        raise OptionError(
            "MP853",
            "lines of text do not say which candidates are of the same sentence.",
            hint="With --n-best choose --format tsv or jsonl.",
        )
    if options.explain is not None and form == "tsv" and options.output is None:
        raise OptionError(
            "MP853", "a table does not say why.", hint="Add -o FILE, or choose --format jsonl."
        )
    if options.shortlist_by is not None and options.shortlist is None:
        raise OptionError(
            "MP839", "--shortlist-by needs a length.", hint="Add --shortlist K, such as 16."
        )
    if options.shortlist is not None and (options.n_best or 1) > options.shortlist:
        raise OptionError(
            "MP839",
            f"the {options.n_best} best are not among a shortlist of {options.shortlist}.",
            hint="Make the shortlist longer.",
        )
    if options.merge_near_copies is not None:
        _check_merging(options, inputs)
    if (options.references or options.oracle) and (
        options.samples or options.aggregate or options.confidence is not None
    ):
        raise OptionError(
            "MP853",
            "candidates are compared with references, or with samples, but not with both.",
            hint="Leave out --references and --oracle, or --samples, --aggregate and --confidence.",
        )


def _check_merging(options: argparse.Namespace, inputs: Sequence[str]) -> None:
    """Refuse to merge what are no systems, or have no votes."""
    fault = None
    if len(options.files) < 2:
        fault = "near copies are systems: give a file for each of them."
    elif options.references or options.oracle or options.samples:
        fault = "near copies share a vote where candidates are compared with each other."
    elif any(is_read_once(path) for path in inputs):
        fault = "files are read twice to merge near copies, and one of them can be read once only."
    if fault is not None:
        raise OptionError("MP849", fault, hint="Leave out --merge-near-copies.")


def output_format(options: argparse.Namespace) -> str:
    """What was asked for, or what holds it."""
    form: str = options.format or ("text" if options.n_best is None else "tsv")
    return form
