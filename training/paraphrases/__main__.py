"""Trains the English paraphrases that ship as src/metaphrase/models/paraphrases-en.bin.

METAPHRASE_DATA=... python -m training.paraphrases OUTPUT [--list PAIRS]

Takes some minutes a language on one core. The same data give the same bytes.
``--list`` also writes the selected pairs, lemmas with their parts of speech, for reading.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from training.paraphrases.corpora import LANGUAGES, Surfaces, parallel_text
from training.paraphrases.pivoting import PHRASES, WORDS, PivotEvidence
from training.paraphrases.selection import score, selected, written_pairs

from metaphrase.corpus.writing import atomic_writer
from metaphrase.learning import align_parallel_text
from metaphrase.lexicon.paraphrases import ParaphraseTable, compile_pairs


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--list", type=Path, metavar="PAIRS")
    arguments = parser.parse_args(argv)
    start = time.monotonic()

    def progress(message: str) -> None:
        print(f"{time.monotonic() - start:6.0f} s  {message}", file=sys.stderr, flush=True)

    words, phrases, surfaces = PivotEvidence(WORDS), PivotEvidence(PHRASES), Surfaces()
    for language in LANGUAGES:
        text = parallel_text(language, surfaces)
        progress(f"{language}: {len(text):,} sentence pairs")
        links = align_parallel_text(
            text, progress=lambda done: progress(f"iteration {done}")
        ).symmetrise()
        for evidence in (words, phrases):
            evidence.add(text, links)
        progress(f"{language}: {len(words.pairs):,} pairs of words so far")
        progress(f"{language}: {len(phrases.pairs):,} pairs of phrases so far")
    pairs = list(selected(words, phrases))
    if arguments.list is not None:
        with atomic_writer(arguments.list) as stream:
            for first, second, found in pairs:
                line = f"{first}\t{second}\t{score(found):.5f}\t{found.languages}\t{found.pivots}\n"
                stream.write(line.encode())
    content = compile_pairs(written_pairs(pairs, surfaces))
    with atomic_writer(arguments.output) as stream:
        stream.write(content)
    table_file = ParaphraseTable(arguments.output)
    progress(
        f"{table_file.pair_count:,} pairs, {len(content) / 1e6:.2f} MB, {table_file.fingerprint}"
    )


if __name__ == "__main__":
    main()
