"""The compiled aligner and scorer equal the oracle on sentences made to be difficult."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase._core.alignment import stems
from metaphrase.matching.word_alignment import (
    AlignerWords,
    AlignmentOptions,
    align_words,
    alignment_scores,
)
from oracle.cobalt import CobaltScorer
from oracle.cobalt_aligner import CobaltAligner, Parsed, common_runs
from oracle.cobalt_cases import pack
from oracle.cobalt_relations import Relation
from oracle.cobalt_words import CONTRACTIONS, PUNCTUATION, STOP_WORDS, Evidence, Token
from oracle.mwa import MwaAligner
from oracle.phrase_links import PhraseScorer, linked, spans

# Few words, so that much is alike: stop words, punctuation, hyphens, numbers, acronyms, contractions.
FORMS = (
    "the The of to is 's not n't ca can I A US U.S. UN United States Obama Barack root ROOT "
    "cat cats Cat dog dogs run runs running ran big large 4 5 four 4. - -- well-known well known "
    "known-well cat-dog a-b-c US-led . ! , ... ; ' \" -lrb- état États"
).split()
LEMMAS = (
    "the of to be not 's 'd can i I us cat dog run big large 4 four . ! - well know ROOT".split()
)
TAGS = ["NN", "NNP", "VBD", "VB", "JJ", "RB", "PRP", "CD", "DT", "IN", ".", ""]
ENTITIES = ["O", "O", "O", "PERSON", "LOCATION", "ORGANIZATION", "DATE"]
LABELS = (
    "root nsubj nsubjpass dobj agent amod rcmod vmod nn poss prep_of prep_the prep_in conj_and cop "
    "acomp csubj csubjpass xcomp advcl prepc_by det infmod partmod ccomp _ dep"
).split()

tokens = st.builds(
    Token,
    form=st.sampled_from(FORMS),
    lemma=st.sampled_from(LEMMAS),
    tag=st.sampled_from(TAGS),
    entity=st.sampled_from(ENTITIES),
)


@st.composite
def sentences(draw: Any, longest: int = 12) -> Parsed:
    words = tuple(draw(st.lists(tokens, max_size=longest)))
    # Mostly within the sentence, sometimes not; cycles, forests and double governors included.
    place = st.integers(-1, len(words) + 1)
    relations = st.lists(
        st.builds(Relation, label=st.sampled_from(LABELS), governor=place, dependent=place),
        max_size=2 * len(words),
    )
    return Parsed(words, tuple(draw(relations)))


@st.composite
def sentence_pairs(draw: Any) -> tuple[Parsed, Parsed]:
    """Half of the pairs share a stretch of words, as translations do."""
    left, right = draw(sentences()), draw(sentences())
    if draw(st.booleans()) and left.tokens:
        first = draw(st.integers(0, len(left) - 1))
        last = draw(st.integers(first, len(left)))
        right = Parsed(right.tokens + left.tokens[first:last], right.relations)
    return left, right


def word_pairs(words: list[str]) -> st.SearchStrategy[frozenset[frozenset[str]]]:
    pair = st.lists(st.sampled_from(words), min_size=2, max_size=2, unique=True).map(frozenset)
    return st.frozensets(pair, max_size=12)


CANONICAL = sorted({Token(word, word, "").canonical for word in (*FORMS, *LEMMAS)})
evidences = st.builds(
    Evidence,
    synonyms=word_pairs(LEMMAS),
    paraphrases=word_pairs(CANONICAL),
    vectors=st.none()
    | st.dictionaries(
        st.sampled_from([form.lower() for form in FORMS]),
        st.sampled_from([(1.0, 0.0), (0.0, 2.0), (-1.0, 0.0), (3.0, 4.0), (0.0, 0.0)]),
        min_size=1,
    ),
)
options = st.fixed_dictionaries(
    {
        "pairs": st.sampled_from(["one-to-one", "released"]),
        "symmetric": st.booleans(),
        "equivalent_types": st.booleans(),
        "uniform_weights": st.booleans(),
        "penalty": st.sampled_from(["context", "none", "fragmentation"]),
        "formula": st.sampled_from(["released", "printed"]),
        "theta": st.sampled_from([0.9, 0.5, 1.0, 0.0]),
        "alpha": st.sampled_from([0.75, 0.5, 0.0, 1.0]),
        "beta": st.sampled_from([4.0, 1.0, 0.5]),
        "delta": st.sampled_from([0.7, 1.0, 0.0]),
    }
)


def check(
    pair: tuple[Parsed, Parsed],
    evidence: Evidence,
    chosen: dict[str, Any],
    kind: type[Any],
    name: str,
) -> None:
    aligner = kind(
        *pair,
        evidence,
        one_to_one=chosen["pairs"] == "one-to-one",
        symmetric=chosen["symmetric"],
        equivalent_types=chosen["equivalent_types"],
        theta=chosen["theta"],
    )
    oracle = CobaltScorer(
        aligner,
        alpha=chosen["alpha"],
        beta=chosen["beta"],
        delta=chosen["delta"],
        uniform=chosen["uniform_weights"],
        penalty=chosen["penalty"],
        formula=chosen["formula"],
    )
    expected = oracle.scored_pairs()
    found = align_words(
        pack(pair, evidence),
        [0],
        [1],
        options=AlignmentOptions(aligner=name, **chosen),  # type: ignore[arg-type]
    )
    assert [(i + 1, j + 1) for i, j in found.pairs(0)] == [row.pair for row in expected]
    assert found.stage.tolist() == [row.stage for row in expected]
    np.testing.assert_array_equal(found.similarity, [row.similarity for row in expected])
    np.testing.assert_allclose(found.penalty, [row.penalty for row in expected], atol=1e-12)
    for side, contexts in enumerate(zip(*((row.left, row.right) for row in expected), strict=True)):
        for place, context in enumerate(contexts):
            here = (found.context_pair == place) & (found.context_on_right == side)
            relations = pair[side].relations
            assert [relations[r].label for r in found.context_relation[here]] == list(
                context.relations
            )
            lost = here & (found.context_matched == 0)
            assert [relations[r].label for r in found.context_relation[lost]] == list(
                context.unmatched
            )
    assert found.scores[0, 0] == pytest.approx(oracle.score(), abs=1e-12)
    if chosen["pairs"] == "one-to-one":
        assert found.scores[0, 0] <= 1.0 + 1e-12
        assert all(len(set(side)) == len(side) for side in (found.left, found.right))


@settings(max_examples=200)
@given(sentence_pairs(), evidences, options)
def test_cobalt_equals_the_oracle(
    pair: tuple[Parsed, Parsed], evidence: Evidence, chosen: dict[str, Any]
) -> None:
    check(pair, evidence, chosen, CobaltAligner, "cobalt")


@settings(max_examples=150, deadline=None)
@given(sentence_pairs(), evidences, options, st.data())
def test_phrases_are_linked_and_scored_as_by_the_oracle(
    pair: tuple[Parsed, Parsed], evidence: Evidence, chosen: dict[str, Any], data: Any
) -> None:
    """Phrases are drawn from the sentences, so that some are found."""
    sides = [sorted({phrase for _, phrase in spans(side)}) or ["a"] for side in pair]
    related = st.tuples(*map(st.sampled_from, sides)).map(frozenset)
    drawn = data.draw(st.lists(related, min_size=8, max_size=24))
    phrases = frozenset(one for one in drawn if len(one) == 2)
    aligner = CobaltAligner(
        *pair,
        evidence,
        one_to_one=chosen["pairs"] == "one-to-one",
        symmetric=chosen["symmetric"],
        equivalent_types=chosen["equivalent_types"],
        theta=chosen["theta"],
    )
    names = ("alpha", "beta", "delta", "penalty", "formula")
    scorer = CobaltScorer(
        aligner, uniform=chosen["uniform_weights"], **{name: chosen[name] for name in names}
    )
    expected = PhraseScorer(scorer, phrases)
    found = align_words(
        pack(pair, evidence, phrases=phrases), [0], [1], options=AlignmentOptions(**chosen)
    )
    score = found.scores[0, 0]
    assert linked(found) == expected.links
    assert score == pytest.approx(expected.score(), abs=1e-12)
    if chosen["penalty"] == "context":
        penalties = found.penalty[found.stage == 10]
        assert penalties == pytest.approx(
            [expected.penalty(link) for link in expected.links], abs=1e-12
        )
    if chosen["pairs"] == "one-to-one":
        assert score <= 1.0 + 1e-12


#: The lists that are built in, given as those of another language are.
ENGLISH = AlignerWords(
    stop_words=sorted(STOP_WORDS),
    punctuation=sorted(PUNCTUATION),
    clitics=["'s", "'d", "'ll"],
    contractions=[(a, b) for a, b in map(sorted, CONTRACTIONS)],
    stem=lambda words: stems(list(words)),
)


@given(sentence_pairs(), options)
def test_words_of_a_language_that_are_given_count_as_those_that_are_built_in(
    pair: tuple[Parsed, Parsed], chosen: dict[str, Any]
) -> None:
    built_in, given_words = (
        alignment_scores(
            pack(pair, Evidence(), words), [0], [1], options=AlignmentOptions(**chosen)
        )
        for words in (None, ENGLISH)
    )
    np.testing.assert_array_equal(built_in, given_words)


@given(sentence_pairs(), options)
def test_relations_under_other_names_are_compared_as_those_that_they_stand_for(
    pair: tuple[Parsed, Parsed], chosen: dict[str, Any]
) -> None:
    """Labels without an underscore: a word of a sentence may be part of the others' names."""
    plain = [
        Parsed(side.tokens, tuple(r for r in side.relations if "_" not in r.label)) for side in pair
    ]
    renamed = [
        Parsed(
            side.tokens,
            tuple(Relation(f"x{r.label}", r.governor, r.dependent) for r in side.relations),
        )
        for side in plain
    ]
    other = replace(ENGLISH, relations={f"x{label}": label for label in LABELS})
    scores = [
        alignment_scores(
            pack(sides, Evidence(), words), [0], [1], options=AlignmentOptions(**chosen)
        )
        for sides, words in ((plain, ENGLISH), (renamed, other))
    ]
    np.testing.assert_array_equal(*scores)


