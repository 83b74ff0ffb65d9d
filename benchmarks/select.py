"""Candidates compared each with each: ours beside fastChrF and mbrs, and what a pair of how many costs.

``python -m benchmarks.select``; everything on one core. fastChrF is in requirements/benchmark.txt; mbrs
brings torch, and is left out unless it is installed (``pip install mbrs "setuptools<81"``).

No test set has a thousand translations of a sentence, so they are made: of a reference of 24 to 28 words,
each candidate replaces three words in twenty by one of the three words that are offered in their place, as a
model's samples differ in the same places in a few ways; one in forty is left out, and one in forty changes
places with the next. All of them are different.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from random import Random

# Before the peers start their threads.
os.environ["RAYON_NUM_THREADS"] = "1"

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.interleave import Contestant, interleave, print_table
from benchmarks.real_text import read_pairs
from metaphrase import create, pairwise, select
from metaphrase.errors import MetaphraseError

SIZES = 16, 64, 256, 1024
GROWING = "bleu", "chrf", "tesla-m", "ter", "meteor", "cobalt", "accord"
#: Candidates that peers get whose cost a pair does not fall.
FEW = 64
ROUNDS = 3
#: A measurement is repeated until it has taken so many seconds, and no more often than so.
ENOUGH, OFTEN = 1.0, 5
#: What costs so much less is little to save.
SHARE = 0.1


def candidates(count: int, *, seed: int = 1) -> list[str]:
    """So many different translations of one sentence."""
    references = list(dict.fromkeys(reference for _, reference in read_pairs()))
    sentences = [reference.split() for reference in references]
    words = next(s for s in sentences if 24 <= len(s) <= 28) if count else []
    vocabulary = sorted({word for sentence in sentences for word in sentence})
    random = Random(seed)
    offered = [random.sample(vocabulary, 3) for _ in words]
    found: dict[str, None] = {}
    while len(found) < count:
        sample = list(words)
        for place, others in enumerate(offered):
            chance = random.random()
            if chance < 0.15:
                sample[place] = random.choice(others)
            elif chance < 0.175:
                sample[place] = ""
            elif chance < 0.2 and place + 1 < len(words):
                sample[place], sample[place + 1] = sample[place + 1], sample[place]
        found.setdefault(" ".join(filter(None, sample)))
    return list(found)


def main() -> None:
    beside_fastchrf()
    beside_mbrs()
    growth()


def beside_fastchrf() -> None:
    """chrF's matrix, and chrF with all references at once."""
    try:
        from fastchrf import aggregate_chrf, pairwise_chrf
    except ImportError:
        print("fastChrF is not there: pip install -r requirements/benchmark.txt")
        return
    chrf = create("chrf")
    for count in SIZES:
        texts = candidates(count)
        ours = pairwise(chrf, texts, threads=1)
        if count <= max(SIZES[:-1]):
            assert np.allclose(ours, pairwise_chrf([texts], [texts])[0], rtol=1e-9, atol=1e-9)
            matrix = [
                Contestant("metaphrase", _matrix("chrf", texts), count**2),
                Contestant(
                    "fastChrF pairwise_chrf", lambda t=texts: pairwise_chrf([t], [t]), count**2
                ),
            ]
            title = f"chrF of {count:,} × {count:,} candidates; an item is a pair"
            print_table(title, interleave(matrix, rounds=ROUNDS))
        aggregates = [
            Contestant("metaphrase", _aggregate("chrf", texts), count),
            Contestant("fastChrF aggregate_chrf", lambda t=texts: aggregate_chrf([t], [t]), count),
        ]
        title = f"chrF of {count:,} candidates with all of them at once; an item is a candidate"
        print_table(title, interleave(aggregates, rounds=ROUNDS))


def beside_mbrs() -> None:
    """BLEU and chrF, matrix and aggregate; mbrs works in another process, whose time is counted."""
    try:
        from mbrs.metrics import MetricBLEU, MetricChrF
    except ImportError:
        print('mbrs is not there, and is left out: pip install mbrs "setuptools<81"')
        return
    texts = candidates(FEW)
    peers = {
        "bleu": {"mbrs": MetricBLEU(MetricBLEU.Config(num_workers=1))},
        "chrf": {
            "mbrs": MetricChrF(MetricChrF.Config(num_workers=1)),
            "mbrs with fastChrF": MetricChrF(MetricChrF.Config(num_workers=1, fastchrf=True)),
        },
    }
    for name, theirs in peers.items():
        pairs = [Contestant("metaphrase", _matrix(name, texts), FEW**2)]
        whole = [Contestant("metaphrase", _aggregate(name, texts), FEW)]
        for label, peer in theirs.items():
            found = np.array(peer.pairwise_scores(texts, texts))
            assert np.allclose(found, pairwise(name, texts, threads=1), rtol=1e-5)
            pairs.append(Contestant(label, lambda p=peer: p.pairwise_scores(texts, texts), FEW**2))
            aggregate = peer.expected_scores_reference_aggregation
            whole.append(Contestant(label, lambda a=aggregate: a(texts, texts), FEW))
        print_table(
            f"{name} of {FEW} × {FEW} candidates; an item is a pair",
            interleave(pairs, rounds=ROUNDS),
        )
        title = f"{name} of {FEW} candidates with all of them at once; an item is a candidate"
        print_table(title, interleave(whole, rounds=ROUNDS))


def growth() -> None:
    """CPU time a pair by the number of candidates: texts are read once, and it falls until pairs are all."""
    table = Table(
        title="µs a pair, each of so many candidates with each, and from how many on it stays so",
        title_justify="left",
    )
    for heading in ("", *(f"{count:,}" for count in SIZES), "stays from"):
        table.add_column(heading, justify="right" if heading else "left")
    for name in GROWING:
        try:
            costs = [_cost(name, candidates(count)) * 1e6 for count in SIZES]
        except MetaphraseError as error:
            print(f"{name} is left out: {error}")
            continue
        stays = next(n for n, cost in zip(SIZES, costs, strict=True) if _is_low(cost, costs[-1]))
        table.add_row(name, *(f"{cost:,.2f}" for cost in costs), f"{stays:,}")
    Console(width=110).print(table)


def _is_low(cost: float, last: float) -> bool:
    return cost <= last * (1 + SHARE)


def _matrix(name: str, texts: Sequence[str]) -> Callable[[], object]:
    metric = create(name)
    return lambda: pairwise(metric, list(texts), threads=1)


def _aggregate(name: str, texts: Sequence[str]) -> Callable[[], object]:
    metric = create(name)
    return lambda: select(list(texts), metric, aggregate=True, threads=1)


def _cost(name: str, texts: Sequence[str]) -> float:
    """CPU seconds a pair, the median; what takes long is measured once."""
    run = _matrix(name, texts)
    _matrix(name, texts[:2])()  # loads models
    taken: list[float] = []
    while sum(taken) < ENOUGH and len(taken) < OFTEN:
        started = time.process_time()
        run()
        taken.append(time.process_time() - started)
    return float(np.median(taken)) / len(texts) ** 2


if __name__ == "__main__":
    main()
