"""METEOR's kernel against the plain search, and the plain search against trying everything."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase._core import RefusedInputError
from metaphrase._core import meteor as core
from metaphrase.analysis.metric_text import meteor_text
from metaphrase.lexicon import ParaphraseTable, WordNet
from metaphrase.lexicon.paraphrases import compile_pairs
from metaphrase.matching.meteor import CHUNKS, MATCHED_WORDS, MeteorLexicon, MeteorSentences
from oracle.meteor import best_objective, candidates, chunks, search

MODULES = ("exact", "stem", "synonym", "paraphrase")
PARAPHRASES = [
    ("big dog", "hound"),
    ("hound", "big dog"),
    ("the", "a"),
    ("a", "the"),
    ("runs to the", "runs a"),
    ("dog", "big"),
    ("big big", "big"),
    ("to", "the big dog"),
]
# Few words, so that everything can be matched with everything else.
VOCABULARY = "the a to dog dogs hound big large run runs running house home mice mouse".split()
sentence = st.lists(st.sampled_from(VOCABULARY), max_size=14)
short_sentence = st.lists(st.sampled_from(VOCABULARY), max_size=5)
_folders: list[TemporaryDirectory[str]] = []


@cache
def lexicon() -> MeteorLexicon:
    _folders.append(TemporaryDirectory())
    path = Path(_folders[-1].name) / "paraphrases.bin"
    path.write_bytes(compile_pairs([(first, second, 0.5) for first, second in PARAPHRASES]))
    return MeteorLexicon(
        lang="en",
        wordnet=WordNet.default(),
        paraphrases=ParaphraseTable(path),
        function_words=meteor_text.function_words("en"),
    )


def aligned(hypothesis: list[str], reference: list[str]) -> list[tuple[int, int, int, int, str]]:
    sentences = MeteorSentences([" ".join(hypothesis), " ".join(reference)], lexicon())
    return [
        (m.reference[0], len(m.reference), m.hypothesis[0], len(m.hypothesis), m.module)
        for m in sentences.align(0, 1)
    ]


@settings(max_examples=200)
@given(hypothesis=sentence, reference=sentence)
def test_the_kernel_chooses_what_the_plain_search_chooses(
    hypothesis: list[str], reference: list[str]
) -> None:
    rows = candidates(hypothesis, reference, modules=MODULES, paraphrases=PARAPHRASES)
    expected = search(rows)
    assert aligned(hypothesis, reference) == [
        (m.reference, m.reference_words, m.hypothesis, m.hypothesis_words, m.module)
        for m in expected.chosen
    ]
    assert expected.chunks == chunks(expected.chosen)


@pytest.mark.parametrize(
    "others", [60, 260]
)  # the kernel has numbers of other sizes for long sentences
@settings(max_examples=30)
@given(hypothesis=sentence, reference=sentence)
def test_the_kernel_does_the_same_in_long_sentences(
    others: int, hypothesis: list[str], reference: list[str]
) -> None:
    before = [f"word{i}" for i in range(others)]
    longer = [*before, *hypothesis]
    rows = candidates(longer, reference, modules=MODULES, paraphrases=PARAPHRASES)
    assert aligned(longer, reference) == [
        (m.reference, m.reference_words, m.hypothesis, m.hypothesis_words, m.module)
        for m in search(rows).chosen
    ]


@given(hypothesis=short_sentence, reference=short_sentence)
def test_without_a_limit_the_search_finds_the_best_there_is(
    hypothesis: list[str], reference: list[str]
) -> None:
    rows = candidates(hypothesis, reference, modules=MODULES, paraphrases=PARAPHRASES)
    found = search(rows, beam=None)
    assert (found.matched, -found.chunks) == best_objective(rows)


@given(hypothesis=sentence, reference=sentence)
def test_statistics_count_the_alignment(hypothesis: list[str], reference: list[str]) -> None:
    texts = [" ".join(hypothesis), " ".join(reference)]
    sentences = MeteorSentences(texts, lexicon())
    first, second = np.array([0], dtype=np.int32), np.array([1], dtype=np.int32)
    [row] = sentences.statistics(first, second)
    matches = sentences.align(0, 1)
    assert row[:2].tolist() == [len(hypothesis), len(reference)]
    assert row[CHUNKS] == len({match.chunk for match in matches})
    assert row[MATCHED_WORDS].tolist() == [
        sum(len(match.hypothesis) for match in matches),
        sum(len(match.reference) for match in matches),
    ]
    assert row[4:20].sum() == row[MATCHED_WORDS].sum()


def test_threads_change_nothing() -> None:
    texts = ["the big dog runs to the house", "a hound running home", "the the the", ""] * 20
    sentences = MeteorSentences(texts, lexicon())
    rows = np.arange(len(texts), dtype=np.int32)
    others = rows[::-1].copy()
    np.testing.assert_array_equal(
        sentences.statistics(rows, others), sentences.statistics(rows, others, threads=3)
    )


def test_a_verb_and_an_adjective_of_one_offset_are_synonyms_to_meteor() -> None:
    # WordNet 3.0 has "breathe" (data.verb) and "able" (data.adj) at offset 1740, as METEOR's
    # english.synsets shows.
    [match] = MeteorSentences(["breathe", "able"], lexicon()).align(0, 1)
    assert match.module == "synonym"


def test_words_with_one_hash_are_one_word() -> None:
    # "Aa" and "BB" are the well-known pair of strings that Java's hash does not tell apart.
    [match] = MeteorSentences(["Aa", "BB"], lexicon()).align(0, 1)
    assert match.module == "exact"


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        ("the " * 4200, "the " * 4201),  # too many matches
        ("the " * 8200, "a " * 8201),  # too many pairs of words
        ("the " * 16_385, "a"),  # too many words
    ],
)
def test_what_would_take_all_memory_is_refused(hypothesis: str, reference: str) -> None:
    sentences = MeteorSentences([hypothesis, reference], lexicon())
    rows = np.array([[0], [1]], dtype=np.int32)
    assert (sentences.statistics(*rows) == -1).all()


def test_the_core_refuses_rows_that_are_not_there() -> None:
    sentences = core.Sentences(["a b", "b"])
    matcher = core.Matcher(
        sentences,
        stems=None,
        function=bytes(2),
        characters=False,
        wordnet=None,
        synset_numbers=None,
        table=None,
        phrases=None,
    )
    good, bad = np.array([0], dtype=np.int32), np.array([2], dtype=np.int32)
    with pytest.raises(RefusedInputError, match="not in 0 to 1"):
        matcher.statistics(good, bad, threads=1)
    with pytest.raises(ValueError, match="function"):
        core.Matcher(
            sentences,
            stems=None,
            function=bytes(1),
            characters=False,
            wordnet=None,
            synset_numbers=None,
            table=None,
            phrases=None,
        )
