"""The full English analysis (tokens, tags, lemmas, parse, chunks, entities) beside a small spaCy pipeline.

METAPHRASE_DATA=... python -m benchmarks.full_analysis

One core, CPU time, both in turns on the same lines of news. spaCy computes tokens, tags and parses
only: what it does not do counts in its favour.
"""

from __future__ import annotations

import os
import sys
import time

from benchmarks.interleave import Contestant, interleave, print_table
from benchmarks.spacy_pipeline import news_lines, small_pipeline
from metaphrase.analysis.builtin import BuiltinAnalyser

EVERYTHING = ("lemma", "tag", "upos", "head", "relation", "chunk", "entity")
STAGES = {
    "tags and lemmas": ("lemma", "tag", "upos"),
    "and chunks": ("lemma", "tag", "upos", "chunk"),
    "and entities": ("lemma", "tag", "upos", "entity"),
    "and parse": ("lemma", "tag", "upos", "head", "relation"),
}
#: spaCy gets fewer lines, or a round would take minutes.
SPACY_LINES = 500


def main() -> None:
    if "METAPHRASE_DATA" not in os.environ:
        print("METAPHRASE_DATA is not set: no treebank to make a spaCy pipeline from.")
        return
    lines = news_lines()[:4000]
    begin = time.perf_counter()
    analyser = BuiltinAnalyser.shipped("en")
    analyser.analyse(["Load every model."], EVERYTHING)
    print(f"all English models load in {1000 * (time.perf_counter() - begin):.0f} ms")
    tokens = int(analyser.analyse(lines, ()).offsets[-1])
    contestants = [Contestant("all columns", lambda: analyser.analyse(lines, EVERYTHING), tokens)]
    contestants += [
        Contestant(name, lambda columns=columns: analyser.analyse(lines, columns), tokens)
        for name, columns in STAGES.items()
    ]
    try:
        nlp = small_pipeline()
    except ImportError:
        print("spaCy is not installed (make bench installs it): no peer.", file=sys.stderr)
    else:
        some = lines[:SPACY_LINES]
        count = sum(len(doc) for doc in nlp.pipe(some))
        contestants.append(
            Contestant("spaCy, tagger and parser", lambda: list(nlp.pipe(some)), count)
        )
    timings = interleave(contestants, rounds=5)
    print_table(f"{tokens} tokens of news; an item is a token", timings)
    for timing in timings:
        print(f"{timing.name:26} {1 / timing.median:12,.0f} tokens/s")


if __name__ == "__main__":
    main()
