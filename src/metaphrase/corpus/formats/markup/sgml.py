"""NIST's SGML, as WMT used it until 2020: one file for the source, for references, and for each system.

``<srcset>``, ``<refset>`` or ``<tstset>`` has ``<doc>``, these have ``<p>`` or ``<hl>`` and these
``<seg id="1">``. A file may have several versions of a document, told apart by ``sysid``. The rules are
those of the files that exist: names of tags and attributes in any case, values with or without quotation
marks, an ampersand that begins no reference is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from metaphrase.corpus.corpus import Corpus
from metaphrase.corpus.formats.format import Format, Head
from metaphrase.corpus.formats.markup.tags import (
    beginning_of,
    first_tag,
    one_line,
    opening_tag,
    segment_element,
    unescape,
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
    version_of,
)
from metaphrase.corpus.formats.plain import check_file_name, numbered
from metaphrase.corpus.lines import FilePath, LineReader
from metaphrase.corpus.writing import atomic_folder
from metaphrase.errors import InputError

_ROLES: dict[str, Role] = {"srcset": "source", "refset": "reference", "tstset": "system"}
_SETS: dict[Role, str] = {role: tag for tag, role in _ROLES.items()}
_PARAGRAPHS = ("p", "hl", "poster")
_WRAPPERS = ("mteval",)
_INSIDE = {
    "": (*_WRAPPERS, *_ROLES),
    **dict.fromkeys(_WRAPPERS, tuple(_ROLES)),
    **dict.fromkeys(_ROLES, ("doc",)),
    "doc": (*_PARAGRAPHS, "seg"),
    **dict.fromkeys(_PARAGRAPHS, ("seg",)),
}
_TAG = re.compile(r"(/?)([A-Za-z][A-Za-z0-9_-]*)")
_ATTRIBUTE = re.compile(r"""([A-Za-z_][\w.:-]*)\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>]+)\s*""")


def read_sgml(path: FilePath) -> MarkupFile:
    """One file; errors name the line of the tag at fault."""
    with LineReader(path) as reader:
        text = "\n".join(line for _, line in reader)
        scan = _Scan(reader.name)
        for line, tag, between in _tokens(text, reader.name):
            scan.take(line, tag, between)
        return scan.finished()


def write_sgml(file: MarkupFile, path: FilePath) -> None:
    """One tag a line, as WMT's own files have them; :func:`read_sgml` reads back the same."""
    write_markup(_lines(file, path), path)


def sgml_of(
    corpus: Corpus,
    role: Role,
    name: str = "",
    *,
    set_id: str = "corpus",
    source_language: str = "any",
    target_language: str = "any",
) -> MarkupFile:
    """One column of a corpus as a file: its source, a reference (``1``, ``2``, …) or a system."""
    if role == "source":
        column, name = corpus.sources, "source"
    elif role == "reference":
        column = corpus.written_references[int(name) - 1]
    else:
        column = corpus.systems[name]
    if column is None:
        raise InputError("MP190", "The corpus has no source to write.", hint="Give it sources.")
    attributes = {"setid": set_id, "srclang": source_language}
    if role != "source":
        attributes["trglang"] = target_language
    documents = []
    for document, genre, rows in documents_of(corpus):
        version = version_of(role, name, column, rows)
        given = {"sysid": name, "docid": document} | ({"genre": genre} if genre else {})
        version = Version(role, name, version.paragraphs, given)
        documents.append(Document(document, (version,), {"genre": genre} if genre else {}))
    return MarkupFile(tuple(documents), attributes)


def _tokens(text: str, path: str) -> Iterator[tuple[int, str, str]]:
    """Each tag with its line and the text before it."""
    line, position = 1, 0
    while (start := text.find("<", position)) >= 0:
        between = text[position:start]
        line += between.count("\n")
        closing = "-->" if text.startswith("<!--", start) else ">"
        end = text.find(closing, start)
        inner = text[start + 1 : end]
        if end < 0 or (closing == ">" and "<" in inner):
            raise InputError(
                "MP196",
                "There is a < that begins no tag.",
                path=path,
                line=line,
                hint="Write &lt; in text, and end each tag with >.",
            )
        yield line, inner, between
        line += inner.count("\n")
        position = end + len(closing)
    yield line, "", text[position:]


