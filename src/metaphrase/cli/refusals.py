"""Says which segments metrics rejected, with their files and lines."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from metaphrase.corpus.opening.places import SegmentPlaces
from metaphrase.errors import InputError

if TYPE_CHECKING:
    from metaphrase.corpus.opening import CorpusFiles
    from metaphrase.scoring import Scores

#: So many are told of each metric: whoever wants all of them reads JSON.
TOLD = 10


@contextmanager
def located(files: CorpusFiles) -> Iterator[None]:
    """Name file and line in an error about a segment of a corpus that was read from ``files``."""
    try:
        yield
    except InputError as error:
        if error.segment is None or error.path is not None:
            raise
        raise error.at(*SegmentPlaces(files).place(error.segment, error.system)) from error


def tell_refusals(scores: Scores, files: CorpusFiles) -> None:
    """Name on the error stream what was skipped; how much it was, warnings and tables say."""
    if scores.refusals:
        tell_places(scores, SegmentPlaces(files).place)


def tell_places(scores: Scores, place: Callable[[int, str | None], tuple[str, int | None]]) -> None:
    """The same, given a function that says where a segment, from 0, of a system stands."""
    told: Counter[str] = Counter()
    for refusal in scores.refusals:
        told[refusal.metric] += 1
        if told[refusal.metric] > TOLD:
            continue
        path, line = place(refusal.segment, refusal.system)
        where = f"{path}, segment {refusal.segment + 1}" if line is None else f"{path}, line {line}"
        say(f"{where}: skipped by {refusal.metric}: [{refusal.code}] {refusal.message}")
    for metric, count in told.items():
        if count > TOLD:
            say(f"{count - TOLD:,} more skipped by {metric}; --format json lists all of them")


def say(message: str) -> None:
    """Print a line on the error stream."""
    if sys.stderr is not None:
        printable = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in message)
        print(f"metaphrase: {printable}", file=sys.stderr)
