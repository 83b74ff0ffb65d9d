"""``metaphrase analyse``: what an analyser says about each word of a text."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from itertools import chain
from typing import TYPE_CHECKING

from metaphrase.cli.arguments import add_language, add_threads
from metaphrase.cli.command import command
from metaphrase.cli.output import check_output, print_aside, print_lines, print_view, progress_bar
from metaphrase.corpus.formats.conllu import is_named_conllu, read_conllu_texts
from metaphrase.corpus.lines import STDIN, LineReader
from metaphrase.corpus.opening import conllu_analyser
from metaphrase.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType

    from metaphrase.analysis import Analyser, Relation, Sentence

    #: A row, its number from 1, and its collapsed relations if they were asked for.
    Analysed = tuple[int, Sentence, tuple[Relation, ...] | None]

EXAMPLES = """\
examples:
  metaphrase analyse --text "The cat sat on the mat."
  metaphrase analyse reference.txt -o reference.conllu
  metaphrase analyse parsed.conllu --relations collapsed --format tree
  zcat news.gz | metaphrase analyse --columns tag lemma > news.conllu
"""
#: Segments in memory at a time.
_PIECE = 2048
#: So many segments or fewer are drawn where somebody is looking and did not ask for a format.
_FEW = 10


@command(
    place=90,
    help="show tokens, tags, lemmas and parses of a text",
    description="Analyse text, one segment per line, into CoNLL-U, a picture of the parse or a table.",
    epilog=EXAMPLES,
)
def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare its arguments."""
    group = parser.add_argument_group("texts")
    group.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="text files or .conllu; '-' or nothing: standard input",
    )
    group.add_argument("--text", nargs="+", metavar="TEXT", help="texts, instead of files")
    group = parser.add_argument_group("analysis")
    add_language(group, "builtin:en, spacy:PIPELINE or conllu:FILE")
    group.add_argument(
        "--columns",
        nargs="+",
        action="extend",
        metavar="COLUMN",
        help="lemma, tag, upos, head, relation, entity, chunk (default: all that the analyser has)",
    )
    group.add_argument(
        "--relations",
        choices=("basic", "collapsed"),
        default="basic",
        help="basic: the parser's tree alone; collapsed: also Stanford's collapsed dependencies",
    )
    group = parser.add_argument_group("output")
    group.add_argument(
        "--format",
        choices=("conllu", "tree", "table"),
        help="default: conllu; tree for a few segments on a terminal",
    )
    group.add_argument("-o", "--output", metavar="FILE", help="write there instead of the screen")
    add_threads(group)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Analyse piece by piece, with a progress bar if somebody is watching."""
    if options.text and options.files:
        raise OptionError(
            "MP610",
            "--text gives the texts already.",
            hint=f"Leave out {options.files[0]} or --text.",
        )
    check_output(options.output, options.files)
    analyser = _analyser(options)
    columns = _columns(options, analyser)
    pieces = _pieces(options)
    beginning = [next(pieces, []), next(pieces, [])]
    watched = options.output is None and sys.stdout is not None and sys.stdout.isatty()
    few = sum(map(len, beginning)) <= _FEW
    chosen = options.format or ("tree" if watched and few else "conllu")
    # Lines that appear as they are made show how far the work has come.
    silent = watched and chosen == "conllu"
    with nullcontext() if silent else progress_bar("analysing") as progress:
        rows = _analysed(chain(beginning, pieces), analyser, columns, options, progress)
        if chosen == "conllu":
            print_lines(_conllu(rows), options.output)
            return 0
        views = _views(rows, chosen)
    print_view(views, options.output)
    return 0


def _analyser(options: argparse.Namespace) -> Analyser:
    """The one asked for, or the CoNLL-U files themselves, or the built-in one of the language."""
    from metaphrase.analysis import shared

    if options.analyser is not None:
        return shared(options.analyser)
    return shared(conllu_analyser(options.files) or f"builtin:{options.language}")


def _columns(options: argparse.Namespace, analyser: Analyser) -> frozenset[str]:
    """What to ask for: all there is, or what was named; and what collapsed relations are made of."""
    from metaphrase.analysis import RELATION_COLUMNS

    columns = frozenset(options.columns or analyser.columns)
    if options.relations == "collapsed":
        if lacking := sorted(set(RELATION_COLUMNS) - analyser.columns):
            raise OptionError(
                "MP611",
                f"collapsed relations need {', '.join(RELATION_COLUMNS)}; "
                f"analyser {analyser.name!r} has no {', '.join(lacking)}.",
                hint="Choose an analyser with a parser: spacy:PIPELINE or conllu:FILE.",
            )
        columns |= set(RELATION_COLUMNS)
    return columns


def _pieces(options: argparse.Namespace) -> Iterator[list[str]]:
    """The texts, so many at a time that any number of them fits into memory."""
    if options.text:
        yield options.text
        return
    if not options.files and sys.stdin is not None and sys.stdin.isatty():
        print_aside("metaphrase: reading texts from standard input")
    for path in options.files or [STDIN]:
        if is_named_conllu(path):
            yield read_conllu_texts(path)
            continue
        with LineReader(path) as reader:
            while lines := reader.take(_PIECE):
                yield lines


def _analysed(
    pieces: Iterable[list[str]],
    analyser: Analyser,
    columns: frozenset[str],
    options: argparse.Namespace,
    progress: Callable[[int], None] | None,
) -> Iterator[Analysed]:
    from metaphrase.analysis import collapse

    number = 0
    for texts in pieces:
        batch = analyser.analyse(texts, columns, threads=options.threads)
        graphs = None
        if options.relations == "collapsed":
            graphs = collapse(batch, threads=options.threads)
        for row, sentence in enumerate(batch):
            number += 1
            yield number, sentence, None if graphs is None else graphs[row]
        if progress is not None:
            progress(number)


def _conllu(rows: Iterator[Analysed]) -> Iterator[str]:
    from metaphrase.analysis import conllu_lines

    for number, sentence, relations in rows:
        yield from conllu_lines(sentence, number, relations=relations)


def _views(rows: Iterator[Analysed], chosen: str) -> list[RenderableType]:
    from metaphrase.report import parse_view, token_table

    views: list[RenderableType] = []
    for number, sentence, relations in rows:
        if views:
            views.append("")
        if chosen == "tree":
            views += parse_view(sentence, title=f"segment {number}", relations=relations or ())
        else:
            views += [f"segment {number}", token_table(sentence, relations=relations or ())]
    return views
