"""Findings are put beside their units, and nothing else changes, byte for byte."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import polib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.conftest import Refused
from corpus.malformed_units import SEGMENT, UNIT, po, xliff1, xliff2
from metaphrase.cli import main
from metaphrase.corpus.formats.units.annotating import Finding, annotate, annotated
from metaphrase.corpus.formats.units.score_findings import read_findings
from metaphrase.corpus.opening import read_units

WRONG = Finding("1", "number", "error", 'is "2" & <not> 3', issue="numbers")
SCORE = Finding("1", "chrf", score=59.687)
ITS = "{http://www.w3.org/2005/11/its}"
MESSAGE = '# for you\n#: a.c:1\nmsgid "1"\nmsgstr "b"\n'


def is_subsequence(short: bytes, long: bytes) -> bool:
    """Whether the bytes of one are in the other, in order: whatever was added, nothing was lost."""
    rest = iter(long)
    return all(byte in rest for byte in short)


def test_notes_follow_the_target_of_version_1() -> None:
    data = xliff1(UNIT)
    written = annotated(data, [WRONG, SCORE], "a.xlf", "xliff")
    notes = (
        b'<note from="metaphrase" priority="2" annotates="target">'
        b"number: is &quot;2&quot; &amp; &lt;not&gt; 3</note>"
        b'<note from="metaphrase" priority="9" annotates="target">chrf 59.69</note>'
    )
    assert written == data.replace(b"</target>", b"</target>" + notes)


def test_notes_are_indented_as_the_target_is() -> None:
    unit = UNIT.replace("<source>", "\r\n  <source>").replace("<target>", "\r\n  <target>")
    written = annotated(xliff1(unit), [SCORE], "a.xlf", "xliff")
    assert b"</target>\r\n  <note " in written


def test_version_2_has_quality_issues_of_its() -> None:
    data = xliff2(SEGMENT)
    written = annotated(data, [WRONG, SCORE], "a.xlf", "xliff")
    unit = ET.fromstring(written)[0][0]
    issues = unit[0]
    assert issues.tag == f"{ITS}locQualityIssues"
    assert [dict(issue.attrib) for issue in issues] == [
        {
            "locQualityIssueType": "numbers",
            "locQualityIssueComment": 'number: is "2" & <not> 3',
            "locQualityIssueSeverity": "75",
        },
        {
            "locQualityIssueType": "uncategorized",
            "locQualityIssueComment": "chrf 59.69",
            "locQualityIssueSeverity": "0",
        },
    ]
    mark = unit[1][1][0]
    assert mark.tag.endswith("}mrk")
    assert mark.text == "Speichern"
    assert mark.attrib[f"{ITS}locQualityIssuesRef"] == "#its=metaphrase-1"
    assert is_subsequence(data, written)


def test_a_second_run_numbers_on_and_reads_the_same_text(tmp_path: Path) -> None:
    once = annotated(xliff2(SEGMENT), [SCORE], "a.xlf", "xliff")
    twice = annotated(once, [WRONG], "a.xlf", "xliff")
    assert b'xml:id="metaphrase-2"' in twice
    path = tmp_path / "twice.xlf"
    path.write_bytes(twice)
    (unit,) = read_units(str(path)).units
    assert (unit.source.text, str(unit.target), unit.target and unit.target.tags) == (
        "Save", "Speichern", (),
    )  # fmt: skip


def test_an_empty_target_has_nothing_put_about_it() -> None:
    data = xliff2(SEGMENT.replace("<target>Speichern</target>", "<target/>"))
    written = annotated(data, [SCORE], "a.xlf", "xliff")
    assert b"<mrk" not in written
    assert b"locQualityIssues" in written


def test_a_catalogue_gets_comments_after_those_of_translators() -> None:
    written = annotated(po(MESSAGE), [SCORE, WRONG], "a.po", "po").decode()
    assert (
        written
        == po(
            "# for you\n#. metaphrase: chrf 59.69\n"
            '#. metaphrase: number: is "2" & <not> 3\n#: a.c:1\nmsgid "1"\nmsgstr "b"\n'
        ).decode()
    )
    assert polib.pofile(written)[0].comment.startswith("metaphrase: chrf 59.69\n")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "iso-8859-1"])
def test_what_is_added_is_in_the_encoding_of_the_file(encoding: str) -> None:
    declared = "utf-16" if "16" in encoding else encoding
    text = xliff1(UNIT.replace("Save", "Größe")).decode().replace("UTF-8", declared)
    data = text.encode(encoding)
    written = annotated(data, [Finding("1", "term", comment="é → 日")], "a.xlf", "xliff")
    assert is_subsequence(data, written)
    note = next(element for element in ET.fromstring(written).iter() if "note" in element.tag)
    assert note.text == "term: é → 日"


def test_a_unit_that_is_not_there_is_refused_and_nothing_is_written(
    tmp_path: Path, refused: Refused
) -> None:
    path, output = tmp_path / "a.xlf", tmp_path / "b.xlf"
    path.write_bytes(xliff1(UNIT))
    with refused("MP881", "'2', nor 1 others", path=path):
        annotate(path, [SCORE, Finding("2", "a"), Finding("3", "a")], output)
    assert not output.exists()


def test_tables_have_no_place_for_remarks(tmp_path: Path, refused: Refused) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,source,target\n1,a,b\n")
    with refused("MP880", path=path):
        annotate(path, [SCORE], tmp_path / "b.csv")


def test_scores_of_the_command_line_are_written_into_the_file(tmp_path: Path) -> None:
    reference, system = tmp_path / "ref.xlf", tmp_path / "mt.xlf"
    reference.write_bytes(xliff1(UNIT))
    system.write_bytes(xliff1(UNIT.replace("Speichern", "Sichern")))
    scores, output = tmp_path / "scores.json", tmp_path / "out.xlf"
    score = ["score", str(reference), "-i", str(system), "-m", "chrf", "-l", "de"]
    assert main([*score, "--level", "segment", "--format", "json", "-o", str(scores)]) == 0
    assert main(["convert", str(system), "--annotate", str(scores), "-o", str(output)]) == 0
    assert b">chrf 55.55</note>" in output.read_bytes()


UNUSABLE = {
    "no JSON": ("{", "not JSON"),
    "a list": ("[]", "no object"),
    "neither": ("{}", "neither scores nor findings"),
    "no unit": ('{"findings": [{"code": "a"}]}', "'unit'"),
    "two systems": ('{"systems": [{"name": "A"}, {"name": "B"}]}', "--system"),
    "no segments": ('{"systems": [{"name": "A", "segments": []}]}', "--level segment"),
    "no ids": ('{"systems": [{"name": "A", "segments": [{"segment": 1}]}]}', "localisation files"),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_scores_that_cannot_be_written_are_refused(
    name: str, tmp_path: Path, refused: Refused
) -> None:
    path = tmp_path / "scores.json"
    content, said = UNUSABLE[name]
    path.write_text(content)
    with refused("MP882", said, path=path):
        read_findings(path)


def test_findings_of_checks_are_read(tmp_path: Path) -> None:
    path = tmp_path / "findings.json"
    said = {
        "unit": "1",
        "code": "tag",
        "severity": "critical",
        "message": "lost",
        "issue": "markup",
    }
    path.write_text(json.dumps({"findings": [said]}))
    assert read_findings(path) == [Finding("1", "tag", "critical", "lost", issue="markup")]


texts = st.text(
    st.characters(blacklist_categories=["Cs", "Cc"], blacklist_characters="\ufffe\uffff")
)
findings = st.lists(
    st.builds(
        Finding,
        unit=st.sampled_from(["1", "2"]),
        code=texts.filter(str.strip),
        severity=st.sampled_from(["critical", "warning", "info", "odd"]),
        comment=texts,
        score=st.none() | st.floats(0, 100),
    ),
    max_size=5,
)
spaces = st.sampled_from(["", "\n", "\r\n\t", "  <!-- a -->\n "])


def _two_units(generation: int, text: str, space: str) -> bytes:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace("]]>", "]]&gt;")
    if generation == 1:
        body = UNIT.replace("Save", escaped).replace("<target>", f"{space}<target>")
        return xliff1(body + space + body.replace('id="1"', 'id="2"'))
    body = SEGMENT.replace("Save", escaped).replace("<segment>", f"{space}<segment>")
    return xliff2(body + space + body.replace('id="1"', 'id="2"'))


@settings(max_examples=80, deadline=None)
@given(st.sampled_from([1, 2]), texts, spaces, findings)
def test_annotation_only_adds_to_xliff(
    generation: int, text: str, space: str, given_findings: list[Finding]
) -> None:
    data = _two_units(generation, text, space)
    written = annotated(data, given_findings, "a.xlf", "xliff")
    assert is_subsequence(data, written)
    assert (written == data) == (not given_findings)
    ET.fromstring(written)


@settings(max_examples=80, deadline=None)
@given(texts, st.sampled_from(["\n", "\r\n"]), findings)
def test_annotation_only_adds_to_catalogues(
    text: str, end: str, given_findings: list[Finding]
) -> None:
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    message = f'#. {"".join(text.split())}\nmsgid "1"\nmsgstr "{quoted}"\n\nmsgid "2"\nmsgstr ""\n'
    data = po(message).replace(b"\n", end.encode())
    written = annotated(data, given_findings, "a.po", "po")
    assert is_subsequence(data, written)
    assert (written == data) == (not given_findings)
    lines = written.split(end.encode())
    assert len(lines) == len(data.split(end.encode())) + len(given_findings)
