"""All metrics from raw text beside sacreBLEU's sentence-level ones, one core, in one run.

Those that parse are measured on longer segments, too.

``python -m benchmarks.end_to_end``, with METAPHRASE_DATA set to the directory of the judgements. ``tesla``
takes part if metaphrase-pivots is installed and ``accord:context`` if metaphrase-encoder is; METEOR does
without its table of paraphrases.
"""

from __future__ import annotations

from importlib.util import find_spec

import sacrebleu.metrics

from benchmarks.interleave import Contestant, interleave, print_table
from benchmarks.real_text import read_different_pairs, read_pairs
from metaphrase import Corpus, Metric, create, score

IN_CONTEXT = ("accord:context",) if find_spec("metaphrase_encoder") else ()
METRICS = (
    *("tesla-m", "chrf", "nist", "bleu", "chrf++", "ter", "meteor:paraphrases=none", "maxsim"),
    *("pbe", "pfsm", "ppda", "ppda+f", "cobalt", "accord", *IN_CONTEXT),
    *(("tesla",) if find_spec("metaphrase_pivots") else ()),
)


#: References of so many words are long, and have 33 on the average.
LONG = range(30, 37)


def main() -> None:
    pairs = read_pairs()
    measure(pairs, METRICS, peers=True)
    # One pair for each reference, since a sentence is analysed once however often it comes.
    long = {pair[1]: pair for pair in read_different_pairs() if len(pair[1].split()) in LONG}
    measure(list(long.values()), ("chrf", "cobalt", "accord", *IN_CONTEXT), peers=False)


def measure(pairs: list[tuple[str, str]], metrics: tuple[str, ...], *, peers: bool) -> None:
    hypotheses, references = (list(side) for side in zip(*pairs, strict=True))
    corpus = Corpus({"system": hypotheses}, [references])

    def contestant(metric: Metric) -> Contestant:
        return Contestant(
            metric.specification,
            lambda: score(corpus, [metric], levels=["segment"], threads=1),
            len(pairs),
        )

    def peer(name: str, metric: sacrebleu.metrics.base.Metric) -> Contestant:
        return Contestant(
            f"sacreBLEU's {name}, sentence by sentence",
            lambda: [metric.sentence_score(hyp, [ref]).score for hyp, ref in pairs],
            len(pairs),
        )

    contestants = [
        *(contestant(create(name, lang="en")) for name in metrics),
    ]
    if peers:
        contestants += [
            peer("chrF", sacrebleu.metrics.CHRF()),
            peer("BLEU", sacrebleu.metrics.BLEU(effective_order=True)),
        ]
    words = sum(len(reference.split()) for reference in references) / max(len(pairs), 1)
    title = f"{len(pairs):,} segments of {words:.0f} words from raw text"
    print_table(title, interleave(contestants, rounds=5))


if __name__ == "__main__":
    main()
