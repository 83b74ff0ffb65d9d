"""Commands one of whose system calls goes wrong, and what is left of their files."""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).with_name("faulty_calls.c")
#: In manifests, with the checksum of their line before it.
TIMES = re.compile(rb'^\w{8} (.*)"done": [\d.]+, "seconds": [\d.e-]+')
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
    """How a command ended, and what ran meanwhile; what it said; how many calls it made that count."""

    code: int
    others: Sequence[int]
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


def preloaded(library: Path, counter: Path, counted: Path, fault: Fault) -> dict[str, str]:
    """What loads the library into a process and tells it which call goes wrong."""
    return {
        "LD_PRELOAD": str(library),
        "FAULTS_FOLDER": str(counted),
        "FAULTS_KIND": fault.kind,
        "FAULTS_AT": str(fault.at),
        "FAULTS_ACTION": str(fault.action),
        "FAULTS_LAST": "1" if fault.lasting else "",
        "FAULTS_COUNTER": str(counter),
    }


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
            | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
            | {"PYTHONPATH": os.pathsep.join(place for place in sys.path if place)},
        )
        assert self._process.stdout is not None
        assert json.loads(self._process.stdout.readline()) == "ready"

    def environment(self, counted: Path, fault: Fault) -> dict[str, str]:
        """That of a process, with what tells the library which call goes wrong."""
        return dict(os.environ) | preloaded(self.library, self._counter, counted, fault)

    def run(
        self,
        arguments: Iterable[str | Path],
        counted: Path,
        fault: Fault | None = None,
        *,
        streams: Sequence[str | Path | None] = (os.devnull, "out", "err"),
        call: str = "metaphrase.cli:main",
        megabytes: float | None = None,
        user: int = 0,
        cache: Path | None = None,
    ) -> Outcome:
        """Run a command in the folder whose files count.

        ``streams`` are closed (``None``), a "pipe" that nobody reads, or files. ``megabytes`` is what memory
        may grow by. A command that stops goes on when the same command has run once more.
        """
        fault = fault or Fault()
        self.runs[str(fault.action)] = self.runs.get(str(fault.action), 0) + 1
        self._counter.write_bytes(bytes(8))
        said = [self.folder / "out", self.folder / "err"]
        for path in said:
            path.write_bytes(b"")
            path.chmod(0o666)
        given = [
            path if path is None or path == "pipe" else str(self.folder / path) for path in streams
        ]
        order: dict[str, Any] = {
            "call": call,
            "arguments": [str(argument) for argument in arguments],
            "folder": str(counted),
            "streams": given,
            "environment": self.environment(counted, fault)
            | {"METAPHRASE_CACHE": str(cache or counted / "cache")},
            "megabytes": megabytes,
            "user": user,
        }
        undisturbed = self.environment(Path("/nowhere"), Fault())
        order["meanwhile"] = order | {
            "environment": order["environment"] | undisturbed,
            "streams": [os.devnull] * 3,
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        code, *others = json.loads(self._process.stdout.readline())
        out, err = (path.read_text("utf-8", "replace") for path in said)
        (calls,) = struct.unpack("q", self._counter.read_bytes())
        return Outcome(code, others, out, err, calls)

    def close(self) -> None:
        """Let it go."""
        self._process.communicate("")


def spread(count: int, most: int | None, seed: int = 0) -> list[int]:
    """Numbers from 1 to ``count``: all of them, or so many at equal distances, others for another seed."""
    if most is None or count <= most:
        return list(range(1, count + 1))
    shift = (seed * 0.381966) % 1
    return [1 + int((i + shift) * count / most) for i in range(most)]


def tree(path: Path) -> dict[str, bytes] | None:
    """The files of a folder by name, or the one file; ``None`` if there is nothing."""
    if path.is_file():
        return {"": content(path)}
    if not path.is_dir():
        return None
    return {
        str(file.relative_to(path)): content(file)
        for file in sorted(path.rglob("*"))
        if file.is_file() and not is_temporary(file)
    }


def content(path: Path) -> bytes:
    """The bytes of a file, but of a shard's manifest not when it was made and how long that took."""
    data = path.read_bytes()
    return TIMES.sub(rb"\1", data) if path.parent.name == "manifests" else data


def is_temporary(path: Path) -> bool:
    return any(part.startswith(".metaphrase-") for part in path.parts)


def litter(folder: Path) -> list[str]:
    """Temporary files that are left."""
    return [str(path) for path in folder.rglob(".metaphrase-*")]
