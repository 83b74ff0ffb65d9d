"""What people said about translations: files of any format, and the texts that they are about."""

from __future__ import annotations

import os
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats import (
    MtmeSet,
    check_plain,
    format_of,
    read_assessments,
    read_judgements,
    read_mqm,
    read_mtme,
    read_rankings,
)
from metaphrase.corpus.formats.judged.da_judgements import DaJudgementTable, read_da_judgements
from metaphrase.corpus.formats.judged.error_spans import read_error_spans
from metaphrase.corpus.formats.judged.esa import EsaTable, is_esa_csv, read_esa
from metaphrase.corpus.formats.judged.genmt import read_genmt
from metaphrase.corpus.formats.judged.marot import read_marot
from metaphrase.corpus.formats.judged.mqm_weights import GOOGLE, read_weights
from metaphrase.corpus.formats.judged.segment_order import (
    SegmentOrder,
    check_order,
    ids_by_sorted_documents,
)
from metaphrase.corpus.formats.judged.texts import (
    DifferingTexts,
    SystemNames,
    UnknownSystems,
    none_counts,
)
from metaphrase.corpus.formats.mtme.scores import Level
from metaphrase.corpus.formats.mtme.tree import (
    ALL_REFERENCES,
    human_files,
    language_pairs,
    reference_files,
)
from metaphrase.corpus.formats.registry import head_of
from metaphrase.corpus.formats.score_text import is_language_pair
from metaphrase.corpus.judgements import Judgements
from metaphrase.corpus.lines import FilePath, read_lines
from metaphrase.corpus.opening.corpus_file import open_corpus_file
from metaphrase.corpus.opening.names import pair_and_file
from metaphrase.corpus.validation import EmptyReferences
from metaphrase.errors import InputError, OptionError
from metaphrase.languages import is_wanted, same_pair

#: Files with what single judges said, whose means are taken here.
_SINGLE = ("single assessments", "esa")
#: Which formats an option says something about; with files of other formats alone it is a mistake.
_CONCERNS = {
    "texts": ("rankings", "assessments", "mqm", *_SINGLE),
    "references": ("mqm", "tree"),
    "language_pair": ("assessments", "mqm"),
    "human": ("assessments", "tree", "judged texts", *_SINGLE),
    "min_judgements": ("assessments", "judged texts", *_SINGLE),
    "segment_ids": ("assessments", "single assessments"),
    "segment_order": ("assessments",),
    "mqm_weights": ("mqm",),
    "differing_texts": ("mqm", "ranked texts"),
    "system_pattern": ("rankings", "assessments", *_SINGLE),
    "unknown_systems": ("rankings", "assessments", *_SINGLE),
}
#: What each of WMT's formats is called here.
_KINDS = {
    "ranking-five": "rankings",
    "ranking-pairs": "rankings",
    "da-scores": "assessments",
    "da-judgements": "single assessments",
    "esa-jsonl": "esa",
    "genmt-jsonl": "judged texts",
    "mqm": "mqm",
    "marot": "mqm",
    "rankings-jsonl": "ranked texts",
    "error-spans": "error spans",
}


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


def read_judgement_files(files: JudgementFiles) -> tuple[list[Judgements], list[MtmeSet]]:
    """The judgements of all files, with texts where metrics need them, and the test sets of folders."""
    if files.texts is None:
        for path in files.judgements:
            refuse_ratings(path)
    kinds = {path: _kind(path) for path in files.judgements}
    _check_consistent(files, set(kinds.values()))
    judgements: list[Judgements] = []
    test_sets: list[MtmeSet] = []
    for path in files.judgements:
        found: Iterable[Judgements]
        if kinds[path] == "rankings":
            found = _rankings(path, files)
        elif kinds[path] == "assessments":
            found = [_assessments(path, files)]
        elif kinds[path] in _SINGLE:
            found = _single(path, kinds[path], files)
        elif kinds[path] == "mqm":
            found = [_mqm(path, files)]
        elif kinds[path] == "error spans":
            found = [one.judgements() for one in read_error_spans(path)]
        elif kinds[path] == "judged texts":
            found = read_genmt(
                path,
                pairs=files.pairs,
                human=files.human or "raw",  # type: ignore[arg-type]  # which is checked there
                min_judgements=1 if files.min_judgements is None else files.min_judgements,
            ).values()
        elif kinds[path] == "tree":
            sets = _test_sets(path, files)
            test_sets += sets
            found = [mtme.judgements(files.human) for mtme in sets]
        else:
            found = read_judgements(
                path, pairs=files.pairs, differing_texts=files.differing_texts or "error"
            ).values()
        for one in found:
            if files.empty_references == "error":
                one.check_references(path)
            judgements.append(one)
    return judgements, test_sets


