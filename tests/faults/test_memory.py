"""Memory that runs out, at whatever allocation: a code, and files as they were or complete."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.bundled import REFERENCE, SYSTEMS
from faults.injection import Program, litter

#: Megabytes that may be had beyond those of the program itself.
AMOUNTS = (1, 6)
#: How often the example is repeated, so that a few megabytes are not enough.
TIMES = 300
#: Each writes a file ``out``; the texts are too long for what is there.
COMMANDS = {
    "score": ["score", "ref", "-i", "a", "b", "-m", "chrf", "bleu", "ter", "--level", "segment"],
    "explanatory score": ["score", "ref", "-i", "a", "-m", "accord", "cobalt"],
    "report": ["report", "ref", "-i", "a", "-m", "chrf", "--explain", "50", "--resamples", "50"],
    "convert": ["convert", "ref", "-i", "a", "b", "--to", "jsonl"],
    "select": ["select", "a", "b", "ref", "-m", "chrf"],
    "analyse": ["analyse", "ref"],
    "check": ["check", "-s", "ref", "-i", "a", "--fail-on", "never", "--format", "jsonl"],
}
WITHOUT_THREADS = ("convert", "check")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("texts")
    for name, given in (("ref", REFERENCE), ("a", SYSTEMS[0]), ("b", SYSTEMS[1])):
        lines = Path(given).read_text("utf-8").splitlines()
        longer = (f"{line} {number}" for number in range(TIMES) for line in lines)
        (path / name).write_text("\n".join(longer) + "\n", "utf-8")
    return path


@pytest.mark.parametrize("name", COMMANDS)
def test_too_little_memory_is_said(
    program: Program, folder: Path, name: str, most: int | None
) -> None:
    command = [*COMMANDS[name], "-o", "out"]
    if name not in WITHOUT_THREADS:
        # A further thread for which there is no room is not ours to tell of: the C library ends the process.
        command += ["--threads", "1"]
    for megabytes in AMOUNTS if most else range(0, 64, 2):
        (folder / "out").write_text("as before")
        outcome = program.run(command, folder, megabytes=megabytes)
        assert litter(folder) == []
        if outcome.code == 0:
            assert (folder / "out").read_text("utf-8") != "as before"
        else:
            last = outcome.err.splitlines()[-1]
            assert (outcome.code, last[:21]) == (3, "metaphrase: [MP980] t"), outcome
            assert (folder / "out").read_text("utf-8") == "as before"
