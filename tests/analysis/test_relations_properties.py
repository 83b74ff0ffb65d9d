"""Whatever the tree, the relations are sound, and those of the plain definition."""

from __future__ import annotations

import random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from metaphrase.analysis.relation_table import PHRASAL_PREPOSITIONS, ROLES
from metaphrase.analysis.relations import collapsed
from metaphrase.analysis.sentence import Sentence
from oracle import relations as oracle

WORDS = [
    *(
        "the",
        "of",
        "in",
        "front",
        "next",
        "to",
        "out",
        "because",
        "by",
        "such",
        "as",
        "well",
        "than",
    ),
    *("and", "or", "&", "rather", "not", "no", "that", "while", "there", "is", "May", "5", "2003"),
    *("Day", "voter", "–", "'s", "É", "instead", "", "\N{LATIN SMALL LETTER LONG S}"),
]
TAGS = [
    *("IN", "TO", "CC", "NN", "NNP", "NNS", "VB", "VBD", "VBG", "VBN", "VBZ", "JJ", "RB", "WRB"),
    *("CD", "DT", "POS", "PRP", "EX", ",", "", "V", "N"),
]
LABELS = [*ROLES, "obl:arg", "no:such", "list", ""]


#: Roles that need company are drawn more often.
COMPANY = ["case", "conj", "cc", "prep", "pobj", "pcomp", "fixed", "cop", "mark", "obl", "nsubj"]


def random_tree(seed, *, broken):
    """A tree of up to 14 tokens, or, if it may be broken, any heads at all."""
    rng = random.Random(seed)
    size = rng.randrange(15)
    order = rng.sample(range(1, size + 1), size)
    head = [0] * size
    for place, token in enumerate(order):
        above = rng.randint(-2, size + 2) if broken else rng.choice([0, *order[:place]])
        head[token - 1] = above
    forms = rng.choices(WORDS, k=size)
    labels = [rng.choice(COMPANY if rng.random() < 0.5 else LABELS) for _ in range(size)]
    return Sentence(
        "",
        tuple(forms),
        (0,) * size,
        (0,) * size,
        lemma=tuple("be" if form == "is" else form for form in forms),
        tag=tuple(rng.choices(TAGS, k=size)),
        head=tuple(head),
        relation=tuple(labels),
    )


seeds = st.integers(0, 2**32)


def plain(sentence):
    return [(r.label, r.governor, r.dependent) for r in collapsed(sentence)]


@settings(max_examples=500)
@given(seeds, st.booleans())
@example(24731, True)  # a "month" that begins with a digit keeps the place that it was given
def test_the_core_agrees_with_the_definition(seed, broken):
    sentence = random_tree(seed, broken=broken)
    assert plain(sentence) == oracle.collapsed(sentence)


@settings(max_examples=200)
@given(seeds)
def test_indices_are_tokens_and_roots_come_first(seed):
    sentence = random_tree(seed, broken=True)
    found = collapsed(sentence)
    for relation in found:
        assert relation.label
        assert 0 <= relation.governor <= len(sentence)
        assert 1 <= relation.dependent <= len(sentence)
        assert relation.governor != relation.dependent
        assert (relation.label == "root") == (relation.governor == 0)
    places = [(relation.governor != 0, relation.dependent) for relation in found]
    assert places == sorted(places)


#: Words that may become part of a label, or be silent.
FUNCTION_LABELS = {
    *("punct", "hyph", "possessive", "case", "cc", "mark", "fixed", "mwe", "prep", "pcomp"),
}
#: A tree has these in pieces, which may have any label.
IN_PHRASAL_PREPOSITIONS = {word for phrase in PHRASAL_PREPOSITIONS for word in phrase.split("_")}


def way_up(sentence, token):
    """The token, its head, the head of that and so on, as far as heads lead anywhere new."""
    way = []
    while 1 <= token <= len(sentence) and token not in way:
        way.append(token)
        token = sentence.head[token - 1]
    return way


@settings(max_examples=200)
@given(seeds)
@example(198549)  # "there", the attribute of an "is" that the tree calls punctuation
@example(4435)  # the copula of a marker
@example(14503)  # the last word of a name whose first word is a marker
def test_every_other_word_has_a_relation(seed):
    """Function words are silent, and so is what takes the place of one.

    A label says what a whole phrase is to its governor. Where Stanford heads the phrase by another word than
    the tree (the predicate instead of the copula, the last word of a name), that word takes the label over,
    be it one without a relation.
    """
    sentence = random_tree(seed, broken=True)
    prepositions = {
        head
        for head, label in zip(sentence.head, sentence.relation, strict=True)
        if label in ("pobj", "pcomp")
    }
    dependents = {relation.dependent for relation in collapsed(sentence)}
    for silent in set(range(1, len(sentence) + 1)) - dependents:
        assert sentence.form[silent - 1].lower() in IN_PHRASAL_PREPOSITIONS or any(
            sentence.relation[token - 1] in FUNCTION_LABELS or token in prepositions
            for token in way_up(sentence, silent)
        )


def test_a_long_chain_and_a_wide_star_are_done_at_once():
    """A segment of thousands of tokens is no reason to wait, however strange its parse."""
    size = 20_000
    for label in ("case", "conj", "cc", "mark", "prep", "pobj", "fixed", "flat", "cop", "acomp"):
        for heads in (range(size), (0,) + (1,) * (size - 1), (*range(2, size + 1), 0)):
            sentence = Sentence(
                "",
                ("of",) * size,
                (0,) * size,
                (0,) * size,
                lemma=("be",) * size,
                tag=("NN" if label == "flat" else "RB" if label == "cop" else "IN",) * size,
                head=tuple(heads),
                relation=(label,) * size,
            )
            assert len(collapsed(sentence)) < 3 * size