@dataclass(slots=True)
class _Scan:
    """What is open, and what has been read."""

    path: str
    open: list[str] = field(default_factory=list)
    role: Role = "source"
    set_attributes: dict[str, str] | None = None
    documents: list[Document] = field(default_factory=list)
    document: dict[str, str] = field(default_factory=dict)
    document_line: int = 0
    paragraphs: list[Paragraph] = field(default_factory=list)
    segments: list[tuple[str, str]] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    segment: str = ""
    segment_line: int = 0

    def take(self, line: int, tag: str, between: str) -> None:
        """One tag, after the text before it."""
        in_segment = bool(self.open) and self.open[-1] == "seg"
        if not in_segment and between.strip():
            first = line - between.lstrip("\n").count("\n")
            raise self._fault(
                first, f"{beginning_of(between)} stands outside of a segment", "in <seg>"
            )
        if tag.startswith(("!", "?")) or not tag:
            if "[" in tag and tag.upper().startswith("!DOCTYPE"):
                raise self._fault(line, "the document type declares entities", "without them")
            if in_segment and tag:
                raise self._fault(line, "a comment stands in a segment", "it outside of <seg>")
            if in_segment:
                raise self._fault(line, "a segment does not end", "</seg> at its end")
            return
        match = _TAG.match(tag)
        if match is None:
            raise self._fault(line, f"<{beginning_of(tag)}> is no tag", "and &lt; in text")
        slash, name = match[1], match[2].lower()
        rest = tag[match.end() :].strip().removesuffix("/").rstrip()
        if slash:
            self._close(name, line, between)
        else:
            self._open(name, self._attributes(rest, line), line)

    def _open(self, name: str, attributes: dict[str, str], line: int) -> None:
        inside = self.open[-1] if self.open else ""
        allowed = _INSIDE.get(inside, ())
        if name not in allowed:
            where = f"inside <{inside}>" if inside else "at the top"
            expected = " or ".join(f"<{tag}>" for tag in allowed) or "text only"
            raise self._fault(line, f"<{name}> stands {where}", f"{expected} there")
        if name in _ROLES:
            if self.set_attributes is not None:
                raise self._fault(line, "the file has a second set", "one set a file")
            self.role, self.set_attributes = _ROLES[name], attributes
        elif name == "doc":
            self.document, self.document_line = attributes, line
            if not attributes.get("docid"):
                raise self._fault(line, "the document has no docid", "one")
            self.ids.clear()
        elif name in _PARAGRAPHS:
            self._end_paragraph("")
        elif name == "seg":
            self.segment, self.segment_line = attributes.get("id", ""), line
            if not self.segment or self.segment in self.ids:
                fault = f"the id {self.segment!r} occurs twice" if self.segment else "no id"
                raise self._fault(line, f"a segment has {fault}", "an id of its own")
            self.ids.add(self.segment)
        self.open.append(name)

    def _close(self, name: str, line: int, between: str) -> None:
        if not self.open or self.open[-1] != name:
            inside = f"<{self.open[-1]}> is open" if self.open else "nothing is open"
            raise self._fault(line, f"</{name}> comes where {inside}", "tags in pairs")
        self.open.pop()
        if name == "seg":
            text = unescape(one_line(between), self.path, self.segment_line)
            self.segments.append((self.segment, text))
        elif name in _PARAGRAPHS:
            self._end_paragraph(name)
        elif name == "doc":
            self._end_paragraph("")
            version = self._version()
            shared = {k: v for k, v in self.document.items() if k not in ("docid", "sysid")}
            self.documents.append(
                Document(self.document["docid"], (version,), shared, line=self.document_line)
            )
            self.paragraphs = []

    def _end_paragraph(self, tag: str) -> None:
        if self.segments or tag:
            self.paragraphs.append(Paragraph(tag, tuple(self.segments)))
        self.segments = []

    def _version(self) -> Version:
        outer = self.set_attributes or {}
        name = self.document.get("sysid") or outer.get("sysid") or outer.get("refid")
        if self.role == "source":
            name = "source"
        if not name:
            raise self._fault(self.document_line, "the document has no sysid", "one")
        return Version(
            self.role, name, tuple(self.paragraphs), self.document, line=self.document_line
        )

    def finished(self) -> MarkupFile:
        """All of it, if it is whole."""
        if self.open:
            raise InputError(
                "MP197",
                f"The file ends, but <{self.open[-1]}> does not.",
                path=self.path,
                line=self.segment_line or self.document_line or 1,
                hint="The file was cut off, or a tag is missing.",
            )
        if self.set_attributes is None:
            raise InputError(
                "MP197",
                "The file has no <srcset>, <refset> or <tstset>.",
                path=self.path,
                hint="This is not NIST's SGML.",
            )
        check_documents(self.documents, self.path)
        return MarkupFile(tuple(self.documents), self.set_attributes, self.path)

    def _attributes(self, text: str, line: int) -> dict[str, str]:
        attributes: dict[str, str] = {}
        position = 0
        while position < len(text):
            match = _ATTRIBUTE.match(text, position)
            if match is None:
                raise self._fault(
                    line, f"{beginning_of(text[position:])} is no attribute", 'name="…"'
                )
            name, value = match[1].lower(), match[2]
            if name in attributes:
                raise self._fault(line, f"the attribute {name} occurs twice", "it once")
            if value[0] in "\"'":
                value = value[1:-1]
            attributes[name] = unescape(value, self.path, line)
            position = match.end()
        return attributes

    def _fault(self, line: int, fault: str, remedy: str) -> InputError:
        message = f"{fault[0].upper()}{fault[1:]}."
        return InputError("MP197", message, path=self.path, line=line, hint=f"Write {remedy}.")


