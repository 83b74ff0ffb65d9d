"""What a report says in words before all tables."""

from __future__ import annotations

import math

import numpy as np
import pytest

from metaphrase.report.dataset.system_ranking import RankedSystem, SystemRanking
from metaphrase.report.dataset.verdict import Judged, joined, verdict
from metaphrase.scoring import MetricInfo


def judged(
    scores: list[float],
    p: dict[tuple[int, int], float] | None = None,
    *,
    name: str = "accord",
    higher_is_better: bool = True,
    documents: list[list[float]] | None = None,
) -> Judged:
    """A ranking of ``scores``; pairs that ``p`` does not name have p = .0005. ``None`` is no test."""
    values = np.array(scores)
    goodness = np.nan_to_num(values if higher_is_better else -values, nan=-math.inf)
    p_values = np.full((len(scores), len(scores)), math.nan if p is None else 0.0005)
    for (one, other), value in (p or {}).items():
        p_values[one, other] = p_values[other, one] = value
    rows = [
        RankedSystem(
            int(place),
            float(values[place]),
            None,
            None,
            None,
            1 + int(np.sum(goodness > goodness[place])),
        )
        for place in np.argsort(-goodness, kind="stable")
    ]
    return Judged(
        MetricInfo(name, name, higher_is_better, (0.0, 100.0)),
        SystemRanking(tuple(rows), p_values),
        None if documents is None else np.array(documents),
    )


class TestTwoSystems:
    def test_one_is_better_where_a_test_says_so(self) -> None:
        found = verdict(["old", "new"], [judged([60.0, 79.5], {})])
        assert found == "new is better than old by 19.50 accord (p < .001)."

    def test_lower_may_be_better(self) -> None:
        terse = judged([60.0, 55.0], {(0, 1): 0.0123}, name="ter", higher_is_better=False)
        assert verdict(["old", "new"], [terse]) == "new is better than old by 5.00 ter (p = .012)."

    def test_they_do_not_differ_where_it_does_not(self) -> None:
        found = verdict(["old", "new"], [judged([60.0, 60.5], {(0, 1): 0.31})])
        assert found == (
            "new and old do not differ significantly by accord (p = .310): new is 0.50 ahead."
        )

    def test_what_is_exactly_at_the_level_is_not_significant(self) -> None:
        found = verdict(["old", "new"], [judged([60.0, 60.5], {(0, 1): 0.05})])
        assert found is not None
        assert "do not differ significantly" in found

    def test_without_a_test_there_is_only_the_difference(self) -> None:
        found = verdict(["old", "new"], [judged([60.0, 60.5])])
        assert found == "new is 0.50 accord ahead of old. The difference was not tested."

    @pytest.mark.parametrize("p", [None, {(0, 1): 1.0}])
    def test_equal_scores_are_equal(self, p: dict[tuple[int, int], float] | None) -> None:
        found = verdict(["old", "new"], [judged([60.0, 60.0], p)])
        assert found == "old and new have the same score by accord."


class TestManySystems:
    SYSTEMS = ("a", "b", "c", "d")

    def test_the_best_is_better_than_all_others(self) -> None:
        found = verdict(self.SYSTEMS, [judged([50.0, 80.0, 70.0, 60.0], {})])
        assert found == "b is the best of 4 systems by accord, 10.00 ahead of c (p < .001)."

    def test_those_that_do_not_differ_from_it_are_named(self) -> None:
        tested = judged([50.0, 80.0, 79.0, 78.0], {(1, 2): 0.4, (1, 3): 0.2})
        assert verdict(self.SYSTEMS, [tested]) == (
            "b has the best score of 4 systems by accord; c and d do not differ from it significantly."
        )
        tested = judged([50.0, 80.0, 79.0, 70.0], {(1, 2): 0.4})
        assert verdict(self.SYSTEMS, [tested]) == (
            "b has the best score of 4 systems by accord; c does not differ from it significantly."
        )

    def test_all_may_be_alike(self) -> None:
        tested = judged([80.0, 79.0, 78.0], {(0, 1): 0.4, (0, 2): 0.3})
        assert verdict(self.SYSTEMS, [tested]) == (
            "a has the best score of 3 systems by accord, "
            "but none of the others differs from it significantly."
        )

    def test_without_a_test_the_best_is_only_ahead(self) -> None:
        assert verdict(self.SYSTEMS, [judged([50.0, 80.0, 70.0])]) == (
            "b has the best score of 3 systems by accord, 10.00 ahead of c. The differences were not tested."
        )
        assert verdict(self.SYSTEMS, [judged([80.0, 80.0, 70.0])]) == (
            "a and b share the best score of 3 systems by accord."
        )


class TestDocuments:
    NAMES = ("one", "two", "three")

    def by_document(self, new: list[float], p: float = 0.001, **options: bool) -> str:
        documents = [[50.0, 50.0, 50.0], new]
        found = verdict(
            ["old", "new"],
            [judged([60.0, 79.5], {(0, 1): p}, documents=documents, **options)],
            self.NAMES,
        )
        assert found is not None
        return found.partition("). ")[2]

    def test_those_that_go_against_the_verdict_are_named_the_clearest_first(self) -> None:
        assert (
            self.by_document([49.0, 60.0, 40.0])
            == "old is ahead in 2 of 3 documents: three and one."
        )

    def test_none_may(self) -> None:
        assert self.by_document([51.0, 60.0, 52.0]) == "It is ahead in all 3 documents."
        assert self.by_document([51.0, 50.0, 52.0]) == "old is ahead in none of the 3 documents."

    def test_they_cannot_go_against_what_was_not_said(self) -> None:
        assert self.by_document([49.0, 60.0, 40.0], p=0.4) == ""

    def test_lower_may_be_better(self) -> None:
        found = self.by_document([49.0, 60.0, 40.0], higher_is_better=False)
        assert found == "new is ahead in 2 of 3 documents: three and one."


class TestOtherMetrics:
    def test_those_that_put_another_system_first_are_named(self) -> None:
        others = [judged([70.0, 60.0], {}, name=name) for name in ("bleu", "chrf")]
        found = verdict(["old", "new"], [judged([60.0, 79.5], {}), *others])
        assert found is not None
        assert found.endswith(" By bleu and chrf, another system comes first.")

    def test_the_rest_is_silent(self) -> None:
        others = [judged([60.0, 60.0], {}, name="bleu"), judged([70.0, math.nan], {}, name="chrf")]
        found = verdict(["old", "new"], [judged([60.0, 79.5], {}), *others])
        assert found is not None
        assert found.endswith("(p < .001). By chrf, another system comes first.")


def test_one_score_is_no_verdict() -> None:
    assert verdict(["a"], [judged([60.0], {})]) is None
    assert verdict(["a", "b"], [judged([60.0, math.nan], {})]) is None


def test_of_many_names_only_the_first_are_told() -> None:
    assert joined(["a"]) == "a"
    assert joined(list("abcdef")) == "a, b, c, d, e and f"
    assert joined(list("abcdefg")) == "a, b, c, d, e and 2 others"
