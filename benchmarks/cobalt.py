"""UPF-Cobalt from analysed sentences beside its oracle in plain Python, and METEOR 1.5 if it is there.

``python -m benchmarks.cobalt``, with METAPHRASE_DATA set to the directory of the judgements. METEOR is a Java
program that tokenises and matches, and neither tags nor parses; it is the peer that people use. Its jar comes
with ``pip install pycocoevalcap``. Its start-up is most of a short run, so two numbers are given: whole runs
on 3,000 segments, and the rate of the 9,000 segments by which a run on 12,000 is longer.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.interleave import Contestant, interleave, print_table
from benchmarks.meteor import MISSING, java_command, meteor_jar, our_command, whole_runs
from benchmarks.real_text import read_pairs
from metaphrase import analysis, lexicon
from metaphrase.analysis import Batch
from metaphrase.analysis.relations import RelationBatch, collapse
from metaphrase.lexicon.word_evidence import WordEvidence, look_up
from metaphrase.matching.word_alignment import ParsedSentences, WordSpellings, alignment_scores
from metaphrase.metrics.cobalt.metric import with_entity_types

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from oracle.cobalt import CobaltScorer
from oracle.cobalt_aligner import CobaltAligner, Parsed
from oracle.cobalt_relations import Relation
from oracle.cobalt_words import Evidence, Token

#: Pairs that the oracle is given: it takes milliseconds for each.
FEW = 60


def analyse(texts: Sequence[str]) -> Batch:
    wanted = ("lemma", "tag", "entity", "head", "relation")
    return with_entity_types(analysis.shared("builtin:en").analyse(list(texts), wanted))


def oracle_sentence(batch: Batch, relations: RelationBatch, row: int) -> Parsed:
    sentence = batch[row]
    columns = (sentence.column(name) for name in ("form", "lemma", "tag", "entity"))
    found = (Relation(r.label, r.governor, r.dependent) for r in relations[row])
    return Parsed(tuple(map(Token, *columns)), tuple(found))


def kernel_against_oracle(pairs: Sequence[tuple[str, str]]) -> None:
    count = len(pairs)
    batch = analyse([text for side in zip(*pairs, strict=True) for text in side])
    relations = collapse(batch)
    spellings = WordSpellings(batch.strings)
    synonyms = lexicon.load("wordnet", fold_case=False)
    evidence = look_up(spellings, synonyms=synonyms, paraphrases=lexicon.load_paraphrases("none"))
    sentences = ParsedSentences(batch, relations, spellings, evidence)
    left = np.arange(count)

    def kernel() -> np.ndarray:
        return alignment_scores(sentences, left, left + count)

    def lookups_and_kernel() -> np.ndarray:
        fresh = WordSpellings(batch.strings)
        found = look_up(fresh, synonyms=synonyms, paraphrases=lexicon.load_paraphrases("none"))
        parsed = ParsedSentences(batch, collapse(batch), fresh, found)
        return alignment_scores(parsed, left, left + count)

    chosen = np.linspace(0, count - 1, FEW).astype(int).tolist()
    known = oracle_evidence(spellings, evidence)
    pairs_of_few = [
        tuple(oracle_sentence(batch, relations, row) for row in (i, i + count)) for i in chosen
    ]

    def oracle() -> list[float]:
        return [CobaltScorer(CobaltAligner(*pair, known)).score() for pair in pairs_of_few]

    np.testing.assert_allclose(kernel()[chosen, 0], oracle(), atol=1e-9)
    contestants = [
        Contestant("kernel: alignment and score", kernel, count),
        Contestant("with relations, stems and synonyms", lookups_and_kernel, count),
        Contestant("the oracle, plain Python", oracle, FEW),
    ]
    title = f"{count:,} analysed pairs; the oracle gets {FEW} of them, and the same scores"
    print_table(title, interleave(contestants, rounds=5))


def oracle_evidence(spellings: WordSpellings, evidence: WordEvidence) -> Evidence:
    offsets, neighbours = evidence.synonyms
    words = spellings.strings
    return Evidence(
        synonyms=frozenset(
            frozenset((words[i], words[j]))
            for i in range(len(words))
            for j in neighbours[offsets[i] : offsets[i + 1]]
        )
    )


def against_meteor(pairs: Sequence[tuple[str, str]], jar: Path) -> None:
    """Whole programs on files, in turns."""
    whole_runs(
        pairs,
        {"UPF-Cobalt, parsing included": our_command("cobalt"), "METEOR 1.5": java_command(jar)},
    )


def main() -> None:
    pairs = read_pairs()
    kernel_against_oracle(pairs)
    jar = meteor_jar()
    if jar is None:
        print(MISSING)
    else:
        against_meteor(pairs, jar)


if __name__ == "__main__":
    main()
