"""chrF and chrF++ from text: ours beside sacreBLEU's, on the same segments, with the same counts."""

from __future__ import annotations

import numpy as np
from sacrebleu.metrics.chrf import CHRF

from benchmarks.interleave import Contestant, interleave, print_table
from benchmarks.real_text import read_pairs
from metaphrase import Chrf, ChrfPlusPlus, Corpus
from metaphrase.metrics import compare

SEGMENTS = 3000
#: sacreBLEU gets every so many-th segment.
STEP = 5
ROUNDS = 5


def main() -> None:
    pairs = read_pairs()[:SEGMENTS]
    hypotheses, references = map(list, zip(*pairs, strict=True))
    for metric in (Chrf(), ChrfPlusPlus()):
        theirs = CHRF(word_order=metric.word_order)

        def native(metric: Chrf = metric) -> np.ndarray:
            (comparison,) = compare(Corpus({"system": hypotheses}, [references]), metric)
            return metric.statistics(comparison)

        def reference(theirs: CHRF = theirs) -> np.ndarray:
            few = hypotheses[::STEP], [references[::STEP]]
            return np.array(theirs._extract_corpus_statistics(*few))

        assert (native()[::STEP] == reference()).all()
        contestants = [
            Contestant("metaphrase", native, len(pairs)),
            Contestant("sacreBLEU", reference, len(hypotheses[::STEP])),
        ]
        title = f"{metric.name} of {len(pairs):,} segments from text; sacreBLEU gets every {STEP}th"
        print_table(title, interleave(contestants, rounds=ROUNDS))


if __name__ == "__main__":
    main()
