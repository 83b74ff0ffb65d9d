"""Our Porter2 gives the stems of Snowball's own program, in the version that the metrics were built with."""

from __future__ import annotations

import snowballstemmer
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase._core.alignment import stems
from metaphrase.lexicon import WordNet

_SNOWBALL = snowballstemmer.stemmer("english")


def test_every_lemma_of_wordnet_with_usual_endings() -> None:
    wordnet = WordNet.default()
    lemmas = sorted(
        {lemma for synset in range(0, wordnet.synset_count, 5) for lemma in wordnet.lemmas(synset)}
    )
    endings = ["", "s", "es", "ed", "ing", "ly", "edly", "'s", "ness", "ization", "fully"]
    words = [lemma + endings[i % len(endings)] for i, lemma in enumerate(lemmas)]
    assert len(words) > 20_000
    assert stems(words) == _SNOWBALL.stemWords(words)


def test_words_that_the_rules_treat_specially() -> None:
    words = """skis skies dying lying tying idly gently ugly early only singly sky news howe atlas cosmos
    bias andes inning outing canning herring earring proceed exceed succeed innings proceeds generate
    generously communism arsenal gener commun arsen yes yy ayyay say saying 'tis dogs' dog's's' ''s y
    hopping hoped hop bled bed fee feed agreed ties tie dies cries gas gaps kiwis this luxuriated
    hissing failing sized archaeology apology apologies rationally relational conditionally électricité
    éy fiancées 'y 's ' s it""".split()
    assert stems(words) == _SNOWBALL.stemWords(words)


_PIECES = st.sampled_from(
    "y Y a e i o u b l s t w x ' é at bl iz ss us ied ies eed ed ing edly ingly ational tional enci anci "
    "abli entli izer ization ator alism aliti alli fulness ousli ousness iveness iviti biliti bli ogi "
    "fulli lessli li alize icate iciti ical ful ness ative al ance ence er ic able ible ant ement ment "
    "ent ism ate iti ous ive ize ion gener commun arsen".split()
)


@settings(max_examples=1500)
@given(st.lists(_PIECES, max_size=5).map("".join))
def test_words_made_of_endings(word: str) -> None:
    assert stems([word.lower()]) == [_SNOWBALL.stemWord(word.lower())]


@settings(max_examples=300)
@given(st.text(max_size=12))
def test_no_text_is_too_strange_to_be_stemmed(word: str) -> None:
    assert stems([word.lower()]) == [_SNOWBALL.stemWord(word.lower())]
