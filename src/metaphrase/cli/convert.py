"""``metaphrase convert``: texts, units and scores from one file format to another, and scores into units."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace

from metaphrase.cli.arguments import (
    add_corpus_arguments,
    add_load,
    described_corpus,
    described_files,
)
from metaphrase.cli.command import command
from metaphrase.cli.convert_judgements import (
    OPTIONS,
    TARGETS,
    add_judgement_options,
    convert_judgements,
    flag,
)
from metaphrase.cli.output import check_output, print_lines
from metaphrase.corpus import Corpus
from metaphrase.corpus.formats.registry import (
    Recognised,
    find_format,
    formats,
    named_format,
    recognise,
)
from metaphrase.corpus.formats.submissions.files import Submission
from metaphrase.corpus.formats.submissions.layouts import LAYOUTS
from metaphrase.corpus.formats.units.annotating import annotate
from metaphrase.corpus.formats.units.remark_files import read_remarks
from metaphrase.corpus.lines import STDIN, LineReader
from metaphrase.corpus.normalisation import normalise
from metaphrase.corpus.opening import read_units, shown_path
from metaphrase.corpus.writing import atomic_writer, encoded_lines
from metaphrase.errors import InputError, OptionError

EXAMPLES = """\
examples:
  metaphrase convert ref.txt -i a.txt b.txt --to wmt-xml -o test.xml
  metaphrase convert --corpus test.xml --to jsonl -o test.jsonl
  metaphrase convert ref.sgm -i a.sgm --sources src.sgm --to tsv -o test.tsv
  metaphrase convert old.score --from wmt16-sys --to wmt20-sys \\
      --set reference=refA -o new.score
  metaphrase convert messages.po --to csv -o messages.csv
  metaphrase convert ad-seg-scores.csv --texts de-en.tsv --language-pair de-en \\
      --to judgements -o scores.tsv
  metaphrase convert mt.xlf --annotate scores.json -o annotated.xlf
  metaphrase convert system.txt --normalise -o clean.txt
  metaphrase convert --identify FILE…
