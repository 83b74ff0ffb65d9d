"""The floors that every metric must beat: sentence-BLEU and chrF on all segment judgements.

``python -m experiments.floors`` with METAPHRASE_DATA set.
"""

from __future__ import annotations

from experiments.frame import Data, Experiment, run

METRICS = ("bleu", "chrf")

INTO_ENGLISH = Experiment(
    "floors",
    "Floors into English",
    (
        *(Data(f"{name}.rank.jsonl.gz") for name in ("wmt12", "wmt13fren", "wmt15")),
        *(Data(f"{name}.en.tsv.gz") for name in ("daseg15", "daseg16")),
    ),
    METRICS,
    remark=(
        "τ counts every pair of systems that people did not tie, a metric's tie as neither right nor "
        "wrong (`wmt14`)."
    ),
)
INTO_CHINESE = Experiment(
    "floors-zh",
    "Floors into Chinese",
    (Data("wmt17da.zh.tsv.gz", target="zh"),),
    METRICS,
    remark="BLEU with sacreBLEU's tokeniser `zh`, which splits Chinese into characters.",
)

if __name__ == "__main__":
    run([INTO_ENGLISH, INTO_CHINESE])
