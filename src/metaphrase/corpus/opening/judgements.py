"""What people said about translations: files of any format, and the texts that they are about."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.format import Format
from metaphrase.corpus.formats.judged.segment_order import SegmentOrder
from metaphrase.corpus.formats.judged.texts import DifferingTexts, SystemNames, UnknownSystems
from metaphrase.corpus.formats.mtme.test_set import MtmeSet, read_mtme
from metaphrase.corpus.formats.registry import Recognised, check_plain, named_format, recognise
from metaphrase.corpus.formats.score_text import is_language_pair
from metaphrase.corpus.judgements import Judgements
from metaphrase.corpus.lines import FilePath, read_lines
from metaphrase.corpus.names import pair_and_file
from metaphrase.corpus.opening.corpus_file import open_corpus_file
from metaphrase.corpus.validation import EmptyReferences
from metaphrase.errors import InputError, OptionError
from metaphrase.languages import is_wanted, same_pair

#: Options that say something about files of some formats; with others alone they are a mistake.
_CONCERNING = (
    "texts", "references", "language_pair", "human", "min_judgements", "segment_ids", "segment_order",
    "mqm_weights", "differing_texts", "system_pattern", "unknown_systems",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgementFiles:
    """Files of judgements or folders of mt-metrics-eval, and what they do not say themselves.

    ``judges`` says that nobody will ask for the texts, ``metric_scores`` that scores of metrics are to be
    read where a folder has them, and ``pairs`` which language pairs are wanted, by default all.
    """

    judgements: Sequence[str]
    judges: bool = False
    pairs: Sequence[str] | None = None
    texts: Sequence[str] | None = None
    references: Sequence[str] | None = None
    language_pair: str | None = None
    human: str | None = None
    min_judgements: int | None = None
    segment_ids: str | None = None
    segment_order: SegmentOrder | None = None
    system_pattern: str | None = None
    unknown_systems: UnknownSystems | None = None
    mqm_weights: str | None = None
    differing_texts: DifferingTexts | None = None
    empty_references: EmptyReferences = "error"
    metric_scores: bool = False

    @property
    def paths(self) -> list[str]:
        """Every file that is named."""
        texts = [pair_and_file(given)[1] for given in self.texts or ()]
        others = [path for path in (self.segment_ids, self.mqm_weights) if path is not None]
        return [*self.judgements, *texts, *(self.references or ()), *others]

    @property
    def systems(self) -> SystemNames:
        """How the systems are named."""
        pattern, unknown = self.system_pattern, self.unknown_systems
        return SystemNames(
            pattern="{system}" if pattern is None else pattern,
            unknown="error" if unknown is None else unknown,
        )

    @property
    def least(self) -> int:
        """How many people must have judged a translation."""
        return 1 if self.min_judgements is None else self.min_judgements

    @property
    def ids(self) -> list[str] | None:
        """The id of each segment, if a file of them was given."""
        return None if self.segment_ids is None else _lines(self.segment_ids)

    def wanted(self, pairs: Iterable[str]) -> list[str]:
        """Those of the language pairs that somebody asked for."""
        return [pair for pair in pairs if is_wanted(pair, self.pairs)]

    def corpus(self, pair: str, *, alone: bool) -> Corpus:
        """The texts of a language pair: those named for it, or the only ones if it is the only pair."""
        named = [pair_and_file(given) for given in self.texts or ()]
        paths = [path for name, path in named if name is not None and same_pair(name, pair)]
        if not paths and alone:
            paths = [path for name, path in named if name is None]
        if len(paths) != 1:
            fault = f"names {len(paths) or 'no'} file{'s' if len(paths) != 1 else ''} of {pair}"
            raise self.mismatch("texts", fault, f"Write --texts {pair}=FILE.")
        if os.path.isdir(paths[0]):
            mtme = read_mtme(paths[0], language_pair=pair, metric_scores=False)
            return mtme.as_corpus(empty_references="keep")
        return Corpus.join(open_corpus_file(paths[0], empty_references="keep"))

    @property
    def references_beside_texts(self) -> Sequence[Sequence[str | None]]:
        """The references of files that have all texts but these."""
        if self.references is not None:
            return [_lines(reference) for reference in self.references]
        return self.corpus(self.language_pair or "", alone=True).references

    def no_texts(self) -> OptionError:
        """The error where files do not say what was judged."""
        return self.mismatch(
            "texts", "is missing", "The files have judgements, but not what was judged."
        )

    @staticmethod
    def mismatch(option: str, fault: str, hint: str) -> OptionError:
        """The error for an option that does not go with the files."""
        return OptionError("MP187", f"--{option.replace('_', '-')} {fault}.", hint=hint)


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
    options = frozenset[str]().union(*(one.options for one in formats))
    needed = frozenset[str]().union(*(one.needed for one in formats))
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


def _lines(path: str) -> list[str]:
    check_plain([path])
    return read_lines(path)
