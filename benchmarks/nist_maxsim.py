"""NIST from text, and MaxSim's stages from analysed sentences, beside the same in Python."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from benchmarks.interleave import Contestant, interleave, print_table
from benchmarks.real_text import read_pairs
from metaphrase import Corpus, MaxSim, Nist
from metaphrase.matching import staged_ngrams
from metaphrase.metrics import compare

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from oracle.nist_counters import count_references, nist_statistics
from oracle.staged_arrays import staged_arrays

SEGMENTS = 3000
ROUNDS = 5


def nist(hypotheses: list[str], references: list[str]) -> None:
    """Both count references anew, and tokenise everything."""
    metric = Nist()

    def native() -> np.ndarray:
        (comparison,) = compare(Corpus({"system": hypotheses}, [references]), metric)
        return metric.statistics(comparison)

    def python() -> np.ndarray:
        tokenise = Tokenizer13a()  # a new one remembers no text
        sides = [[tokenise(text.lower()).split() for text in s] for s in (hypotheses, references)]
        counted = count_references([[words] for words in sides[1]], metric.orders)
        return np.array(nist_statistics(sides[0], counted, metric.orders))

    assert np.allclose(native(), python())
    contestants = [
        Contestant("metaphrase", native, len(hypotheses)),
        Contestant("dictionaries, sacreBLEU's tokeniser", python, len(hypotheses)),
    ]
    title = f"NIST of {len(hypotheses):,} segments from text"
    print_table(title, interleave(contestants, rounds=ROUNDS))


def maxsim(hypotheses: list[str], references: list[str]) -> None:
    """The stages alone: analysis is that of other metrics."""
    metric = MaxSim()
    (comparison,) = compare(Corpus({"system": hypotheses}, [references]), metric)
    analysed = comparison.analysed
    words = metric.words(analysed.batch)
    columns = (words.offsets, words.lemma, words.tag)
    rows = {
        "hypothesis_rows": analysed.hypotheses,
        "reference_rows": analysed.references[0],
        "synonymy": words.synonymy,
    }
    contestants = [
        Contestant("metaphrase", lambda: staged_ngrams(*columns, **rows), len(hypotheses)),
        Contestant("dictionaries, NumPy", lambda: staged_arrays(*columns, **rows), len(hypotheses)),
    ]
    assert (contestants[0].run().matched == contestants[1].run()).all()
    title = f"MaxSim's stages on {len(hypotheses):,} analysed segments"
    print_table(title, interleave(contestants, rounds=ROUNDS))


def main() -> None:
    hypotheses, references = map(list, zip(*read_pairs()[:SEGMENTS], strict=True))
    nist(hypotheses, references)
    maxsim(hypotheses, references)


if __name__ == "__main__":
    main()
