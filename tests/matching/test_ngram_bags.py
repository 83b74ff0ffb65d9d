"""TESLA's n-gram bags: worked values, the oracle, both solvers side by side, and refusals."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase.errors import InputError, OptionError
from metaphrase.matching import NgramBags, Synonymy, ngram_bags
from oracle.ngram_bags import Token, bags, symmetric

# Made with an independent linear program for Liu, Dahlmeier & Ng (2010), section 3; S to 1e-9.
GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "tesla_m_cases.json").read_text())


def compare(reference, hypothesis, synonyms, function, *, tags, senses, **options):
    """One pair of lists of tokens through the kernel, with every optimum certified."""
    columns = np.array([*reference, *hypothesis], dtype=np.int32).reshape(-1, 3)
    return ngram_bags(
        [0, len(reference), len(reference) + len(hypothesis)],
        columns[:, 0],
        columns[:, 2],
        sense=columns[:, 1],
        function=[tag in function for tag in range(tags)],
        hypothesis_rows=[1],
        reference_rows=[0],
        synonymy=symmetric(synonyms, senses=senses),
        check=True,
        **options,
    )


def table(result: NgramBags):
    return np.stack(
        [result.matched, result.matched_tags, result.reference, result.hypothesis], axis=-1
    )


def compare_words(reference, hypothesis, synsets, function_tags):
    """The same from (lemma, tag) pairs of strings."""
    words = sorted({lemma for lemma, _ in (*reference, *hypothesis)})
    tags = sorted({tag for _, tag in (*reference, *hypothesis)})
    synonyms = [
        (words.index(a), words.index(b))
        for a, b in combinations(words, 2)
        if set(synsets.get(a, ())) & set(synsets.get(b, ()))
    ]
    tokens = [
        [Token(words.index(lemma), words.index(lemma), tags.index(tag)) for lemma, tag in sentence]
        for sentence in (reference, hypothesis)
    ]
    function = {tags.index(tag) for tag in tags if tag in function_tags}
    return compare(*tokens, synonyms, function, tags=len(tags), senses=len(words))


def f_measure(matched, reference, hypothesis, alpha=0.8):
    if matched == 0:
        return 0.0
    precision, recall = matched / hypothesis, matched / reference
    return precision * recall / (alpha * precision + (1 - alpha) * recall)


def split(sentence):
    return [tuple(token.split("/")) for token in sentence.split()]


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=range(len(GOLDEN["cases"])))
def test_golden_cases(case):
    result = compare_words(case["ref"], case["sys"], GOLDEN["synsets"], GOLDEN["function_tags"])
    for feature in case["features"]:
        n = feature["n"] - 1
        matched = result.matched if feature["sim"] == "ms" else result.matched_tags
        reference, hypothesis = result.reference[0, n], result.hypothesis[0, n]
        if feature["F"] is None:
            assert reference == hypothesis == 0
            continue
        assert matched[0, n] == pytest.approx(feature["S"], abs=1e-9)
        assert f_measure(matched[0, n], reference, hypothesis) == pytest.approx(
            feature["F"], abs=1e-9
        )


def test_the_worked_example_of_the_specification():
    # METRICS 3.8, to eight decimals. By hand for unigrams: cat-feline 1, sit 1, mat 1, on 0.1, the 0.1,
    # the-a 0.1 / 2 make 3.25. The others were computed by an independent linear program.
    result = compare_words(
        split("the/DT cat/NN sit/VBD on/IN the/DT mat/NN"),
        split("a/DT feline/NN sit/VBZ on/IN the/DT mat/NN"),
        {"cat": ["feline"], "feline": ["feline"]},
        GOLDEN["function_tags"],
    )
    assert result.matched[0] == pytest.approx([3.25, 1.285, 0.20333333], abs=5e-9)
    assert result.matched_tags[0] == pytest.approx([2.3, 0.21, 0.01])
    assert result.reference[0] == pytest.approx([3.3, 1.31, 0.22])
    assert result.hypothesis[0] == pytest.approx([3.3, 1.31, 0.22])
    measures = [
        f_measure(row[n], result.reference[0, n], result.hypothesis[0, n])
        for n in range(3)
        for row in (result.matched[0], result.matched_tags[0])
    ]
    assert measures == pytest.approx(
        [0.98484848, 0.69696970, 0.98091603, 0.16030534, 0.92424242, 0.04545455], abs=5e-9
    )
    assert np.mean(measures) == pytest.approx(0.63212275, abs=5e-9)


def test_matching_identical_words_first_would_not_be_optimal():
    # The greedy way pairs run/N with run/N and finds 1.0; crossing over gives 1 + 1/2.
    result = compare_words(split("run/N run/V"), split("run/N dog/N"), {}, [])
    assert result.matched[0, 0] == 1.5


@st.composite
def pairs(draw, longest):
    """Two sentences over few lemmas, senses and tags with dense synonymy, where much is tied."""
    lemmas, senses, tags = draw(st.tuples(*[st.integers(1, size) for size in (9, 6, 4)]))
    sense_of = draw(st.lists(st.integers(0, senses - 1), min_size=lemmas, max_size=lemmas))
    if draw(st.booleans()):
        senses, sense_of = lemmas, range(lemmas)
    word = st.integers(0, lemmas - 1)
    token = st.builds(lambda w, t: Token(w, sense_of[w], t), word, st.integers(0, tags - 1))
    sentence = st.lists(token, max_size=longest)
    sense = st.integers(0, senses - 1)
    return {
        "reference": draw(sentence),
        "hypothesis": draw(sentence),
        "synonyms": draw(st.sets(st.tuples(sense, sense), max_size=12)),
        "function": draw(st.sets(st.integers(0, tags - 1))),
        "tags": tags,
        "senses": senses,
        "divisor": draw(st.sampled_from([1, 2, 10, 100])),
    }


@settings(max_examples=150)
@given(pairs(longest=14))
def test_both_solvers_agree_with_the_linear_program(pair):
    expected = bags(
        *(pair[k] for k in ("reference", "hypothesis", "synonyms", "function", "divisor"))
    )
    for mask_limit in (512, 0):
        result = table(compare(**pair, mask_limit=mask_limit))
        np.testing.assert_allclose(result[0], expected, rtol=0, atol=1e-9)


@settings(max_examples=200)
@given(pairs(longest=70))
def test_the_two_solvers_give_the_same_bits(pair):
    assert np.array_equal(table(compare(**pair)), table(compare(**pair, mask_limit=0)))


def random_pair(random, lengths, *, lemmas, tags, density, separate_senses=False):
    senses = max(1, lemmas // 2) if separate_senses else lemmas
    sense_of = random.integers(0, senses, lemmas) if separate_senses else np.arange(lemmas)
    related = random.random((senses, senses)) < density
    sentences = []
    for length in lengths:
        words = random.integers(0, lemmas, length)
        tag = random.integers(0, tags, length)
        sentences.append(
            [Token(*map(int, t)) for t in zip(words, sense_of[words], tag, strict=True)]
        )
    return {
        "reference": sentences[0],
        "hypothesis": sentences[1],
        "synonyms": list(zip(*map(np.ndarray.tolist, np.nonzero(related)), strict=True)),
        "function": {0},
        "tags": tags,
        "senses": senses,
    }


@pytest.mark.parametrize("lengths", [(40, 70), (70, 40), (70, 70)])
def test_longer_pairs_agree_with_the_linear_program(lengths):
    random = np.random.default_rng(lengths)
    pair = random_pair(random, lengths, lemmas=25, tags=5, density=0.05)
    expected = bags(
        pair["reference"], pair["hypothesis"], set(pair["synonyms"]), pair["function"], 10
    )
    for mask_limit in (512, 0):
        result = table(compare(**pair, mask_limit=mask_limit))
        np.testing.assert_allclose(result[0], expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("separate_senses", [False, True])
@pytest.mark.parametrize("width", [64, 128, 256, 512])
def test_nothing_changes_where_the_masks_get_wider(width, separate_senses):
    random = np.random.default_rng(width)
    for lengths in [(width, width), (width - 1, width + 1), (width + 1, 5), (3, width)]:
        pair = random_pair(
            random, lengths, lemmas=60, tags=6, density=0.03, separate_senses=separate_senses
        )
        assert np.array_equal(table(compare(**pair)), table(compare(**pair, mask_limit=0)))


def whole_text(reference_lemmas, reference_tags, hypothesis_lemmas, hypothesis_tags):
    columns = [
        [Token(int(word), int(word), int(tag)) for word, tag in zip(words, tags, strict=True)]
        for words, tags in (
            (reference_lemmas, reference_tags),
            (hypothesis_lemmas, hypothesis_tags),
        )
    ]
    senses = 1 + max(int(np.max(reference_lemmas)), int(np.max(hypothesis_lemmas)))
    tags = 1 + max(int(np.max(reference_tags)), int(np.max(hypothesis_tags)))
    return compare(*columns, [], set(), tags=tags, senses=senses)


def test_ten_thousand_times_the_same_word():
    zeros = np.zeros(10_000, int)
    result = whole_text(zeros, zeros, zeros[:9_000], zeros[:9_000])
    assert result.matched[0].tolist() == [9_000, 8_999, 8_998]


def test_ten_thousand_different_words_with_one_tag():
    words, zeros = np.arange(10_000), np.zeros(10_000, int)
    # Unigrams: 5,000 words are shared (1 each) and the other 5,000 match by tag (1/2 each).
    result = whole_text(words, zeros, words + 5_000, zeros)
    assert result.matched[0, 0] == 7_500
    assert result.matched_tags[0].tolist() == [10_000, 9_999, 9_998]


def test_ten_thousand_different_words_with_two_alternating_tags():
    words = np.arange(10_000)
    result = whole_text(words, words % 2, words + 10_000, words % 2)
    # No word is shared, so every position is worth 1/2.
    assert result.matched[0].tolist() == [5_000, 9_999 / 2, 9_998 / 2]


@pytest.mark.parametrize("tags", [3, 30])
def test_a_long_natural_text_has_a_certified_optimum(tags):
    random = np.random.default_rng(tags)
    words = np.minimum(random.zipf(1.3, 20_000), 5_000)
    edited = np.where(random.random(20_000) < 0.3, np.roll(words, 1), words)
    result = whole_text(words, words % tags, edited, edited % tags)
    assert np.all(result.matched <= result.reference)
    assert np.all(result.matched_tags <= result.matched * 2)


def batch(random, sentences):
    lengths = random.integers(0, 90, sentences)
    tokens = int(lengths.sum())
    relation = [tuple(map(int, pair)) for pair in random.integers(0, 50, (60, 2))]
    return {
        "offsets": np.cumsum([0, *lengths]),
        "lemma": random.integers(0, 50, tokens),
        "tag": random.integers(0, 6, tokens),
        "function": [1, 0, 0, 1, 0, 0],
        "synonymy": symmetric(relation, senses=50),
    }


def test_threads_batches_and_order_change_no_bit():
    random = np.random.default_rng(5)
    sentences = batch(random, 60)
    hypotheses, references = random.integers(0, 60, (2, 200))
    result = table(ngram_bags(**sentences, hypothesis_rows=hypotheses, reference_rows=references))
    threaded = ngram_bags(
        **sentences, hypothesis_rows=hypotheses, reference_rows=references, threads=4
    )
    assert np.array_equal(table(threaded), result)
    order = random.permutation(200)
    shuffled = ngram_bags(
        **sentences, hypothesis_rows=hypotheses[order], reference_rows=references[order]
    )
    assert np.array_equal(table(shuffled), result[order])
    for p in range(0, 200, 17):
        alone = ngram_bags(
            **sentences, hypothesis_rows=[hypotheses[p]], reference_rows=[references[p]]
        )
        assert np.array_equal(table(alone)[0], result[p])


def test_matched_weight_is_symmetric_and_a_sentence_matches_itself():
    random = np.random.default_rng(6)
    sentences = batch(random, 40)
    rows, others = np.arange(40), random.permutation(40)
    there = ngram_bags(**sentences, hypothesis_rows=rows, reference_rows=others)
    back = ngram_bags(**sentences, hypothesis_rows=others, reference_rows=rows)
    assert np.array_equal(there.matched, back.matched)
    assert np.array_equal(there.matched_tags, back.matched_tags)
    assert np.array_equal(there.reference, back.hypothesis)
    itself = ngram_bags(**sentences, hypothesis_rows=rows, reference_rows=rows)
    assert np.array_equal(itself.matched, itself.reference)
    assert np.array_equal(itself.matched_tags, itself.reference)


def test_an_empty_batch_and_empty_sentences():
    nothing = ngram_bags([0], [], [], function=[], hypothesis_rows=[], reference_rows=[])
    assert nothing.matched.shape == (0, 3)
    empty = ngram_bags([0, 0], [], [], function=[], hypothesis_rows=[0], reference_rows=[0])
    assert not table(empty).any()


GOOD = {
    "offsets": [0, 2, 3],
    "lemma": [0, 1, 0],
    "tag": [0, 1, 0],
    "function": [0, 1],
    "hypothesis_rows": [0],
    "reference_rows": [1],
}


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("MP401", {"lemma": [0.0, 1.0, 0.0]}),
        ("MP401", {"tag": [[0, 1, 0]]}),
        ("MP403", {"lemma": [0, -1, 0]}),
        ("MP403", {"lemma": [0, 2**31 - 1, 0]}),
        ("MP403", {"tag": [0, 2, 0]}),
        ("MP403", {"hypothesis_rows": [2]}),
        ("MP403", {"reference_rows": [-1]}),
        ("MP403", {"sense": [0, 1, 5], "synonymy": symmetric([], senses=2)}),
        ("MP403", {"function": [-1, 300]}),
        ("MP405", {"synonymy": Synonymy(np.array([0, 1, 1]), np.array([1], np.int32))}),
        ("MP405", {"synonymy": Synonymy(np.array([0, 2, 3, 4]), np.array([2, 1, 0, 0], np.int32))}),
        ("MP406", {"synonymy": Synonymy(np.array([0, 1, 2]), np.array([1], np.int32))}),
        ("MP406", {"offsets": [0, 3, 2]}),
        ("MP406", {"offsets": []}),
        ("MP406", {"tag": [0, 1]}),
        ("MP406", {"hypothesis_rows": [0, 1]}),
    ],
)
def test_bad_input_is_refused_with_a_code(code, change):
    with pytest.raises(InputError) as caught:
        ngram_bags(**{**GOOD, **change})
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("option", "code"),
    [
        ({"divisor": 0}, "MP404"),
        ({"divisor": 101}, "MP404"),
        ({"threads": 0}, "MP519"),
        ({"mask_limit": 513}, "MP404"),
    ],
)
def test_options_outside_their_range_are_refused(option, code):
    with pytest.raises(OptionError, match=code):
        ngram_bags(**{**GOOD, **option})
