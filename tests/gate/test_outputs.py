"""What other programs read of a verdict is what their formats ask for, whatever the texts hold."""

from __future__ import annotations

import json
import re
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.runs import BAD, GOOD, REFERENCES, judged, run
from metaphrase.gate import Rules, Section, Verdict, changed_words
from metaphrase.gate.junit import junit_xml
from metaphrase.gate.markdown import markdown_summary
from metaphrase.gate.sarif import sarif_json
from metaphrase.gate.snapshot import SegmentFinding
from sarif_logs import check_sarif

FINDING = SegmentFinding("numbers/missing", "critical", "12 is missing.")
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def red() -> Verdict:
    before = run(GOOD, findings=[()] * 8)
    after = run([*BAD[:7], GOOD[7]], findings=[[FINDING], *[()] * 7])
    return judged(before, after, max_drop=1, alpha=0.05, max_segment_drop=10, max_worse_segments=1)


def green() -> Verdict:
    return judged(run(), run(), max_drop=1)


def red_domain() -> Verdict:
    domains = ["news"] * 7 + ["legal"]
    rules = Rules(section=Section(), domains={"legal": Section(every={"max_drop": 1})})
    before, after = run(GOOD, domains=domains), run(BAD, domains=domains)
    return judged(before, after, ["chrf"], rules=rules)


def test_a_broken_rule_for_a_domain_names_it_everywhere() -> None:
    verdict, title = red_domain(), "max_drop chrf in domain legal"
    details = junit_xml(verdict).split("<failure")[1].split("</failure>")[0]
    assert title in junit_xml(verdict)
    # Of the segments that lost, those of the domain.
    assert re.findall(r"^segment (\d+)", details, re.M) == ["8"]
    assert f"❌ | {title.replace('_', chr(92) + '_')} |" in markdown_summary(verdict)
    (result,) = json.loads(sarif_json(verdict))["runs"][0]["results"]
    assert result["properties"]["rule"] == title


class TestJUnit:
    """The elements and attributes of the schema that Jenkins, GitLab and GitHub's actions read."""

    @staticmethod
    def check(xml: str, verdict: Verdict) -> ElementTree.Element:
        root = ElementTree.fromstring(xml.encode())
        assert root.tag == "testsuites"
        (suite,) = root
        assert suite.tag == "testsuite"
        for element in (root, suite):
            assert int(element.attrib["tests"]) == len(verdict.outcomes)
            assert int(element.attrib["failures"]) == len(verdict.broken)
            assert int(element.attrib["errors"]) == 0
            float(element.attrib["time"])
        assert [child.tag for child in suite if child.tag != "testcase"] == [
            "properties",
            "system-out",
        ]
        cases = suite.findall("testcase")
        assert len(cases) == len(verdict.outcomes)
        names = [(case.attrib["classname"], case.attrib["name"]) for case in cases]
        assert len(set(names)) == len(names)
        for case, outcome in zip(cases, verdict.outcomes, strict=True):
            assert [child.tag for child in case] == ([] if outcome.passed else ["failure"])
            for failure in case:
                assert failure.attrib["type"] == outcome.rule
                assert failure.attrib["message"]
                assert failure.text
        return root

    def test_a_rule_is_a_test_and_a_broken_one_fails(self) -> None:
        for verdict in (red(), green()):
            self.check(junit_xml(verdict), verdict)

    def test_a_failure_shows_the_segments_at_fault(self) -> None:
        root = self.check(junit_xml(red()), red())
        failures = {f.attrib["type"]: f.text or "" for f in root.iter("failure")}
        assert f"before     {GOOD[0]}" in failures["max_segment_drop"] + failures["max_drop"]
        assert "12 is missing." in failures["new_critical"]

    @pytest.mark.filterwarnings("ignore:.*MP585")
    @settings(max_examples=50)
    @given(ANY_TEXT, ANY_TEXT)
    def test_any_text_makes_well_formed_xml(self, old: str, new: str) -> None:
        verdict = judged(run([old], ["reference"]), run([new], ["reference"]), max_drop=0)
        self.check(junit_xml(verdict), verdict)


