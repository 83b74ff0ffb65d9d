"""Which words an edit machine may substitute: METRICS 6.2 and 6.3, the oracle, hostile input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from metaphrase import analysis, lexicon
from metaphrase.analysis import Batch, Sentence
from metaphrase.errors import InputError, OptionError
from metaphrase.lexicon import SynonymSets
from metaphrase.lexicon.relation import SynonymGraph
from metaphrase.matching.dependency_links import RELATIONS, dependency_of
from metaphrase.matching.edit_pairs import DEPENDENCIES, SUBSTITUTIONS, EditPairs
from metaphrase.matching.substitutions import (
    EditSentences,
    SubstitutionOptions,
    columns,
    edit_pairs,
    edit_sentences,
)
from oracle.substitutions import Oracle, Token, senses


class Paraphrases:
    """Pairs of phrases, in either order."""

    name = "pairs"
    fingerprint = "0" * 12

    def __init__(self, pairs: frozenset[tuple[str, str]] = frozenset()) -> None:
        self.pairs = pairs | {(b, a) for a, b in pairs}

    def paraphrase_graph(self, words: Sequence[str]) -> SynonymGraph:
        rows = [
            [k for k, other in enumerate(words) if (word, other) in self.pairs] for word in words
        ]
        neighbours = np.array([k for row in rows for k in row], dtype=np.int32)
        return np.cumsum([0, *map(len, rows)]), neighbours


def pack(sentences: Sequence[Sequence[Token]]) -> Batch:
    rows = []
    for tokens in sentences:
        forms, lemmas, heads, relations = (
            tuple(getattr(token, name) for token in tokens)
            for name in ("form", "lemma", "head", "relation")
        )
        spans = tuple(range(len(tokens)))
        rows.append(Sentence("", forms, spans, spans, lemma=lemmas, head=heads, relation=relations))
    return Batch.pack(rows, ("form", "lemma", "head", "relation"))


def words(text: str) -> list[Token]:
    """Words whose lemma is the word itself, between spaces."""
    return [Token(word, word) for word in text.split()]


def prepare(
    sentences: Sequence[Sequence[Token]],
    options: SubstitutionOptions,
    sets: Sequence[Sequence[str]] = (),
    pairs: frozenset[tuple[str, str]] = frozenset(),
) -> EditSentences:
    return edit_sentences(
        pack(sentences), options=options, synonyms=SynonymSets(sets), paraphrases=Paraphrases(pairs)
    )


def rows_of(pairs: EditPairs, index: int) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    substitutions, dependencies = (
        list(map(tuple, rows[offsets[index] : offsets[index + 1]].tolist()))
        for offsets, rows in (
            (pairs.substitution_offsets, pairs.substitutions),
            (pairs.dependency_offsets, pairs.dependencies),
        )
    )
    return substitutions, dependencies


def named(
    reference: str,
    hypothesis: str,
    sets: Sequence[Sequence[str]] = (),
    pairs: frozenset[tuple[str, str]] = frozenset(),
    **options: object,
) -> set[tuple[str, str, str]]:
    """Stretches of the reference and of the hypothesis, with their label."""
    chosen = SubstitutionOptions(**options)  # type: ignore[arg-type]
    sentences = prepare([words(reference), words(hypothesis)], chosen, sets, pairs)
    r, h = reference.split(), hypothesis.split()
    found, _ = rows_of(edit_pairs(sentences, [1], [0], options=chosen), 0)
    return {
        (" ".join(r[i : i + a]), " ".join(h[j : j + b]), SUBSTITUTIONS[label])
        for i, j, a, b, label in found
    }


# --- labels of single words


def test_a_word_may_stand_for_itself_in_any_case() -> None:
    assert named("The", "the") == {("The", "the", "word")}


def test_words_that_differ_in_case_have_one_stem_if_case_matters() -> None:
    assert named("Cats", "cats", case_sensitive=True) == {("Cats", "cats", "lemma")}
    assert named("Cats", "cats", case_sensitive=True, lemmas="none") == set()


def test_words_with_one_stem_are_lemmas() -> None:
    assert named("cats", "cat") == {("cats", "cat", "lemma")}
    assert named("cats", "cat", lemmas="none") == set()


def test_porters_first_stemmer_takes_other_words_together() -> None:
    # Porter (1980), step 4: -al and -ic go after a long stem; Porter2 excepts words in gener-.
    assert named("general", "generic", lemmas="porter") == {("general", "generic", "lemma")}
    assert named("general", "generic") == set()
    # Step 1c leaves the y of *sky* alone, as no vowel is before it; Porter2 has *skies* as an exception.
    assert named("skies", "sky", lemmas="porter") == set()
    assert named("skies", "sky") == {("skies", "sky", "lemma")}


def test_lemmas_of_the_analyser_replace_stems() -> None:
    options = SubstitutionOptions(lemmas="lemma")
    sentences = prepare([[Token("went", "Go")], [Token("goes", "go")]], options)
    found, _ = rows_of(edit_pairs(sentences, [1], [0], options=options), 0)
    assert found == [(0, 0, 1, 1, SUBSTITUTIONS.index("lemma"))]


@pytest.mark.parametrize("mark", [".", "...", "“", "—", "€", "@"])
def test_equal_tokens_without_letters_and_digits_are_punctuation(mark: str) -> None:
    assert named(mark, mark) == {(mark, mark, "punctuation")}
    assert named(mark, mark, punctuation=False) == {(mark, mark, "word")}


def test_different_punctuation_is_not_substituted() -> None:
    assert named(".", "!") == set()


def test_a_token_with_one_digit_is_a_word() -> None:
    assert named("$1", "$1") == {("$1", "$1", "word")}


def test_synonyms_share_a_set() -> None:
    assert named("Big", "large", [["big", "large"]]) == {("Big", "large", "synonym")}


def test_a_lemma_shares_every_set_with_itself_but_must_be_in_one() -> None:
    options = SubstitutionOptions()
    went_goes = [[Token("went", "go")], [Token("goes", "go")]]
    for sets, count in (([["go", "move"]], 1), ([["run", "move"]], 0)):
        sentences = prepare(went_goes, options, sets)
        assert len(edit_pairs(sentences, [1], [0], options=options).substitutions) == count


def test_the_first_label_wins_unless_labels_overlap() -> None:
    sets, pairs = [["cat", "cats"]], frozenset({("cats", "cat")})
    assert named("cats", "cat", sets, pairs) == {("cats", "cat", "lemma")}
    assert named("cats", "cat", sets, pairs, lemmas="none") == {("cats", "cat", "synonym")}
    assert named("cats", "cat", sets, pairs, overlapping=True) == {
        ("cats", "cat", "lemma"),
        ("cats", "cat", "synonym"),
        ("cats", "cat", "paraphrase"),
    }


def test_equal_words_and_punctuation_have_every_label_if_labels_overlap() -> None:
    assert named("cat", "cat", overlapping=True) == {
        ("cat", "cat", "word"),
        ("cat", "cat", "lemma"),
    }
    assert named(".", ".", overlapping=True) == {
        (".", ".", "punctuation"),
        (".", ".", "word"),
        (".", ".", "lemma"),
    }


# --- blocks


@pytest.mark.parametrize(
    ("reference", "hypothesis", "label"),
    [
        ("a cat", "a cat", "word"),
        ("cat .", "cat .", "word"),
        ("! ?", "! ?", "punctuation"),
        ("the cats", "the cat", "lemma"),
        ("cats .", "cat .", "lemma"),
        ("cats ran", "cat ran", "lemma"),
    ],
)
def test_two_words_are_a_block_by_what_holds_of_both(
    reference: str, hypothesis: str, label: str
) -> None:
    blocks = {found for found in named(reference, hypothesis) if " " in found[0]}
    assert blocks == {(reference, hypothesis, label)}
    assert not any(" " in found[0] for found in named(reference, hypothesis, max_block=1))


def test_a_block_of_equal_words_is_one_of_lemmas_too_if_labels_overlap() -> None:
    found = named("cat .", "cat .", overlapping=True)
    assert {label for r, _, label in found if r == "cat ."} == {"word", "lemma"}


def test_synonyms_have_no_blocks() -> None:
    sets = [["big", "large"], ["cat", "feline"]]
    assert named("big cat", "large feline", sets) == {
        ("big", "large", "synonym"),
        ("cat", "feline", "synonym"),
    }


def test_paraphrases_have_one_or_two_words_on_either_side() -> None:
    pairs = frozenset({("of course", "sure"), ("go on", "carry on"), ("try", "attempt")})
    assert named("Of course", "sure", pairs=pairs) == {("Of course", "sure", "paraphrase")}
    assert named("sure", "of course", pairs=pairs) == {("sure", "of course", "paraphrase")}
    assert named("go on", "carry on", pairs=pairs) == {
        ("go on", "carry on", "paraphrase"),
        ("on", "on", "word"),
    }
    assert named("of course try", "sure attempt", pairs=pairs, max_block=1) == {
        ("try", "attempt", "paraphrase")
    }


def test_a_phrase_does_not_reach_into_the_next_sentence() -> None:
    options = SubstitutionOptions()
    sentences = prepare(
        [words("of"), words("course"), words("sure")],
        options,
        pairs=frozenset({("of course", "sure")}),
    )
    assert len(edit_pairs(sentences, [2, 2], [0, 1], options=options).substitutions) == 0


def test_a_square_paraphrase_of_equal_stems_is_a_block_of_lemmas() -> None:
    pairs = frozenset({("big cats", "big cat")})
    found = named("big cats", "big cat", pairs=pairs)
    assert ("big cats", "big cat", "lemma") in found
    assert ("big cats", "big cat", "paraphrase") not in found


def test_golden_cases_have_these_single_words_and_blocks_of_words() -> None:
    # The definition of golden/ppda_cases.json: S_word for identical tokens, S_lemma for those that differ in
    # case, a block for S_word alone. Three of its cases ("a B c" to "a b C", blocks of 2) have lemmas side by
    # side: 43 sequences with and without blocks, so no block. METRICS 6.2 has blocks of lemmas; so have we.
    golden = {("a", "a", "word"), ("B", "b", "lemma"), ("c", "C", "lemma")}
    assert named("a B c", "a b C", case_sensitive=True, max_block=1) == golden
    assert named("a B c", "a b C", case_sensitive=True) == golden | {
        ("a B", "a b", "lemma"),
        ("B c", "b C", "lemma"),
    }
    assert named("a b", "a b") == {("a", "a", "word"), ("b", "b", "word"), ("a b", "a b", "word")}


# --- dependencies


def joined(
    reference: Sequence[Token], hypothesis: Sequence[Token], **options: bool
) -> list[tuple[int, ...]]:
    chosen = SubstitutionOptions(dependencies=True, **options)
    pairs = edit_pairs(prepare([reference, hypothesis], chosen), [1], [0], options=chosen)
    return rows_of(pairs, 0)[1]


CATS_SLEEP = [Token("cats", "cat", 2, "nsubj"), Token("sleep", "sleep", 0, "root")]
SLEEP_CATS = [Token("sleep", "sleep", 0, "root"), Token("cats", "cat", 1, "nsubj")]


def test_neighbours_joined_by_one_dependency_on_both_sides_are_found() -> None:
    dogs_bark = [Token("dogs", "dog", 2, "nsubj:pass"), Token("bark", "bark", 0, "root")]
    assert joined(CATS_SLEEP, dogs_bark) == [(1, 1, DEPENDENCIES.index("subject"))]


def test_head_and_modifier_must_stand_in_the_same_order_unless_told_otherwise() -> None:
    assert joined(CATS_SLEEP, SLEEP_CATS) == []
    assert joined(CATS_SLEEP, SLEEP_CATS, same_direction=False) == [(1, 1, 0)]


def test_different_dependencies_do_not_match() -> None:
    objects = [Token("cats", "cat", 2, "obj"), Token("sleep", "sleep", 0, "root")]
    assert joined(CATS_SLEEP, objects, same_direction=False) == []


def test_without_the_option_no_dependency_is_looked_for() -> None:
    options = SubstitutionOptions()
    found = edit_pairs(prepare([CATS_SLEEP], options), [0], [0], options=options)
    assert len(found.dependencies) == 0


@pytest.mark.parametrize(
    ("dependency", "relations"),
    [
        (
            "subject",
            "nsubj nsubj:pass nsubj:outer csubj csubj:pass nsubjpass csubjpass expl SBJ SUB",
        ),
        ("object", "obj iobj dobj obj:lvc OBJ"),
        ("predicative", "cop attr acomp PRD"),
        ("", "root ROOT det amod ccomp xcomp obl pobj dative oprd expl:pv subj nsubjx"),
    ],
)
def test_relations_of_every_scheme_have_a_dependency_or_none(
    dependency: str, relations: str
) -> None:
    assert {dependency_of(relation) for relation in relations.split()} == {dependency}


def test_the_table_of_relations_knows_no_other_dependencies() -> None:
    assert set(RELATIONS.values()) == {*DEPENDENCIES, ""}


# --- the oracle

FORMS = [*"cat Cat cats CATS dog dogs going go . , ... ! İ i̇ ß SS ’s 1 a b".split(), "", "a b"]
LEMMAS = ["cat", "Cat", "dog", "go", "hound", ".", "a", ""]
RELATION_NAMES = ["nsubj", "nsubj:pass", "SBJ", "obj", "dobj", "cop", "det", ""]

tokens = st.builds(
    Token,
    st.sampled_from(FORMS),
    st.sampled_from(LEMMAS),
    st.integers(0, 8),
    st.sampled_from(RELATION_NAMES),
)
sentence_lists = st.lists(st.lists(tokens, max_size=9), min_size=1, max_size=4)
lower_forms = sorted({form.lower() for form in FORMS if " " not in form and form})
phrases = st.one_of(
    st.sampled_from(lower_forms),
    st.tuples(st.sampled_from(lower_forms), st.sampled_from(lower_forms)).map(" ".join),
)
paraphrase_sets = st.frozensets(
    st.tuples(phrases, phrases).filter(lambda pair: pair[0] != pair[1]), max_size=25
)
synonym_sets = st.lists(
    st.lists(st.sampled_from([*LEMMAS, "cats"]), min_size=1, max_size=3), max_size=4
)
all_options = st.builds(
    SubstitutionOptions,
    max_block=st.sampled_from([1, 2]),
    overlapping=st.booleans(),
    case_sensitive=st.booleans(),
    lemmas=st.sampled_from(["stem", "porter", "lemma", "none"]),
    punctuation=st.booleans(),
    dependencies=st.booleans(),
    same_direction=st.booleans(),
)


@settings(max_examples=400)
@given(sentence_lists, all_options, synonym_sets, paraphrase_sets, st.integers(1, 3))
@example([[], []], SubstitutionOptions(), [], frozenset(), 1)
def test_substitutions_and_dependencies_are_the_oracle_s(
    sentences: list[list[Token]],
    options: SubstitutionOptions,
    sets: list[list[str]],
    pairs: frozenset[tuple[str, str]],
    threads: int,
) -> None:
    oracle = Oracle(options, senses(sets), pairs)
    count = len(sentences)
    hypotheses, references = np.divmod(np.arange(count * count), count)
    prepared = prepare(sentences, options, sets, pairs)
    found = edit_pairs(prepared, hypotheses, references, options=options, threads=threads)
    assert len(found) == count * count
    for p, (h, r) in enumerate(zip(hypotheses.tolist(), references.tolist(), strict=True)):
        substitutions, dependencies = rows_of(found, p)
        assert substitutions == oracle.substitutions(sentences[r], sentences[h])
        assert dependencies == oracle.dependencies(sentences[r], sentences[h])
        assert found.reference_lengths[p] == len(sentences[r])
        assert found.hypothesis_lengths[p] == len(sentences[h])


hostile = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=4), max_size=6)


@settings(max_examples=150)
@given(hostile, hostile, all_options)
def test_any_unicode_is_compared_as_the_oracle_does(
    reference: list[str], hypothesis: list[str], options: SubstitutionOptions
) -> None:
    sides = [[Token(form, form) for form in side] for side in (reference, hypothesis)]
    found = edit_pairs(prepare(sides, options), [1], [0], options=options)
    assert rows_of(found, 0)[0] == Oracle(options).substitutions(*sides)


def test_half_a_surrogate_pair_has_no_stem() -> None:
    with pytest.raises(InputError, match="MP431"):
        prepare([words("\ud800")], SubstitutionOptions())
    assert named("\ud800", "\ud800", lemmas="none") == {("\ud800", "\ud800", "punctuation")}


# --- shipped resources and the built-in analyser


def test_english_text_is_compared_with_wordnet_and_the_shipped_paraphrases() -> None:
    options = SubstitutionOptions(dependencies=True)
    texts = ["The cat went home.", "A cat goes to a big house.", "A large house."]
    batch = analysis.shared("builtin:en").analyse(texts, columns(options))
    sentences = edit_sentences(
        batch,
        options=options,
        synonyms=lexicon.load("wordnet"),
        paraphrases=lexicon.load_paraphrases("paraphrases"),
    )
    found = edit_pairs(sentences, [1, 2], [0, 1], options=options)
    labels = [set() for _ in range(2)]
    for p, (h, r) in enumerate(((1, 0), (2, 1))):
        for i, j, a, b, label in rows_of(found, p)[0]:
            stretches = (batch[r].form[i : i + a], batch[h].form[j : j + b])
            labels[p].add((*map(" ".join, stretches), SUBSTITUTIONS[label]))
    assert {
        ("cat", "cat", "word"),
        ("went", "goes", "synonym"),
        (".", ".", "punctuation"),
    } <= labels[0]
    assert {("big", "large", "synonym"), ("house .", "house .", "word")} <= labels[1]
    # "cat went" and "cat goes": subject and head.
    assert (2, 2, DEPENDENCIES.index("subject")) in rows_of(found, 0)[1]


# --- sizes and refusals


def test_no_pairs_and_no_sentences_are_no_error() -> None:
    options = SubstitutionOptions(dependencies=True)
    for sentences in ([], [words("a")]):
        found = edit_pairs(prepare(sentences, options), [], [], options=options)
        assert len(found) == 0
        assert found.substitutions.shape == (0, 5)
        assert found.dependencies.shape == (0, 3)
        assert found.substitution_offsets.tolist() == found.dependency_offsets.tolist() == [0]


def test_a_thousand_equal_words_may_all_stand_for_each_other() -> None:
    options = SubstitutionOptions()
    found = edit_pairs(prepare([words("a " * 1000)], options), [0], [0], options=options)
    assert len(found.substitutions) == 1000**2 + 999**2


def test_threads_do_not_change_what_is_found() -> None:
    options = SubstitutionOptions(dependencies=True)
    rng = np.random.default_rng(1)
    sentences = [
        [
            Token(str(w), str(w), int(h), "obj")
            for w, h in zip(*rng.integers(0, 9, (2, n)), strict=True)
        ]
        for n in rng.integers(0, 20, 40)
    ]
    prepared = prepare(sentences, options)
    rows = rng.integers(0, 40, (2, 1000))
    one, three = (edit_pairs(prepared, *rows, options=options, threads=n) for n in (1, 3))
    for name in EditPairs.__slots__:
        np.testing.assert_array_equal(getattr(one, name), getattr(three, name))


def test_a_pair_with_too_many_substitutions_is_refused() -> None:
    options = SubstitutionOptions(max_block=1)
    sentences = prepare([words("a " * 4200)], options)
    with pytest.raises(InputError, match="MP422"):
        edit_pairs(sentences, [0], [0], options=options)
    long = prepare([words("a " * 40_000)], options)
    with pytest.raises(InputError, match=r"MP422.*40000"):
        edit_pairs(long, [0], [0], options=options)


def test_a_missing_column_is_named() -> None:
    options = SubstitutionOptions(dependencies=True)
    assert columns(options) == {"lemma", "head", "relation"}
    assert columns(SubstitutionOptions()) == {"lemma"}
    batch = Batch.pack([Sentence("a", ("a",), (0,), (1,), lemma=("a",))])
    with pytest.raises(InputError, match=r"MP420.*head, relation"):
        edit_sentences(batch, options=options, synonyms=SynonymSets(), paraphrases=Paraphrases())


def test_sentences_prepared_under_other_options_are_refused() -> None:
    options = SubstitutionOptions()
    sentences = prepare([words("a")], options)
    with pytest.raises(OptionError, match="MP421"):
        edit_pairs(sentences, [0], [0], options=replace(options, max_block=1))


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_block": 3},
        {"max_block": True},
        {"max_block": "2"},
        {"lemmas": "snowball"},
        {"lemmas": ["stem"]},
        {"overlapping": 1},
        {"dependencies": "no"},
    ],
)
def test_an_option_that_makes_no_sense_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(OptionError, match="MP404"):
        SubstitutionOptions(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hypotheses", "references", "code"),
    [([0], [1], "MP403"), ([-1], [0], "MP403"), ([0, 0], [0], "MP406"), ([0.5], [0], "MP401")],
)
def test_rows_that_do_not_exist_are_refused(
    hypotheses: list[int], references: list[int], code: str
) -> None:
    options = SubstitutionOptions()
    with pytest.raises(InputError, match=code):
        edit_pairs(prepare([words("a")], options), hypotheses, references, options=options)


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"word": np.array([0, 5], np.int32)}, "MP403"),
        ({"word": np.array([0, -1], np.int32)}, "MP403"),
        ({"word": np.zeros(3, np.int32)}, "MP406"),
        ({"lemma": np.zeros(1, np.int32)}, "MP406"),
        ({"lemma": np.array([0, 9], np.int32)}, "MP403"),
        ({"sense": np.array([0, 0], np.int32)}, "MP403"),
        ({"phrase": np.array([0, -2], np.int32)}, "MP403"),
        ({"bigram": np.zeros(0, np.int32)}, "MP406"),
        (
            {
                "bigram": np.zeros(2, np.int32),
                "paraphrases": (np.zeros(2, np.int64), np.zeros(0, np.int32)),
            },
            "MP406",
        ),
        ({"link": np.zeros(1, np.uint8)}, "MP406"),
        ({"link": np.array([0, 7], np.uint8)}, "MP403"),
        ({"punctuation": np.zeros(0, np.uint8)}, "MP406"),
        ({"offsets": np.array([0, 3])}, "MP406"),
        ({"offsets": np.zeros(0, np.int64)}, "MP406"),
        ({"synonyms": (np.zeros(0, np.int64), np.zeros(0, np.int32))}, "MP406"),
        ({"paraphrases": (np.array([0, 1]), np.array([1], np.int32))}, "MP403"),
    ],
)
def test_arrays_that_do_not_fit_never_reach_the_kernel(
    changed: dict[str, object], code: str
) -> None:
    options = SubstitutionOptions()
    sentences = replace(prepare([words("a b")], options), **changed)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=code):
        edit_pairs(sentences, [0], [0], options=options)


def test_a_batch_whose_arrays_do_not_fit_is_refused() -> None:
    batch = pack([words("a b")])
    wrongs = [
        (replace(batch, columns={**batch.columns, "lemma": np.array(cells, np.int32)}), code)
        for cells, code in (([0, 9], "MP403"), ([0, -1], "MP403"), ([0], "MP406"))
    ]
    wrongs += [(replace(batch, offsets=np.array(cells)), "MP406") for cells in ([], [0, 3, 2])]
    for wrong, code in wrongs:
        with pytest.raises(InputError, match=code):
            edit_sentences(
                wrong,
                options=SubstitutionOptions(),
                synonyms=SynonymSets(),
                paraphrases=Paraphrases(),
            )
