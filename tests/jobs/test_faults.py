"""Whatever dies while a job runs: nothing is lost, nothing is there twice, and running it again goes on."""

from __future__ import annotations

import os
import resource
import signal
from pathlib import Path

import pytest

from jobs.troubled_jobs import (
    METRIC,
    PATIENCE,
    Troubled,
    has_ended,
    litter,
    runs_out_of_disk,
    until,
)
from metaphrase import jobs
from metaphrase.errors import MetaphraseError
from metaphrase.jobs import running

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX"),
    pytest.mark.usefixtures("own_registry"),
]


class TestOneMachine:
    def test_deaths_failures_and_a_straggler(self, tmp_path: Path) -> None:
        job = Troubled.planned(tmp_path, {0: "wait", 2: "once", 3: "fail", 4: "always"}, shards=8)
        process = job.start("--workers", "2")
        # While one process waits, the other ones do all the rest.
        until(lambda: job.done() == {1, 2, 5, 6, 7} and len(job.tries(4)) == 2)
        assert job.tries(0) == job.tries(0)[:1]
        job.place(0).touch()
        output, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 1, errors
        assert "6 shards done now, 2 failed" in output
        assert "shard 3: ValueError: this text cannot be scored" in output
        assert "shard 4: [MP941] the process of shard 4 died each time (SIGKILL)." in output
        assert [len(job.tries(number)) for number in (0, 2, 3, 4)] == [1, 2, 1, 3]
        assert list(jobs.status(job.folder).failed) == [3, 4]
        job.goes_on()
        assert jobs.status(job.folder).failed == {}

    def test_all_processes_killed_at_once(self, tmp_path: Path) -> None:
        job = Troubled.planned(tmp_path, {0: "wait", 1: "wait"})
        process = job.start("--workers", "2")
        until(lambda: job.tries(0) and job.tries(1))
        for number in (0, 1):
            os.kill(job.tries(number)[0], signal.SIGKILL)
        until(lambda: len(job.tries(0)) == len(job.tries(1)) == 2)
        for number in (0, 1):
            job.place(number).touch()
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
        job.is_whole()

    @pytest.mark.parametrize(
        ("sent", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGKILL, -9)]
    )
    def test_the_first_process_ends(self, sent: int, code: int, tmp_path: Path) -> None:
        """Then the others end, and put away what they had begun, even if nobody tells them to."""
        job = Troubled.planned(tmp_path, {2: "wait", 3: "wait"})
        process = job.start("--workers", "2")
        until(lambda: job.tries(2) and job.tries(3))
        assert job.done() == {0, 1}
        assert len(litter(job.folder)) == 2
        process.send_signal(sent)
        _, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == code
        assert "Traceback" not in errors
        until(lambda: has_ended(job.tries(2)[0]) and has_ended(job.tries(3)[0]))
        assert litter(job.folder) == []
        job.goes_on()

    def test_two_shells_with_a_share_each(self, tmp_path: Path) -> None:
        job = Troubled.planned(tmp_path, {0: "wait", 1: "wait"}, shards=7)
        shells = [job.start("--shard", f"{i}/2", "--workers", "1") for i in (1, 2)]
        # Both are at it.
        until(lambda: job.tries(0) and job.tries(1))
        with pytest.raises(MetaphraseError, match="7 of 7 shards are not done"):
            jobs.finish(job.folder)
        for number in (0, 1):
            job.place(number).touch()
        said = [shell.communicate(timeout=PATIENCE)[0] for shell in shells]
        assert [shell.returncode for shell in shells] == [0, 0]
        assert ["4 shards done now" in said[0], "3 shards done now" in said[1]] == [True, True]
        assert (len(job.tries(0)), len(job.tries(1))) == (1, 1)
        job.is_whole()


class TestFullDisk:
    def test_files_that_may_not_grow(self, tmp_path: Path) -> None:
        """Of all things that a full disk does, this one happens everywhere."""
        job = Troubled.planned(tmp_path, {})

        def no_room() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))

        process = job.start("--workers", "2", preexec_fn=no_room)
        output, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 1, errors
        assert "0 shards done now, 6 failed" in output
        assert "part-00000.parquet: The file cannot be written: File too large." in output
        assert job.done() == set()
        assert litter(job.folder) == []
        job.goes_on()

    def test_a_disk_without_room(self, small_disk: Path) -> None:
        runs_out_of_disk(small_disk, "--workers", "1")


class TestElsewhere:
    """Workers that do not see the folder of the job, but one of the same name."""

    class Blind:
        def map(self, function, numbers):  # type: ignore[no-untyped-def]
            for number in numbers:
                yield number, number

    class HalfBlind:
        def map(self, function, numbers):  # type: ignore[no-untyped-def]
            for number in numbers:
                yield number, function(number) if number % 2 == 0 else number

    @pytest.fixture(autouse=True)
    def impatient(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(running, "_PATIENCE", 0.0)

    def test_is_noticed_at_once(self, tmp_path: Path) -> None:
        job = Troubled.planned(tmp_path, {})
        with pytest.raises(MetaphraseError) as raised:
            jobs.run(job.folder, engine=self.Blind(), load=[METRIC])
        assert raised.value.code == "MP945"

    def test_of_some_in_the_end(self, tmp_path: Path) -> None:
        job = Troubled.planned(tmp_path, {})
        outcome = jobs.run(job.folder, engine=self.HalfBlind(), load=[METRIC])
        assert outcome.now == (0, 2, 4)
        assert list(outcome.failed) == [1, 3, 5]
        assert outcome.failed[1].startswith("[MP945]")
        job.goes_on()
