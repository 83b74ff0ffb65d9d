"""What tests of training share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

HEADER = "set\tlp\tsystem\tdoc\tseg\tsource\treferences\thypothesis\thuman"


@pytest.fixture
def score_table(tmp_path: Path) -> Callable[..., Path]:
    """Writes a table of judgements: rows of language pair, references, hypothesis and score."""

    def write(rows: list[tuple[str, str, str, str]], name: str = "scores", data: str = "s") -> Path:
        lines = [HEADER]
        for number, (pair, references, hypothesis, human) in enumerate(rows):
            cells = (data, pair, "x", "", str(number), f"source {number}")
            lines.append("\t".join([*cells, references, hypothesis, human]))
        path = tmp_path / f"{name}.tsv"
        path.write_text("\n".join(lines) + "\n")
        return path

    return write


@pytest.fixture
def judged(score_table: Callable[..., Path]) -> Path:
    """Forty judgements of two language pairs: the more words are missing or wrong, the lower the score."""
    words = "the old man saw a small dog near the river and went home before it rained .".split()
    rows = []
    for number in range(40):
        reference = [*words[number % 5 : 10 + number % 7], "."]
        dropped = number % 4
        hypothesis = reference[dropped:-1] + ["cats"] * (number % 3) + ["."]
        score = 1.0 - 0.3 * dropped - 0.2 * (number % 3) + 0.05 * (number % 2)
        pair = "de-en" if number % 2 else "fr-en"
        rows.append((pair, " ".join(reference), " ".join(hypothesis), str(score)))
    return score_table(rows)
