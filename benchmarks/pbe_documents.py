"""What PBE's variants cost from analysed sentences, and the search for topics apart from them.

``python -m benchmarks.pbe_documents``, with METAPHRASE_DATA set to the directory of the judgements. Ten
segments make a document. The first variant with topics seeks them, for the system and for the reference; the
next one has them from the cache, which is in a directory of its own.
"""

from __future__ import annotations

import os
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.real_text import read_pairs
from metaphrase import Corpus
from metaphrase.metrics import compare, create

SEGMENTS_PER_DOCUMENT = 10
MOST = 5_000


def main() -> None:
    pairs = read_pairs()[:MOST]
    hypotheses, references = (list(texts) for texts in zip(*pairs, strict=True))
    documents = [str(i // SEGMENTS_PER_DOCUMENT) for i in range(len(pairs))]
    corpus = Corpus({"s": hypotheses}, [references], documents=documents, empty_references="keep")
    words = sum(len(text.split()) for text in (*hypotheses, *references))
    print(f"{len(pairs):,} pairs in {len(set(documents)):,} documents, {words:,} words, one thread")
    for name in ("pbe", "pbe:tfidf", "pbe:ngram+topic+sim", "pbe:tfidf+topic+sim"):
        metric = create(name)
        (comparison,) = compare(corpus, metric)
        start = perf_counter()
        metric.statistics(comparison)
        seconds = perf_counter() - start
        print(f"{name:22} {seconds:8.2f} s  {len(pairs) / seconds:10,.0f} pairs/s")


if __name__ == "__main__":
    with TemporaryDirectory() as directory:
        os.environ["METAPHRASE_CACHE"] = directory
        main()
