"""Targets run by Atheris, each in a process of its own that has all modules instrumented already."""

from __future__ import annotations

import os
import re
import shlex
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from mmap import mmap
from pathlib import Path
from random import Random
from signal import SIGKILL
from tempfile import TemporaryDirectory
from typing import Any

from fuzz.files import remove_folder
from fuzz.mutation import mutated
from fuzz.target import Finding, Target, examine

FINDINGS = Path(__file__).parent / "findings"
#: Megabytes of a process beyond which an input has asked for too much.
_MEMORY = 3000
#: Seconds after which a process that does not come back is ended: a limit by size comes much earlier.
_HANG = 120
_EXECUTIONS = re.compile(rb"stat::number_of_executed_units:\s*(\d+)")
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
    """Fuzz one target in a forked process, for so many seconds or runs, whichever are over first."""
    if target.guided:
        return _guided(atheris, target, seconds, runs, seed, corpus)
    return _unguided(target, seconds, runs, seed)


def _unguided(target: Target, seconds: float, runs: int, seed: int) -> Outcome:
    """Without Atheris: the number of the input is in memory that both processes see, whatever happens."""
    FINDINGS.mkdir(exist_ok=True)
    before = set(FINDINGS.iterdir())
    start = time.monotonic()
    shared = mmap(-1, 8)
    inputs = _maker(target, seed)
    process = os.fork()
    if not process:
        status = 70
        try:
            known: set[str] = set()
            number = 0
            while (not runs or number < runs) and time.monotonic() - start < seconds:
                shared[:] = number.to_bytes(8, "little")
                _examine(target, inputs(number), known)
                number += 1
            shared[:] = number.to_bytes(8, "little")
            status = 0
        finally:
            remove_folder()
            os._exit(status)
    code, number = _awaited(process, shared)
    if code:
        why = "hang" if code == -SIGKILL else f"ended with {code}"
        save(target, inputs(number), Finding(why, f"input {number} of seed {seed}\n"))
    new = sorted(path.name for path in set(FINDINGS.iterdir()) - before if path.suffix != ".txt")
    took = time.monotonic() - start
    return Outcome(
        target=target.name, executions=number, covered=0, seconds=took, findings=tuple(new)
    )


def _maker(target: Target, seed: int) -> Callable[[int], bytes]:
    seeds = list(target.seeds())
    words = [word.encode() if isinstance(word, str) else word for word in target.words]

    def made(number: int) -> bytes:
        if target.make is None and number < len(seeds):
            return seeds[number][: target.longest]
        chance = Random(f"{seed} {number}")
        if target.make is not None:
            return target.make(chance)
        return mutated(chance, seeds, words, target.longest)

    return made


def _awaited(process: int, shared: mmap) -> tuple[int, int]:
    """How a process ended, and the number of its last input; one that hangs is killed."""
    last, since = -1, time.monotonic()
    while True:
        ended, status = os.waitpid(process, os.WNOHANG)
        number = int.from_bytes(shared[:], "little")
        if ended:
            return os.waitstatus_to_exitcode(status), number
        if number != last:
            last, since = number, time.monotonic()
        elif time.monotonic() - since > _HANG:
            os.kill(process, SIGKILL)
        time.sleep(0.05)


def _examine(target: Target, data: bytes, known: set[str]) -> None:
    """Keep the first input of each kind of finding."""
    finding = examine(target, data)
    if finding is not None and finding.place not in known:
        known.add(finding.place)
        save(target, data, finding)


def _guided(
    atheris: Any, target: Target, seconds: float, runs: int, seed: int, corpus: Path | None
) -> Outcome:
    FINDINGS.mkdir(exist_ok=True)
    before = set(FINDINGS.iterdir())
    start = time.monotonic()
    with TemporaryDirectory(prefix="metaphrase-fuzz-") as folder:
        log = Path(folder) / "log"
        process = os.fork()
        if not process:
            try:
                _become(atheris, target, Path(folder), log, seconds, runs, seed, corpus)
            finally:
                os._exit(70)
        _, status = os.waitpid(process, 0)
        remove_folder(process)
        said = log.read_bytes()
    code = os.waitstatus_to_exitcode(status)
    new = sorted(path.name for path in set(FINDINGS.iterdir()) - before if path.suffix != ".txt")
    if code and not new:
        (FINDINGS / f"{target.name}-unknown.txt").write_bytes(said)
        new = [f"ended with {code}, see {target.name}-unknown.txt"]
    executed, covered = _EXECUTIONS.findall(said), _COVERED.findall(said)
    return Outcome(
        target=target.name,
        executions=int(executed[-1]) if executed else 0,
        covered=int(covered[-1]) if covered else 0,
        seconds=time.monotonic() - start,
        findings=tuple(new),
    )


def _become(
    atheris: Any,
    target: Target,
    folder: Path,
    log: Path,
    seconds: float,
    runs: int,
    seed: int,
    corpus: Path | None,
) -> None:
    """Never return: libFuzzer ends the process."""
    output = os.open(log, os.O_CREAT | os.O_WRONLY)
    os.dup2(output, 1)
    os.dup2(output, 2)
    seeds = folder / "seeds"
    seeds.mkdir()
    for number, content in enumerate(target.seeds()):
        (seeds / f"{number:03}").write_bytes(content[: target.longest])
    words = folder / "words"
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in target.words), "ascii")
    kept = corpus / target.name if corpus is not None else folder / "corpus"
    kept.mkdir(parents=True, exist_ok=True)
    known: set[str] = set()

    def one(data: bytes) -> None:
        _examine(target, data, known)

    arguments = [
        f"-max_total_time={max(1, round(seconds))}",
        f"-atheris_runs={runs}",
        f"-seed={seed}",
        f"-max_len={target.longest}",
        f"-timeout={_HANG}",
        f"-rss_limit_mb={_MEMORY}",
        f"-artifact_prefix={FINDINGS}/{target.name}-",
        f"-dict={words}",
        "-print_final_stats=1",
        "-detect_leaks=0",
        "-len_control=20",
        "-reload=0",
    ]
    if not runs:
        arguments.remove("-atheris_runs=0")
    atheris.Setup([sys.argv[0], *arguments, str(kept), str(seeds)], one)
    atheris.Fuzz()


def save(target: Target, data: bytes, finding: Finding) -> Path:
    """Keep the input under a name that is the same whenever this fails, with what was said of it."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", f"{target.name} {finding.place}").strip("-")
    digest = blake2b(data, digest_size=4).hexdigest()
    path = FINDINGS / f"{name}-{digest}"
    FINDINGS.mkdir(exist_ok=True)
    path.write_bytes(data)
    account = f"{command(target.name, path)}\n\n{finding.place}\n{finding.account}"
    path.with_name(f"{path.name}.txt").write_text(account, "utf-8", "backslashreplace")
    return path


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
