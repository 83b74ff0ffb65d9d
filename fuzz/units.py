"""Localisation files, and what is written back into them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

from fuzz.files import content, joined, reading, reading_several, written
from fuzz.seeds import XML_WORDS, from_tests
from fuzz.target import Target
from metaphrase.corpus.formats.registry import format_of
from metaphrase.corpus.formats.units.annotating import Remark, annotated
from metaphrase.corpus.formats.units.csv_file import read_csv
from metaphrase.corpus.formats.units.json_strings import read_json_strings
from metaphrase.corpus.formats.units.po import read_po
from metaphrase.corpus.formats.units.properties import read_properties
from metaphrase.corpus.formats.units.remark_files import read_remarks
from metaphrase.corpus.formats.units.tmx import read_tmx
from metaphrase.corpus.formats.units.xliff import read_xliff
from metaphrase.corpus.formats.units.xlsx import read_xlsx
from metaphrase.corpus.opening import read
from metaphrase.errors import MetaphraseError

XLIFF_WORDS = (
    *XML_WORDS,
    "<trans-unit", "<unit", "<segment", "<ignorable>", "<source>", "<target", "<file", "<body>", "<group",
    "<alt-trans", "<seg-source>", "<mrk", '<g id="1">', '<x id="1"/>', '<bx id="1"/>', '<ex id="1"/>',
    '<pc id="1">', '<ph id="1"/>', '<sc id="1"/>', '<ec startRef="1"/>', "<cp hex=", "<note", "<matches",
    "mtc:match", "approved=", "state=", "translate=", "maxwidth=", "size-unit=", "subState=", "srcLang=",
    "trgLang=", "source-language=", "target-language=", "version=",
)  # fmt: skip
_PO_WORDS = (
    *'msgid msgstr msgctxt msgid_plural msgstr[0] #~ #| #, fuzzy \\n \\x \\0 "'.split(),
    "charset=",
)
_TMX_WORDS = (
    *XML_WORDS,
    *"<tmx <tu <tuv <seg> <bpt <ept <ph <it <hi <sub> <ut> tuid= srclang= *all* lang= <prop".split(),
)


@cache
def _malformed() -> list[Any]:
    return list(from_tests("corpus.malformed_units").MALFORMED)


def _seeds(ending: str, *more: bytes) -> Callable[[], list[bytes]]:
    def seeds() -> list[bytes]:
        refused = [case.content for case in _malformed() if case.ending == ending]
        return [*more, *(each for each in refused if len(each) < 3000)]

    return seeds


def localisation_examples(names: str) -> list[bytes]:
    """Files by their names."""
    return content(*(f"localisation/{name}" for name in names.split()))


def xliff_seeds() -> list[bytes]:
    """Files of both versions, and those that must be refused."""
    units = from_tests("corpus.malformed_units")
    good = [
        *localisation_examples("mt.xlf reference.xlf faulty.xlf"),
        units.xliff1(units.UNIT),
        units.xliff2(units.SEGMENT),
        units.xliff1(
            '<trans-unit id="2" maxwidth="9" size-unit="char"><source>a <g id="1">b</g><x id="2"/></source>'
            '<target state="final">c <g id="1">d</g><x id="2"/></target>'
            "<alt-trans><target>e</target></alt-trans></trans-unit>"
        ),
        units.xliff2(
            '<unit id="3"><segment><source>a <pc id="1">b</pc><ph id="2"/></source>'
            '<target><sc id="1"/>c<ec startRef="1"/></target></segment></unit>'
        ),
    ]
    return _seeds("xlf", *good)()


def _tmx_seeds() -> list[bytes]:
    units = from_tests("corpus.malformed_units")
    return _seeds(
        "tmx", units.tmx(units.TU), units.tmx(units.TU.replace("Save", "<bpt i='1'/>S<ept i='1'/>"))
    )()


def _po_seeds() -> list[bytes]:
    body = (
        '# c\n#. e\n#: f.c:1\n#, fuzzy, c-format\n#| msgid "old"\nmsgctxt "m"\n'
        'msgid "a %s"\nmsgstr "b %s"\n\n'
        'msgid "one"\nmsgid_plural "many"\nmsgstr[0] "eins"\nmsgstr[1] "viele"\n\n'
        '#~ msgid "x"\n#~ msgstr "y"\n'
    )
    return _seeds("po", from_tests("corpus.malformed_units").po(body))()


def _unpacked_workbook(data: bytes) -> bytes:
    """A workbook whose parts are the input, so that zip is not in the way."""
    parts = data.split(b"\n=====\n", len(_PARTS) - 1)
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(_workbook())) as old,
        zipfile.ZipFile(stream, "w") as new,
    ):
        replaced = dict(zip(_PARTS, parts, strict=False))
        for entry in old.infolist():
            new.writestr(entry.filename, replaced.get(entry.filename, old.read(entry)))
    return stream.getvalue()


_PARTS = ("xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/sharedStrings.xml", "xl/styles.xml")


@cache
def _workbook() -> bytes:
    workbook = from_tests("corpus.malformed_units").workbook
    made: bytes = workbook(["id", "source", "target"], ["1", "Save", "Speichern"], [2, 3.5, True])
    return made


def _workbook_parts() -> list[bytes]:
    with zipfile.ZipFile(io.BytesIO(_workbook())) as book:
        return [joined(*(book.read(part)[:3000] for part in _PARTS if part in book.namelist()))]


def _read_workbook_parts(data: bytes) -> object:
    return read_xlsx(str(written("a.xlsx", _unpacked_workbook(data))))


def _annotate(data: bytes) -> object:
    """Remarks about every unit; what is written must be read again."""
    for name in ("a.xlf", "a.po"):
        path = str(written(name, data))
        with suppress(MetaphraseError):
            found = format_of(path)
            if found is None or found.holds != "units":
                continue
            file = found.read(path)
            units = list(dict.fromkeys(unit.id for unit in file.units))[:3]
            remarks = [
                Remark(unit, "numbers", "error", "2 became 3 & <4>\n", 0.5) for unit in units
            ]
            again = found.read(
                str(written(f"again-{name}", annotated(data, remarks, name, found.name)))
            )
            # A remark must not change what is remarked on.
            assert [(unit.id, unit.source, unit.target) for unit in again.units] == [
                (unit.id, unit.source, unit.target) for unit in file.units
            ]
    return None


def _joined_units(reference: str, system: str) -> object:
    return read([reference], {"a": system}, missing_targets="empty")


def targets() -> list[Target]:
    """Those of this room."""

    def unit(name: str, run: Any, seeds: Any, words: Any = (), **options: Any) -> Target:
        return Target(name=f"units.{name}", run=run, seeds=seeds, words=words, **options)

    return [
        unit("xliff", reading(read_xliff, "a.xlf"), xliff_seeds, XLIFF_WORDS),
        unit("tmx", reading(read_tmx, "a.tmx"), _tmx_seeds, _TMX_WORDS),
        unit(
            "po",
            reading(read_po, "a.po"),
            _po_seeds,
            _PO_WORDS,
        ),
        unit(
            "csv",
            reading(read_csv, "a.csv"),
            _seeds(
                "csv",
                b'id,source,target\n1,"Save, now","Sichern ""jetzt"""\n',
                b"a;source;target\n1;b;c\n",
            ),
            (",", ";", '"', '""', "\n", "source", "target", "id", "\xef\xbb\xbf"),
        ),
        unit(
            "xlsx",
            reading(read_xlsx, "a.xlsx"),
            lambda: [_workbook()],
            ("PK\x03\x04", "PK\x05\x06"),
            longest=8192,
        ),
        unit(
            "xlsx-parts",
            _read_workbook_parts,
            _workbook_parts,
            (*XML_WORDS, "<c r=", "<v>", "<f>", "<mergeCell"),
            longest=12000,
        ),
        unit(
            "properties",
            reading(read_properties, "a.properties"),
            _seeds("properties", b"# c\na.b = c \\u00e4\\\n  d\n! x\nkey with\\ space: v\n"),
            ("\\u00e4", "\\ud800", "\\\n", "=", ":", "#", "!", "\\u", "\\r"),
        ),
        unit(
            "json",
            reading(read_json_strings, "a.json"),
            _seeds(
                "json",
                b'{"a": "b", "c": {"d": "e"}, "f": {"other": "g"}}',
                b'{"@@locale": "de", "a": "b"}',
            ),
            ("{", "}", "[", '"', ":", "null", "\\ud800", "1e999", "NaN"),
        ),
        unit(
            "remarks",
            reading(read_remarks, "a.json"),
            lambda: [
                b'{"findings": [{"unit": "1", "code": "numbers", "severity": "error", "score": 1}]}',
                b'{"systems": [{"name": "a", "segments": [{"id": "1", "scores": {"chrf": 1.5}}]}]}',
            ],
            ("{", "}", "[", '"', ":", "null", "findings", "systems", "9" * 400),
        ),
        unit(
            "annotate",
            _annotate,
            lambda: [*xliff_seeds()[:8], *_po_seeds()[:8]],
            (*XLIFF_WORDS, "msgid", "#."),
        ),
        unit(
            "joined",
            reading_several(_joined_units, "a.xlf", "b.xlf"),
            lambda: [joined(*localisation_examples("reference.xlf mt.xlf"))],
            (*XLIFF_WORDS, "\n=====\n"),
        ),
    ]
