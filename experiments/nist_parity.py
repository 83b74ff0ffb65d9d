"""Is NIST NLTK's? Compared on real segments, with the two rules that differ counted one by one.

``METAPHRASE_DATA=… python -m experiments.nist_parity`` (needs nltk)

With one reference the two must agree. With several, NLTK picks for each segment and each order the one
reference with the highest precision, and its length. mteval-v13a, the program of NIST's evaluations, lets an
n-gram match as often as it is in the reference that has it most often (``ref_ngrams_max`` in its
``score_segment``), and divides the length of all references by their number (``nist_score``). So it is done
here; the columns in between show what each of NLTK's two rules does to the score.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from nltk.translate.nist_score import corpus_nist, sentence_nist

from experiments.ter_parity import read
from metaphrase.metrics.nist.metric import Nist

ORDERS = 5
#: Data and how many segments.
TRIALS = (
    ("wmt15.rank.jsonl.gz", 3000),
    ("daseg16.en.tsv.gz", 3000),
    ("nt21mqm.en.tsv.gz", 3000),
    ("tedmqm.en.tsv.gz", 3000),
    ("tradopad.en.tsv.gz", 100),
)

Words = Sequence[str]


def ngrams(words: Words, n: int) -> Iterator[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(n)), strict=False)


def score(
    hypotheses: Sequence[Words],
    references: Sequence[Sequence[Words]],
    *,
    one_reference: bool,
    its_length: bool,
) -> float:
    """NIST with NLTK's rule about matches or mteval's, and NLTK's about lengths or mteval's."""
    counts = Counter(
        ngram
        for own in references
        for words in own
        for n in range(1, ORDERS + 1)
        for ngram in ngrams(words, n)
    )
    counts[()] = sum(len(words) for own in references for words in own)
    bits, lengths = 0.0, [0.0, 0.0]
    for n in range(1, ORDERS + 1):
        matched, possible = 0.0, 0
        for hypothesis, own in zip(hypotheses, references, strict=True):
            bag, bags = Counter(ngrams(hypothesis, n)), [Counter(ngrams(words, n)) for words in own]
            most: Counter[tuple[str, ...]] = Counter()
            for other in bags:
                most |= other
            told = [
                sum(math.log2(counts[g[:-1]] / counts[g]) * k for g, k in (bag & other).items())
                for other in (*bags, most)
            ]
            best, length = max((told[r], len(own[r])) for r in range(len(own)))
            matched += best if one_reference else told[-1]
            possible += bag.total()
            lengths[0] += len(hypothesis)
            lengths[1] += length if its_length else sum(map(len, own)) / len(own)
        bits += matched / max(possible, 1)
    beta = math.log(2.0) / math.log(1.5) ** 2
    return bits * math.exp(-beta * math.log(min(1.0, lengths[0] / lengths[1])) ** 2)


def main() -> None:
    headings = (
        "segments",
        "references",
        "ours",
        "its length",
        "one reference",
        "NLTK",
        "segments ±1e-9",
    )
    print(f"{'data':20}", *(f"{heading:>14}" for heading in headings))
    metric = Nist()
    for file, most in TRIALS:
        segments = list(islice(read(file), most))
        texts = [hypothesis for hypothesis, _ in segments]
        columns = list(zip(*(own for _, own in segments), strict=True))
        hypotheses = list(metric.words(texts))
        references = list(zip(*(list(metric.words(column)) for column in columns), strict=True))
        lists = [list(own) for own in references]
        scores = [
            metric.corpus_score(texts, columns).score,
            score(hypotheses, references, one_reference=False, its_length=True),
            score(hypotheses, references, one_reference=True, its_length=False),
            corpus_nist(lists, hypotheses, ORDERS),
        ]
        # The rules, put together, are each of the two programs.
        assert math.isclose(
            scores[0], score(hypotheses, references, one_reference=False, its_length=False)
        )
        assert math.isclose(
            scores[-1], score(hypotheses, references, one_reference=True, its_length=True)
        )
        # NLTK cannot score a sentence of less than five words, and counts information in it alone.
        alone = [
            abs(metric.sentence_score(text, own).score - sentence_nist(list(words), line)) < 1e-9
            for (text, own), line, words in zip(segments, hypotheses, references, strict=True)
            if len(line) >= ORDERS
        ]
        print(
            f"{file:20} {len(segments):14,} {len(columns):14}",
            *(f"{value:14.6f}" for value in scores),
            f"{sum(alone) / len(alone):14.2%}",
        )


if __name__ == "__main__":
    main()
