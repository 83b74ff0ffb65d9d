"""``metaphrase job``: a corpus in shards, from the plan to the scores."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli.bundled import EXAMPLES, REFERENCE, SYSTEMS, Fails, Prints
from metaphrase.cli import main
from metaphrase.cli.job import plan as cli_plan
from metaphrase.cli.job import run as cli_run
from metaphrase.jobs import planning, profile_sums
from metaphrase.jobs.engines import registry

pytest.importorskip("pyarrow")

TABLE = EXAMPLES / "segments.jsonl"
COLUMNS = ("--columns", "hypothesis=fluent,hypothesis=clumsy")


@pytest.fixture
def job(tmp_path: Path, prints: Prints) -> Path:
    """A job of three shards."""
    prints(
        "job", "plan", TABLE, "-o", tmp_path / "job", *COLUMNS, "-m", "chrf", "ter",
        "--keep", "id", "--confidence", "50", "--rows-per-shard", "5",
    )  # fmt: skip
    return tmp_path / "job"


class TestPlan:
    def test_says_what_is_planned(self, tmp_path: Path, prints: Prints) -> None:
        folder = tmp_path / "job"
        plan = ("job", "plan", TABLE, "-o", folder, *COLUMNS, "-m", "chrf", "--keep", "id")
        out = prints(*plan)
        first, second, *others = out.splitlines()
        assert first == f"{folder}: 1 table, 12 rows, 1 shard"
        assert second.startswith("job ")
        assert others == [
            "systems: fluent, clumsy; references: reference; kept: id",
            "chrf|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|"
            + others[-1].partition("space:no|")[2],
        ]
        assert prints(*plan) == out

    def test_mistakes(self, tmp_path: Path, job: Path, fails: Fails) -> None:
        plan = ("job", "plan", TABLE, "-o")
        fails(1, ("MP934", "bleu is new"), *plan, job, *COLUMNS, "-m", "bleu")
        fails(2, ("MP602", "Put the tables first"), *plan, tmp_path / "x", "-m", "chrf", TABLE)
        fails(1, ("MP140", "'mt'"), *plan, tmp_path / "x", "--columns", "hypothesis=mt")
        fails(2, ("MP940", "topic"), *plan, tmp_path / "x", *COLUMNS, "-m", "pbe:ngram+topic")
        fails(2, "MP109", *plan, tmp_path / "x", "--columns", "hypothesis")
        assert not (tmp_path / "x").exists()


def test_help_says_what_the_library_does() -> None:
    """Without importing it."""
    assert set(cli_run.ENGINES) == set(registry.ENGINES)
    assert cli_plan.ROWS == planning.ROWS
    assert cli_plan.PROFILED * 8 < profile_sums.MOST_REPAIRS  # so that none of a sample is left out


class TestRun:
    def test_from_the_plan_to_the_scores(self, job: Path, prints: Prints) -> None:
        out = prints("job", "run", job, "--workers", "1")
        assert out.startswith(f"{job}: 3 shards done now\n12 rows in ")
        assert prints("job", "run", job) == f"{job}: 0 shards done now, 3 before\n"
        out = prints("job", "status", job)
        assert "shards  3 of 3 done\nrows    12 of 12, 100.0%\n" in out
        assert json.loads(prints("job", "status", job, "--format", "json"))["done"] is True

    def test_the_table_is_that_of_score(self, job: Path, prints: Prints, tmp_path: Path) -> None:
        prints("job", "run", job, "--workers", "1")
        scores = ("score", REFERENCE, "-i", f"fluent={SYSTEMS[0]}", f"clumsy={SYSTEMS[1]}")
        for form in ("json", "tsv"):
            expected = prints(*scores, "-m", "chrf", "ter", "--format", form)
            found = prints("job", "finish", job, "--format", form)
            if form == "json":
                whole = json.loads(found)
                assert whole["resampling"]["confidence"] == 50
                assert _systems(whole) == _systems(json.loads(expected))
                written = json.loads((job / "scores.json").read_text("utf-8"))
                assert written.pop("job")
                assert written == whole
            else:
                assert [line.split("\t")[:5] for line in found.splitlines()] == [
                    line.split("\t")[:5] for line in expected.splitlines()
                ]
        text = prints("job", "finish", job)
        assert "2 systems · 12 segments · 1 reference" in text
        assert "±: 95 % of 50 bootstrap resamples; seed 12345" in text
        prints("job", "finish", job, "--format", "parquet", "-o", tmp_path / "scores.parquet")
        assert (tmp_path / "scores.parquet").stat().st_size

    def test_what_points_are_lost_by(self, tmp_path: Path, prints: Prints, fails: Fails) -> None:
        job = tmp_path / "profiled"
        plan = ("job", "plan", TABLE, "-o", job, *COLUMNS, "--rows-per-shard", "5", "-m")
        fails(2, "MP947", *plan, "nist", "--profile")
        prints(*plan, "chrf", "ter", "--profile", "11")
        prints("job", "run", job, "--workers", "1")
        text = prints("job", "finish", job)
        assert "chrf · 2 systems · a sample of 11 of 12 segments" in text
        assert "score of all 12" in text
        assert "fluent scores" in text
        assert text.index("2 systems · 12 segments") < text.index("points lost by")
        whole = json.loads(prints("job", "finish", job, "--format", "json"))
        assert [one["metric"] for one in whole["profiles"]] == ["chrf", "ter"]
        written = json.loads((job / "scores.json").read_text("utf-8"))
        assert written["profiles"] == whole["profiles"]
        page = tmp_path / "job.html"
        prints("job", "report", job, "-o", page)
        assert 'data-block="profile/1"' in page.read_text("utf-8")

    def test_shares_of_machines_that_know_nothing_of_each_other(
        self, job: Path, prints: Prints, fails: Fails
    ) -> None:
        prints("job", "run", job, "--shard", "1/2", "--workers", "1")
        assert "shards  2 of 3 done" in prints("job", "status", job)
        fails(1, ("MP942", "1 of 3 shards"), "job", "finish", job)
        prints("job", "run", job, "--shard", "2/2", "--workers", "1")
        prints("job", "finish", job)
        for share in ("0/2", "3/2", "1", "a/b", "1/"):
            with pytest.raises(SystemExit):
                main(["job", "run", str(job), "--shard", share])

    def test_shares_of_a_job_with_a_first_pass_run_twice(
        self, tmp_path: Path, prints: Prints, fails: Fails
    ) -> None:
        job = tmp_path / "job"
        plan = ("job", "plan", TABLE, "-o", job, *COLUMNS, "-m", "nist", "--rows-per-shard", "5")
        assert "\nfirst pass over all shards: nist\n" in prints(*plan)
        run = ("job", "run", job, "--workers", "1", "--shard")
        fails(1, ("MP946", "1 of 3", "once more"), *run, "1/2")
        assert "first   2 of 3 shards looked through\nshards  0 of 3 done" in prints(
            "job", "status", job
        )
        assert prints(*run, "2/2").startswith(f"{job}: 1 shard done now\n")
        assert prints(*run, "1/2").startswith(f"{job}: 2 shards done now\n")
        assert "nist" in prints("job", "finish", job)

    def test_a_shard_that_fails(
        self, tmp_path: Path, prints: Prints, capsys: pytest.CaptureFixture[str]
    ) -> None:
        lines = TABLE.read_text("utf-8").splitlines(keepends=True)
        table = tmp_path / "table.jsonl"
        table.write_text("".join(lines), "utf-8")
        job = tmp_path / "job"
        prints("job", "plan", table, "-o", job, *COLUMNS, "-m", "ter", "--rows-per-shard", "5")
        good = table.read_bytes()
        table.write_bytes(good.replace(b'"id": 7,', b'"id": 9,'))
        assert main(["job", "run", str(job), "--workers", "1"]) == 1
        out = capsys.readouterr().out.splitlines()
        assert out[0] == f"{job}: 2 shards done now, 1 failed"
        assert out[2].startswith(f"shard 1: [MP936] {table}: ")
        assert "failed  shard 1: [MP936]" in prints("job", "status", job)
        table.write_bytes(good)
        assert prints("job", "run", job).startswith(f"{job}: 1 shard done now, 2 before\n")
        assert "failed" not in prints("job", "status", job)

    def test_a_metric_of_ones_own(self, tmp_path: Path, prints: Prints, own_registry: None) -> None:
        load = ("--load", EXAMPLES / "word_recall.py")
        job = tmp_path / "job"
        plan = ("job", "plan", TABLE, "-o", job, *COLUMNS, "-m", "word-recall", *load)
        prints(*plan, "--rows-per-shard", "6")
        run = subprocess.run(
            [sys.executable, "-m", "metaphrase", "job", "run", job, "--workers", "2", *load],
            capture_output=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        assert "word-recall" in prints("job", "finish", job, *load)

    def test_mistakes(self, tmp_path: Path, job: Path, fails: Fails) -> None:
        for step in ("run", "status", "finish"):
            fails(1, "MP930", "job", step, tmp_path)
        fails(2, "MP939", "job", "run", job, "--address", "here:8786")
        fails(2, "MP613", "job", "finish", job, "--format", "parquet")


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_leave_a_job_that_goes_on(
    number: signal.Signals, code: int, tmp_path: Path, prints: Prints
) -> None:
    """Whoever stops a job keeps what is done, and leaves no half files and no processes."""
    rows = TABLE.read_text("utf-8") * 600
    (tmp_path / "table.jsonl").write_text(rows, "utf-8")
    job = tmp_path / "job"
    prints(
        "job", "plan", tmp_path / "table.jsonl", "-o", job, *COLUMNS, "-m", "chrf", "ter", "bleu",
        "--rows-per-shard", "120",
    )  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-m", "metaphrase", "job", "run", job, "--workers", "2"],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not (job / "manifests" / "part-00003.json").exists():
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == code, said
    assert said.count("\n") == 1
    assert said.startswith("metaphrase: ")
    assert not list(job.rglob(".metaphrase-*.tmp"))
    assert is_gone_soon(process.pid)
    done = json.loads(prints("job", "status", job, "--format", "json"))["shards_done"]
    assert 3 <= done < 60
    assert f"{60 - done} shards done now, {done} before" in prints(
        "job", "run", job, "--workers", "1"
    )


def is_gone_soon(group: int) -> bool:
    """Whether no process of a group is left; a helper of Python's own follows the others."""
    for _ in range(500):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def _systems(whole: dict[str, object]) -> list[object]:
    """Names and scores alone."""
    systems = whole["systems"]
    assert isinstance(systems, list)
    return [(one["name"], one["scores"]) for one in systems]
