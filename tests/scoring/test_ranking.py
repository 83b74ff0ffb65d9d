"""Systems ranked by tests of all pairs."""

from __future__ import annotations

from itertools import combinations
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase import Corpus, create, score
from metaphrase.errors import InputError, OptionError
from metaphrase.scoring import Scores
from metaphrase.scoring.ranking import LEVEL, SystemRanking, rank_scores
from metaphrase.scoring.resampled_units import resampled_rows
from metaphrase.scoring.system_difference import system_difference
from metaphrase.statistics.resampling import approximate_randomisation
from metrics.word_share import WordShare

METRIC = WordShare()


def corpus(rights: dict[str, int], segments: int = 40, **columns: list[str]) -> Corpus:
    """Systems that translate so many of the first segments right and the others wrong."""
    systems = {
        name: ["a cat" if row < right else "wrong" for row in range(segments)]
        for name, right in rights.items()
    }
    return Corpus(systems, [["a cat"] * segments], **columns)


def scored(rights: dict[str, int], segments: int = 40, **columns: list[str]) -> Scores:
    return score(
        corpus(rights, segments, **columns), [METRIC], keep_statistics=True, check_language=False
    )


def places(ranking: SystemRanking, scores: Scores) -> dict[str, str]:
    return {scores.systems[row.system].name: row.places for row in ranking.rows}


def test_a_rank_is_the_range_of_what_cannot_be_told_apart() -> None:
    scores = scored({"d": 0, "b": 28, "a": 30, "c": 26})
    # Pairs of a, b and c differ in two or four segments: p of 2⁻¹ or 2⁻³ at least. d is far behind.
    assert places(rank_scores(METRIC, scores), scores) == {
        "a": "1–3",
        "b": "1–3",
        "c": "1–3",
        "d": "4",
    }


def test_a_system_may_share_its_places_with_two_that_differ() -> None:
    scores = scored({"a": 30, "b": 25, "c": 20})
    # a and b, b and c differ in 5 segments (p = 1/16), a and c in 10 (p = 2⁻⁹), three times that by Holm.
    ranking = rank_scores(METRIC, scores)
    assert places(ranking, scores) == {"a": "1–2", "b": "1–3", "c": "2–3"}
    assert ranking.p_value(0, 2) == pytest.approx(3 * 2.0**-9)
    assert [row.cluster for row in ranking.rows] == [1, 1, 2]


def test_correction_makes_fewer_systems_differ() -> None:
    rights = {f"s{k}": 40 - 6 * k for k in range(6)}
    scores = scored(rights)
    # Neighbours differ in 6 segments, p = 2⁻⁵: significant by itself, and not as one of 15 tests.
    alone = rank_scores(METRIC, scores, correction="none")
    together = rank_scores(METRIC, scores)
    assert set(places(alone, scores).values()) == {"1", "2", "3", "4", "5", "6"}
    assert places(together, scores)["s0"] == "1–2"


def test_far_apart_systems_differ_however_many_there_are() -> None:
    # 30 systems are 435 pairs: 1,000 resamples give no p below .05 · 1/435, the tests' bounds do.
    rights = {f"s{k}": 400 - 10 * k for k in range(30)}
    scores = scored(rights, 400)
    ranking = rank_scores(METRIC, scores)
    assert ranking.differ(0, 29)
    assert ranking.rows[0].worst is not None
    assert ranking.rows[0].worst < 10


def test_equal_systems_share_all_places() -> None:
    scores = scored({"a": 20, "b": 20, "c": 20})
    ranking = rank_scores(METRIC, scores)
    assert set(places(ranking, scores).values()) == {"1–3"}
    assert [row.rank for row in ranking.rows] == [1, 1, 1]


def test_without_resamples_a_rank_is_a_place() -> None:
    scores = scored({"a": 10, "b": 20})
    ranking = rank_scores(METRIC, scores, resamples=0)
    assert places(ranking, scores) == {"b": "1", "a": "2"}
    assert not ranking.tested
    only = rank_scores(METRIC, scores, intervals_only=True)
    assert not only.tested
    assert only.rows[0].low is not None


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 30), min_size=2, max_size=6), st.sampled_from(["holm", "none"]))
def test_ranges_hold_each_rank_and_follow_from_the_pairs(
    rights: list[int], correction: str
) -> None:
    scores = scored({f"s{k}": right for k, right in enumerate(rights)}, 30)
    ranking = rank_scores(METRIC, scores, resamples=100, correction=correction)  # type: ignore[arg-type]
    values = {row.system: row for row in ranking.rows}
    for row in ranking.rows:
        assert row.best is not None
        assert row.worst is not None
        assert row.best <= row.rank <= row.worst
    for one, other in combinations(values, 2):
        p = ranking.p_value(one, other)
        test = ranking.test(one, other)
        assert p is not None
        assert test is not None
        if len(rights) > 2:
            assert p >= min(test.p_value, test.smallest_known_p)
        first, second = values[one], values[other]
        if p < LEVEL:
            # Whoever scores significantly lower has at least one more above it, and one fewer below.
            higher, lower = (first, second) if first.score > second.score else (second, first)
            assert higher.worst is not None
            assert lower.best is not None
            assert higher.worst < len(rights)
            assert lower.best > 1


def test_the_pair_test_is_that_of_the_paired_test() -> None:
    scores = scored({"a": 30, "b": 13})
    tables = [system.statistics["word-share"] for system in scores.systems]
    expected = approximate_randomisation(tables, METRIC.score)[1].test
    assert rank_scores(METRIC, scores).test(0, 1) == expected
    assert system_difference(METRIC, scores).test == expected


