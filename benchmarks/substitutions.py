"""What an edit machine may substitute, from analysed sentences, beside the oracle in plain Python.

``python -m benchmarks.substitutions``, with METAPHRASE_DATA set to the directory of the judgements.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from benchmarks.interleave import Contestant, interleave, print_table
from benchmarks.real_text import read_pairs
from metaphrase import analysis, lexicon
from metaphrase.analysis import Batch
from metaphrase.lexicon.paraphrases import ParaphraseTable
from metaphrase.lexicon.wordnet import WordNet
from metaphrase.matching.edit_pairs import EditPairs
from metaphrase.matching.substitutions import (
    EditSentences,
    SubstitutionOptions,
    columns,
    edit_pairs,
    edit_sentences,
)

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from oracle.substitutions import Oracle, Token

#: Pairs that the oracle is given: it compares every stretch with every other.
FEW = 100
#: Words of the sentences from which the rate of the paper's kind of text is measured.
AVERAGE = 29


def oracle_sentence(batch: Batch, row: int) -> list[Token]:
    sentence = batch[row]
    return list(map(Token, *(sentence.column(n) for n in ("form", "lemma", "head", "relation"))))


def rows_of(found: EditPairs, index: int) -> list[tuple[int, ...]]:
    first, last = found.substitution_offsets[index : index + 2]
    return [tuple(row) for row in found.substitutions[first:last].tolist()]


def main() -> None:
    pairs = read_pairs()
    count = len(pairs)
    options = SubstitutionOptions(dependencies=True)
    texts = [text for side in zip(*pairs, strict=True) for text in side]
    batch = analysis.shared("builtin:en").analyse(texts, columns(options))
    synonyms, paraphrases = WordNet.default(), ParaphraseTable.default()
    nothing = {"synonyms": lexicon.load("none"), "paraphrases": lexicon.load_paraphrases("none")}

    def prepare() -> EditSentences:
        return edit_sentences(batch, options=options, synonyms=synonyms, paraphrases=paraphrases)

    sentences = prepare()
    bare = edit_sentences(batch, options=options, **nothing)  # type: ignore[arg-type]
    rows = np.arange(count, dtype=np.int32)
    lengths = np.diff(sentences.offsets)
    # As many pairs again whose sides have about the average number of words.
    average = np.flatnonzero(
        (np.abs(lengths[:count] - AVERAGE) <= 2) & (np.abs(lengths[count:] - AVERAGE) <= 2)
    ).astype(np.int32)
    average = np.resize(average, count)

    chosen = np.linspace(0, count - 1, FEW).astype(int).tolist()
    judge = Oracle(options, *known_to(batch, chosen, count, synonyms, paraphrases))
    sides = [tuple(oracle_sentence(batch, row) for row in (i + count, i)) for i in chosen]

    def oracle() -> list[list[tuple[int, ...]]]:
        return [judge.substitutions(*side) for side in sides]  # type: ignore[misc]

    found = edit_pairs(sentences, rows, rows + count, options=options)
    assert oracle() == [rows_of(found, i) for i in chosen]
    contestants = [
        Contestant("preparing the sentences (both sides)", prepare, count),
        Contestant(
            "pairs of all lengths",
            lambda: edit_pairs(sentences, rows, rows + count, options=options),
            count,
        ),
        Contestant(
            f"pairs of {AVERAGE - 2} to {AVERAGE + 2} words",
            lambda: edit_pairs(sentences, average, average + count, options=options),
            count,
        ),
        Contestant(
            "the same without synonyms and paraphrases",
            lambda: edit_pairs(bare, average, average + count, options=options),
            count,
        ),
        Contestant("pairs of all lengths, the oracle in plain Python", oracle, FEW),
    ]
    title = (
        f"{count:,} pairs of {lengths.mean():.0f} words on average, "
        f"{len(found.substitutions) / count:.0f} substitutions each; "
        f"the oracle gets {FEW} of them, and finds the same"
    )
    print_table(title, interleave(contestants, rounds=5))


def known_to(
    batch: Batch, chosen: list[int], count: int, synonyms: WordNet, paraphrases: ParaphraseTable
) -> tuple[dict[str, frozenset[int]], frozenset[tuple[str, str]]]:
    """Synsets and paraphrases that the chosen pairs need, in the oracle's form."""
    sentences = [batch[row] for i in chosen for row in (i, i + count)]
    lemmas = {lemma.lower() for sentence in sentences for lemma in sentence.column("lemma")}
    forms = [[form.lower() for form in sentence.form] for sentence in sentences]
    phrases = {" ".join(row[i : i + n]) for row in forms for n in (1, 2) for i in range(len(row))}
    known = ((p, other) for p in phrases for other, _ in paraphrases.lookup(p))
    return (
        {lemma: frozenset(synonyms.synsets(lemma)) for lemma in lemmas},
        frozenset(pair for pair in known if pair[1] in phrases),
    )


if __name__ == "__main__":
    main()
