"""Markup that must be refused: a name, the bytes, the code, and the line that the message names."""

from __future__ import annotations

from typing import NamedTuple

#: A segment that is right.
SEG = '<seg id="1">a</seg>'


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


def sgm(name: str, content: bytes, code: str, line: int | None) -> Malformed:
    return Malformed(name, "sgm", content, code, line)


def xml(name: str, content: bytes, code: str, line: int | None) -> Malformed:
    return Malformed(name, "xml", content, code, line)


BOMB = b"""<?xml version="1.0"?>
<!DOCTYPE lolz [
 <!ENTITY lol "lol">
 <!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">
 <!ENTITY lol3 "&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;">
]>
<dataset id="s"><doc id="d"><src><p><seg id="1">&lol3;</seg></p></src></doc></dataset>
"""

MALFORMED = [
    sgm("empty file", b"", "MP113", None),
    sgm("no set", b"hello\n", "MP197", 1),
    sgm("not UTF-8", _doc("x").replace(b"x", b'<seg id="1">\xff</seg>'), "MP121", 4),
    sgm("UTF-16", _doc("x").decode().encode("utf-16"), "MP120", None),
    sgm("NUL byte", _doc('<seg id="1">a\0b</seg>'), "MP122", 4),
    sgm("carriage returns only", _doc("x").replace(b"\n", b"\r"), "MP123", None),
    Malformed("truncated gzip", "sgm.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00", "MP114", None),
    sgm("cut off in a segment", _doc('<seg id="1">hel')[:90], "MP197", 4),
    sgm("cut off in a tag", _doc('<seg id="1">a</se').partition(b"\n</p>")[0], "MP196", 4),
    sgm("cut off after a segment", _doc(SEG).partition(b"</p>")[0], "MP197", None),
    sgm("no document", _sgml(""), "MP113", None),
    sgm("document without segments", _doc(""), "MP193", 2),
    sgm("document without docid", _sgml('<doc sysid="r"></doc>'), "MP197", 2),
    sgm("document without sysid", _sgml(f'<doc docid="d">{SEG}</doc>'), "MP197", 2),
    sgm("segment without id", _doc("<seg>a</seg>"), "MP197", 4),
    sgm("duplicate segment", _doc(f'{SEG}\n<seg id="1">b</seg>'), "MP197", 5),
    sgm("duplicate document", _sgml(f'<doc sysid="r" docid="d">{SEG}</doc>\n' * 2), "MP193", 3),
    sgm("second set", _doc(SEG) * 2, "MP197", 8),
    sgm("segment in a segment", _doc('<seg id="1"><seg id="2">a'), "MP197", 4),
    sgm("unknown tag", _doc('<segment id="1">a</segment>'), "MP197", 4),
    sgm("unknown tag in text", _doc('<seg id="1">a <b>c</b></seg>'), "MP197", 4),
    sgm("less-than in text", _doc('<seg id="1">a < b</seg>'), "MP196", 4),
    sgm("text outside of segments", _doc(f"a{SEG}"), "MP197", 4),
    sgm("end without beginning", _doc("</seg>"), "MP197", 4),
    sgm("crossed tags", _doc('<seg id="1">a</p></seg>'), "MP197", 4),
    sgm("no attribute", _doc('<seg id="1>a</seg>'), "MP197", 4),
    sgm("attribute twice", _doc('<seg id="1" id="2">a</seg>'), "MP197", 4),
    sgm("unknown entity", _doc('<seg id="1">&nbsp;</seg>'), "MP195", 4),
    sgm("character that is none", _doc('<seg id="1">&#xD800;</seg>'), "MP195", 4),
    sgm("NUL as a number", _doc('<seg id="1">&#0;</seg>'), "MP195", 4),
    sgm("declared entities", b'<!DOCTYPE mteval [<!ENTITY a "b">\n]>\n' + _doc(SEG), "MP196", 1),
    sgm("comment in a segment", _doc('<seg id="1">a<!-- b --></seg>'), "MP197", 4),
    # These would take hours if the time grew faster than their sizes.
    sgm(
        "many spaces in an attribute",
        _sgml(f'<doc sysid="r" docid="a{" " * 1_000_000}b">'),
        "MP197",
        3,
    ),
    sgm("many spaces in a tag", _sgml(f"<doc{' ' * 1_000_000}x>"), "MP197", 2),
    sgm("many comments", b"<!--a-->" * 100_000 + b"<b>", "MP197", 1),
    xml("many comments", b"<!--a-->" * 100_000 + b"<b/>", "MP197", 1),
    xml("many declarations", b"<?xml ?> " * 100_000, "MP197", 1),
    xml("not XML", _xml("<doc"), "MP197", 4),
    xml("entity bomb", BOMB, "MP197", 2),
    xml(
        "external entity",
        b'<!DOCTYPE d SYSTEM "file:///etc/passwd">\n' + _xml_doc("").split(b"\n", 1)[1],
        "MP197",
        1,
    ),
    xml("unknown entity", _xml_doc('<seg id="1">&nbsp;</seg>'), "MP197", 6),
    xml("bare ampersand", _xml_doc('<seg id="1">R & D</seg>'), "MP197", 6),
    xml("control character", _xml_doc('<seg id="1">\x01</seg>'), "MP197", 6),
    xml("another encoding", _xml("").replace(b"utf-8", b"iso-8859-1"), "MP120", 1),
    xml("no document", _xml(""), "MP113", None),
    xml("document without id", _xml("<doc></doc>"), "MP197", 3),
    xml("hypothesis without system", _xml('<doc id="d"><hyp/></doc>'), "MP197", 3),
    xml("version without segments", _xml_doc(""), "MP193", 4),
    xml("segment without id", _xml_doc("<seg>a</seg>"), "MP197", 6),
    xml("duplicate segment", _xml_doc(f'{SEG}\n<seg id="1">b</seg>'), "MP197", 7),
    xml(
        "duplicate reference",
        _xml('<doc id="d">' + f'\n<ref translator="A"><p>{SEG}</p></ref>' * 2 + "</doc>"),
        "MP193",
        5,
    ),
    xml("unknown tag", _xml("<document/>"), "MP197", 3),
    xml("tag in text", _xml_doc('<seg id="1">a<b/></seg>'), "MP197", 6),
    xml("text outside of segments", _xml_doc("a"), "MP197", None),
    xml("cut off", _xml_doc(SEG)[:120], "MP197", None),
    xml("deep nesting", b"<dataset>" + b"<doc id='d'>" * 100_000, "MP197", 1),
]
