"""What a target is, and what is said of it when it fails."""

from __future__ import annotations

import re
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from metaphrase.errors import CATALOGUE, MetaphraseError

_PACKAGE = f"{Path('metaphrase')}/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Something that reads bytes of others.

    run:     reads them; whatever it opens, it must close
    seeds:   small inputs to begin with, most of them such as it takes
    words:   what mutations put in beside single bytes: key words and marks of the format
    longest: bytes of an input
    seconds, seconds_per_kilobyte: how long reading may take, in seconds of the processor
    guided:  whether coverage says which inputs are worth keeping; not where all the work is done by compiled
             code, of which nothing is seen
    make:    makes inputs of a target that is not guided; by default seeds are mutated
    run_several: reads several inputs in one call, and looks at what becomes of each, where calls cost more
             than reading; whatever it raises is about one of them, which is then looked for by halves
    """

    name: str
    run: Callable[[bytes], object]
    seeds: Callable[[], Iterable[bytes]]
    words: Sequence[str | bytes] = ()
    longest: int = 4096
    seconds: float = 2.0
    seconds_per_kilobyte: float = 0.05
    guided: bool = True
    make: Callable[[Random], bytes] | None = None
    run_several: Callable[[Sequence[bytes]], object] | None = None

    def limit(self, size: int) -> float:
        """Seconds that an input of so many bytes may take."""
        return self.seconds + self.seconds_per_kilobyte * size / 1024


@dataclass(frozen=True, slots=True)
class Finding:
    """Why a target failed: ``place`` is the same for all inputs that fail for this reason."""

    place: str
    account: str


def examine(target: Target, data: bytes) -> Finding | None:
    """Run a target; None if it did what it may do."""
    start = time.process_time()
    try:
        _run(target, data)
    except MetaphraseError as error:
        if error.code not in CATALOGUE or not str(error).startswith(f"[{error.code}] "):
            return Finding(f"unknown code {error.code}", traceback.format_exc())
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return Finding(_place(error), traceback.format_exc())
    if time.process_time() - start > target.limit(len(data)):
        # Once more: what is loaded or tabulated on first use is not the input's fault.
        again = time.process_time()
        with suppress(MetaphraseError):
            _run(target, data)
        took = time.process_time() - again
        if took > target.limit(len(data)):
            allowed = target.limit(len(data))
            account = f"{len(data)} bytes took {took:.1f} s, where {allowed:.1f} s are allowed\n"
            return Finding("too slow", account)
    return None


def examine_several(target: Target, inputs: Sequence[bytes]) -> Iterator[tuple[bytes, Finding]]:
    """Which of several inputs are findings: the same ones as if each had been run alone.

    Inputs that were read together without an error, and in the time that each of them may take alone, are
    none. All others are halved until one stands alone.
    """
    if target.run_several is None or len(inputs) == 1:
        for data in inputs:
            if (finding := examine(target, data)) is not None:
                yield data, finding
        return
    start = time.process_time()
    with suppress(Exception), _no_warnings():
        target.run_several(inputs)
        if time.process_time() - start <= min(target.limit(len(data)) for data in inputs):
            return
    middle = len(inputs) // 2
    yield from examine_several(target, inputs[:middle])
    yield from examine_several(target, inputs[middle:])


def _run(target: Target, data: bytes) -> None:
    with _no_warnings():
        target.run(data)


@contextmanager
def _no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a warning is nothing that a program may not do
        yield


def _place(error: BaseException) -> str:
    """The kind of the error, and the last line of ours that it went through."""
    place = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        name = frame.f_code.co_filename
        if _PACKAGE in name:
            place = f"{name.rpartition(_PACKAGE)[2]}:{line}"
    return re.sub(r"\s+", " ", f"{type(error).__name__} {place}".strip())
