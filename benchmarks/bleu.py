"""BLEU from text with each tokeniser: ours beside sacreBLEU's, on the same segments, with the same counts.

sacreBLEU remembers the last 65,536 texts that it tokenised, so it gets a new memory each time.
"""

from __future__ import annotations

import numpy as np
from sacrebleu.metrics.bleu import BLEU

from benchmarks.interleave import Contestant, interleave, print_table
from benchmarks.real_text import read_different_pairs
from metaphrase import Bleu, Corpus
from metaphrase.analysis.metric_text.sacrebleu_tokens import TOKENISERS
from metaphrase.metrics import compare

SEGMENTS = 3000
#: sacreBLEU gets every so many-th segment.
STEP = 5
ROUNDS = 5


def main() -> None:
    pairs = read_different_pairs()[:SEGMENTS]
    hypotheses, references = map(list, zip(*pairs, strict=True))
    for tokeniser in TOKENISERS:

        def native(tokeniser: str = tokeniser) -> np.ndarray:
            metric = Bleu(tokenize=tokeniser)
            (comparison,) = compare(Corpus({"system": hypotheses}, [references]), metric)
            return metric.statistics(comparison)

        def reference(tokeniser: str = tokeniser) -> np.ndarray:
            few = hypotheses[::STEP], [references[::STEP]]
            # What is remembered belongs to a tokeniser, and a new one remembers nothing.
            return np.array(BLEU(tokenize=tokeniser)._extract_corpus_statistics(*few))

        assert (native()[::STEP] == reference()).all()
        contestants = [
            Contestant("metaphrase", native, len(pairs)),
            Contestant("sacreBLEU", reference, len(hypotheses[::STEP])),
        ]
        title = (
            f"{tokeniser}: BLEU of {len(pairs):,} segments from text; sacreBLEU gets every {STEP}th"
        )
        print_table(title, interleave(contestants, rounds=ROUNDS))


if __name__ == "__main__":
    main()