def _lines(file: MarkupFile, path: FilePath) -> Iterator[str]:
    roles = {version.role for document in file.documents for version in document.versions}
    if len(roles) != 1:
        raise InputError(
            "MP198",
            f"SGML has one of source, references and systems in a file, not {len(roles)} of them.",
            path=path,
            hint="Write a file for each.",
        )
    outer = _SETS[roles.pop()]
    yield opening_tag(outer, file.attributes, path)
    for document in file.documents:
        for version in document.versions:
            given = version.attributes or {"sysid": version.name, "docid": document.name}
            yield opening_tag("doc", given, path)
            for paragraph in version.paragraphs:
                if paragraph.tag:
                    yield f"<{paragraph.tag}>"
                for name, text in paragraph.segments:
                    yield segment_element(name, text, document.name, path)
                if paragraph.tag:
                    yield f"</{paragraph.tag}>"
            yield "</doc>"
    yield f"</{outer}>"


def is_sgml(known: Format) -> bool:
    """Whether the format is one of these."""
    return known in FORMATS


def _format(role: Role, description: str) -> Format:
    def recognises(head: Head) -> bool:
        return first_tag("\n".join(head.lines), passed_over=_WRAPPERS) == _SETS[role]

    return Format(
        name=f"sgml-{role}",
        holds="texts",
        description=description,
        recognises=recognises,
        read=read_sgml,
        write=write_sgml,
        endings=(".sgm", ".sgml") if role == "reference" else (),
    )


def _write_folder(
    corpus: Corpus, path: FilePath, *, set_id: str, source_language: str, target_language: str
) -> None:
    languages = {
        "set_id": set_id or DEFAULT_SET,
        "source_language": source_language or "any",
        "target_language": target_language or "any",
    }
    with atomic_folder(path) as folder:
        if corpus.sources is not None:
            write_sgml(sgml_of(corpus, "source", **languages), folder / "source.sgm")
        for number, file in enumerate(numbered(folder, len(corpus.references), "sgm"), 1):
            write_sgml(sgml_of(corpus, "reference", str(number), **languages), file)
        for name in corpus.systems:
            file = folder / f"system.{check_file_name(name)}.sgm"
            write_sgml(sgml_of(corpus, "system", name, **languages), file)


FORMATS = (
    _format("source", "NIST SGML: source texts (<srcset>)"),
    _format("reference", "NIST SGML: reference translations (<refset>)"),
    _format("system", "NIST SGML: translations of a system (<tstset>)"),
    Format(
        name="sgml",
        holds="texts",
        description="NIST SGML: a folder of files",
        write_corpus=_write_folder,
        writes_folder=True,
        options=("set_id", "source_language", "target_language"),
    ),
)
