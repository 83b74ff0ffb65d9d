"""TESLA-M beside sentence-BLEU and chrF on everything judged in English, and what each part of it is worth.

``python -m experiments.tesla_m`` with METAPHRASE_DATA set.
"""

from __future__ import annotations

from experiments.frame import Data, Experiment, run

RANKINGS = tuple(Data(f"{name}.rank.jsonl.gz") for name in ("wmt12", "wmt13fren", "wmt15"))
SCORES = tuple(Data(f"{name}.en.tsv.gz") for name in ("daseg15", "daseg16"))

FIRST_ROW = Experiment(
    "tesla-m",
    "TESLA-M beside sentence-BLEU and chrF, into English",
    (*RANKINGS, *SCORES),
    ("tesla-m", "bleu", "chrf"),
)

ABLATIONS = Experiment(
    "tesla-m-ablations",
    "What each part of TESLA-M is worth",
    (Data("wmt15.rank.jsonl.gz"), *SCORES),
    (
        "tesla-m",
        "tesla-m:synonyms=none",
        "tesla-m:function_divisor=1",
        "tesla-m:features=ms1,pos1",
        "tesla-m:features=ms2,pos2",
        "tesla-m:features=ms3,pos3",
        "tesla-m:features=ms1,ms2,ms3",
        "tesla-m:features=ms1,ms2",
    ),
)

if __name__ == "__main__":
    run([FIRST_ROW, ABLATIONS])
