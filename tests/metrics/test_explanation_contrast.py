"""Why one translation scores higher than another: parts that add up, and words that one of them lacks."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, replace

import pytest

import metaphrase
from metaphrase import Contrast, contrast, create
from metaphrase.errors import InputError
from metaphrase.metrics import Explanation, Feature, Metric
from metaphrase.metrics.explanation import Repair, Span
from metaphrase.metrics.explanation_contrast import REFERENCE, UNTOLD
from metrics.word_share import WordShare
from small_metrics import NAMES, small

EXPLAINING = [metric for metric in map(small, NAMES) if metric.explains()]
every_metric = pytest.mark.parametrize("metric", EXPLAINING, ids=lambda metric: metric.name)

REFERENCE_TEXT = "He doesn't remember who gave him the letter."
GOOD = "He does not remember who gave him the letter."
BAD = "He reminds himself not, who has given him the letter."


def forms(words: tuple) -> list[str]:
    return [word.form for word in words]


class TestEveryMetric:
    @every_metric
    @pytest.mark.parametrize(
        "pair", [(GOOD, BAD), (BAD, ""), ("", ""), (REFERENCE_TEXT, BAD), (BAD, BAD)]
    )
    def test_it_can_be_contrasted_and_written_as_json(
        self, metric: Metric, pair: tuple[str, str]
    ) -> None:
        found = metric.contrast(*pair, REFERENCE_TEXT)
        assert {found.better_text, found.worse_text} == set(pair)
        assert found.difference == found.better_score - found.worse_score
        assert (found.difference >= 0) is metric.higher_is_better or found.difference == 0
        json.dumps(found.to_dict(), allow_nan=False)

    @every_metric
    def test_parts_add_up_to_the_difference_the_largest_first(self, metric: Metric) -> None:
        found = metric.contrast(BAD, GOOD, REFERENCE_TEXT)
        sizes = [abs(part.difference) for part in found.parts]
        assert sizes == sorted(sizes, reverse=True)
        if found.parts:
            assert sum(part.difference for part in found.parts) == pytest.approx(found.difference)
            assert sum(part.better for part in found.parts) == pytest.approx(found.better_score)
            assert sum(part.worse for part in found.parts) == pytest.approx(found.worse_score)

    @every_metric
    def test_the_order_of_the_two_does_not_matter(self, metric: Metric) -> None:
        assert metric.contrast(GOOD, BAD, REFERENCE_TEXT) == metric.contrast(
            BAD, GOOD, REFERENCE_TEXT
        )

    @every_metric
    def test_of_equal_translations_there_is_nothing_to_say(self, metric: Metric) -> None:
        found = metric.contrast(BAD, BAD, REFERENCE_TEXT)
        assert found.difference == 0.0
        assert not any(part.difference for part in found.parts)
        assert found.words == found.better_extra == found.worse_extra == ()

    def test_only_those_that_look_beyond_the_segment_may_lack_parts(self) -> None:
        lack = {
            metric.name
            for metric in EXPLAINING
            if not metric.contrast(GOOD, BAD, REFERENCE_TEXT).parts
        }
        assert lack <= {"pbe"}


class TestWords:
    found = create("accord").contrast(GOOD, BAD, REFERENCE_TEXT)

    def test_a_word_that_one_of_them_lacks(self) -> None:
        (word,) = self.found.only_better
        assert word.form == "does"
        assert word.better is not None
        assert word.better.forms == ("does",)
        assert word.worse is None
        assert self.found.only_worse == ()

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


class TestParts:
    def repaired(self, text: str, matched: float = 1.0, **points: float) -> Explanation:
        nowhere = Span(0, 0, "")
        repairs = tuple(
            Repair(kind, nowhere, nowhere, "a", "b", one, (), ()) for kind, one in points.items()
        )
        return replace(
            create("accord").explain("", ""),
            hypothesis_text=text,
            score=100.0 - sum(points.values()),
            maximum=100.0,
            repairs=repairs,
            matched=matched,
        )

    def test_they_are_points_of_repairs_by_kind(self) -> None:
        found = contrast(self.repaired("a", x=10.0), self.repaired("b", x=30.0, y=5.0))
        assert [(part.name, part.better, part.worse) for part in found.parts] == [
            ("x", -10.0, -30.0),
            ("y", 0.0, -5.0),
            (REFERENCE, 100.0, 100.0),
        ]

    def test_of_too_few_words_in_common_nothing_is_told_apart(self) -> None:
        found = contrast(self.repaired("a"), self.repaired("b", matched=0.1, x=30.0, y=5.0))
        assert {part.name: part.worse for part in found.parts} == {UNTOLD: -35.0, REFERENCE: 100.0}

    def test_without_repairs_they_are_what_the_score_is_the_sum_of(self) -> None:
        one = replace(
            self.repaired("a"), maximum=None, features=(Feature("n", "bits", 1, {}, 2.0),)
        )
        other = replace(one, hypothesis_text="b", score=98.0, features=())
        assert [(part.name, part.difference) for part in contrast(one, other).parts] == [
            ("bits", 2.0)
        ]

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
    found = metaphrase.Accord().contrast(GOOD, BAD, REFERENCE_TEXT)
    assert isinstance(found, Contrast)
