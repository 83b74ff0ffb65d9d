"""A process that has imported everything and forks for each command: thousands of them in the time of a few.

Run with the library of ``faulty_calls.c`` loaded. It reads a line of JSON for each command and answers with
how its process ended. What the command itself does, it does as the program ``metaphrase`` would.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import pkgutil
import resource
import signal
import sys
from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import metaphrase
from metaphrase.cli import main

#: Seconds after which a command hangs.
PATIENCE = 120


#: How standard input, output and errors are opened.
MODES = (os.O_RDONLY, os.O_WRONLY | os.O_CREAT, os.O_WRONLY | os.O_CREAT)
#: What commands import late.
LATE = ("pyarrow.parquet", "sacrebleu", "sklearn.svm", "rich.progress", "rich.console")


def warm(commands: list[list[str]]) -> None:
    """Import whatever commands import late, and open the models that they ask."""
    modules = pkgutil.walk_packages(metaphrase.__path__, "metaphrase.")
    for name in [*(module.name for module in modules), *LATE]:
        with suppress(ImportError):  # of an extra that is not installed
            import_module(name)
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        for command in commands:
            main(command)
    gc.collect()
    gc.freeze()


def become(order: dict[str, Any]) -> int:
    """Be the program, in the fork: its environment, folder, streams and limits; the exit code."""
    os.environ.update(order["environment"])
    os.chdir(order["folder"])
    for descriptor, path in enumerate(order["streams"]):
        if path is not None:
            opened = deaf_pipe() if path == "pipe" else os.open(path, MODES[descriptor], 0o600)
            os.dup2(opened, descriptor)
            os.close(opened)
        buffering = 1 if descriptor == 2 else -1  # as the interpreter has it
        mode = "r" if descriptor == 0 else "w"
        stream = os.fdopen(descriptor, mode, buffering, closefd=False) if path is not None else None
        setattr(sys, ("stdin", "stdout", "stderr")[descriptor], stream)
    for descriptor, path in enumerate(order["streams"]):
        if path is None:
            os.close(descriptor)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if order["user"]:
        os.setegid(order["user"])
        os.seteuid(order["user"])
    if order["megabytes"] is not None:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + int(order["megabytes"] * (1 << 20))
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    ctypes.CDLL(None).faults_arm()
    module, _, name = order["call"].partition(":")
    try:
        code: int = getattr(import_module(module), name)(order["arguments"])
        if sys.stdout is not None:
            sys.stdout.flush()
    except SystemExit as error:  # of argparse
        return int(error.code or 0)
    return code


def deaf_pipe() -> int:
    """A pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


def ended(process: int, meanwhile: dict[str, Any] | None) -> list[int]:
    """Its exit code, or the negative number of the signal that ended it.

    If it stops, something is done meanwhile, whose exit code follows.
    """

    def stop(*_: object) -> None:
        os.kill(process, signal.SIGABRT)

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(PATIENCE)
    others: list[int] = []
    _, status = os.waitpid(process, os.WUNTRACED)
    if os.WIFSTOPPED(status):
        assert meanwhile is not None
        others = ended(forked(meanwhile), None)
        os.kill(process, signal.SIGCONT)
        _, status = os.waitpid(process, 0)
    signal.alarm(0)
    return [os.waitstatus_to_exitcode(status), *others]


def forked(order: dict[str, Any]) -> int:
    """The process that does it."""
    if process := os.fork():
        return process
    code = 70
    try:
        code = become(order)
    finally:
        # The interpreter would put away all that was imported, which takes longer than the rest.
        os._exit(code)


def serve() -> None:
    """Fork for each line."""
    answers = os.fdopen(os.dup(1), "w")
    orders = os.fdopen(os.dup(0), "r")
    print(json.dumps("ready"), file=answers, flush=True)
    while line := orders.readline():
        order = json.loads(line)
        print(json.dumps(ended(forked(order), order["meanwhile"])), file=answers, flush=True)


if __name__ == "__main__":
    warm(json.loads(sys.argv[1]))
    serve()
