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
REMARK = "{LANGUAGES}"
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
