"""Plain text: one segment per line, one file for each system, reference and optional column."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.format import Format
from metaphrase.corpus.formats.units.writing_units import write_units_plain
from metaphrase.corpus.lines import STDIN, FilePath, LineReader
from metaphrase.corpus.validation import (
    EmptyReferences,
    check_empty_references,
    check_piece_size,
    check_system_name,
    find_empty_reference,
    without_empty,
)
from metaphrase.corpus.writing import atomic_folder, atomic_writer, encoded_lines
from metaphrase.errors import InputError, OptionError


def open_plain(
    references: Sequence[FilePath],
    systems: Mapping[str, FilePath],
    *,
    sources: FilePath | None = None,
    documents: FilePath | None = None,
    domains: FilePath | None = None,
    chunk: int = 4096,
    empty_references: EmptyReferences = "none",
) -> Iterator[Corpus]:
    """Read all files in lock step, ``chunk`` segments at a time, in memory for one piece.

    Gzip is recognised by content; ``-`` is standard input and may be named once. Files of unequal
    length are an error with all their counts, raised where the shortest one ends: pieces before
    that have been given out by then. An empty line of a further reference means that the segment has none.
    """
    check_piece_size(chunk)
    check_empty_references(empty_references)
    if isinstance(references, str | bytes | os.PathLike):
        raise OptionError(
            "MP107", "references is a single path.", hint="Give a list of paths, one a reference."
        )
    for name in systems:
        check_system_name(name)
    if not references or not systems:
        missing = "reference" if not references else "system"
        raise InputError("MP101", f"No file of a {missing} was given.", hint="Give at least one.")
    optional = {"sources": sources, "documents": documents, "domains": domains}
    given = {name: path for name, path in optional.items() if path is not None}
    paths = [*references, *systems.values(), *given.values()]
    if sum(os.fspath(path) == STDIN for path in paths) > 1:
        raise OptionError(
            "MP115", "Standard input ('-') is named more than once.", hint="Use files for the rest."
        )
    return _lock_step(list(references), dict(systems), given, chunk, empty_references)


def read_plain(
    references: Sequence[FilePath],
    systems: Mapping[str, FilePath],
    *,
    sources: FilePath | None = None,
    documents: FilePath | None = None,
    domains: FilePath | None = None,
    empty_references: EmptyReferences = "none",
) -> Corpus:
    """All pieces of :func:`open_plain` in one corpus."""
    return Corpus.join(
        open_plain(
            references,
            systems,
            sources=sources,
            documents=documents,
            domains=domains,
            empty_references=empty_references,
        )
    )


def write_plain(
    corpus: Corpus,
    *,
    references: Sequence[FilePath] = (),
    systems: Mapping[str, FilePath] | None = None,
    sources: FilePath | None = None,
    documents: FilePath | None = None,
    domains: FilePath | None = None,
    overwrite: bool = True,
) -> None:
    """Write the columns for which a path is given; if one text is refused, no file changes."""
    columns: list[tuple[FilePath, Sequence[str]]] = []
    if references and len(references) != len(corpus.references):
        raise OptionError(
            "MP108",
            f"{len(references)} paths were given for {len(corpus.references)} references.",
            hint="Give one path a reference, or none.",
        )
    columns.extend(zip(references, corpus.written_references, strict=False))
    for name, path in (systems or {}).items():
        if name not in corpus.systems:
            raise OptionError(
                "MP108",
                f"There is no system {name!r}.",
                hint=f"The systems are {', '.join(corpus.systems)}.",
            )
        columns.append((path, corpus.systems[name]))
    for kind, optional_path, optional in (
        ("sources", sources, corpus.sources),
        ("documents", documents, corpus.documents),
        ("domains", domains, corpus.domains),
    ):
        if optional_path is None:
            continue
        if optional is None:
            raise OptionError("MP108", f"The corpus has no {kind} to write.")
        columns.append((optional_path, optional))
    targets = [os.path.realpath(path) for path, _ in columns]
    for (path, _), target in zip(columns, targets, strict=True):
        if targets.count(target) > 1:
            raise OptionError(
                "MP115", "The file is named twice.", path=path, hint="Give each its own."
            )
    with ExitStack() as stack:
        for path, column in columns:
            stream = stack.enter_context(atomic_writer(path, overwrite=overwrite))
            stream.write(b"".join(encoded_lines(column, path)))


def check_file_name(system: str) -> str:
    """The name of a system, which must keep its file inside its folder."""
    if "/" in system or "\\" in system or "\0" in system or len(system.encode()) > 200:
        raise InputError(
            "MP131",
            f"The system {system[:80]!r} cannot name a file.",
            hint="Give it another name, or choose a format with all texts in one file.",
        )
    return system


def numbered(folder: Path, count: int, ending: str) -> list[Path]:
    """The files of references in a folder."""
    return [folder / f"reference{n if n > 1 else ''}.{ending}" for n in range(1, count + 1)]


def _write_folder(corpus: Corpus, path: FilePath) -> None:
    with atomic_folder(path) as folder:
        write_plain(
            corpus,
            references=numbered(folder, len(corpus.references), "txt"),
            systems={
                name: folder / f"system.{check_file_name(name)}.txt" for name in corpus.systems
            },
            sources=None if corpus.sources is None else folder / "source.txt",
            documents=None if corpus.documents is None else folder / "documents.txt",
            domains=None if corpus.domains is None else folder / "domains.txt",
        )


def _lock_step(
    references: Sequence[FilePath],
    systems: Mapping[str, FilePath],
    optional: Mapping[str, FilePath],
    piece_size: int,
    empty_references: EmptyReferences,
) -> Iterator[Corpus]:
    with ExitStack() as stack:

        def opened(path: FilePath) -> LineReader:
            return stack.enter_context(LineReader(path))

        reference_files = [opened(path) for path in references]
        system_files = {name: opened(path) for name, path in systems.items()}
        optional_files = {name: opened(path) for name, path in optional.items()}
        files = [*reference_files, *system_files.values(), *optional_files.values()]
        start = 0
        while True:
            taken = {file: file.take(piece_size) for file in files}
            lengths = {len(lines) for lines in taken.values()}
            if len(lengths) > 1:
                raise _unequal(files)
            size = lengths.pop()
            if size == 0:
                return
            hypotheses = {name: taken[file] for name, file in system_files.items()}
            texts = without_empty([taken[file] for file in reference_files], empty_references)
            found = find_empty_reference(hypotheses, texts)
            if found is not None and empty_references != "keep":
                number, row, name = found
                raise InputError(
                    "MP105",
                    f"The reference is empty, but system {name!r} has a hypothesis.",
                    path=reference_files[number].name,
                    line=start + row + 1,
                    hint='Mend the reference, or keep it with empty_references="keep" '
                    "(--empty-references keep).",
                )
            yield Corpus(
                hypotheses,
                texts,
                **{name: taken[file] for name, file in optional_files.items()},
                empty_references="keep",
            )
            start += size


def _unequal(files: Sequence[LineReader]) -> InputError:
    most = 10
    counts = ", ".join(f"{file.name} has {file.count()}" for file in files[:most])
    if len(files) > most:
        counts += f", and {len(files) - most} more"
    return InputError(
        "MP102",
        f"The files have different numbers of lines: {counts}.",
        hint="Every file needs one line for each segment.",
    )


#: Nothing is recognised as plain text: it is what is in no format.
FORMATS = (
    Format(
        name="plain",
        holds="texts",
        description="plain text",
        write_corpus=_write_folder,
        write_units=write_units_plain,
        writes_folder=True,
    ),
)
