"""Of all sets of links between phrases the one that gives most words a partner is chosen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase.errors import InputError
from metaphrase.lexicon.phrase_spans import PhraseSpans
from metaphrase.matching.word_alignment import ParsedSentences, align_words
from oracle.cobalt import CobaltScorer
from oracle.cobalt_aligner import CobaltAligner, Parsed
from oracle.cobalt_cases import pack
from oracle.cobalt_words import Evidence, Token
from oracle.phrase_links import LONGEST, PhraseLink, PhraseScorer, linked, spans

Phrases = frozenset[frozenset[str]]
NOTHING = Evidence()


def parsed(forms: Sequence[str]) -> Parsed:
    return Parsed(tuple(Token(form, form, "") for form in forms))


def links(
    left: Sequence[str], right: Sequence[str], phrases: Phrases, evidence: Evidence = NOTHING
) -> tuple[PhraseLink, ...]:
    packed = pack([parsed(left), parsed(right)], evidence, phrases=phrases)
    return linked(align_words(packed, [0], [1]))


def pairs_of(*pairs: tuple[str, str]) -> Phrases:
    return frozenset(map(frozenset, pairs))


def phrase_pairs(words: list[str]) -> st.SearchStrategy[Phrases]:
    phrase = st.lists(st.sampled_from(words), min_size=1, max_size=3).map(" ".join)
    pair = st.lists(phrase, min_size=2, max_size=2, unique=True).map(frozenset)
    return st.frozensets(pair, max_size=10)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from("kl"), max_size=7),
    st.lists(st.sampled_from("xy"), max_size=7),
    phrase_pairs(["k", "l", "x", "y"]),
)
def test_of_phrases_that_overlap_the_best_are_chosen(
    left: list[str], right: list[str], phrases: Phrases
) -> None:
    """Words of two alphabets, which nothing but phrases relates."""
    scorer = CobaltScorer(CobaltAligner(parsed(left), parsed(right)))
    assert links(left, right, phrases) == PhraseScorer(scorer, phrases).links


def test_a_longer_phrase_gives_way_to_two_that_gain_more() -> None:
    phrases = pairs_of(("l m", "x y"), ("k l", "x"), ("m n", "y z"))
    assert links("k l m n".split(), "x y z".split(), phrases) == (
        PhraseLink((1, 2), (1,)),
        PhraseLink((3, 4), (2, 3)),
    )


@pytest.mark.parametrize(("left", "right"), [(200, 200), (200, 150), (150, 200)])
def test_phrases_said_hundreds_of_times_are_linked_as_often_as_they_can(
    left: int, right: int
) -> None:
    found = links(["k", "l"] * left, ["x"] * right, pairs_of(("k l", "x")))
    assert len(found) == min(left, right)


def test_more_links_than_can_be_tried_still_share_no_word() -> None:
    # 60 words that overlap in every way: no search tries all sets of these links.
    related = [("k l", "x y"), ("l k", "y x x"), ("k l k", "x x"), ("l", "x y x"), ("k l k l", "y")]
    found = links(list("kl" * 30), list("xyx" * 20), pairs_of(*related))
    for side in ("left", "right"):
        words = [word for link in found for word in getattr(link, side)]
        assert len(set(words)) == len(words) > 40


def test_a_word_with_a_strong_partner_is_in_no_phrase() -> None:
    phrases = pairs_of(("took place", "occurred"))
    weak = Evidence(paraphrases=pairs_of(("place", "occurred")))
    strong = Evidence(synonyms=pairs_of(("place", "occurred")))
    pair = ["it", "took", "place"], ["it", "occurred"]
    assert links(*pair, phrases, weak) == (PhraseLink((2, 3), (2,)),)
    assert links(*pair, phrases, strong) == ()


words = st.lists(st.sampled_from(["k", "l", "--", "K", "l."]), max_size=8)


@given(st.lists(words, min_size=1, max_size=3), phrase_pairs(["k", "l"]))
def test_phrases_are_found_where_sentences_have_them(
    texts: list[list[str]], phrases: Phrases
) -> None:
    sentences = [parsed(text) for text in texts]
    found = pack(sentences, NOTHING, phrases=phrases).phrases
    assert found is not None
    there = {phrase for sentence in sentences for _, phrase in spans(sentence)}
    # A phrase counts if the texts have one that it paraphrases.
    related = {phrase for pair in phrases if pair <= there for phrase in pair}
    for row, sentence in enumerate(sentences):
        here = slice(found.offsets[row], found.offsets[row + 1])
        places = {
            tuple(range(begin + 1, begin + words + 1))
            for begin, words in zip(found.begin[here], found.words[here], strict=True)
        }
        assert places == {place for place, phrase in spans(sentence) if phrase in related}
        assert all(len(place) <= LONGEST for place in places)


@pytest.mark.parametrize(
    ("name", "values", "code"),
    [
        ("offsets", [0, 1], "MP406"),
        ("begin", [5], "MP403"),
        ("words", [0], "MP403"),
        ("phrase", [7], "MP403"),
        ("phrase", [0, 0], "MP406"),
    ],
)
def test_phrases_outside_their_sentences_are_refused(
    name: str, values: list[int], code: str
) -> None:
    packed = pack([parsed(["k"]), parsed(["x", "y"])], NOTHING)
    columns = {"offsets": [0, 0, 1], "begin": [0], "words": [2], "phrase": [0], name: values}
    arrays = {
        key: np.array(value, dtype=np.int64 if key == "offsets" else np.int32)
        for key, value in columns.items()
    }
    graph = np.zeros(3, dtype=np.int64), np.zeros(0, dtype=np.int32)
    broken = PhraseSpans(**arrays, paraphrases=graph)
    sentences = ParsedSentences(
        packed.batch, packed.relations, packed.spellings, packed.evidence, broken
    )
    with pytest.raises(InputError, match=rf"\[{code}\]"):
        align_words(sentences, [0], [1])
