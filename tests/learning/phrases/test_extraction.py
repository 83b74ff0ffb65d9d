"""Phrase pairs are those that the definition allows, and paraphrases are phrases that share translations."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase._core import phrases as core
from metaphrase.errors import InputError, OptionError
from metaphrase.learning import Links, PackedText, ParallelText, PhraseTable, extract_phrases
from oracle.phrases import phrase_counts, pivot

Sentences = list[list[str]]
Pairs = list[list[tuple[int, int]]]


def links_of(pairs: Pairs) -> Links:
    offsets = np.cumsum([0, *map(len, pairs)], dtype=np.int64)
    ends = np.array([end for row in pairs for end in row], dtype=np.int32).reshape(-1, 2)
    return Links(offsets, ends[:, 0].copy(), ends[:, 1].copy())


def table_of(sources: Sentences, targets: Sentences, pairs: Pairs, **options: int) -> PhraseTable:
    text = ParallelText(PackedText.pack(sources), PackedText.pack(targets))
    return extract_phrases(text, links_of(pairs), **options)


def counted(table: PhraseTable) -> Counter[tuple[str, str]]:
    rows = zip(table.sources.tolist(), table.targets.tolist(), table.counts.tolist(), strict=True)
    return Counter({(table.source.phrase(s), table.target.phrase(t)): n for s, t, n in rows})


@st.composite
def aligned_text(draw: st.DrawFn) -> tuple[Sentences, Sentences, Pairs]:
    """A few words only, so that phrases come again."""
    sources, targets, pairs = [], [], []
    for _ in range(draw(st.integers(0, 4))):
        source = draw(st.lists(st.sampled_from("abc"), max_size=6))
        target = draw(st.lists(st.sampled_from("xyz"), max_size=6))
        ends = st.tuples(
            st.integers(0, max(0, len(source) - 1)), st.integers(0, max(0, len(target) - 1))
        )
        links = draw(st.sets(ends, max_size=8)) if source and target else set()
        sources.append(source)
        targets.append(target)
        pairs.append(sorted(links))
    return sources, targets, pairs


@settings(max_examples=150)
@given(aligned_text(), st.integers(1, 4), st.integers(1, 4))
def test_phrase_pairs_are_those_of_the_definition(
    text: tuple[Sentences, Sentences, Pairs], most_source: int, most_target: int
) -> None:
    table = table_of(*text, most_source_words=most_source, most_target_words=most_target)
    assert counted(table) == phrase_counts(*text, (most_source, most_target))


def test_unaligned_words_at_the_edge_may_belong_or_not() -> None:
    # Koehn, Och and Marcu's example in small: y has no link, so a has two translations.
    table = table_of([["a", "b"]], [["x", "y", "z"]], [[(0, 0), (1, 2)]])
    assert counted(table) == {
        ("a", "x"): 1,
        ("a", "x y"): 1,
        ("b", "z"): 1,
        ("b", "y z"): 1,
        ("a b", "x y z"): 1,
    }


def test_rare_pairs_are_left_out_but_weigh_in_totals() -> None:
    table = table_of([["a"]] * 3, [["x"], ["x"], ["y"]], [[(0, 0)]] * 3, least_count=2)
    assert counted(table) == {("a", "x"): 2}
    assert table.source.totals.tolist() == [3]


@settings(max_examples=60)
@given(aligned_text(), st.integers(1, 6))
def test_bounded_memory_loses_no_more_than_it_says(
    text: tuple[Sentences, Sentences, Pairs], most_pairs: int
) -> None:
    exact = phrase_counts(*text, (4, 4))
    table = table_of(*text, most_pairs=most_pairs)
    assert len(table) <= most_pairs
    for pair, count in exact.items():
        assert count - table.lost <= counted(table)[pair] <= count


@settings(max_examples=80)
@given(aligned_text())
def test_pivoting_is_that_of_the_formula(text: tuple[Sentences, Sentences, Pairs]) -> None:
    table = table_of(*text)
    found = table.pivot(most_words=4, least_translation=0.0, least_paraphrase=0.0)
    got = {
        (table.source.phrase(a), table.source.phrase(b)): p
        for a, b, p in zip(
            found.phrases.tolist(),
            found.paraphrases.tolist(),
            found.probabilities.tolist(),
            strict=True,
        )
    }
    assert got == pytest.approx(pivot(counted(table)), abs=1e-12)


def test_phrases_with_one_translation_share_their_probability() -> None:
    # kaufen is "buy" twice and "purchase" once: p(purchase | buy) = p(kaufen | buy) / 3.
    table = table_of(
        [["buy"], ["buy"], ["purchase"]], [["kaufen"], ["kaufen"], ["kaufen"]], [[(0, 0)]] * 3
    )
    found = table.pivot(most_words=1)
    assert found.probabilities.tolist() == pytest.approx([1 / 3, 2 / 3])
    assert found.pivots.tolist() == [1, 1]


def test_pivoting_does_not_depend_on_threads() -> None:
    rng = np.random.default_rng(3)
    words = [[f"e{n}"] for n in rng.integers(0, 300, 2000)]
    pivots = [[f"f{n}"] for n in rng.integers(0, 200, 2000)]
    table = table_of(words, pivots, [[(0, 0)]] * 2000)
    one, two = (table.pivot(most_words=1, threads=threads) for threads in (1, 2))
    assert (one.probabilities == two.probabilities).all()
    assert (one.paraphrases == two.paraphrases).all()


def test_options_out_of_range_are_named() -> None:
    with pytest.raises(OptionError, match="MP342"):
        table_of([["a"]], [["x"]], [[(0, 0)]], most_source_words=0)


@pytest.mark.parametrize("link", [(1, 0), (0, 1), (-1, 0)])
def test_links_outside_a_sentence_are_refused(link: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="MP343"):
        table_of([["a"]], [["x"]], [[link]])


def test_the_core_refuses_counts_beyond_their_totals() -> None:
    ints = np.zeros(1, dtype=np.int32)
    with pytest.raises(ValueError, match="count"):
        core.pivot(
            pairs=(ints, ints, np.array([2])),
            phrase_totals=np.array([1]),
            pivot_totals=np.array([5]),
            wanted=np.ones(1, dtype=np.uint8),
            least_translation=0.0,
            least_paraphrase=0.0,
            threads=1,
        )
