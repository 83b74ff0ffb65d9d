"""References that some segments lack, from files to scores and explanations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.bundled import Answers, Fails, Prints
from metaphrase.cli import main


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    texts = {
        "ref": "a cat sat on it\na dog\nyes\n",
        "ref2": "the cat was there\n\n \n",
        "ref3": "\none dog\n\n",
        "one": "a cat sat\na dog\nno\n",
        "two": "the cat was there\none dog\nno\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return {name: tmp_path / name for name in texts}


def test_an_empty_line_of_a_further_file_is_no_reference(
    files: dict[str, Path], answers: Answers, fails: Fails
) -> None:
    references = files["ref"], files["ref2"], files["ref3"]
    found = answers("score", *references, "-i", files["two"], "-m", "ter")
    assert "|nrefs:var|" in found["metrics"][0]["signature"]
    # By hand: no edits, no edits, one; the mean lengths are 4.5, 2 and 1 words.
    assert found["systems"][0]["scores"]["ter"] == 100 * 1 / 7.5
    options = "-i", files["two"], "-m", "ter", "--empty-references", "error"
    fails(None, ("MP105", f"{files['ref2']}, line 2"), "score", *references, *options)
    fails(
        None,
        ("MP105", f"{files['ref2']}, line 2"),
        "score",
        files["ref2"],
        files["ref"],
        *options[:4],
    )


def test_explanations_skip_what_is_not_there(files: dict[str, Path], prints: Prints) -> None:
    references = files["ref"], files["ref2"], files["ref3"]
    told = prints("explain", *references, "-i", files["two"], "-m", "ter", "--segment", "2")
    assert "reference 1 of 3" in told
    assert "reference 2 of 3" not in told
    assert "reference 3 of 3" in told


def test_a_report_has_empty_texts_there(files: dict[str, Path], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    command = ["report", *map(str, (files["ref"], files["ref2"])), "-i", str(files["two"])]
    assert main([*command, "-m", "ter", "-o", str(page)]) == 0
    assert page.stat().st_size > 1000


def test_a_baseline_keeps_how_many_references_there_were(
    files: dict[str, Path], tmp_path: Path
) -> None:
    baseline = tmp_path / "baseline.json"
    texts = [str(files["ref"]), str(files["ref2"]), "-i", str(files["two"]), "-m", "ter"]
    assert main(["gate", *texts, "--no-checks", "--write-baseline", str(baseline)]) == 0
    assert main(["gate", *texts, "--no-checks", "--baseline", str(baseline), "--rescore"]) == 0


def test_jobs_give_the_scores_of_one_run(tmp_path: Path, answers: Answers, prints: Prints) -> None:
    pytest.importorskip("pyarrow")
    table = tmp_path / "table.tsv"
    table.write_text("reference\treference2\tmt\na cat\tthe cat\tthe cat\na dog\t\tone dog\n" * 3)
    metrics = "-m", "bleu", "nist"
    prints("job", "plan", table, "-o", tmp_path / "job", *metrics, "--rows-per-shard", "2")
    prints("job", "run", tmp_path / "job")
    prints("job", "finish", tmp_path / "job")
    found = json.loads((tmp_path / "job" / "scores.json").read_text())
    expected = answers("score", "--corpus", table, *metrics)
    assert found["systems"][0]["scores"] == expected["systems"][0]["scores"]
    assert [one["signature"] for one in found["metrics"]] == [
        one["signature"] for one in expected["metrics"]
    ]


def test_what_further_references_change(
    files: dict[str, Path], prints: Prints, answers: Answers, fails: Fails
) -> None:
    references = files["ref"], files["ref2"], files["ref3"]
    command = "score", *references, "-i", files["one"], files["two"], "-m", "ter"
    found = answers(*command, "--reference-effect")
    assert [one["segments"] for one in found["references"]] == [3, 1, 1]
    assert [one["ranks"] for one in found["metrics"][0]["systems"]] == [[1, 2, 2], [2, 1, 1]]
    assert "changes places: one and two" in prints(*command, "--reference-effect")
    assert len(prints(*command, "--reference-effect", "--format", "tsv").splitlines()) == 7
    one = "score", files["ref"], "-i", files["one"], "-m", "ter", "--reference-effect"
    fails(None, "MP116", *one)
    for idle in (["--wins"], ["--paired-ar"], ["--level", "segment"], ["--format", "csv"]):
        fails(2, "MP117", *command, "--reference-effect", *idle)