def _kind(path: str) -> str:
    """Which of WMT's formats a file is in, or a tree."""
    if os.path.isdir(path):
        return "tree"
    # Other programs read the CSV of ESA too: what it is here, its rows say and not its name.
    if os.path.isfile(path) and is_esa_csv(head_of(path)):
        return "esa"
    found = format_of(path)
    return "own" if found is None else _KINDS.get(found.name, "own")


def refuse_ratings(path: FilePath) -> None:
    """Results of judges are joined with their key first; nobody would guess that from what a table lacks."""
    found = None if os.path.isdir(path) else format_of(path)
    if found is not None and found.holds == "ratings":
        raise InputError(
            "MP798",
            f"This is {found.description}, which does not say which translations these are.",
            path=path,
            hint="Make judgements of it: metaphrase sample --import FILE --key key.json -o judgements.tsv",
        )


def _check_consistent(files: JudgementFiles, kinds: set[str]) -> None:
    """Refuse what says nothing about files of these kinds, and what they leave unsaid."""
    for name, concerned in _CONCERNS.items():
        if getattr(files, name) is not None and not kinds & set(concerned):
            raise _mismatch(name, "says nothing about these files", "Leave it out.")
    if files.judges and kinds & {"assessments", "mqm", "judged texts", *_SINGLE}:
        raise _mismatch("judges", "needs rankings", "Agreement is measured on preferences.")
    if files.judges and files.texts is not None:
        raise _mismatch("texts", "says nothing about judges", "Leave it out.")
    if files.language_pair is None and kinds & {"assessments", "mqm"}:
        raise _mismatch(
            "language-pair", "is missing", "The files do not say it: name it, as de-en."
        )
    if files.language_pair is not None and not is_language_pair(files.language_pair):
        raise OptionError(
            "MP162",
            f"{files.language_pair!r} is not a language pair.",
            hint="Write it like de-en.",
        )
    if files.segment_ids is not None and files.segment_order is not None:
        raise _mismatch("segment-order", "and --segment-ids are both given", "Choose one of them.")
    # ESA may have its own texts, which is known when it was read.
    without = {"rankings", "assessments", "single assessments"}
    if not files.judges and files.texts is None and kinds & without:
        raise _no_texts()
    if kinds == {"tree"}:
        known = {pair for folder in files.judgements for pair in language_pairs(folder)}
        for pair, _ in map(pair_and_file, files.references or ()):
            if pair is not None and not any(same_pair(pair, one) for one in known):
                raise _mismatch(
                    "references", f"names {pair}", f"There are {', '.join(sorted(known))}."
                )
    if "mqm" in kinds and (files.texts is None) == (files.references is None):
        fault = "is missing" if files.texts is None else "and --texts are both given"
        raise _mismatch("references", fault, "MQM has texts, but references come from one of them.")


def _no_texts() -> OptionError:
    return _mismatch("texts", "is missing", "The files have judgements, but not what was judged.")


def _rankings(path: str, files: JudgementFiles) -> Iterable[Judgements]:
    table = read_rankings(path)
    if not table.language_pairs:
        raise none_counts(path, "Add some lines.")
    pairs = [pair for pair in table.language_pairs if is_wanted(pair, files.pairs)]
    systems = files.systems
    for pair in pairs:
        if files.judges:
            yield table.judges(language_pair=pair, systems=systems)
        else:
            corpus = _corpus(files, pair, alone=len(pairs) == 1)
            yield table.judgements(corpus, language_pair=pair, systems=systems)


def _assessments(path: str, files: JudgementFiles) -> Judgements:
    table = read_assessments(path)
    pair = files.language_pair or ""
    corpus = _corpus(files, pair, alone=True)
    ids: list[str] | None = None
    if files.segment_ids is not None:
        ids = _lines(files.segment_ids)
    elif files.segment_order == "sorted-documents":
        ids = ids_by_sorted_documents(corpus)
    elif files.segment_order is None:
        check_order(table, corpus, pair, files.systems)
    return table.judgements(
        corpus,
        language_pair=pair,
        human=files.human or "z",  # type: ignore[arg-type]  # which the table checks
        min_judgements=1 if files.min_judgements is None else files.min_judgements,
        systems=files.systems,
        segment_ids=ids,
    )


def _single(path: str, kind: str, files: JudgementFiles) -> Iterable[Judgements]:
    """Each language pair of a file with what single judges said."""
    table: DaJudgementTable | EsaTable
    table = read_esa(path) if kind == "esa" else read_da_judgements(path)
    pairs = [pair for pair in table.language_pairs if is_wanted(pair, files.pairs)]
    least = 1 if files.min_judgements is None else files.min_judgements
    if isinstance(table, EsaTable) and files.texts is None:
        if not table.has_texts:
            raise _no_texts()
        for pair in pairs:
            yield table.own_judgements(
                language_pair=pair,
                human=files.human or "raw",  # type: ignore[arg-type]  # which the table checks
                min_judgements=least,
            )
        return
    for pair in pairs:
        corpus = _corpus(files, pair, alone=len(pairs) == 1)
        if isinstance(table, EsaTable):
            yield table.judgements(
                corpus,
                language_pair=pair,
                human=files.human or "raw",  # type: ignore[arg-type]  # which the table checks
                min_judgements=least,
                systems=files.systems,
            )
        else:
            yield table.judgements(
                corpus,
                language_pair=pair,
                human=files.human or "z",  # type: ignore[arg-type]
                min_judgements=least,
                systems=files.systems,
                segment_ids=None if files.segment_ids is None else _lines(files.segment_ids),
            )


