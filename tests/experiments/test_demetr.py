"""DEMETR: how its files are read, when a metric is right, and what the page shows of it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("experiments.demetr", reason="a source distribution has no experiments")

from experiments.demetr import ErrorsSeen, Verdicts, sections
from experiments.demetr_items import Kind, as_judgements, checked, demetr_files, read_kind
from experiments.frame import RESULTS

REFERENCE = "The cat sleeps."
FINE = "A cat is sleeping."
#: So many that no resample misses a kind.
COPIES = 30


def write(folder: Path, name: str, *spoilt: str) -> None:
    """A file of DEMETR; the error could not be put into texts that are as they were."""
    rows = [
        {
            "id": number,
            "src_sent": "Die Katze schläft.",
            "eng_sent": REFERENCE,
            "mt_sent": FINE,
            "pert_sent": text,
            "pert_check": text != FINE,
            "severity": name.split("_")[0],
            "pert_name": name,
        }
        for number, text in enumerate(spoilt * COPIES, 1)
    ]
    with gzip.open(folder / f"{name}.json.gz", "wt", encoding="utf-8") as stream:
        json.dump(rows, stream)


@pytest.fixture
def kinds(tmp_path: Path) -> tuple[Kind, ...]:
    write(tmp_path, "minor_id2_repeat4", "A cat is sleeping sleeping.", FINE)
    write(tmp_path, "critical_id10_noun_removed", "A is sleeping.", "A cat.")
    write(tmp_path, "critical_id9_antonym", "A cat is waking.", FINE)
    write(tmp_path, "base_id35_reference", REFERENCE, REFERENCE)
    return tuple(map(read_kind, demetr_files(tmp_path)))


class TestReading:
    def test_kinds_are_in_the_order_of_their_numbers(self, kinds: tuple[Kind, ...]) -> None:
        assert [kind.title for kind in kinds] == [
            "reference",
            "antonym",
            "noun removed",
            "repeat4",
        ]
        assert [kind.severity for kind in kinds] == ["base", "critical", "critical", "minor"]

    def test_the_translation_is_better_than_the_spoilt_one(self, kinds: tuple[Kind, ...]) -> None:
        item = kinds[1].items[0]
        assert (item.better, item.worse) == (FINE, "A cat is waking.")

    def test_the_reference_is_better_than_the_translation(self, kinds: tuple[Kind, ...]) -> None:
        item = kinds[0].items[0]
        assert (item.better, item.worse) == (REFERENCE, FINE)

    def test_items_without_their_error_do_not_count(self, kinds: tuple[Kind, ...]) -> None:
        assert checked(kinds)[:, :2].tolist() == [[True, True], [True, False]] * 2
        assert [kind.size for kind in kinds] == [2 * COPIES, COPIES, 2 * COPIES, COPIES]

    def test_every_text_is_scored_once(self, kinds: tuple[Kind, ...]) -> None:
        judged = as_judgements(kinds)
        said = [text.hypothesis for text in judged.texts]
        assert len(set(said)) == len(said) == 6
        assert judged.target == "en"
        assert [said[place] for place in judged.text_of[2:4, 0]] == [FINE, "A cat is waking."]


@pytest.fixture
def seen(kinds: tuple[Kind, ...]) -> ErrorsSeen:
    """A metric that is right but for a tie, and one that is wrong but for the first error."""
    counts = checked(kinds)
    better, good, bad = np.ones(counts.shape), np.zeros(counts.shape), np.full(counts.shape, 2.0)
    good[2, 1::2] = 1.0
    bad[1] = 0.0
    return ErrorsSeen(
        kinds,
        counts,
        tuple(
            Verdicts.of_scores(name, np.stack([better, worse], axis=1).reshape(8, -1), counts)
            for name, worse in (("good", good), ("bad", bad))
        ),
    )


class TestVerdicts:
    def test_a_tie_is_not_right(self, seen: ErrorsSeen) -> None:
        good, bad = seen.verdicts
        assert seen.share(good.right).tolist() == [100, 100, 50, 100]
        assert seen.share(good.tied).tolist() == [0, 0, 50, 0]
        assert seen.share(bad.right).tolist() == [0, 100, 0, 0]

    def test_kinds_count_alike_in_a_mean(self, seen: ErrorsSeen) -> None:
        assert [seen.mean(one, "critical").value for one in seen.verdicts] == [75, 50]


class TestPage:
    def test_means_have_intervals_and_ties_are_apart(self, kinds: tuple[Kind, ...]) -> None:
        counts = checked(kinds)
        always = Verdicts("always", counts, counts & ~counts)
        lines = list(ErrorsSeen(kinds, counts, (always,)).mean_lines())
        assert lines[0] == "| metric | critical (2) | minor (1) | critical ties | minor ties |"
        assert lines[2] == (
            "| `always` | **100.0** (100.0–100.0) | **100.0** (100.0–100.0) | 0.0 | 0.0 |"
        )

    def test_ties_stand_in_brackets(self, seen: ErrorsSeen) -> None:
        lines = list(seen.kind_lines())
        assert "| noun removed | 60 | 50.0 (50) | 0.0 |" in lines
        assert "| antonym | 30 | 100.0 | 100.0 |" in lines

    def test_every_section_has_its_place(self, seen: ErrorsSeen) -> None:
        page = (RESULTS / "demetr.md").read_text("utf-8")
        for name in sections(seen, {}, ""):
            assert page.count(f"<!-- {name} -->") == 1
