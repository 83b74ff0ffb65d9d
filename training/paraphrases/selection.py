"""Which pairs of phrases are good enough to ship: the filters between pivoting and the table.

A phrase is one or two units ``lemma/UPOS``. Thresholds of single words were chosen for coverage, by how well
a metric agrees with people, those of phrases for precision, by reading samples; see the table's card.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator

from training.paraphrases.corpora import LANGUAGES, Surfaces
from training.paraphrases.pivoting import Evidence, PivotEvidence

from metaphrase.lexicon import WordNet
from metaphrase.lexicon.paraphrase_files import Pair

#: The geometric mean of both directions, averaged over the languages, must reach this.
LEAST_SCORE_OF_WORDS = 0.001
LEAST_SCORE = 0.004
#: Of phrases with only one pivot in each of two languages.
LEAST_SCORE_OF_TWO_PIVOTS = 0.01
#: What only one language says is mostly an error of alignment, or a pivot with two senses.
LEAST_LANGUAGES = 2
#: A phrase seen less often has no reliable translations.
LEAST_SEEN = 5
#: A way to write a phrase counts if it has this share of its occurrences.
LEAST_SHARE = 0.01

CONTENT = frozenset(["NOUN", "VERB", "ADJ", "ADV"])
#: Names are there for what they are made of and from: "Germany", "German".
SINGLE = CONTENT | {"PROPN"}
#: Two-word phrases that are complete: noun phrases, verbs with their particle or object, adverbs. Others
#: (a preposition and a noun, a pronoun and a verb …) are mostly pieces of something else.
TWO_UNITS = frozenset(
    ["ADJ NOUN", "NOUN NOUN", "VERB ADP", "VERB ADV", "VERB NOUN", "ADV ADJ", "ADV ADV", "ADP NOUN"]
)
#: What a prepositional phrase may stand for ("in general", "generally"): nothing that it could modify.
ADVERBIAL = frozenset(["ADV", "ADV ADV"])
#: A degree is no part of what an adjective means, and an agent no part of a verb.
ACCIDENTS = frozenset("more most less least as so too very by".split())
#: Words too general to be a phrase's paraphrase alone.
GENERAL = frozenset(
    "be have do make take get give go come put let keep say mean other such same own much many certain "
    "like not even just only also then far yet ever thing".split()
)
NEGATIONS = ("un", "in", "im", "il", "ir", "dis", "non", "non-", "mis")

_WORD = re.compile(r"[a-z]+(?:[-'][a-z]+)*\.?")
_PART = {"NOUN": "n", "VERB": "v", "ADJ": "a", "ADV": "r"}


def score(evidence: Evidence) -> float:
    return math.sqrt(evidence.forth * evidence.back) / len(LANGUAGES)


def selected(words: PivotEvidence, phrases: PivotEvidence) -> Iterator[tuple[str, str, Evidence]]:
    """Pairs that pass every filter, of single words and then others, each in alphabetical order."""
    for evidence, wanted in ((words, True), (phrases, False)):
        for first, second in sorted(evidence.pairs):
            found = evidence.pairs[first, second]
            of_words = " " not in first and " " not in second
            if (
                of_words == wanted
                and found.languages >= LEAST_LANGUAGES
                and score(found) >= (LEAST_SCORE_OF_WORDS if of_words else least_of_phrases(found))
                and min(evidence.counts[first], evidence.counts[second]) >= LEAST_SEEN
                and are_alike(first.split(), second.split())
            ):
                yield first, second, found


def least_of_phrases(found: Evidence) -> float:
    return LEAST_SCORE if found.pivots > 2 else LEAST_SCORE_OF_TWO_PIVOTS


def are_alike(first: list[str], second: list[str]) -> bool:
    """Whether two phrases are of kinds that can paraphrase each other, and not one inside the other."""
    (words, tags), (other_words, other_tags) = split(first), split(second)
    if not all(map(_WORD.fullmatch, words + other_words)):
        return False
    # What they share needs no paraphrase, and what is left is a pair of its own.
    if set(words) & set(other_words) or share_base(first, second):
        return False
    if len(first) == len(second) == 1:
        return SINGLE.issuperset(tags + other_tags) and not negate(words[0], other_words[0])
    if any(len(side) == 1 and side[0] in GENERAL for side in (words, other_words)):
        return False
    if not ACCIDENTS.isdisjoint(words + other_words):
        return False
    kinds = " ".join(tags), " ".join(other_tags)
    if not all(kind in TWO_UNITS or kind in CONTENT for kind in kinds):
        return False
    if "ADP NOUN" in kinds:
        return not ADVERBIAL.isdisjoint(kinds)
    return head(tags) == head(other_tags)


def split(units: list[str]) -> tuple[list[str], list[str]]:
    pairs = [unit.rsplit("/", 1) for unit in units]
    return [word for word, _ in pairs], [tag for _, tag in pairs]


def head(tags: list[str]) -> str:
    """The word that decides what a phrase is: the verb, else the last one."""
    return "VERB" if tags[0] == "VERB" else tags[-1]


def negate(first: str, second: str) -> bool:
    """Whether one word is the other with a prefix that denies it."""
    return any(
        prefix + a == b for prefix in NEGATIONS for a, b in ((first, second), (second, first))
    )


def share_base(first: list[str], second: list[str]) -> bool:
    """Whether WordNet's rules of inflection join two words: a tagger's slip, not a paraphrase."""
    wordnet = WordNet.default()
    bases = [
        {
            base
            for unit in units
            for word, tag in [unit.rsplit("/", 1)]
            for base in (word, *wordnet.morphy(word, _PART.get(tag, "n")))
        }
        for units in (first, second)
    ]
    return not bases[0].isdisjoint(bases[1])


def written_pairs(pairs: Iterable[tuple[str, str, Evidence]], surfaces: Surfaces) -> Iterator[Pair]:
    """All ways to write the selected phrases, each with each, in both directions."""
    for first, second, found in pairs:
        for a in written(first, surfaces):
            for b in written(second, surfaces):
                if a != b:
                    yield a, b, round(found.forth / len(LANGUAGES), 5)
                    yield b, a, round(found.back / len(LANGUAGES), 5)


def written(phrase: str, surfaces: Surfaces) -> list[str]:
    counts = surfaces.counts[phrase]
    least = max(2.0, LEAST_SHARE * counts.total())
    return sorted(
        surface
        for surface, count in counts.items()
        if count >= least and all(map(_WORD.fullmatch, surface.split()))
    )