"""
#: What a test set has in markup and trees: a name and languages.
_OF_TEXTS = ("set_id", "source_language", "target_language")
#: What texts and units become, and which of it are folders.
_TEXTS = sorted(one.name for one in formats().values() if one.write_corpus)
_UNITS = sorted(one.name for one in formats().values() if one.write_units)
_FOLDERS = sorted(one.name for one in formats().values() if one.writes_folder)


@command(
    place=160,
    help="convert texts or scores from one file format to another",
    description="Convert texts, given as for `metaphrase score`, one localisation file, one file of "
    f"scores, or files of judgements. Texts become {', '.join(_TEXTS)}; units {', '.join(_UNITS)}; "
    f"judgements {', '.join(TARGETS)}; {', '.join(_FOLDERS[:-1])} and {_FOLDERS[-1]} are folders of "
    "files.",
    epilog=EXAMPLES,
)
def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare its arguments."""
    add_corpus_arguments(parser)
    group = parser.add_argument_group("conversion")
    group.add_argument("--from", dest="source_format", metavar="FORMAT", help="of a file of scores")
    group.add_argument(
        "--set",
        nargs="+",
        action="extend",
        metavar="COLUMN=VALUE",
        help="of scores: a column that the file lacks, such as reference=refA",
    )
    group.add_argument("--to", metavar="FORMAT", help="what to write")
    group.add_argument(
        "--annotate",
        metavar="JSON",
        help="write the scores of units (`metaphrase score --level segment --format json`), or findings, "
        "into one XLIFF or PO file, which otherwise stays as it is byte for byte",
    )
    group.add_argument(
        "--normalise",
        action="store_true",
        default=None,
        help="write texts without variants of typography and Unicode; a file of plain text stays one",
    )
    group.add_argument("--system", metavar="NAME", help="whose scores, if there are several")
    group.add_argument("--identify", action="store_true", help="only say what format files are in")
    group.add_argument("--set-id", metavar="NAME", help="in markup and trees (default: corpus)")
    group.add_argument("--source-language", metavar="LANG", help="likewise")
    group.add_argument("--target-language", metavar="LANG", help="likewise")
    group.add_argument("-o", "--output", metavar="PATH", help="the file or folder to write")
    add_load(group)
    add_judgement_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Say what files are, or read one format and write another."""
    if options.identify:
        return _identify(described_files(options).paths)
    if options.annotate is not None:
        return _annotate(options)
    _check_unused(options, ("system",), "a conversion without --annotate")
    if options.normalise and _is_plain_file(options):
        return _normalise(options)
    if options.to is None or options.output is None:
        raise OptionError(
            "MP612", "it is not said what to write, and where.", hint="Add --to FORMAT -o PATH."
        )
    if options.to in TARGETS:
        if options.input or options.corpus:
            raise _cannot_become("texts", options.to)
        _check_unused(options, ("normalise",), options.to)
        return convert_judgements(options, _OF_TEXTS)
    _check_unused(options, OPTIONS, options.to)
    target = find_format(options.to)
    if target is None or not target.writes_folder:
        check_output(options.output, described_files(options).paths)
    if options.corpus is None and len(options.references) == 1 and not options.input:
        file = described_files(options).look(options.references[0])
        _check_unused(options, ("normalise",), "units and scores")
        if options.source_format is None and file.has_units:
            return _convert_units(file, options)
        _check_unused(options, _OF_TEXTS, "a file of scores")
        return _convert_file(file, options)
    _check_unused(options, ("source_format", "set"), "texts")
    if target is None or target.write_corpus is None or not {*_OF_TEXTS} <= {*target.options}:
        _check_unused(options, _OF_TEXTS, options.to)
    if target is None or target.write_corpus is None:
        named_format(options.to)
        raise _cannot_become("texts", options.to)
    corpus = Corpus.join(described_corpus(options))
    if options.normalise:
        corpus = _normalised(corpus)
    try:
        naming = {name: getattr(options, name) or "" for name in _OF_TEXTS}
        target.write_corpus(corpus, options.output, **target.given(**naming))
    except InputError as error:
        given = options.corpus or options.documents or options.references[0]
        raise (error if error.path is not None else error.at(given)) from None
    return 0


def _check_unused(options: argparse.Namespace, names: Sequence[str], what: str) -> None:
    """Refuse options that would say nothing."""
    for name in names:
        if getattr(options, name) is not None:
            shown = {"source_format": "from"}.get(name, flag(name))
            raise OptionError(
                "MP614", f"--{shown} says nothing about {what}.", hint="Leave it out."
            )


def _identify(paths: list[str]) -> int:
    if not paths:
        raise OptionError("MP602", "no file was given.", hint="metaphrase convert --identify FILE")
    lines = []
    for path in paths:
        if path != STDIN and not os.path.exists(path):
            raise InputError("MP110", "There is no such file.", path=path, hint="Check the path.")
        file = recognise(path)
        if (found := file.format) is not None:
            known = f"{found.name} ({found.holds}): {found.description}"
        elif os.path.isdir(path):
            known = "a folder of no format that is known"
        elif (foreign := file.foreign) is not None:
            known = f"{foreign.description}, which is not read"
        else:
            known = "plain text"
        lines.append(f"{shown_path(path)}: {known}")
    print_lines(lines)
    return 0


def _is_plain_file(options: argparse.Namespace) -> bool:
    alone = len(options.references) == 1 and not (options.input or options.corpus or options.to)
    return alone and described_files(options).look(options.references[0]).format is None


def _normalise(options: argparse.Namespace) -> int:
    """One file of plain text, line by line."""
    (path,) = options.references
    if options.output is None:
        raise OptionError("MP612", "it is not said where to write.", hint="Add -o PATH.")
    _check_unused(options, ("source_format", "set", *_OF_TEXTS, *OPTIONS), "plain text")
    check_output(options.output, [path])
    with LineReader(path) as reader, atomic_writer(options.output) as stream:
        stream.writelines(encoded_lines((normalise(line) for _, line in reader), options.output))
    return 0


def _normalised(corpus: Corpus) -> Corpus:
    """All texts, the sources included."""
    texts = corpus.normalised
    return Corpus(
        texts.systems,
        texts.references,
        sources=None if corpus.sources is None else [*map(normalise, corpus.sources)],
        documents=corpus.documents,
        domains=corpus.domains,
        ids=corpus.ids,
        empty_references="keep",
    )


def _annotate(options: argparse.Namespace) -> int:
    """Scores or findings into the file that they are about."""
    if len(options.references) != 1 or options.input or options.corpus or not options.output:
        raise OptionError(
            "MP612",
            "--annotate writes into one file.",
            hint="metaphrase convert FILE --annotate scores.json -o OUT",
        )
    _check_unused(options, ("to", "source_format", "set", "normalise", *_OF_TEXTS), "--annotate")
    (path,) = options.references
    check_output(options.output, [path, options.annotate])
    annotate(path, read_remarks(options.annotate, system=options.system), options.output)
    return 0


def _convert_units(file: Recognised, options: argparse.Namespace) -> int:
    """One localisation file."""
    _check_unused(options, ("set", "set_id"), "units")
    target = find_format(options.to)
    if target is None or target.write_units is None:
        hint = f"Choose {', '.join(_UNITS)}."
        raise OptionError("MP609", f"units cannot become {options.to}.", hint=hint)
    units = read_units(
        file,
        source_language=options.source_language or "",
        target_language=options.target_language or "",
        columns=described_files(options).columns,
    )
    target.write_units(units, options.output)
    return 0


def _convert_file(file: Recognised, options: argparse.Namespace) -> int:
    """One file of scores."""
    if options.source_format:
        file = replace(file, format=named_format(options.source_format))
    source = file.format
    if source is None or source.holds != "scores" or source.read is None:
        raise InputError(
            "MP609",
            f"The file is {file.description}, not scores.",
            path=file.path,
            hint="Give texts as for `metaphrase score`: REF -i HYP, or --corpus FILE.",
        )
    target = named_format(options.to)
    if target.holds != "scores" or target.write is None:
        raise _cannot_become(source.name, options.to)
    scores = source.read(file.path)
    if isinstance(scores, Submission) and options.to in LAYOUTS:
        scores = scores.as_layout(options.to, _given(options.set or []))
    elif source.name != target.name or options.set is not None:
        raise _cannot_become(source.name, options.to)
    try:
        target.write(scores, options.output)
    except InputError as error:
        # A line that cannot be written is the same line of what was read.
        raise (error.at(file.path, error.line) if error.line is not None else error) from None
    return 0


def _given(assignments: list[str]) -> dict[str, str]:
    given = {}
    for assignment in assignments:
        name, equals, value = assignment.partition("=")
        if not equals or not value or name in given:
            raise OptionError(
                "MP609", f"--set {assignment} sets nothing.", hint="Write COLUMN=VALUE, each once."
            )
        given[name] = value
    return given


def _cannot_become(what: str, to: str) -> OptionError:
    possible = _TEXTS if what == "texts" else [what]
    if what in LAYOUTS:
        possible = [name for name in LAYOUTS if LAYOUTS[name].level == LAYOUTS[what].level]
    return OptionError(
        "MP609", f"{what} cannot become {to}.", hint=f"Choose {', '.join(sorted(possible))}."
    )
