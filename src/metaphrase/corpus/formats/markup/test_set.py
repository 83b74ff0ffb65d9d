"""Test sets in markup: documents of paragraphs of numbered segments, in several versions.

A version is the source, one of the references or what one system made of a document. NIST's SGML has the
versions in files of their own, WMT's XML has them side by side; what they say is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.validation import EmptyReferences
from metaphrase.errors import InputError

#: What a test set is called unless somebody says it.
DEFAULT_SET = "corpus"
Role = Literal["source", "reference", "system"]
#: Where a segment stands: its document, and its id there.
Place = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Segments by id, in order; ``tag`` is that of the markup around them, empty if there is none."""

    tag: str
    segments: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Version:
    """What the source, a reference or a system says in one document; ``line`` is where it begins."""

    role: Role
    name: str
    paragraphs: tuple[Paragraph, ...]
    attributes: Mapping[str, str] = field(default_factory=dict, hash=False)
    line: int = field(default=0, compare=False)

    @property
    def texts(self) -> dict[str, str]:
        """The texts by segment id, in order."""
        return dict(segment for paragraph in self.paragraphs for segment in paragraph.segments)


@dataclass(frozen=True, slots=True)
class Document:
    """The versions of one document; ``attributes`` are those of its tag, in their order."""

    name: str
    versions: tuple[Version, ...]
    attributes: Mapping[str, str] = field(default_factory=dict, hash=False)
    collection: str | None = None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class MarkupFile:
    """One file; ``path`` is what errors call it. ``attributes`` are those of the outermost element."""

    documents: tuple[Document, ...]
    attributes: Mapping[str, str] = field(default_factory=dict, hash=False)
    path: str = field(default="", compare=False)

    def versions(self, role: Role) -> tuple[str, ...]:
        """The names of the versions in that role, in order of appearance."""
        found = (v.name for document in self.documents for v in document.versions if v.role == role)
        return tuple(dict.fromkeys(found))

    def column(self, role: Role, name: str) -> dict[Place, str]:
        """The texts of one version of all documents that have it."""
        return {
            (document.name, segment): text
            for document in self.documents
            for version in document.versions
            if version.role == role and version.name == name
            for segment, text in version.texts.items()
        }

    def line_of(self, document: str) -> int | None:
        """Where a document begins."""
        return next((d.line or None for d in self.documents if d.name == document), None)


def markup_corpus(
    files: Sequence[MarkupFile],
    *,
    references: Sequence[str] | None = None,
    systems: Sequence[str] | None = None,
    empty_references: EmptyReferences = "none",
) -> Corpus:
    """The corpus of all versions in the files, which must have the same segments of the same documents.

    ``references`` and ``systems`` choose some by name. The order is that of the first reference. A segment's
    domain is its document's ``domain`` or ``genre``, or the collection it is in.
    """
    columns = {
        "source": _columns(files, "source", None),
        "reference": _columns(files, "reference", references),
        "system": _columns(files, "system", systems),
    }
    for role in ("reference", "system"):
        if not columns[role]:
            raise InputError(
                "MP190",
                f"There is no {role} in {_names(files)}.",
                hint="A corpus needs references and systems: name the files of both.",
            )
    (first_file, first), *_ = columns["reference"].values()
    places = list(first)
    for role, by_name in columns.items():
        for name, (file, column) in by_name.items():
            _check_same(places, first_file, column, file, f"the {role} {name!r}")

    def texts(role: str) -> dict[str, list[str]]:
        return {n: [column[p] for p in places] for n, (_, column) in columns[role].items()}

    domain_of = {document.name: _domain(document) for file in files for document in file.documents}
    return Corpus(
        texts("system"),
        list(texts("reference").values()),
        sources=next(iter(texts("source").values()), None),
        documents=[document for document, _ in places],
        domains=[domain_of[document] for document, _ in places]
        if any(domain_of.values())
        else None,
        empty_references=empty_references,
    )


def _columns(
    files: Sequence[MarkupFile], role: Role, wanted: Sequence[str] | None
) -> dict[str, tuple[MarkupFile, dict[Place, str]]]:
    """Each version's file and texts, in the order asked for or found."""
    found: dict[str, tuple[MarkupFile, dict[Place, str]]] = {}
    for file in files:
        for name in file.versions(role):
            if name in found and role != "source":
                raise InputError(
                    "MP191",
                    f"The {role} {name!r} is in {found[name][0].path}, too.",
                    path=file.path,
                    hint="Each version is given once.",
                )
            found[name] = file, file.column(role, name)
    if wanted is None:
        return found
    for name in wanted:
        if name not in found:
            raise InputError(
                "MP190",
                f"There is no {role} {name!r} in {_names(files)}.",
                hint=f"There is {', '.join(found) or 'none'}.",
            )
    return {name: found[name] for name in wanted}


