"""Words of parallel text find their translations, and two directions become one alignment."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase._core import phrases as core
from metaphrase.errors import InputError, OptionError
from metaphrase.learning import (
    SYMMETRISATIONS,
    PackedText,
    ParallelText,
    TwoWayAlignment,
    align_parallel_text,
)
from oracle.phrases import DirectedAligner, symmetrise

ENGLISH = ["the house", "the book", "a book", "the small house", "a small book", "a house"]
GERMAN = ["das haus", "das buch", "ein buch", "das kleine haus", "ein kleines buch", "ein haus"]


def packed(lines: list[str]) -> PackedText:
    return PackedText.pack([line.split() for line in lines])


def parallel(source: list[str], target: list[str]) -> ParallelText:
    return ParallelText(packed(source), packed(target))


def linked_words(source: list[str], target: list[str], k: int) -> set[tuple[str, str]]:
    text = parallel(source, target)
    links = align_parallel_text(text).symmetrise()
    return {(text.source.sentence(k)[s], text.target.sentence(k)[t]) for s, t in links.pairs(k)}


def test_words_that_occur_together_are_linked() -> None:
    assert linked_words(ENGLISH, GERMAN, 1) == {("the", "das"), ("book", "buch")}
    assert linked_words(ENGLISH, GERMAN, 5) == {("a", "ein"), ("house", "haus")}


def test_word_order_may_differ() -> None:
    """Adjectives follow the noun, as in Romance languages."""
    rng = np.random.default_rng(1)
    pairs = [(f"adj{a}", f"noun{n}") for a, n in rng.integers(0, 10, (60, 2))]
    source = [f"the {a} {n} ." for a, n in pairs]
    target = [f"le {n}s {a}s ." for a, n in pairs]
    adjective, noun = pairs[7]
    assert linked_words(source, target, 7) == {
        ("the", "le"),
        (adjective, f"{adjective}s"),
        (noun, f"{noun}s"),
        (".", "."),
    }


def test_alignment_does_not_depend_on_threads() -> None:
    rng = np.random.default_rng(5)
    lines = [[" ".join(map(str, rng.integers(0, 9, 6))) for _ in range(50)] for _ in range(2)]
    one = align_parallel_text(parallel(*lines), threads=1)
    two = align_parallel_text(parallel(*lines), threads=2)
    assert (one.target_of == two.target_of).all()
    assert (one.source_of == two.source_of).all()


def test_empty_sentences_have_no_links() -> None:
    alignments = align_parallel_text(parallel(["", "a", "", "a"], ["x", "", "", "x"]))
    links = alignments.symmetrise("union")
    assert [links.pairs(k) for k in range(4)] == [[], [], [], [(0, 0)]]
    assert len(align_parallel_text(parallel([], [])).symmetrise()) == 0


sentences = st.lists(st.sampled_from("abcd"), max_size=5)


@settings(max_examples=60)
@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=5), st.integers(1, 4))
def test_links_are_the_most_probable_of_the_model(
    pairs: list[tuple[list[str], list[str]]], iterations: int
) -> None:
    text = ParallelText(
        PackedText.pack([source for source, _ in pairs]),
        PackedText.pack([target for _, target in pairs]),
    )
    alignments = align_parallel_text(text, iterations=iterations)
    reverse = [(target, source) for source, target in pairs]
    for oriented, links, offsets in (
        (pairs, alignments.source_of, text.target.offsets),
        (reverse, alignments.target_of, text.source.offsets),
    ):
        oracle = DirectedAligner(oriented, null=0.08, alpha=0.01)
        for _ in range(iterations):
            oracle.iterate()
        for k, (_, generated) in enumerate(oriented):
            for j in range(len(generated)):
                scores = oracle.scores(k, j)
                # Words repeat, so that scores can be equal up to rounding: any of the best will do.
                assert scores[links[offsets[k] + j] + 1] >= max(scores) * (1 - 1e-3)


@st.composite
def two_directions(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    source, target = draw(st.integers(0, 7)), draw(st.integers(0, 7))
    target_of = draw(st.lists(st.integers(-1, target - 1), min_size=source, max_size=source))
    source_of = draw(st.lists(st.integers(-1, source - 1), min_size=target, max_size=target))
    return target_of, source_of


@settings(max_examples=150)
@given(st.lists(two_directions(), max_size=4), st.sampled_from(SYMMETRISATIONS))
def test_symmetrisation_is_that_of_the_oracle(
    batch: list[tuple[list[int], list[int]]], method: str
) -> None:
    text = ParallelText(
        PackedText.pack([["w"] * len(target_of) for target_of, _ in batch]),
        PackedText.pack([["w"] * len(source_of) for _, source_of in batch]),
    )
    flat = [
        np.array([link for row in column for link in row], dtype=np.int32)
        for column in ([t for t, _ in batch], [s for _, s in batch])
    ]
    links = TwoWayAlignment(text, *flat).symmetrise(method)
    expected = [sorted(symmetrise(t, s, method)) for t, s in batch]
    assert [links.pairs(k) for k in range(len(batch))] == expected


@given(two_directions())
def test_methods_lie_between_intersection_and_union(
    directions: tuple[list[int], list[int]],
) -> None:
    rows = [symmetrise(*directions, m) for m in ("intersection", *SYMMETRISATIONS[2:], "union")]
    assert all(small <= large for small, large in pairwise(rows))


def test_unknown_methods_are_named() -> None:
    alignments = align_parallel_text(parallel(ENGLISH, GERMAN))
    with pytest.raises(OptionError, match="MP341"):
        alignments.symmetrise("grow")


def test_texts_of_different_length_are_not_parallel() -> None:
    with pytest.raises(InputError, match="MP340"):
        parallel(["a", "b"], ["x"])


def test_training_needs_an_iteration() -> None:
    with pytest.raises(OptionError, match="MP342"):
        align_parallel_text(parallel(ENGLISH, GERMAN), iterations=0)


def test_a_sentence_pair_beyond_all_bounds_is_refused() -> None:
    text = ParallelText(PackedText.pack([["w"] * 5000]), PackedText.pack([["w"] * 5000]))
    with pytest.raises(InputError, match="MP343"):
        align_parallel_text(text)


@pytest.mark.parametrize("word", [-1, 2**31 - 1])
def test_words_with_numbers_beyond_all_bounds_are_refused(word: int) -> None:
    odd = PackedText(np.array([0, 1]), np.array([word], dtype=np.int32), ["w"])
    with pytest.raises(InputError, match="MP343"):
        align_parallel_text(ParallelText(odd, odd))


@pytest.mark.parametrize(
    ("target_of", "source_of"), [([1], [0]), ([0], [-2]), ([0, 0], [0]), ([2**31 - 1], [0])]
)
def test_the_core_refuses_links_outside_a_sentence(
    target_of: list[int], source_of: list[int]
) -> None:
    with pytest.raises(ValueError, match=r"link|offsets"):
        core.symmetrise(
            source_offsets=np.array([0, 1]),
            target_of=np.array(target_of, dtype=np.int32),
            target_offsets=np.array([0, 1]),
            source_of=np.array(source_of, dtype=np.int32),
            method="union",
        )
