"""UPF-Cobalt out of English, on the rankings that there are, beside metrics that need no parser.

``python -m experiments.cobalt_languages`` with METAPHRASE_DATA set.
"""

from __future__ import annotations

from experiments.frame import Data, Experiment, run

METRICS = (
    "cobalt",
    "cobalt:penalty=none",
    "cobalt:penalty=fragmentation",
    "cobalt:equivalent_types=no",
    "cobalt:pairs=released",
    "tesla-m",
    "chrf",
    "bleu",
    "ter",
)
REMARK = (
    "No synonyms, no paraphrases, no vectors: what is left of UPF-Cobalt in these languages is equal "
    "words, lemmas and stems, and syntax. It is behind chrF in both years of German and in Spanish, "
    "significantly, and in French in 2012; in French in 2015 it is level with it. It is ahead of BLEU, "
    "TER and TESLA-M in 2015. In 2012 it is ahead of BLEU and TESLA-M in French and level with TER and "
    "TESLA-M in German (.022 and .021 behind them, not significantly; TESLA-M cuts compounds) and with "
    "BLEU and TER in Spanish. The context penalty is worth up to .020 of τ (Spanish) and costs .002 in "
    "German of 2012; equivalent relations are worth .002 at most. With German compounds cut "
    "(`analyser=builtin:de+compounds`, not the default, tried once) τ is .168 in 2012 and .332 in 2015. "
    "Word lists and relations were written down before these figures were made, and were not changed "
    "after."
)
DATA = tuple(
    Data(f"{name}.rank.jsonl.gz", target)
    for target, names in (
        ("de", ("wmt12", "wmt15")),
        ("fr", ("wmt12", "wmt15")),
        ("es", ("wmt12",)),
    )
    for name in names
)

if __name__ == "__main__":
    run([Experiment("cobalt-languages", "Out of English", DATA, METRICS, remark=REMARK)])
