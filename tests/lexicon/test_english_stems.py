"""Porter's first stemmer, against the paper of 1980 and against Snowball's edition of it."""

from __future__ import annotations

import pytest
import snowballstemmer
from hypothesis import given
from hypothesis import strategies as st

from metaphrase.lexicon.english_stems import porter_stems

SNOWBALL = snowballstemmer.stemmer("porter")
ENDINGS = """ational ization iveness fulness ousness tional biliti entli ousli ation alism aliti iviti enci
anci izer alli ator abli eli icate ative alize iciti ical ness ful ement ance ence able ible ment ant ent ion
ism ate iti ous ive ize al er ic ou eed ed ing sses ies ss s y e ll""".split()
# Double consonants other than these Snowball's edition does not know.
BEGINNINGS = (
    "rel gen osc hop tann fall hiss fizz fil agr pl mot sk conflat troubl siz happ yell toy".split()
)


# The paper's own examples of words that several steps change (section 2, end).
def test_the_examples_of_the_paper() -> None:
    words = ["generalizations", "oscillators"]
    assert porter_stems(words) == ["gener", "oscil"]
    # Section 1: one term.
    words = ["connect", "connected", "connecting", "connection", "connections"]
    assert set(porter_stems(words)) == {"connect"}


# The steps' examples of the paper that no later step changes.
@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("caresses", "caress"), ("ponies", "poni"), ("ties", "ti"), ("cats", "cat"), ("feed", "feed"),
        ("plastered", "plaster"), ("bled", "bled"), ("motoring", "motor"), ("sing", "sing"),
        ("hopping", "hop"), ("falling", "fall"), ("hissing", "hiss"), ("fizzed", "fizz"), ("filing", "file"),
        ("happy", "happi"), ("sky", "sky"), ("goodness", "good"), ("revival", "reviv"),
        ("allowance", "allow"), ("adoption", "adopt"), ("homologou", "homolog"), ("rate", "rate"),
        ("controll", "control"), ("roll", "roll"),
    ],
)  # fmt: skip
def test_the_examples_of_the_steps(word: str, stem: str) -> None:
    assert porter_stems([word]) == [stem]


@given(
    st.sampled_from(BEGINNINGS),
    st.lists(st.sampled_from(ENDINGS), max_size=3),
)
def test_what_snowballs_edition_says(beginning: str, endings: list[str]) -> None:
    word = beginning + "".join(endings)
    if "bl" not in word and "logi" not in word:
        assert porter_stems([word]) == SNOWBALL.stemWords([word])


# "DEPARTURE" in the comments of the program that Porter distributes.
def test_where_the_program_departs_from_the_paper() -> None:
    assert porter_stems(["is", "as", "s", ""]) == ["is", "as", "s", ""]
    assert SNOWBALL.stemWords(["is", "as"]) == ["i", "a"]
    assert porter_stems(["possibly", "possible"]) == ["possibl", "possibl"]
    assert porter_stems(["archaeology"]) == ["archaeolog"]


@given(st.lists(st.text(max_size=12)))
def test_any_text_has_a_stem_that_is_not_longer(words: list[str]) -> None:
    for word, stem in zip(words, porter_stems(words), strict=True):
        assert len(stem) <= len(word)
