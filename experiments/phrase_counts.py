"""How often a phrase of several words must occur to be worth a place in a pivot table, by size of the text.

``python -m experiments.phrase_counts`` with METAPHRASE_DATA set. English and German; agreement is that of the
mean of a table's six features on the rankings of WMT12, which TESLA's weights are learned from, too: they are
no test set, and a default may be chosen on them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from training.parallel_text import free_lines

from experiments.frame import Data, Floats, data_directory, replace_section
from metaphrase import __version__
from metaphrase.analysis.word_characters import has_letter_or_digit
from metaphrase.learning.phrases.extraction import PhraseTable, extract_phrases
from metaphrase.learning.phrases.pivot_table_file import (
    Pruning,
    build_pivot_table,
    phrases_of_several_words,
)
from metaphrase.learning.phrases.pivot_training import (
    PivotTraining,
    pivot_analyser,
    read_parallel,
)
from metaphrase.learning.phrases.word_alignment import align_parallel_text
from metaphrase.learning.tesla.training import TeslaTrainingData, ordered_pairs
from metaphrase.lexicon.pivot_table import PivotTable
from metaphrase.matching.pivot_bags import PivotSentences, pivot_bags, pivot_sentences, segmentation
from metaphrase.metrics.comparison import Comparison, compare
from metaphrase.metrics.tesla_m.bags import f_measure
from metaphrase.metrics.tesla_m.languages import FUNCTION_TAGS, tesla_language
from metaphrase.metrics.tesla_m.metric import TeslaM

LANGUAGES = "en", "de"
PARTS = "europarl.de-en", "news"
SIZES = 500, 2_500, 10_000, 40_000, 187_721
COUNTS = 1, 2, 3, 6, 12, 25, 50, 100
RANKINGS = Data("wmt12.rank.jsonl.gz")
#: References of these are cut into phrases.
REFERENCES = 1_000


class Row(NamedTuple):
    """A table of one text and one least count."""

    pairs: int
    count: int
    several: int
    megabytes: float
    segments: float
    agreement: float

    def cells(self) -> str:
        """As a row of the results."""
        chosen = Pruning().of_text(self.pairs).least_phrase_count or 1
        nearest = min(COUNTS, key=lambda count: abs(np.log(count / chosen)))
        count = f"**{self.count}**" if self.count == nearest else f"{self.count}"
        numbers = f"{self.several:,} | {self.megabytes:.1f} | {self.segments:.1%}"
        return f"| {self.pairs:,} | {count} | {numbers} | {self.agreement:.4f} |"


class Judged:
    """What tables are tried on: preferences among texts, and references to cut."""

    def __init__(self) -> None:
        judgements = RANKINGS.judgements()
        data = TeslaTrainingData(tuple(judgements), ())
        self.better, self.worse = ordered_pairs(data)
        self.parts: list[tuple[Floats, Comparison, PivotSentences]] = []
        for judged, offset in zip(judgements, data.offsets.tolist(), strict=False):
            for places, corpus in judged.corpora():
                (comparison,) = compare(corpus, TeslaM())
                sentences = pivot_sentences(comparison.analysed.batch)
                self.parts.append((places + offset, comparison, sentences))
        self.size = int(data.offsets[-1])
        german = next(one for one in judgements if one.language_pair == "de-en")
        texts = sorted({text.references[0] for text in german.texts})[:REFERENCES]
        analysed = pivot_analyser("en").analyse(texts, ("form",))
        self.references = [
            [word.lower() for word in sentence.form if has_letter_or_digit(word)]
            for sentence in analysed
        ]

    def row(self, table: PivotTable) -> tuple[float, float]:
        """Which share of segments has several words, and of preferences is reproduced."""
        lengths = [
            slot.end - slot.start
            for words in self.references
            for slot in segmentation(table, words)
        ]
        means = np.empty(self.size)
        for places, comparison, sentences in self.parts:
            analysed = comparison.analysed
            bags = pivot_bags(table, sentences, analysed.hypotheses, analysed.references[0])
            matched = np.concatenate([bags.matched_lemma, bags.matched_tag], axis=1)
            totals = np.tile(bags.reference, 2), np.tile(bags.hypothesis, 2)
            values = f_measure(matched, *totals, TeslaM().alpha)
            present = ~np.isnan(values)
            sums = np.where(present, values, 0.0).sum(axis=1)
            means[places] = sums / np.maximum(present.sum(axis=1), 1)
        right = means[self.better] > means[self.worse]
        return float(np.mean(np.array(lengths) > 1)), float(right.mean())


def phrase_tables(folder: Path) -> Iterator[tuple[int, PhraseTable]]:
    """The phrases of random parts of the text, with the number of sentence pairs used."""
    sides = [[line for part in PARTS for line in free_lines(part, code)] for code in LANGUAGES]
    order = np.random.default_rng(0).permutation(len(sides[0]))
    for size in SIZES:
        chosen = np.sort(order[:size]).tolist()
        paths = [folder / f"text.{code}" for code in LANGUAGES]
        for path, lines in zip(paths, sides, strict=True):
            path.write_text("".join(lines[row] for row in chosen), "utf-8")
        text, pairs = read_parallel(
            paths[0],
            paths[1],
            (pivot_analyser("en"), pivot_analyser("de")),
            training=PivotTraining(),
            progress=lambda what, done: None,
        )
        links = align_parallel_text(text, iterations=PivotTraining().iterations, threads=1)
        yield pairs.used, extract_phrases(text, links.symmetrise())


def rows(folder: Path) -> Iterator[Row]:
    judged = Judged()
    for pairs, phrases in phrase_tables(folder):
        for count in COUNTS:
            pruning = Pruning(least_phrase_count=count)
            content = build_pivot_table(
                phrases,
                languages=LANGUAGES,
                analysers=(pivot_analyser("en").name, pivot_analyser("de").name),
                function_tags=FUNCTION_TAGS[tesla_language("de").tagsets[0]],
                pruning=pruning,
            )
            path = folder / f"{pairs}.{count}.pivots"
            path.write_bytes(content)
            several = phrases_of_several_words(phrases, pruning)
            row = Row(pairs, count, several, len(content) / 1e6, *judged.row(PivotTable(path)))
            print(row.cells(), file=sys.stderr, flush=True)
            yield row


def lines(found: Sequence[Row]) -> list[str]:
    return [
        "## How rare a phrase of several words a pivot table should keep",
        "",
        "| sentence pairs | least count | phrases of several words | MB | segments of several words "
        "| share of preferences |",
        "| ---: | ---: | ---: | ---: | ---: | ---: |",
        *(row.cells() for row in found),
        "",
        REMARK,
        "",
        f"metaphrase {__version__}; data: {', '.join(PARTS)}, {RANKINGS.file} ({RANKINGS.fingerprint}).",
    ]


REMARK = (
    "Tables of English with German as pivot, from random parts of the text; sentence pairs are those used. "
    f"Segments are those of {REFERENCES:,} references of WMT12, and preferences those of WMT12 into English, "
    "which TESLA's weights are learned from; the mean of a table's six features ranks the texts. Keeping all "
    "phrases is the worst choice everywhere, for rare phrases fit one translation and not its paraphrases. A "
    "count of 100 costs no agreement, but leaves hardly any phrases of several words in small texts. In "
    "bold: what is nearest to the default, √(n / 300)."
)

if __name__ == "__main__":
    data_directory()
    with TemporaryDirectory() as temporary:
        replace_section("tesla-phrase-counts", lines(list(rows(Path(temporary)))))
