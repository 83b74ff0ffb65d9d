"""Facts about the WordNet that ships, and what users of it can do wrong."""

from __future__ import annotations

import math
import pickle
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from metaphrase.errors import CATALOGUE, InputError, OptionError, ResourceError
from metaphrase.lexicon import SynonymSource, WordNet


def test_it_has_the_size_of_wordnet_3(wordnet):
    # wnstats(7WN): 82115 noun, 13767 verb, 18156 adjective, 3621 adverb synsets, 117659 in all.
    parts = Counter(wordnet.part_of_speech(synset) for synset in range(wordnet.synset_count))
    assert wordnet.synset_count == 117_659
    assert (parts["n"], parts["v"], parts["a"] + parts["s"], parts["r"]) == (
        82115,
        13767,
        18156,
        3621,
    )
    # `cut -d' ' -f1 index.* | sort -u` without the licence lines.
    assert wordnet.lemma_count == 147_306


def test_its_checksum_is_right(wordnet):
    wordnet.verify()
    assert len(wordnet.fingerprint) == 12


def test_similarities_are_those_of_nltk(wordnet):
    # NLTK's documentation (howto/wordnet), brown_ic: dog.lin_similarity(cat) 0.8768009843733973,
    # dog.res_similarity(cat) 7.911666509036577, dog.jcn_similarity(cat) 0.4497755285516739.
    (dog, *_), (cat, *_) = wordnet.synsets("dog", "n"), wordnet.synsets("cat", "n")
    (carnivore, *_) = wordnet.synsets("carnivore", "n")
    content = wordnet.information_content
    assert wordnet.lin(dog, cat) == pytest.approx(0.8768009843733973, abs=1e-12)
    assert content(carnivore) == pytest.approx(7.911666509036577, abs=1e-12)
    distance = content(dog) + content(cat) - 2 * content(carnivore)
    assert 1 / distance == pytest.approx(0.4497755285516739, abs=1e-12)


def test_the_root_of_the_nouns_has_no_information(wordnet):
    (entity,) = wordnet.synsets("entity", "n")
    assert wordnet.hypernyms(entity) == ()
    assert math.copysign(1.0, wordnet.information_content(entity)) == 1.0
    assert wordnet.information_content(entity) == 0.0


def test_lin_is_symmetric_bounded_and_1_with_itself(wordnet):
    some = [s for word in ("run", "bank", "set", "light") for s in wordnet.synsets(word)]
    for a in some:
        for b in some:
            assert 0.0 <= wordnet.lin(a, b) == wordnet.lin(b, a) <= 1.0
        assert wordnet.lin(a, a) == (1.0 if wordnet.part_of_speech(a) in "nv" else 0.0)


def test_without_counts_a_synset_has_1_with_itself_and_0_with_others(wordnet):
    # The specification of PBE, 5.2. The Brown corpus has no wallaby, and neither its other name.
    (wallaby,), (kangaroo,) = (wordnet.synsets(w, "n") for w in ("wallaby", "kangaroo"))
    assert wordnet.synsets("brush kangaroo", "n") == (wallaby,)
    assert wordnet.information_content(wallaby) == math.inf
    assert wordnet.lin(wallaby, wallaby) == 1.0
    assert wordnet.lin(wallaby, kangaroo) == 0.0
    (entity,) = wordnet.synsets("entity", "n")
    assert wordnet.lin(entity, entity) == 1.0


def test_synonyms_share_a_synset(wordnet):
    assert wordnet.are_synonyms("big", "large")
    assert wordnet.are_synonyms("car", "automobile")
    # A cat is a kind of feline: a hypernym, not a synonym.
    assert not wordnet.are_synonyms("cat", "feline")
    assert not wordnet.are_synonyms("unheardofword", "unheardofword")


def test_the_graph_lists_synonyms_by_number(wordnet):
    words = ["big", "small", "large", "little", "xyzzy"]
    offsets, neighbours = wordnet.synonym_graph(words)
    assert offsets.tolist() == [0, 1, 2, 3, 4, 4]
    assert neighbours.tolist() == [2, 3, 0, 1]


@pytest.mark.parametrize(
    ("parts", "related"),
    [(["v", "v"], True), (["", "v"], True), (["n", "v"], False), (["n", ""], False)],
)
def test_a_part_of_speech_restricts_which_synsets_count(wordnet, parts, related):
    # data.verb 02075049 is { scat, run, scarper, … }; no other synset has both words.
    _, neighbours = wordnet.synonym_graph(["run", "scat"], parts=parts)
    assert bool(neighbours.size) == related


def test_an_empty_batch_has_an_empty_graph(wordnet):
    offsets, neighbours = wordnet.synonym_graph([])
    assert (offsets.tolist(), neighbours.tolist()) == ([0], [])


