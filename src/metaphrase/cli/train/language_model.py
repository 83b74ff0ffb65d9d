"""``metaphrase train language-model``: how probable words are after others, learnt from text."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from metaphrase.cli.arguments import add_threads, natural
from metaphrase.cli.output import check_output, print_lines, progress_bar, progress_line
from metaphrase.errors import OptionError

if TYPE_CHECKING:
    from metaphrase.trained.ngram_model import NgramModel

EXAMPLES = """\
examples:
  metaphrase train language-model news.en.gz --lowercase -o news.lm
  metaphrase train language-model a.en b.en --unique --cut-offs 0,1,1 -o ab.arpa
  metaphrase train language-model words.txt --tokenised --order 5 -o words.lm
"""
ARPA_ENDINGS = (".arpa", ".arpa.gz")
COMPILED_ENDING = ".lm"


def add_parser(kinds: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the kind of training."""
    parser = kinds.add_parser(
        "language-model",
        help="n-gram probabilities from text",
        description="Estimate a language model by modified Kneser-Ney smoothing.",
        epilog=EXAMPLES,
    )
    group = parser.add_argument_group("text")
    group.add_argument(
        "text", nargs="+", metavar="TEXT", help="text files, one sentence a line; gzip too"
    )
    words = group.add_mutually_exclusive_group()
    words.add_argument(
        "--analyser",
        default="builtin:en",
        metavar="NAME",
        help="whose tokens the words are (default: builtin:en)",
    )
    words.add_argument(
        "--tokenised", action="store_true", help="words stand between blanks already"
    )
    group.add_argument("--lowercase", action="store_true", help="put all words in lower case")
    group.add_argument(
        "--unique", action="store_true", help="take each line once, however often it comes"
    )
    group = parser.add_argument_group("model")
    group.add_argument(
        "--order", type=natural, default=3, metavar="N", help="longest n-grams, 1 to 5 (default: 3)"
    )
    group.add_argument(
        "--cut-offs",
        type=_numbers,
        default=(0,),
        metavar="N,N,…",
        help="leave out unigrams, bigrams, … that occur so often or less (default: 0); "
        "the last number is for all longer ones",
    )
    group.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FILE",
        help="model.lm (compiled) or model.arpa, model.arpa.gz (text)",
    )
    group.add_argument(
        "--bits",
        type=int,
        choices=(16, 32),
        help="of a number in a compiled model (default: 16)",
    )
    add_threads(group)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Read, estimate, write."""
    if not options.output.endswith((*ARPA_ENDINGS, COMPILED_ENDING)):
        raise OptionError(
            "MP690",
            f"{options.output} says not what kind of file it is to be.",
            hint="Let its name end in .lm, .arpa or .arpa.gz.",
        )
    if options.bits and not options.output.endswith(COMPILED_ENDING):
        raise OptionError(
            "MP687",
            f"--bits is about compiled models, and {options.output} is to be text.",
            hint="Leave it out, or let the name end in .lm.",
        )
    check_output(options.output, options.text)
    from metaphrase.learning.language_model_text import read_text
    from metaphrase.trained.ngram_model import TextForm, checked_cut_offs, estimate

    checked_cut_offs(options.order, options.cut_offs)
    form = TextForm(
        analyser=None if options.tokenised else options.analyser, lowercase=options.lowercase
    )
    with progress_bar("reading") as progress:
        text = read_text(
            options.text,
            form=form,
            unique=options.unique,
            threads=options.threads,
            progress=progress,
        )
    with progress_line() as tell:
        if tell is not None:
            tell(f"counting n-grams of {len(text.words):,} words")
        model = estimate(text, order=options.order, cut_offs=options.cut_offs, form=form)
        _check_not_empty(model)
        if tell is not None:
            tell(f"writing {options.output}")
        if options.output.endswith(COMPILED_ENDING):
            model.write_binary(options.output, bits=options.bits or 16)
        else:
            model.write_arpa(options.output)
    print_lines([f"{options.output}: {_summary(model, len(text), len(text.words))}"])
    return 0


def _check_not_empty(model: NgramModel) -> None:
    """Refuse a model that lacks n-grams of some length, which says less than its order promises."""
    marks = 3
    for order, count in enumerate(model.counts, 1):
        if count <= (marks if order == 1 else 0):
            raise OptionError(
                "MP681",
                f"no n-gram of length {order} is left.",
                hint="Lower --cut-offs or --order, or give more text.",
            )


def _summary(model: NgramModel, sentences: int, words: int) -> str:
    counts = " + ".join(f"{count:,}" for count in model.counts)
    text = f"{counts} n-grams from {words:,} words in {sentences:,} sentences"
    if model.unknown:
        text += f", {model.unknown:,} of them unknown"
    fixed = [str(n) for n, found in enumerate(model.discounts, 1) if not found.estimated]
    if fixed:
        text += f"; fixed discounts for order {', '.join(fixed)}"
    return text


def _numbers(text: str) -> tuple[int, ...]:
    """Whole numbers between commas, for argparse."""
    return tuple(natural(number) for number in text.split(","))
