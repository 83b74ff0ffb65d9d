"""What several rooms take for seeds: tables of the tests, and texts that have been trouble before."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

from fuzz.files import TESTS

#: Texts of the kinds that break programs: nothing, blanks, marks alone, many scripts, what is half a
#: character, what grows when its case is folded.
TEXTS = (
    "",
    " ",
    "The cat sat on the mat .",
    "It's 3.5 % of $1,000.00 (or so) -- isn't it?",
    "Die Kinder gingen am 3. Mai z.B. zum „Krankenhaus“.",
    "Aujourd’hui, l'homme qu'il a vu n’est-il pas là ? C'est-à-dire…",
    "¿Dónde está el señor de la casa? ¡Dámelo!",
    "Kdyby přišel, řekl bych mu to – je-li to pravda.",
    "今天天气很好,我们去公园吧。",
    "漢字かな交じり文 한국어 שלום עולם مرحبا",
    "😀👩‍👩‍👧 http://example.org/a?b=c&d=%20 me@example.org #tag @user",
    "ﬁ ǅ İ ß ẞ a\u0301\u0302 \u200b\u200d\ufeff \U0010ffff \x00\x01\x7f",
    "-" * 40 + "." * 40 + "a-" * 40,
    "1.2.3,4 5 000 ½ ² ٣ ४ Ⅻ 1e309 0x1F −7",
    "%s %1$d {0} {name, plural, one {# file} other {# files}} ${x} <b>bold</b> &amp; \\n",
)
#: Characters and pieces that mutations of texts put in.
TEXT_WORDS = (
    *". , ; : ! ? ' ’ \" „ “ ” - – — … / \\ | ( ) [ ] { } < > & % $ # @ * + = _ ~ ^ `".split(),
    "\u0301", "\u200b", "\u200d", "\ufeff", "\u2028", "\u00a0", "\u00ad", "\x00", "\x85",
    "İ", "ß", "ﬁ", "ǅ", "Σ", "ς", "😀", "中", "한", "ש", "ا", "ก", "\U0010ffff", "n't", "l'", "-il",
    "http://", "www.", "1,000", "0.5", "&amp;", "<b>", "{0}", "%s", "@-@", "U.S.", "e.g.",
)  # fmt: skip

JSON_WORDS = (
    "{", "}", "[", "]", ":", ",", '"', "null", "true", "false", "NaN", "-Infinity", "1e400", "1e308", "-1",
    "0.5", "\\ud800", "\\u0000", "[[[[[[[[", '{"":', "9" * 25,
)  # fmt: skip
XML_WORDS = (
    "<", ">", "</", "/>", "<!--", "-->", "<?xml", "?>", "<![CDATA[", "]]>", "<!DOCTYPE", "<!ENTITY", "&amp;",
    "&lt;", "&#0;", "&#xD800;", "&x;", 'id="1"', 'encoding="', "UTF-16", "ISO-8859-1", "utf-7", "xml:lang=",
    'xml:space="preserve"', "xmlns:x=", "xmlns=",
)  # fmt: skip


def from_tests(module: str) -> ModuleType:
    """A module of the tests, which have files that are refused, and why."""
    if str(TESTS) not in sys.path:
        sys.path.append(str(TESTS))
    return import_module(module)


def texts() -> list[bytes]:
    """The texts as inputs."""
    return [text.encode() for text in TEXTS]
