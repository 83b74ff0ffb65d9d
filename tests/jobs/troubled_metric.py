"""A metric that counts words, unless the text tells it to make trouble: ``once:/some/place`` and so on.

Trouble is over as soon as there is a file at that place, so that the same table can be scored with and
without it. Each try to score the text is noted beside the place.
"""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from metaphrase.metrics import Comparison, Metric


@dataclass(frozen=True, kw_only=True)
class Troubled(Metric):
    """Words of the translation."""

    name: ClassVar[str] = "troubled"
    summary: ClassVar[str] = "words of the translation"
    citation: ClassVar[str] = ""

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> np.ndarray:
        for text in comparison.hypotheses:
            verb, colon, place = text.partition(":")
            if colon:
                obey(verb, Path(place))
        return np.array([[len(text.split()), 1.0] for text in comparison.hypotheses])


def obey(verb: str, place: Path) -> None:
    with Path(f"{place}.tries").open("a") as stream:
        stream.write(f"{os.getpid()}\n")
    if place.exists():
        return
    if verb == "fail":
        raise ValueError("this text cannot be scored")
    if verb == "once":
        place.touch()
    if verb in ("once", "always"):
        os.kill(os.getpid(), signal.SIGKILL)
    until = time.monotonic() + 300
    while not place.exists():
        assert time.monotonic() < until, "nobody has ended the waiting"
        time.sleep(0.01)