def test_words_are_looked_up_in_lower_case_with_underscores(wordnet):
    assert wordnet.synsets("New York") == wordnet.synsets("new_york") != ()
    assert wordnet.contains("DOG", "n")
    assert not wordnet.contains("dog", "a")
    # Only ASCII letters change case: the Kelvin sign is not the letter k.
    assert not wordnet.contains("\u212aing")
    assert wordnet.morphy("\u212aings", "n") == ()


@pytest.mark.parametrize("word", ["", " ", "\0", "dog\0", "\ud800", "naïve", "x" * 100_000])
def test_any_string_may_be_asked_for(wordnet, word):
    assert wordnet.synsets(word) == ()
    assert wordnet.exceptions(word, "n") == ()
    assert wordnet.morphy(word, "n") == ()
    assert wordnet.synonym_graph([word, word])[1].size == 0


@pytest.mark.parametrize(
    ("form", "pos", "bases"),
    [
        # verb.exc, noun.exc
        ("went", "v", ("go",)),
        ("mice", "n", ("mouse",)),
        ("axes", "n", ("ax", "axis")),
        ("better", "a", ("good", "well")),
        ("dogs", "n", ()),
    ],
)
def test_irregular_forms_have_listed_bases(wordnet, form, pos, bases):
    assert wordnet.exceptions(form, pos) == bases


@pytest.mark.parametrize(
    ("form", "pos", "lemmas"),
    [
        # NLTK's documentation (howto/wordnet, section Morphy).
        ("denied", "v", ("deny",)),
        ("dogs", "n", ("dog",)),
        ("churches", "n", ("church",)),
        ("aardwolves", "n", ("aardwolf",)),
        ("abaci", "n", ("abacus",)),
        ("hardrock", "r", ()),
        ("book", "v", ("book",)),
        ("book", "a", ()),
        # morphy(7WN): "boxesful" is a noun that keeps its "ful".
        ("boxesful", "n", ("boxful",)),
        # A lemma that is also an irregular form of another one.
        ("saw", "v", ("saw", "see")),
        ("Whiter", "a", ("white",)),
        ("grass", "n", ("grass",)),
    ],
)
def test_morphy_finds_lemmas(wordnet, form, pos, lemmas):
    assert wordnet.morphy(form, pos) == lemmas


def test_the_shipped_file_is_opened_once():
    assert WordNet.default() is WordNet.default()
    source: SynonymSource = WordNet.default()
    assert source.fingerprint


def test_it_is_pickled_by_path(wordnet):
    copy = pickle.loads(pickle.dumps(wordnet))
    assert (copy.path, copy.fingerprint) == (wordnet.path, wordnet.fingerprint)
    assert repr(copy) == repr(wordnet)


def test_threads_get_the_answers_that_one_thread_gets(wordnet):
    fresh = WordNet(wordnet.path)  # so that all threads meet the first call of `lemmas`
    synsets = range(0, fresh.synset_count, 997)
    words = [lemma for synset in synsets for lemma in wordnet.lemmas(synset)]

    def ask(_):
        lemmas = [fresh.lemmas(synset) for synset in synsets]
        offsets, neighbours = fresh.synonym_graph(words)
        similar = [fresh.lin(a, b) for a, b in pairwise(synsets)]
        return lemmas, offsets.tolist(), neighbours.tolist(), similar

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(16)))
    assert all(answer == answers[0] for answer in answers)
    assert answers[0][0] == [wordnet.lemmas(synset) for synset in synsets]


@pytest.mark.parametrize("synset", [-1, 117_659, 2**32, 10**30])
def test_a_synset_that_does_not_exist_is_an_error(wordnet, synset):
    for ask in (
        wordnet.lemmas,
        wordnet.hypernyms,
        wordnet.part_of_speech,
        wordnet.information_content,
        lambda number: wordnet.lin(0, number),
    ):
        with pytest.raises(InputError, match="MP303"):
            ask(synset)


@pytest.mark.parametrize("pos", ["", "s", "noun", "N", "\0"])
def test_an_unknown_part_of_speech_is_an_error(wordnet, pos):
    for ask in (wordnet.synsets, wordnet.exceptions, wordnet.morphy):
        with pytest.raises(OptionError, match="MP304"):
            ask("dog", pos)
    if pos:
        with pytest.raises(OptionError, match="MP304"):
            wordnet.synonym_graph(["dog"], parts=[pos])


def test_parts_must_be_as_many_as_words(wordnet):
    with pytest.raises(InputError, match="MP305"):
        wordnet.synonym_graph(["dog", "cat"], parts=["n"])


def test_words_must_be_strings(wordnet):
    with pytest.raises(TypeError):
        wordnet.synonym_graph(["dog", 3])


def test_a_missing_file_is_an_error_with_its_path(tmp_path):
    for path in (tmp_path / "absent.bin", tmp_path):
        with pytest.raises(ResourceError, match="MP301") as raised:
            WordNet(path)
        assert raised.value.path == str(path)


def test_every_code_is_catalogued():
    assert {"MP301", "MP302", "MP303", "MP304", "MP305"} <= CATALOGUE.keys()
