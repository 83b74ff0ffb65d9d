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


def become(order: dict[str, Any]) -> list[str]:
    """Be the program, in the fork: its environment, folder and streams; the arguments."""
    os.environ.update(order["environment"])
    os.chdir(order["folder"])
    for descriptor, path in enumerate(order["streams"]):
        opened = os.open(path, os.O_RDONLY if descriptor == 0 else os.O_WRONLY | os.O_CREAT, 0o600)
        os.dup2(opened, descriptor)
        os.close(opened)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    ctypes.CDLL(None).faults_arm()
    arguments: list[str] = order["arguments"]
    return arguments


def ended(process: int) -> int:
    """Its exit code, or the negative number of the signal that ended it."""

    def stop(*_: object) -> None:
        os.kill(process, signal.SIGABRT)

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(PATIENCE)
    _, status = os.waitpid(process, 0)
    signal.alarm(0)
    return os.waitstatus_to_exitcode(status)


def serve() -> list[str] | None:
    """Fork for each line; in the fork, return what it is to do."""
    answers = os.fdopen(os.dup(1), "w")
    orders = os.fdopen(os.dup(0), "r")
    print(json.dumps("ready"), file=answers, flush=True)
    while line := orders.readline():
        if not (process := os.fork()):
            return become(json.loads(line))
        print(ended(process), file=answers, flush=True)
    return None


if __name__ == "__main__":
    warm(json.loads(sys.argv[1]))
    if (arguments := serve()) is not None:
        try:
            code = main(arguments)
            sys.stdout.flush()
        except SystemExit as error:  # of argparse
            code = int(error.code or 0)
        # The interpreter would put away all that the first process had imported, which takes longer than the rest.
        os._exit(code)
