"""A run counts its inputs, keeps those that failed, and outlives a target that does not."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fuzz.registry", reason="a source distribution has no targets")
pytest.importorskip("resource", reason="targets run in forked processes")

from fuzz.running import Outcome, run_target
from fuzz.target import Target

from fuzz import running

pytestmark = pytest.mark.filterwarnings(
    "ignore:This process"
)  # is multi-threaded, says Python of a fork


@pytest.fixture
def findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(running, "FINDINGS", tmp_path / "findings")
    return tmp_path / "findings"


def outcome(run: object, runs: int = 300, seed: int = 1, **options: Any) -> Outcome:
    target = Target(name="a.b", run=run, seeds=lambda: [b"one", b"two"], words=["!"], **options)  # type: ignore[arg-type]
    return run_target(None, target, seconds=60, runs=runs, seed=seed, corpus=None)


def fail_at_a_mark(data: bytes) -> None:
    if b"!" in data:
        raise ValueError("a mark")


def test_runs_are_counted(findings: Path) -> None:
    found = outcome(lambda data: None)
    assert (found.executions, found.findings) == (300, ())
    assert list(findings.iterdir()) == []


def test_the_first_input_of_a_kind_is_kept_with_a_command(findings: Path) -> None:
    found = outcome(fail_at_a_mark)
    assert found.executions == 300
    (name,) = found.findings
    assert b"!" in (findings / name).read_bytes()
    said = (findings / f"{name}.txt").read_text("utf-8")
    assert said.startswith("python -m fuzz --replay a.b ")
    assert "ValueError: a mark" in said


def test_the_same_seed_finds_the_same(findings: Path) -> None:
    first = outcome(fail_at_a_mark).findings
    content = (findings / first[0]).read_bytes()
    for path in findings.iterdir():
        path.unlink()
    again = outcome(fail_at_a_mark).findings
    assert again == first
    assert (findings / again[0]).read_bytes() == content


def end_at_a_mark(data: bytes) -> None:
    if b"!" in data:
        os.kill(os.getpid(), signal.SIGTERM)


@pytest.mark.parametrize("together", [False, True])
def test_an_input_that_ends_the_process_is_known(findings: Path, together: bool) -> None:
    options = {"run_several": lambda inputs: end_at_a_mark(b"".join(inputs))} if together else {}
    found = outcome(end_at_a_mark, **options)
    (name,) = found.findings
    assert found.executions < 300
    assert "ended-with-15" in name
    assert b"!" in (findings / name).read_bytes()


def test_inputs_that_are_read_together_are_counted_and_found_one_by_one(findings: Path) -> None:
    alone = outcome(fail_at_a_mark)
    kept = {path.name: path.read_bytes() for path in findings.iterdir()}
    for path in findings.iterdir():
        path.unlink()
    together = outcome(
        fail_at_a_mark, run_several=lambda inputs: [fail_at_a_mark(data) for data in inputs]
    )
    assert (together.executions, together.findings) == (alone.executions, alone.findings)
    assert {path.name: path.read_bytes() for path in findings.iterdir()}.keys() == kept.keys()
