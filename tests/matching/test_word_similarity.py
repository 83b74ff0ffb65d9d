"""Similarity of words in WordNet, against the best of all sense pairs."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase.errors import InputError, OptionError
from metaphrase.lexicon import NO_PART, WordNet
from metaphrase.lexicon.subsumers import WordSubsumers
from metaphrase.matching.phrase_maps import WordSimilarity, word_partners, word_similarity
from oracle.phrase_maps import lin_of_words

WORDNET = WordNet.default()
# Nouns, verbs, both, many senses, rare ones that the corpus has no instance of, the root, and words that have
# no taxonomy or are in none.
WORDS = (
    "dog cat animal run walk take give break set house home minister official government president car auto "
    "automobile idea thought entity be have go make man woman year month tiger_cat genus_felis aardvark "
    "xylophone physical_entity quickly beautiful the zzyzx New_York paris"
).split()


def similarity_of(word, other, **options):
    parts = options.pop("parts", None)
    made = word_similarity([word, other], WORDNET, parts=parts, **options)
    return float(made.matrix([0], [1])[0, 0])


def test_dog_and_cat():
    # NLTK's documentation (howto/wordnet), brown_ic: dog.lin_similarity(cat) 0.8768009843733973.
    assert similarity_of("dog", "cat") == pytest.approx(0.8768009843733973, abs=1e-12)


def test_all_pairs_have_the_similarity_of_their_best_senses():
    found = word_similarity(WORDS, WORDNET).matrix(range(len(WORDS)), range(len(WORDS)))
    expected = [
        [1.0 if word == other else lin_of_words(WORDNET, word, other) for other in WORDS]
        for word in WORDS
    ]
    np.testing.assert_allclose(found, expected, atol=1e-12)


LEMMAS = sorted({lemma for synset in range(0, 96_000, 37) for lemma in WORDNET.lemmas(synset)})


@settings(max_examples=150)
@given(
    st.lists(st.tuples(st.sampled_from(LEMMAS), st.sampled_from(["", "n", "v", "a"])), max_size=6)
)
def test_any_words_have_the_similarity_of_their_best_senses(words):
    lemmas, parts = [word for word, _ in words], [part for _, part in words]
    found = word_similarity(lemmas, WORDNET, parts=parts).matrix(
        range(len(words)), range(len(words))
    )
    for i, word in enumerate(lemmas):
        for j, other in enumerate(lemmas):
            best = lin_of_words(WORDNET, word, other, (parts[i], parts[j]))
            assert found[i, j] == pytest.approx(1.0 if word == other else best, abs=1e-12)


def test_words_of_one_synset_are_alike_even_if_no_corpus_has_it():
    alone = next(
        synset
        for synset in range(WORDNET.synset_count)
        if len(WORDNET.lemmas(synset)) > 1 and np.isinf(WORDNET.information_content(synset))
    )
    assert similarity_of(*WORDNET.lemmas(alone)[:2]) == 1.0


def test_a_part_of_speech_leaves_only_its_senses():
    assert similarity_of("run", "walk", parts=["n", "v"]) == 0.0
    assert similarity_of("run", "walk", parts=["v", "v"]) == lin_of_words(
        WORDNET, "run", "walk", ("v", "v")
    )
    assert similarity_of("dog", "cat", parts=["n", NO_PART]) == 0.0
    assert similarity_of("dog", "cat", parts=["n", ""]) == similarity_of("dog", "cat")


def test_a_shared_lemma_or_stem_makes_words_alike():
    # Porter2 stems "organisation" and "organise" alike; neither spelling is in the taxonomy here.
    assert similarity_of("organisation", "organise", forms=["organisations", "organised"]) == 1.0
    made = word_similarity(["organisation", "organise"], forms=["organisations", "organised"])
    assert made.matrix([0], [1]).item() == 1.0
    assert word_similarity(["organisation", "organise"]).matrix([0], [1]).item() == 0.0
    assert word_similarity(["go", "go"], forms=["went", "gone"]).matrix([0], [1]).item() == 1.0


def test_without_a_taxonomy_other_words_have_nothing_in_common():
    made = word_similarity(["dog", "cat", "dog"])
    assert made.matrix([0, 1, 2], [0, 1, 2]).tolist() == [[1, 0, 1], [0, 1, 0], [1, 0, 1]]
    assert len(made) == 3


def test_partners_are_the_most_similar_words_and_the_first_of_them():
    made = word_similarity(["the", "dog", "cat", "dog", "animal"], WORDNET)
    places, values = word_partners(made, [0, 1, 2], [2, 3, 1, 4])
    assert places.tolist() == [-1, 1, 0]
    assert values.tolist() == [0.0, 1.0, 1.0]
    places, values = word_partners(made, [0, 1], [])
    assert places.tolist() == [-1, -1]
    assert values.tolist() == [0.0, 0.0]


def test_the_subsumers_of_a_reopened_wordnet_are_the_same():
    ours = WORDNET.subsumers(WORDS)
    others = pickle.loads(pickle.dumps(WORDNET)).subsumers(WORDS)
    for name in ("offsets", "subsumers", "least", "contents"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(others, name))


def test_mistakes_are_refused():
    made = word_similarity(["dog", "cat"], WORDNET)
    with pytest.raises(InputError, match="MP403"):
        made.matrix([0, 2], [0])
    with pytest.raises(InputError, match="MP403"):
        made.matrix([0], [-1])
    with pytest.raises(InputError, match="MP406"):
        word_similarity(["dog"], forms=["dogs", "cats"])
    with pytest.raises(InputError, match="MP305"):
        word_similarity(["dog"], WORDNET, parts=["n", "n"])
    with pytest.raises(OptionError, match="MP304"):
        word_similarity(["dog"], WORDNET, parts=["x"])


@pytest.mark.parametrize(
    ("columns", "code"),
    [
        (([0, 1], [1], [1.0], [1.0]), "MP403"),  # a subsumer that is not there
        (([0, 2], [0], [1.0], [1.0]), "MP406"),  # offsets beyond the end
        (([0, 1], [0], [np.nan], [1.0]), "MP402"),
        (([0, 1], [0], [1.0], [np.nan]), "MP402"),
        (([0, 2], [1, 0], [1.0, 1.0], [2.0, 1.0]), "MP406"),  # descending
        (([0, 2], [0, 1], [1.0, 1.0], [1.0, 2.0]), "MP402"),  # contents ascend
        (([0, 0, 0], [], [], []), "MP406"),  # of two words
    ],
)
def test_broken_subsumers_are_refused(columns, code):
    with pytest.raises(InputError, match=code):
        WordSimilarity([0], [0], WordSubsumers(*columns))
