"""Tokens are those of the English Web Treebank, and never lose a character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaphrase._core.analysis import tokenise
from metaphrase.analysis.builtin import BuiltinAnalyser

# Each split is what EWT or GUM does with the same or a like word.
CASES = {
    "contractions": ("I don't and can't, won't; you're", "I do n't and ca n't , wo n't ; you 're"),
    "contractions with a typographic apostrophe": ("I don’t", "I do n’t"),
    "two clitics": ("They'd've gone", "They 'd 've gone"),
    "contractions without apostrophe": ("I cannot, gonna, dont", "I can not , gon na , do nt"),
    "the possessive": ("the dog's and dogs' tails", "the dog 's and dogs ' tails"),
    "the possessive of an abbreviation": ("the U.S.'s debt", "the U.S. 's debt"),
    "an apostrophe inside a name": ("O'Brien at ten o'clock", "O'Brien at ten o'clock"),
    "hyphens part words": (
        "a well-known state-of-the-art",
        "a well - known state - of - the - art",
    ),
    "but not after a prefix": ("co-workers e-mail Non-profit", "co-workers e-mail Non-profit"),
    "an acronym is no prefix": ("UN-led", "UN - led"),
    "ranges of numbers": ("pages 10-15", "pages 10 - 15"),
    "telephone numbers": ("call 713-853-3989", "call 713-853-3989"),
    "separators of numbers": ("1,200.50 at 7:30 on 9/11", "1,200.50 at 7:30 on 9/11"),
    "lists of numbers": ("13,14", "13 , 14"),
    "money and per cent": ("$5 is 3%", "$ 5 is 3 %"),
    "units": ("5pm, 10km, 5th", "5 pm , 10 km , 5th"),
    "abbreviations keep their period": (
        "Mr. Smith of Acme Inc. left",
        "Mr. Smith of Acme Inc. left",
    ),
    "the last period ends the sentence": ("apples, pears, etc.", "apples , pears , etc ."),
    "initials": ("J. R. in the U.S. at 5 p.m.", "J. R. in the U.S. at 5 p.m."),
    "two sentences": ("It ends. It begins.", "It ends . It begins ."),
    "a missing space after a sentence": ("It ends.The next", "It ends . The next"),
    "ellipses": ("well... so…", "well ... so …"),
    "marks in a row": ("What?! No!!!", "What ?! No !!!"),
    "dashes": ("yes--no — maybe", "yes -- no — maybe"),
    "brackets": ("(see [1])", "( see [ 1 ] )"),
    "quotation marks": ("“Yes,” 'no' \"so\" ``x''", "“ Yes , ” ' no ' \" so \" `` x ''"),
    "addresses": ("(http://a.org/b-c?d=e), me@x.com.", "( http://a.org/b-c?d=e ) , me@x.com ."),
    "file and domain names": ("see readme.txt at yahoo.com", "see readme.txt at yahoo.com"),
    "emoticons": ("nice :) or :-( and <3", "nice :) or :-( and <3"),
    "emoji": ("fine👍🏽 👩‍👩‍👧", "fine 👍🏽 👩‍👩‍👧"),
    "hashtags and handles": ("#research by @someone", "#research by @someone"),
    "slashes": ("and/or w/o", "and / or w/o"),
    "ampersands in names": ("AT&T", "AT&T"),
    "other scripts": ("Dvořák, Москва!", "Dvořák , Москва !"),
}


@pytest.mark.parametrize(("text", "tokens"), CASES.values(), ids=CASES)
def test_tokens_are_those_of_the_treebank(text: str, tokens: str) -> None:
    assert tokenise([text]) == [tokens.split()]


@pytest.mark.parametrize(
    "text",
    [
        "I do n't know ( yet ) what John 's dogs ca n't do .",
        "`` Well , '' he said -- `` it 's $ 5.3 million . ''",
        "the state - of - the - art",
    ],
)
def test_tokenised_text_passes_unchanged(text: str) -> None:
    assert tokenise([text]) == [text.split()]


TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.text(st.sampled_from("aA1.,-'’\"`/:;()!?#@&$%_*=<> \t\n​́👍ßŁд…“")),
)


@given(TEXTS)
def test_tokens_cover_every_character_but_spaces(text: str) -> None:
    sentence = BuiltinAnalyser.shipped("en").analyse([text], ())[0]
    covered = set()
    last = 0
    for form, start, end in zip(sentence.form, sentence.start, sentence.end, strict=True):
        assert start >= last
        assert text[start:end] == form
        assert form
        assert not any(c.isspace() for c in form)
        covered.update(range(start, end))
        last = end
    assert covered == {i for i, c in enumerate(text) if not c.isspace()}


@given(TEXTS)
def test_tokenising_alone_and_in_the_analyser_agree(text: str) -> None:
    assert tuple(tokenise([text])[0]) == BuiltinAnalyser.shipped("en").analyse([text], ())[0].form


@pytest.mark.parametrize(
    "unit", [".", "-", "'", "1", "a", "a.", "a-", "1,", "'s", "@", "://", ":)", "é", "👍", "_"]
)
def test_a_long_line_of_anything_is_read_in_linear_time(unit: str) -> None:
    # Quadratic reading of 300,000 characters would take minutes.
    text = unit * (300_000 // len(unit))
    assert "".join(tokenise([text])[0]) == text
