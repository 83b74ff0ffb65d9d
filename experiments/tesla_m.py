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
    remark=(
        "TESLA-M beats sentence-BLEU on most rankings, loses to it on most direct assessments, "
        "and is below chrF everywhere; on wmt12 es-en and daseg16 fi-en the two do not differ "
        "significantly. What the segments have in common on which it does worst beside chrF "
        "(daseg15 and daseg16; the 24 worst of 5,360 were read, 15 of them scored too high):\n"
        "\n"
        "- *too high*: other words with the same tags (“I like the president.” for “I like the "
        "guy.”). Half of the six features see tags only, and s_ms gives half a point for them.\n"
        "- *too high*: wrong function words (“will be across Syria” for “about Syria”), which "
        "weigh a tenth.\n"
        "- *too low*: one word of a short segment that differs in a letter, or is tagged "
        "otherwise (“Only my George managed” for “Georgy”). It takes its bigrams and trigrams "
        "with it, and the function words around it weigh too little to make up for them. chrF "
        "sees most of the letters."
    ),
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
    remark=(
        "The features of tags alone and the trigrams cost agreement on all three sets, and so "
        "does the discount of function words on direct assessments; WordNet's synonyms neither "
        "help nor harm. Nothing is tuned on this: the default stays the published metric."
    ),
)

if __name__ == "__main__":
    run([FIRST_ROW, ABLATIONS])
