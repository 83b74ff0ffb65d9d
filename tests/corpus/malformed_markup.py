"""Markup that must be refused: a name, the bytes, the code, and the line that the message names."""

from __future__ import annotations

from typing import NamedTuple


class Malformed(NamedTuple):
    name: str
    ending: str
    content: bytes
    code: str
    line: int | None


def _sgml(body: str) -> bytes:
    return f'<refset setid="s" srclang="de" trglang="en">\n{body}\n</refset>\n'.encode()


def _doc(body: str) -> bytes:
    return _sgml(f'<doc sysid="ref" docid="d">\n<p>\n{body}\n</p>\n</doc>')


def _xml(body: str) -> bytes:
    return (
        f"<?xml version='1.0' encoding='utf-8'?>\n<dataset id=\"s\">\n{body}\n</dataset>\n".encode()
    )


def _xml_doc(body: str) -> bytes:
    return _xml(f'<doc id="d">\n<ref lang="en" translator="A">\n<p>\n{body}\n</p>\n</ref>\n</doc>')


BOMB = b"""<?xml version="1.0"?>
<!DOCTYPE lolz [
 <!ENTITY lol "lol">
 <!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">
 <!ENTITY lol3 "&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;">
]>
<dataset id="s"><doc id="d"><src><p><seg id="1">&lol3;</seg></p></src></doc></dataset>
"""

