"""The arguments about WMT's files of judgements, and what they describe."""

from __future__ import annotations

import argparse
from dataclasses import fields

from metaphrase.cli.arguments import natural
from metaphrase.corpus.opening import JudgementFiles


def add_wmt_arguments(
    parser: argparse.ArgumentParser, *, references: str = "references"
) -> argparse._ArgumentGroup:
    """Options for WMT's own files, most of which have judgements without texts.

    ``references`` is where those of MQM and of a folder are kept.
    """
    group = parser.add_argument_group(
        "WMT's files (rankings, DA, ESA, MQM) and mt-metrics-eval's folders"
    )
    group.add_argument(
        "--texts",
        nargs="+",
        metavar="FILE",
        help="the judged texts, as --corpus of `metaphrase score`, or a folder of mt-metrics-eval: FILE, or "
        "LP=FILE for several pairs",
    )
    group.add_argument(
        "--references",
        dest=references,
        nargs="+",
        metavar="FILE|NAME",
        help="of MQM: files, one segment per line; of a folder: which ones metrics use, such as refA, or "
        "he-en=refB for one pair, or all (default: the only one); the others count as systems",
    )
    group.add_argument("--language-pair", metavar="LP", help="of direct assessment and MQM: de-en")
    group.add_argument(
        "--human",
        metavar="NAME",
        help="score of direct assessment, raw or z (default: z; of ESA: raw); of a folder, such as mqm "
        "(default: the only one)",
    )
    group.add_argument(
        "--min-judgements", type=natural, metavar="N", help="of a translation (default: 1)"
    )
    group.add_argument(
        "--segment-ids",
        metavar="FILE",
        help="of direct assessment without positions, one id per line",
    )
    group.add_argument(
        "--segment-order",
        choices=("test-set", "sorted-documents"),
        help="how direct assessment counts segments: as the texts stand, or, as in 2021 and 2022, with "
        "documents sorted by id (default: test-set, unless that seems wrong)",
    )
    group.add_argument(
        "--system-pattern", metavar="PATTERN", help="what ids are, as newstest2015.{system}.*.de-en"
    )
    group.add_argument("--unknown-systems", choices=("error", "leave-out"), help="default: error")
    group.add_argument(
        "--mqm-weights", metavar="NAME|FILE", help="google (default), unweighted, count, or JSON"
    )
    group.add_argument(
        "--differing-texts",
        choices=("error", "first"),
        help="of one system and segment, in rows of MQM or in rankings (default: error)",
    )
    return group


def add_judgement_arguments(parser: argparse.ArgumentParser) -> None:
    """These, what to do about empty references, and scores that a folder has of metrics."""
    group = add_wmt_arguments(parser)
    group.add_argument(
        "--empty-references",
        choices=("error", "keep"),
        default="error",
        help="what to do about an empty reference of a translation that is not empty (default: error)",
    )
    group = parser.add_argument_group("of the folder of an mt-metrics-eval test set")
    group.add_argument(
        "--given",
        nargs="*",
        metavar="METRIC",
        help="also the scores that the folder has of these metrics, NAME or NAME-REF (default: all)",
    )


def described_judgements(options: argparse.Namespace) -> JudgementFiles:
    """The files that the arguments name, and what they say about them."""
    given = vars(options) | {"metric_scores": options.given is not None}
    return JudgementFiles(**{field.name: given[field.name] for field in fields(JudgementFiles)})