@given(sentence_pairs(), evidences, options)
def test_mwa_equals_the_oracle(
    pair: tuple[Parsed, Parsed], evidence: Evidence, chosen: dict[str, Any]
) -> None:
    check(pair, evidence, chosen, MwaAligner, "mwa")


@settings(max_examples=200)
@given(st.lists(st.sampled_from("ab"), max_size=14), st.lists(st.sampled_from("ab"), max_size=14))
def test_runs_in_texts_that_repeat_themselves_are_those_of_the_oracle(
    left: list[str], right: list[str]
) -> None:
    """Stage 2 alone decides here: no tags, no relations, no final punctuation but the last word."""
    words = [tuple(Token(form, form, "") for form in side) for side in (left, right)]
    pair = Parsed(words[0]), Parsed(words[1])
    aligner = CobaltAligner(*pair)
    found = align_words(pack(pair, Evidence()), [0], [1])
    assert {(i + 1, j + 1) for i, j in found.pairs(0)} == set(aligner.align().stage)
    assert all(length > 0 for *_, length in common_runs(left, right))


@settings(max_examples=60)
@given(sentences(longest=30), evidences)
def test_a_sentence_scores_one_against_itself(sentence: Parsed, evidence: Evidence) -> None:
    found = align_words(pack([sentence], evidence), [0], [0])
    assert found.pairs(0) == [(i, i) for i in range(len(sentence))]
    score = 1.0 if sentence.tokens else 0.0
    assert found.scores[0, 0] == pytest.approx(score, abs=1e-12)


