"""Are chrF's counts and scores sacreBLEU's? Compared on real segments, one by one.

``METAPHRASE_DATA=… python -m experiments.chrf_parity``
"""

from __future__ import annotations

from itertools import islice

import numpy as np
from sacrebleu.metrics.chrf import CHRF

from experiments.ter_parity import read
from metaphrase import Corpus
from metaphrase.metrics import compare, create

#: Data, how many segments, and the metric.
TRIALS = (
    ("wmt15.rank.jsonl.gz", 3000, "chrf"),
    ("wmt15.rank.jsonl.gz", 3000, "chrf++"),
    ("wmt15.rank.jsonl.gz", 1000, "chrf++:lowercase=yes:whitespace=yes:eps_smoothing=yes"),
    ("tedmqm.en.tsv.gz", 3000, "chrf++"),
    ("tradopad.en.tsv.gz", 100, "chrf"),
    ("wmt17da.zh.tsv.gz", 560, "chrf"),
)


def main() -> None:
    print(f"{'data':22} {'segments':>8} {'references':>10} {'same counts':>11} {'same scores':>11}")
    for file, most, specification in TRIALS:
        segments = list(islice(read(file), most))
        hypotheses = [hypothesis for hypothesis, _ in segments]
        references = list(zip(*(references for _, references in segments), strict=True))
        metric = create(specification)
        (comparison,) = compare(Corpus({"system": hypotheses}, references), metric)
        ours = metric.statistics(comparison)
        scorer = CHRF(**metric.arguments(False))
        theirs = np.array(scorer._extract_corpus_statistics(hypotheses, references))
        scores = [scorer._compute_f_score(row) for row in theirs.tolist()]
        same = (ours == theirs).all(axis=1).mean(), np.mean(metric.segment_score(ours) == scores)
        print(
            f"{file:22} {len(segments):8,} {len(references):10} {same[0]:11.2%} {same[1]:11.2%}"
            f"  {specification}"
        )


if __name__ == "__main__":
    main()
