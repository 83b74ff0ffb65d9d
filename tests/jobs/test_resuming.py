"""A job can stop anywhere and go on; nothing is done twice, and nothing that is damaged is believed."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jobs.written_tables import HERE, parts, planned, texts, write
from metaphrase import jobs
from metaphrase.errors import MetaphraseError
from metaphrase.jobs import running, shard_run
from metaphrase.jobs.manifest import check_manifest, read_manifest, read_sums
from metaphrase.jobs.shard_run import run_shard
from metaphrase.jobs.tables import read

COLUMNS = texts(30)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A job of five shards."""
    table = write(tmp_path / "table.jsonl", COLUMNS)
    planned([table], tmp_path / "job", keep=["id"], resamples=5, documents=True, rows_per_shard=6)
    return tmp_path / "job"


@pytest.fixture
def scored(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The shards that are run."""
    numbers: list[int] = []

    def watched(folder: str, number: int, **options: Any) -> Any:
        numbers.append(number)
        return run_shard(folder, number, **options)

    monkeypatch.setattr(running, "run_shard", watched)
    return numbers


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a job but manifests, which say when."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.parent.name != "manifests"
    }


def fails(code: str, function: Callable[[], object]) -> MetaphraseError:
    with pytest.raises(MetaphraseError) as raised:
        function()
    assert raised.value.code == code
    return raised.value


class TestRunningAgain:
    def test_does_nothing_when_all_is_done(self, folder: Path, scored: list[int]) -> None:
        first = jobs.run(folder, engine=HERE)
        assert first == jobs.Outcome(0, (0, 1, 2, 3, 4), {})
        before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
        assert jobs.run(folder, engine=HERE) == jobs.Outcome(5, (), {})
        assert scored == [0, 1, 2, 3, 4]
        assert before == {path: path.stat().st_mtime_ns for path in folder.rglob("*")}

    def test_runs_only_what_is_missing(self, folder: Path, scored: list[int]) -> None:
        run_shard(folder, 3)
        assert jobs.run(folder, engine=HERE).now == (0, 1, 2, 4)
        assert scored == [0, 1, 2, 4]

    def test_gives_the_same_bytes(self, folder: Path) -> None:
        jobs.run(folder, engine=HERE)
        jobs.finish(folder)
        before = contents(folder)
        for name in ("parts", "manifests"):
            for path in (folder / name).iterdir():
                path.unlink()
        jobs.run(folder, engine=HERE)
        jobs.finish(folder)
        assert contents(folder) == before

    def test_shares_have_all_shards_and_none_twice(self, folder: Path) -> None:
        done = [jobs.run(folder, engine=HERE, share=(i, 3)).now for i in (1, 2, 3)]
        assert sorted(number for some in done for number in some) == [0, 1, 2, 3, 4]
        assert jobs.status(folder).is_done
        for share in ((0, 3), (4, 3)):
            fails("MP939", lambda share=share: jobs.run(folder, share=share))  # type: ignore[misc]

    def test_progress_counts_the_rows_of_this_run(self, folder: Path) -> None:
        told: list[tuple[int, int]] = []
        run_shard(folder, 0)
        jobs.run(folder, engine=HERE, progress=lambda done, of: told.append((done, of)))
        assert told == [(0, 24), (6, 24), (12, 24), (18, 24), (24, 24)]

    def test_litter_of_killed_processes_goes_after_a_day(self, folder: Path) -> None:
        run_shard(folder, 0)
        old, young = (folder / "parts" / f".metaphrase-{name}.tmp" for name in ("1", "2"))
        for path in (old, young):
            path.touch()
        yesterday = time.time() - 25 * 3600
        os.utime(old, (yesterday, yesterday))
        jobs.run(folder, engine=HERE)
        assert not old.exists()
        assert young.exists()

    def test_a_shard_that_is_interrupted_leaves_nothing(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupted(plan: jobs.Plan, shard: jobs.Shard) -> Any:
            yield from read(plan, shard)
            raise KeyboardInterrupt

        before = contents(folder)
        monkeypatch.setattr(shard_run, "read", interrupted)
        monkeypatch.setattr(shard_run, "_GROUP", 1)  # or nothing would have been written
        with pytest.raises(KeyboardInterrupt):
            jobs.run(folder, engine=HERE)
        gc.collect()  # the writer goes without a word
        assert contents(folder) == before


class TestDamage:
    @pytest.fixture
    def done(self, folder: Path) -> Path:
        jobs.run(folder, engine=HERE)
        return folder

    def test_a_manifest_cut_anywhere_is_no_manifest(self, done: Path, scored: list[int]) -> None:
        whole = jobs.finish(done)
        path = done / "manifests" / "part-00002.json"
        data = path.read_bytes()
        plan = jobs.Plan.load(done)
        for end in range(len(data)):
            path.write_bytes(data[:end])
            for check in (read_manifest, check_manifest, read_sums):
                fails("MP935", lambda check=check: check(path, plan.shards[2], plan))  # type: ignore[misc]
        assert jobs.status(done).damaged == (2,)
        fails("MP935", lambda: jobs.finish(done))
        assert jobs.run(done, engine=HERE).now == (2,)
        assert scored == [2]
        assert jobs.finish(done).to_dict() == whole.to_dict()

    def test_a_changed_byte_of_a_manifest_is_noticed(self, done: Path) -> None:
        path = done / "manifests" / "part-00002.json"
        data = path.read_bytes()
        for place in range(0, len(data), 7):
            path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
            with pytest.raises(MetaphraseError):
                jobs.finish(done)
        assert jobs.run(done, engine=HERE).now == (2,)
        jobs.finish(done)

    def test_a_manifest_of_another_shard_is_none_of_this(self, done: Path) -> None:
        (done / "manifests" / "part-00001.json").replace(done / "manifests" / "part-00002.json")
        assert jobs.run(done, engine=HERE).now == (1, 2)

    def test_a_missing_or_truncated_part_is_made_again(self, done: Path) -> None:
        before = contents(done)
        (done / "parts" / "part-00001.parquet").unlink()
        cut = done / "parts" / "part-00003.parquet"
        cut.write_bytes(cut.read_bytes()[:-1])
        assert jobs.status(done).shards_done == 3
        fails("MP942", lambda: jobs.finish(done))
        assert jobs.run(done, engine=HERE).now == (1, 3)
        assert contents(done) == before

    def test_a_part_of_the_same_size_is_read_if_that_is_asked_for(self, done: Path) -> None:
        before = contents(done)
        path = done / "parts" / "part-00004.parquet"
        data = bytearray(path.read_bytes())
        data[30] ^= 1
        path.write_bytes(data)
        assert jobs.run(done, engine=HERE).now == ()
        assert jobs.run(done, engine=HERE, verify=True).now == (4,)
        assert contents(done) == before

    def test_a_damaged_plan_is_refused(self, done: Path) -> None:
        path = done / "plan.json"
        data = path.read_bytes()
        for end in range(0, len(data) - 1, 37):
            path.write_bytes(data[:end])
            fails("MP932", lambda: jobs.status(done))
        for old, new in ((b'"seed": 12345', b'"seed": 12346'), (b'"rows": 6', b'"rows": 7')):
            path.write_bytes(data.replace(old, new, 1))
            for step in (jobs.run, jobs.status, jobs.finish):
                fails("MP932", lambda step=step: step(done))  # type: ignore[misc]
        for other in (b"[]", b"null", b'{"version": 1}', b"\xff"):
            path.write_bytes(other)
            fails("MP932", lambda: jobs.status(done))
        path.write_bytes(data.replace(b'"version": 1', b'"version": 2', 1))
        fails("MP931", lambda: jobs.status(done))
        path.unlink()
        fails("MP930", lambda: jobs.status(done))

    def test_a_manifest_that_cannot_be_read(self, done: Path) -> None:
        path = done / "manifests" / "part-00002.json"
        path.unlink()
        path.mkdir()
        for step in (jobs.run, jobs.status, jobs.finish):
            fails("MP111", lambda step=step: step(done))  # type: ignore[misc]

    def test_a_manifest_of_another_job_is_refused(self, done: Path, tmp_path: Path) -> None:
        other = tmp_path / "other"
        planned([tmp_path / "table.jsonl"], other, rows_per_shard=6)
        (done / "manifests").rename(other / "manifests")
        for step in (jobs.run, jobs.status, jobs.finish):
            fails("MP934", lambda step=step: step(other))  # type: ignore[misc]


class TestStatus:
    def test_says_what_is_done(self, folder: Path) -> None:
        found = jobs.status(folder)
        assert (found.shards_done, found.rows_done, found.rate, found.seconds_left) == (
            0,
            0,
            None,
            None,
        )
        run_shard(folder, 1)
        found = jobs.status(folder)
        assert (found.shards_done, found.rows_done, found.rows) == (1, 6, 30)
        assert found.rate is not None
        assert found.seconds_left == 24 / found.rate
        assert not found.is_done
        fails("MP942", lambda: jobs.finish(folder))


class TestSeveralProcesses:
    def test_at_the_same_shard_do_each_other_no_harm(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """One comes and goes while another writes: the same shard has the same bytes."""
        seen: list[dict[str, bytes]] = []

        def interrupted(plan: jobs.Plan, shard: jobs.Shard) -> Any:
            monkeypatch.setattr(shard_run, "read", read)
            for piece in read(plan, shard):
                run_shard(folder, 0)
                seen.append({k: v for k, v in contents(folder).items() if ".tmp" not in k})
                yield piece

        monkeypatch.setattr(shard_run, "read", interrupted)
        run_shard(folder, 0)
        assert seen == [contents(folder)]
        assert jobs.run(folder, engine=HERE, verify=True) == jobs.Outcome(1, (1, 2, 3, 4), {})

    def test_of_the_local_engine(self, folder: Path) -> None:
        assert jobs.run(folder, engine=jobs.Local(workers=2)) == jobs.Outcome(
            0, (0, 1, 2, 3, 4), {}
        )
        assert parts(folder).column("id").to_pylist() == COLUMNS["id"]
