"""Files of human judgements: what is read, what counts once, and what is refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from metaphrase.corpus.formats.judged.judgement_files import read_judgements
from metaphrase.corpus.judgements import Judgements
from metaphrase.errors import InputError, OptionError

HEADER = "set lp system doc seg source references hypothesis human type".split()


def table(tmp_path: Path, *rows: str, header: list[str] = HEADER) -> Path:
    path = tmp_path / "judgements.tsv"
    lines = ["\t".join(header), *(row.replace(" | ", "\t") for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def rankings(tmp_path: Path, *rows: dict) -> Path:
    path = tmp_path / "rankings.jsonl.gz"
    path.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
    return path


def ranking(*items: tuple[str, int, list[str]], **changes: object) -> dict:
    entries = [{"systems": systems, "rank": rank, "hyp": hyp} for hyp, rank, systems in items]
    row = {"set": "w", "lp": "de-en", "doc": None, "seg": 7, "judge": "J1", "source": "q"}
    return row | {"ref": "r", "items": entries} | changes


class TestScores:
    def test_systems_and_segments_form_a_matrix(self, tmp_path: Path) -> None:
        judged = read_judgements(
            table(
                tmp_path,
                "w | de-en | A | d1 | 1 | s1 | r1 | a1 | 0.5 | DA",
                "w | de-en | B | d1 | 1 | s1 | r1 | b1 | -1 | DA",
                "w | de-en | B | d2 | 1 | s2 | r2 | b2 | 2 | DA",
            )
        )["de-en"]
        assert (judged.name, judged.systems, judged.target) == ("w", ("A", "B"), "en")
        assert judged.segments == ("d1:1", "d2:1")
        assert judged.documents == ("d1", "d2")
        np.testing.assert_array_equal(judged.human, [[0.5, np.nan], [-1, 2]])
        assert judged.text_of.tolist() == [[0, -1], [1, 2]]

    def test_a_text_of_several_systems_is_scored_once(self, tmp_path: Path) -> None:
        judged = read_judgements(
            table(
                tmp_path,
                "w | de-en | A |  | 1 | s | r | same | 1 | DA",
                "w | de-en | B |  | 1 | s | r | same | 3 | DA",
            )
        )["de-en"]
        ((places, corpus),) = judged.corpora()
        assert corpus.systems["texts"] == ("same",)
        assert places[judged.text_of].tolist() == [[0], [0]]

    def test_several_judgements_of_one_cell_count_by_their_mean(self, tmp_path: Path) -> None:
        row = "w | de-en | A |  | 1 | s | r | h | {} | DA"
        judged = read_judgements(table(tmp_path, row.format(1), row.format(4)))["de-en"]
        assert judged.human.tolist() == [[2.5]]

    def test_a_segment_that_a_system_translated_twice_is_two(self, tmp_path: Path) -> None:
        row = "w | de-en | A |  | 1 | s | r | {} | 1 | DA"
        judged = read_judgements(table(tmp_path, row.format("x"), row.format("y")))["de-en"]
        assert judged.segments == ("1", "1#2")

    def test_texts_may_have_different_numbers_of_references(self, tmp_path: Path) -> None:
        judged = read_judgements(
            table(
                tmp_path,
                "w | zh-en | A |  | 1 | s | r ||| q | h | 1 | MQM",
                "w | zh-en | refA |  | 1 | s | q | r | 0 | MQM",
            )
        )["zh-en"]
        sizes = [(places.tolist(), len(corpus.references)) for places, corpus in judged.corpora()]
        assert sizes == [([1], 1), ([0], 2)]

    def test_an_empty_judgement_is_none(self, tmp_path: Path) -> None:
        path = table(tmp_path, "w | de-en | A |  | 1 | s | r | h |  | DA")
        assert np.isnan(read_judgements(path)["de-en"].human).all()

    def test_data_sets_are_kept_apart(self, tmp_path: Path) -> None:
        row = "{} | de-en | A |  | 1 | s | r | h | 1 | DA"
        found = read_judgements(table(tmp_path, row.format("one"), row.format("two")))
        assert list(found) == ["one de-en", "two de-en"]
        assert [judged.name for judged in found.values()] == ["one", "two"]

    def test_language_pairs_are_kept_apart(self, tmp_path: Path) -> None:
        row = "w | {} | A |  | 1 | s | r | h | 1 | DA"
        pairs = read_judgements(table(tmp_path, row.format("de-en"), row.format("cs-en")))
        assert list(pairs) == ["de-en", "cs-en"]


class TestRankings:
    def read(self, path: Path) -> Judgements:
        return read_judgements(path)["de-en"]

    def test_each_system_of_an_item_gets_its_rank(self, tmp_path: Path) -> None:
        row = ranking(("good", 1, ["A", "B"]), ("bad", 3, ["C"]))
        judged = self.read(rankings(tmp_path, row))
        (found,) = judged.rankings
        assert found.ranks == (1, 1, 3)
        assert found.systems == (0, 1, 2)
        assert found.items == (0, 0, 1)
        texts = judged.text_of[list(found.systems), found.segment]
        assert [judged.texts[t].hypothesis for t in texts] == ["good", "good", "bad"]
        assert judged.is_ranked
        assert len(judged.texts) == 2

    def test_rankings_of_one_segment_share_its_texts(self, tmp_path: Path) -> None:
        one = ranking(("x", 1, ["A"]), ("y", 2, ["B"]))
        other = ranking(("x", 2, ["A"]), ("y", 1, ["B"]), judge="J2")
        judged = self.read(rankings(tmp_path, one, other))
        assert len(judged.segments) == 1
        assert [r.judge for r in judged.rankings] == ["J1", "J2"]


class TestSpellings:
    """A system whose text is spelt in two ways, as 39 of WMT 2016's are."""

    ROWS = (
        ranking(("say & go", 1, ["A"]), ("y", 2, ["B"])),
        ranking(("say &amp; go", 2, ["A"]), ("y", 1, ["B"]), judge="J2"),
    )

    def test_are_refused_by_name_and_line(self, tmp_path: Path) -> None:
        with pytest.raises(InputError) as caught:
            read_judgements(rankings(tmp_path, *self.ROWS))
        assert (caught.value.code, caught.value.line) == ("MP154", 2)
        message = caught.value.message
        assert "The system 'A' has another text for segment '7' in line 1" in message
        assert "'& go' there, '&amp; go' here" in message
        assert "--differing-texts first" in str(caught.value.hint)

    def test_the_first_may_be_taken(self, tmp_path: Path) -> None:
        path = rankings(tmp_path, *self.ROWS)
        judged = read_judgements(path, differing_texts="first")["de-en"]
        assert len(judged.segments) == 1
        assert sorted(text.hypothesis for text in judged.texts) == ["say & go", "y"]
        assert len(judged.rankings) == 2
        with pytest.raises(OptionError, match="MP187"):
            read_judgements(path, differing_texts="last")  # type: ignore[arg-type]

    def test_a_segment_that_was_translated_twice_is_two(self, tmp_path: Path) -> None:
        other = ranking(("z", 2, ["A"]), ("w", 1, ["B"]))
        judged = read_judgements(rankings(tmp_path, self.ROWS[0], other))["de-en"]
        assert judged.segments == ("7", "7#2")

    def test_other_language_pairs_are_not_asked(self, tmp_path: Path) -> None:
        good = ranking(("x", 1, ["A"]), ("y", 2, ["B"]), lp="cs-en")
        path = rankings(tmp_path, *self.ROWS, good)
        assert list(read_judgements(path, pairs=["cs-en"])) == ["cs-en"]
        assert read_judgements(path, pairs=["fi-en"]) == {}


