"""Ctrl-C, SIGTERM, limits and permissions, for processes as a shell starts them."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from cli.bundled import REFERENCE, SYSTEMS
from faults.injection import Program

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")

PROGRAM = [sys.executable, "-m", "metaphrase"]


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_program_that_is_stopped_says_so_in_one_line(
    sent: int, code: int, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command = [*PROGRAM, "score", str(pipe), "-i", SYSTEMS[0], "-m", "chrf", "-o", "scores"]
    with (
        subprocess.Popen(command, stderr=-1, text=True, cwd=tmp_path) as process,
        pipe.open("w"),  # it has opened it, and waits for a line
    ):
        process.send_signal(sent)
        _, errors = process.communicate(timeout=60)
    said = {130: "interrupted", 143: "terminated"}[code]
    assert (process.returncode, errors) == (code, f"metaphrase: {said}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_a_program_that_is_interrupted_while_it_starts_says_nothing(tmp_path: Path) -> None:
    """A module that it imports first sends the signal, so that it always comes at the same moment."""
    (tmp_path / "argparse.py").write_text("import os, signal; os.kill(os.getpid(), signal.SIGINT)")
    path = os.pathsep.join([str(tmp_path), *(place for place in sys.path if place)])
    ended = subprocess.run(
        [*PROGRAM, "metrics"], capture_output=True, text=True, env=os.environ | {"PYTHONPATH": path}
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGINT, "", "")


def test_a_program_without_room_for_itself_says_so() -> None:
    def little() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (90 << 20, 90 << 20))

    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    command = [*PROGRAM, "score", REFERENCE, "-i", SYSTEMS[0], "-m", "chrf"]
    ended = subprocess.run(
        command, capture_output=True, text=True, preexec_fn=little, env=environment
    )
    assert ended.returncode != 0
    assert "Traceback" not in ended.stderr, ended.stderr


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0, reason="only root can be somebody else"
)
@pytest.mark.parametrize("mode", [0o555, 0o000])
def test_folders_that_somebody_may_not_write_to(program: Program, mode: int) -> None:
    folder = Path(tempfile.mkdtemp(dir="/tmp"))  # whose parents everybody may enter
    try:
        texts = ["-m", "chrf", "--threads", "1"]
        for name, given in (("ref", REFERENCE), ("a", SYSTEMS[0])):
            shutil.copy(given, folder / name)
        (folder / "out").mkdir()
        (folder / "out" / "s").write_text("as before")
        (folder / "out").chmod(mode)
        folder.chmod(0o755)
        command = ["score", "ref", "-i", "a", *texts, "-o", "out/s"]
        outcome = program.run(command, folder, user=65534)
        assert (outcome.code, outcome.err[:19]) == (1, "metaphrase: [MP132]"), outcome
        assert (folder / "out" / "s").read_text() == "as before"
        assert [path.name for path in (folder / "out").iterdir()] == ["s"]
    finally:
        (folder / "out").chmod(0o755)
        shutil.rmtree(folder)
