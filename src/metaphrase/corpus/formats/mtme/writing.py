"""Writes an mt-metrics-eval tree that is there completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from metaphrase.corpus.formats.mtme.scores import NO_SCORE, ScoreFile, check_name, score_lines
from metaphrase.corpus.formats.mtme.test_set import (
    NO_TRANSLATION,
    MtmeSet,
    Texts,
    check_scored_reference,
)
from metaphrase.corpus.formats.mtme.tree import (
    NEEDED,
    OPTIONAL,
    document_fault,
    is_reference_name,
    used_references,
)
from metaphrase.corpus.formats.score_text import is_language_pair, shown
from metaphrase.corpus.lines import FilePath
from metaphrase.corpus.writing import atomic_folder, cannot_hold, encoded_lines
from metaphrase.errors import InputError


def write_mtme(
    sets: MtmeSet | Sequence[MtmeSet], folder: FilePath, *, overwrite: bool = False
) -> None:
    """Write one test set, of one language pair or several, as the folder ``folder``.

    The files are written beside it and moved there when all are complete. A folder that has something in it
    is replaced only if that is asked for and it is a tree itself; language pairs that it has besides are
    lost with it.
    """
    target = Path(os.path.realpath(folder))
    _check_target(target, overwrite)
    contents = dict(_files([sets] if isinstance(sets, MtmeSet) else sets, target))
    with atomic_folder(folder, replace=overwrite) as temporary:
        try:
            for part in NEEDED:
                (temporary / part).mkdir()
            for name, data in contents.items():
                path = temporary / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
        except OSError as error:
            raise InputError(
                "MP173",
                f"The folder cannot be written: {error.strerror}.",
                path=folder,
                hint="Check the names, and that there is space.",
            ) from error


def _check_target(target: Path, overwrite: bool) -> None:
    if not os.path.lexists(target):
        return
    if not os.path.isdir(target):
        fault = "This is not a folder."
    else:
        entries = {path.name for path in target.iterdir()}
        if not entries:
            return
        if overwrite and entries <= {*NEEDED, *OPTIONAL}:
            return
        fault = "The folder is no mt-metrics-eval tree." if overwrite else "The folder exists."
    raise InputError(
        "MP173",
        fault,
        path=target,
        hint="Choose another name; in Python, overwrite=True replaces a tree.",
    )


def _files(sets: Iterable[MtmeSet], root: Path) -> Iterator[tuple[str, bytes]]:
    """Every file with its bytes, refused here if it would not read back the same."""
    pairs: set[str] = set()
    for mtme in sets:
        pair = mtme.language_pair
        if not is_language_pair(pair) or pair in pairs:
            raise InputError(
                "MP162",
                f"{shown(pair)} is not a language pair, or comes twice.",
                path=root,
                hint="Write it like en-de.",
            )
        pairs.add(pair)
        extent = mtme.extent
        for name, lines in _texts(mtme, root):
            yield name, b"".join(encoded_lines(lines, root / name))
        for name, scores in _score_files(mtme, root):
            lines = score_lines(scores, root / name, extent=extent)
            yield name, b"".join(encoded_lines(lines, root / name))


def _texts(mtme: MtmeSet, root: Path) -> Iterator[tuple[str, Iterable[str]]]:
    pair = mtme.language_pair
    columns = [mtme.domains, mtme.documents, *mtme.references.values(), *mtme.outputs.values()]
    if not mtme.sources or any(len(column) != len(mtme.sources) for column in columns):
        raise InputError("MP102", "The columns of the test set are empty or differ in length.")
    yield f"sources/{pair}.txt", mtme.sources
    path = root / "documents" / f"{pair}.docs"
    domain_of: dict[str, str] = {}
    before: str | None = None
    for line, (domain, document) in enumerate(zip(mtme.domains, mtme.documents, strict=True), 1):
        for name in (domain, document):
            check_name(name, path, line)
        if fault := document_fault(document, domain, before, domain_of):
            raise InputError(
                "MP171",
                fault,
                path=path,
                line=line,
                hint="A tree has a domain for each document, whose segments stand together.",
            )
        before = document
    rows = zip(mtme.domains, mtme.documents, strict=True)
    yield f"documents/{pair}.docs", ["\t".join(row) for row in rows]
    for name, texts in mtme.references.items():
        if not is_reference_name(name):
            raise _no_file_name(name, root / "references")
        yield (found := f"references/{pair}.{name}.txt"), _lines(texts, root / found)
    for name, texts in mtme.outputs.items():
        _check_file_name(name, root / "system-outputs" / pair)
        if name in mtme.references:
            path = root / "system-outputs" / pair / f"{name}.txt"
            check_scored_reference(name, texts, mtme.references[name], path)
        yield (found := f"system-outputs/{pair}/{name}.txt"), _lines(texts, root / found)


def _score_files(mtme: MtmeSet, root: Path) -> Iterator[tuple[str, ScoreFile]]:
    pair = mtme.language_pair
    for (name, level), scores in mtme.human.items():
        _check_file_name(name, root / "human-scores")
        yield f"human-scores/{pair}.{name}.{level}.score", scores
    for (name, used, level), scores in mtme.metrics.items():
        path = f"metric-scores/{pair}/{name}-{used}.{level}.score"
        _check_file_name(name, root / path)
        unknown = used_references(used, mtme.references) - set(mtme.references)
        if unknown:
            raise InputError(
                "MP170",
                f"There is no reference {shown(min(unknown))}, which a metric used.",
                path=root / path,
                hint="Write src where no reference was used, all where all were.",
            )
        if NO_SCORE in scores.scores:
            raise InputError(
                "MP161",
                "A metric's scores have none for a segment.",
                path=root / path,
                line=scores.scores.index(NO_SCORE) + 1,
                hint="Only human scores may be missing.",
            )
        yield path, scores


def _lines(texts: Texts, path: Path) -> Iterator[str]:
    for line, text in enumerate(texts, 1):
        if text == NO_TRANSLATION:
            raise cannot_hold(path, line, "is what stands for no translation")
        yield NO_TRANSLATION if text is None else text


def _check_file_name(name: str, path: Path) -> None:
    check_name(name, path)
    if "/" in name or "\\" in name or "\0" in name or name.startswith("."):
        raise _no_file_name(name, path)


def _no_file_name(name: str, path: Path) -> InputError:
    return InputError(
        "MP172",
        f"No file can be named after {shown(name)}.",
        path=path,
        hint="Choose a name without slashes and dots at its beginning; of a reference, without dashes.",
    )