MALFORMED = [
    Malformed("empty file", "sgm", b"", "MP113", None),
    Malformed("no set", "sgm", b"hello\n", "MP197", 1),
    Malformed("not UTF-8", "sgm", _doc("x").replace(b"x", b'<seg id="1">\xff</seg>'), "MP121", 4),
    Malformed("UTF-16", "sgm", _doc("x").decode().encode("utf-16"), "MP120", None),
    Malformed("NUL byte", "sgm", _doc('<seg id="1">a\0b</seg>'), "MP122", 4),
    Malformed("carriage returns only", "sgm", _doc("x").replace(b"\n", b"\r"), "MP123", None),
    Malformed("truncated gzip", "sgm.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00", "MP114", None),
    Malformed("cut off in a segment", "sgm", _doc('<seg id="1">hel')[:90], "MP197", 4),
    Malformed(
        "cut off in a tag", "sgm", _doc('<seg id="1">a</se').partition(b"\n</p>")[0], "MP196", 4
    ),
    Malformed(
        "cut off after a segment",
        "sgm",
        _doc('<seg id="1">a</seg>').partition(b"</p>")[0],
        "MP197",
        None,
    ),
    Malformed("no document", "sgm", _sgml(""), "MP113", None),
    Malformed("document without segments", "sgm", _doc(""), "MP193", 2),
    Malformed("document without docid", "sgm", _sgml('<doc sysid="r"></doc>'), "MP197", 2),
    Malformed(
        "document without sysid",
        "sgm",
        _sgml('<doc docid="d"><seg id="1">a</seg></doc>'),
        "MP197",
        2,
    ),
    Malformed("segment without id", "sgm", _doc("<seg>a</seg>"), "MP197", 4),
    Malformed(
        "duplicate segment", "sgm", _doc('<seg id="1">a</seg>\n<seg id="1">b</seg>'), "MP197", 5
    ),
    Malformed(
        "duplicate document",
        "sgm",
        _sgml('<doc sysid="r" docid="d"><seg id="1">a</seg></doc>\n' * 2),
        "MP193",
        3,
    ),
    Malformed("second set", "sgm", _doc('<seg id="1">a</seg>') * 2, "MP197", 8),
    Malformed("segment in a segment", "sgm", _doc('<seg id="1"><seg id="2">a'), "MP197", 4),
    Malformed("unknown tag", "sgm", _doc('<segment id="1">a</segment>'), "MP197", 4),
    Malformed("unknown tag in text", "sgm", _doc('<seg id="1">a <b>c</b></seg>'), "MP197", 4),
    Malformed("less-than in text", "sgm", _doc('<seg id="1">a < b</seg>'), "MP196", 4),
    Malformed("text outside of segments", "sgm", _doc('a<seg id="1">a</seg>'), "MP197", 4),
    Malformed("end without beginning", "sgm", _doc("</seg>"), "MP197", 4),
    Malformed("crossed tags", "sgm", _doc('<seg id="1">a</p></seg>'), "MP197", 4),
    Malformed("no attribute", "sgm", _doc('<seg id="1>a</seg>'), "MP197", 4),
    Malformed("attribute twice", "sgm", _doc('<seg id="1" id="2">a</seg>'), "MP197", 4),
    Malformed("unknown entity", "sgm", _doc('<seg id="1">&nbsp;</seg>'), "MP195", 4),
    Malformed("character that is none", "sgm", _doc('<seg id="1">&#xD800;</seg>'), "MP195", 4),
    Malformed("NUL as a number", "sgm", _doc('<seg id="1">&#0;</seg>'), "MP195", 4),
    Malformed(
        "declared entities",
        "sgm",
        b'<!DOCTYPE mteval [<!ENTITY a "b">\n]>\n' + _doc('<seg id="1">a</seg>'),
        "MP196",
        1,
    ),
    Malformed("comment in a segment", "sgm", _doc('<seg id="1">a<!-- b --></seg>'), "MP197", 4),
    # These would take hours if the time grew faster than their sizes.
    Malformed(
        "many spaces in an attribute",
        "sgm",
        _sgml(f'<doc sysid="r" docid="a{" " * 1_000_000}b">'),
        "MP197",
        3,
    ),
    Malformed("many spaces in a tag", "sgm", _sgml(f"<doc{' ' * 1_000_000}x>"), "MP197", 2),
    Malformed("many comments", "sgm", b"<!--a-->" * 100_000 + b"<b>", "MP197", 1),
    Malformed("many comments", "xml", b"<!--a-->" * 100_000 + b"<b/>", "MP197", 1),
    Malformed("many declarations", "xml", b"<?xml ?> " * 100_000, "MP197", 1),
    Malformed("not XML", "xml", _xml("<doc"), "MP197", 4),
    Malformed("entity bomb", "xml", BOMB, "MP197", 2),
    Malformed(
        "external entity",
        "xml",
        b'<!DOCTYPE d SYSTEM "file:///etc/passwd">\n' + _xml_doc("").split(b"\n", 1)[1],
        "MP197",
        1,
    ),
    Malformed("unknown entity", "xml", _xml_doc('<seg id="1">&nbsp;</seg>'), "MP197", 6),
    Malformed("bare ampersand", "xml", _xml_doc('<seg id="1">R & D</seg>'), "MP197", 6),
    Malformed("control character", "xml", _xml_doc('<seg id="1">\x01</seg>'), "MP197", 6),
    Malformed("another encoding", "xml", _xml("").replace(b"utf-8", b"iso-8859-1"), "MP120", 1),
    Malformed("no document", "xml", _xml(""), "MP113", None),
    Malformed("document without id", "xml", _xml("<doc></doc>"), "MP197", 3),
    Malformed("hypothesis without system", "xml", _xml('<doc id="d"><hyp/></doc>'), "MP197", 3),
    Malformed("version without segments", "xml", _xml_doc(""), "MP193", 4),
    Malformed("segment without id", "xml", _xml_doc("<seg>a</seg>"), "MP197", 6),
    Malformed(
        "duplicate segment", "xml", _xml_doc('<seg id="1">a</seg>\n<seg id="1">b</seg>'), "MP197", 7
    ),
    Malformed(
        "duplicate reference",
        "xml",
        _xml(
            '<doc id="d">' + '\n<ref translator="A"><p><seg id="1">a</seg></p></ref>' * 2 + "</doc>"
        ),
        "MP193",
        5,
    ),
    Malformed("unknown tag", "xml", _xml("<document/>"), "MP197", 3),
    Malformed("tag in text", "xml", _xml_doc('<seg id="1">a<b/></seg>'), "MP197", 6),
    Malformed("text outside of segments", "xml", _xml_doc("a"), "MP197", None),
    Malformed("cut off", "xml", _xml_doc('<seg id="1">a</seg>')[:120], "MP197", None),
    Malformed("deep nesting", "xml", b"<dataset>" + b"<doc id='d'>" * 100_000, "MP197", 1),
]
