"""TER from text: ours beside sacreBLEU's, on the same segments, with the same edits."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sacrebleu.metrics.ter import TER
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from benchmarks.interleave import Contestant, interleave, print_table
from benchmarks.real_text import read_pairs
from metaphrase import Corpus, Ter
from metaphrase.matching.edit_rate import count_edits
from metaphrase.matching.symbol_rows import SymbolRows
from metaphrase.metrics import compare

SEGMENTS = 3000
#: sacreBLEU gets every so many-th segment.
STEP = 10
ROUNDS = 5


def main() -> None:
    pairs = read_pairs()[:SEGMENTS]
    few = pairs[::STEP]
    for options in ({}, {"normalized": True}):
        ours, theirs = native(pairs, **options), reference(few, **options)
        assert (ours()[::STEP] == theirs()).all()
        contestants = [
            Contestant("metaphrase, from text", ours, len(pairs)),
            Contestant("sacreBLEU, from text", theirs, len(few)),
        ]
        if not options:
            contestants.insert(
                1, Contestant("the edits alone, of numbered words", kernel(pairs), len(pairs))
            )
        chosen = ", ".join(options) or "default options"
        title = f"TER of {len(pairs):,} segments, {chosen}; sacreBLEU gets {len(few)} of them"
        print_table(title, interleave(contestants, rounds=ROUNDS))


def native(pairs: list[tuple[str, str]], **options: bool) -> Callable[[], np.ndarray]:
    hypotheses, references = map(list, zip(*pairs, strict=True))
    metric = Ter(**options)

    def run() -> np.ndarray:
        (comparison,) = compare(Corpus({"system": hypotheses}, [references]), metric)
        return metric.statistics(comparison)

    return run


def reference(pairs: list[tuple[str, str]], **options: bool) -> Callable[[], np.ndarray]:
    hypotheses, references = map(list, zip(*pairs, strict=True))
    metric = TER(**options)

    def run() -> np.ndarray:
        TercomTokenizer.__call__.cache_clear()  # what was tokenised in the last round
        return np.array(metric._extract_corpus_statistics(hypotheses, [references]))

    return run


def kernel(pairs: list[tuple[str, str]]) -> Callable[[], np.ndarray]:
    words = Ter().words
    numbers: dict[str, int] = {}
    sides = [SymbolRows.of_words(map(words, texts), numbers) for texts in zip(*pairs, strict=True)]
    return lambda: count_edits(*sides)


if __name__ == "__main__":
    main()
