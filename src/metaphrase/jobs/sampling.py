"""A sample of a job's rows, to look at: the same one whoever draws it, and cheap however many rows there are.

Shards cannot be read from their middle, so that a few of them are drawn first, larger ones more often, and
rows from those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import compress
from os import PathLike

import numpy as np
from numpy.random import Generator, default_rng

from metaphrase.arrays import Int64Array
from metaphrase.corpus import Corpus
from metaphrase.corpus.formats.tables.layout import NAMES
from metaphrase.errors import OptionError
from metaphrase.jobs.plan import Plan, Shard
from metaphrase.jobs.tables import read, types
from metaphrase.statistics.resampling import SEED

#: Shards that are read at the most: seconds for Parquet, a minute for text.
SHARDS = 50


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Rows of a job: their texts, their numbers in the whole job from 0, and how many shards they are of."""

    corpus: Corpus
    rows: Int64Array
    shards: int


def sample(
    folder: str | PathLike[str], rows: int, *, seed: int = SEED, shards: int = SHARDS
) -> Sample:
    """Draw ``rows`` rows of a planned job, or all if there are no more, in their order.

    They are spread over at most ``shards`` shards.
    """
    if rows < 1 or shards < 1:
        raise OptionError("MP939", "a sample has at least one row of one shard.")
    plan = Plan.load(folder)
    chosen = _drawn(plan, rows, shards, default_rng(seed))
    readable = _with_source(plan)
    pieces = [
        piece
        for number, places in chosen.items()
        for piece in _rows(readable, plan.shards[number], places)
    ]
    found = [plan.shards[number].first + places for number, places in chosen.items()]
    return Sample(Corpus.join(pieces), np.concatenate(found), len(chosen))


def _drawn(plan: Plan, rows: int, shards: int, chance: Generator) -> Mapping[int, Int64Array]:
    """Places within each of the shards that were drawn."""
    sizes = np.array([shard.rows for shard in plan.shards])
    count = min(shards, rows, len(sizes))
    if rows >= sizes.sum() or count == len(sizes):
        numbers = np.arange(len(sizes))
    else:
        numbers = np.sort(chance.choice(len(sizes), count, replace=False, p=sizes / sizes.sum()))
    # As if the shards that were drawn were all there is.
    ends = np.cumsum(sizes[numbers])
    if rows < ends[-1]:
        places = np.sort(chance.choice(ends[-1], rows, replace=False, shuffle=False))
    else:
        places = np.arange(ends[-1])
    found = {}
    for number, end in zip(numbers.tolist(), ends.tolist(), strict=True):
        first = end - int(sizes[number])
        inside = places[(places >= first) & (places < end)] - first
        if len(inside):
            found[number] = inside.astype(np.int64)
    return found


def _rows(plan: Plan, shard: Shard, places: Int64Array) -> Iterator[Corpus]:
    first = 0
    for piece in read(plan, shard):
        inside = places[(places >= first) & (places < first + len(piece.corpus))] - first
        if len(inside):
            yield _selected(piece.corpus, inside)
        first += len(piece.corpus)
        if first > places[-1]:
            return


def _selected(corpus: Corpus, places: Int64Array) -> Corpus:
    wanted = np.zeros(len(corpus), dtype=bool)
    wanted[places] = True
    sources, documents = (
        None if texts is None else list(compress(texts, wanted))
        for texts in (corpus.sources, corpus.documents)
    )
    return Corpus(
        {name: list(compress(texts, wanted)) for name, texts in corpus.systems.items()},
        [list(compress(texts, wanted)) for texts in corpus.references],
        sources=sources,
        documents=documents,
        empty_references="keep",
    )


def _with_source(plan: Plan) -> Plan:
    """The plan with the source, which metrics do not read and people do, if all tables call it so."""
    for name in NAMES["source"]:
        if plan.columns["source"] is None and all(
            types(table.path).get(name) == "string" for table in plan.inputs
        ):
            return replace(plan, columns={**plan.columns, "source": name})
    return plan
