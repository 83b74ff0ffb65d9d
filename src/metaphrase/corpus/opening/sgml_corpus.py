"""References, systems and sources that are files of NIST's SGML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.markup.sgml import is_sgml, read_sgml
from metaphrase.corpus.formats.markup.test_set import MarkupFile, Role, markup_corpus
from metaphrase.corpus.formats.registry import Recognised, not_plain, refuse_foreign
from metaphrase.corpus.names import name_and_file, shown_path
from metaphrase.corpus.validation import EmptyReferences
from metaphrase.errors import InputError, OptionError


def are_sgml(files: Sequence[Recognised]) -> bool:
    """Whether the texts are SGML: all of them or none. Any other format but plain text is refused."""
    for file in files:
        if file.format is None:
            refuse_foreign(file)
        elif not is_sgml(file.format):
            raise not_plain(file)
    found = [file.path for file in files if file.format is not None]
    if found and len(found) < len(files):
        plain = next(file.path for file in files if file.format is None)
        raise OptionError(
            "MP606",
            f"{shown_path(plain)} is not SGML, but {shown_path(found[0])} is.",
            hint="Give all texts as SGML or none.",
        )
    return bool(found)


def read_sgml_corpus(
    references: Sequence[str],
    hypotheses: Sequence[str],
    *,
    sources: str | None,
    empty_references: EmptyReferences,
) -> Corpus:
    """The corpus of SGML files; a system is called by its sysid, unless it is given as ``NAME=FILE``."""
    files = [_read_role(path, "reference") for path in references]
    if sources is not None:
        files.append(_read_role(sources, "source"))
    for given in hypotheses:
        name, path = name_and_file(given)
        file = _read_role(path, "system")
        files.append(_renamed(file, name) if name else file)
    return markup_corpus(files, empty_references=empty_references)


def _read_role(path: str, role: Role) -> MarkupFile:
    file = read_sgml(path)
    if not file.versions(role):
        roles: tuple[Role, ...] = ("source", "reference", "system")
        other = next(other for other in roles if file.versions(other))
        raise InputError(
            "MP190",
            f"The file has a {other}, but stands where a {role} belongs.",
            path=file.path,
            hint="References come first, systems after -i, the source after --sources.",
        )
    return file


def _renamed(file: MarkupFile, name: str) -> MarkupFile:
    systems = file.versions("system")
    if len(systems) != 1:
        raise InputError(
            "MP603",
            f"The file has {len(systems)} systems, which cannot all be called {name!r}.",
            path=file.path,
            hint="Name the file alone.",
        )
    documents = tuple(
        replace(document, versions=tuple(replace(v, name=name) for v in document.versions))
        for document in file.documents
    )
    return replace(file, documents=documents)