class TestRefusals:
    @pytest.mark.parametrize(
        ("rows", "code", "line"),
        [
            (["w | de-en | A |  | 1 | s | r | h | 1"], "MP151", 2),
            (["w | de-en | A |  | 1 | s | r | h | much | DA"], "MP152", 2),
            (["w | de-en | A |  | 1 | s | r | h | nan | DA"], "MP152", 2),
            (["w | de-en | A |  | 1 | s | r | h | 1_0 | DA"], "MP152", 2),
            (["w | de-en | A |  | 1 | s | r | h | 1e300 | DA"], "MP152", 2),
        ],
    )
    def test_a_bad_row_is_named(
        self, tmp_path: Path, rows: list[str], code: str, line: int
    ) -> None:
        path = table(tmp_path, *rows)
        with pytest.raises(InputError) as caught:
            read_judgements(path)
        assert (caught.value.code, caught.value.line) == (code, line)
        assert caught.value.path == str(path)

    def test_a_column_that_stands_twice_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"MP150.*human"):
            read_judgements(table(tmp_path, header=[*HEADER, "human"]))

    def test_a_header_alone_is_no_judgements(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="MP113"):
            read_judgements(table(tmp_path))

    def test_deep_nesting_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "deep.jsonl"
        path.write_text('{"a": ' + "[" * 200_000 + "\n")
        with pytest.raises(InputError, match="MP153"):
            read_judgements(path)

    def test_missing_columns_are_named(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"MP150.*human"):
            read_judgements(table(tmp_path, header=HEADER[:-2]))

    @pytest.mark.parametrize("row", [ranking(), ranking(("x", 1, ["A"]), ("other", 2, ["A"]))])
    def test_a_system_translates_a_segment_once(self, tmp_path: Path, row: dict) -> None:
        with pytest.raises(InputError, match="MP154"):
            read_judgements(rankings(tmp_path, row))

    @pytest.mark.parametrize(
        "row",
        [
            {"set": "w"},
            ranking(("x", 1, ["A"]), items=[{"rank": 1}]),
            ranking(("x", 1, ["A"]), items=3),
            ranking(("x", "first", ["A"])),
            ranking(("x", 1.9, ["A"])),
            ranking(("x", True, ["A"])),
            ranking(("x", float("inf"), ["A"])),
            ranking(("x", 1, "AB")),
            ranking((None, 1, ["A"])),
            ranking(("x", 1, ["A"]), ref=None),
            ranking(("x", 1, ["A"]), lp=5),
            ranking(("x", 1, ["A"]), set=["w"]),
            ranking(("x", 1, ["A"]), set="\ud800"),
            ranking(("x", 1, ["A"]), judge=[]),
        ],
    )
    def test_what_is_not_a_ranking_is_named(self, tmp_path: Path, row: dict) -> None:
        good = ranking(("x", 1, ["A"]))
        with pytest.raises(InputError) as caught:
            read_judgements(rankings(tmp_path, good, row))
        assert (caught.value.code, caught.value.line) == ("MP153", 2)
