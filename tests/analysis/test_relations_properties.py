"""Whatever the tree, the relations are sound, and those of the plain definition."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import relations as oracle

from metaphrase.analysis.relation_table import PHRASAL_PREPOSITIONS, ROLES
from metaphrase.analysis.relations import collapsed
from metaphrase.analysis.sentence import Sentence

WORDS = [
    *("the", "of", "in", "front", "next", "to", "out", "because", "by", "such", "as", "well", "than"),
    *("and", "or", "&", "rather", "not", "no", "that", "while", "there", "is", "May", "5", "2003"),
    *("Day", "voter", "–", "'s", "É", "instead", "", "\N{LATIN SMALL LETTER LONG S}"),
]
TAGS = [
    *("IN", "TO", "CC", "NN", "NNP", "NNS", "VB", "VBD", "VBG", "VBN", "VBZ", "JJ", "RB", "WRB"),
    *("CD", "DT", "POS", "PRP", "EX", ",", "", "V", "N"),
]
LABELS = [*ROLES, "obl:arg", "no:such", "list", ""]


@st.composite
def trees(draw, broken=False):
    """Trees, or whatever heads there may be; roles that need company are drawn more often."""
    size = draw(st.integers(0, 14))
    anything = st.integers(-2, size + 2) if broken else None
    head = []
    order = draw(st.permutations(range(1, size + 1)))
    above = {token: [0, *order[:place]] for place, token in enumerate(order)}
    for token in range(1, size + 1):
        head.append(draw(anything if anything is not None else st.sampled_from(above[token])))
    company = ["case", "conj", "cc", "prep", "pobj", "pcomp", "fixed", "cop", "mark", "obl", "nsubj"]
    label = st.one_of(st.sampled_from(company), st.sampled_from(LABELS))
    forms = draw(st.lists(st.sampled_from(WORDS), min_size=size, max_size=size))
    return Sentence(
        "",
        tuple(forms),
        (0,) * size,
        (0,) * size,
        lemma=tuple("be" if form == "is" else form for form in forms),
        tag=tuple(draw(st.lists(st.sampled_from(TAGS), min_size=size, max_size=size))),
        head=tuple(head),
        relation=tuple(draw(st.lists(label, min_size=size, max_size=size))),
    )


def plain(sentence):
    return [(r.label, r.governor, r.dependent) for r in collapsed(sentence)]


@settings(max_examples=1500, deadline=None)
@given(trees())
def test_the_core_agrees_with_the_definition(sentence):
    assert plain(sentence) == oracle.collapsed(sentence)


@settings(max_examples=500, deadline=None)
@given(trees(broken=True))
def test_broken_trees_give_the_same_answer_too(sentence):
    assert plain(sentence) == oracle.collapsed(sentence)


@settings(max_examples=300, deadline=None)
@given(trees(broken=True))
def test_indices_are_tokens_and_roots_come_first(sentence):
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
FUNCTION_LABELS = ("punct", "hyph", "possessive", "case", "cc", "mark", "fixed", "mwe", "prep", "pcomp")


@settings(max_examples=300, deadline=None)
@given(trees(broken=True))
def test_every_other_word_has_a_relation(sentence):
    dependents = {relation.dependent for relation in collapsed(sentence)}
    silent = set(range(1, len(sentence) + 1)) - dependents
    absorbed = {word for phrase in PHRASAL_PREPOSITIONS for word in phrase.split("_")}
    for token in silent:
        label = sentence.relation[token - 1]
        assert (
            label in FUNCTION_LABELS
            # coordinated prepositions, and the adverbs of "as well as"
            or label in ("conj", "advmod", "agent", "dative")
            or "pobj" in sentence.relation
            or "pcomp" in sentence.relation
            or sentence.form[token - 1].lower() in absorbed
        )


def test_a_long_chain_and_a_wide_star_are_done_at_once():
    """Nothing in the core takes time that grows with the square of a segment's length."""
    size = 200_000
    for label in ("case", "conj", "cc", "mark", "prep", "pobj", "fixed", "cop", "<x>", "nsubj"):
        for heads in (range(size), (0,) + (1,) * (size - 1), (*range(2, size + 1), 0)):
            sentence = Sentence(
                "",
                ("of",) * size,
                (0,) * size,
                (0,) * size,
                lemma=("be",) * size,
                tag=("IN",) * size,
                head=tuple(heads),
                relation=(label,) * size,
            )
            assert len(collapsed(sentence)) < 3 * size
