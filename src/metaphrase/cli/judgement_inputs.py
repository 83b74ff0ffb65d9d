"""From files of judgements on the command line, in any format, to judgements with their texts."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from metaphrase.cli.inputs import natural, open_whole, pair_and_file
from metaphrase.cli.marked_inputs import check_plain, format_of
from metaphrase.corpus import Corpus
from metaphrase.corpus.lines import LineReader
from metaphrase.corpus.score_text import is_language_pair
from metaphrase.errors import OptionError

if TYPE_CHECKING:
    from metaphrase.cli.meta_tree import Trees
    from metaphrase.corpus.judged_texts import SystemNames
    from metaphrase.corpus.judgements import Judgements

#: Which formats an option says something about; with files of other formats alone it is a mistake.
_CONCERNS = {
    "texts": ("rankings", "assessments", "mqm"),
    "references": ("mqm", "tree"),
    "language_pair": ("assessments", "mqm"),
    "human": ("assessments", "tree"),
    "min_judgements": ("assessments",),
    "segment_ids": ("assessments",),
    "mqm_weights": ("mqm",),
    "differing_texts": ("mqm",),
    "system_pattern": ("rankings", "assessments"),
    "unknown_systems": ("rankings", "assessments"),
}


def add_judgement_arguments(parser: argparse.ArgumentParser) -> None:
    """Options for WMT's own files, most of which have judgements without texts."""
    group = parser.add_argument_group(
        "WMT's files (rankings, direct assessment, MQM) and mt-metrics-eval's folders"
    )
    group.add_argument(
        "--texts",
        nargs="+",
        metavar="FILE",
        help="the judged texts, as --corpus of `metaphrase score`: FILE, or LP=FILE for several pairs",
    )
    group.add_argument(
        "--references",
        nargs="+",
        metavar="FILE|NAME",
        help="of MQM: files, one segment per line; of a folder: which ones metrics use, such as refA "
        "(default: all; the others count as systems)",
    )
    group.add_argument("--language-pair", metavar="LP", help="of direct assessment and MQM: de-en")
    group.add_argument(
        "--human",
        metavar="NAME",
        help="score of direct assessment, raw or z (default: z); of a folder, such as mqm "
        "(default: the only one)",
    )
    group.add_argument(
        "--min-judgements", type=natural, metavar="N", help="of a direct assessment (default: 1)"
    )
    group.add_argument(
        "--segment-ids",
        metavar="FILE",
        help="of direct assessment without positions, one id per line",
    )
    group.add_argument(
        "--system-pattern", metavar="PATTERN", help="what ids are, as newstest2015.{system}.*.de-en"
    )
    group.add_argument("--unknown-systems", choices=("error", "leave-out"), help="default: error")
    group.add_argument(
        "--mqm-weights", metavar="NAME|FILE", help="google (default), unweighted, count, or JSON"
    )
    group.add_argument(
        "--differing-texts", choices=("error", "first"), help="in rows of MQM (default: error)"
    )
    group.add_argument(
        "--empty-references",
        choices=("error", "keep"),
        default="error",
        help="what to do about an empty reference of a translation that is not empty (default: error)",
    )


def judgement_files(options: argparse.Namespace) -> list[str]:
    """Every file that the options name."""
    texts = [pair_and_file(given)[1] for given in options.texts or ()]
    others = [options.segment_ids, options.mqm_weights]
    named = [*options.judgements, *texts, *(options.references or ())]
    return [*named, *(path for path in others if path is not None)]


def read_judgement_files(options: argparse.Namespace, trees: Trees) -> list[Judgements]:
    """The judgements of all files and folders, with their texts where metrics need them."""
    from metaphrase.corpus.judgement_files import read_judgements

    kinds = {path: _kind(path) for path in options.judgements}
    _check_options(options, set(kinds.values()))
    all_found: list[Judgements] = []
    for path in options.judgements:
        found: Iterable[Judgements]
        if kinds[path] == "rankings":
            found = _rankings(path, options)
        elif kinds[path] == "assessments":
            found = [_assessments(path, options)]
        elif kinds[path] == "mqm":
            found = [_mqm(path, options)]
        elif kinds[path] == "tree":
            found = trees.read(path)
        else:
            found = read_judgements(path).values()
        for judgements in found:
            if options.empty_references == "error":
                judgements.check_references(path)
            all_found.append(judgements)
    return all_found


#: What each of WMT's formats is called here.
_KINDS = {
    "ranking-five": "rankings",
    "ranking-pairs": "rankings",
    "da-scores": "assessments",
    "mqm": "mqm",
}


