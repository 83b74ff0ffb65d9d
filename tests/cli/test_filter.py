"""``metaphrase filter``: says what it kept, and writes all of it or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.bundled import EXAMPLES, Fails, Prints

pytest.importorskip("pyarrow")

SEGMENTS = EXAMPLES / "segments.jsonl"
ONE = ("--workers", "1", "--columns", "hypothesis=clumsy")


def test_rows_are_kept_as_they_were_and_counted(tmp_path: Path, prints: Prints) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    said = prints(
        *("filter", SEGMENTS, "--keep", "chrf > 60 and not ter >= 50", *ONE),
        *("-o", good, "--rejected", bad),
    )
    assert said == "kept 4 of 12 rows (33.3 %)\n"
    kept, rejected = (set(path.read_text().splitlines()) for path in (good, bad))
    assert (len(kept), len(rejected)) == (4, 8)
    assert kept | rejected == set(SEGMENTS.read_text().splitlines())


def test_without_a_file_rows_are_only_counted(prints: Prints, tmp_path: Path) -> None:
    assert (
        prints("filter", SEGMENTS, "--keep", "ter < 1e9", *ONE) == "kept 12 of 12 rows (100.0 %)\n"
    )


def test_scores_can_be_kept_for_another_condition(tmp_path: Path, prints: Prints) -> None:
    for condition in ("chrf > 60", "chrf > 50"):
        prints("filter", SEGMENTS, "--keep", condition, *ONE, "--job", tmp_path / "job")
    assert (tmp_path / "job" / "parts").is_dir()


def test_mistakes_are_told_in_one_line(tmp_path: Path, fails: Fails) -> None:
    fails(2, ("MP950", "at character 6"), "filter", SEGMENTS, "--keep", "chrf = 3", *ONE)
    fails(2, ("MP951", "'chrf'"), "filter", SEGMENTS, "--keep", "chfr > 3", *ONE)
    fails(2, "MP952", "filter", SEGMENTS, "--keep", "chrf > 3", "--workers", "1")
    fails(2, "MP954", "filter", SEGMENTS, "--keep", "chrf > 3", "-o", tmp_path / "kept.csv", *ONE)
    fails(1, "MP110", "filter", tmp_path / "no.jsonl", "--keep", "chrf > 3", *ONE)
    assert list(tmp_path.iterdir()) == []