def _mqm(path: str, files: JudgementFiles) -> Judgements:
    weights = GOOGLE if files.mqm_weights is None else read_weights(files.mqm_weights)
    found = format_of(path)
    read = read_marot if found is not None and found.name == "marot" else read_mqm
    table = read(path, weights=weights)
    pair = files.language_pair or ""
    references: Sequence[Sequence[str | None]]
    if files.references is not None:
        references = [_lines(reference) for reference in files.references]
    else:
        references = _corpus(files, pair, alone=True).references
    return table.judgements(
        references, language_pair=pair, differing_texts=files.differing_texts or "error"
    )


def _test_sets(folder: str, files: JudgementFiles) -> list[MtmeSet]:
    """The language pairs asked for, by default all that people scored."""
    human = {pair: human_files(folder, pair) for pair in language_pairs(folder)}
    pairs = [
        pair for pair in human if (is_wanted(pair, files.pairs) if files.pairs else human[pair])
    ]
    if not pairs and not files.pairs:
        raise InputError(
            "MP170", "There are no human scores.", path=folder, hint="Add human-scores."
        )
    if files.human is not None and not files.pairs:
        pairs = _judged_by(files.human, pairs, human, folder)
    return [
        read_mtme(
            folder,
            language_pair=pair,
            references=_reference_names(folder, pair, files.references or ()),
            metric_scores=files.metric_scores,
        )
        for pair in pairs
    ]


def _judged_by(
    name: str, pairs: Sequence[str], human: Mapping[str, Collection[tuple[str, Level]]], folder: str
) -> list[str]:
    """The language pairs that have scores of that name; nobody asked for the others by theirs."""
    having = [pair for pair in pairs if (name, "seg") in human[pair]]
    others = [pair for pair in pairs if pair not in having]
    if not having:
        names = dict.fromkeys(n for pair in pairs for n, level in human[pair] if level == "seg")
        raise InputError(
            "MP170",
            f"No language pair has human scores of segments called {name!r}.",
            path=folder,
            hint=f"There is {', '.join(names) or 'nothing else'}.",
        )
    if others:
        plural = "have" if len(others) > 1 else "has"
        left = "are" if len(others) > 1 else "is"
        warnings.warn(
            f"{', '.join(others)} {plural} no human scores of segments called {name!r} and {left} left out.",
            stacklevel=2,
        )
    return having


def _reference_names(folder: str, pair: str, asked: Sequence[str]) -> list[str] | None:
    """The references that metrics use: those named for the pair, else those for all; None for all."""
    given = [pair_and_file(one) for one in asked]
    names = [name for of, name in given if of == pair] or [name for of, name in given if of is None]
    if names == [ALL_REFERENCES]:
        return None
    available = list(reference_files(Path(folder), pair))
    if not names and len(available) > 1:
        # One of them may be synthetic, or what a system was made from: nobody should meet it by chance.
        raise OptionError(
            "MP170",
            f"{Path(folder).name} {pair} has the references {', '.join(available)}.",
            hint=f"Say which metrics use: --references {available[0]}, for this pair alone "
            f"{pair}={available[0]}, or {ALL_REFERENCES}.",
        )
    return names or None


def _corpus(files: JudgementFiles, pair: str, *, alone: bool) -> Corpus:
    """The texts of a language pair: those named for it, or the only ones if it is the only pair."""
    named = [pair_and_file(given) for given in files.texts or ()]
    paths = [path for name, path in named if name is not None and same_pair(name, pair)]
    if not paths and alone:
        paths = [path for name, path in named if name is None]
    if len(paths) != 1:
        fault = f"names {len(paths) or 'no'} file{'s' if len(paths) != 1 else ''} of {pair}"
        raise _mismatch("texts", fault, f"Write --texts {pair}=FILE.")
    if os.path.isdir(paths[0]):
        mtme = read_mtme(paths[0], language_pair=pair, metric_scores=False)
        return mtme.as_corpus(empty_references="keep")
    return Corpus.join(open_corpus_file(paths[0], empty_references="keep"))


def _lines(path: str) -> list[str]:
    check_plain([path])
    return read_lines(path)


def _mismatch(option: str, fault: str, hint: str) -> OptionError:
    return OptionError("MP187", f"--{option.replace('_', '-')} {fault}.", hint=hint)
