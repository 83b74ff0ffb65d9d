"""TESLA-M from raw text beside sacreBLEU's sentence-level metrics, one core, in one run.

``python -m benchmarks.end_to_end``, with METAPHRASE_DATA set to the directory of the judgements.
"""

from __future__ import annotations

import sacrebleu.metrics

from benchmarks.interleave import Contestant, interleave, print_table
from benchmarks.real_text import read_pairs
from metaphrase import Corpus, TeslaM, score


def main() -> None:
    pairs = read_pairs()
    hypotheses, references = (list(side) for side in zip(*pairs, strict=True))
    corpus = Corpus({"system": hypotheses}, [references])
    metric = TeslaM()
    chrf = sacrebleu.metrics.CHRF()
    bleu = sacrebleu.metrics.BLEU(effective_order=True)

    def sentences(peer: sacrebleu.metrics.base.Metric) -> list[float]:
        return [peer.sentence_score(hyp, [ref]).score for hyp, ref in pairs]

    contestants = [
        Contestant(
            "TESLA-M, tagging included",
            lambda: score(corpus, [metric], levels=["segment"], threads=1),
            len(pairs),
        ),
        Contestant("sacreBLEU chrF, sentences", lambda: sentences(chrf), len(pairs)),
        Contestant("sacreBLEU BLEU, sentences", lambda: sentences(bleu), len(pairs)),
    ]
    print_table(f"{len(pairs):,} segments from raw text", interleave(contestants, rounds=5))


if __name__ == "__main__":
    main()
