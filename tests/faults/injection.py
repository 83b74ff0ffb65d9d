"""Commands one of whose system calls goes wrong, and what is left of their files."""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SOURCE = Path(__file__).with_name("faulty_calls.c")
FORKING = Path(__file__).with_name("forking.py")


@dataclass(frozen=True)
class Fault:
    """What goes wrong at the call of this number, from 1; ``kind`` says which calls count."""

    at: int = 0
    action: str | int = "none"
    kind: str = "write"
    #: All calls from then on, as on a disk that is full.
    lasting: bool = False


@dataclass(frozen=True)
class Outcome:
    """How a command ended, what it said, and how many calls it made that count."""

    code: int
    out: str
    err: str
    calls: int


def compiled_library(folder: Path) -> Path | None:
    """The library that lets calls go wrong, or ``None`` where it cannot be had."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if sys.platform != "linux" or compiler is None:
        return None
    library = folder / "faulty_calls.so"
    command = [compiler, "-O1", "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-ldl"]
    return None if subprocess.run(command, capture_output=True).returncode else library


@dataclass
class Program:
    """``metaphrase`` with the library loaded; ``folder`` is its own."""

    library: Path
    folder: Path
    warm: Sequence[Sequence[str]] = ()
    #: How often it ran, by what went wrong.
    runs: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)
        self._counter = self.folder / "counter"
        self._process = subprocess.Popen(
            [sys.executable, str(FORKING), json.dumps(self.warm)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=self.environment(Path("/nowhere"), Fault())
            | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )
        assert self._process.stdout is not None
        assert json.loads(self._process.stdout.readline()) == "ready"

    def environment(self, counted: Path, fault: Fault) -> dict[str, str]:
        """What tells the library which call goes wrong."""
        return dict(os.environ) | {
            "LD_PRELOAD": str(self.library),
            "FAULTS_FOLDER": str(counted),
            "FAULTS_KIND": fault.kind,
            "FAULTS_AT": str(fault.at),
            "FAULTS_ACTION": str(fault.action),
            "FAULTS_LAST": "1" if fault.lasting else "",
            "FAULTS_COUNTER": str(self._counter),
        }

    def run(
        self,
        arguments: Iterable[str | Path],
        counted: Path,
        fault: Fault | None = None,
        **environment: str,
    ) -> Outcome:
        """Run a command in the folder whose files count."""
        fault = fault or Fault()
        self.runs[str(fault.action)] = self.runs.get(str(fault.action), 0) + 1
        self._counter.write_bytes(bytes(8))
        streams = [Path(os.devnull), self.folder / "out", self.folder / "err"]
        for path in streams[1:]:
            path.write_bytes(b"")
        order = {
            "arguments": [str(argument) for argument in arguments],
            "folder": str(counted),
            "streams": [str(path) for path in streams],
            "environment": self.environment(counted, fault) | environment,
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        code = int(self._process.stdout.readline())
        out, err = (path.read_text("utf-8", "replace") for path in streams[1:])
        (calls,) = struct.unpack("q", self._counter.read_bytes())
        return Outcome(code, out, err, calls)

    def close(self) -> None:
        """Let it go."""
        self._process.communicate("")


def spread(count: int, most: int | None, seed: int = 0) -> list[int]:
    """Numbers from 1 to ``count``: all of them, or at most so many, evenly from the first to the last."""
    if most is None or count <= most:
        return list(range(1, count + 1))
    shift = seed % 7 / 7
    between = (1 + int((i + shift) * (count - 1) / (most - 1)) for i in range(1, most - 1))
    return sorted({1, *between, count})


def tree(path: Path) -> dict[str, bytes] | None:
    """The files of a folder by name, or the one file; ``None`` if there is nothing."""
    if path.is_file():
        return {"": path.read_bytes()}
    if not path.is_dir():
        return None
    return {
        str(file.relative_to(path)): file.read_bytes()
        for file in sorted(path.rglob("*"))
        if file.is_file() and not is_temporary(file)
    }


def is_temporary(path: Path) -> bool:
    return any(part.startswith(".metaphrase-") for part in path.parts)


def litter(folder: Path) -> list[str]:
    """Temporary files that are left."""
    return [str(path) for path in folder.rglob(".metaphrase-*")]
