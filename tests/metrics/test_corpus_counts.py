"""Counts of parts of a corpus come to those of the whole, and keys are what they are said to be."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metaphrase
from metaphrase.metrics.comparison import compare
from metaphrase.metrics.corpus_counts import (
    CorpusCounts,
    CorpusTotals,
    UncountedError,
    followed,
    keys_of,
)

PRIME = 2**61 - 1
LETTERS = st.sampled_from("abcdefgh")


def key_of(text: str) -> tuple[int, int]:
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return tuple(int.from_bytes(half, "little") % PRIME for half in (digest[:8], digest[8:]))  # type: ignore[return-value]


@given(st.lists(st.text(max_size=5), min_size=1, max_size=6))
def test_the_key_of_a_sequence_is_a_polynomial(texts: list[str]) -> None:
    keys = keys_of(texts[:1])
    expected = key_of(texts[0])
    for text in texts[1:]:
        keys = followed(keys, keys_of([text]))
        factors, last = key_of("metaphrase"), key_of(text)
        expected = tuple(  # type: ignore[assignment]
            (a * m + b) % PRIME for a, m, b in zip(expected, factors, last, strict=True)
        )
    assert keys.tolist() == [list(expected)]


@pytest.mark.parametrize("number", [0, 1, 2**31 - 1, 2**31, 2**60, PRIME - 1])
def test_products_of_large_numbers_are_exact(number: int) -> None:
    ends = np.array([[number, PRIME - 1]], dtype=np.uint64)
    expected = [
        (a * m + PRIME - 1) % PRIME
        for a, m in zip([number, PRIME - 1], key_of("metaphrase"), strict=True)
    ]
    last = np.full((1, 2), PRIME - 1, dtype=np.uint64)
    assert followed(ends, last).tolist() == [expected]


def counted(pairs: list[tuple[str, str]]) -> CorpusCounts:
    """Members of groups."""
    groups, members = zip(*pairs, strict=True) if pairs else ((), ())
    of_groups = keys_of(groups)
    return CorpusCounts(
        followed(of_groups, keys_of(members)), np.ones(len(pairs), dtype=np.int64), of_groups
    )


@given(st.lists(st.lists(st.tuples(LETTERS, LETTERS), max_size=12), min_size=1, max_size=4))
def test_totals_are_those_of_all_parts(parts: list[list[tuple[str, str]]]) -> None:
    whole = Counter(pair for part in parts for pair in part)
    counts = [counted(part).summed().apart("x") for part in parts]
    for part, one in zip(parts, counts, strict=True):
        assert len(one) == len(set(part))
        assert one.counts.sum() == len(part)
    totals = CorpusCounts.joined(counts).totals().of("x")
    pairs = list(whole)
    keys = counted(pairs).keys
    assert totals.counts_of(keys).tolist() == list(whole.values())
    kinds = Counter(group for group, _ in whole)
    assert totals.kinds_of(keys).tolist() == [kinds[group] for group, _ in pairs]


def test_what_was_never_counted_is_an_error() -> None:
    totals = CorpusCounts(keys_of("ab"), np.array([1, 2])).totals()
    assert totals.counts_of(keys_of("bab")).tolist() == [2, 1, 2]
    for wanted in (keys_of("c"), keys_of("abcdefgh"), np.full((1, 2), PRIME, dtype=np.uint64)):
        with pytest.raises(UncountedError):
            totals.counts_of(wanted)
    with pytest.raises(UncountedError):
        totals.of("somebody else").counts_of(keys_of("a"))


def test_keys_that_begin_alike_are_told_apart() -> None:
    keys = np.array([[7, 3], [7, 1], [5, 9], [7, 3], [7, 2]], dtype=np.uint64)
    counts = CorpusCounts(keys, np.array([1, 10, 100, 1000, 10000]))
    assert counts.summed().keys.tolist() == [[5, 9], [7, 1], [7, 2], [7, 3]]
    assert counts.summed().counts.tolist() == [100, 10, 10000, 1001]
    totals = counts.totals()
    assert totals.counts_of(keys).tolist() == [1001, 10, 100, 1001, 10000]
    with pytest.raises(UncountedError):
        totals.counts_of(np.array([[7, 4]], dtype=np.uint64))


WORDS = "the a cat dog slept on mat never".split()
SENTENCE = st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join)


@pytest.mark.parametrize("name", ["nist", "nist:orders=2", "pbe:tfidf", "pbe:tfidf:term=phrase"])
@given(
    st.lists(
        st.tuples(SENTENCE, SENTENCE, SENTENCE, st.sampled_from("de")), min_size=1, max_size=12
    ),
    st.lists(st.integers(1, 11), max_size=3),
)
def test_pieces_have_the_statistics_of_the_whole(
    name: str, rows: list[tuple[str, str, str, str]], cuts: list[int]
) -> None:
    """Documents go across the cuts, and come again."""
    metric = metaphrase.create(name)
    assert metric.gathers
    one, two, reference, documents = zip(*rows, strict=True)
    corpus = metaphrase.Corpus(
        {"one": one, "two": two},
        [reference, two],
        documents=documents,
        empty_references="keep",
    )
    ends = sorted({0, len(rows), *(cut for cut in cuts if cut < len(rows))})
    pieces = [corpus[a:b] for a, b in pairwise(ends)]
    gathered = [metric.gather(list(compare(piece, metric))) for piece in pieces]
    totals = CorpusCounts.joined([counts.summed() for counts in gathered]).totals()
    assert isinstance(totals, CorpusTotals)
    whole = [metric.statistics(comparison) for comparison in compare(corpus, metric)]
    found = zip(
        *(
            [
                metric.statistics(comparison)
                for comparison in compare(piece, metric, of_corpus=totals)
            ]
            for piece in pieces
        ),
        strict=True,
    )
    for expected, parts in zip(whole, found, strict=True):
        assert np.concatenate(parts).tobytes() == expected.tobytes()


def test_topics_cannot_be_gathered() -> None:
    for name in ("pbe:tfidf+topic", "pbe:ngram+topic", "pbe:tfidf+sim", "pbe", "ter"):
        assert not metaphrase.create(name).gathers
