"""The texts to be scored: files of references and hypotheses, or one file with all of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.conllu import is_named_conllu, read_conllu_texts
from metaphrase.corpus.formats.plain import open_plain
from metaphrase.corpus.formats.registry import Recognised, not_plain, recognise
from metaphrase.corpus.formats.tables.layout import ColumnNames
from metaphrase.corpus.lines import STDIN, FilePath, LineReader, read_lines
from metaphrase.corpus.names import (
    name_and_file,
    name_systems,
    pair_and_file,
    shown_path,
)
from metaphrase.corpus.opening.corpus_file import open_corpus_file
from metaphrase.corpus.opening.sgml_corpus import are_sgml, read_sgml_corpus
from metaphrase.corpus.opening.unit_corpus import MissingTargets, are_units, read_unit_corpus
from metaphrase.corpus.validation import EmptyReferences
from metaphrase.errors import InputError, OptionError


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusFiles:
    """Where the texts are; ``corpus`` is one file or folder that has them all.

    Hypotheses are ``FILE`` or ``NAME=FILE``, one for each system; without any they come from standard input.
    ``columns`` are the names of the columns by role, if ``corpus`` is a table. ``plain`` says that files are
    plain text whatever they look like. ``missing_targets`` is about localisation files: what to do about
    units that a system leaves untranslated.
    """

    references: Sequence[str] = ()
    hypotheses: Sequence[str] = ()
    corpus: str | None = None
    columns: ColumnNames | None = None
    sources: str | None = None
    documents: str | None = None
    domains: str | None = None
    plain: bool = False
    empty_references: EmptyReferences = "none"
    missing_targets: MissingTargets = "leave-out"
    _looked_at: dict[str, Recognised] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def look(self, path: str) -> Recognised:
        """What a file is, which is found out once."""
        if path not in self._looked_at:
            self._looked_at[path] = recognise(path)
        return self._looked_at[path]

    @property
    def paths(self) -> list[str]:
        """Every file that is named."""
        hypotheses = [name_and_file(given)[1] for given in self.hypotheses]
        corpus = None if self.corpus is None else pair_and_file(self.corpus)[1]
        others = [corpus, self.sources, self.documents, self.domains]
        return [*self.references, *hypotheses, *(path for path in others if path is not None)]

    @property
    def analyser(self) -> str | None:
        """The name of the analyser that knows the texts, if they are CoNLL-U."""
        if self.corpus is not None or not self.references:
            return None
        return conllu_analyser(self.texts)

    @property
    def texts(self) -> list[str]:
        """The files of references and hypotheses."""
        hypotheses = self.hypotheses or [STDIN]
        return [*self.references, *(name_and_file(given)[1] for given in hypotheses)]

    def count_segments(self) -> int | None:
        """How many there are, if the first reference is a file of plain text, which is read for it."""
        if self.corpus is not None or not self.references:
            return None
        path = self.references[0]
        try:
            formatted = not self.plain and self.look(path).format is not None
            if formatted or is_named_conllu(path) or not os.path.isfile(path):
                return None
            with LineReader(path) as reader:
                return reader.count()
        except InputError:  # whoever reads the texts will say so
            return None


def read(
    references: FilePath | Sequence[FilePath],
    systems: Mapping[str, FilePath] | Sequence[FilePath] | FilePath | None = None,
    *,
    sources: FilePath | None = None,
    documents: FilePath | None = None,
    domains: FilePath | None = None,
    plain: bool = False,
    empty_references: EmptyReferences = "none",
    missing_targets: MissingTargets = "leave-out",
) -> Corpus:
    """Read texts as ``metaphrase score`` does, whatever the format: files of references and of systems.

    ``systems`` are files by the systems' names, or files that systems are called after. Without any,
    ``references`` is one file or folder that has all the texts (``--corpus``). ``plain`` takes files for
    plain text whatever they look like. ``missing_targets`` says what to do about units of localisation files
    that a system leaves untranslated: ``leave-out`` them for all systems, keep them ``empty``, or ``error``.

    >>> metaphrase.read("reference.txt", {"old": "system-a.txt", "new": "system-b.txt"})
    <Corpus: 12 segments, 1 references, systems old, new>
    """
    given = {"sources": sources, "documents": documents, "domains": domains}
    rest: dict[str, Any] = {name: path and os.fspath(path) for name, path in given.items()}
    rest |= {
        "plain": plain,
        "empty_references": empty_references,
        "missing_targets": missing_targets,
    }
    if systems is None and isinstance(references, str | os.PathLike):
        return Corpus.join(open_corpus(CorpusFiles(corpus=os.fspath(references), **rest)))
    if not systems:
        raise InputError("MP101", "no system was given.", hint="Write read(FILE, {NAME: FILE}).")
    if isinstance(systems, Mapping):
        hypotheses = [f"{name}={os.fspath(path)}" for name, path in systems.items()]
    else:
        hypotheses = _paths(systems)
    files = CorpusFiles(references=_paths(references), hypotheses=hypotheses, **rest)
    return Corpus.join(open_corpus(files))


def _paths(given: FilePath | Sequence[FilePath]) -> list[str]:
    paths = [given] if isinstance(given, str | os.PathLike) else given
    return [os.fspath(path) for path in paths]


def conllu_analyser(paths: Sequence[str]) -> str | None:
    """The name of the analyser that reads the files, if they are CoNLL-U; some alone cannot be."""
    conllu = [path for path in paths if is_named_conllu(path)]
    if not conllu:
        return None
    if len(conllu) < len(paths):
        raise _some_analysed(paths)
    return "conllu:" + "\0".join(conllu)


def open_corpus(files: CorpusFiles) -> Iterator[Corpus]:
    """The texts of the files, piece by piece."""
    if files.corpus is not None:
        others = [files.references, files.hypotheses, files.plain]
        if any([*others, files.sources, files.documents, files.domains]):
            raise OptionError(
                "MP601",
                "--corpus has all the texts and ids.",
                hint="Give no REF, -i, --sources, --documents, --domains or --plain with it.",
            )
        return open_corpus_file(
            files.corpus, columns=files.columns, empty_references=files.empty_references
        )
    if not files.references:
        swallowed = f" after {files.hypotheses[-1]}" if files.hypotheses else ""
        raise OptionError(
            "MP602",
            "no reference was given.",
            hint=f"References come first, not{swallowed or ' after -i'}: "
            "metaphrase score REFERENCE -i HYPOTHESIS",
        )
    texts = files.texts
    analysed = any(map(is_named_conllu, texts))
    if files.sources is not None:
        texts.append(files.sources)
    if not files.plain and are_units([*map(files.look, dict.fromkeys(texts))]):
        return iter([_read_units(files)])
    if files.columns:
        raise OptionError(
            "MP109", "--columns is for tables.", hint="Give the table with --corpus FILE."
        )
    if not files.plain:
        if are_sgml([files.look(path) for path in texts if not is_named_conllu(path)]):
            if analysed:
                raise _some_analysed(texts)
            return iter([_read_sgml(files)])
        for path in (files.documents, files.domains):
            if path is not None and files.look(path).format is not None:
                raise not_plain(files.look(path))
    if analysed:
        return iter([_read_analysed(files)])
    return open_plain(
        files.references,
        name_systems(files.hypotheses or [STDIN]),
        sources=files.sources,
        documents=files.documents,
        domains=files.domains,
        empty_references=files.empty_references,
    )


def _read_units(files: CorpusFiles) -> Corpus:
    for name in ("documents", "domains"):
        if getattr(files, name) is not None:
            raise OptionError(
                "MP601",
                f"units are joined by their ids: --{name}, by line, cannot be.",
                hint="Leave it out.",
            )
    return read_unit_corpus(
        files.references,
        files.hypotheses or [STDIN],
        sources=files.sources,
        look=files.look,
        columns=files.columns,
        missing_targets=files.missing_targets,
        empty_references=files.empty_references,
    )


def _read_sgml(files: CorpusFiles) -> Corpus:
    for name in ("documents", "domains"):
        if getattr(files, name) is not None:
            raise OptionError(
                "MP601", f"SGML has its documents: --{name} says it twice.", hint="Leave it out."
            )
    return read_sgml_corpus(
        files.references,
        files.hypotheses or [STDIN],
        sources=files.sources,
        empty_references=files.empty_references,
    )


def _read_analysed(files: CorpusFiles) -> Corpus:
    """A corpus of the texts of CoNLL-U files; plain files may stand beside them."""

    def texts(path: str) -> list[str]:
        return read_conllu_texts(path) if is_named_conllu(path) else read_lines(path)

    systems = name_systems(files.hypotheses or [STDIN])
    return Corpus(
        {name: texts(path) for name, path in systems.items()},
        [texts(path) for path in files.references],
        sources=None if files.sources is None else texts(files.sources),
        documents=None if files.documents is None else texts(files.documents),
        domains=None if files.domains is None else texts(files.domains),
        empty_references=files.empty_references,
    )


def _some_analysed(paths: Sequence[str]) -> OptionError:
    analysed = next(path for path in paths if is_named_conllu(path))
    other = next(path for path in paths if not is_named_conllu(path))
    return OptionError(
        "MP606",
        f"{shown_path(other)} is not CoNLL-U, but {analysed} is.",
        hint="Give all texts analysed or none, or choose an --analyser for all of them.",
    )
