"""A sample is rows of the job, always the same ones, from few shards."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path

import numpy as np
import pytest

from metaphrase.cli import main
from metaphrase.errors import OptionError
from metaphrase.jobs import Local, plan, run
from metaphrase.jobs.sampling import sample

pytest.importorskip("pyarrow")


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """100 rows in 10 shards; the text of a row is its number."""
    lines = [
        json.dumps({"src": f"s {n}", "reference": f"number {n}", "mt": f"number {n + n % 2}"})
        for n in range(100)
    ]
    (tmp_path / "table.jsonl").write_text("".join(f"{line}\n" for line in lines))
    plan(
        [tmp_path / "table.jsonl"],
        tmp_path / "job",
        ["ter"],
        rows_per_shard=10,
        check_language=False,
    )
    return tmp_path / "job"


def test_a_sample_is_rows_in_their_order(job: Path) -> None:
    drawn = sample(job, 20)
    assert len(drawn.corpus) == 20
    assert np.all(np.diff(drawn.rows) > 0)
    assert drawn.corpus.references[0] == tuple(f"number {n}" for n in drawn.rows)
    assert drawn.corpus.sources == tuple(f"s {n}" for n in drawn.rows)


def test_a_sample_comes_again_and_another_seed_draws_another(job: Path) -> None:
    assert np.array_equal(sample(job, 20).rows, sample(job, 20).rows)
    assert not np.array_equal(sample(job, 20).rows, sample(job, 20, seed=3).rows)


def test_few_shards_are_read(job: Path) -> None:
    drawn = sample(job, 12, shards=3)
    assert drawn.shards <= 3
    assert len({row // 10 for row in drawn.rows.tolist()}) == drawn.shards
    assert len(drawn.rows) == 12


def test_a_sample_of_more_rows_than_there_are_is_all_of_them(job: Path) -> None:
    assert sample(job, 1000).rows.tolist() == list(range(100))


def test_all_rows_are_drawn_equally_often(job: Path) -> None:
    counts = np.zeros(100)
    for seed in range(300):
        counts[sample(job, 10, seed=seed, shards=2).rows] += 1
    # 30 each; shards come together, so that counts vary more than by themselves.
    assert counts.min() > 5
    assert counts.max() < 65


def test_no_rows_are_no_sample(job: Path) -> None:
    with pytest.raises(OptionError, match="MP939"):
        sample(job, 0)


def test_a_report_shows_a_sample_under_the_scores_of_all(
    job: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = job.parent / "report.html"
    assert main(["job", "report", str(job), "-o", str(page)]) == 1
    assert "MP942" in capsys.readouterr().err
    run(job, engine=Local(workers=1))
    assert main(["job", "report", str(job), "-o", str(page), "--sample", "7"]) == 0
    assert "7 segments of 100" in capsys.readouterr().out
    text = page.read_text()
    assert "The scores of systems are of all 100 segments of the job. Shown are 7 of them" in text
    total = json.loads((job / "scores.json").read_text())["systems"][0]["scores"]["ter"]
    assert f'"score":{total}' in text.replace(": ", ":")
    # Rows are known by their place in the job.
    packed = re.search('data-block="texts/0">([^<]+)<', text)[1]
    texts = json.loads(zlib.decompress(base64.b64decode(packed), wbits=-15))
    assert texts["units"] == [f"row {row + 1}" for row in sample(job, 7).rows]
