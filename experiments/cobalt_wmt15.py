"""UPF-Cobalt on the task it was made for, WMT15 into English, and what each part of it is worth.

``python -m experiments.cobalt_wmt15`` with METAPHRASE_DATA set. METAPHRASE_ANALYSER names another analyser
than the built-in one, such as ``spacy:en_core_web_sm``; PPDB's paraphrases are read from the data directory.
"""

from __future__ import annotations

import os

from experiments.frame import Data, Experiment, data_directory, run


def experiments() -> list[Experiment]:
    # From inside the directory, so that its name does not become part of the table.
    os.environ["METAPHRASE_DATA"] = str(data_directory().resolve())
    os.chdir(data_directory())
    ppdb = "paraphrases=file:lexicons/ppdb-1.0-xxxl-lexical.tsv.gz"
    analyser = os.environ.get("METAPHRASE_ANALYSER")
    base = f"cobalt:analyser={analyser}" if analyser else "cobalt"
    judged = (
        Data("wmt15.rank.jsonl.gz"),
        *(Data(f"{name}.en.tsv.gz") for name in ("daseg15", "daseg16")),
    )
    beside = Experiment(
        "cobalt",
        "UPF-Cobalt beside TESLA-M, sentence-BLEU and chrF, into English",
        judged,
        (base, "tesla-m", "bleu", "chrf"),
    )
    # The rows of the paper's section 4: without the penalty, with METEOR's, without equivalent types …
    ablations = Experiment(
        "cobalt-ablations",
        "What each part of UPF-Cobalt is worth",
        judged,
        (
            base,
            f"{base}:{ppdb}",
            f"{base}:paraphrases=none",
            f"{base}:synonyms=none:paraphrases=none",
            f"{base}:penalty=none",
            f"{base}:penalty=fragmentation",
            f"{base}:equivalent_types=no",
            f"{base}:weights=uniform",
            f"{base}:opposite=symmetric",
        ),
    )
    return [beside, ablations]


if __name__ == "__main__":
    run(experiments())
