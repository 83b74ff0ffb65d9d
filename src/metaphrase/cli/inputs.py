"""From file names on the command line to a corpus."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from metaphrase.cli.marked_inputs import (
    are_sgml,
    check_plain,
    format_of,
    named,
    read_marked,
    shown_path,
)
from metaphrase.corpus import Corpus, open_jsonl, open_plain, open_tsv
from metaphrase.corpus.lines import STDIN, LineReader
from metaphrase.corpus.marked_text import marked_corpus
from metaphrase.corpus.validation import EmptyReferences
from metaphrase.errors import InputError, OptionError

if TYPE_CHECKING:
    from metaphrase.metrics import Metric

_SUFFIXES = (".gz", ".txt", ".tsv", ".jsonl", ".conllu")


def add_corpus_arguments(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Arguments that say where the texts are, in sacreBLEU's manner."""
    group = parser.add_argument_group("texts")
    group.add_argument(
        "references",
        nargs="*",
        metavar="REF",
        help="files of references: text with one segment per line, CoNLL-U or SGML",
    )
    group.add_argument(
        "-i",
        "--input",
        nargs="+",
        action="extend",
        metavar="HYP",
        help="files of hypotheses, FILE or NAME=FILE, one for each system; '-' or nothing: standard input",
    )
    group.add_argument(
        "--corpus",
        metavar="FILE",
        help="all texts in one file instead: TSV, JSONL or WMT's XML; or a folder of mt-metrics-eval, "
        "LP=FOLDER if it has several language pairs",
    )
    group.add_argument(
        "--sources",
        metavar="FILE",
        help="source texts, one per line: for reports and conversion, as no metric reads them",
    )
    group.add_argument("--documents", metavar="FILE", help="one document id per line")
    group.add_argument("--domains", metavar="FILE", help="one domain id per line")
    group.add_argument(
        "--plain",
        action="store_true",
        help="REF, HYP and sources are plain text, even if they look like something else",
    )
    group.add_argument(
        "--empty-references",
        choices=("error", "keep"),
        default="error",
        help="what to do about an empty reference where a hypothesis is not empty (default: error)",
    )
    return group


def add_metric_names(
    parser: argparse.ArgumentParser, default: Sequence[str]
) -> argparse._ArgumentGroup:
    """The argument that says which metrics."""
    group = parser.add_argument_group("metrics")
    group.add_argument(
        "-m",
        "--metrics",
        nargs="+",
        action="extend",
        metavar="METRIC",
        help="NAME, NAME:VARIANT or NAME:option=value:… "
        f"(default: {' '.join(default)}; see `metaphrase metrics`)",
    )
    return group


def add_metric_arguments(parser: argparse.ArgumentParser, default: Sequence[str]) -> None:
    """Arguments that say which metrics, in which language, with which analyser."""
    group = add_metric_names(parser, default)
    group.add_argument(
        "-l", "--language", default="en", metavar="LANG", help="of the texts (default: en)"
    )
    group.add_argument(
        "--analyser",
        metavar="NAME",
        help="builtin:en, spacy:PIPELINE or conllu:FILE, for metrics that need analysed text",
    )


def chosen_metrics(options: argparse.Namespace, default: Sequence[str]) -> list[Metric]:
    """The metrics asked for, in the language and with the analyser asked for."""
    from metaphrase.metrics import create

    names = options.metrics or default
    swallowed = [name for name in names if Path(name).suffix and _exists(name)]
    if swallowed:
        raise OptionError(
            "MP602",
            f"{swallowed[0]} is a file, but stands where a metric belongs.",
            hint="Put the references first: metaphrase score REFERENCE -i HYPOTHESIS -m METRIC",
        )
    analyser = _analyser(options)
    return [create(name, lang=options.language, **analyser) for name in names]


def _analyser(options: argparse.Namespace) -> dict[str, str]:
    """The analyser asked for, or the CoNLL-U files themselves."""
    if options.analyser is not None:
        return {"analyser": options.analyser}
    if options.corpus is not None or not options.references:
        return {}
    name = conllu_analyser([*options.references, *_hypotheses(options)])
    return {} if name is None else {"analyser": name}


def conllu_analyser(files: Sequence[str]) -> str | None:
    """The name of the analyser that reads the files, if they are CoNLL-U; some alone cannot be."""
    conllu = [path for path in files if is_conllu(path)]
    if not conllu:
        return None
    if len(conllu) < len(files):
        raise _some_analysed(files)
    return "conllu:" + "\0".join(conllu)


def _some_analysed(files: Sequence[str]) -> OptionError:
    analysed = next(path for path in files if is_conllu(path))
    other = next(path for path in files if not is_conllu(path))
    return OptionError(
        "MP606",
        f"{shown_path(other)} is not CoNLL-U, but {analysed} is.",
        hint="Give all texts analysed or none, or choose an --analyser for all of them.",
    )


def input_files(options: argparse.Namespace) -> list[str | None]:
    """Every file that the command will read."""
    optional = [options.sources, options.documents, options.domains]
    whole = None if options.corpus is None else pair_and_file(options.corpus)[1]
    given = [named(one)[1] for one in options.input or ()]
    return [*options.references, *given, whole, *optional]


def _hypotheses(options: argparse.Namespace) -> list[str]:
    return [named(given)[1] for given in options.input or [STDIN]]


def pair_and_file(given: str) -> tuple[str | None, str]:
    """The language pair and the file of ``LP=FILE``; no pair if there is only a file."""
    pair, equals, path = given.partition("=")
    return (None, given) if not equals or os.path.exists(given) else (pair, path)


