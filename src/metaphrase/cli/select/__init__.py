"""``metaphrase select``: the best of several candidates for each sentence."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import TYPE_CHECKING, BinaryIO

from metaphrase.cli.arguments import (
    add_language,
    add_language_check,
    add_metric_names,
    add_on_error,
    add_threads,
    column_names,
    metric_names,
    positive,
)
from metaphrase.cli.command import command
from metaphrase.cli.output import print_aside, print_lines, print_view, progress_bar
from metaphrase.cli.refusals import TOLD, say
from metaphrase.cli.select.lines import json_lines, score_lines, table_lines, text_lines
from metaphrase.cli.select.options import (
    add_choosing,
    add_texts,
    check_options,
    output_format,
)
from metaphrase.cli.select.summary import Summary
from metaphrase.corpus.lines import STDIN, LineReader, is_read_once
from metaphrase.corpus.names import name_systems
from metaphrase.corpus.writing import atomic_writer, encoded_lines
from metaphrase.defaults import DEFAULT_METRIC
from metaphrase.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from metaphrase.selection import Candidates, Chooser, Selection

EXAMPLES = """\
examples:
  metaphrase select candidates.txt --per-sentence 100 -o best.txt
  metaphrase select a.txt b.txt c.txt -m accord chrf --shares 2 1
  metaphrase select samples.jsonl.gz --n-best 5 --format jsonl -o best.jsonl
  zcat nbest.gz | metaphrase select - -m chrf --aggregate --scores scores.tsv
  metaphrase select a.txt b.txt --references ref.txt   which is the oracle?
  metaphrase select a.txt b.txt c.txt --explain 1 2    why these candidates?
