"""Words and how similar two of them are (METRICS 1.3 to 1.5), written as plainly as the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

import snowballstemmer

#: NLTK's English stop words as they were in 2015.
STOP_WORDS = frozenset(
    """i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she
    her hers herself it its itself they them their theirs themselves what which who whom this that
    these those am is are was were be been being have has had having do does did doing a an the and
    but if or because as until while of at by for with about against between into through during
    before after above below to from up down in out on off over under again further then once here
    there when where why how all any both each few more most other some such no nor not only own same
    so than too very s t can will just don should now""".split()
)
PUNCTUATION = frozenset("( -lrb- . , - ? ! ; _ : { } [ / ] ... \" ' ) -rrb-".split())
FUNCTION_LIKE = STOP_WORDS | PUNCTUATION | {"'s", "'d", "'ll"}
CONTRACTIONS = frozenset(
    frozenset(pair.split())
    for pair in (
        "is 's",
        "will 'll",
        "can ca",
        "not n't",
        "have 've",
        "are 're",
        "am 'm",
        "had 'd",
    )
)
_STEMMER = snowballstemmer.stemmer("english")


@cache
def _stem(word: str) -> str:
    return str(_STEMMER.stemWord(word))


@dataclass(frozen=True)
class Token:
    form: str
    lemma: str
    tag: str
    entity: str = "O"

    @property
    def canonical(self) -> str:
        form = self.form
        if len(form) > 1:
            for mark in ".-,":
                form = form.replace(mark, "")
        return form.lower()

    @property
    def stem(self) -> str:
        return _stem(self.canonical)

    @property
    def by_lemma(self) -> Token:
        """The same word with its lemma in place of its form."""
        return replace(self, form=self.lemma)

    @property
    def in_stop_words(self) -> bool:
        return self.lemma.lower() in STOP_WORDS

    @property
    def function_like(self) -> bool:
        return self.lemma.lower() in FUNCTION_LIKE


@dataclass(frozen=True)
class Evidence:
    """What lexical resources know; ``vectors`` are looked up by lower-cased form, ``None`` is off."""

    synonyms: frozenset[frozenset[str]] = frozenset()
    paraphrases: frozenset[frozenset[str]] = frozenset()
    vectors: Mapping[str, tuple[float, ...]] | None = field(default=None, hash=False)

    def cosine(self, a: str, b: str) -> float:
        if self.vectors is None or a not in self.vectors or b not in self.vectors:
            return 0.0
        left, right = self.vectors[a], self.vectors[b]
        norm = sum(x * x for x in left) ** 0.5 * sum(y * y for y in right) ** 0.5
        return sum(x * y for x, y in zip(left, right, strict=True)) / norm if norm else 0.0


def all_digits(word: str) -> bool:
    return word.isascii() and word.isdigit()


def alignment_similarity(a: Token, b: Token, evidence: Evidence) -> float:
    """simA of METRICS 1.5: the first rule that applies."""
    left, right = a.canonical, b.canonical
    if all_digits(left) and all_digits(right) and left != right:
        return 0.0
    numerals = a.tag == b.tag == "CD"
    if numerals and not all_digits(left) and not all_digits(right) and left != right:
        return 0.0
    if frozenset((left, right)) in CONTRACTIONS:
        return 1.0
    if (left in STOP_WORDS) != (right in STOP_WORDS):
        return 0.0
    if (left in PUNCTUATION or right in PUNCTUATION) and left != right:
        return 0.0
    if left == right or a.stem == b.stem or a.lemma == b.lemma:
        return 1.0
    if frozenset((a.lemma, b.lemma)) in evidence.synonyms:
        return 0.8
    if frozenset((left, right)) in evidence.paraphrases:
        return 0.6
    content = left not in STOP_WORDS and right not in STOP_WORDS
    if content or a.tag[:1] == b.tag[:1]:
        punctuation = left in PUNCTUATION or right in PUNCTUATION
        if not punctuation and evidence.cosine(a.form.lower(), b.form.lower()) > 0.25:
            return 0.5
    return 0.0


def scoring_similarity(a: Token, b: Token, evidence: Evidence) -> float:
    """simS of METRICS 1.5, for words that are aligned already."""
    left, right = a.canonical, b.canonical
    if left == right or frozenset((left, right)) in CONTRACTIONS:
        return 1.0
    if a.lemma == b.lemma or a.stem == b.stem:
        return 0.9
    if frozenset((a.lemma, b.lemma)) in evidence.synonyms:
        return 0.8
    if frozenset((left, right)) in evidence.paraphrases:
        return 0.6
    return 0.5


def mwa_word_similarity(a: Token, b: Token, evidence: Evidence) -> float:
    """s of METRICS 2 for one pair of spellings."""
    left, right = a.canonical, b.canonical
    if left == right or a.stem == b.stem:
        return 1.0
    if all_digits(left) and all_digits(right):
        return 0.0
    if a.tag == b.tag == "CD" and not all_digits(left) and not all_digits(right):
        return 0.0
    if (left in STOP_WORDS) != (right in STOP_WORDS):
        return 0.0
    if left in PUNCTUATION or right in PUNCTUATION:
        return 0.0
    return 0.9 if frozenset((left, right)) in evidence.paraphrases else 0.0


def mwa_similarity(a: Token, b: Token, evidence: Evidence) -> float:
    """The better of forms and lemmas."""
    return max(
        mwa_word_similarity(a, b, evidence),
        mwa_word_similarity(a.by_lemma, b.by_lemma, evidence),
    )