def open_corpus(options: argparse.Namespace) -> Iterator[Corpus]:
    """The texts that the options name, piece by piece."""
    columns = {name: getattr(options, name) for name in ("sources", "documents", "domains")}
    if options.corpus is not None:
        others = [options.references, options.input, options.plain, *columns.values()]
        if any(others):
            raise OptionError(
                "MP601",
                "--corpus has all the texts and ids.",
                hint="Give no REF, -i, --sources, --documents, --domains or --plain with it.",
            )
        return open_whole(options.corpus, options.empty_references)
    if not options.references:
        swallowed = f" after {options.input[-1]}" if options.input else ""
        raise OptionError(
            "MP602",
            "no reference was given.",
            hint=f"References come first, not{swallowed or ' after -i'}: "
            "metaphrase score REFERENCE -i HYPOTHESIS",
        )
    if not options.input and sys.stdin is not None and sys.stdin.isatty():
        print("metaphrase: reading hypotheses from standard input", file=sys.stderr)
    texts = [*options.references, *_hypotheses(options)]
    analysed = any(map(is_conllu, texts))
    if options.sources is not None:
        texts.append(options.sources)
    if not options.plain:
        if are_sgml([path for path in texts if not is_conllu(path)]):
            if analysed:
                raise _some_analysed(texts)
            return iter([read_marked(options)])
        check_plain([options.documents, options.domains])
    systems = name_systems(options.input or [STDIN])
    if analysed:
        return iter([_read_analysed(options, systems)])
    return open_plain(
        options.references, systems, empty_references=options.empty_references, **columns
    )


def open_whole(given: str, empty_references: EmptyReferences) -> Iterator[Corpus]:
    """All texts of one file, in whichever format; of a folder with several pairs those of ``LP=FOLDER``."""
    pair, path = pair_and_file(given)
    if pair is not None and not _exists(path):
        raise InputError("MP110", "There is no such file.", path=given, hint="Check the path.")
    found = format_of(path)
    if pair is not None and (found is None or found.name != "mtme"):
        raise InputError(
            "MP609",
            "This is no folder with language pairs to choose from.",
            path=path,
            hint="Give the file alone, or LP=FOLDER for the folder of an mt-metrics-eval test set.",
        )
    if found is not None and found.name == "wmt-xml":
        return iter([marked_corpus([found.read(path)], empty_references=empty_references)])
    if found is not None and found.name == "mtme":
        return iter([_read_tree(path, pair, empty_references)])
    if found is not None and found.name not in ("tsv", "jsonl", "judgements-tsv"):
        raise InputError(
            "MP609",
            f"The file is {found.description}, not a corpus.",
            path=path,
            hint="A corpus is a table (TSV), JSONL, WMT's XML or a folder of mt-metrics-eval.",
        )
    by_name = found is None and {".jsonl", ".json"} & set(Path(path).suffixes)
    opener = open_jsonl if by_name or (found and found.name == "jsonl") else open_tsv
    return opener(path, empty_references=empty_references)


def _read_tree(folder: str, pair: str | None, empty_references: EmptyReferences) -> Corpus:
    from metaphrase.corpus.mtme import read_mtme
    from metaphrase.corpus.mtme_tree import language_pairs

    pairs = language_pairs(folder)
    if len(pairs) > 1 and pair not in pairs:
        raise InputError(
            "MP169",
            "The tree has several language pairs." if pair is None else f"It has no pair {pair}.",
            path=folder,
            hint=f"Choose one of {', '.join(pairs)}: --corpus {pairs[0]}={folder}",
        )
    mtme = read_mtme(folder, language_pair=pair, metric_scores=False)
    try:
        return mtme.as_corpus(empty_references=empty_references)
    except InputError as error:
        raise error.at(folder) from None


def name_systems(inputs: Sequence[str]) -> dict[str, str]:
    """A name for each hypothesis file: the one given with ``NAME=FILE``, or the file's own."""
    systems: dict[str, str] = {}
    for given in inputs:
        name, path = named(given)
        name = name or _stem(path)
        if name in systems:
            raise OptionError(
                "MP603",
                f"two systems are called {name!r}: {systems[name]} and {path}.",
                hint="Name them: -i first=FILE second=FILE",
            )
        systems[name] = path
    return systems


def _exists(path: str) -> bool:
    """Unlike the method of Path, false where it may not be looked."""
    return os.path.exists(path)


def is_conllu(path: str) -> bool:
    """By its name, gzipped or not."""
    return ".conllu" in Path(path).suffixes


def _read_analysed(options: argparse.Namespace, systems: Mapping[str, str]) -> Corpus:
    """A corpus of the texts of CoNLL-U files; plain files may stand beside them."""
    from metaphrase.analysis import read_conllu

    def texts(path: str | None) -> list[str] | None:
        if path is None:
            return None
        if is_conllu(path):
            rows = [sentence.text for sentence in read_conllu(path)]
            if not rows:
                raise InputError("MP113", "The file has no sentence.", path=path)
            return rows
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


def positive(text: str) -> int:
    """A whole number of at least 1, for argparse."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def natural(text: str) -> int:
    """A whole number of at least 0, for argparse."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 0")
    return int(text)


def add_threads(group: argparse._ArgumentGroup) -> None:
    """``--threads``, on which no result depends."""
    group.add_argument(
        "--threads",
        type=positive,
        default=_available_cores(),
        metavar="N",
        help="default: all cores; the results do not depend on it",
    )


def _available_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
