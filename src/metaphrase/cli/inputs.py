"""From file names on the command line to a corpus."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from metaphrase.corpus import Corpus, open_jsonl, open_plain, open_tsv
from metaphrase.corpus.lines import LineReader
from metaphrase.errors import OptionError

_SUFFIXES = (".gz", ".txt", ".tsv", ".jsonl", ".conllu")


def add_corpus_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments that say where the texts are, in sacreBLEU's manner."""
    group = parser.add_argument_group("texts")
    group.add_argument(
        "references",
        nargs="*",
        metavar="REF",
        help="reference files, one segment a line, or .conllu",
    )
    group.add_argument(
        "-i",
        "--input",
        nargs="+",
        action="extend",
        metavar="HYP",
        help="hypothesis files, FILE or NAME=FILE; '-' or nothing: standard input",
    )
    group.add_argument(
        "--corpus", metavar="FILE", help="all texts in one .tsv or .jsonl file instead"
    )
    group.add_argument("--sources", metavar="FILE", help="source texts")
    group.add_argument("--documents", metavar="FILE", help="one document id a line")
    group.add_argument("--domains", metavar="FILE", help="one domain id a line")
    group.add_argument(
        "--empty-references",
        choices=("error", "keep"),
        default="error",
        help="what to do about an empty reference where a hypothesis is not empty (default: error)",
    )


def add_metric_arguments(parser: argparse.ArgumentParser, default: Sequence[str]) -> None:
    """Arguments that say which metrics, in which language, with which analyser."""
    group = parser.add_argument_group("metrics")
    group.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        default=list(default),
        metavar="METRIC",
        help=f"NAME or NAME:option=value:… (default: {' '.join(default)}; see `metaphrase metrics`)",
    )
    group.add_argument("-l", "--language", default="en", metavar="LANG", help="default: en")
    group.add_argument(
        "--analyser",
        metavar="NAME",
        help="builtin:en, spacy:PIPELINE or conllu:FILE, for metrics that need analysed text",
    )


def analyser_option(options: argparse.Namespace) -> dict[str, str]:
    """The analyser that metrics should use: the one asked for, or the CoNLL-U files themselves."""
    files = [*options.references, *name_systems(options.input or []).values()]
    conllu = [path for path in files if _is_conllu(path)]
    if options.analyser is not None:
        return {"analyser": options.analyser}
    if not conllu:
        return {}
    if len(conllu) < len(files):
        plain = next(path for path in files if not _is_conllu(path))
        raise OptionError(
            "MP606",
            f"{plain} is not CoNLL-U, but {conllu[0]} is.",
            hint="Give all texts analysed or none, or choose an --analyser for all of them.",
        )
    return {"analyser": "conllu:" + os.pathsep.join(conllu)}


def open_corpus(options: argparse.Namespace) -> Iterator[Corpus]:
    """The texts that the options name, piece by piece."""
    if options.corpus is not None:
        if options.references or options.input:
            raise OptionError("MP601", "--corpus has all the texts: give no REF and no -i with it.")
        opener = open_jsonl if ".jsonl" in Path(options.corpus).suffixes else open_tsv
        return opener(options.corpus, empty_references=options.empty_references)
    if not options.references:
        raise OptionError(
            "MP602",
            "no reference was given.",
            hint="Try: metaphrase score REFERENCE -i HYPOTHESIS",
        )
    systems = name_systems(options.input or ["-"])
    if any(map(_is_conllu, [*options.references, *systems.values()])):
        return iter([_read_analysed(options, systems)])
    return open_plain(
        options.references,
        systems,
        sources=options.sources,
        documents=options.documents,
        domains=options.domains,
        empty_references=options.empty_references,
    )


def name_systems(inputs: Sequence[str]) -> dict[str, str]:
    """A name for each hypothesis file: the one given with ``NAME=FILE``, or the file's own."""
    systems: dict[str, str] = {}
    for given in inputs:
        name, equals, path = given.partition("=")
        if not equals or Path(given).exists():
            name, path = _stem(given), given
        if name in systems:
            raise OptionError(
                "MP603",
                f"two systems are called {name!r}: {systems[name]} and {path}.",
                hint="Name them: -i first=FILE second=FILE",
            )
        systems[name] = path
    return systems


def _is_conllu(path: str) -> bool:
    return ".conllu" in Path(path).suffixes


def _read_analysed(options: argparse.Namespace, systems: Mapping[str, str]) -> Corpus:
    """A corpus of the texts of CoNLL-U files; plain files may stand beside them."""
    from metaphrase.analysis import read_conllu

    def texts(path: str | None) -> list[str] | None:
        if path is None:
            return None
        if _is_conllu(path):
            return [sentence.text for sentence in read_conllu(path)]
        with LineReader(path) as reader:
            return [line for _, line in reader]

    return Corpus(
        {name: texts(path) or [] for name, path in systems.items()},
        [texts(path) or [] for path in options.references],
        sources=texts(options.sources),
        documents=texts(options.documents),
        domains=texts(options.domains),
        empty_references=options.empty_references,
    )


def _stem(path: str) -> str:
    if path == "-":
        return "stdin"
    name = Path(path).name
    while Path(name).suffix in _SUFFIXES:
        name = name[: -len(Path(name).suffix)]
    return name or path


def reads_terminal(options: argparse.Namespace) -> bool:
    """Whether the command is about to wait for somebody to type hypotheses."""
    return options.corpus is None and not options.input and sys.stdin.isatty()
