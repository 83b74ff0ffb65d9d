"""Tokens a second of the built-in English analyser on one core, and of its neighbours.

METAPHRASE_DATA=... python -m benchmarks.analysis
"""

from __future__ import annotations

import gzip
import os
import time
from collections.abc import Callable
from pathlib import Path

from metaphrase.analysis.builtin import BuiltinAnalyser

STAGES = {
    "tokens": (),
    "tokens, tags": ("tag",),
    "tokens, tags, lemmas": ("tag", "upos", "lemma"),
}
ROUNDS = 5


def english_lines() -> list[str]:
    path = Path(os.environ["METAPHRASE_DATA"]) / "parallel" / "news.en.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line.strip() for line in file]


def best_seconds(work: Callable[[], object]) -> float:
    """The shortest of several rounds, in processor time: other work disturbs that least."""
    seconds = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        work()
        seconds.append(time.process_time() - begin)
    return min(seconds)


def main() -> None:
    lines = english_lines()
    begin = time.perf_counter()
    analyser = BuiltinAnalyser.shipped("en")
    loading = time.perf_counter() - begin
    tokens = int(analyser.analyse(lines, ()).offsets[-1])
    print(f"{len(lines)} lines, {tokens} tokens; the model loads in {1000 * loading:.0f} ms")
    rows: dict[str, float] = {
        stage: best_seconds(lambda columns=columns: analyser.analyse(lines, columns))
        for stage, columns in STAGES.items()
    }
    rows["one line at a time"] = best_seconds(
        lambda: [analyser.analyse([line], ("tag", "upos", "lemma")) for line in lines]
    )
    rows["str.split"] = best_seconds(lambda: [line.split() for line in lines])
    try:
        import spacy
    except ImportError:
        pass
    else:
        tokenizer = spacy.blank("en").tokenizer
        rows["spaCy's blank tokenizer"] = best_seconds(lambda: [len(tokenizer(x)) for x in lines])
    for name, seconds in rows.items():
        print(f"{name:26} {tokens / seconds / 1e6:8.2f} million tokens/s")


if __name__ == "__main__":
    main()
