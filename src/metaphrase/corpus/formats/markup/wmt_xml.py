"""WMT's XML since 2021: source, references and systems of each document side by side.

``<dataset>`` has ``<doc>``, perhaps in ``<collection>``; a document has ``<src>``, ``<ref translator="A">``
and ``<hyp system="…">``, and each of these ``<p>`` with ``<seg id="1">``. A file that declares entities is
refused: a few lines of them can stand for gigabytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.markup.tags import (
    beginning_of,
    first_tag,
    one_line,
    opening_tag,
    segment_element,
    write_markup,
)
from metaphrase.corpus.formats.markup.test_set import (
    DEFAULT_SET,
    Document,
    MarkupFile,
    Paragraph,
    Role,
    Version,
    check_documents,
    documents_of,
    markup_corpus,
    reference_letters,
    version_of,
)
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.corpus.validation import EmptyReferences
from metaphrase.errors import InputError

_DECLARATION = "<?xml version='1.0' encoding='utf-8'?>"
_ROLES: dict[str, Role] = {"src": "source", "ref": "reference", "hyp": "system"}
_TAGS: dict[Role, str] = {role: tag for tag, role in _ROLES.items()}
#: The attribute that names a version.
_NAMES = {"src": "", "ref": "translator", "hyp": "system"}
_INSIDE = {
    "": ("dataset",),
    "dataset": ("collection", "doc"),
    "collection": ("doc",),
    "doc": tuple(_ROLES),
    **dict.fromkeys(_ROLES, ("p",)),
    "p": ("seg",),
}


def read_wmt_xml(path: FilePath) -> MarkupFile:
    """One file; errors name the line."""
    with LineReader(path) as reader:
        scan = _Scan(reader.name)
        parser = scan.parser
        try:
            while lines := reader.take(1024):
                parser.Parse("".join(f"{line}\n" for line in lines).encode(), False)
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise InputError(
                "MP197",
                f"This is not XML: {expat.ErrorString(error.code)}.",
                path=reader.name,
                line=error.lineno,
                hint="Mend the markup; write &amp; and &lt; in text.",
            ) from None
        return scan.finished()


def write_wmt_xml(file: MarkupFile, path: FilePath) -> None:
    """Indented as WMT's own files are; :func:`read_wmt_xml` reads back the same."""
    write_markup(_lines(file, path), path)


def wmt_xml_of(
    corpus: Corpus,
    *,
    dataset: str = "corpus",
    source_language: str = "",
    target_language: str = "",
    references: tuple[str, ...] = (),
) -> MarkupFile:
    """A corpus as one file. References are called ``references``, or A, B, C …"""
    names = references or tuple(reference_letters(len(corpus.references)))
    documents = []
    for document, domain, rows in documents_of(corpus):
        versions = []
        if corpus.sources is not None:
            source = version_of("source", "source", corpus.sources, rows)
            versions.append(_in_language(source, source_language))
        for name, column in zip(names, corpus.written_references, strict=True):
            version = version_of("reference", name, column, rows)
            versions.append(_in_language(version, target_language))
        for name, column in corpus.systems.items():
            version = version_of("system", name, column, rows)
            versions.append(_in_language(version, target_language))
        given = {"id": document} | ({"domain": domain} if domain else {})
        documents.append(Document(document, tuple(versions), given))
    return MarkupFile(tuple(documents), {"id": dataset})


def _in_language(version: Version, language: str) -> Version:
    named = {_NAMES[tag]: version.name for tag in _NAMES if _ROLES[tag] == version.role}
    given = {"lang": language} if language else {}
    return Version(
        version.role,
        version.name,
        version.paragraphs,
        given | {k: v for k, v in named.items() if k},
    )


