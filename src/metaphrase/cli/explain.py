"""``metaphrase explain``: why a segment scored as it did."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from metaphrase.cli.inputs import (
    add_corpus_arguments,
    add_metric_arguments,
    analyser_option,
    open_corpus,
)
from metaphrase.cli.output import print_result
from metaphrase.corpus import Corpus
from metaphrase.errors import InputError, OptionError

if TYPE_CHECKING:
    from metaphrase.metrics import Metric

EXAMPLES = """\
examples:
  metaphrase explain ref.txt -i system.txt               the worst segment
  metaphrase explain ref.txt -i a.txt b.txt --segment 7  segment 7 of both systems
  metaphrase explain --reference "the cat" --hypothesis "a feline" --format json
"""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "explain",
        help="show why a segment scored as it did",
        description="Show which words were matched with which, what was left over and what it cost.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_corpus_arguments(parser)
    parser.add_argument("--reference", metavar="TEXT", help="one reference, instead of files")
    parser.add_argument("--hypothesis", metavar="TEXT", help="one hypothesis, instead of files")
    add_metric_arguments(parser, ("tesla-m",))
    group = parser.add_argument_group("output")
    which = group.add_mutually_exclusive_group()
    which.add_argument(
        "--segment", type=int, nargs="+", metavar="N", help="segments to explain, counted from 1"
    )
    which.add_argument(
        "--worst", type=int, default=1, metavar="K", help="the K lowest scores (default: 1)"
    )
    group.add_argument("--format", choices=("text", "json"), default="text")
    group.add_argument("-o", "--output", metavar="FILE", help="write there instead of the screen")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Explain the chosen segments with each metric."""
    from rich.console import Group
    from rich.text import Text

    from metaphrase.metrics import create
    from metaphrase.report import explanation_view

    chosen = analyser_option(options)
    metrics = [create(name, lang=options.language, **chosen) for name in options.metrics]
    for metric in metrics:
        if not metric.explains():
            metric.explain("", "")
    corpus = _corpus(options)
    views, records = [], []
    for metric in metrics:
        for system, row in _choose(options, corpus, metric):
            for number, texts in enumerate(corpus.references, 1):
                explanation = metric.explain(corpus.systems[system][row], texts[row])
                title = f"segment {row + 1}, system {system}"
                if len(corpus.references) > 1:
                    title += f", reference {number}"
                place = {"system": system, "segment": row + 1, "reference": number}
                records.append(place | explanation.to_dict())
                views += [Text("─" * 72, style="dim"), explanation_view(explanation, title=title)]
    if options.format == "json":
        text = json.dumps(records, ensure_ascii=False, indent=1, allow_nan=False)
        print_result([text], options.output)
    else:
        print_result(Group(*views[1:]), options.output)
    return 0


def _corpus(options: argparse.Namespace) -> Corpus:
    if options.reference is None and options.hypothesis is None:
        return Corpus.join(open_corpus(options))
    if options.reference is None or options.hypothesis is None:
        raise OptionError("MP604", "--reference and --hypothesis go together.")
    if options.references or options.input or options.corpus:
        raise OptionError("MP604", "give either texts or files, not both.")
    return Corpus(
        {"hypothesis": [options.hypothesis]},
        [[options.reference]],
        empty_references=options.empty_references,
    )


def _choose(
    options: argparse.Namespace, corpus: Corpus, metric: Metric
) -> Iterator[tuple[str, int]]:
    """The segments to explain: those named, for every system, or the worst of all systems."""
    if options.segment:
        for number in options.segment:
            if not 1 <= number <= len(corpus):
                raise InputError(
                    "MP605", f"there is no segment {number}: the corpus has {len(corpus)}."
                )
            yield from ((system, number - 1) for system in corpus.systems)
        return
    from metaphrase.scoring import score

    scores = score(corpus, [metric], levels=["segment"])
    sign = 1.0 if metric.higher_is_better else -1.0
    ranked = sorted(
        (sign * value, row, number)
        for number, system in enumerate(corpus.systems)
        for row, value in enumerate(
            scores.values(system=system, metric=metric.name, level="segment").tolist()
        )
    )
    names = list(corpus.systems)
    yield from ((names[number], row) for _, row, number in ranked[: max(options.worst, 0)])
