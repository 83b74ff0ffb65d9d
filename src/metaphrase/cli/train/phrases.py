"""``metaphrase train phrases``: a table of pivot phrases from parallel text."""

from __future__ import annotations

import argparse
import warnings
from typing import TYPE_CHECKING

from metaphrase.cli.arguments import add_threads, positive
from metaphrase.cli.output import check_output, print_lines, progress_line
from metaphrase.corpus.lines import STDIN
from metaphrase.corpus.writing import atomic_writer
from metaphrase.errors import OptionError
from metaphrase.languages import canonical_language

if TYPE_CHECKING:
    from metaphrase.learning.phrases.pivot_training import SentencePairs

EXAMPLES = """\
examples:
  metaphrase train phrases news.en news.de --pivot-language de -o en-de.pivots
  metaphrase train phrases ep.en.gz ep.fr.gz --pivot-language fr -o en-fr.pivots
"""
#: Fields of Pruning and PivotTraining with their defaults; written out, for help must not wait for imports.
PRUNING: dict[str, tuple[int | float | None, str]] = {
    "least_count": (1, "drop translations seen less often with their phrase"),
    "least_phrase_count": (
        None,
        "drop phrases of several words seen less often (default: √(n / 300) in n sentence pairs, 1 to 100)",
    ),
    "least_probability": (0.01, "drop translations less probable than this"),
    "most_alternatives": (16, "keep so many translations of a phrase, the most probable ones"),
}
TRAINING: dict[str, tuple[int | float | None, str]] = {
    "most_words": (80, "leave out sentence pairs with more words on a side"),
    "iterations": (5, "iterations of the word aligner"),
    "most_cells": (400_000_000, "bound of the aligner's memory, 4 bytes each"),
    "most_pairs": (40_000_000, "bound of the memory for phrase pairs, 32 bytes each"),
}
#: A smaller share of phrases of several words is warned of (MP816).
FEW = 0.1


def add_parser(kinds: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the kind of training."""
    parser = kinds.add_parser(
        "phrases",
        help="a table of phrases in a pivot language, for TESLA",
        description="Align the words of parallel text, extract phrases of up to four words with their "
        "translations, and write those worth keeping as a table for TESLA.",
        epilog=EXAMPLES,
    )
    group = parser.add_argument_group("texts")
    group.add_argument(
        "target",
        metavar="TARGET",
        help="text in the language that is evaluated, one sentence per line; gzip too",
    )
    group.add_argument("pivot", metavar="PIVOT", help="its translation, line by line")
    group.add_argument(
        "--target-language",
        type=canonical_language,
        default="en",
        metavar="LANG",
        help="of TARGET (default: en)",
    )
    group.add_argument(
        "--pivot-language", type=canonical_language, required=True, metavar="LANG", help="of PIVOT"
    )
    for title, flags in (("what is kept", PRUNING), ("training", TRAINING)):
        group = parser.add_argument_group(title)
        for name, (default, text) in flags.items():
            group.add_argument(
                f"--{name.replace('_', '-')}",
                type=float if isinstance(default, float) else positive,
                default=default,
                metavar="P" if isinstance(default, float) else "N",
                help=text if default is None else f"{text} (default: {default:,})",
            )
    group = parser.add_argument_group("output")
    group.add_argument("-o", "--output", required=True, metavar="FILE", help="the table")
    add_threads(group)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Train, write, and say what was made of what."""
    from metaphrase.learning.phrases.pivot_table_file import Pruning
    from metaphrase.learning.phrases.pivot_training import PivotTraining, train_pivot_table
    from metaphrase.lexicon.pivot_table import PivotTable

    if options.target == options.pivot == STDIN:
        raise OptionError(
            "MP115", "Both texts are standard input.", hint="Name a file for one of them."
        )
    if options.output.endswith(".gz"):
        raise OptionError("MP662", "A table is read in place, never gzipped.", path=options.output)
    check_output(options.output, [options.target, options.pivot])
    pruning = Pruning(**{name: getattr(options, name) for name in PRUNING})
    training = PivotTraining(**{name: getattr(options, name) for name in TRAINING})
    with progress_line() as tell:
        content, pairs = train_pivot_table(
            options.target,
            options.pivot,
            target_language=options.target_language,
            pivot_language=options.pivot_language,
            pruning=pruning,
            training=training,
            threads=options.threads,
            progress=None
            if tell is None
            else lambda what, n: tell(f"{what}: {n:,}" if n else what),
        )
    with atomic_writer(options.output) as stream:
        stream.write(content)
    if pairs.lost:
        warnings.warn(
            f"--most-pairs dropped rare phrase pairs: counts fall short by up to {pairs.lost:,}, "
            "and probabilities are of what is left.",
            stacklevel=1,
        )
    table = PivotTable(options.output)
    if pairs.several < FEW * table.phrase_count:
        warnings.warn(
            f"[MP816] {options.output}: {pairs.several:,} of {table.phrase_count:,} phrases have several "
            f"words, those that occur at least {pairs.least_phrase_count:,} times: the table hardly knows "
            "more than single words. Give more text, or a lower --least-phrase-count.",
            stacklevel=1,
        )
    print_lines(
        [
            f"{options.output}: {table.phrase_count:,} phrases, {pairs.several:,} of several words, with "
            f"{table.alternative_count:,} translations, {len(content):,} bytes",
            _summary(pairs, options.most_words),
        ]
    )
    return 0


def _summary(pairs: SentencePairs, most_words: int) -> str:
    reasons = (
        (pairs.empty, "without a word on a side"),
        (pairs.long, f"with more than {most_words} words on a side"),
        (pairs.copied, "the same on both sides"),
        (pairs.beyond, "beyond --most-cells"),
    )
    left_out = ", ".join(f"{number:,} {reason}" for number, reason in reasons if number)
    return f"{pairs.used:,} sentence pairs used" + (f"; left out: {left_out}" if left_out else "")
