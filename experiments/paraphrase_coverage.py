"""How many words that nothing else matches do paraphrases relate, and how often by mere chance?

``python -m experiments.paraphrase_coverage [--sample N]`` with METAPHRASE_DATA set; ``--sample`` prints
so many different pairs that each resource related, for reading. A content word of a hypothesis
is unmatched if neither its form nor its lemma is in the reference and no word of the reference is a
WordNet synonym of its lemma. A resource relates it if it has the word's form or lemma as a paraphrase
of the form or lemma of some unmatched content word of the reference. Chance is the same count when
each hypothesis is compared with the reference of another segment, some rows further on.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from rich.console import Console
from rich.table import Table

from experiments.frame import Data, data_directory
from metaphrase.analysis.builtin import BuiltinAnalyser
from metaphrase.analysis.sentence import Sentence
from metaphrase.errors import MetaphraseError
from metaphrase.lexicon import ParaphraseSource, WordNet, load_paraphrases

DATA = (
    Data("wmt15.rank.jsonl.gz"),
    Data("wmt13fren.rank.jsonl.gz"),
    Data("daseg15.en.tsv.gz"),
    Data("daseg16.en.tsv.gz"),
)
CONTENT = frozenset(["NOUN", "VERB", "ADJ", "ADV"])
#: How many rows further on the reference of another segment is taken from.
SHIFT = 97

#: A content word: its form in lower case, and its lemma.
Word = tuple[str, str]


@dataclass(frozen=True)
class Coverage:
    """Of ``unmatched`` words, how many are related; and of as many words beside a wrong reference."""

    unmatched: int
    related: int
    related_by_chance: int


def text_pairs() -> list[tuple[str, str]]:
    """Each different hypothesis with its first reference."""
    texts = (text for data in DATA for judged in data.judgements() for text in judged.texts)
    return list(dict.fromkeys((text.hypothesis, text.references[0]) for text in texts))


def content_words(sentence: Sentence) -> list[Word]:
    rows = zip(sentence.form, sentence.column("lemma"), sentence.column("upos"), strict=True)
    return [
        (form.lower(), lemma.lower())
        for form, lemma, upos in rows
        if upos in CONTENT and any(map(str.isalpha, form))
    ]


class Relation:
    """Which words of a vocabulary a graph relates."""

    def __init__(self, words: list[str], graph: tuple[object, ...]) -> None:
        offsets, neighbours = (column.tolist() for column in graph)  # type: ignore[attr-defined]
        self._related = {
            word: frozenset(words[k] for k in neighbours[offsets[i] : offsets[i + 1]])
            for i, word in enumerate(words)
        }

    def relates(self, word: Word, others: set[str]) -> bool:
        return any(not self._related[own].isdisjoint(others) for own in word)

    def pairs(self, word: Word, others: set[str]) -> set[tuple[str, str]]:
        return {(own, other) for own in word for other in self._related[own] & others}


def unmatched(
    hypothesis: list[Word], reference: list[Word], synonyms: Relation
) -> tuple[list[Word], set[str]]:
    """Unmatched words of the hypothesis, and forms and lemmas of those of the reference."""
    own = {text for word in hypothesis for text in word}
    others = {text for word in reference for text in word}

    def left(words: list[Word], matched: set[str]) -> list[Word]:
        return [w for w in words if matched.isdisjoint(w) and not synonyms.relates(w, matched)]

    return left(hypothesis, others), {text for word in left(reference, own) for text in word}


def problems(
    pairs: list[tuple[list[Word], list[Word]]], synonyms: Relation, shift: int
) -> Iterator[tuple[list[Word], set[str]]]:
    for row, (hypothesis, _) in enumerate(pairs):
        yield unmatched(hypothesis, pairs[(row + shift) % len(pairs)][1], synonyms)


def coverage(
    pairs: list[tuple[list[Word], list[Word]]], synonyms: Relation, relation: Relation
) -> Coverage:
    counts = []
    for shift in (0, SHIFT):
        found = [
            relation.relates(word, others)
            for words, others in problems(pairs, synonyms, shift)
            for word in words
        ]
        counts.append((len(found), sum(found)))
    (total, related), (chance_total, by_chance) = counts
    # Beside a wrong reference more words are unmatched: counted for as many as beside the right one.
    return Coverage(total, related, round(by_chance * total / chance_total))


def sampled(
    pairs: list[tuple[list[Word], list[Word]]], synonyms: Relation, relation: Relation, size: int
) -> list[tuple[str, str]]:
    """Each pair counts as often as texts use it: what a metric sees is to be judged."""
    found = [
        min(relation.pairs(word, others))
        for words, others in problems(pairs, synonyms, 0)
        for word in words
        if relation.relates(word, others)
    ]
    return Random(1).sample(found, min(size, len(found)))


def sources() -> Iterator[tuple[str, ParaphraseSource]]:
    ppdb = data_directory() / "lexicons" / "ppdb-1.0-xxxl-lexical.tsv.gz"
    for label, name in (
        ("shipped", "paraphrases"),
        ("PPDB 1.0 XXXL, lexical", f"ppdb:{ppdb}"),
        ("METEOR 1.5", "meteor"),
    ):
        try:
            yield label, load_paraphrases(name)
        except MetaphraseError as error:
            print(error, file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=0, metavar="N")
    sample_size = parser.parse_args().sample
    texts = text_pairs()
    batch = BuiltinAnalyser.shipped("en").analyse(
        [text for pair in texts for text in pair], ("form", "lemma", "upos")
    )
    rows = [content_words(sentence) for sentence in batch]
    pairs = list(zip(rows[::2], rows[1::2], strict=True))
    words = sorted({text for row in rows for word in row for text in word})
    synonyms = Relation(words, WordNet.default().synonym_graph(words))
    table = Table(title=f"{len(pairs):,} pairs of hypothesis and reference")
    for column in ("paraphrases", "unmatched", "related", "share", "by chance", "related : chance"):
        table.add_column(column, justify="left" if column == "paraphrases" else "right")
    for label, source in sources():
        relation = Relation(words, source.paraphrase_graph(words))
        found = coverage(pairs, synonyms, relation)
        if sample_size:
            sample = sampled(pairs, synonyms, relation, sample_size)
            print(label, "; ".join(f"{own} | {other}" for own, other in sample), sep="\n")
        table.add_row(
            label,
            f"{found.unmatched:,}",
            f"{found.related:,}",
            f"{found.related / found.unmatched:.1%}",
            f"{found.related_by_chance:,}",
            f"{found.related / max(1, found.related_by_chance):.1f}",
        )
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
