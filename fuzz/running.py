"""Targets run by Atheris, each in a process of its own that has all modules instrumented already."""

from __future__ import annotations

import os
import re
import resource
import shlex
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import chain, count, islice
from mmap import mmap
from pathlib import Path
from random import Random
from signal import SIGKILL
from tempfile import TemporaryDirectory
from typing import Any

from fuzz.extremes import extremes
from fuzz.files import remove_folder
from fuzz.mutation import mutated
from fuzz.target import Finding, Target, examine_several

FINDINGS = Path(__file__).parent / "findings"
#: Megabytes of a process beyond which an input has asked for too much.
_MEMORY = 3000
#: Seconds after which a process that does not come back is ended: a limit by size comes much earlier.
_HANG = 120
#: Inputs that are read in one call by targets which can.
_TOGETHER = 64
#: Seconds of a target that are enough for inputs of tens of thousands of bytes, too, and their share of them.
_TIME_FOR_EXTREMES = 10
_SHARE_OF_EXTREMES = 0.25
_COVERED = re.compile(rb"cov: (\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a target did: ``covered`` are branches of the package."""

    target: str
    executions: int
    covered: int
    seconds: float
    findings: tuple[str, ...]


def run_target(
    atheris: Any, target: Target, *, seconds: float, runs: int, seed: int, corpus: Path | None
) -> Outcome:
    """Fuzz one target in a forked process, for so many seconds or runs, whichever are over first.

    Where coverage does not guide it, the same seed makes the same inputs; where it does, the same as long as
    the package is the same.
    """
    FINDINGS.mkdir(exist_ok=True)
    before = set(FINDINGS.iterdir())
    start = time.monotonic()
    # Without Atheris, which not every Python has, all targets are mutated alike.
    guided = target.guided and atheris is not None
    inputs = _maker(target, seed, guided)

    def guide(one: _Examination, scratch: Path) -> None:
        if seconds >= _TIME_FOR_EXTREMES:
            for data in chain.from_iterable(map(extremes, islice(target.seeds(), 3))):
                one(data)
                if time.monotonic() - start > seconds * _SHARE_OF_EXTREMES:
                    break
        _guide(atheris, target, one, scratch, seed, corpus)

    ended = _ended(target, guide if guided else _feed(inputs), seconds, runs)
    executions = ended.executions
    if ended.code and not guided:
        if target.run_several is not None:
            # One of those that were read together ended the process: each alone, from there on.
            alone = replace(target, run_several=None)
            again = _ended(alone, _feed(inputs, executions), _HANG, _TOGETHER)
            executions += again.executions if again.code else 0
            ended = again if again.code else ended
        save(target, inputs(executions), Finding(ended.why, f"input {executions} of seed {seed}\n"))
    new = sorted(
        path.name
        for path in set(FINDINGS.iterdir()) - before
        if path.suffix != ".txt"
        and path.name.startswith((f"{target.name}-", f"{_slug(target.name)}-"))
    )
    if ended.code and not new:
        (FINDINGS / f"{target.name}-log.txt").write_bytes(ended.said)
        new = [f"{target.name}-log.txt"]
    covered = _COVERED.findall(ended.said)
    return Outcome(
        target=target.name,
        executions=executions,
        covered=int(covered[-1]) if covered else 0,
        seconds=time.monotonic() - start,
        findings=tuple(new),
    )


@dataclass(frozen=True, slots=True)
class _Ended:
    """How a process ended, after how many inputs, and what it said."""

    code: int
    executions: int
    said: bytes

    @property
    def why(self) -> str:
        return "hang" if self.code == -SIGKILL else f"ended with {self.code}"


def _ended(
    target: Target, feed: Callable[[_Examination, Path], None], seconds: float, runs: int
) -> _Ended:
    """Examine in a forked process what ``feed`` gives, until the time or the runs are over."""
    # What both processes see, whatever happens to one of them: how many inputs there were.
    shared = mmap(-1, 8)
    deadline = time.monotonic() + seconds
    with TemporaryDirectory(prefix="metaphrase-fuzz-") as scratch:
        log = Path(scratch) / "log"
        process = os.fork()
        if not process:
            try:
                os.dup2(output := os.open(log, os.O_CREAT | os.O_WRONLY), 1)
                os.dup2(output, 2)
                feed(_Examination(target, shared, deadline, runs), Path(scratch))
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(70)
        code, executions = _awaited(process, shared)
        remove_folder(process)
        return _Ended(code, executions, log.read_bytes())


def _feed(inputs: Callable[[int], bytes], first: int = 0) -> Callable[[_Examination, Path], None]:
    """Gives the inputs from number ``first`` on, without end."""

    def feed(one: _Examination, scratch: Path) -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY << 20, resource.RLIM_INFINITY))
        for number in count(first, _TOGETHER):
            one.all_of([inputs(number + place) for place in range(_TOGETHER)])

    return feed


