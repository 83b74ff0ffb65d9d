"""Localisation files, what is written back into them, glossaries, and checks of any two texts."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

from fuzz.files import content, drained, joined, reading, reading_several, written
from fuzz.seeds import TEXT_WORDS, TEXTS, from_tests
from fuzz.target import Target
from metaphrase.checks.opening import open_file, open_with_source
from metaphrase.checks.pair import Pair
from metaphrase.checks.running import check_pairs
from metaphrase.checks.settings import Settings
from metaphrase.checks.terms.reading import read_glossary
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

_XML_WORDS = (
    "<", ">", "</", "/>", "<!--", "-->", "<?xml", "?>", "<![CDATA[", "]]>", "<!DOCTYPE", "<!ENTITY", "&amp;",
    "&#0;", "&#xD800;", "&x;", 'id="1"', 'encoding="', "UTF-16", "ISO-8859-1", "utf-7", "xml:lang=",
    'xml:space="preserve"', "xmlns:x=", "xmlns=",
)  # fmt: skip
_XLIFF_WORDS = (
    *_XML_WORDS,
    "<trans-unit", "<unit", "<segment", "<ignorable>", "<source>", "<target", "<file", "<body>", "<group",
    "<alt-trans", "<seg-source>", "<mrk", '<g id="1">', '<x id="1"/>', '<bx id="1"/>', '<ex id="1"/>',
    '<pc id="1">', '<ph id="1"/>', '<sc id="1"/>', '<ec startRef="1"/>', "<cp hex=", "<note", "<matches",
    "mtc:match", "approved=", "state=", "translate=", "maxwidth=", "size-unit=", "subState=", "srcLang=",
    "trgLang=", "source-language=", "target-language=", "version=",
)  # fmt: skip
_TMX_WORDS = (
    *_XML_WORDS,
    *"<tmx <tu <tuv <seg> <bpt <ept <ph <it <hi <sub> <ut> tuid= srclang= *all* lang= <prop".split(),
)
_TBX_WORDS = (
    *_XML_WORDS,
    *"<tbx <martif <conceptEntry <termEntry <langSec <langSet <termSec> <tig> <ntig> <term>".split(),
    "administrativeStatus", "deprecatedTerm-admn-sts", "forbidden", "source\ttarget", "status", "case",
)  # fmt: skip


@cache
def _malformed() -> list[Any]:
    return list(from_tests("corpus.malformed_units").MALFORMED)


def _seeds(ending: str, *more: bytes) -> Callable[[], list[bytes]]:
    def seeds() -> list[bytes]:
        refused = [case.content for case in _malformed() if case.ending == ending]
        return [*more, *(each for each in refused if len(each) < 3000)]

    return seeds


def _examples(names: str) -> list[bytes]:
    return content(*(f"localisation/{name}" for name in names.split()))


def _xliff_seeds() -> list[bytes]:
    units = from_tests("corpus.malformed_units")
    good = [
        *_examples("mt.xlf reference.xlf faulty.xlf"),
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
            assert [(u.id, u.source.text, u.target.text) for u in again.units] == [
                (u.id, u.source.text, u.target.text) for u in file.units
            ]
    return None


def _checked_file(path: str) -> object:
    for translation in open_file(path, source_language="en", language="de"):
        drained(check_pairs(translation.pairs))
    return None


def _checked_lines(source: str, target: str) -> object:
    for translation in open_with_source(source, [target], source_language="en", language="fr"):
        drained(check_pairs(translation.pairs))
    return None


_LANGUAGES = ("", "en", "de", "fr", "es", "cs", "zh", "ja", "ar", "pl", "ru", "pt-BR")


def _checked_pair(data: bytes) -> object:
    """The first byte chooses the languages; the rest is two texts."""
    languages = data[:1] or b"\0"
    source, _, target = data[1:].decode("utf-8", "replace").partition("\n")
    first, second = (_LANGUAGES[n % len(_LANGUAGES)] for n in divmod(languages[0], len(_LANGUAGES)))
    glossary = _glossary()
    pair = Pair(source, target, first, second, max_length=40)
    settings = Settings(glossary=glossary, max_characters=100, max_ratio=2.0)
    for checked, findings in check_pairs([pair], settings):
        for finding in findings:
            text = checked.source if finding.side == "source" else checked.target
            assert 0 <= finding.start <= finding.end <= len(text), finding
    return None


@cache
def _glossary() -> Any:
    path = written(
        "terms.tsv",
        b"source\ttarget\nfile\tDatei\nSave\tSpeichern\nopen\tau\xc3\x9fen\tforbidden\n",
    )
    return read_glossary(str(path), source_language="en", target_language="de")


def _check_seeds() -> list[bytes]:
    texts = [f"{a}\n{b}" for a, b in zip(TEXTS, (*TEXTS[1:], TEXTS[0]), strict=True)]
    return [bytes([number * 7 % 144]) + text.encode() for number, text in enumerate(texts)]


def _joined_units(reference: str, system: str) -> object:
    return read([reference], {"a": system}, missing_targets="empty")


def targets() -> list[Target]:
    """Those of this room."""

    def unit(name: str, run: Any, seeds: Any, words: Any = (), **options: Any) -> Target:
        return Target(name=f"units.{name}", run=run, seeds=seeds, words=words, **options)

    return [
        unit("xliff", reading(read_xliff, "a.xlf"), _xliff_seeds, _XLIFF_WORDS),
        unit("tmx", reading(read_tmx, "a.tmx"), _tmx_seeds, _TMX_WORDS),
        unit(
            "po",
            reading(read_po, "a.po"),
            _po_seeds,
            *[
                (
                    *'msgid msgstr msgctxt msgid_plural msgstr[0] #~ #| #, fuzzy \\n \\x \\0 "'.split(),
                    "charset=",
                )
            ],
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
            (*_XML_WORDS, "<c r=", "<v>", "<f>", "<mergeCell"),
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
            lambda: [*_xliff_seeds()[:8], *_po_seeds()[:8]],
            (*_XLIFF_WORDS, "msgid", "#."),
        ),
        unit(
            "glossary",
            reading(
                lambda path: read_glossary(path, source_language="en", target_language="de"),
                "a.tbx",
            ),
            lambda: [
                *_examples("terms.tsv"),
                b'<?xml version="1.0"?><tbx><text><body><conceptEntry id="1"><langSec xml:lang="en"><termSec>'
                b'<term>file</term></termSec></langSec><langSec xml:lang="de"><termSec><term>Datei</term>'
                b'<termNote type="administrativeStatus">deprecatedTerm-admn-sts</termNote>'
                b"</termSec></langSec>"
                b"</conceptEntry></body></text></tbx>",
            ],
            _TBX_WORDS,
        ),
        unit(
            "glossary-languages",
            reading(lambda path: read_glossary(path, target_language="de"), "a.tbx"),
            lambda: [b"en\tde\nfile\tDatei\n", *_examples("terms.tsv")],
            _TBX_WORDS,
        ),
        unit(
            "joined",
            reading_several(_joined_units, "a.xlf", "b.xlf"),
            lambda: [joined(*_examples("reference.xlf mt.xlf"))],
            (*_XLIFF_WORDS, "\n=====\n"),
        ),
        unit("checked", reading(_checked_file, "a.xlf"), _xliff_seeds, _XLIFF_WORDS),
        unit(
            "checked-lines",
            reading_several(_checked_lines, "source.txt", "target.txt"),
            lambda: [joined("\n".join(TEXTS), "\n".join(TEXTS))],
            ("\n=====\n", *TEXT_WORDS),
        ),
        unit(
            "checks",
            _checked_pair,
            _check_seeds,
            ("\n", *TEXT_WORDS),
            seconds=1.0,
            seconds_per_kilobyte=0.5,
        ),
    ]
