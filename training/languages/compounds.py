"""Writes src/metaphrase/models/german_compounds.tsv.gz: how often which German word occurs in raw text.

    METAPHRASE_DATA=... python -m training.languages.compounds MODEL OUTPUT

Only nouns, adjectives and verbs count, as ``MODEL`` tags them: a frequent preposition would otherwise be cut
off every noun that happens to begin with it.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from training.languages.raw_text import raw_lines
from training.languages.treebanks import SOURCES

from metaphrase._core.analysis import TextAnalyser
from metaphrase.analysis.builtin.compounds import SHORTEST_PART
from metaphrase.corpus.writing import atomic_writer

TAGS = frozenset({"NOUN", "ADJ", "VERB"})
MIN_COUNT = 3


def frequencies(analyser: TextAnalyser, lines: list[str]) -> dict[str, int]:
    """Words of letters alone, in lower case."""
    _, columns, strings = analyser.analyse(lines, lemma=False, tag=False, upos=True, threads=1)
    pairs = Counter(zip(columns["form"].tolist(), columns["upos"].tolist(), strict=True))
    counts = Counter[str]()
    for (form, tag), count in pairs.items():
        word = strings[form]
        if strings[tag] in TAGS and word.isalpha() and len(word) >= SHORTEST_PART:
            counts[word.lower()] += count
    return {word: count for word, count in sorted(counts.items()) if count >= MIN_COUNT}


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    lines = [line for name in SOURCES["de"].raw for line in raw_lines(name)]
    counts = frequencies(TextAnalyser(arguments.model.read_bytes()), lines)
    content = "".join(f"{word}\t{count}\n" for word, count in counts.items())
    with atomic_writer(arguments.output) as stream:
        stream.write(content.encode())
    print(f"{len(counts)} words")


if __name__ == "__main__":
    main()