def _kind(path: str) -> str:
    """Which of WMT's formats a file is in, or a tree."""
    if os.path.isdir(path):
        return "tree"
    found = format_of(path)
    return "own" if found is None else _KINDS.get(found.name, "own")


def _check_options(options: argparse.Namespace, kinds: set[str]) -> None:
    for name, concerned in _CONCERNS.items():
        if getattr(options, name) is not None and not kinds & set(concerned):
            raise _mismatch(name, "says nothing about these files", "Leave it out.")
    if options.judges and kinds & {"assessments", "mqm"}:
        raise _mismatch("judges", "needs rankings", "Agreement is measured on preferences.")
    if options.judges and options.texts is not None:
        raise _mismatch("texts", "says nothing about judges", "Leave it out.")
    if options.language_pair is None and kinds & {"assessments", "mqm"}:
        raise _mismatch(
            "language-pair", "is missing", "The files do not say it: name it, as de-en."
        )
    if options.language_pair is not None and not is_language_pair(options.language_pair):
        raise OptionError(
            "MP162",
            f"{options.language_pair!r} is not a language pair.",
            hint="Write it like de-en.",
        )
    if not options.judges and options.texts is None and kinds & {"rankings", "assessments"}:
        raise _mismatch(
            "texts", "is missing", "The files have judgements, but not what was judged."
        )
    if "mqm" in kinds and (options.texts is None) == (options.references is None):
        fault = "is missing" if options.texts is None else "and --texts are both given"
        raise _mismatch("references", fault, "MQM has texts, but references come from one of them.")


def _rankings(path: str, options: argparse.Namespace) -> Iterable[Judgements]:
    from metaphrase.corpus.judged_texts import none_counts
    from metaphrase.corpus.ranking_csv import read_rankings

    table = read_rankings(path)
    if not table.language_pairs:
        raise none_counts(path, "Add some lines.")
    pairs = [pair for pair in table.language_pairs if not options.pairs or pair in options.pairs]
    systems = _systems(options)
    for pair in pairs:
        if options.judges:
            yield table.judges(language_pair=pair, systems=systems)
        else:
            corpus = _corpus(options.texts, pair, alone=len(pairs) == 1)
            yield table.judgements(corpus, language_pair=pair, systems=systems)


def _assessments(path: str, options: argparse.Namespace) -> Judgements:
    from metaphrase.corpus.direct_assessment import read_assessments

    table = read_assessments(path)
    return table.judgements(
        _corpus(options.texts, options.language_pair, alone=True),
        language_pair=options.language_pair,
        human=options.human or "z",
        min_judgements=1 if options.min_judgements is None else options.min_judgements,
        systems=_systems(options),
        segment_ids=None if options.segment_ids is None else _lines(options.segment_ids),
    )


def _mqm(path: str, options: argparse.Namespace) -> Judgements:
    from metaphrase.corpus.mqm import read_mqm
    from metaphrase.corpus.mqm_weights import GOOGLE, read_weights

    weights = GOOGLE if options.mqm_weights is None else read_weights(options.mqm_weights)
    table = read_mqm(path, weights=weights)
    references: Sequence[Sequence[str]]
    if options.references is not None:
        references = [_lines(reference) for reference in options.references]
    else:
        references = _corpus(options.texts, options.language_pair, alone=True).references
    return table.judgements(
        references,
        language_pair=options.language_pair,
        differing_texts=options.differing_texts or "error",
    )


def _systems(options: argparse.Namespace) -> SystemNames:
    from metaphrase.corpus.judged_texts import SystemNames

    pattern, unknown = options.system_pattern, options.unknown_systems
    return SystemNames(
        pattern="{system}" if pattern is None else pattern,
        unknown="error" if unknown is None else unknown,
    )


def _corpus(texts: Sequence[str], pair: str, *, alone: bool) -> Corpus:
    """The texts of a language pair: those named for it, or the only ones if it is the only pair."""
    files = [path for name, path in map(pair_and_file, texts) if name == pair]
    if not files and alone:
        files = [path for name, path in map(pair_and_file, texts) if name is None]
    if len(files) != 1:
        fault = f"names {len(files) or 'no'} file{'s' if len(files) != 1 else ''} of {pair}"
        raise _mismatch("texts", fault, f"Write --texts {pair}=FILE.")
    return Corpus.join(open_whole(files[0], "keep"))


def _lines(path: str) -> list[str]:
    check_plain([path])
    with LineReader(path) as reader:
        return [line for _, line in reader]


def _mismatch(option: str, fault: str, hint: str) -> OptionError:
    return OptionError("MP187", f"--{option.replace('_', '-')} {fault}.", hint=hint)
