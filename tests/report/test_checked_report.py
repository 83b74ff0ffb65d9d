"""What a report holds of localisation files, of checks, and of two versions of a system."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.checks import Settings
from metaphrase.corpus import Corpus
from metaphrase.corpus.formats.markup.tags import one_line
from metaphrase.corpus.opening import CorpusFiles, open_corpus
from metaphrase.corpus.units import InlineTag
from metaphrase.errors import InputError, OptionError
from metaphrase.report.dataset import Findings, ReportData, UnitTexts, build
from metaphrase.report.dataset.changes import Versions, with_changes
from metaphrase.report.dataset.checking import checked_corpus
from metaphrase.report.dataset.found import Placed
from metaphrase.report.dataset.unit_files import corpus_units, noted, places_on_one_line
from metaphrase.report.dataset.unit_texts import in_code_units
from metaphrase.scoring import score
from report import localised

CORPUS = localised.corpus()


def report(corpus: Corpus = CORPUS, **options: Any) -> ReportData:
    scores = score(corpus, ["chrf"], levels=["system", "segment"], lang="de", check_language=False)
    return build(corpus, scores, ["chrf"], lang="de", explain="none", resamples=0, **options)


def block(data: ReportData, name: str) -> Any:
    return json.loads(data.block(name))


@pytest.fixture(scope="module")
def localised_report() -> ReportData:
    return report(
        units=localised.units(), findings=localised.findings(), changes=("before", "after")
    )


def test_a_report_that_knows_of_none_of_it_has_no_byte_more() -> None:
    data = report()
    assert {"findings", "changes"}.isdisjoint(data.overview)
    assert not any("find" in name or "change" in name for name in data.packed)
    assert set(block(data, "texts/0")) == {"sources", "references", "hypotheses"}


class TestFindings:
    def test_are_counted_by_kind_and_system_the_worst_first(
        self, localised_report: ReportData
    ) -> None:
        found = localised_report.overview["findings"]
        kinds = [(kind["severity"], kind["code"], kind["counts"]) for kind in found["kinds"]]
        assert kinds == [
            ("critical", "placeholders/missing", [0, 1]),
            ("critical", "tags/missing", [1, 0]),
            ("critical", "untranslated/empty", [1, 0]),
            ("major", "numbers/other", [1, 2]),
            ("minor", "punctuation/end", [1, 0]),
            ("minor", "spaces/double", [0, 1]),
        ]
        assert found["kinds"][3]["description"] == "a number that the source does not have"
        assert "numbers" in found["checks"]

    def test_each_row_has_the_numbers_of_its_kinds(self, localised_report: ReportData) -> None:
        pairs = np.frombuffer(localised_report.block("finding-rows"), dtype="<u4").reshape(-1, 2)
        # Systems × segments: ten rows of the first system, then those of the second.
        assert pairs.tolist() == [
            [3, 4],
            [5, 1],
            [6, 3],
            [9, 2],
            [12, 0],
            [14, 3],
            [16, 3],
            [17, 5],
        ]

    def test_each_segment_has_what_was_found_in_it(self, localised_report: ReportData) -> None:
        records = block(localised_report, "findings/0")
        assert list(records) == ["0/3", "0/5", "0/6", "0/9", "1/2", "1/4", "1/6", "1/7"]
        (number,) = records["1/4"]
        assert number == {
            "kind": 3,
            "side": "target",
            "start": 18,
            "end": 20,
            "message": "14 became 41.",
            "expected": "14",
            "found": "41",
            "suggestion": "14",
            "change": "new",
        }

    def test_places_are_counted_as_browsers_count(self, localised_report: ReportData) -> None:
        (number,) = block(localised_report, "findings/0")["1/6"]
        text = CORPUS.systems["after"][6]
        assert (
            text.encode("utf-16-le")[2 * number["start"] : 2 * number["end"]].decode("utf-16-le")
            == "2"
        )

    def test_may_have_no_place_and_are_then_known_by_their_messages(self) -> None:
        def said(*messages: str) -> list[dict[str, Any]]:
            return [
                {"segment": 1, "code": "a", "severity": "minor", "message": text}
                for text in messages
            ]

        findings = Findings({"before": said("one", "two"), "after": said("two", "three")})
        records = block(report(findings=findings, changes=("before", "after")), "findings/0")
        assert records["0/0"] == [
            {"kind": 0, "message": "one", "change": "gone"},
            {"kind": 0, "message": "two"},
        ]
        assert [one.get("change") for one in records["1/0"]] == [None, "new"]

    def test_of_other_systems_are_passed_over_and_may_be_none(self) -> None:
        data = report(findings=Findings({"other": localised.findings().systems["after"]}))
        assert data.overview["findings"] == {"checks": [], "kinds": []}
        assert data.block("finding-rows") == b""


class TestUnits:
    def test_texts_have_ids_and_the_tags_of_rows_that_have_any(
        self, localised_report: ReportData
    ) -> None:
        texts = block(localised_report, "texts/0")
        assert texts["units"][:2] == ["menu.save", "menu.open"]
        assert list(texts["tags"]["sources"]) == ["5", "8"]
        assert texts["tags"]["hypotheses"][0] == {
            "8": [[12, "open", "1", '<g id="1" ctype="bold">'], [21, "close", "1", "</g>"]]
        }

    def test_tags_behind_an_emoji_stand_where_a_browser_looks_for_them(self) -> None:
        tag = InlineTag("standalone", "1", "<x/>", 2)
        units = UnitTexts(systems={"a": [(tag,)]})
        data = report(Corpus({"a": ["🎉 b"]}, [["b"]]), units=units)
        assert block(data, "texts/0")["tags"]["hypotheses"] == [
            {"0": [[3, "standalone", "1", "<x/>"]]}
        ]
        assert "units" not in block(data, "texts/0")

    @given(st.text(), st.integers(0, 20))
    def test_code_units_are_those_of_utf_16(self, text: str, place: int) -> None:
        place = min(place, len(text))
        expected = len(text[:place].encode("utf-16-le", "surrogatepass")) // 2
        assert in_code_units(text, place) == expected

    @given(st.text(alphabet="ab \n\t"))
    def test_letters_keep_their_places_when_a_text_is_put_on_one_line(self, text: str) -> None:
        flat, places = one_line(text), places_on_one_line(text)
        if places is None:
            assert flat == text
            return
        assert len(places) == len(text) + 1
        assert places == sorted(places)
        assert 0 <= places[0] <= places[-1] <= len(flat)
        for place, letter in enumerate(text):
            if letter in "ab":
                assert flat[places[place]] == letter


class TestVersions:
    def test_the_overview_says_what_changed(self, localised_report: ReportData) -> None:
        changes = localised_report.overview["changes"]
        assert (changes["before"], changes["after"]) == (0, 1)
        assert changes["summary"] == (
            "9 of 10 segments changed: 7 score higher, 2 lower, 0 alike by chrf; 3 new findings, 3 gone."
        )

    def test_changed_segments_have_new_and_gone_findings(
        self, localised_report: ReportData
    ) -> None:
        rows = np.frombuffer(localised_report.block("changes"), dtype="<u4").reshape(-1, 3)
        assert rows[:, 0].tolist() == [0, 2, 3, 4, 5, 6, 7, 8, 9]
        # The wrong number of segment 7 stays in both versions: it is neither new nor gone.
        assert rows[:, 1].tolist() == [0, 1, 0, 1, 0, 0, 1, 0, 0]
        assert rows[:, 2].tolist() == [0, 0, 1, 0, 1, 0, 0, 0, 1]

    def test_without_checks_nothing_is_said_of_findings(self) -> None:
        assert (
            report(changes=("before", "after")).overview["changes"]["summary"].endswith("by chrf.")
        )

    def test_other_tags_are_a_change(self) -> None:
        tag = InlineTag("standalone", "1", "<x/>", 1)
        corpus = Corpus({"old": ["ab", "cd"], "new": ["ab", "cd"]}, [["ab", "cd"]])
        units = UnitTexts(systems={"old": [(), ()], "new": [(), (tag,)]})
        data = report(corpus, units=units, changes=("old", "new"))
        assert np.frombuffer(data.block("changes"), dtype="<u4").tolist() == [1, 0, 0]
        same = report(corpus, changes=("old", "new"))
        assert same.overview["changes"]["summary"] == "No segment changed."

    @given(*(st.lists(st.sampled_from("abc")) for _ in range(2)))
    def test_new_and_gone_are_the_difference_of_two_multisets(
        self, before: list[str], after: list[str]
    ) -> None:
        def found(system: int, codes: list[str]) -> list[Placed]:
            record = {"side": "target", "expected": "1", "found": "2", "message": "1 is 2."}
            return [Placed(system, 0, (code, "minor"), record) for code in codes]

        marked = with_changes([*found(0, before), *found(1, after)], Versions(0, 1, (0,)))
        for change, one, other in (("new", after, before), ("gone", before, after)):
            said = Counter(one.kind[0] for one in marked if one.change == change)
            assert said == Counter(one) - Counter(other)

    @pytest.mark.parametrize("names", [("before", "later"), ("after", "after")])
    def test_they_are_two_systems_of_the_report(self, names: tuple[str, str]) -> None:
        with pytest.raises(OptionError, match="MP920"):
            report(changes=names)


@pytest.fixture
def files(tmp_path: Path) -> CorpusFiles:
    for version in ("reference", "before", "after"):
        localised.write_xliff(tmp_path / f"{version}.xlf", version)
    return CorpusFiles(
        references=[str(tmp_path / "reference.xlf")],
        hypotheses=[str(tmp_path / "before.xlf"), str(tmp_path / "after.xlf")],
        missing_targets="empty",
    )


class TestLocalisationFiles:
    def test_tags_are_those_of_the_files(self, files: CorpusFiles) -> None:
        units = corpus_units(files, Corpus.join(open_corpus(files)))
        assert units is not None
        texts, expected = units.texts(), localised.units()
        assert list(texts.ids or ()) == list(expected.ids or ())
        assert texts.sources == expected.sources
        assert list(texts.references) == expected.references
        assert texts.systems == expected.systems

    def test_checks_see_the_tags_and_the_languages_of_the_files(self, files: CorpusFiles) -> None:
        corpus = Corpus.join(open_corpus(files))
        found = checked_corpus(corpus, corpus_units(files, corpus))
        codes = {name: [one["code"] for one in found.systems[name]] for name in found.systems}
        assert codes["before"].count("tags/missing") == 2
        assert "placeholders/missing" in codes["after"]
        assert all(one["unit"] in corpus.ids for one in found.systems["after"])
        assert "terms" not in found.checks
        only = checked_corpus(corpus, settings=Settings(only=["numbers"]))
        assert only.checks == ["numbers"]

    def test_lines_of_text_have_no_units(self) -> None:
        assert corpus_units(CorpusFiles(references=["r"], hypotheses=["h"]), CORPUS) is None

    def test_a_segment_without_a_source_is_not_checked(self) -> None:
        corpus = Corpus({"a": ["12", "34"]}, [["x", "x"]], sources=["", "43"])
        found = checked_corpus(corpus, settings=Settings(only=["numbers"])).systems["a"]
        assert {one["segment"] for one in found} == {2}

    def test_without_a_source_there_is_nothing_to_check_against(self) -> None:
        with pytest.raises(InputError, match="MP893"):
            checked_corpus(Corpus({"a": ["x"]}, [["x"]]))

    def test_what_was_left_out_is_noted_and_still_warned_of(self, files: CorpusFiles) -> None:
        strict = CorpusFiles(references=files.references, hypotheses=files.hypotheses)
        with pytest.warns(UserWarning, match="left out"), noted() as notes:
            corpus = Corpus.join(open_corpus(strict))
        assert len(corpus) == 9
        assert notes[0].startswith("1 of 10 units are left out: 1 without a translation in ")
        data = report(corpus, notes=notes)
        assert data.overview["notes"][0] == notes[0]
