"""Dask and Ray of two workers: whoever dies, nothing is lost and nothing is there twice."""

from __future__ import annotations

import os
import signal
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

from jobs.clusters import CLUSTERS, with_token
from jobs.troubled_jobs import PATIENCE, Troubled, runs_out_of_disk, until
from metaphrase import jobs

pytestmark = [
    pytest.mark.clusters,
    pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX"),
    pytest.mark.usefixtures("own_registry"),
]
MODULES = {"dask": "distributed", "ray": "ray"}
ENGINES = [
    pytest.param(name, marks=pytest.mark.skipif(find_spec(module) is None, reason="not installed"))
    for name, module in MODULES.items()
]


@pytest.mark.parametrize("name", ENGINES)
def test_a_cluster_that_is_there(name: str, tmp_path: Path) -> None:
    first = Troubled.planned(tmp_path / "first", {0: "wait", 2: "once", 3: "fail"})
    second = Troubled.planned(tmp_path / "second", {3: "wait", 4: "wait"})
    third = Troubled.planned(tmp_path / "third", {3: "wait", 4: "wait"})
    with CLUSTERS[name]() as cluster:
        options = ["--engine", name, "--address", cluster.address]
        process = first.start(*options, env=cluster.environment)
        until(lambda: first.tries(2))
        # While one worker waits, the other one dies, is replaced and does all the rest.
        note = first.folder / "failures" / "part-00003.json"
        until(lambda: first.done() == {1, 2, 4, 5} and note.exists())
        assert len(first.tries(0)) == 1
        first.place(0).touch()
        output, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 1, errors
        assert "5 shards done now, 1 failed" in output
        assert "shard 3: ValueError: this text cannot be scored" in output

        process = second.start(*options, env=cluster.environment)
        until(lambda: second.tries(3) and second.tries(4))
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 143, errors
        for number in (3, 4):
            second.place(number).touch()
        if name == "dask":  # whose workers go on with what they are at; Ray's are ended
            until(lambda: second.done() >= {3, 4})

        process = third.start(*options, env=cluster.environment)
        until(lambda: third.tries(3) and third.tries(4))
        os.kill(cluster.head, signal.SIGKILL)
        _, errors = process.communicate(timeout=PATIENCE)
        # Ray ends the program itself.
        assert process.returncode == {"dask": 3, "ray": 1}[name]
        assert ("[MP944]" if name == "dask" else "GCS may have been killed") in errors
        assert {0, 1, 2} <= third.done() <= {0, 1, 2, 5}
    assert len(first.tries(2)) == 2
    first.goes_on()
    second.goes_on()
    third.goes_on()


@pytest.mark.parametrize("name", ENGINES)
def test_a_cluster_of_its_own(name: str, tmp_path: Path) -> None:
    # NIST's first pass goes the same way.
    job = Troubled.planned(tmp_path, {4: "always"}, metrics=["troubled", "nist"])
    process = job.start("--engine", name, "--workers", "2", env=with_token())
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1, errors
    assert "5 shards done now, 1 failed" in output
    assert "shard 4: [MP941] the process of shard 4 died each time" in output
    assert len(job.tries(4)) >= 2
    assert list(jobs.status(job.folder).failed) == [4]
    job.goes_on()


@pytest.mark.parametrize("name", ENGINES)
def test_all_workers_killed_at_once(name: str, tmp_path: Path) -> None:
    job = Troubled.planned(tmp_path, {0: "wait", 1: "wait"})
    process = job.start("--engine", name, "--workers", "2", env=with_token())
    until(lambda: job.tries(0) and job.tries(1))
    for number in (0, 1):
        os.kill(job.tries(number)[0], signal.SIGKILL)
        job.place(number).touch()
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, output + errors
    job.is_whole()


@pytest.mark.parametrize("name", ENGINES)
def test_a_disk_without_room(name: str, small_disk: Path) -> None:
    runs_out_of_disk(small_disk, "--engine", name, "--workers", "1", env=with_token())


@pytest.mark.parametrize(
    ("name", "address"),
    [("dask", "tcp://127.0.0.1:1"), ("ray", "127.0.0.1:1")],
)
def test_a_cluster_that_is_not_there(name: str, address: str, tmp_path: Path) -> None:
    pytest.importorskip(MODULES[name])
    job = Troubled.planned(tmp_path, {})
    command = job.command("--engine", name, "--address", address)
    quickly = os.environ | {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "500ms"}
    done = subprocess.run(command, env=quickly, capture_output=True, text=True)
    assert done.returncode == 3
    assert "[MP944]" in done.stderr
    job.goes_on()
