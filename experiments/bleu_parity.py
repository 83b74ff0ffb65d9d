"""Are BLEU's words and counts sacreBLEU's? Compared on every line of all data, one by one.

``METAPHRASE_DATA=… python -m experiments.bleu_parity``

Whatever is text is read line by line, whatever its format: what a format puts between words is text as well,
and odd text at that. Counts are those of a line and the next one, as if it were its translation: of every
line under the default tokeniser, of every tenth under the others, since sacreBLEU takes an hour for all.
"""

from __future__ import annotations

import gzip
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from sacrebleu.metrics.bleu import BLEU

from experiments.frame import data_directory
from metaphrase import Corpus
from metaphrase.analysis.metric_text.sacrebleu_tokens import TOKENISERS, tokenise
from metaphrase.metrics import compare, create

LINES_AT_ONCE = 20_000
#: Counts of every so many-th line are compared.
STEP = {"13a": 1, "intl": 10, "zh": 10, "char": 10, "none": 10}


def main() -> None:
    files = sorted(path for path in data_directory().rglob("*") if path.is_file())
    print(
        f"{'tokeniser':9} {'files':>5} {'lines':>9} {'different words':>15} {'different counts':>16}"
    )
    for name in TOKENISERS:
        lines = different_words = different_counts = 0
        for path in files:
            for some in pieces(path):
                lines += len(some)
                words, counts = compared(name, some)
                different_words += words
                different_counts += counts
        print(
            f"{name:9} {len(files):5} {lines:9,} {different_words:15,} {different_counts:16,}",
            flush=True,
        )


def compared(name: str, lines: list[str]) -> tuple[int, int]:
    """In how many lines words differ from sacreBLEU's, and in how many counts do."""
    metric = create(f"bleu:tokenize={name}")
    scorer = BLEU(tokenize=name)
    words = [scorer.tokenizer(line) for line in lines]
    ours = tokenise(lines, name).texts()
    step = STEP[name]
    hypotheses, references = lines[::step], [*lines[1:], lines[0]][::step]
    (comparison,) = compare(Corpus({"system": hypotheses}, [references]), metric)
    counts = np.array(scorer._extract_corpus_statistics(hypotheses, [references]))
    return (
        sum(" ".join(own.split()) != one for own, one in zip(words, ours, strict=True)),
        int((metric.statistics(comparison) != counts).any(axis=1).sum()),
    )


def pieces(path: Path) -> Iterator[list[str]]:
    """The lines of a file that are not blank, some at a time."""
    lines = (line for line in read(path) if line.strip())
    while some := list(islice(lines, LINES_AT_ONCE)):
        yield some


def read(path: Path) -> Iterator[str]:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                yield from archive.read(name).decode("utf-8", "replace").split("\n")
    else:
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8", newline="\n") as text:
            for line in text:
                yield line.removesuffix("\n")


if __name__ == "__main__":
    main()
