"""Localisation files that must be refused: a name, an ending, the bytes, the code, and the line it names."""

from __future__ import annotations

import io
import zipfile
from typing import NamedTuple

import openpyxl


class Malformed(NamedTuple):
    name: str
    ending: str
    content: bytes
    code: str
    line: int | None


UNIT = '<trans-unit id="1"><source>Save</source><target>Speichern</target></trans-unit>'
SEGMENT = '<unit id="1"><segment><source>Save</source><target>Speichern</target></segment></unit>'
TU = (
    '<tu><tuv xml:lang="en"><seg>Save</seg></tuv><tuv xml:lang="de"><seg>Speichern</seg></tuv></tu>'
)
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
HEADER = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'


def xliff1(body: str, *, declaration: str = DECLARATION, version: str = "1.2") -> bytes:
    return (
        f'{declaration}<xliff version="{version}" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n'
        f'<file source-language="en" target-language="de" original="a"><body>\n{body}\n</body></file>\n'
        "</xliff>\n"
    ).encode()


def xliff2(body: str, *, root: str = 'version="2.1" srcLang="en" trgLang="de"') -> bytes:
    return (
        f'{DECLARATION}<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" {root}>\n'
        f'<file id="f">\n{body}\n</file>\n</xliff>\n'
    ).encode()


def tmx(body: str, *, declaration: str = '<?xml version="1.0"?>\n') -> bytes:
    return (
        f'{declaration}<tmx version="1.4">\n<header srclang="en"/>\n<body>\n{body}\n</body></tmx>\n'
    ).encode()


def po(body: str, *, header: str = HEADER) -> bytes:
    return f"{header}{body}".encode()


def workbook(*rows: list[object], merged: str = "") -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(row)
    if merged:
        sheet.merge_cells(merged)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def with_part(content: bytes, part: str, data: bytes) -> bytes:
    """A workbook of which one part is another."""
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for entry in old.infolist():
            new.writestr(entry.filename, data if entry.filename == part else old.read(entry))
        if part not in old.namelist():
            new.writestr(part, data)
    return stream.getvalue()


BOMB = '<?xml version="1.0"?>\n<!DOCTYPE x [\n <!ENTITY a "aaaaaaaaaa">\n <!ENTITY b "&a;&a;&a;">\n]>\n'
SHEET = workbook(["id", "source", "target"], ["1", "Save", "Speichern"])
xlf, plain_po = "xlf", "po"


def unit(source: str) -> str:
    return f'<trans-unit id="1"><source>{source}</source></trans-unit>'


