"""Are TER's words and edits sacreBLEU's? Edits are counted on real segments with both, one by one.

``METAPHRASE_DATA=… python -m experiments.ter_parity``

Words are compared on every line of all data, as in :mod:`experiments.bleu_parity`.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from operator import ne

import numpy as np
from sacrebleu.metrics.ter import TER
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from experiments.bleu_parity import pieces
from experiments.frame import data_directory
from metaphrase import Corpus
from metaphrase.analysis.metric_text.sacrebleu_tokens import tokenise_for_ter
from metaphrase.metrics import compare, create

#: A hypothesis and its references.
Segment = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class Trial:
    """Segments of a file, and the options that they are compared under."""

    name: str
    file: str
    segments: int
    specification: str = "ter"


TRIALS = (
    Trial("wmt15 into English", "wmt15.rank.jsonl.gz", 3000),
    Trial("the same", "wmt15.rank.jsonl.gz", 3000, "ter:normalized=yes"),
    Trial(
        "the same",
        "wmt15.rank.jsonl.gz",
        1000,
        "ter:normalized=yes:no_punct=yes:case_sensitive=yes",
    ),
    Trial("TED, 2 references", "tedmqm.en.tsv.gz", 1500),
    Trial("TraDoPad, 4 references", "tradopad.en.tsv.gz", 100),
    Trial("wmt17 into Chinese", "wmt17da.zh.tsv.gz", 560, "ter:normalized=yes:asian_support=yes"),
    Trial(
        "the same",
        "wmt17da.zh.tsv.gz",
        560,
        "ter:normalized=yes:asian_support=yes:no_punct=yes",
    ),
)


#: Options of the tokeniser that make it do all it can.
TOKENISING: tuple[dict[str, bool], ...] = (
    {},
    {"normalized": True},
    {"normalized": True, "no_punct": True, "asian_support": True, "case_sensitive": True},
)


def main() -> None:
    compare_words()
    compare_edits()


def compare_words() -> None:
    """Every line as a hypothesis, and then as a reference, which goes through the tokeniser twice."""
    files = sorted(path for path in data_directory().rglob("*") if path.is_file())
    for options in TOKENISING:
        lines = different = 0
        # Not by its method, which remembers 65,536 texts.
        theirs = partial(TercomTokenizer.__call__.__wrapped__, TercomTokenizer(**options))
        for some in chain.from_iterable(map(pieces, files)):
            lines += len(some)
            expected = [line.rstrip() for line in some]
            for passes in (1, 2):
                expected = list(map(theirs, expected))
                ours = tokenise_for_ter(some, **options, passes=passes, threads=2).texts()
                different += sum(map(ne, ours, expected))
        chosen = ", ".join(options) or "default options"
        print(
            f"{lines:,} lines of {len(files)} files, {different:,} with other words: {chosen}",
            flush=True,
        )


def compare_edits() -> None:
    print(
        f"{'data':24} {'segments':>8} {'same edits':>10} {'same scores':>11} {'largest difference':>18}"
    )
    for trial in TRIALS:
        segments = list(islice(read(trial.file), trial.segments))
        ours, theirs = counts(trial.specification, segments)
        metric = create(trial.specification)
        scores = metric.segment_score(ours), metric.segment_score(theirs)
        same = np.mean(ours[:, 0] == theirs[:, 0]), np.mean(scores[0] == scores[1])
        furthest = np.abs(scores[0] - scores[1]).max()
        print(
            f"{trial.name:24} {len(segments):8,} {same[0]:10.2%} {same[1]:11.2%} {furthest:18.1e}"
            f"  {trial.specification}"
        )


def counts(specification: str, segments: Sequence[Segment]) -> tuple[np.ndarray, np.ndarray]:
    """Edits and reference words, ours and sacreBLEU's."""
    hypotheses = [hypothesis for hypothesis, _ in segments]
    references = list(zip(*(references for _, references in segments), strict=True))
    metric = create(specification)
    (comparison,) = compare(Corpus({"system": hypotheses}, references), metric)
    ours = metric.statistics(comparison)
    theirs = TER(**metric.arguments(False))._extract_corpus_statistics(hypotheses, references)
    return ours, np.array(theirs)


def read(name: str) -> Iterator[Segment]:
    """Different segments of a file of judgements, into English if there are several languages."""
    seen = set()
    with gzip.open(
        data_directory() / "judgements" / name, "rt", encoding="utf-8", newline=""
    ) as lines:
        rows = rankings(lines) if name.endswith(".jsonl.gz") else table(lines)
        for row in rows:
            if row not in seen:
                seen.add(row)
                yield row


def rankings(lines: Iterator[str]) -> Iterator[Segment]:
    for line in lines:
        ranking = json.loads(line)
        if ranking["lp"].endswith("-en"):
            for item in ranking["items"]:
                yield item["hyp"], (ranking["ref"],)


def table(lines: Iterator[str]) -> Iterator[Segment]:
    for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
        yield row["hypothesis"], tuple(row["references"].split(" ||| "))


if __name__ == "__main__":
    main()
