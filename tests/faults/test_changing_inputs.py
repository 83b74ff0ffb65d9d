"""Inputs that cannot be read to the end, come in pieces or shrink meanwhile: no crash, no half output."""

from __future__ import annotations

import errno
import gzip
import shutil
from pathlib import Path

import pytest

from cli.bundled import EXAMPLES
from faults.injection import Fault, Program, litter, spread
from faults.test_interrupted_outputs import tried

pytest.importorskip("pyarrow")

FAST = ["-m", "chrf", "--threads", "1"]
SCORE = ["score", *FAST, "--level", "segment", "--format", "json", "-o", "out"]
#: Each reads files of its folder and writes a file ``out``.
COMMANDS = {
    "text": [*SCORE, "ref.txt", "-i", "a.txt"],
    "gzip": [*SCORE, "ref.txt", "-i", "a.txt.gz"],
    "table": [*SCORE, "--corpus", "segments.jsonl", "--columns", "hypothesis=fluent"],
    "Parquet": [*SCORE, "--corpus", "corpus.parquet"],
    "baseline": ["gate", "ref.txt", "-i", "mine=a.txt", *FAST, "--baseline", "baseline.json", "-o", "out",
                 "--no-checks"],
    "judgements": ["meta", "judgements.tsv", *FAST, "--resamples", "9", "--format", "json", "-o", "out"],
    "model": ["score", *FAST[2:], "ref.txt", "-i", "a.txt", "-m", "pfsm:model=file:model.json",
              "--format", "json", "-o", "out"],
    "shards": ["job", "finish", "job", "--format", "json", "-o", "out"],
}  # fmt: skip
FAULTS: dict[str, str | int] = {
    "short reads": "short",
    "interrupted reads": errno.EINTR,
    "input/output error": errno.EIO,
    "not permitted": errno.EACCES,
    "a stale file": errno.ESTALE,
    "a file that shrinks": "shrink",
}
HARMLESS = ("short reads", "interrupted reads")


@pytest.fixture(scope="module")
def template(program: Program, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    for name, given in (("ref.txt", "reference.txt"), ("a.txt", "system-a.txt")):
        shutil.copy(EXAMPLES / given, folder / name)
    for name in ("segments.jsonl", "judgements.tsv"):
        shutil.copy(EXAMPLES / name, folder)
    (folder / "a.txt.gz").write_bytes(gzip.compress((folder / "a.txt").read_bytes()))
    plan = [
        "job",
        "plan",
        "segments.jsonl",
        "-o",
        "job",
        "--columns",
        "hypothesis=fluent",
        "-m",
        "chrf",
    ]
    for command in (
        ["convert", "ref.txt", "-i", "a.txt", "--to", "parquet", "-o", "corpus.parquet"],
        ["gate", "ref.txt", "-i", "mine=a.txt", *FAST, "--write-baseline", "baseline.json"],
        ["train", "pfsm", "--data", "judgements.tsv", "--iterations", "3", "-o", "model.json"],
        [*plan, "--rows-per-shard", "6"],
        ["job", "run", "job", "--workers", "1"],
    ):
        outcome = program.run(command, folder)
        assert outcome.code == 0, outcome
    return folder


@pytest.mark.parametrize("what", FAULTS)
@pytest.mark.parametrize("name", COMMANDS)
def test_what_cannot_be_read_is_said(
    program: Program, template: Path, name: str, what: str, tmp_path: Path, most: int | None
) -> None:
    folder = tmp_path / "work"

    def ran(fault: Fault) -> tuple[int, str, int]:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(template, folder)
        (folder / "out").write_text("as before")
        outcome = program.run(COMMANDS[name], folder, fault)
        assert litter(folder) == []
        return outcome.code, outcome.err, outcome.calls

    code, err, calls = ran(Fault(kind="read"))
    assert code == 0, err
    complete = (folder / "out").read_bytes()

    def survives(at: int) -> None:
        code, err, _ = ran(Fault(at, FAULTS[what], kind="read"))
        found = (folder / "out").read_bytes()
        assert "Traceback" not in err
        assert "MP699" not in err
        if code:
            assert what not in HARMLESS, err
            assert code in (1, 2, 3)
            assert "metaphrase: [MP" in err
            assert found == b"as before"
        elif what != "a file that shrinks":  # nobody could know that there was more
            assert found == complete

    tried(survives, spread(calls, most, seed=len(what)))
