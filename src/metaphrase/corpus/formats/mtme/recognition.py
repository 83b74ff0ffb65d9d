"""The folder of a test set and its files of scores: how they are recognised, opened and written."""

from __future__ import annotations

import os
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from os import fspath
from pathlib import Path

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.judged.request import JudgementFiles
from metaphrase.corpus.formats.markup.test_set import DEFAULT_SET, reference_letters
from metaphrase.corpus.formats.mtme.scores import (
    NO_SCORE,
    Level,
    ScoreFile,
    level_of,
    read_score_file,
    write_score_file,
)
from metaphrase.corpus.formats.mtme.test_set import MtmeSet, read_mtme
from metaphrase.corpus.formats.mtme.tree import (
    ALL_REFERENCES,
    NEEDED,
    human_files,
    language_pairs,
    reference_files,
)
from metaphrase.corpus.formats.mtme.writing import write_mtme
from metaphrase.corpus.formats.score_text import is_score
from metaphrase.corpus.lines import FilePath
from metaphrase.corpus.names import pair_and_file
from metaphrase.corpus.validation import EmptyReferences
from metaphrase.errors import InputError, OptionError
from metaphrase.languages import is_wanted, same_pair


def _recognises_tree(head: Head) -> bool:
    return head.entries is not None and set(NEEDED) <= {name.rstrip("/") for name in head.entries}


def _recognises_scores(head: Head) -> bool:
    level = level_of(head.name)
    if head.is_folder or level is None or not head.lines:
        return False
    rows = [line.split() for line in head.lines]
    rows = rows[:-1] if len(rows) > 1 else rows  # the last line may have been cut
    width = 3 if level == "domain" else 2
    fitting = [len(row) == width and (is_score(row[-1]) or row[-1] == NO_SCORE) for row in rows]
    return 2 * sum(fitting) > len(fitting)  # the name says it, too: a few may have faults


def _write_named(scores: ScoreFile, path: FilePath) -> None:
    """Write a file whose name says the level, without which it could not be read."""
    if level_of(fspath(path)) != scores.level:
        raise InputError(
            "MP168",
            f"The name does not say that these are scores at level {scores.level}.",
            path=path,
            hint=f"Call it NAME.{scores.level}.score.",
        )
    write_score_file(scores, path)


def _read_corpus(folder: FilePath) -> Corpus:
    return read_mtme(folder, metric_scores=False).corpus


def _open_test_sets(folder: str, files: JudgementFiles) -> list[MtmeSet]:
    """The language pairs asked for, by default all that people scored."""
    _check_references(files)
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


def _check_references(files: JudgementFiles) -> None:
    """Refuse references of pairs that no folder has, where nothing but folders was given."""
    if not all(map(os.path.isdir, files.judgements)):
        return
    known = {pair for folder in files.judgements for pair in language_pairs(folder)}
    for pair, _ in map(pair_and_file, files.references or ()):
        if pair is not None and not any(same_pair(pair, one) for one in known):
            raise files.mismatch(
                "references", f"names {pair}", f"There are {', '.join(sorted(known))}."
            )


def _open_corpus(
    folder: str, *, empty_references: EmptyReferences, pair: str | None = None
) -> Iterator[Corpus]:
    pairs = language_pairs(folder)
    if len(pairs) > 1 and not any(pair is not None and same_pair(pair, one) for one in pairs):
        raise InputError(
            "MP169",
            "The tree has several language pairs." if pair is None else f"It has no pair {pair}.",
            path=folder,
            hint=f"Choose one of {', '.join(pairs)}: --corpus {pairs[0]}={folder}",
        )
    mtme = read_mtme(folder, language_pair=pair, metric_scores=False)
    try:
        return iter([mtme.as_corpus(empty_references=empty_references)])
    except InputError as error:
        raise error.at(folder) from None


def _write_corpus(
    corpus: Corpus, path: FilePath, *, set_id: str, source_language: str, target_language: str
) -> None:
    if corpus.sources is None or not (source_language and target_language):
        raise OptionError(
            "MP609",
            "a tree of mt-metrics-eval has sources and a language pair.",
            hint="Add --sources FILE --source-language LANG --target-language LANG.",
        )
    nothing = ("all",) * len(corpus)
    names = [f"ref{letter}" for letter in reference_letters(len(corpus.references))]
    for name in names:
        if name in corpus.systems:
            raise OptionError(
                "MP155",
                f"the tree has a reference {name}: no system can be called so.",
                hint=f"Give the system another name: -i NAME={name}.txt",
            )
    mtme = MtmeSet(
        name=set_id or DEFAULT_SET,
        language_pair=f"{source_language}-{target_language}",
        sources=corpus.sources,
        domains=corpus.domains or nothing,
        documents=corpus.documents or nothing,
        references=dict(zip(names, corpus.references, strict=True)),
        outputs=dict(corpus.systems),
    )
    write_mtme(mtme, path)


FORMATS = (
    Format(
        name="mtme",
        holds="texts",
        description="a test set with one language pair in an mt-metrics-eval folder tree",
        recognises=_recognises_tree,
        read=_read_corpus,
        open_corpus=_open_corpus,
        open_test_sets=_open_test_sets,
        write_corpus=_write_corpus,
        writes_folder=True,
        options=(
            "pair",
            "references",
            "human",
            "judges",
            "set_id",
            "source_language",
            "target_language",
        ),
    ),
    Format(
        name="mtme-scores",
        holds="scores",
        description="scores of systems, a file of an mt-metrics-eval tree",
        recognises=_recognises_scores,
        read=read_score_file,
        write=_write_named,
    ),
)
