"""What people said about translations: files of any format, and the texts that they are about."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from metaphrase.corpus.formats.format import Format
from metaphrase.corpus.formats.judged.request import JudgementFiles
from metaphrase.corpus.formats.mtme.test_set import MtmeSet
from metaphrase.corpus.formats.registry import Recognised, named_format, recognise
from metaphrase.corpus.formats.score_text import is_language_pair
from metaphrase.corpus.judgements import Judgements
from metaphrase.corpus.lines import FilePath
from metaphrase.errors import InputError, OptionError

#: Options that say something about files of some formats; with others alone they are a mistake.
_CONCERNING = (
    "texts", "references", "language_pair", "human", "min_judgements", "segment_ids", "segment_order",
    "mqm_weights", "differing_texts", "system_pattern", "unknown_systems",
)  # fmt: skip


def read_judgement_files(files: JudgementFiles) -> tuple[list[Judgements], list[MtmeSet]]:
    """The judgements of all files, with texts where metrics need them, and the test sets of folders."""
    recognised = {path: recognise(path) for path in files.judgements if not os.path.isdir(path)}
    if files.texts is None:
        for file in recognised.values():
            _refuse_ratings(file)
    formats = {path: _judged_format(recognised.get(path)) for path in files.judgements}
    _check_consistent(files, list(formats.values()))
    judgements: list[Judgements] = []
    test_sets: list[MtmeSet] = []
    for path in files.judgements:
        found: Iterable[Judgements] = ()
        if (open_sets := formats[path].open_test_sets) is not None:
            sets = open_sets(path, files)
            test_sets += sets
            found = [mtme.judgements(files.human) for mtme in sets]
        elif (open_judgements := formats[path].open_judgements) is not None:
            found = open_judgements(path, files)
        for one in found:
            if files.empty_references == "error":
                one.check_references(path)
            judgements.append(one)
    return judgements, test_sets


def _judged_format(file: Recognised | None) -> Format:
    """The format of a file with judgements; a folder is a tree, and what is unknown a table of ours."""
    if file is None:
        return named_format("mtme")
    if file.format is None or file.format.open_judgements is None:
        return named_format("judgements-tsv")
    return file.format


def refuse_ratings(path: FilePath) -> None:
    """Results of judges are joined with their key first; nobody would guess that from what a table lacks."""
    if not os.path.isdir(path):
        _refuse_ratings(recognise(path))


def _refuse_ratings(file: Recognised) -> None:
    if file.format is not None and file.format.holds == "ratings":
        raise InputError(
            "MP798",
            f"This is {file.description}, which does not say which translations these are.",
            path=file.path,
            hint="Make judgements of it: metaphrase sample --import FILE --key key.json -o judgements.tsv",
        )


def _check_consistent(files: JudgementFiles, formats: Sequence[Format]) -> None:
    """Refuse what says nothing about files of these formats, and what they leave unsaid."""
    options = {name for one in formats for name in one.options}
    needed = {name for one in formats for name in one.needed}
    mismatch = files.mismatch
    for name in _CONCERNING:
        if getattr(files, name) is not None and name not in options:
            raise mismatch(name, "says nothing about these files", "Leave it out.")
    if files.judges and any("judges" not in one.options for one in formats):
        raise mismatch("judges", "needs rankings", "Agreement is measured on preferences.")
    if files.judges and files.texts is not None:
        raise mismatch("texts", "says nothing about judges", "Leave it out.")
    if files.language_pair is None and "language_pair" in needed:
        raise mismatch("language-pair", "is missing", "The files do not say it: name it, as de-en.")
    if files.language_pair is not None and not is_language_pair(files.language_pair):
        raise OptionError(
            "MP162",
            f"{files.language_pair!r} is not a language pair.",
            hint="Write it like de-en.",
        )
    if files.segment_ids is not None and files.segment_order is not None:
        raise mismatch("segment-order", "and --segment-ids are both given", "Choose one of them.")
    if not files.judges and files.texts is None and "texts" in needed:
        raise files.no_texts()
    if "texts or references" in needed and (files.texts is None) == (files.references is None):
        fault = "is missing" if files.texts is None else "and --texts are both given"
        raise mismatch("references", fault, "MQM has texts, but references come from one of them.")
