"""The texts that benchmarks measure on: judged system output, or the bundled examples without it."""

from __future__ import annotations

import csv
import gzip
import os
from pathlib import Path
from random import Random

from metaphrase.meta import read_judgements

EXAMPLES = Path(__file__).parents[1] / "examples"
#: The examples are repeated so often: enough for a clock, too few words to say much.
COPIES = 100
#: What has many different translations into English.
JUDGED = (
    *("wmt15.rank.jsonl.gz", "wmt13fren.rank.jsonl.gz", "wmt12.rank.jsonl.gz"),
    *("daseg13.en.tsv.gz", "daseg15.en.tsv.gz", "daseg16.en.tsv.gz"),
)


def read_pairs() -> list[tuple[str, str]]:
    """Hypotheses with their references: WMT16's direct assessments if METAPHRASE_DATA is set."""
    directory = os.environ.get("METAPHRASE_DATA")
    if directory is None:
        print("METAPHRASE_DATA is not set: measuring on the bundled examples, which are few.")
        hypotheses, references = (
            (EXAMPLES / name).read_text().splitlines() for name in ("system-b.txt", "reference.txt")
        )
        return list(zip(hypotheses, references, strict=True)) * COPIES
    path = Path(directory) / "judgements" / "daseg16.en.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(row["hypothesis"], row["references"].split(" ||| ")[0]) for row in rows]


def read_different_pairs() -> list[tuple[str, str]]:
    """Pairs no two of which are equal, in an order without meaning; the examples without METAPHRASE_DATA."""
    directory = os.environ.get("METAPHRASE_DATA")
    if directory is None:
        return read_pairs()
    pairs = {
        (" ".join(text.hypothesis.split()), " ".join(text.references[0].split()))
        for name in JUDGED
        for judged in read_judgements(Path(directory) / "judgements" / name).values()
        if judged.target == "en"
        for text in judged.texts
    }
    ordered = sorted(pair for pair in pairs if all(pair))
    Random(1).shuffle(ordered)
    return ordered
