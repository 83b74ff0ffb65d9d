"""A command of one's own: which translations are much shorter or longer than their references?"""

import argparse

from metaphrase.cli.arguments import add_corpus_arguments, described_corpus
from metaphrase.cli.command import command
from metaphrase.cli.output import print_lines

EXAMPLES = """\
examples:
  metaphrase lengths ref.txt -i a.txt b.txt
  metaphrase lengths ref.txt -i a.txt --factor 2
"""


@command(
    help="find translations that are too short or too long",
    description="Count the characters of translations, as a share of those of their references.",
    epilog=EXAMPLES,
)
def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command is asked; ``run`` is given the answers."""
    add_corpus_arguments(parser)
    group = parser.add_argument_group("lengths")
    group.add_argument(
        "--factor",
        type=above_one,
        default=1.5,
        metavar="X",
        help="how many times too short or too long (default: 1.5)",
    )
    parser.set_defaults(run=run)


def above_one(text: str) -> float:
    """A number, for argparse."""
    if (number := float(text)) <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not more than 1")
    return number


def run(options: argparse.Namespace) -> int:
    """Print a line for each translation that was found; the exit code."""
    lines = ["system\tsegment\tshare"]
    seen = 0
    for piece in described_corpus(options):
        for name, translations in piece.systems.items():
            for place, texts in enumerate(zip(translations, *piece.references, strict=True)):
                translation, *references = (len(text or "") for text in texts)
                share = translation / max(1, *references)
                if not 1 / options.factor < share < options.factor:
                    lines.append(f"{name}\t{seen + place + 1}\t{share:.2f}")
        seen += len(piece)
    print_lines(lines)
    return 0