MALFORMED = [
    # XML
    Malformed("empty", xlf, b"", "MP113", None),
    Malformed("cut off in a tag", xlf, xliff1(UNIT)[:150], "MP860", 3),
    Malformed("cut off in a text", xlf, xliff1(UNIT).partition(b"ern<")[0], "MP860", 4),
    Malformed("cut off after a unit", xlf, xliff1(UNIT).partition(b"</body>")[0], "MP860", 5),
    Malformed("crossed tags", xlf, xliff1(unit('<g id="1">a</source></g>')), "MP860", 4),
    Malformed("bare ampersand", xlf, xliff1(unit("R & D")), "MP860", 4),
    Malformed("bare less-than", xlf, xliff1(unit("a < b")), "MP860", 4),
    Malformed("control character", xlf, xliff1(unit("a\x01")), "MP860", 4),
    Malformed("NUL byte", xlf, xliff1(unit("a\0b")), "MP860", 4),
    Malformed("attribute twice", xlf, xliff1('<trans-unit id="1" id="2"/>'), "MP860", 4),
    Malformed("attribute without quotes", xlf, xliff1("<trans-unit id=1/>"), "MP860", 4),
    Malformed("unbound prefix", xlf, xliff1("<q:a/>"), "MP860", 4),
    Malformed("text after the end", xlf, xliff1(UNIT) + b"more\n", "MP860", 7),
    Malformed("second root", xlf, xliff1(UNIT) * 2, "MP860", 7),
    Malformed("entity bomb", xlf, xliff1(unit("&b;"), declaration=BOMB), "MP861", 3),
    Malformed("entity that nobody uses", xlf, xliff1(UNIT, declaration=BOMB), "MP861", 3),
    Malformed(
        "external entity",
        xlf,
        xliff1(
            unit("&a;"), declaration='<!DOCTYPE x [\n<!ENTITY a SYSTEM "file:///etc/passwd">\n]>\n'
        ),
        "MP861",
        2,
    ),
    Malformed(
        "parameter entity",
        xlf,
        xliff1(UNIT, declaration='<!DOCTYPE x [\n<!ENTITY % a "b">\n]>\n'),
        "MP861",
        2,
    ),
    Malformed(
        "entity of a DTD that is not fetched",
        "tmx",
        tmx(TU.replace("Save", "&nbsp;"), declaration='<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n'),
        "MP861",
        5,
    ),
    Malformed("unknown entity", xlf, xliff1(unit("&nbsp;")), "MP860", 4),
    Malformed("Latin-1 that claims UTF-8", xlf, xliff1(unit("é")).replace(b"\xc3", b""), "MP862", 4),
    Malformed(
        "unknown encoding",
        xlf,
        xliff1(UNIT, declaration='<?xml version="1.0" encoding="klingon"?>\n'),
        "MP862",
        1,
    ),
    Malformed(
        "encoding that expat has not",
        xlf,
        xliff1(UNIT, declaration='<?xml version="1.0" encoding="shift_jis"?>\n'),
        "MP862",
        1,
    ),
    Malformed(
        "UTF-16 by name only",
        xlf,
        xliff1(UNIT, declaration='<?xml version="1.0" encoding="utf-16"?>\n'),
        "MP862",
        1,
    ),
    Malformed("UTF-16 that claims UTF-8", xlf, xliff1(UNIT).decode().encode("utf-16"), "MP862", 1),
    Malformed(
        "half of UTF-16",
        xlf,
        xliff1(UNIT).replace(b"UTF-8", b"UTF-16").decode().encode("utf-16")[:-7],
        "MP860",
        6,
    ),
    Malformed("deep nesting", xlf, xliff1("<group>" * 300 + "</group>" * 300), "MP863", 4),
    Malformed("deep nesting in a text", xlf, xliff1(unit("<g>" * 300 + "</g>" * 300)), "MP863", 4),
    Malformed("truncated gzip", "xlf.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00", "MP114", None),
    # XLIFF
    Malformed("another root", xlf, b"<html>\n<body/></html>\n", "MP864", 1),
    Malformed("no version", xlf, b"<xliff>\n</xliff>\n", "MP864", 1),
    Malformed("version 3", xlf, xliff1(UNIT, version="3.0"), "MP864", 2),
    Malformed("no unit", xlf, xliff1(""), "MP870", None),
    Malformed("no file", xlf, b'<xliff version="1.2"/>\n', "MP870", None),
    Malformed("unit without id", xlf, xliff1("<trans-unit><source/></trans-unit>"), "MP864", 4),
    Malformed("unit without source", xlf, xliff1('\n<trans-unit id="1"/>'), "MP864", 5),
    Malformed("duplicate id", xlf, xliff1(f"{UNIT}\n\n{UNIT}"), "MP865", 6),
    Malformed(
        "duplicate id in a group", xlf, xliff1(f"{UNIT}\n<group>{UNIT}</group>"), "MP865", 5
    ),
    Malformed(
        "two target languages",
        xlf,
        xliff1(f'{UNIT}</body></file>\n<file source-language="en" target-language="fr"><body>'),
        "MP869",
        5,
    ),
    Malformed("2: no source language", xlf, xliff2(SEGMENT, root='version="2.0"'), "MP864", 2),
    Malformed("2: unit without id", xlf, xliff2(SEGMENT.replace(' id="1"', "")), "MP864", 4),
    Malformed("2: unit without segment", xlf, xliff2('<unit id="1"/>'), "MP864", 4),
    Malformed("2: no source", xlf, xliff2('<unit id="1">\n<segment/></unit>'), "MP864", 5),
    Malformed("2: duplicate id", xlf, xliff2(f"{SEGMENT}\n{SEGMENT}"), "MP865", 5),
    Malformed(
        "2: duplicate segment",
        xlf,
        xliff2('<unit id="1">' + '\n<segment id="s"><source>a</source></segment>' * 2 + "</unit>"),
        "MP865",
        6,
    ),
    Malformed("2: no unit", xlf, xliff2(""), "MP870", None),
    # TMX
    Malformed("no unit", "tmx", tmx(""), "MP870", None),
    Malformed("unit without languages", "tmx", tmx("<tu/>"), "MP864", 5),
    Malformed("variant without language", "tmx", tmx("<tu><tuv><seg/></tuv></tu>"), "MP864", 5),
    Malformed("variant without text", "tmx", tmx('<tu>\n<tuv xml:lang="en"/></tu>'), "MP864", 6),
    Malformed("one language", "tmx", tmx(TU.replace('"de"', '"en-GB"')), "MP868", None),
    Malformed("three languages", "tmx", tmx(TU + TU.replace('"de"', '"fr"')), "MP868", None),
    Malformed(
        "languages that never meet",
        "tmx",
        tmx(
            '<tu><tuv xml:lang="en"><seg>a</seg></tuv></tu><tu><tuv xml:lang="de"><seg>b</seg></tuv></tu>'
        ),
        "MP868",
        None,
    ),
    Malformed("another root", "tmx", b"<xml>\n</xml>\n", "MP864", 1),
    # PO
    Malformed("header alone", plain_po, po(""), "MP870", None),
    Malformed("string without end", plain_po, po('msgid "a\nmsgstr "b"\n'), "MP866", 4),
    Malformed("string without beginning", plain_po, po('msgid a"\nmsgstr "b"\n'), "MP866", 4),
    Malformed("unescaped quotation mark", plain_po, po('msgid "a"b"\nmsgstr ""\n'), "MP866", 4),
    Malformed("unknown escape", plain_po, po('msgid "a"\nmsgstr "\\q"\n'), "MP866", 5),
    Malformed("unknown keyword", plain_po, po('msgid "a"\nmsgfoo "b"\n'), "MP866", 5),
    Malformed("string before any keyword", plain_po, po('#\n"a"\nmsgid "a"\n'), "MP866", 5),
    Malformed("translation first", plain_po, po('#\nmsgstr "a"\nmsgid "b"\n'), "MP866", 5),
    Malformed("two translations", plain_po, po('msgid "a"\nmsgstr "b"\nmsgstr "c"\n'), "MP866", 6),
    Malformed("two sources", plain_po, po('#\nmsgid "a"\nmsgid "b"\nmsgstr "c"\n'), "MP866", 6),
    Malformed("context after source", plain_po, po('#\nmsgid "a"\nmsgctxt "b"\n'), "MP866", 6),
    Malformed("no translation", plain_po, po('\nmsgid "a"\n'), "MP866", 5),
    Malformed(
        "plural forms out of order",
        plain_po,
        po('msgid "a"\nmsgid_plural "b"\nmsgstr[1] "c"\nmsgstr[0] "d"\n'),
        "MP866",
        4,
    ),
    Malformed(
        "plural without forms", plain_po, po('msgid "a"\nmsgid_plural "b"\nmsgstr "c"\n'), "MP866", 4
    ),
    Malformed("form without plural", plain_po, po('msgid "a"\nmsgstr[0] "c"\n'), "MP866", 4),
    Malformed("second header", plain_po, po(f'msgid "a"\nmsgstr "b"\n\n{HEADER}'), "MP866", 7),
    Malformed("duplicate message", plain_po, po('msgid "a"\nmsgstr "b"\n\n' * 2), "MP865", 7),
    Malformed(
        "duplicate context", plain_po, po('msgctxt "c"\nmsgid "a"\nmsgstr "b"\n\n' * 2), "MP865", 8
    ),
    Malformed("Latin-1 that claims UTF-8", plain_po, po("#\n") + b"# \xe9\n", "MP862", 5),
    Malformed(
        "unknown encoding",
        plain_po,
        po('msgid "a"\nmsgstr "b"\n', header=HEADER.replace("UTF-8", "KLINGON")),
        "MP862",
        2,
    ),
    Malformed(
        "encoding that is not ASCII",
        plain_po,
        po('msgid "a"\nmsgstr "b"\n', header=HEADER.replace("UTF-8", "UTF-16")),
        "MP862",
        2,
    ),
    Malformed("conflict of versions", plain_po, po("<<<<<<< HEAD\n"), "MP866", 4),
    # CSV
    Malformed("open quotation", "csv", b'id,source,target\n1,"Save,Speichern\n', "MP877", 2),
    Malformed("text after a quotation", "csv", b'id,source,target\n1,"a"b,c\n', "MP877", 2),
    Malformed("too many cells", "csv", b"id,source,target\n1,a,b\n2,a,b,c\n", "MP877", 3),
    Malformed("no target", "csv", b"id,source,comment\n1,a,b\n", "MP876", 1),
    Malformed("three languages", "csv", b"id,en,de,fr\n1,a,b,c\n", "MP876", 1),
    Malformed("duplicate id", "csv", b"id,source,target\n1,a,b\n\n1,c,d\n", "MP865", 4),
    Malformed("duplicate source", "csv", b"source,target\na,b\na,d\n", "MP865", 3),
    Malformed("header alone", "csv", b"id,source,target\n", "MP870", None),
    Malformed("empty rows", "csv", b"id,source,target\n,,\n,,\n", "MP870", None),
    Malformed("Latin-1", "csv", b"id,source,target\n1,a,\xe9\n", "MP862", 2),
    Malformed("half of UTF-16", "csv", "id,source,target".encode("utf-16")[:-1], "MP862", 1),
    # Workbooks
    Malformed("not a workbook", "xlsx", b"PK\x03\x04" + b"\0" * 60, "MP872", None),
    Malformed("an archive of nothing", "xlsx", with_part(SHEET, "x", b"")[:-30], "MP872", None),
    Malformed("encrypted", "xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "MP872", None),
    Malformed("bomb", "xlsx", with_part(SHEET, "xl/media/a.bin", bytes(1 << 25)), "MP873", None),
    Malformed(
        "entities in a sheet",
        "xlsx",
        with_part(SHEET, "xl/worksheets/sheet1.xml", b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"),
        "MP861",
        None,
    ),
    Malformed("damaged sheet", "xlsx", with_part(SHEET, "xl/worksheets/sheet1.xml", b"<a"), "MP872", None),
    Malformed(
        "formula without value",
        "xlsx",
        workbook(["id", "source", "target"], ["1", "a", "b"], ["2", "a", '="c"&"d"']),
        "MP874",
        3,
    ),
    Malformed(
        "merged cells",
        "xlsx",
        workbook(["id", "source", "target"], ["1", "a", "b"], ["2", "c", "d"], merged="A2:A3"),
        "MP875",
        2,
    ),
    Malformed("no columns", "xlsx", workbook(["a", "b"], ["c", "d"]), "MP876", 1),
    Malformed("empty sheet", "xlsx", workbook(), "MP876", 1),
    Malformed("no rows", "xlsx", workbook(["id", "source", "target"]), "MP870", None),
    Malformed(
        "duplicate id", "xlsx", workbook(["id", "source", "target"], [1, "a", "b"], [1, "c", "d"]),
        "MP865", 3,
    ),
    # Properties
    Malformed("comments alone", "properties", b"# a\n! b=c\n", "MP870", None),
    Malformed("short escape", "properties", b"a=b\nc=\\u12\n", "MP878", 2),
    Malformed("half a character", "properties", b"a=\\ud83d\n", "MP878", 1),
    Malformed("duplicate key", "properties", b"a=b\n\na : c\n", "MP865", 3),
    # JSON
    Malformed("cut off", "json", b'{\n"a": "b",\n"c": "d"', "MP879", 3),
    Malformed("comma at the end", "json", b'{\n"a": "b",\n}\n', "MP879", 3),
    Malformed("single quotes", "json", b'{\n"a": "b",\n\'c\': "d"\n}\n', "MP879", 3),
    Malformed("text after the end", "json", b'{\n"a": "b"\n}\n}\n', "MP879", 4),
    Malformed("line feed in a string", "json", b'{\n"a": "b\nc"\n}\n', "MP879", 2),
    Malformed("half a character", "json", b'{\n"a": "\\ud83d"\n}\n', "MP879", 2),
    Malformed("duplicate name", "json", b'{\n"a": "b",\n"a": "c"\n}\n', "MP865", 3),
    Malformed("deep nesting", "json", b'{\n"a": ' + b'{"a": ' * 200, "MP879", 2),
    Malformed("Latin-1", "json", b'{\n"a": "\xe9"\n}\n', "MP862", 2),
    Malformed("nothing but numbers", "json", b'{\n"a": {"b": 1}\n}\n', "MP870", None),
]  # fmt: skip