def parsed(forms: Sequence[str]) -> Parsed:
    return Parsed(tuple(Token(form, form, "") for form in forms))


# Words of a few letters, and words that have them as their parts.
repetitive = st.lists(st.text("ab", min_size=1, max_size=5).map("-".join), max_size=9)


@settings(max_examples=300)
@given(repetitive, repetitive, st.booleans())
def test_parts_that_repeat_themselves_are_aligned_as_by_the_oracle(
    left: list[str], right: list[str], one_to_one: bool
) -> None:
    """Stages 2, 3 and 7, which look for runs of words and of parts."""
    pair = parsed(left), parsed(right)
    chosen = AlignmentOptions(pairs="one-to-one" if one_to_one else "released")
    found = align_words(pack(pair, Evidence()), [0], [1], options=chosen)
    expected = CobaltAligner(*pair, one_to_one=one_to_one).align().stage
    stages = zip(found.pairs(0), found.stage.tolist(), strict=True)
    assert {(i + 1, j + 1): stage for (i, j), stage in stages} == expected


@pytest.mark.parametrize("pairs", ["one-to-one", "released"])
def test_a_word_of_very_many_parts_takes_a_moment(pairs: str) -> None:
    # With few different parts nearly every one begins a run in common with nearly every word: a hundred
    # million runs, which took 7 seconds and 800 MB to sort.
    random = Random(1)
    letters = [random.choice("ab") for _ in range(20_000)]
    words = [random.choice("ab") for _ in range(13_000)]
    packed = pack([parsed(["-".join(letters)]), parsed(words)], Evidence())
    start = time.process_time()
    for left, right in ((0, 1), (1, 0)):
        found = align_words(packed, [left], [right], options=AlignmentOptions(pairs=pairs))
        aligned = (found.right if left == 0 else found.left).tolist()
        assert len(aligned) == (1 if pairs == "one-to-one" else len(words))
    assert time.process_time() - start < 4
