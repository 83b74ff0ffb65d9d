"""Why accord gives a score: penalties that add up to it, and aligned words."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given, settings

from metaphrase import create
from metaphrase.corpus.normalisation import normalise
from metaphrase.metrics.accord.features import losses_of
from metaphrase.metrics.accord.metric import Accord
from metaphrase.metrics.explanation import Explanation
from metaphrase.trained.accord_model import Scale
from oracle.accord_cases import (
    HYPOTHESES,
    PAIRS,
    REFERENCES,
    comparison,
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
        base, *penalties = shown.features
        assert (base.name, base.contribution) == ("base", 100.0)
        points = [one.contribution for one in penalties]
        assert points == sorted(points)
        assert all(one < 0 for one in points)
        assert 100.0 + sum(points) == pytest.approx(shown.score, abs=1e-9)
        assert not shown.notes

    @every_kind_of_language
    @pytest.mark.parametrize("pair", PAIRS)
    def test_each_penalty_has_its_share(self, metric: Accord, pair: tuple[str, str]) -> None:
        shown = metric.explain(*pair)
        names = losses_of(metric.asked)
        row = metric.losses(comparison(metric, [pair[0]], [pair[1]]), 0, metric.asked)[0]
        weighed = dict(zip(names, row * metric.trained.weights(names), strict=True))
        assert {one.name for one in shown.features[1:]} == {n for n, w in weighed.items() if w}
        for one in shown.features[1:]:
            share = weighed[one.name] / sum(weighed.values())
            assert one.contribution == pytest.approx((shown.score - 100.0) * share)
            assert weighed[one.name] == pytest.approx(one.value * metric.trained.features[one.name])

    def test_what_changes_a_meaning_is_said_in_words(self) -> None:
        shown = Accord().explain("He did not sleep.", "He did sleep.")
        assert any(name.startswith("negation added") for name in shown.summands)

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
        assert shown.summands["extra words"] == shown.score - 100.0

    @every_kind_of_language
    def test_what_costs_nothing_is_left_out(self, metric: Accord) -> None:
        assert [*metric.explain("same", "same").summands] == ["score of the reference"]


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


class TestOtherLanguages:
    METRIC = VARIED["xx"]

    def test_words_that_are_spelt_alike_are_linked(self) -> None:
        assert linked(self.METRIC, "Flickan läser tidningen", "Flickans bror läser en tidning") == {
            ("läser", "läser", "identical"),
            ("tidningen", "tidning", "spelling"),
            ("Flickan", "Flickans", "spelling"),
        }

    def test_in_languages_with_an_analyser_so_are_those_of_one_lemma(self) -> None:
        assert linked(VARIED["de"], "Der Hund", "Des Hundes") == {
            ("Der", "Des", "lemma"),
            ("Hund", "Hundes", "lemma"),
        }

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


def test_links_of_english_are_those_of_cobalt() -> None:
    for pair in PAIRS:
        shown, aligned = VARIED["en"].explain(*pair), create("cobalt").explain(*pair)
        for part in ("hypothesis", "reference", "links"):
            assert getattr(shown, part) == getattr(aligned, part)
        assert shown.leftovers == aligned.leftovers


@every_kind_of_language
def test_it_can_be_written_as_json(metric: Accord) -> None:
    shown = metric.explain(HYPOTHESES[0], REFERENCES[0])
    again = json.loads(json.dumps(shown.to_dict(), allow_nan=False))
    assert again["score"] == shown.score
    assert [one["contribution"] for one in again["features"]] == [
        one.contribution for one in shown.features
    ]
    assert len(again["links"]) == len(shown.links)
