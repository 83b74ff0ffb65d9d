"""Direct assessment of segments: which score counts, from how many judges, about which text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.corpus import Corpus
from metaphrase.corpus.formats import Head
from metaphrase.corpus.formats.judged.direct_assessment import (
    FORMATS,
    Assessment,
    AssessmentTable,
    read_assessments,
    write_assessments,
)
from metaphrase.corpus.formats.judged.texts import SystemNames
from metaphrase.errors import InputError, OptionError

CORPUS = Corpus({"A": ["a1", "a2"], "B": ["b1", "b2"]}, [["r1", "r2"]], documents=["d", "e"])
# The layout of ad-seg-scores-*.csv, with the space that they have at the end of lines.
FILE = b"""SYS SID RAW.SCR Z.SCR N 
A 1 71 -0.277836571004345 15 
A 2 82.5 0.122474944138348 3 
B 2 90 NA 1 
"""  # noqa: W291


@pytest.fixture
def table(tmp_path: Path) -> AssessmentTable:
    (tmp_path / "ad-seg-scores-de-en.csv").write_bytes(FILE)
    return read_assessments(tmp_path / "ad-seg-scores-de-en.csv")


class TestScores:
    def test_the_standardised_score_counts(self, table: AssessmentTable) -> None:
        judged = table.judgements(CORPUS, language_pair="de-en")
        assert (judged.name, judged.language_pair) == ("ad-seg-scores-de-en", "de-en")
        assert (judged.systems, judged.segments) == (("A",), ("d:1", "e:2"))
        np.testing.assert_array_equal(judged.human, [[-0.277836571004345, 0.122474944138348]])

    def test_or_the_raw_one(self, table: AssessmentTable) -> None:
        judged = table.judgements(CORPUS, language_pair="de-en", human="raw")
        np.testing.assert_array_equal(judged.human, [[71, 82.5], [np.nan, 90]])
        assert [text.hypothesis for text in judged.texts] == ["a1", "a2", "b2"]

    def test_means_of_few_judges_can_be_left_out(self, table: AssessmentTable) -> None:
        judged = table.judgements(CORPUS, language_pair="de-en", human="raw", min_judgements=3)
        np.testing.assert_array_equal(judged.human, [[71, 82.5]])

    def test_but_not_all_of_them(self, table: AssessmentTable) -> None:
        with pytest.raises(InputError, match="MP179"):
            table.judgements(CORPUS, language_pair="de-en", min_judgements=16)

    def test_no_other_score(self, table: AssessmentTable) -> None:
        with pytest.raises(OptionError, match="MP187"):
            table.judgements(CORPUS, language_pair="de-en", human="mean")  # type: ignore[arg-type]

    def test_systems_have_patterns_and_may_have_said_the_same(self) -> None:
        row = Assessment("A.11+B.5", "1", "70", "0.5", "1")
        judged = AssessmentTable((row,)).judgements(
            CORPUS, language_pair="de-en", systems=SystemNames(pattern="{system}.*")
        )
        np.testing.assert_array_equal(judged.human, [[0.5], [0.5]])

    def test_segments_may_have_names(self) -> None:
        # WMT 2021 has such ids where documents were judged.
        rows = (Assessment("A", "xh-zu-0-23.2_2", "70", "0.5", "1"),)
        ids = ["xh-zu-0-23.1_1", "xh-zu-0-23.2_2"]
        judged = AssessmentTable(rows).judgements(CORPUS, language_pair="xh-zu", segment_ids=ids)
        assert judged.texts[0].hypothesis == "a2"

    @pytest.mark.parametrize("ids", [["x", "y"], ["1"], ["1", "1"]])
    def test_names_of_segments_must_fit(self, ids: list[str]) -> None:
        rows = (Assessment("A", "1", "70", "0.5", "1"),)
        with pytest.raises(InputError, match="MP181"):
            AssessmentTable(rows).judgements(CORPUS, language_pair="de-en", segment_ids=ids)


word = st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=8)
number = st.one_of(
    st.just("NA"), st.floats(-1e9, 1e9).map(repr), st.decimals(-9, 9, places=15).map(str)
)
raw = st.one_of(st.just("NA"), st.floats(0, 100).map(repr))
assessment = st.builds(Assessment, word, word, raw, number, st.integers(0, 10**6).map(str))
assessments = st.lists(assessment, max_size=6, unique_by=lambda row: (row.system, row.segment))


class TestFiles:
    def test_the_published_layout_comes_back_byte_by_byte(
        self, table: AssessmentTable, tmp_path: Path
    ) -> None:
        write_assessments(table, tmp_path / "again.csv")
        assert (tmp_path / "again.csv").read_bytes() == FILE

    @pytest.mark.parametrize(
        "data",
        [
            b"SYS SID RAW.SCR Z.SCR N\nA 1 71 -0.2 15\n",
            b'"SYS" "SID" "RAW.SCR" "Z.SCR" "N"\n"A" 1 71 -0.2 15\n"a b" "s ""1""" 71 NA 15\n',
        ],
    )
    def test_other_layouts_come_back_too(self, data: bytes, tmp_path: Path) -> None:
        (tmp_path / "one.csv").write_bytes(data)
        table = read_assessments(tmp_path / "one.csv")
        assert table.rows[0] == Assessment("A", "1", "71", "-0.2", "15")
        write_assessments(table, tmp_path / "two.csv")
        assert (tmp_path / "two.csv").read_bytes() == data

    def test_columns_are_found_by_name(self, tmp_path: Path) -> None:
        (tmp_path / "one.csv").write_bytes(b"N SYS Z.SCR SID RAW.SCR\n15 A -0.2 1 71\n")
        assert read_assessments(tmp_path / "one.csv").rows == (
            Assessment("A", "1", "71", "-0.2", "15"),
        )

    @given(rows=assessments, space=st.booleans())
    def test_what_is_written_is_read_back(
        self, rows: list[Assessment], space: bool, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        path = tmp_path_factory.mktemp("assessments") / "scores.csv"
        table = AssessmentTable(tuple(rows), quoted=True, trailing_space=space)
        write_assessments(table, path)
        assert read_assessments(path) == table

    @pytest.mark.parametrize("name", ["", "a b", 'a"b', "a\nb"])
    def test_names_that_would_read_otherwise_are_refused(self, name: str, tmp_path: Path) -> None:
        table = AssessmentTable((Assessment(name, "1", "71", "-0.2", "15"),))
        with pytest.raises(InputError) as caught:
            write_assessments(table, tmp_path / "out.csv")
        assert (caught.value.code, caught.value.line) == ("MP189", 2)
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize("score", ["nan", "inf", "1e300", "", "1_0"])
    def test_a_table_has_numbers(self, score: str) -> None:
        with pytest.raises(InputError, match="MP152"):
            AssessmentTable((Assessment("A", "1", score, "0", "1"),))

    def test_the_format_is_recognised(self) -> None:
        (known,) = FORMATS
        heads = ["SYS SID RAW.SCR Z.SCR N ", '"SYS" "SID" "RAW.SCR" "Z.SCR" "N"', "SYS SID SCR"]
        assert [known.recognises(Head("f", (text,))) for text in heads] == [True, True, False]