"""


@command(
    place=80,
    help="choose the best of several candidates for each sentence",
    description="Choose for each sentence the candidate that is closest to all others, as "
    "minimum Bayes risk decoding does, or closest to references.",
    epilog=EXAMPLES,
)
def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare its arguments."""
    add_texts(parser)
    group = add_metric_names(parser, [DEFAULT_METRIC])
    add_language(group, "builtin:en or spacy:PIPELINE, for metrics that need analysed text")
    add_language_check(group)
    add_on_error(group)
    group.add_argument(
        "--shares",
        nargs="+",
        type=float,
        metavar="X",
        help="how much each of several metrics counts (default: all alike)",
    )
    add_choosing(parser)
    group = parser.add_argument_group("output")
    group.add_argument(
        "--n-best",
        type=positive,
        metavar="K",
        help="the K best candidates with their utilities, as a table or in JSON",
    )
    group.add_argument(
        "--explain",
        nargs="*",
        type=positive,
        metavar="N",
        help="show why, of these sentences, counted from 1, or of all; with -o the choice goes there",
    )
    group.add_argument(
        "--format",
        choices=("text", "tsv", "jsonl"),
        help="text: the best candidates, one per line (default); tsv: with utilities (default "
        "with --n-best); jsonl: one object per sentence",
    )
    group.add_argument("--scores", metavar="FILE", help="a table of all candidates' utilities")
    group.add_argument("-o", "--output", metavar="FILE", help="write there instead of the screen")
    add_threads(group)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Choose, sentence by sentence, with a progress bar if somebody is watching."""
    from metaphrase.selection import BestSystemCheck, ShortCutCheck, near_copies

    systems = name_systems(options.files) if len(options.files) > 1 else {}
    inputs = list(systems.values()) or list(options.files) or [STDIN]
    check_options(options, inputs)
    chooser = _chooser(options)
    check = ShortCutCheck(chooser, most=options.check) if options.check else None
    merged = None
    if options.merge_near_copies is not None:
        merged = near_copies(_sentences(options, inputs), limit=options.merge_near_copies)
    several = len(systems) > 2 and not options.references
    judge = BestSystemCheck(chooser, merged) if several else None
    summary = Summary(list(systems), chooser, check, judge, merged)
    with ExitStack() as stack:
        progress = stack.enter_context(_progress(options, inputs))
        sentences = _sentences(options, inputs)
        found = chooser.choose(sentences if merged is None else merged.merged(sentences))
        if check is not None:
            found = check.watched(found)
        if judge is not None:
            found = judge.watched(found)
        if options.check_language:
            found = _warned(found, chooser)
        found = _told(summary.watched(found, progress))
        if options.scores is not None:
            stream = stack.enter_context(atomic_writer(options.scores))
            found = _kept(found, stream, options.scores, summary.systems)
        _show(found, options, summary.systems)
    if _is_watched(options):
        print_aside()
    for line in summary.lines():
        print_aside(line)
    return 0


def _is_watched(options: argparse.Namespace) -> bool:
    """Whether what is chosen, or why, goes to a screen."""
    printed = options.output is None or options.explain is not None
    return printed and sys.stdout is not None and sys.stdout.isatty()


def _chooser(options: argparse.Namespace) -> Chooser:
    from metaphrase.metrics import create
    from metaphrase.selection import Chooser

    names = metric_names(options, [DEFAULT_METRIC], "the files first: metaphrase select FILE -m …")
    analyser = {} if options.analyser is None else {"analyser": options.analyser}
    return Chooser(
        metrics=[create(name, lang=options.language, **analyser) for name in names],
        shares=options.shares,
        leave_self_out=options.leave_self_out,
        aggregate=options.aggregate,
        confidence=options.confidence,
        shortlist=options.shortlist,
        shortlist_by=create(options.shortlist_by or "chrf", lang=options.language),
        keep=options.n_best or 1,
        threads=options.threads,
        on_error=options.on_error,
    )


def _sentences(options: argparse.Namespace, inputs: Sequence[str]) -> Iterator[Candidates]:
    from metaphrase.selection import read_candidates

    if not options.files and sys.stdin is not None and sys.stdin.isatty():
        print_aside("metaphrase: reading candidates from standard input")
    return read_candidates(
        inputs,
        per_sentence=options.per_sentence,
        samples=options.samples,
        samples_per_sentence=options.samples_per_sentence,
        references=options.references,
        oracle=options.oracle,
        sources=options.sources,
        columns=column_names(options.columns),
        file_format=options.file_format,
        equal_weights=options.equal_weights,
    )


def _progress(
    options: argparse.Namespace, inputs: Sequence[str]
) -> AbstractContextManager[Callable[[int], None] | None]:
    """None where lines on the screen show how far the work has come."""
    if _is_watched(options):
        return nullcontext()

    def count() -> int | None:
        """How many sentences there are, if a file of plain text says so, which is read for it."""
        by_line = len(inputs) > 1 or options.per_sentence is not None
        if not by_line or is_read_once(inputs[0]):
            return None
        try:
            with LineReader(inputs[0]) as reader:
                return reader.count() // (options.per_sentence or 1)
        except InputError:  # whoever reads the texts will say so
            return None

    return progress_bar("choosing", "sentences", total=count)


def _warned(found: Iterator[Selection], chooser: Chooser) -> Iterator[Selection]:
    """The selections; when all have gone by, a warning if they are in another language than was said."""
    from metaphrase.analysis.languages.corpus_check import LanguageCheck

    check = LanguageCheck([metric.lang for metric in chooser.metrics])
    for selection in found:
        source = selection.candidates.source
        # A sentence without a source may stand between others.
        check.watch_text("the candidates", selection.text, source or "")
        yield selection
    for warning in check.warnings():
        warnings.warn(warning, stacklevel=2)


def _told(found: Iterator[Selection]) -> Iterator[Selection]:
    """The selections; the first candidates that metrics refused are named as they go by."""
    told = 0
    for number, selection in enumerate(found, 1):
        for index, why in selection.refused.items():
            name = selection.candidates.name or str(number)
            if told < TOLD:
                say(f"sentence {name}, candidate {index + 1} is skipped: {why}")
            told += 1
        yield selection


def _kept(
    found: Iterator[Selection], stream: BinaryIO, path: str, systems: Sequence[str]
) -> Iterator[Selection]:
    """The selections, whose utilities are written into a table as they go by."""
    for number, selection in enumerate(found):
        lines = score_lines(selection, systems, header=not number, path=path)
        stream.writelines(encoded_lines(lines, path))
        yield selection


def _show(found: Iterator[Selection], options: argparse.Namespace, systems: Sequence[str]) -> None:
    """What was chosen, and why if that was asked for."""
    form = output_format(options)
    path = options.output or "<stdout>"
    why = None if options.explain is None else set(options.explain)
    count = options.n_best or 1
    if form == "jsonl":
        lines = json_lines(_until(found, why), systems, count=count, why=why)
    else:
        if why is not None:
            found = _explained(_until(found, why), why, systems)
            if options.output is None:  # the reasons say what was chosen, too
                deque(found, maxlen=0)
                return
        lines = text_lines(found)
        if form == "tsv":
            lines = table_lines(found, systems, count=count, path=path)
    # What would not read back as it was written is refused, on the screen, too.
    print_lines((line.decode()[:-1] for line in encoded_lines(lines, path)), options.output)


def _explained(
    found: Iterator[Selection], why: Collection[int], systems: Sequence[str]
) -> Iterator[Selection]:
    """The selections, of which those asked for are shown with their reasons as they go by."""
    from metaphrase.report import support_view
    from metaphrase.selection import support

    first = True
    for number, selection in enumerate(found, 1):
        if (not why or number in why) and not selection.refused:
            system = systems[selection.index] if systems else ""
            view = support_view(selection, support(selection), system=system)
            print_view(view if first else ["", *view], folded=True)
            first = False
        yield selection


def _until(found: Iterator[Selection], why: Collection[int] | None) -> Iterator[Selection]:
    """The selections, among which those to be explained must be."""
    number = 0
    for selection in found:
        number += 1
        yield selection
    if why and max(why) > number:
        raise InputError("MP605", f"there is no sentence {max(why)}: there are {number}.")
