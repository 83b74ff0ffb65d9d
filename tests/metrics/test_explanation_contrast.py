"""Why one translation scores higher than another: parts that add up, and words that one of them lacks."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, replace

import pytest

import metaphrase
from metaphrase import Contrast, contrast, create
from metaphrase.errors import InputError
from metaphrase.metrics import Explanation, Feature, Metric
from metaphrase.metrics.explanation_contrast import LIMIT
from metrics.word_share import WordShare
from small_metrics import NAMES, small

EXPLAINING = [metric for metric in map(small, NAMES) if metric.explains()]
every_metric = pytest.mark.parametrize("metric", EXPLAINING, ids=lambda metric: metric.name)

REFERENCE = "He doesn't remember who gave him the letter."
GOOD = "He does not remember who gave him the letter."
BAD = "He reminds himself not, who has given him the letter."


def forms(words: tuple) -> list[str]:
    return [word.form for word in words]


class TestEveryMetric:
    @every_metric
    @pytest.mark.parametrize(
        "pair", [(GOOD, BAD), (BAD, ""), ("", ""), (REFERENCE, BAD), (BAD, BAD)]
    )
    def test_it_can_be_contrasted_and_written_as_json(
        self, metric: Metric, pair: tuple[str, str]
    ) -> None:
        found = metric.contrast(*pair, REFERENCE)
        assert {found.better_text, found.worse_text} == set(pair)
        assert found.difference == found.better_score - found.worse_score
        assert (found.difference >= 0) is metric.higher_is_better or found.difference == 0
        json.dumps(found.to_dict(), allow_nan=False)

    @every_metric
    def test_parts_add_up_to_the_difference_the_largest_first(self, metric: Metric) -> None:
        found = metric.contrast(BAD, GOOD, REFERENCE)
        sizes = [abs(part.difference) for part in found.parts]
        assert sizes == sorted(sizes, reverse=True)
        if found.parts:
            assert sum(part.difference for part in found.parts) == pytest.approx(found.difference)
            assert sum(part.better for part in found.parts) == pytest.approx(found.better_score)
            assert sum(part.worse for part in found.parts) == pytest.approx(found.worse_score)

    @every_metric
    def test_the_order_of_the_two_does_not_matter(self, metric: Metric) -> None:
        assert metric.contrast(GOOD, BAD, REFERENCE) == metric.contrast(BAD, GOOD, REFERENCE)

    @every_metric
    def test_of_equal_translations_there_is_nothing_to_say(self, metric: Metric) -> None:
        found = metric.contrast(BAD, BAD, REFERENCE)
        assert found.difference == 0.0
        assert not any(part.difference for part in (*found.parts, *found.features))
        assert found.words == found.better_extra == found.worse_extra == ()

    def test_those_whose_scores_are_sums_have_parts(self) -> None:
        have = {metric.name for metric in EXPLAINING if metric.contrast(GOOD, BAD, REFERENCE).parts}
        assert have == {"accord", "nist", "pfsm", "ppda", "ppda+f", "ter", "tesla"}


class TestWords:
    found = create("accord").contrast(GOOD, BAD, REFERENCE)

    def test_a_word_that_one_of_them_lacks(self) -> None:
        (word,) = self.found.only_better
        assert word.form == "does"
        assert word.better is not None
        assert word.better.forms == ("does",)
        assert word.worse is None
        assert self.found.only_worse == ()

    def test_it_costs_what_the_explanation_says(self) -> None:
        (rest,) = (
            rest
            for rest in create("accord").explain(BAD, REFERENCE).leftovers
            if rest.side == "reference"
        )
        assert [word.cost for word in self.found.only_better] == [rest.cost]
        assert all(word.cost for word in self.found.worse_extra)

    def test_words_that_both_have_but_not_alike(self) -> None:
        shown = {word.form: word for word in self.found.rendered_otherwise}
        assert [*shown] == ["remember", "gave"]
        other = shown["gave"].worse
        assert other is not None
        assert (other.forms, other.kind) == (("given",), "lemma")
        assert other.worth == other.similarity - other.penalty

    def test_words_too_many(self) -> None:
        assert forms(self.found.worse_extra) == ["himself", ",", "has"]
        assert self.found.better_extra == ()

    def test_words_that_both_have_too_many_are_left_out_as_often_as_both_have_them(self) -> None:
        found = create("cobalt").contrast("so so a cat", "so a cat barks", "a cat")
        assert forms((*found.better_extra, *found.worse_extra)) in (
            ["so", "barks"],
            ["barks", "so"],
        )

    def test_a_substitution_by_another_word_is_no_rendering(self) -> None:
        """TER pairs *cat* with *dog*, but that is not to have it."""
        found = create("ter").contrast("the dog sat", "the cat sat", "the cat sat")
        assert forms(found.only_better) == ["cat"]
        assert forms(found.worse_extra) == ["dog"]

    def test_words_that_the_metric_leaves_out_are_not_too_many(self) -> None:
        """PBE counts phrases alone: the full stop and the adverb are in none."""
        found = create("pbe").contrast("Today the cat sat.", "The cat sat", "The cat sat")
        assert "." not in forms((*found.better_extra, *found.worse_extra))


class TestLimits:
    def made(self, text: str, score: float, **parts: float) -> Explanation:
        empty = create("accord").explain("", "")
        return replace(empty, hypothesis_text=text, score=score, parts=parts)

    def test_what_was_cut_at_the_end_of_the_scale_is_a_part(self) -> None:
        found = contrast(
            self.made("b", 0.0, whole=100.0, lost=-130.0),
            self.made("a", 60.0, whole=100.0, lost=-40.0),
        )
        assert {part.name: part.difference for part in found.parts} == {
            "lost": 90.0,
            LIMIT: -30.0,
            "whole": 0.0,
        }
        assert found.difference == 60.0

    def test_a_part_that_one_of_them_lacks_is_0(self) -> None:
        found = contrast(self.made("a", 3.0, x=1.0, y=2.0), self.made("b", 1.0, x=1.0))
        assert {part.name: part.difference for part in found.parts} == {"x": 0.0, "y": 2.0}

    def test_features_are_those_that_both_have(self) -> None:
        both = Feature("b", "both", 1.0)
        one = replace(self.made("a", 1.0), features=(both, Feature("o", "one", 1.0)))
        other = replace(self.made("b", 1.0), features=(both, Feature("o", "one", None)))
        assert [feature.name for feature in contrast(one, other).features] == ["both"]

    def test_it_is_frozen(self) -> None:
        with pytest.raises(FrozenInstanceError):
            TestWords.found.difference = 0.0  # type: ignore[misc]


class TestRefusals:
    def test_two_metrics_cannot_be_compared(self) -> None:
        with pytest.raises(InputError, match="MP575"):
            contrast(create("cobalt").explain("a", "b"), create("ter").explain("a", "b"))

    def test_nor_two_sets_of_options(self) -> None:
        one, other = create("cobalt"), create("cobalt:alpha=0.5")
        with pytest.raises(InputError, match="MP575"):
            contrast(one.explain("a", "b"), other.explain("a", "b"))

    def test_nor_two_references(self) -> None:
        metric = create("cobalt")
        with pytest.raises(InputError, match="MP575"):
            contrast(metric.explain("a", "b"), metric.explain("a", "c"))


def test_metrics_that_show_nothing_of_themselves_tell_the_difference() -> None:
    found = WordShare().contrast("a b", "a c", "a b")
    assert found.difference == pytest.approx(50.0)


def test_the_package_offers_it() -> None:
    found = metaphrase.Accord().contrast(GOOD, BAD, REFERENCE)
    assert isinstance(found, Contrast)