@dataclass(slots=True)
class _Scan:
    """What is open, and what has been read."""

    path: str
    parser: expat.XMLParserType = field(init=False)
    open: list[str] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)
    documents: list[Document] = field(default_factory=list)
    document: dict[str, str] = field(default_factory=dict)
    document_line: int = 0
    collection: str | None = None
    versions: list[Version] = field(default_factory=list)
    version: dict[str, str] = field(default_factory=dict)
    version_line: int = 0
    paragraphs: list[Paragraph] = field(default_factory=list)
    segments: list[tuple[str, str]] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    segment: str = ""
    text: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.XmlDeclHandler = self._declared
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        self.parser = parser

    def _declared(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding is not None and encoding.lower() not in ("utf-8", "utf8", "us-ascii", "ascii"):
            raise InputError(
                "MP120",
                f"The file says that it is {encoding}.",
                path=self.path,
                line=1,
                hint="Convert it to UTF-8.",
            )

    def _doctype(self, name: str, system: str | None, public: str | None, internal: int) -> None:
        self._refuse("The file has a document type, which can declare entities", "Remove it.")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        inside = self.open[-1] if self.open else ""
        if name not in _INSIDE.get(inside, ()):
            where = f"inside <{inside}>" if inside else "at the top"
            expected = " or ".join(f"<{tag}>" for tag in _INSIDE.get(inside, ())) or "text only"
            self._refuse(f"<{name[:40]}> stands {where}", f"There belongs {expected}.")
        self.open.append(name)
        if name == "dataset":
            self.attributes = attributes
        elif name == "collection":
            self.collection = attributes.get("id", "")
        elif name == "doc":
            self.document, self.document_line = attributes, line
            if not attributes.get("id"):
                self._refuse("The document has no id", 'Write <doc id="…">.')
        elif name in _ROLES:
            self.version, self.version_line = attributes, line
            if name == "hyp" and not attributes.get("system"):
                self._refuse("The hypothesis names no system", 'Write <hyp system="…">.')
            self.ids.clear()
        elif name == "seg":
            self.segment = attributes.get("id", "")
            if not self.segment:
                self._refuse("A segment has no id", "Write an id of its own.")
            if self.segment in self.ids:
                self._refuse(f"The id {self.segment!r} occurs twice", "Write an id of its own.")
            self.ids.add(self.segment)
            self.text = []

    def _end(self, name: str) -> None:
        self.open.pop()
        if name == "seg":
            self.segments.append((self.segment, one_line("".join(self.text))))
        elif name == "p":
            self.paragraphs.append(Paragraph("p", tuple(self.segments)))
            self.segments = []
        elif name in _ROLES:
            named = self.version.get(_NAMES[name], "") if _NAMES[name] else "source"
            self.versions.append(
                Version(
                    _ROLES[name],
                    named or "reference",
                    tuple(self.paragraphs),
                    self.version,
                    line=self.version_line,
                )
            )
            self.paragraphs = []
        elif name == "doc":
            self.documents.append(
                Document(
                    self.document["id"],
                    tuple(self.versions),
                    self.document,
                    self.collection,
                    line=self.document_line,
                )
            )
            self.versions = []
        elif name == "collection":
            self.collection = None

    def _characters(self, data: str) -> None:
        if self.open and self.open[-1] == "seg":
            self.text.append(data)
        elif data.strip():
            self._refuse(f"{beginning_of(data)} stands outside of a segment", "Put it in <seg>.")

    def _refuse(self, fault: str, hint: str) -> NoReturn:
        line = self.parser.CurrentLineNumber
        raise InputError("MP197", f"{fault}.", path=self.path, line=line, hint=hint)

    def finished(self) -> MarkupFile:
        """All of it."""
        check_documents(self.documents, self.path)
        return MarkupFile(tuple(self.documents), self.attributes, self.path)


def _lines(file: MarkupFile, path: FilePath) -> Iterator[str]:
    yield _DECLARATION
    yield opening_tag("dataset", file.attributes, path)
    collection: str | None = None
    for document in file.documents:
        if document.collection != collection:
            if collection is not None:
                yield "  </collection>"
            collection = document.collection
            if collection is not None:
                yield f"  {opening_tag('collection', {'id': collection}, path)}"
        indent = "  " if collection is None else "    "
        yield indent + opening_tag("doc", document.attributes, path)
        for version in document.versions:
            tag = _TAGS[version.role]
            yield f"{indent}  {opening_tag(tag, version.attributes, path)}"
            for paragraph in version.paragraphs:
                yield f"{indent}    <p>"
                for name, text in paragraph.segments:
                    yield f"{indent}      {segment_element(name, text, document.name, path)}"
                yield f"{indent}    </p>"
            yield f"{indent}  </{tag}>"
        yield f"{indent}</doc>"
    if collection is not None:
        yield "  </collection>"
    yield "</dataset>"


def _recognises(head: Head) -> bool:
    return first_tag("\n".join(head.lines)) == "dataset"


def _open_corpus(path: FilePath, *, empty_references: EmptyReferences) -> Iterator[Corpus]:
    return iter([markup_corpus([read_wmt_xml(path)], empty_references=empty_references)])


def _write_corpus(
    corpus: Corpus, path: FilePath, *, set_id: str, source_language: str, target_language: str
) -> None:
    file = wmt_xml_of(
        corpus,
        dataset=set_id or DEFAULT_SET,
        source_language=source_language,
        target_language=target_language,
    )
    write_wmt_xml(file, path)


FORMATS = (
    Format(
        name="wmt-xml",
        holds="texts",
        description="WMT's XML: source, references and systems in one file (<dataset>)",
        recognises=_recognises,
        read=read_wmt_xml,
        write=write_wmt_xml,
        open_corpus=_open_corpus,
        write_corpus=_write_corpus,
        options=("set_id", "source_language", "target_language"),
        endings=(".xml",),
    ),
)
