"""``metaphrase train``: a module for each kind of model."""

from __future__ import annotations

import argparse

from metaphrase.cli.command import command
from metaphrase.cli.train import accord, edit_machines, language_model, phrases, tesla

EXAMPLES = """\
examples:
  metaphrase train accord --data scores.tsv --adapt -o mine.json
  metaphrase train ppda --data scores.tsv -o ppda.json
  metaphrase train ppda+f --data one.tsv.gz two.tsv.gz --cross-validate lp
  metaphrase train pfsm --data scores.tsv --lambda 1 -o mine.json
  metaphrase train rescale ppda --data scores0to100.tsv -o ppda100.json
  metaphrase score ref.txt -i system.txt -m pfsm:model=file:mine.json
"""


@command(
    place=130,
    help="learn from human judgements, parallel text or text",
    description="Train accord, edit machines or TESLA on human judgements, or what TESLA needs on text.",
    epilog=EXAMPLES,
)
def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the kinds of training."""
    kinds = parser.add_subparsers(title="what to train", metavar="KIND", required=True)
    accord.add_parser(kinds)
    edit_machines.add_parsers(kinds)
    phrases.add_parser(kinds)
    language_model.add_parser(kinds)
    tesla.add_parser(kinds)
