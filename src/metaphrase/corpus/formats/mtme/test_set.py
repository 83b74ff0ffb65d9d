"""Test sets as mt-metrics-eval keeps them: texts, human scores and metric scores in one folder tree.

The layout is that of the README of google-research/mt-metrics-eval (version 2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from metaphrase.arrays import FloatArray
from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.mtme.scores import (
    Extent,
    Level,
    ScoreFile,
    check_name,
    read_score_file,
)
from metaphrase.corpus.formats.mtme.tree import (
    check_tree,
    chosen_pair,
    document_fault,
    human_files,
    metric_files,
    output_files,
    reference_files,
    used_references,
)
from metaphrase.corpus.judgements import JudgedText, Judgements
from metaphrase.corpus.lines import FilePath, read_lines
from metaphrase.corpus.validation import Column, EmptyReferences
from metaphrase.errors import InputError

#: The line that stands for a translation that is not there.
NO_TRANSLATION = "[No translation supplied]"
#: A text for each segment, or None.
Texts = tuple[str | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MtmeSet:
    """One language pair of one test set.

    ``outputs`` are systems and also human translations that were scored like systems: a reference among
    them has the same name there. Human scores go by name and level, metric scores by name, reference and
    level.
    """

    name: str
    language_pair: str
    sources: Column
    domains: Column
    documents: Column
    references: Mapping[str, Texts]
    outputs: Mapping[str, Texts]
    human: Mapping[tuple[str, Level], ScoreFile] = field(default_factory=dict)
    metrics: Mapping[tuple[str, str, Level], ScoreFile] = field(default_factory=dict)

    @property
    def incomplete(self) -> tuple[str, ...]:
        """Systems that did not translate everything: no score of the whole text can be theirs."""
        return tuple(name for name, texts in self.outputs.items() if None in texts)

    @property
    def corpus(self) -> Corpus:
        """:meth:`as_corpus`, without empty references."""
        return self.as_corpus()

    def as_corpus(self, *, empty_references: EmptyReferences = "none") -> Corpus:
        """All systems but those that lack a translation or serve as reference, with sources and ids.

        A reference that lacks a segment is left out as well.
        """
        complete = {
            name: column
            for name, texts in self.outputs.items()
            if name not in self.references and (column := _complete(texts)) is not None
        }
        references = [_complete(texts) for texts in self.references.values()]
        return Corpus(
            complete,
            [column for column in references if column is not None],
            sources=self.sources,
            documents=self.documents,
            domains=self.domains,
            empty_references=empty_references,
        )

    @property
    def judged_by(self) -> tuple[str, ...]:
        """The names of the human scores that single segments have."""
        return tuple(name for name, level in self.human if level == "seg")

    def judgements(self, human: str | None = None) -> Judgements:
        """The texts with the segment scores ``human``, which may be left out if there are no others.

        Every reference of this set is used; systems are those that have human scores and do not serve as
        reference. A segment without translation or reference has no text.
        """
        judged = self._judged(human)
        systems = tuple(n for n in self.outputs if n in judged and n not in self.references)
        if not systems:
            raise InputError(
                "MP170",
                "People have scored the references only.",
                hint="Choose fewer references, so that the others are systems.",
            )
        texts: dict[JudgedText, int] = {}
        text_of = np.full((len(systems), len(self.sources)), -1, dtype=np.int32)
        for row, source in enumerate(self.sources):
            given = tuple(
                t for column in self.references.values() if (t := column[row]) is not None
            )
            for number, system in enumerate(systems):
                text = self.outputs[system][row]
                if text is not None and given:
                    key = JudgedText(text, given, source)
                    text_of[number, row] = texts.setdefault(key, len(texts))
        return Judgements(
            self.name,
            self.language_pair,
            systems,
            tuple(f"{name}:{row}" for row, name in enumerate(self.documents, 1)),
            self.documents,
            tuple(texts),
            text_of,
            np.stack([judged[system] for system in systems]),
            domains=self.domains,
        )

    @property
    def extent(self) -> Extent:
        """What scores of this set can be about."""
        domains = tuple(dict.fromkeys(self.domains))
        documents = len(dict.fromkeys(self.documents))
        return Extent(frozenset(self.outputs), domains, documents, len(self.sources))

    def _judged(self, human: str | None) -> dict[str, FloatArray]:
        names = self.judged_by
        name = names[0] if human is None and len(names) == 1 else human
        if name is None or name not in names:
            fault = "several kinds of" if names and name is None else "no"
            called = "" if name is None else f" called {name!r}"
            raise InputError(
                "MP170",
                f"{self.name} {self.language_pair} has {fault} human scores of segments{called}.",
                hint=f"Choose one of {', '.join(names)}."
                if names
                else f"They belong in human-scores/{self.language_pair}.NAME.seg.score.",
            )
        return self.human[name, "seg"].by_system()


def read_mtme(
    folder: FilePath,
    *,
    language_pair: str | None = None,
    references: Sequence[str] | None = None,
    metric_scores: bool = True,
) -> MtmeSet:
    """One language pair of the tree in ``folder``, the only one unless stated.

    ``references`` says which to read, by default all; scores of metrics that used others are left out.
    ``metric_scores=False`` leaves all of these files alone, for there may be hundreds. A metric's file may
    lack a system, but not some of a system's scores.
    """
    root = check_tree(folder)
    pair = chosen_pair(root, language_pair)
    sources = tuple(read_lines(root / "sources" / f"{pair}.txt"))
    segments = len(sources)
    domains, documents = _documents(root / "documents" / f"{pair}.docs", segments)
    available = reference_files(root, pair)
    for name in references or ():
        if name not in available:
            raise InputError(
                "MP170",
                f"There is no reference {name!r}.",
                path=root / "references",
                hint=f"There is {', '.join(available)}.",
            )
    chosen = available if references is None else {name: available[name] for name in references}
    outputs = output_files(root, pair)
    for name, path in outputs.items():
        check_name(name, path)
    texts = MtmeSet(
        name=root.resolve().name,
        language_pair=pair,
        sources=sources,
        domains=domains,
        documents=documents,
        references={name: _texts(path, segments) for name, path in chosen.items()},
        outputs={name: _texts(path, segments) for name, path in outputs.items()},
    )
    for name in sorted(available.keys() & outputs.keys()):
        reference = texts.references.get(name) or _texts(available[name], segments)
        check_scored_reference(name, texts.outputs[name], reference, outputs[name])
    extent = texts.extent
    human = {
        key: read_score_file(path, level=key[-1], extent=extent)
        for key, path in human_files(root, pair).items()
    }
    metrics = {
        key: read_score_file(path, level=key[-1], extent=extent, human=False)
        for key, path in metric_files(root, pair, frozenset(available)).items()
        if metric_scores and used_references(key[1], available) <= set(chosen)
    }
    return replace(texts, human=human, metrics=metrics)


def check_scored_reference(name: str, output: Texts, reference: Texts, path: FilePath) -> None:
    """Refuse a system that is called like a reference, unless it is that reference, scored as a system."""
    if output != reference:
        line = next(i for i, (a, b) in enumerate(zip(output, reference, strict=True), 1) if a != b)
        raise InputError(
            "MP155",
            f"A system is called {name!r} like a reference, but differs from it.",
            path=path,
            line=line,
            hint="Only a copy of the reference may have its name: rename the system.",
        )


def _complete(texts: Texts) -> Column | None:
    """The texts, if there is one for every segment."""
    column = tuple(text for text in texts if text is not None)
    return column if len(column) == len(texts) else None


def _same_number(path: Path, lines: int, segments: int) -> None:
    if lines != segments:
        raise InputError(
            "MP102",
            f"The file has {lines} lines, the sources have {segments}.",
            path=path,
            hint="Every file of texts and documents needs one line for each segment.",
        )


def _texts(path: Path, segments: int) -> Texts:
    lines = read_lines(path)
    _same_number(path, len(lines), segments)
    return tuple(None if line == NO_TRANSLATION else line for line in lines)


def _documents(path: Path, segments: int) -> tuple[Column, Column]:
    """Domain and document of every segment; a document is one run of segments of one domain."""
    lines = read_lines(path)
    _same_number(path, len(lines), segments)
    domains: list[str] = []
    documents: list[str] = []
    domain_of: dict[str, str] = {}
    for number, text in enumerate(lines, 1):
        cells = text.replace("\t", " ").split(" ")
        cells = [cell for cell in cells if cell]
        if len(cells) != 2:
            fault: str | None = f"The line has {len(cells)} columns, not 2."
        else:
            before = documents[-1] if documents else None
            fault = document_fault(cells[1], cells[0], before, domain_of)
        if fault is not None:
            raise InputError(
                "MP171",
                fault,
                path=path,
                line=number,
                hint="A line is DOMAIN DOCUMENT; the segments of a document stand together.",
            )
        domains.append(cells[0])
        documents.append(cells[1])
    return tuple(domains), tuple(documents)
