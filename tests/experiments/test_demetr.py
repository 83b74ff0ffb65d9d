"""What the pages of errors show of a probe, and that each part has its place there."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("experiments.demetr", reason="a source distribution has no experiments")

from experiments.demetr import sections
from experiments.frame import RESULTS
from experiments.probe_tables import kind_lines, mean_lines
from experiments.probes import made_lines
from experiments.treebank_features import changed_word

from metaphrase.probing import Challenge, Probed, make_challenges
from metaphrase.scoring import MetricInfo

#: So many that no resample misses a kind.
COPIES = 30


@pytest.fixture
def probed() -> Probed:
    """A metric that is right but for a tie in every second noun, and one that sees the antonyms only."""
    kinds = (
        ("base", "reference"),
        ("critical", "antonym"),
        ("critical", "noun removed"),
        ("minor", "case"),
    )
    items = [
        Challenge(kind=kind, severity=severity, reference="r", good="g", bad="b", id=str(number))
        for severity, kind in kinds
        for number in range(COPIES)
    ]
    good = np.ones((2, len(items)))
    bad = np.zeros((2, len(items)))
    nouns = np.array([item.kind == "noun removed" for item in items])
    bad[0, nouns] = np.arange(COPIES) % 2
    bad[1] = np.array([0.0 if item.kind == "antonym" else 2.0 for item in items])
    infos = tuple(MetricInfo(name, f"{name}|1", True, (0.0, 1.0)) for name in ("good", "bad"))
    return Probed(tuple(items), infos, good, bad)


class TestPage:
    def test_means_have_intervals_and_ties_are_apart(self, probed: Probed) -> None:
        lines = list(mean_lines(probed, ["critical", "minor"]))
        assert lines[0] == "| metric | critical (2) | minor (1) | critical ties | minor ties |"
        assert lines[2].startswith("| `good` | **75.0** (")
        assert lines[2].endswith("| **100.0** (100.0–100.0) | 25.0 | 0.0 |")
        assert lines[3] == "| `bad` | 50.0 (50.0–50.0) | 0.0 (0.0–0.0) | 0.0 | 0.0 |"

    def test_ties_stand_in_brackets(self, probed: Probed) -> None:
        lines = list(kind_lines(probed, probed.kinds))
        assert "| noun removed | 30 | 50.0 (50) | 0.0 |" in lines
        assert "| antonym | 30 | 100.0 | 100.0 |" in lines

    def test_every_section_has_its_place(self, probed: Probed) -> None:
        page = (RESULTS / "demetr.md").read_text("utf-8")
        for name in sections(probed, ""):
            assert page.count(f"<!-- {name} -->") == 1
        page = (RESULTS / "probes.md").read_text("utf-8")
        for name in ("probes", "probes-made", "probes-agreement", "probes-data"):
            assert page.count(f"<!-- {name} -->") == 1


def test_what_was_made_is_a_table() -> None:
    made = make_challenges(["It is 9 o'clock in Rome."], lang="en")
    assert next(line for line in made_lines({"en": made}) if "numbers" in line).startswith(
        "| numbers | 1 |"
    )


def test_the_changed_word_is_found_without_its_marks() -> None:
    item = Challenge(
        kind="agreement", reference="r", good='He said: "she wants."', bad='He said: "she want."'
    )
    assert changed_word(item) == ("wants", "want")