class _Examination:
    """Examines inputs, keeps the first of each kind of finding, and ends the process in time."""

    def __init__(self, target: Target, shared: mmap, deadline: float, runs: int) -> None:
        self._target = target
        self._shared = shared
        self._deadline = deadline
        self._runs = runs
        self._count = 0
        self._known: set[str] = set()

    def __call__(self, data: bytes) -> None:
        self._several([data])

    def all_of(self, inputs: Sequence[bytes]) -> None:
        """Examine inputs together if the target can, or else one after the other."""
        if self._runs:
            inputs = inputs[: max(1, self._runs - self._count)]
        size = len(inputs) if self._target.run_several is not None else 1
        for first in range(0, len(inputs), size):
            self._several(inputs[first : first + size])

    def _several(self, inputs: Sequence[bytes]) -> None:
        if time.monotonic() > self._deadline or (self._runs and self._count >= self._runs):
            sys.stderr.flush()
            remove_folder()
            os._exit(0)
        for data, finding in examine_several(self._target, inputs):
            if finding.place not in self._known:
                self._known.add(finding.place)
                save(self._target, data, finding)
        self._count += len(inputs)
        self._shared[:] = self._count.to_bytes(8, "little")


def _maker(target: Target, seed: int, guided: bool = False) -> Callable[[int], bytes]:
    """The inputs of a target that is not guided, by their numbers."""
    seeds = [] if guided else [one[: target.longest] for one in target.seeds()]
    words = [word.encode() if isinstance(word, str) else word for word in target.words]

    def made(number: int) -> bytes:
        if number < len(seeds):
            return seeds[number]
        chance = Random(f"{seed} {number}")
        if target.make is not None:
            return target.make(chance)
        return mutated(chance, seeds, words, target.longest)

    return made


def _awaited(process: int, shared: mmap) -> tuple[int, int]:
    """How a process ended, and how many inputs it had; one that hangs is killed."""
    last, since = -1, time.monotonic()
    while True:
        ended, status = os.waitpid(process, os.WNOHANG)
        number = int.from_bytes(shared[:], "little")
        if ended:
            return os.waitstatus_to_exitcode(status), number
        if number != last:
            last, since = number, time.monotonic()
        elif time.monotonic() - since > 2 * _HANG:
            os.kill(process, SIGKILL)
        time.sleep(0.02)


def _guide(
    atheris: Any, target: Target, one: _Examination, scratch: Path, seed: int, corpus: Path | None
) -> None:
    """Have libFuzzer choose the inputs; it never returns."""
    seeds = scratch / "seeds"
    seeds.mkdir()
    for number, content in enumerate(target.seeds()):
        (seeds / f"{number:03}").write_bytes(content[: target.longest])
    words = scratch / "words"
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in target.words), "ascii")
    kept = corpus / target.name if corpus is not None else scratch / "corpus"
    kept.mkdir(parents=True, exist_ok=True)
    arguments = [
        f"-seed={seed}",
        f"-max_len={target.longest}",
        f"-timeout={_HANG}",
        f"-rss_limit_mb={_MEMORY}",
        f"-artifact_prefix={FINDINGS}/{target.name}-",
        f"-dict={words}",
        "-detect_leaks=0",
        "-len_control=20",
        "-reload=0",
    ]
    atheris.Setup([sys.argv[0], *arguments, str(kept), str(seeds)], one)
    atheris.Fuzz()


def save(target: Target, data: bytes, finding: Finding) -> Path:
    """Keep the input under a name that is the same whenever this fails, with what was said of it."""
    name = _slug(f"{target.name} {finding.place}")
    digest = blake2b(data, digest_size=4).hexdigest()
    path = FINDINGS / f"{name}-{digest}"
    FINDINGS.mkdir(exist_ok=True)
    path.write_bytes(data)
    account = f"{command(target.name, path)}\n\n{finding.place}\n{finding.account}"
    path.with_name(f"{path.name}.txt").write_text(account, "utf-8", "backslashreplace")
    return path


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")


def command(target: str, path: Path) -> str:
    """What reproduces a finding."""
    return shlex.join(["python", "-m", "fuzz", "--replay", target, os.path.relpath(path)])


def _escaped(word: str | bytes) -> str:
    """A word as libFuzzer's dictionaries have it."""
    data = word.encode() if isinstance(word, str) else word
    return "".join(
        chr(byte) if 0x20 <= byte < 0x7F and byte not in b'"\\' else f"\\x{byte:02X}"
        for byte in data
    )
