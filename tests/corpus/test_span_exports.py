"""Marked errors in formats of others: what is written is read back, or has the shape that they ask for."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase.corpus.formats.judged.error_spans import read_error_spans
from metaphrase.corpus.formats.judged.esa import read_esa, read_esa_ratings
from metaphrase.corpus.formats.judged.marked_spans import shown_characters
from metaphrase.corpus.formats.judged.pearmut import read_pearmut
from metaphrase.corpus.formats.judged.span_exports import (
    COLUMNS,
    esa_lines,
    span_lines,
    wmt_lines,
)
from metaphrase.corpus.formats.judged.span_sarif import sarif_lines
from metaphrase.corpus.formats.registry import format_of
from metaphrase.corpus.formats.units.xliff import read_xliff
from metaphrase.corpus.formats.units.xliff_issues import xliff_lines
from metaphrase.corpus.marked_translation import MarkedTranslation
from metaphrase.corpus.ratings import Item, MarkedError
from metaphrase.sampling.exporting import prefilled_lines
from sarif_logs import check_sarif

ITS = "{http://www.w3.org/2005/11/its}"
XLIFF = "{urn:oasis:names:tc:xliff:document:2.0}"
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def translation(text: str = "The big cat sat.", **given: Any) -> MarkedTranslation:
    chosen = {"system": "mine", "segment": "1", "row": 0, "source": "Die kleine Katze saß."} | given
    errors = chosen.pop(
        "errors",
        (
            MarkedError("major", "wrong word", (4, 7), 25.5, "small"),
            MarkedError("minor", "spelling", (12, 15), 4.5),
            MarkedError("major", "missing words", None, 9.0, "there"),
            MarkedError("minor", "missing words", None, 5.0),
        ),
    )
    item = Item(
        f"{chosen['system']} {chosen['segment']}",
        chosen["system"],
        "story",
        chosen["segment"],
        source=chosen["source"],
        hypothesis=text,
        references=("The small cat slept.",),
    )
    return MarkedTranslation(
        item, chosen["row"], "chrf", 61.5, 61.5, errors, "news", "mine.txt", 1, is_line=True
    )


#: Two systems, of which one translation is right, and characters that some count as two.
MARKED = (
    translation(),
    translation("A \U0001f63a\U0001f63a cat!", segment="2", row=1, errors=(
        MarkedError("critical", "", (2, 4)), MarkedError("minor", "untranslated", (8, 9), 4.0, ""),
    )),
    translation("Right.", system="other", errors=()),
)  # fmt: skip


def read_back(path: Path, write: Callable[..., Iterator[str]], *, pair: str = "de-en") -> Path:
    lines = write(MARKED, name="animals", pair=pair)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="")
    return path


class TestSpans:
    def test_what_is_written_is_read(self, tmp_path: Path) -> None:
        path = read_back(tmp_path / "a.jsonl", span_lines)
        found = format_of(path)
        assert found is not None
        assert found.name == "error-spans"
        (ratings,) = read_error_spans(path)
        assert (ratings.name, ratings.language_pair) == ("animals", "de-en")
        assert [rating.errors for rating in ratings.ratings] == [one.errors for one in MARKED]
        assert {rating.judge for rating in ratings.ratings} == {"chrf"}
        assert [item.hypothesis for item in ratings.items.values()] == [
            one.item.hypothesis for one in MARKED
        ]

    def test_the_shape_is_that_of_published_sets(self, tmp_path: Path) -> None:
        first = json.loads(read_back(tmp_path / "a.jsonl", span_lines).read_text().split("\n")[0])
        assert list(first) == ("set lp system doc seg source references hypothesis ratings".split())
        (rating,) = first["ratings"]
        assert rating["score"] == 61.5
        assert rating["spans"][0] == {
            "side": "target", "start": 4, "end": 7, "severity": "major", "category": "wrong word",
            "points": 25.5, "correction": "small",
        }  # fmt: skip
        assert "start" not in rating["spans"][2]


class TestWmt:
    def test_jsonl_is_read_as_that_of_2024(self, tmp_path: Path) -> None:
        path = read_back(tmp_path / "a.jsonl", esa_lines)
        found = format_of(path)
        assert found is not None
        assert found.name == "esa-jsonl"
        table = read_esa(path)
        assert table.language_pairs == ("de-en",)
        rows = [(row.system, row.segment, row.judge, row.score, row.document) for row in table.rows]
        assert rows == [
            ("mine", 0, "chrf", 61.5, "story"),
            ("mine", 1, "chrf", 61.5, "story"),
            ("other", 0, "chrf", 61.5, "story"),
        ]

    def test_its_spans_are_read_as_marked(self, tmp_path: Path) -> None:
        (ratings,) = read_esa_ratings(read_back(tmp_path / "a.jsonl", esa_lines))
        assert [rating.errors for rating in ratings.ratings] == [
            tuple(MarkedError(error.severity, "", error.span) for error in one.errors)
            for one in MARKED
        ]
        assert [item.hypothesis for item in ratings.items.values()] == [
            one.item.hypothesis for one in MARKED
        ]

    def test_tsv_is_what_the_scorer_of_2025_reads(self, tmp_path: Path) -> None:
        # The columns of wmt-conference/wmt25-mteval, scripts/scoring/task2/scoring_esa.py.
        path = read_back(tmp_path / "a.tsv", wmt_lines)
        with path.open(newline="", encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream, delimiter="\t"))
        assert tuple(rows[0]) == COLUMNS
        assert [rows[0][name] for name in COLUMNS[-3:]] == [
            "4 12 missing missing",
            "7 15 missing missing",
            "major minor major minor",
        ]
        assert [rows[2][name] for name in COLUMNS[-3:]] == ["-1", "-1", "no-error"]
        assert (rows[0]["source_lang"], rows[0]["target_lang"], rows[0]["segment_id"]) == (
            "de", "en", "0",
        )  # fmt: skip

    @given(ANY_TEXT)
    def test_any_text_stays_in_its_cell_with_as_many_characters(self, text: str) -> None:
        header, row = wmt_lines([translation(text, errors=())], name="", pair="de-en")
        (cells,) = csv.reader([row], delimiter="\t")
        assert len(cells) == len(header.split("\t"))
        assert len(cells[COLUMNS.index("hypothesis_segment")]) == len(text)


class TestPearmut:
    def campaign(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(
            "\n".join(prefilled_lines(MARKED, name="animals", pair="de-en"))
        )
        return found

    def test_results_that_change_nothing_are_what_was_marked(self, tmp_path: Path) -> None:
        (task,) = self.campaign()["data"]
        logged = [
            {
                "user_id": "judge-1",
                "item_i": place,
                "item": page,
                "annotation": [
                    {model: {"score": 70, "error_spans": spans}}
                    for item in page
                    for model, spans in item["error_spans"].items()
                ],
                "actions": [],
            }
            for place, page in enumerate(task)
        ]
        path = tmp_path / "log.jsonl"
        path.write_text("".join(json.dumps(entry) + "\n" for entry in logged))
        ratings = read_pearmut(path)
        items = [ratings.items[rating.item] for rating in ratings.ratings]
        assert [(item.system, item.segment) for item in items] == [
            ("mine", "1"), ("mine", "2"), ("other", "1"),
        ]  # fmt: skip
        assert [rating.errors for rating in ratings.ratings] == [
            # There is one token for all that is missing: the severest error.
            (
                MarkedError("major", "", (4, 7)),
                MarkedError("minor", "", (12, 15)),
                MarkedError("major"),
            ),
            # Pearmut knows nothing worse than major.
            (MarkedError("major", "", (2, 4)), MarkedError("minor", "", (8, 9))),
            (),
        ]

    def test_places_are_elements_of_its_page_and_the_last_is_inside(self) -> None:
        (task,) = self.campaign()["data"]
        spans = task[0][1]["error_spans"]["mine"]
        # Two characters of two UTF-16 units each, from the third element on.
        assert [(span["start_i"], span["end_i"]) for span in spans] == [(2, 5), (10, 10)]

    def test_one_system_of_a_document_is_a_page(self) -> None:
        (task,) = self.campaign()["data"]
        assert [[list(item["tgt"]) for item in page] for page in task] == [
            [["mine"], ["mine"]],
            [["other"]],
        ]

    @given(ANY_TEXT)
    def test_it_shows_units_of_utf_16_without_line_feeds(self, text: str) -> None:
        units = len(text.replace("\n", "").encode("utf-16-le")) // 2
        places = shown_characters(text)
        assert len(places) == units
        assert {text[place] for place in places} == set(text) - {"\n"}


class TestIts:
    def root(self, marked: tuple[MarkedTranslation, ...] = MARKED) -> ElementTree.Element:
        return ElementTree.fromstring("\n".join(xliff_lines(marked, name="a", pair="de-en")))

    def test_each_mark_refers_to_an_issue_of_its_unit(self) -> None:
        root = self.root()
        assert (root.get("srcLang"), root.get("trgLang"), root.get("version")) == (
            "de",
            "en",
            "2.1",
        )
        seen = set()
        for unit in root.iter(f"{XLIFF}unit"):
            issues = {
                one.get("{http://www.w3.org/XML/1998/namespace}id"): one
                for one in unit.iter(f"{ITS}locQualityIssues")
            }
            marks = list(unit.iter(f"{XLIFF}mrk"))
            assert [mark.get(f"{ITS}locQualityIssuesRef") for mark in marks] == [
                f"#its={mark.get('id')}" for mark in marks
            ]
            assert {mark.get("id") for mark in marks} == set(issues)
            assert seen.isdisjoint(issues)  # xml:id is one in the whole file
            seen |= set(issues)

    def test_words_are_marked_with_type_and_severity(self) -> None:
        (unit, *_) = self.root().iter(f"{XLIFF}unit")
        target = unit.find(f"{XLIFF}segment/{XLIFF}target")
        assert target is not None
        assert [mark.text for mark in target.iter(f"{XLIFF}mrk")] == ["big", "sat"]
        issues = [
            (one.get("locQualityIssueType"), one.get("locQualityIssueSeverity"))
            for one in unit.iter(f"{ITS}locQualityIssue")
        ]
        assert issues == [
            ("mistranslation", "75"),
            ("misspelling", "25"),
            ("omission", "75"),
            ("omission", "25"),
        ]

    def test_the_comment_says_what_should_be_there(self) -> None:
        (unit, *_) = self.root().iter(f"{XLIFF}unit")
        comments = [one.get("locQualityIssueComment") for one in unit.iter(f"{ITS}locQualityIssue")]
        assert comments == [
            "wrong word: “big” → “small” (major, 25.5 points by chrf)",
            "spelling: “sat” (minor, 4.5 points by chrf)",
            "missing words: add “there” (major, 9 points by chrf)",
            "missing words: minor, 5 points by chrf",
        ]

    def test_what_is_missing_is_marked_in_the_source(self) -> None:
        (unit, *_) = self.root().iter(f"{XLIFF}unit")
        source = unit.find(f"{XLIFF}segment/{XLIFF}source")
        assert source is not None
        marks = list(source.iter(f"{XLIFF}mrk"))
        assert ["".join(mark.itertext()) for mark in marks] == ["Die kleine Katze saß."] * 2

    def test_without_a_source_the_target_is_marked(self) -> None:
        root = self.root((translation(source=""),))
        (target,) = root.iter(f"{XLIFF}target")
        assert len(list(target.iter(f"{XLIFF}mrk"))) == 4
        assert "".join(target.itertext()) == "The big cat sat."

    def test_it_is_read_as_xliff(self, tmp_path: Path) -> None:
        units = read_xliff(read_back(tmp_path / "a.xlf", xliff_lines)).units
        assert [unit.source.text for unit in units] == ["Die kleine Katze saß."] * 3
        assert [unit.target.text for unit in units if unit.target] == [
            one.item.hypothesis for one in MARKED
        ]

    @settings(max_examples=60)
    @given(text=ANY_TEXT, system=ANY_TEXT, segment=ANY_TEXT, places=st.tuples(
        st.integers(0, 20), st.integers(0, 20)
    ))  # fmt: skip
    def test_any_text_is_well_formed_and_whole(
        self, text: str, system: str, segment: str, places: tuple[int, int]
    ) -> None:
        start, end = sorted(min(place, len(text)) for place in places)
        errors = (MarkedError("minor", "<&>\0", (start, end), 1.0),) if start < end else ()
        one = translation(text, system=system, segment=segment, errors=errors)
        (target,) = self.root((one,)).iter(f"{XLIFF}target")
        shown = "".join(target.itertext())
        assert len(shown) == len(text)
        assert all(a in (b, "\ufffd") for a, b in zip(shown, text, strict=True))


class TestSarif:
    def results(self, *marked: MarkedTranslation) -> list[dict[str, Any]]:
        return check_sarif("\n".join(sarif_lines(marked, name="a", pair="")))

    def test_an_error_is_a_result_with_line_and_columns(self) -> None:
        results = self.results(*MARKED)
        assert [one["ruleId"] for one in results] == [
            "errors/wrong-word", "errors/spelling", "errors/missing-words", "errors/missing-words",
            "errors/", "errors/untranslated",
        ]  # fmt: skip
        assert [one["level"] for one in results] == (
            ["error", "warning", "error", "warning", "error", "warning"]
        )
        physical = [one["locations"][0]["physicalLocation"] for one in results]
        assert physical[0]["artifactLocation"]["uri"] == "mine.txt"
        # § 3.30.6: columns count from 1, and the last is the one behind.
        assert physical[0]["region"] == {"startLine": 1, "startColumn": 5, "endColumn": 8}
        assert physical[2]["region"] == {"startLine": 1}
        assert results[0]["message"]["text"] == (
            "wrong word: “big” → “small” (major, 25.5 points by chrf)"
        )

    def test_each_result_is_known_by_itself(self) -> None:
        prints = [str(one["partialFingerprints"]) for one in self.results(*MARKED)]
        assert len(set(prints)) == len(prints)

    def test_without_errors_there_is_no_result(self) -> None:
        assert self.results(MARKED[2]) == []

    @given(ANY_TEXT)
    def test_any_text_is_a_message(self, text: str) -> None:
        errors = (MarkedError("minor", text, (0, len(text)) if text else None),)
        self.results(translation(text, errors=errors))


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MarkedError("minor", "extra words", (0, 3), 2.0, ""), "remove “The” (minor, 2 points by chrf)"),
        (MarkedError("minor", "word order", (4, 7), None, "big cat"), "“big” moved (minor)"),
        (MarkedError("minor", "word order", (4, 7), None, "bigger"), "“big” moved → “bigger” (minor)"),
        (MarkedError("minor", "word order", (4, 7)), "“big” moved (minor)"),
    ],
)  # fmt: skip
def test_a_remark_says_what_is_to_be_done(error: MarkedError, said: str) -> None:
    assert translation().remark(error) == said


@pytest.mark.parametrize("write", [span_lines, esa_lines, prefilled_lines, sarif_lines])
def test_each_line_is_json(write: Callable[..., Iterator[str]]) -> None:
    lines = list(write(MARKED, name="animals", pair="de-en"))
    if write in (span_lines, esa_lines):
        assert len(list(map(json.loads, lines))) == len(MARKED)
    else:
        assert isinstance(json.loads("\n".join(lines)), dict)