def _check_same(
    places: list[Place],
    first_file: MarkupFile,
    column: dict[Place, str],
    file: MarkupFile,
    owner: str,
) -> None:
    """Refuse a version that lacks a segment, or has another one."""
    known = set(places)
    if column.keys() == known:
        return
    missing = next((place for place in places if place not in column), None)
    if missing is not None:
        document, segment = missing
        raise InputError(
            "MP192",
            f"{owner[0].upper()}{owner[1:]} lacks segment {segment!r} of document {document!r}.",
            path=file.path,
            line=file.line_of(document),
            hint="All versions need the same segments; choose versions that have them all.",
        )
    document, segment = next(place for place in column if place not in known)
    raise InputError(
        "MP192",
        f"The first reference lacks segment {segment!r} of document {document!r}, which {owner} has.",
        path=first_file.path,
        line=first_file.line_of(document),
        hint="All versions need the same segments; choose versions that have them all.",
    )


def _domain(document: Document) -> str:
    given = document.attributes
    return given.get("domain") or given.get("genre") or document.collection or ""


def _names(files: Sequence[MarkupFile]) -> str:
    return ", ".join(file.path for file in files)


def check_documents(documents: Sequence[Document], path: str) -> None:
    """Refuse documents and segments that occur twice, and documents without segments."""
    seen: set[tuple[str, Role, str]] = set()
    for document in documents:
        for version in document.versions:
            key = document.name, version.role, version.name
            if key in seen:
                raise InputError(
                    "MP193",
                    f"The {version.role} {version.name!r} of document {document.name!r} is there twice.",
                    path=path,
                    line=version.line,
                    hint="Each document has each version once.",
                )
            seen.add(key)
            ids = [segment for paragraph in version.paragraphs for segment, _ in paragraph.segments]
            if not ids:
                raise InputError(
                    "MP193",
                    f"Document {document.name!r} has no segment.",
                    path=path,
                    line=version.line,
                    hint="Give each document at least one.",
                )
    if not documents:
        raise InputError("MP113", "The file has no document.", path=path, hint="Add one.")


def documents_of(corpus: Corpus) -> Iterator[tuple[str, str, range]]:
    """The documents of a corpus with their domains and rows; all rows are one document if it has none.

    The rows must be neighbours and of one domain, which is empty if the corpus has none.
    """
    for name, rows in _documents_of(corpus):
        if corpus.domains is None:
            yield name, "", rows
            continue
        domain = corpus.domains[rows[0]]
        for row in rows:
            if corpus.domains[row] != domain:
                raise InputError(
                    "MP194",
                    f"The document {name!r} has segments of two domains: {domain!r}, and "
                    f"{corpus.domains[row]!r} of segment {row + 1}.",
                    hint="Markup has a domain for each document: give documents that are of one.",
                )
        yield name, domain, rows


def _documents_of(corpus: Corpus) -> Iterator[tuple[str, range]]:
    if corpus.documents is None:
        yield "all", range(len(corpus))
        return
    seen: set[str] = set()
    start = 0
    while start < len(corpus):
        name = corpus.documents[start]
        if name in seen or not name:
            fault = "has segments in two places" if name else "has no name"
            raise InputError(
                "MP194",
                f"The document {name!r} of segment {start + 1} {fault}.",
                hint="Markup has documents one after the other: sort the segments by document.",
            )
        seen.add(name)
        end = start
        while end < len(corpus) and corpus.documents[end] == name:
            end += 1
        yield name, range(start, end)
        start = end


def version_of(role: Role, name: str, texts: Sequence[str], rows: range) -> Version:
    """One version of one document in a single paragraph, segments numbered from 1."""
    segments = tuple((str(number), texts[row]) for number, row in enumerate(rows, 1))
    return Version(role, name, (Paragraph("p", segments),))


def reference_letters(count: int) -> Iterator[str]:
    """What WMT calls references that have no name: A, B, C …"""
    for number in range(count):
        yield chr(ord("A") + number) if number < 26 else f"R{number + 1}"
