"""What a report says in words before all tables."""

from __future__ import annotations

import math

import numpy as np
import pytest

from metaphrase.report.dataset.verdict import Judged, verdict
from metaphrase.scoring import MetricInfo
from metaphrase.scoring.doubts.wording import joined
from metaphrase.scoring.ranking import RankedSystem, SystemRanking
from metaphrase.statistics.resampling import PairedResult


def judged(
    scores: list[float],
    p: dict[tuple[int, int], float] | None = None,
    *,
    differing: int = 100,
    name: str = "accord",
    higher_is_better: bool = True,
    documents: list[list[float]] | None = None,
) -> Judged:
    """A ranking of ``scores``; pairs that ``p`` does not name have p = .0005. ``None`` is no test.

    The smallest p-value of exact tests is that of exchanging ``differing`` segments.
    """
    values = np.array(scores)
    goodness = np.nan_to_num(values if higher_is_better else -values, nan=-math.inf)
    tests = {
        (one, other): PairedResult(
            (p or {}).get((other, one), 0.0005),
            differing,
            exact=True,
            smallest_p=0.5 ** max(differing - 1, 0),
        )
        for one in range(len(scores))
        for other in range(one)
    }
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
        SystemRanking(tuple(rows), {} if p is None else tests),
        None if documents is None else np.array(documents),
    )


class TestTwoSystems:
    def test_one_scores_higher_where_a_test_says_so(self) -> None:
        found = verdict(["old", "new"], [judged([60.0, 79.5], {})])
        assert found == "new scores 19.50 accord higher than old (randomisation test, p < .001)."

    def test_lower_may_be_better(self) -> None:
        terse = judged([60.0, 55.0], {(0, 1): 0.0123}, name="ter", higher_is_better=False)
        assert verdict(["old", "new"], [terse]) == (
            "new scores 5.00 ter lower than old, and lower is better (randomisation test, p = .012)."
        )

    def test_they_do_not_differ_where_it_does_not(self) -> None:
        found = verdict(["old", "new"], [judged([60.0, 60.5], {(0, 1): 0.31})])
        assert found == (
            "new and old do not differ significantly by accord (randomisation test, p = .310): "
            "new is 0.50 ahead."
        )

    def test_what_is_exactly_at_the_level_is_not_significant(self) -> None:
        found = verdict(["old", "new"], [judged([60.0, 60.5], {(0, 1): 0.05})])
        assert found is not None
        assert "do not differ significantly" in found

    def test_without_a_test_there_is_only_the_difference(self) -> None:
        found = verdict(["old", "new"], [judged([60.0, 60.5])])
        assert found == "new scores 0.50 accord higher than old. The difference was not tested."

    def test_too_few_segments_are_no_test(self) -> None:
        few = judged([60.0, 60.5], {(0, 1): 0.0625}, differing=5)
        assert verdict(["old", "new"], [few]) == (
            "new scores 0.50 accord higher than old, with too few segments to test."
        )
        enough = judged([60.0, 60.5], {(0, 1): 0.0625}, differing=6)
        assert "do not differ significantly" in str(verdict(["old", "new"], [enough]))

    @pytest.mark.parametrize("p", [None, {(0, 1): 1.0}])
    def test_equal_scores_are_equal(self, p: dict[tuple[int, int], float] | None) -> None:
        found = verdict(["old", "new"], [judged([60.0, 60.0], p)])
        assert found == "old and new have the same score by accord."


class TestManySystems:
    SYSTEMS = ("a", "b", "c", "d")

    def test_the_best_may_be_ahead_of_all_others(self) -> None:
        found = verdict(self.SYSTEMS, [judged([50.0, 80.0, 70.0, 60.0], {})])
        assert found == (
            "b has the best score of 4 systems by accord, 10.00 ahead of c (randomisation test, p < .001)."
        )

    def test_those_that_do_not_differ_from_it_are_named(self) -> None:
        tested = judged([50.0, 80.0, 79.0, 78.0], {(1, 2): 0.4, (1, 3): 0.2})
        assert verdict(self.SYSTEMS, [tested]) == (
            "b has the best score of 4 systems by accord; c and d do not differ from it significantly "
            "(randomisation test)."
        )
        tested = judged([50.0, 80.0, 79.0, 70.0], {(1, 2): 0.4})
        assert verdict(self.SYSTEMS, [tested]) == (
            "b has the best score of 4 systems by accord; c does not differ from it significantly "
            "(randomisation test)."
        )

    def test_all_may_be_alike(self) -> None:
        tested = judged([80.0, 79.0, 78.0], {(0, 1): 0.4, (0, 2): 0.3})
        assert verdict(self.SYSTEMS, [tested]) == (
            "a has the best score of 3 systems by accord, "
            "but none of the others differs from it significantly (randomisation test)."
        )

    def test_too_few_segments_are_no_test(self) -> None:
        few = judged([60.0, 61.0, 60.5], {(0, 1): 0.5, (1, 2): 0.5}, differing=2)
        assert verdict(self.SYSTEMS, [few]) == (
            "b has the best score of 3 systems by accord; "
            "there are too few segments to test it against c and a."
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
        assert found.endswith("p < .001). By chrf, another system comes first.")


def test_one_score_is_no_verdict() -> None:
    assert verdict(["a"], [judged([60.0], {})]) is None
    assert verdict(["a", "b"], [judged([60.0, math.nan], {})]) is None


def test_of_many_names_only_the_first_are_told() -> None:
    assert joined(["a"]) == "a"
    assert joined(list("abcdef")) == "a, b, c, d, e and f"
    assert joined(list("abcdefg")) == "a, b, c, d, e and 2 others"
