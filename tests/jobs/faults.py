"""Functions that go wrong in another process, for engines to call."""

from __future__ import annotations

import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType


class UnsendableError(Exception):
    """Its arguments are not those that it is made of again."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


@dataclass(frozen=True)
class Faulty:
    """Returns numbers; 2 is an error, 3 kills its process once, 4 always, 5 and 8 cannot be sent."""

    folder: str

    def __call__(self, number: int) -> int:
        if number == 2:
            raise ValueError("two")
        if number == 3:
            try:
                with Path(self.folder, "once").open("x"):
                    os.kill(os.getpid(), signal.SIGKILL)
            except FileExistsError:
                return 3
        if number == 4:
            os._exit(9)
        if number == 5:
            raise UnsendableError(1, 2)
        if number == 8:
            module = sys.modules["only_there"] = ModuleType("only_there")
            exec("class OnlyThereError(Exception): ...", module.__dict__)
            raise module.OnlyThereError("eight")
        return number


@dataclass(frozen=True)
class Waiting:
    """Returns numbers, but 0 only when there is a file ``go``; before, it says which process waits."""

    folder: str

    def __call__(self, number: int) -> int:
        if number == 0:
            draft = Path(self.folder, "draft")
            draft.write_text(str(os.getpid()))
            draft.rename(Path(self.folder, "waiting"))
            while not Path(self.folder, "go").exists():
                time.sleep(0.01)
        return number


def loud(number: int) -> int:
    """Prints where nobody should."""
    # In one piece, since lines of two processes may be mixed otherwise.
    sys.stdout.write(f"number {number}\n")
    sys.stdout.flush()
    os.write(1, b"written\n")
    return number