class TestSarif:
    check = staticmethod(check_sarif)

    def test_broken_rules_segments_and_findings_are_results(self) -> None:
        failed = self.check(sarif_json(red(), "lang/de file.txt"))
        lines = {
            place["physicalLocation"]["region"]["startLine"]
            for result in failed
            for place in result["locations"]
            if result["ruleId"] == "gate/max_segment_drop" and "region" in place["physicalLocation"]
        }
        assert lines <= set(range(1, 8))
        assert lines
        (finding,) = [result for result in failed if result["ruleId"] == FINDING.code]
        assert finding["level"] == "error"
        assert finding["locations"][0]["physicalLocation"] == {
            "artifactLocation": {"uri": "lang/de%20file.txt"},
            "region": {"startLine": 1},
        }

    def test_messages_are_shown_as_they_are(self) -> None:
        """§ 3.11.5: a brace is doubled; and nothing is taken for a link."""
        texts = {
            "{name} is {0}.": "{{name}} is {{0}}.",
            r"a\b[1](2)": r"a\\b\[1\](2)",
            "[1]": "[1]",
        }
        for text, written in texts.items():
            findings = [[SegmentFinding("placeholders", "critical", text)], *[()] * 7]
            verdict = judged(run(findings=[()] * 8), run(findings=findings))
            assert self.check(sarif_json(verdict))[-1]["message"]["text"] == written

    def test_a_green_verdict_has_no_result(self) -> None:
        assert self.check(sarif_json(green(), "file.txt")) == []

    def test_a_result_is_known_again_whatever_was_measured(self) -> None:
        verdicts = (
            judged(run(GOOD), run(after), ["chrf"], max_drop=1) for after in (BAD, BAD[::-1])
        )
        one, other = (self.check(sarif_json(verdict)) for verdict in verdicts)
        assert one[0]["message"] != other[0]["message"]
        assert one[0]["partialFingerprints"] == other[0]["partialFingerprints"]

    @settings(max_examples=20)
    @given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20))
    def test_any_file_name_is_a_uri(self, name: str) -> None:
        results = self.check(sarif_json(red(), name))
        uri = results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert unquote(urlsplit(uri).path).lstrip("./") == name.lstrip("./") or "/" in name


class TestMarkdown:
    def test_the_verdict_comes_first_and_broken_rules_before_others(self) -> None:
        text = markdown_summary(red())
        assert text.startswith("## 🔴 mine: red: ")
        marks = re.findall(r"^\| (✅|❌) ", text, re.M)
        assert marks == sorted(marks, reverse=True)
        assert text.endswith("\n")
        assert markdown_summary(green()).startswith("## 🟢 mine: green: ")

    def test_what_changed_is_marked(self) -> None:
        before, after = run(REFERENCES), run(["The museum stays open until noon.", *REFERENCES[1:]])
        text = markdown_summary(judged(before, after, max_drop=0))
        assert "until <del>midnight</del><ins>noon</ins>." in text

    def test_only_so_many_segments_are_shown(self) -> None:
        text = markdown_summary(red(), worst=2)
        assert text.count("<details>") == 2
        assert "(2 of 7)" in text

    def test_texts_can_do_nothing_but_be_read(self) -> None:
        nasty = "<script>alert(1)</script> @everyone | `x` </td> \n\n# big"
        verdict = judged(run([nasty], ["reference"]), run(["other"], ["reference"]), max_drop=0)
        better = judged(run(["reference"], ["reference"]), run([nasty], ["reference"]), max_drop=0)
        for text in map(markdown_summary, (verdict, better)):
            assert "<script>" not in text
            assert "@everyone" not in text
            assert "\n# big" not in text

    @pytest.mark.filterwarnings("ignore:.*MP585")
    @settings(max_examples=50)
    @given(ANY_TEXT, ANY_TEXT)
    def test_tables_keep_their_columns(self, old: str, new: str) -> None:
        verdict = judged(run([old], ["reference"]), run([new], ["reference"]), max_drop=0)
        rows = [line for line in markdown_summary(verdict).splitlines() if line.startswith("| ")]
        assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {5}


class TestChangedWords:
    @pytest.mark.parametrize(
        ("before", "after", "marked"),
        [
            ("He paid 12 euros.", "He paid 21 euros.", "He paid [12]{21} euros."),
            ("a b c", "a b c", "a b c"),
            ("", "new", "{new}"),
            ("old", "", "[old]"),
            ("one two three", "one 2 3", "one [two three]{2 3}"),
            ("他今天来了", "他明天来了", "他[今]{明}天来了"),
        ],
    )
    def test_words_are_marked(self, before: str, after: str, marked: str) -> None:
        marks = {"same": "%s", "gone": "[%s]", "new": "{%s}"}
        assert "".join(marks[p.kind] % p.text for p in changed_words(before, after)) == marked

    @settings(max_examples=200)
    @given(st.text(" ab.今\n"), st.text(" ab.今\n"))
    def test_both_texts_can_be_read_from_the_pieces(self, before: str, after: str) -> None:
        pieces = changed_words(before, after)
        assert "".join(p.text for p in pieces if p.kind != "new") == before
        assert "".join(p.text for p in pieces if p.kind != "gone") == after

    def test_a_megabyte_is_not_compared_word_by_word(self) -> None:
        pieces = changed_words("a b " * 200_000, "b a " * 200_000)
        assert [piece.kind for piece in pieces] == ["gone", "new"]


def test_the_json_form_has_everything() -> None:
    found = json.loads(json.dumps(red().to_dict(), allow_nan=False))
    assert not found["passed"]
    assert {rule["rule"] for rule in found["rules"]} >= {"max_drop", "alpha", "new_critical"}
    assert found["changes"][0]["scores"]["chrf"]["loss"] > 0
    assert found["new_findings"][0]["code"] == FINDING.code
    assert set(green().to_dict()) == set(found)
