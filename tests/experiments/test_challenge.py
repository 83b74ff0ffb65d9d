"""The page of the challenge set: its tables, and that its counts are those of the files."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("experiments.challenge", reason="a source distribution has no experiments")

from experiments.challenge import (
    CHINESE,
    item_lines,
    mean_lines,
    pooled,
    read_sets,
    same_lines,
    variants,
)
from experiments.frame import RESULTS, with_section

from metaphrase.probing import Challenge, Probed
from metaphrase.scoring import MetricInfo

PAGE = RESULTS / "challenge.md"
SECTIONS = ("-items", "", "-kinds", "-equal", "-languages", "-data")


def probed(language: str, names: list[str], good: list[list[float]]) -> Probed:
    """One mild and one free item, whose bad translation scores 0.5; of TER, less is better."""
    items = tuple(
        Challenge(
            kind="number", severity="critical", reference="r", good="g", bad="b",
            id=f"{language}-{distance}-001",
        )
        for distance in ("mild", "free")
    )  # fmt: skip
    metrics = tuple(
        MetricInfo(name, name, name.partition(":")[0] != "ter", (0.0, 1.0)) for name in names
    )
    return Probed(items, metrics, np.array(good), np.full((len(names), 2), 0.5))


@pytest.fixture
def both() -> dict[str, Probed]:
    """Two metrics know English, one of them Chinese too, under a longer name."""
    return {
        "en": probed("en", ["cobalt", "ter"], [[0.9, 0.1], [0.5, 0.9]]),
        "zh": probed("zh", [CHINESE["ter"]], [[0.4, 0.6]]),
    }


def test_a_metric_has_a_row_of_mild_and_free_items_under_its_short_name(
    both: dict[str, Probed],
) -> None:
    assert list(mean_lines(both))[2:] == [
        "| `cobalt` | 100.0 / 0.0 | — |",
        "| `ter` | 0.0 / 0.0 | 100.0 / 0.0 |",
    ]


def test_ties_with_the_reference_are_counted(both: dict[str, Probed]) -> None:
    assert list(same_lines(both))[2:] == ["| `cobalt` | 0 | — |", "| `ter` | 50 | 0 |"]


def test_all_languages_together_have_the_metrics_that_know_all(both: dict[str, Probed]) -> None:
    together = pooled(both)
    assert [info.name for info in together.metrics] == ["ter"]
    assert together.right("ter").tolist() == [False, False, True, False]
    assert [item.id for item in together.items] == [
        "en-mild-001",
        "en-free-001",
        "zh-mild-001",
        "zh-free-001",
    ]


def test_a_variant_is_compared_with_the_reference_itself() -> None:
    for items in read_sets().values():
        for item in variants(items):
            assert item.good == item.reference != item.bad


@pytest.mark.parametrize("name", SECTIONS)
def test_each_section_has_its_place(name: str) -> None:
    assert "here\n" in with_section(PAGE.read_text("utf-8"), f"challenge{name}", ["here"])


def test_the_page_counts_the_items_of_the_files() -> None:
    text = PAGE.read_text("utf-8")
    assert with_section(text, "challenge-items", list(item_lines(read_sets()))) == text
