"""Standard streams that are closed, full, or that nobody reads: a code, and never a traceback."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cli.bundled import REFERENCE, SYSTEMS
from faults.injection import Program

FULL = "/dev/full"
SCORE = ["score", REFERENCE, "-i", SYSTEMS[0], "-m", "chrf", "--threads", "1"]
#: Commands that print, whose exit code is 0.
PRINTING = {
    "score": SCORE,
    "segments": [*SCORE, "--level", "segment", "--format", "json"],
    "explain": ["explain", REFERENCE, "-i", SYSTEMS[0], "-m", "chrf"],
    "select": ["select", *SYSTEMS, "-m", "chrf", "--threads", "1"],
    "metrics": ["metrics"],
    "analyse": ["analyse", REFERENCE, "--threads", "1"],
    "gate": ["gate", REFERENCE, "-i", SYSTEMS[0], "-m", "chrf", "--min-score", "1", "--no-checks"],
    "help": ["--help"],
    "help of a command": ["score", "--help"],
    "version": ["--version"],
}


@pytest.fixture(params=PRINTING)
def command(request: pytest.FixtureRequest) -> list[str]:
    return PRINTING[request.param]


def test_a_reader_that_has_seen_enough_is_no_error(
    program: Program, command: list[str], tmp_path: Path
) -> None:
    outcome = program.run(command, tmp_path, streams=(os.devnull, "pipe", "err"))
    assert outcome.code == 0
    assert "metaphrase:" not in outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize("out", [FULL, None])
def test_output_that_cannot_be_written_is_an_error(
    program: Program, command: list[str], out: str | None, tmp_path: Path
) -> None:
    outcome = program.run(command, tmp_path, streams=(os.devnull, out, "err"))
    if out is None and command[-1] in ("--help", "--version"):
        return  # they go to the error stream then, as argparse has it
    assert outcome.code == (2 if command[0] == "gate" else 1)
    assert outcome.err.splitlines()[-1].startswith("metaphrase: [MP132] Standard output ")


@pytest.mark.parametrize("err", [FULL, None, "pipe"])
def test_results_do_not_depend_on_the_error_stream(
    program: Program, command: list[str], err: str | None, tmp_path: Path
) -> None:
    undisturbed = program.run(command, tmp_path)
    outcome = program.run(command, tmp_path, streams=(os.devnull, "out", err))
    assert (outcome.code, outcome.out) == (0, undisturbed.out)


@pytest.mark.parametrize("err", [FULL, None, "pipe"])
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["score", "no-such-file", "-i", SYSTEMS[0]], 1),
        (["score"], 2),
        (["nonsense"], 2),
        (["score", REFERENCE, "-i", SYSTEMS[0], "-m", "accord:model=file:none"], 3),
    ],
)
def test_errors_that_nobody_hears_still_have_their_exit_code(
    program: Program, arguments: list[str], code: int, err: str | None, tmp_path: Path
) -> None:
    outcome = program.run(arguments, tmp_path, streams=(os.devnull, "out", err))
    assert (outcome.code, outcome.out) == (code, "")


def test_files_are_the_same_if_all_streams_are_closed(program: Program, tmp_path: Path) -> None:
    """The file that is written is then the first that is opened: it must not become standard output."""
    command = [*SCORE, "--format", "json", "-o"]
    assert program.run([*command, "open.json"], tmp_path).code == 0
    assert program.run([*command, "closed.json"], tmp_path, streams=(None,) * 3).code == 0
    assert (tmp_path / "open.json").read_bytes() == (tmp_path / "closed.json").read_bytes()
