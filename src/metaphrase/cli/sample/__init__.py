"""``metaphrase sample``: which segments should people judge next?"""

from __future__ import annotations

import argparse

from metaphrase.cli.arguments import (
    add_corpus_arguments,
    add_metric_arguments,
    add_seed,
    add_threads,
    positive,
)
from metaphrase.cli.command import command
from metaphrase.cli.sample.choosing import run_choosing
from metaphrase.cli.sample.importing import add_import_arguments, run_import
from metaphrase.cli.sample.options import add_campaign_arguments, check_options
from metaphrase.cli.sample.simulating import add_simulation_arguments, run_simulation
from metaphrase.defaults import DEFAULT_METRICS

#: The ways by name; the library has them, too, but its metrics take time to import.
WAYS = ("consistency", "variance", "disagreement", "diversity", "coverage", "random")
EXAMPLES = """\
examples:
  metaphrase sample ref.txt -i a.txt b.txt -n 100
  metaphrase sample ref.txt -i a.txt b.txt --words 5000 --by disagreement \\
      --documents docs.txt --whole-documents
  metaphrase sample ref.txt -i a.txt b.txt -n 100 --sources src.txt \\
      --export xlsx --protocol esa --judges 3 --language-pair de-en -o campaign
  metaphrase sample --import campaign/judge-*.xlsx --key campaign/key.json \\
      -o judgements.tsv
  metaphrase sample --simulate judgements.tsv -m chrf bleu
"""


@command(
    place=100,
    help="choose segments for people to judge, and read what they said",
    description="Choose the segments whose judgement tells most, hand them to judges, and make "
    "judgements of what comes back.",
    epilog=EXAMPLES,
)
def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare its arguments."""
    add_corpus_arguments(parser)
    add_metric_arguments(parser, DEFAULT_METRICS)
    group = parser.add_argument_group("choosing")
    group.add_argument("-n", "--segments", type=positive, metavar="N", help="how many segments")
    group.add_argument(
        "--words", type=positive, metavar="N", help="instead: as many as have so many words"
    )
    group.add_argument(
        "--by",
        choices=WAYS,
        metavar="WAY",
        help="consistency with the order of systems by the whole set (default); variance of scores over "
        "systems; disagreement of metrics; diversity of translations; coverage of the texts; random",
    )
    group.add_argument(
        "--by-document", action="store_true", help="from each document in proportion to its size"
    )
    group.add_argument(
        "--whole-documents", action="store_true", help="documents as a whole, not single segments"
    )
    group.add_argument(
        "--systems-per-segment",
        type=positive,
        metavar="K",
        help="translations of K systems for each segment, all systems alike (default: all)",
    )
    add_seed(group)
    add_campaign_arguments(parser)
    add_import_arguments(parser)
    add_simulation_arguments(parser)
    group = parser.add_argument_group("output")
    group.add_argument(
        "--format", choices=("text", "json", "tsv"), help="what is printed (default: text)"
    )
    group.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write there instead of the screen; with --export a new folder",
    )
    add_threads(group)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Choose, or read what judges said, or simulate."""
    check_options(options)
    if options.imported is not None:
        return run_import(options)
    if options.simulate is not None:
        return run_simulation(options)
    return run_choosing(options)
