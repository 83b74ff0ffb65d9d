"""The pages of results: their tables, their marks, and what is left alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("experiments.result_tables", reason="a source distribution has no experiments")

from experiments.frame import RESULTS, replace_section, with_section
from experiments.result_plan import PLANS, measures
from experiments.result_tables import ResultTable, Row, losses, section, summary
from experiments.results import sections

from metaphrase.corpus.judgements import JudgedText, Judgements
from metaphrase.meta import Column

NAN = float("nan")
#: chrF, a metric of ours that learnt from "old", another of ours.
ROWS = (
    Row("chrf"),
    Row("learnt", ours=True, trained=frozenset({"old"}), touched=frozenset({"new"})),
    Row("plain", ours=True),
)


def column(data: str, pair: str, values: list[float], clusters: list[int]) -> Column:
    return Column(data, pair, "τ (wmt14)", np.array(values), np.array(clusters, dtype=np.intp))


OLD = column("old", "de-en", [0.4, 0.9, 0.3], [1, 0, 2])
NEW = column("new", "de-en", [0.25, 0.5, 0.3], [2, 1, 2])
NEWER = column("new", "fr-en", [0.75, 0.5, NAN], [1, 2, 0])
TABLE = ResultTable("rankings", "Into English", "segment", ROWS, (OLD, NEW, NEWER), "rankings, τ")


class TestSections:
    TEXT = "# Results\n\nWritten by hand.\n\n<!-- a -->\nold\n<!-- /a -->\n\nFindings.\n"

    def test_only_what_stands_between_the_marks_is_replaced(self) -> None:
        changed = with_section(self.TEXT, "a", ["new", "lines"])
        assert changed == self.TEXT.replace("old", "new\nlines")

    def test_writing_twice_changes_nothing(self) -> None:
        once = with_section(self.TEXT, "a", ["new"])
        assert with_section(once, "a", ["new"]) == once

    def test_lines_are_taken_as_they_are(self) -> None:
        assert "\\1 \\g<0>" in with_section(self.TEXT, "a", ["\\1 \\g<0>"])

    @pytest.mark.parametrize(
        "text",
        [
            "no section\n",
            "<!-- a -->\nno end\n",
            "no beginning\n<!-- /a -->\n",
            "<!-- a -->\n1\n<!-- /a -->\n<!-- a -->\n2\n<!-- /a -->\n",
        ],
    )
    def test_broken_marks_are_refused_rather_than_guessed(self, text: str) -> None:
        with pytest.raises(ValueError, match="exactly once"):
            with_section(text, "a", ["new"])

    def test_a_section_is_written_in_its_page_and_only_if_it_changes(self, tmp_path: Path) -> None:
        page, other = tmp_path / "page.md", tmp_path / "other.md"
        page.write_text(self.TEXT)
        other.write_text("# Other\n")
        replace_section("a", ["new"], folder=tmp_path)
        before = page.stat()
        replace_section("a", ["new"], folder=tmp_path)
        assert page.stat().st_ino == before.st_ino
        assert page.read_text() == self.TEXT.replace("old", "new")
        assert other.read_text() == "# Other\n"

    def test_a_section_that_no_page_or_several_have_is_refused(self, tmp_path: Path) -> None:
        for number in (0, 2):
            with pytest.raises(ValueError, match=f"{number} pages"):
                replace_section("a", ["new"], folder=tmp_path)
            for name in ("one.md", "two.md"):
                (tmp_path / name).write_text(self.TEXT)


class TestTables:
    def test_the_best_cluster_is_bold_and_others_are_numbered(self) -> None:
        lines = list(TABLE.lines())
        assert lines[0] == "**rankings**: τ (wmt14)"
        assert lines[2] == "| metric | old de-en | new de-en | new fr-en | mean |"
        assert lines[4] == "| `chrf` | **0.400** | 0.250<sup>2</sup> | **0.750** | 0.467 |"

    def test_what_was_trained_on_is_marked_and_has_no_mean(self) -> None:
        assert "| `learnt` | 0.900† | **0.500**‡ | 0.500<sup>2</sup>‡ | — |" in list(TABLE.lines())

    def test_a_metric_without_the_language_has_no_cell_and_no_mean(self) -> None:
        assert "| `plain` | 0.300<sup>2</sup> | 0.300<sup>2</sup> | — | — |" in list(TABLE.lines())

    def test_every_line_of_a_table_has_as_many_cells(self) -> None:
        assert len({line.count("|") for line in TABLE.lines() if line.startswith("|")}) == 1

    def test_levels_are_apart(self) -> None:
        assert list(section([TABLE], "system")) == []
        assert list(section([TABLE], "segment")) == list(TABLE.lines())


class TestSummary:
    def test_means_are_over_columns_that_all_metrics_have(self) -> None:
        lines = list(summary([TABLE]))
        assert lines[0] == "**Into English**"
        assert lines[2] == "| metric | rankings, τ (1) |"
        # Only "new de-en" is a result of all three; chrF is among the best in two of its three columns.
        assert lines[4:7] == [
            "| `chrf` | 0.250 (2/3) |",
            "| `learnt` | 0.500 (1/2) |",
            "| `plain` | 0.300 (0/2) |",
        ]

    def test_boards_without_a_kind_are_left_out(self) -> None:
        other = ResultTable("rankings", "Into English", "segment", ROWS, (OLD,))
        assert list(summary([other])) == []


class TestLosses:
    def test_our_metrics_are_held_against_the_best_baseline(self) -> None:
        lines = list(losses([TABLE]))
        assert "| `learnt` | 1 / 0 / 1 |" in lines
        assert "| `plain` | 0 / 1 / 1 |" in lines
        assert "- `learnt`: segments of new fr-en." in lines
        assert "- `plain`: segments of old de-en." in lines

    def test_columns_in_which_all_of_ours_are_behind_are_listed(self) -> None:
        lines = list(losses([TABLE]))
        assert "- segments, old de-en: `chrf` 0.400 before `plain` 0.300" in lines
        assert "- segments, new fr-en: `chrf` 0.750 before `learnt` 0.500" in lines
        assert not any("new de-en: `chrf`" in line for line in lines)

    def test_no_loss_is_said_as_well(self) -> None:
        table = ResultTable("rankings", "Into English", "segment", ROWS, (NEW,), "rankings, τ")
        lines = list(losses([table]))
        assert "- `learnt`: nowhere." in lines
        assert "In every column a metric of ours is in the best cluster." in lines


class TestPages:
    @pytest.mark.parametrize("name", sections([TABLE], {}, []))
    def test_every_section_has_one_place(self, name: str) -> None:
        pages = [page.read_text("utf-8") for page in RESULTS.glob("*.md")]
        assert sum(f"<!-- {name} -->" in page for page in pages) == 1

    def test_they_survive_being_written_again(self) -> None:
        for name, lines in sections([TABLE], {"chrf en": "chrf|nrefs:1"}, []).items():
            once = with_section(f"<!-- {name} -->\n<!-- /{name} -->\n", name, lines)
            assert with_section(once, name, lines) == once


def judgements(systems: int, segments: int, *, documents: bool) -> Judgements:
    shape = systems, segments
    return Judgements(
        "made",
        "de-en",
        tuple(f"s{n}" for n in range(systems)),
        tuple(map(str, range(segments))),
        ("d",) * segments if documents else None,
        (JudgedText("a", ("a",)),),
        np.zeros(shape, dtype=np.int32),
        np.zeros(shape),
    )


class TestMeasures:
    def test_one_system_is_judged_by_segments_only(self) -> None:
        found = [one.label for one in measures(judgements(1, 30, documents=False))]
        assert found == ["pearson, segment level", "kendall, segment level"]

    def test_documents_and_five_systems_are_judged_as_such(self) -> None:
        levels = [one.level for one in measures(judgements(5, 30, documents=True))]
        assert levels == ["segment", "segment", "segment", "document", "system", "system"]

    def test_systems_need_enough_segments(self) -> None:
        assert all(one.level != "system" for one in measures(judgements(5, 19, documents=False)))

    def test_trained_sets_are_sets_of_the_page(self) -> None:
        names = {data.file.partition(".")[0] for plan in PLANS for data in plan.data}
        for plan in PLANS:
            for row in plan.rows:
                assert row.trained | row.touched <= names
