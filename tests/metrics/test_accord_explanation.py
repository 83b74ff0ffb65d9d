"""Why accord gives a score: groups that add up to it, aligned words, and the price of the others."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import example, given, settings

from metaphrase import create
from metaphrase.corpus.normalisation import normalise
from metaphrase.metrics.accord.features import GROUPS
from metaphrase.metrics.accord.metric import Accord
from metaphrase.metrics.explanation import Explanation
from metaphrase.trained.accord_model import Scale
from oracle.accord_cases import (
    HYPOTHESES,
    PAIRS,
    REFERENCES,
    comparison,
    in_sequence,
    points_lost,
    segment,
    small_accord,
    varied,
)

SCALE = Scale(middle=10.0, steepness=2.0)
VARIED = {lang: varied(lang, SCALE) for lang in ("en", "de", "xx")}
every_kind_of_language = pytest.mark.parametrize("metric", VARIED.values(), ids=VARIED.keys())


class TestPoints:
    @every_kind_of_language
    @settings(max_examples=40)
    @given(hypothesis=segment, reference=segment)
    @example(hypothesis=HYPOTHESES[0], reference=REFERENCES[0])
    @example(hypothesis="", reference="the cat")
    @example(hypothesis="İ I ı ΑΣ", reference="i̇ ας")
    def test_they_add_up_to_the_score(
        self, metric: Accord, hypothesis: str, reference: str
    ) -> None:
        shown = metric.explain(hypothesis, reference)
        found = comparison(metric, [hypothesis], [reference])
        changes = [change for _, _, change in metric.shifts(found)]
        whole, *lost = shown.parts.values()
        assert whole == 100.0
        rest = 100.0 - in_sequence([-part for part in lost])
        assert rest > -1e-9
        assert shown.score == (rest if rest > 1e-9 else 0.0)
        for feature in shown.features:
            assert feature.value == -shown.parts[feature.name]
            assert sum(feature.details.values()) == pytest.approx(feature.value)
            # What changes a meaning is said in words.
            assert feature.details.keys() <= {*GROUPS[feature.name], *changes}
        assert not shown.notes

    @every_kind_of_language
    @pytest.mark.parametrize("pair", PAIRS)
    def test_the_score_is_that_of_the_metric(self, metric: Accord, pair: tuple[str, str]) -> None:
        hypothesis, reference = pair
        shown = metric.explain(hypothesis, reference)
        assert shown.score == metric.sentence_score(hypothesis, [reference]).score
        assert (shown.metric, shown.signature) == ("accord", str(metric.signature(1)))

    def test_however_much_is_lost_they_still_add_up(self) -> None:
        shown = small_accord({"w1p": 250.0}, scale=SCALE).explain("yes", "no")
        assert shown.score == pytest.approx(100 / (1 + 25**2))
        assert shown.parts["wrong words"] == shown.score - 100.0

    @every_kind_of_language
    def test_what_costs_nothing_is_shown_as_0(self, metric: Accord) -> None:
        """Not as −0, which readers take for something that was rounded."""
        _, *lost = metric.explain("same", "same").parts.values()
        assert {str(part) for part in lost} == {"0.0"}

    def test_groups_that_the_model_does_not_weigh_are_left_out(self) -> None:
        shown = small_accord({"short": 1.0, "long": 1.0}).explain("yes", "yes yes")
        assert [feature.name for feature in shown.features] == ["length"]
        assert [*shown.parts] == ["as good as the reference", "length"]


def forms(shown: Explanation, side: str, places: tuple[int, ...]) -> str:
    return " ".join(getattr(shown, side)[place].form for place in places)


def linked(metric: Accord, hypothesis: str, reference: str) -> set[tuple[str, str, str]]:
    shown = metric.explain(hypothesis, reference)
    return {
        (
            forms(shown, "hypothesis", link.hypothesis),
            forms(shown, "reference", link.reference),
            link.kind,
        )
        for link in shown.links
    }


class TestWordsBySpelling:
    METRIC = VARIED["xx"]

    def test_words_that_are_spelt_alike_are_linked(self) -> None:
        assert linked(self.METRIC, "Flickan läser tidningen", "Flickans bror läser en tidning") == {
            ("läser", "läser", "identical"),
            ("tidningen", "tidning", "spelling"),
            ("Flickan", "Flickans", "spelling"),
        }

    def test_languages_with_tags_alone_are_linked_in_the_same_way(self) -> None:
        assert linked(VARIED["de"], "Der Hund", "Des Hundes") == {("Hund", "Hundes", "spelling")}

    def test_an_equal_word_comes_before_one_that_is_alike(self) -> None:
        found = linked(self.METRIC, "tidningen", "tidning tidningen")
        assert found == {("tidningen", "tidningen", "identical")}

    def test_of_equal_words_those_in_the_same_place_are_linked(self) -> None:
        shown = self.METRIC.explain("ja nej ja", "ja nej ja")
        assert {(*link.hypothesis, *link.reference) for link in shown.links} == {
            (0, 0),
            (1, 1),
            (2, 2),
        }
        assert shown.leftovers == ()

    @settings(max_examples=60)
    @given(hypothesis=segment, reference=segment)
    def test_every_word_is_linked_once_or_left_over(self, hypothesis: str, reference: str) -> None:
        shown = self.METRIC.explain(hypothesis, reference)
        for side in ("hypothesis", "reference"):
            used = [place for link in shown.links for place in getattr(link, side)]
            alone = [place for rest in shown.leftovers if rest.side == side for place in rest.words]
            assert sorted(used + alone) == [*range(len(getattr(shown, side)))]
        for link in shown.links:
            assert 0.5 <= link.similarity <= 1
            sides = [
                normalise(forms(shown, side, getattr(link, side))).lower()
                for side in ("hypothesis", "reference")
            ]
            same = len(set(sides))
            assert (link.kind == "identical") == (link.similarity == 1) == (same == 1)

    def test_words_are_where_the_text_has_them(self) -> None:
        text = "  Ja,  TAK 北京"
        shown = self.METRIC.explain(text, "")
        assert [text[word.start : word.end] for word in shown.hypothesis] == [
            *("Ja", ",", "TAK", "北", "京")
        ]


class TestPrices:
    @every_kind_of_language
    @pytest.mark.parametrize("pair", PAIRS)
    def test_what_words_cost_adds_up_to_their_group(
        self, metric: Accord, pair: tuple[str, str]
    ) -> None:
        shown = metric.explain(*pair)
        for side, group in (("reference", "words missing"), ("hypothesis", "words too many")):
            costs = [rest.cost for rest in shown.leftovers if rest.side == side]
            if costs:
                assert sum(costs) == pytest.approx(-shown.parts[group], abs=1e-12)

    def test_of_points_they_are_added(self) -> None:
        shown = Accord(points="segment").explain("The cat sat.", "The cat sat on mats.")
        costs = [rest.cost for rest in shown.leftovers if rest.side == "reference"]
        assert sum(costs) == pytest.approx(-shown.parts["words missing"], abs=1e-12)
        assert max(costs) < 0

    def test_a_content_word_costs_more_than_a_function_word(self) -> None:
        """*The cat sat.* lacks on, which weighs 0.3, and mats, which weighs 0.7."""
        metric = small_accord({"content missing": 20.0, "function missing": 15.0})
        shown = metric.explain("The cat sat.", "The cat sat on mats.")
        # One of three content words (cat, sat, mats), and one of three others (the, on and the full stop).
        points = points_lost(20 / 3 + 15 / 3)
        assert shown.parts["words missing"] == pytest.approx(-points)
        costs = {shown.reference[rest.words[0]].form: rest.cost for rest in shown.leftovers}
        assert costs == pytest.approx({"on": 0.3 * points, "mats": 0.7 * points})

    def test_without_an_aligner_all_words_cost_the_same(self) -> None:
        shown = small_accord({"edit missing": 15.0}, lang="xx").explain("ja", "ja xyz 北")
        # Two of three words are missing, which weighs 15 · 2/3.
        assert [rest.cost for rest in shown.leftovers] == pytest.approx([points_lost(10) / 2] * 2)

    def test_points_without_a_word_to_pay_them_stay_with_the_group(self) -> None:
        shown = small_accord({"ar": 10.0}).explain("He recalls it.", "He remembered it.")
        assert shown.leftovers == ()
        assert shown.parts["words missing"] < 0.0

    def test_words_of_a_group_that_is_not_weighed_have_no_cost(self) -> None:
        shown = small_accord({"ar": 10.0}).explain("It sat.", "The cat sat on mats.")
        assert {rest.side for rest in shown.leftovers if rest.cost is None} == {"hypothesis"}
        assert {rest.side for rest in shown.leftovers if rest.cost is not None} == {"reference"}


def test_links_of_english_are_those_of_cobalt() -> None:
    for pair in PAIRS:
        shown, aligned = VARIED["en"].explain(*pair), create("cobalt").explain(*pair)
        for part in ("hypothesis", "reference", "links"):
            assert getattr(shown, part) == getattr(aligned, part)
        unpriced = tuple(replace(rest, cost=None) for rest in shown.leftovers)
        assert sorted(unpriced, key=str) == sorted(aligned.leftovers, key=str)


@every_kind_of_language
def test_it_can_be_written_as_json(metric: Accord) -> None:
    shown = metric.explain(HYPOTHESES[0], REFERENCES[0])
    again = json.loads(json.dumps(shown.to_dict(), allow_nan=False))
    assert again["score"] == shown.score
    assert again["parts"] == shown.parts
    assert len(again["links"]) == len(shown.links)
