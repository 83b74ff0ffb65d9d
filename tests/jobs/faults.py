"""Functions that go wrong in another process, for engines to call."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path


class UnsendableError(Exception):
    """Its arguments are not those that it is made of again."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


@dataclass(frozen=True)
class Faulty:
    """Returns numbers; 2 is an error, 3 kills its process once, 4 always, 5 cannot be sent."""

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
        return number
