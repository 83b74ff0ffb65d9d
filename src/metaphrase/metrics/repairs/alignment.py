"""Which words of a hypothesis stand for which of its reference, in any language.

English has UPF-Cobalt's aligner. Elsewhere, and for what it leaves over, words are put together that are the
same, then those of one lemma, then those that are spelt alike; of several candidates first those whose
neighbours are the same, then those in the most similar places.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from metaphrase import analysis
from metaphrase.analysis.languages.codes import base_language
from metaphrase.analysis.registry import LEMMATISED
from metaphrase.analysis.sentence import Sentence
from metaphrase.arrays import BoolArray
from metaphrase.corpus import Corpus
from metaphrase.matching.spelling_vectors import spelling_vectors
from metaphrase.matching.word_alignment import KINDS
from metaphrase.metrics.cobalt.metric import Cobalt
from metaphrase.metrics.comparison import compare
from metaphrase.metrics.repairs.compounds import COMPOUND, with_compounds
from metaphrase.metrics.repairs.words import (
    FUNCTION,
    Side,
    Word,
    is_unspaced,
    plain,
    same_but_for_marks,
    split,
)

#: How alike two words are spelt that may stand for each other.
_ALIKE = 0.5
#: Words of so few letters that differ in an accent are others: *ou* and *où*.
_MARKED = 3
#: How far apart function words may stand that are paired because they are the same.
_NEAR = 2
_ALIGNED = "en"
#: Languages whose analysers every installation has. Others are asked only by metrics that need them, so that
#: what is installed changes nothing.
_ANALYSED = ("de", "fr", "es")


@dataclass(frozen=True, slots=True)
class AlignedTexts:
    """Both sides, and pairs of words with their relation, each word in one pair at most."""

    hypothesis: Side
    reference: Side
    relations: dict[tuple[int, int], str]


def align(
    hypotheses: Sequence[str],
    references: Sequence[str],
    lang: str,
    *,
    analyser: str | None = None,
    threads: int = 1,
) -> Iterator[AlignedTexts]:
    """The words of each hypothesis and its reference, aligned; ``analyser`` is what the metric needs."""
    language = base_language(lang)
    if language == _ALIGNED:
        yield from _aligned(hypotheses, references, threads)
        return
    texts = [*hypotheses, *references]
    sides = _analysed(texts, language, analyser, threads) or list(map(split, texts))
    for pair in zip(sides[: len(hypotheses)], sides[len(hypotheses) :], strict=True):
        yield _together(pair, {})


def _together(sides: tuple[Side, Side], relations: dict[tuple[int, int], str]) -> AlignedTexts:
    sides, relations = with_compounds(sides, relations)
    return AlignedTexts(*sides, _completed(*sides, relations))


@cache
def _cobalt() -> Cobalt:
    return Cobalt(lang=_ALIGNED, normalise=False)


def _aligned(
    hypotheses: Sequence[str], references: Sequence[str], threads: int
) -> Iterator[AlignedTexts]:
    corpus = Corpus({"hypothesis": hypotheses}, [references], empty_references="keep")
    (comparison,) = compare(corpus, _cobalt(), threads=threads)
    parsed, found = _cobalt().align(comparison)
    analysed = comparison.analysed
    rows = zip(analysed.hypotheses.tolist(), analysed.references[0].tolist(), strict=True)
    for number, (own, other) in enumerate(rows):
        sides = _side(parsed.batch[own]), _side(parsed.batch[other])
        first = int(found.pair_offsets[number])
        relations = {
            pair: KINDS[found.kind[first + place]] for place, pair in enumerate(found.pairs(number))
        }
        yield _together(sides, relations)


def _analysed(
    texts: Sequence[str], language: str, analyser: str | None, threads: int
) -> list[Side] | None:
    name = f"builtin:{language}"
    if language not in _ANALYSED and analyser not in (name, language):
        return None
    columns = {"lemma", "upos"} if language in LEMMATISED else set()
    return list(map(_side, analysis.shared(name).analyse(texts, columns, threads=threads)))


def _side(sentence: Sentence) -> Side:
    blank = [""] * len(sentence)
    cells = zip(
        sentence.start,
        sentence.end,
        sentence.lemma or blank,
        sentence.upos or sentence.tag or blank,
        strict=True,
    )
    words = (
        Word(sentence.text[start:end], start, end, lemma, tag) for start, end, lemma, tag in cells
    )
    return Side(sentence.text, tuple(words))


def _completed(
    hypothesis: Side, reference: Side, relations: dict[tuple[int, int], str]
) -> dict[tuple[int, int], str]:
    """The pairs, and those of words that are left over."""
    forms = [[word.form for word in side.words] for side in (hypothesis, reference)]
    found = {}
    for (i, j), relation in _uncrossed(hypothesis, reference, relations).items():
        seen = _relation(hypothesis.words[i], reference.words[j])
        found[i, j] = relation if relation == COMPOUND else seen or relation
    left = [
        sorted(set(range(len(forms[side]))) - {pair[side] for pair in found}) for side in (0, 1)
    ]
    if not all(left):
        return found
    lower = [np.array([form.lower() for form in side], dtype=object) for side in forms]
    same = lower[0][:, None] == lower[1]
    # How many of the four words around two words are the same.
    around = np.zeros(same.shape)
    around[1:, 1:] += same[:-1, :-1]
    around[:-1, :-1] += same[1:, 1:]
    alike = _likeness([forms[side][word] for side in (0, 1) for word in left[side]], len(left[0]))
    candidates = []
    for own, other in np.argwhere(
        (alike >= _ALIKE) | _comparable(hypothesis, reference, left)
    ).tolist():
        i, j = left[0][own], left[1][other]
        relation = _relation(hypothesis.words[i], reference.words[j])
        if not relation and alike[own, other] >= _ALIKE:
            relation = "spelling"
        if relation:
            apart = abs(i * len(forms[1]) - j * len(forms[0]))
            rank = (
                _RANKS[relation],
                -float(alike[own, other]) if relation == "spelling" else 0.0,
            )
            candidates.append((rank, -float(around[i, j]), apart, i, j, relation))
    used: tuple[set[int], set[int]] = set(), set()
    for *_, i, j, relation in sorted(candidates):
        if i not in used[0] and j not in used[1]:
            used[0].add(i)
            used[1].add(j)
            found[i, j] = relation
    return found


def _comparable(hypothesis: Side, reference: Side, left: Sequence[Sequence[int]]) -> BoolArray:
    """Which of the words that are left may have a relation: they have a form or a lemma in common."""

    def equal(what: Callable[[Word], str]) -> BoolArray:
        own, other = (
            np.array([what(side.words[word]) for word in words], dtype=object)
            for side, words in zip((hypothesis, reference), left, strict=True)
        )
        return np.asarray(own[:, None] == other, dtype=np.bool_)

    return equal(lambda word: plain(word.form)) | equal(lambda word: word.lemma or word.form)


def _uncrossed(
    hypothesis: Side, reference: Side, relations: dict[tuple[int, int], str]
) -> dict[tuple[int, int], str]:
    """The pairs, but articles and their like stay where they are if their nouns take each other's places."""
    scale = len(reference.words) / max(len(hypothesis.words), 1)
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for i, j in relations:
        one, other = hypothesis.words[i], reference.words[j]
        if one.role == FUNCTION and one.form.lower() == other.form.lower():
            places[one.form.lower()].append((i, j))
    found = dict(relations)
    for pairs in places.values():
        others = list(zip(*map(sorted, zip(*pairs, strict=True)), strict=True))
        if all(abs(i * scale - j) <= _NEAR for i, j in others):
            for pair in pairs:
                del found[pair]
            found |= dict.fromkeys(others, "identical")
    return found


_RANKS = {"identical": 0, "casing": 0, "lemma": 1, "spelling": 2}


def _relation(one: Word, other: Word) -> str:
    """What two words have in common that a reader sees, if anything."""
    if one.form == other.form:
        return "identical"
    if one.form.lower() == other.form.lower():
        return "casing"
    if one.lemma and one.lemma == other.lemma and one.form[0].isalpha():
        return "lemma"
    if min(len(one.form), len(other.form)) > _MARKED and same_but_for_marks(one.form, other.form):
        return "spelling"
    return ""


def _likeness(forms: Sequence[str], border: int) -> np.ndarray:
    """The cosines of the spellings of words, rounded; words with digits are like no other."""
    vectors = spelling_vectors([form.lower() for form in forms])
    likeness = np.round(vectors[:border] @ vectors[border:].T, 6)
    words = np.array([form.isalpha() and len(form) > 1 + (not is_unspaced(form)) for form in forms])
    return np.where(words[:border, None] & words[border:], likeness, 0.0)