class TestDifference:
    def test_it_counts_segments_and_names_the_leader(self) -> None:
        found = system_difference(METRIC, scored({"old": 10, "new": 30}))
        assert (found.leader, found.other) == ("new", "old")
        assert (found.wins, found.losses, found.equal) == (20, 0, 20)
        assert found.difference == pytest.approx(50.0)
        assert found.low < found.difference < found.high
        assert found.significant

    def test_lower_may_be_better(self) -> None:
        scores = score(corpus({"old": 10, "new": 30}), ["ter"], keep_statistics=True)
        found = system_difference(create("ter"), scores)
        assert found.leader == "new"
        assert 0 < found.low < found.difference < found.high


class TestUnits:
    DOCUMENTS: ClassVar = [f"d{row // 10}" for row in range(40)]

    def test_documents_are_drawn_whole(self) -> None:
        scores = scored({"a": 40, "b": 20}, documents=self.DOCUMENTS)
        tables = resampled_rows(scores, "word-share", "document")
        assert [table.shape for table in tables] == [(4, 2), (4, 2)]
        # Scores of wholes are the same, and only two documents differ: p = 1/2 instead of 2⁻¹⁹.
        assert METRIC.score(tables[1].sum(axis=0)) == pytest.approx(50.0)
        segments = system_difference(METRIC, scores)
        documents = system_difference(METRIC, scores, unit="document")
        assert segments.test.p_value < 0.01
        assert documents.test.p_value == 0.5
        assert rank_scores(METRIC, scores, unit="document").p_value(0, 1) == 0.5

    def test_they_must_be_known(self) -> None:
        scores = scored({"a": 40, "b": 20})
        with pytest.raises(InputError, match="MP766"):
            resampled_rows(scores, "word-share", "domain")
        with pytest.raises(OptionError, match="MP766"):
            resampled_rows(scores, "word-share", "line")  # type: ignore[arg-type]


class TestWeights:
    CORPUS = Corpus({"a": ["a", "b"]}, [["a", "one two three"]], domains=["x", "y"])

    def test_long_segments_count_more(self) -> None:
        metric = WordShare()
        plain = score(self.CORPUS, [metric], levels=["system", "segment"], check_language=False)
        found = score(
            self.CORPUS,
            [metric],
            levels=["system", "segment", "domain"],
            weight="length",
            check_language=False,
        )
        one, other = plain.values(system="a", metric="word-share", level="segment")
        # The references have one word and three.
        assert found.values(system="a", metric="word-share")[0] == pytest.approx(
            (one + 3 * other) / 4
        )
        assert found.values(system="a", metric="word-share", level="segment").tolist() == [
            one,
            other,
        ]
        assert found.values(system="a", metric="word-share", level="domain").tolist() == [
            one,
            other,
        ]
        assert found.metrics[0].signature.endswith("|weight:length")

    def test_they_are_for_means(self) -> None:
        with pytest.raises(OptionError, match="MP767"):
            score(self.CORPUS, ["bleu"], weight="length")
        with pytest.raises(OptionError, match="MP767"):
            score(self.CORPUS, [WordShare()], weight="heavy")  # type: ignore[arg-type]


def test_statistics_of_large_corpora_are_not_kept() -> None:
    found = score(
        corpus({"a": 3, "b": 4}),
        [METRIC],
        keep_statistics=True,
        most_cells=79,
        check_language=False,
    )
    assert not any(system.statistics for system in found.systems)
    kept = score(
        corpus({"a": 3, "b": 4}),
        [METRIC],
        keep_statistics=True,
        most_cells=80,
        check_language=False,
    )
    assert all(len(system.statistics["word-share"]) == 40 for system in kept.systems)


class TestDomains:
    def test_they_are_a_level(self) -> None:
        names = ["news"] * 30 + ["talks"] * 10
        found = score(
            corpus({"a": 20}, domains=names),
            [METRIC],
            levels=["system", "domain"],
            check_language=False,
        )
        values = found.values(system="a", metric="word-share", level="domain")
        assert values.tolist() == pytest.approx([100 * 20 / 30, 0.0])
        assert dict(found.domains) == {"news": 30, "talks": 10}
        (system,) = found.to_dict()["systems"]
        assert [(one["domain"], one["segments"]) for one in system["domains"]] == [
            ("news", 30),
            ("talks", 10),
        ]

    def test_one_segment_is_a_domain(self) -> None:
        names = ["only"] + ["talks"] * 39
        found = score(
            corpus({"a": 20}, domains=names), [METRIC], levels=["domain"], check_language=False
        )
        assert found.values(system="a", metric="word-share", level="domain")[0] == 100.0

    @pytest.mark.parametrize("columns", [{}, {"domains": [""] * 40}])
    def test_they_must_be_named(self, columns: dict[str, list[str]]) -> None:
        with pytest.raises(InputError, match="MP516"):
            score(corpus({"a": 1}, **columns), [METRIC], levels=["domain"], check_language=False)


def test_two_hundred_systems_are_ranked() -> None:
    scores = scored({f"s{k}": k % 41 for k in range(200)})
    ranking = rank_scores(METRIC, scores, resamples=20)
    assert len(ranking.rows) == 200
    assert sum(1 for _ in ranking.pairs()) == 19_900
    assert np.all(np.diff([row.score for row in ranking.rows]) <= 0)
