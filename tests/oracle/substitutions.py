"""METRICS 6.2 and 6.3 word by word: what may be substituted, every stretch compared with every other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product

import snowballstemmer

from metaphrase.matching.edit_pairs import DEPENDENCIES, SUBSTITUTIONS
from metaphrase.matching.substitutions import SubstitutionOptions

#: Relations that tests use; the whole table has tests of its own.
ROLES = {
    "nsubj": "subject",
    "nsubj:pass": "subject",
    "SBJ": "subject",
    "obj": "object",
    "dobj": "object",
    "cop": "predicative",
}


@dataclass(frozen=True)
class Token:
    form: str
    lemma: str
    head: int = 0
    relation: str = "dep"


@dataclass(frozen=True)
class Oracle:
    options: SubstitutionOptions
    #: The numbers of the sets that a lemma is in.
    senses: Mapping[str, frozenset[int]] = field(default_factory=dict)
    #: Each pair in one order only.
    paraphrases: frozenset[tuple[str, str]] = frozenset()

    def substitutions(
        self, reference: Sequence[Token], hypothesis: Sequence[Token]
    ) -> list[tuple[int, int, int, int, int]]:
        sizes = range(1, self.options.max_block + 1)
        found = []
        for i, j in product(range(len(reference)), range(len(hypothesis))):
            for a, b in product(sizes, sizes):
                if i + a > len(reference) or j + b > len(hypothesis):
                    continue
                labels = [
                    number
                    for number, label in enumerate(SUBSTITUTIONS)
                    if self.holds(label, reference[i : i + a], hypothesis[j : j + b])
                ]
                kept = labels if self.options.overlapping else labels[:1]
                found += [(i, j, a, b, label) for label in kept]
        return found

    def holds(self, label: str, reference: Sequence[Token], hypothesis: Sequence[Token]) -> bool:
        if label == "paraphrase":
            phrase, other = (
                " ".join(token.form.lower() for token in side) for side in (reference, hypothesis)
            )
            return (phrase, other) in self.paraphrases or (other, phrase) in self.paraphrases
        if len(reference) != len(hypothesis):
            return False
        if label == "synonym" and len(reference) > 1:
            return False
        return all(
            self.holds_of_words(label, r, h) for r, h in zip(reference, hypothesis, strict=True)
        )

    def holds_of_words(self, label: str, r: Token, h: Token) -> bool:
        same_case = r.form == h.form
        same = same_case if self.options.case_sensitive else r.form.lower() == h.form.lower()
        if label == "word":
            return same
        if label == "punctuation":
            return self.options.punctuation and same and not any(map(str.isalnum, r.form))
        if label == "lemma":
            if self.options.lemmas in ("stem", "porter"):
                algorithm = "english" if self.options.lemmas == "stem" else "porter"
                return stem(r.form, algorithm) == stem(h.form, algorithm)
            return self.options.lemmas == "lemma" and r.lemma.lower() == h.lemma.lower()
        assert label == "synonym"
        first, second = (self.senses.get(w.lemma.lower(), frozenset()) for w in (r, h))
        return not first.isdisjoint(second)

    def dependencies(
        self, reference: Sequence[Token], hypothesis: Sequence[Token]
    ) -> list[tuple[int, int, int]]:
        if not self.options.dependencies:
            return []
        return [
            (i, j, dependency)
            for i, dependency, head_second in links(reference)
            for j, other, other_second in links(hypothesis)
            if dependency == other
            and (head_second == other_second or not self.options.same_direction)
        ]


def senses(sets: Sequence[Sequence[str]]) -> dict[str, frozenset[int]]:
    lemmas = {lemma for members in sets for lemma in members}
    return {x: frozenset(n for n, members in enumerate(sets) if x in members) for x in lemmas}


@cache
def stem(form: str, algorithm: str = "english") -> str:
    word = form.lower()
    # Porter's program leaves words of two letters alone; Snowball's edition of it does not.
    if algorithm == "porter" and len(word) <= 2:
        return word
    return str(snowballstemmer.stemmer(algorithm).stemWord(word))


def links(sentence: Sequence[Token]) -> Iterator[tuple[int, int, bool]]:
    """Words joined to the one before them, the dependency, and whether the head is the second."""
    for i in range(1, len(sentence)):
        before, word = sentence[i - 1], sentence[i]
        if word.head == i and word.relation in ROLES:  # heads count from 1
            yield i, DEPENDENCIES.index(ROLES[word.relation]), False
        elif before.head == i + 1 and before.relation in ROLES:
            yield i, DEPENDENCIES.index(ROLES[before.relation]), True
