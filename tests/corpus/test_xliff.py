"""XLIFF of both generations: units with their tags, segments, matches and whatever else is said of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.malformed_units import UNIT, xliff1, xliff2
from metaphrase.corpus.formats import format_of
from metaphrase.corpus.formats.units.xliff import read_xliff
from metaphrase.corpus.units import InlineTag, TaggedText, Unit, UnitFile


def read(tmp_path: Path, content: bytes) -> UnitFile:
    path = tmp_path / "file.xlf"
    path.write_bytes(content)
    found = format_of(path)
    assert found is not None
    assert found.name == "xliff"
    return read_xliff(path)


def only(tmp_path: Path, content: bytes) -> Unit:
    (unit,) = read(tmp_path, content).units
    return unit


def source1(content: str) -> bytes:
    return xliff1(f'<trans-unit id="1"><source>{content}</source></trans-unit>')


def source2(content: str) -> bytes:
    return xliff2(f'<unit id="1"><segment><source>{content}</source></segment></unit>')


def test_a_file_has_languages_and_units(tmp_path: Path) -> None:
    file = read(tmp_path, xliff1(UNIT))
    assert (file.format, file.source_language, file.target_language) == ("xliff-1", "en", "de")
    (unit,) = file.units
    assert (unit.id, unit.group, unit.line) == ("1", "a", 4)
    assert (unit.source.text, unit.target) == ("Save", TaggedText("Speichern"))


def test_a_target_that_is_not_there_or_empty_is_none(tmp_path: Path) -> None:
    without = '<trans-unit id="1"><source>a</source></trans-unit>'
    empty = '<trans-unit id="2"><source>a</source><target/></trans-unit>'
    assert [unit.target for unit in read(tmp_path, xliff1(without + empty)).units] == [None, None]


def test_entities_cdata_and_comments_are_text_or_nothing(tmp_path: Path) -> None:
    text = "&lt;b&gt; &#233;<!-- no --><![CDATA[<i> & ]]><?pi no?>!"
    assert only(tmp_path, source1(text)).source == TaggedText("<b> é<i> & !")


@pytest.mark.parametrize(
    ("markup", "text", "tags"),
    [
        ('a<x id="1"/>b', "ab", [("standalone", "1", '<x id="1"/>', 1)]),
        (
            'a<g id="1">b</g>c',
            "abc",
            [("open", "1", '<g id="1">', 1), ("close", "1", "</g>", 2)],
        ),
        ('<g id="1"/>a', "a", [("standalone", "1", '<g id="1"/>', 0)]),
        (
            '<bpt id="1">&lt;b></bpt>a<ept id="1">&lt;/b></ept>',
            "a",
            [
                ("open", "1", '<bpt id="1">&lt;b></bpt>', 0),
                ("close", "1", '<ept id="1">&lt;/b></ept>', 1),
            ],
        ),
        (
            '<bx id="1" rid="7"/>a<ex id="2" rid="7"/>',
            "a",
            [
                ("open", "7", '<bx id="1" rid="7"/>', 0),
                ("close", "7", '<ex id="2" rid="7"/>', 1),
            ],
        ),
        ('<it id="1" pos="open">x</it>a', "a", [("open", "1", '<it id="1" pos="open">x</it>', 0)]),
        (
            '<ph id="1">x<sub>no</sub></ph>a',
            "a",
            [("standalone", "1", '<ph id="1">x<sub>no</sub></ph>', 0)],
        ),
        ('<mrk mtype="term">a</mrk>b', "ab", []),
    ],
)
def test_tags_of_version_1(
    markup: str, text: str, tags: list[tuple[str, str, str, int]], tmp_path: Path
) -> None:
    source = only(tmp_path, source1(markup)).source
    assert source == TaggedText(text, tuple(InlineTag(*tag) for tag in tags))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("markup", "text", "tags"),
    [
        ('a<ph id="1"/>b', "ab", [("standalone", "1", 1)]),
        ('<pc id="1">a</pc>', "a", [("open", "1", 0), ("close", "1", 1)]),
        ('<sc id="1"/>a<ec startRef="1"/>', "a", [("open", "1", 0), ("close", "1", 1)]),
        ('a<cp hex="001A"/>', "a", [("standalone", "001A", 1)]),
        ('<sm id="1"/>a<em startRef="1"/><mrk id="2">b</mrk>', "ab", []),
    ],
)
def test_tags_of_version_2(
    markup: str, text: str, tags: list[tuple[str, str, int]], tmp_path: Path
) -> None:
    source = only(tmp_path, source2(markup)).source
    assert (source.text, [(t.kind, t.id, t.position) for t in source.tags]) == (text, tags)
    if tags:
        assert source.with_tags() == markup


def test_segments_of_a_unit_are_units_if_both_languages_have_them(tmp_path: Path) -> None:
    def unit(name: str, target: str) -> str:
        return (
            f'<trans-unit id="{name}"><source>A. B.</source><seg-source>'
            '<mrk mtype="seg" mid="0">A.</mrk> <mrk mtype="seg" mid="1"><g id="1">B</g>.</mrk>'
            f"</seg-source>{target}</trans-unit>"
        )

    both = '<target><mrk mtype="seg" mid="1">b.</mrk> <mrk mtype="seg" mid="0">a.</mrk></target>'
    other = '<target><mrk mtype="seg" mid="0">a. b.</mrk></target>'
    units = read(tmp_path, xliff1(unit("1", both) + unit("2", other) + unit("3", ""))).units
    assert [(one.id, one.source.text, one.target and one.target.text) for one in units] == [
        ("1/0", "A.", "a."),
        ("1/1", "B.", "b."),
        ("2", "A. B.", "a. b."),
        ("3/0", "A.", None),
        ("3/1", "B.", None),
    ]
    assert units[1].source.with_tags() == '<g id="1">B</g>.'


def test_segments_of_version_2_are_called_after_their_unit(tmp_path: Path) -> None:
    segments = (
        '<segment id="s1"><source>A.</source></segment><ignorable><source> </source></ignorable>'
    )
    body = f'<unit id="u">{segments}<segment><source>B.</source></segment></unit>'
    assert [unit.id for unit in read(tmp_path, xliff2(body)).units] == ["u/s1", "u/2"]


def test_matches_states_notes_and_lengths_are_read(tmp_path: Path) -> None:
    unit = only(
        tmp_path,
        xliff1(
            '<group translate="no"><trans-unit id="1" resname="menu" maxwidth="9" size-unit="char">'
            '<source>a</source><target state="needs-review-translation">b</target><note>n</note>'
            '<context-group><context context-type="sourcefile">x.c</context></context-group>'
            '<alt-trans match-quality="0.95" origin="MT"><source>c</source><target xml:lang="de">d</target>'
            "</alt-trans></trans-unit></group>"
        ),
    )
    assert (unit.state, unit.notes, unit.translate) == ("needs-review-translation", ("n",), False)
    assert (unit.context, unit.max_length) == ("menu; sourcefile: x.c", 9)
    (match,) = unit.alternatives
    assert (match.target.text, match.source and match.source.text) == ("d", "c")
    assert (match.origin, match.quality, match.language) == ("MT", 95, "de")


def test_pixels_are_no_characters(tmp_path: Path) -> None:
    unit = only(tmp_path, xliff1(UNIT.replace("<trans-unit", '<trans-unit maxwidth="9"')))
    assert unit.max_length is None


def test_the_modules_of_version_2_are_read(tmp_path: Path) -> None:
    unit = only(
        tmp_path,
        xliff2(
            '<unit id="u" name="menu" xmlns:m="urn:oasis:names:tc:xliff:matches:2.0" '
            'xmlns:s="urn:oasis:names:tc:xliff:sizerestriction:2.0" s:sizeRestriction="1,20">'
            '<m:matches><m:match ref="#s" matchQuality="80" origin="TM"><source>a</source>'
            "<target>c</target></m:match></m:matches><notes><note>n</note></notes>"
            '<segment id="s" state="reviewed"><source>a</source><target>b</target></segment></unit>'
        ),
    )
    assert (unit.id, unit.context, unit.max_length, unit.state) == ("u", "menu", 20, "reviewed")
    assert [(one.target.text, one.origin, one.quality) for one in unit.alternatives] == [
        ("c", "TM", 80)
    ]


def test_several_files_have_their_names_in_the_ids(tmp_path: Path) -> None:
    body = f'{UNIT}</body></file><file source-language="en" original="b"><body>{UNIT}'
    assert [unit.id for unit in read(tmp_path, xliff1(body)).units] == ["a#1", "b#1"]


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1", "windows-1252", "utf-8-sig"])
def test_declared_encodings_are_read(encoding: str, tmp_path: Path) -> None:
    text = source1("Grüße <x id='é'/>").decode()
    declared = text.replace("UTF-8", encoding.removesuffix("-sig"))
    unit = only(tmp_path, declared.encode(encoding))
    assert unit.source == TaggedText("Grüße ", (InlineTag("standalone", "é", "<x id='é'/>", 6),))


def test_a_document_type_without_entities_is_passed_over(tmp_path: Path) -> None:
    doctype = '<!DOCTYPE xliff PUBLIC "-//XLIFF//DTD XLIFF//EN" "http://example.org/xliff.dtd">\n'
    assert only(tmp_path, xliff1(UNIT, declaration=doctype)).source.text == "Save"
