"""Pivot bags and their matching beside the oracle in plain Python, and the training of a table.

``python -m benchmarks.pivots``, with METAPHRASE_DATA set to the directory of the judgements and of the
parallel text. A table of 20,000 sentence pairs is trained first. ``python -m benchmarks.pivots --train``
trains one of 200,000 and says how long it took and how much memory it needed.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from collections.abc import Hashable
from fractions import Fraction
from itertools import islice
from pathlib import Path

import numpy as np

from benchmarks.interleave import Contestant, interleave, print_table
from benchmarks.real_text import read_pairs
from metaphrase import analysis
from metaphrase.corpus.lines import LineReader
from metaphrase.learning.phrases.pivot_training import train_pivot_table
from metaphrase.lexicon.pivot_table import PivotTable
from metaphrase.matching.pivot_bags import (
    PivotOverlaps,
    PivotSentences,
    pivot_bags,
    pivot_sentences,
    segmentation,
)

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from oracle import pivots as oracle

#: Pairs that the oracle is given: it reads every network in every way.
FEW = 20
SMALL, LARGE = 20_000, 200_000


def trained(folder: Path, pairs: int) -> PivotTable:
    """English by way of French; the first lines of Europarl."""
    directory = Path(os.environ["METAPHRASE_DATA"]) / "parallel"
    files = []
    for language in ("en", "fr"):
        files.append(folder / language)
        with LineReader(directory / f"europarl.fr-en.{language}.gz") as lines:
            text = "".join(f"{line}\n" for _, line in islice(lines, pairs))
        files[-1].write_text(text, "utf-8")
    content, _ = train_pivot_table(*files, target_language="en", pivot_language="fr")
    path = folder / f"en-fr-{pairs}.pivots"
    path.write_bytes(content)
    return PivotTable(path)


def oracle_overlaps(table: PivotTable, hypothesis: list[str], reference: list[str]) -> list[float]:
    """Matched lemmas of the three orders, by reading each network in all ways."""
    found = []
    for n in (1, 2, 3):
        bags: list[dict[tuple[Hashable, ...], Fraction]] = []
        for words in (reference, hypothesis):
            slots = [
                [(a.units, Fraction(a.probability)) for a in slot.alternatives]
                for slot in segmentation(table, words)
            ]
            ngrams = oracle.expected_ngrams(slots, n)
            units = {unit for ngram in ngrams for unit in ngram}
            function = [unit for unit in units if unit.function]
            bags.append(oracle.bag(ngrams, {u: u.lemma for u in units}, function, 10))
        found.append(float(oracle.overlap(*bags)))
    return found


def words_of(prepared: PivotSentences, row: int) -> list[str]:
    first, last = prepared.offsets[row : row + 2]
    return [prepared.strings[i] for i in prepared.word[first:last].tolist()]


def compare(table: PivotTable) -> None:
    pairs = read_pairs()
    count = len(pairs)
    batch = analysis.shared("builtin:en").analyse(
        [text for side in zip(*pairs, strict=True) for text in side], ("form",)
    )
    prepared = pivot_sentences(batch)
    rows = np.arange(count, dtype=np.int32)
    chosen = np.linspace(0, count - 1, FEW).astype(int).tolist()
    sides = [(words_of(prepared, i), words_of(prepared, i + count)) for i in chosen]

    def bags() -> PivotOverlaps:
        return pivot_bags(table, prepared, rows, rows + count)

    def slow() -> list[list[float]]:
        return [oracle_overlaps(table, *side) for side in sides]

    assert np.allclose(bags().matched_lemma[chosen], slow(), rtol=0, atol=1e-9)
    contestants = [
        Contestant("cuts, bags and matching", bags, count),
        Contestant(
            "the same from analysed sentences on",
            lambda: pivot_bags(table, batch, rows, rows + count),
            count,
        ),
        Contestant("the oracle in plain Python, lemmas alone", slow, FEW),
    ]
    title = (
        f"{count:,} pairs of {np.diff(prepared.offsets).mean():.0f} words on average, a table of "
        f"{table.phrase_count:,} phrases; the oracle gets {FEW} pairs, and finds the same"
    )
    timings = interleave(contestants, rounds=5)
    print_table(title, timings)
    print(f"{1 / timings[0].median:,.0f} pairs a second on one core")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        if "--train" not in sys.argv:
            compare(trained(Path(folder), SMALL))
            return
        begun = time.perf_counter()
        table = trained(Path(folder), LARGE)
        seconds = time.perf_counter() - begun
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(f"{LARGE:,} sentence pairs at most: {seconds:.0f} s, {peak:.2f} GiB at the peak")
        size = table.path.stat().st_size
        print(
            f"{table.phrase_count:,} phrases, {table.alternative_count:,} alternatives, {size:,} bytes"
        )


if __name__ == "__main__":
    main()
