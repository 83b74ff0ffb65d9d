"""Measures by name, on judgements small enough to work out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from metaphrase.errors import InputError, OptionError
from metaphrase.meta import (
    JudgedScores,
    JudgedText,
    Judgements,
    Measure,
    Ranking,
    agreement_column,
    agreement_table,
    judge_agreement,
    preference_test,
    preferences,
    ranking_tau,
    score_judged,
    system_judgements,
)
from metaphrase.meta.measures import Basis
from metaphrase.metrics import create
from metaphrase.report.terminal.agreement_view import signature_lines
from metaphrase.statistics.wmt_tau import TAU_VARIANTS

NAN = np.nan
#: Three systems on four segments of two documents.
HUMAN = np.array([[1.0, 2.0, 3.0, NAN], [0.0, 2.0, 1.0, 4.0], [-1.0, 0.0, NAN, 1.0]])


def judged(human: np.ndarray = HUMAN, rankings: tuple[Ranking, ...] = ()) -> Judgements:
    texts = tuple(
        JudgedText(f"the cat {'very ' * s}sat {'again ' * i}", ("the cat sat",))
        for s in range(3)
        for i in range(4)
    )
    return Judgements(
        "made-up",
        "de-en",
        ("A", "B", "C"),
        ("1", "2", "3", "4"),
        ("x", "x", "y", "y"),
        texts,
        np.arange(12, dtype=np.int32).reshape(3, 4),
        human,
        rankings,
    )


RANKED = judged(
    np.full((3, 4), NAN),
    (
        Ranking(0, "J1", (0, 1, 2), (1, 2, 2), (0, 1, 2)),
        Ranking(1, "J1", (0, 2), (2, 1), (0, 1)),
        Ranking(1, "J2", (0, 2), (1, 2), (0, 1)),
    ),
)


def scores(segment: np.ndarray) -> JudgedScores:
    document = np.stack([segment[:, :2].mean(1), segment[:, 2:].mean(1)], axis=1)
    return JudgedScores("made-up", "made-up", segment, document, segment.mean(axis=1))


PERFECT = scores(np.nan_to_num(HUMAN, nan=9.0))


class TestLevels:
    @pytest.mark.parametrize("name", ["pearson", "spearman", "kendall"])
    @pytest.mark.parametrize("group_by", ["none", "segment", "system"])
    def test_people_agree_with_themselves(self, name: str, group_by: str) -> None:
        value = Measure(name=name, group_by=group_by)(PERFECT, judged())
        assert value == pytest.approx(1.0)

    def test_acc_eq_of_people_with_themselves_is_1(self) -> None:
        assert Measure(name="acc-eq", group_by="segment")(PERFECT, judged()) == 1.0

    def test_documents_are_compared_by_their_means(self) -> None:
        # Human document means: A 1.5, 3; B 1, 2.5; C -0.5, 1. A metric that doubles them agrees.
        human = np.array([[1.5, 3.0], [1.0, 2.5], [-0.5, 1.0]])
        metric = JudgedScores("m", "m", HUMAN, 2 * human, HUMAN[:, 0])
        assert Measure(name="pearson", level="document")(metric, judged()) == pytest.approx(1.0)

    def test_systems_are_compared_by_the_means_of_their_judgements(self) -> None:
        # A (1+2+3)/3 = 2, B 7/4, C 0.
        np.testing.assert_allclose(system_judgements(judged()), [2.0, 1.75, 0.0])
        metric = JudgedScores("m", "m", HUMAN, HUMAN, np.array([3.0, 2.0, 1.0]))
        assert Measure(name="spearman", level="system")(metric, judged()) == pytest.approx(1.0)
        assert Measure(name="system-accuracy")(metric, judged()) == 1.0

    def test_systems_can_be_compared_by_the_segments_they_win(self) -> None:
        # A wins segments 1 and 2 by a little, B segment 3 by far and segment 4, where it is alone with C.
        segment = np.array([[0.5, 0.5, 0.1, NAN], [0.4, 0.4, 0.9, 0.9], [0.3, 0.4, 0.2, 0.1]])
        metric = JudgedScores("m", "m", segment, segment, np.array([0.36, 0.65, 0.25]))
        # By wins A 2/3, B 2/4, C 0; raters say 2, 1.75, 0. By means B is ahead.
        won = np.array([2 / 3, 1 / 2, 0.0])
        expected = np.corrcoef(won, [2.0, 1.75, 0.0])[0, 1]
        by_wins = Measure(name="pearson", level="system", wins="all")
        assert by_wins(metric, judged()) == pytest.approx(expected)
        assert by_wins.label == "pearson, system level, by wins"
        assert Measure(name="system-accuracy", wins="all")(metric, judged()) == 1.0
        assert Measure(name="system-accuracy")(metric, judged()) == pytest.approx(2 / 3)

    def test_ties_of_systems_can_be_shared(self) -> None:
        segment = np.array([[0.5, 0.5], [0.5, 0.1], [0.5, 0.1]])
        metric = JudgedScores("m", "m", segment, segment, segment.mean(axis=1))
        two = judged_matrix(np.array([[3.0, 3.0], [2.0, 2.0], [1.0, 1.0]]))
        measure = Measure(name="kendall", level="system", wins="share")
        # A wins 1/3 + 1 of 2, B and C 1/3 of 2 each: of three pairs two are right and one is tied.
        assert measure(metric, two) == pytest.approx(2 / np.sqrt(3 * 2))
        assert measure.label == "kendall, system level, by shared wins"

    def test_a_system_that_is_alone_wins_nothing(self) -> None:
        segment = np.array([[0.5, 0.9, 0.9], [0.6, NAN, NAN], [0.1, NAN, NAN]])
        metric = JudgedScores("m", "m", segment, segment, np.array([0.8, 0.6, 0.1]))
        data = judged_matrix(np.array([[1.0] * 3, [2.0, NAN, NAN], [0.0, NAN, NAN]]))
        measure = Measure(name="spearman", level="system", wins="all")
        # A 0, B 1, C 0; with the segments that A has alone it would be A 2/3.
        assert measure(metric, data) == pytest.approx(np.sqrt(3) / 2)

    @pytest.mark.parametrize(
        ("options", "code"),
        [
            ({"name": "pearson", "wins": "all"}, "MP781"),
            ({"name": "tau", "wins": "all"}, "MP781"),
            ({"name": "soft-accuracy", "wins": "all"}, "MP781"),
            ({"name": "pearson", "level": "system", "wins": "most"}, "MP532"),
        ],
    )
    def test_wins_are_of_systems(self, options: dict[str, Any], code: str) -> None:
        with pytest.raises(OptionError, match=code):
            Measure(**options)

    def test_differences_of_wins_are_tested(self) -> None:
        generator = np.random.default_rng(4)
        human = generator.normal(size=(12, 1)) + generator.normal(scale=0.2, size=(12, 60))
        good, bad = (JudgedScores("m", "m", s, s, s.mean(axis=1)) for s in (human, -human))
        measure, data = Measure(name="pearson", level="system", wins="all"), judged_matrix(human)
        assert measure.p_value(good, bad, data, resamples=200) < 0.05
        assert measure.p_value(good, good, data, resamples=200) == 1.0

    def test_a_worse_metric_agrees_less(self) -> None:
        for name in ("pearson", "kendall", "acc-eq", "soft-accuracy"):
            measure = Measure(name=name)
            worse = scores(-PERFECT.segment)
            assert measure(worse, judged()) < measure(PERFECT, judged())


class TestPreferences:
    def test_rankings_become_pairs(self) -> None:
        # Ranking 1: A over B, A over C, B and C tied; rankings 2 and 3 contradict each other.
        pairs = preferences(RANKED)
        assert len(pairs) == 5
        assert sorted(pairs.order.tolist()) == [-1, 0, 1, 1, 1]

    def test_tau_counts_them(self) -> None:
        # A metric that puts A first everywhere: 3 right, 1 wrong, the tie left out: (3 − 1) / 4.
        metric = scores(np.array([[3.0] * 4, [2.0] * 4, [1.0] * 4]))
        assert Measure(name="tau")(metric, RANKED) == 0.5
        assert Measure(name="consistency")(metric, RANKED) == 0.75

    def test_systems_are_ranked_by_the_share_of_comparisons_won(self) -> None:
        # A won 3 of 4 decided comparisons, B lost its only one, C won 1 of 3.
        np.testing.assert_allclose(system_judgements(RANKED), [0.75, 0.0, 1 / 3])

    def test_relative_ranking_needs_25_points(self) -> None:
        # Segment 1: 30 points apart, segment 2: 10.
        human = np.array([[80.0, 60.0], [50.0, 50.0]])
        two = Judgements(
            *("m", "de-en", ("A", "B"), ("1", "2"), None, RANKED.texts[:4]),
            np.arange(4, dtype=np.int32).reshape(2, 2),
            human,
        )
        metric = JudgedScores("m", "m", np.array([[1.0, 0.0], [0.0, 1.0]]), human, human[:, 0])
        assert Measure(name="darr")(metric, two) == 1.0
        assert Measure(name="darr", threshold=10.0)(metric, two) == 0.0


class TestJudges:
    def test_kappa_between_judges_and_within_them(self) -> None:
        # Segment 1, systems A and C: J1 prefers C, J2 prefers A: one comparison, no agreement.
        between, within = judge_agreement(RANKED)
        assert (between.comparisons, between.observed) == (1, 0.0)
        assert within.comparisons == 0
        assert np.isnan(within.kappa)

    def test_an_item_of_several_systems_is_compared_once(self) -> None:
        data = judged(np.full((3, 4), NAN), (Ranking(0, "J", (0, 1, 2), (1, 1, 2), (0, 0, 1)),))
        assert len(preferences(data)) == 3
        once = preferences(data, each_item_once=True)
        assert (once.first.tolist(), once.second.tolist()) == ([0], [2])

    def test_scores_have_no_judges(self) -> None:
        with pytest.raises(InputError, match="MP785"):
            judge_agreement(judged())


class TestTests:
    @pytest.mark.parametrize("name", ["pearson", "kendall", "acc-eq", "tau", "consistency"])
    def test_a_metric_is_not_better_than_itself(self, name: str) -> None:
        data = RANKED if name in ("tau", "consistency") else judged()
        assert Measure(name=name).p_value(PERFECT, PERFECT, data, resamples=50) == 1.0

    def test_a_preference_test_finds_a_real_difference(self) -> None:
        generator = np.random.default_rng(1)
        human = generator.normal(size=(6, 200))
        data = judged_matrix(human)
        good = human + generator.normal(size=human.shape)
        bad = generator.normal(size=human.shape)
        pairs, table = preferences(data), TAU_VARIANTS["wmt14"]
        assert ranking_tau(good, pairs, variant=table) > ranking_tau(bad, pairs, variant=table)
        assert preference_test(good, bad, pairs, table, resamples=200) < 0.01
        assert preference_test(bad, good, pairs, table, resamples=200) > 0.99

    def test_its_seed_reproduces_it(self) -> None:
        generator = np.random.default_rng(2)
        human, one, other = (generator.normal(size=(4, 30)) for _ in range(3))
        pairs, table = preferences(judged_matrix(human)), TAU_VARIANTS["wmt13"]
        p_values = {preference_test(one, other, pairs, table, seed=s) for s in (7, 7, 7)}
        assert len(p_values) == 1

    def test_it_equals_the_enumeration_of_all_exchanges(self) -> None:
        # Three segments: eight exchanges, each as likely; the test draws them at random.
        generator = np.random.default_rng(3)
        human, one, other = (generator.normal(size=(3, 3)) for _ in range(3))
        pairs, table = preferences(judged_matrix(human)), TAU_VARIANTS["wmt12"]
        observed = ranking_tau(one, pairs, variant=table) - ranking_tau(other, pairs, variant=table)
        differences = []
        for bits in range(8):
            swap = np.array([bits >> i & 1 for i in range(3)], dtype=bool)
            first, second = np.where(swap, other, one), np.where(swap, one, other)
            differences.append(
                ranking_tau(first, pairs, variant=table) - ranking_tau(second, pairs, variant=table)
            )
        exact = np.mean(np.array(differences) >= observed - 1e-12)
        estimate = preference_test(one, other, pairs, table, resamples=20_000)
        assert estimate == pytest.approx(exact, abs=0.02)  # six standard errors


def judged_matrix(human: np.ndarray) -> Judgements:
    systems, segments = human.shape
    return Judgements(
        "m",
        "de-en",
        tuple(map(str, range(systems))),
        tuple(map(str, range(segments))),
        None,
        (JudgedText("x", ("y",)),),
        np.zeros(human.shape, np.int32),
        human,
    )


class TestTable:
    def test_metrics_by_data_sets(self) -> None:
        table = agreement_table([judged()], ["bleu", "chrf"], resamples=20)
        assert table.metrics == ("bleu", "chrf")
        (column,) = table.columns
        assert (column.data, column.language_pair) == ("made-up", "de-en")
        assert np.isfinite(column.value).all()
        assert set(column.cluster.tolist()) <= {1, 2}
        assert table.to_dict()["columns"][0]["values"] == column.value.tolist()

    def test_the_same_metric_twice_is_a_mistake(self) -> None:
        with pytest.raises(OptionError, match="MP515"):
            agreement_table([judged()], ["bleu", "bleu"])

    def test_without_resamples_nothing_is_tested(self) -> None:
        table = agreement_table([judged()], ["bleu"], resamples=0)
        assert table.columns[0].cluster.tolist() == [0]

    def test_a_metric_without_the_language_has_no_value(self) -> None:
        finnish = Judgements(
            **{n: getattr(judged(), n) for n in FIELDS} | {"language_pair": "en-fi"}
        )
        table = agreement_table([finnish], ["tesla-m", "chrf"], resamples=10, check_language=False)
        assert np.isnan(table.columns[0].value).tolist() == [True, False]
        assert table.to_dict()["columns"][0]["values"][0] is None

    def test_what_was_not_tested_has_no_cluster(self) -> None:
        finnish = Judgements(
            **{n: getattr(judged(), n) for n in FIELDS} | {"language_pair": "en-fi"}
        )
        for metrics in (["tesla-m", "chrf"], ["chrf"]):
            table = agreement_table([finnish], metrics, resamples=10, check_language=False)
            assert not table.columns[0].cluster.any()

    def test_too_many_pairs_to_calibrate_give_values_without_clusters(self) -> None:
        generator = np.random.default_rng(5)
        data = judged_matrix(generator.normal(size=(3, 900)))  # 3.6 million pairs, pooled
        fixed = {
            name: JudgedScores(name, name, generator.normal(size=(3, 900)), data.human, data.human)
            for name in ("bleu", "chrf")
        }
        table = agreement_table(
            [data],
            ["bleu", "chrf"],
            measure=lambda _: Measure(name="acc-eq"),
            scorer=lambda _, metric: fixed[metric.name],
        )
        assert np.isfinite(table.columns[0].value).all()
        assert not table.columns[0].cluster.any()

    def test_means_are_of_one_data_set_and_measure(self) -> None:
        table = agreement_table([judged(), RANKED], ["bleu"], resamples=0)
        means = table.to_dict()["means"]
        assert [m["measure"] for m in means] == ["pearson, segment level", "τ (wmt14)"]
        assert [m["values"] for m in means] == [c.value.tolist() for c in table.columns]

    def test_lower_is_better_is_turned_round(self) -> None:
        ter = score_judged(judged(), create("ter"))
        chrf = score_judged(judged(), create("chrf"))
        assert np.corrcoef(ter.segment.ravel(), chrf.segment.ravel())[0, 1] > 0

    def test_systems_are_scored_from_sums(self) -> None:
        bleu = create("bleu")
        data = judged()
        hypotheses = [data.texts[t].hypothesis for t in data.text_of[1]]
        references = [data.texts[t].references[0] for t in data.text_of[1]]
        expected = bleu.corpus_score(hypotheses, [references]).score
        assert score_judged(data, bleu).system[1] == pytest.approx(expected)

    def test_progress_is_told(self) -> None:
        told: list[int] = []
        score_judged(judged(), create("bleu"), progress=told.append)
        assert told == [12]


FIELDS = (
    "name",
    "language_pair",
    "systems",
    "segments",
    "documents",
    "texts",
    "text_of",
    "human",
    "rankings",
)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"name": "rouge"}, "MP710"),
        ({"name": "tau", "variant": "wmt99"}, "MP710"),
        ({"name": "pearson", "level": "word"}, "MP710"),
        ({"name": "pearson", "level": "system", "group_by": "segment"}, "MP781"),
        ({"name": "pearson", "variant": "wmt12"}, "MP781"),
        ({"name": "pearson", "threshold": 10.0}, "MP781"),
        ({"name": "tau", "level": "system"}, "MP781"),
        ({"name": "darr", "group_by": "segment"}, "MP781"),
        ({"name": "soft-accuracy", "level": "system"}, "MP781"),
    ],
)
def test_a_measure_that_makes_no_sense_is_refused(options: dict, code: str) -> None:
    with pytest.raises(OptionError) as caught:
        Measure(**options)
    assert caught.value.code == code


def test_a_label_tells_everything_chosen() -> None:
    assert Measure(name="tau", variant="wmt12").label == "τ (wmt12)"
    assert Measure(name="darr", threshold=10.0).label == "darr (10 points)"
    by_document = Measure(name="kendall", level="document", group_by="segment")
    assert by_document.label == "kendall, document level, by document"


def test_rankings_have_no_scores_to_correlate() -> None:
    with pytest.raises(InputError, match="MP783"):
        Measure(name="pearson")(PERFECT, RANKED)


def test_document_level_needs_documents() -> None:
    plain = Judgements(**{n: getattr(judged(), n) for n in FIELDS} | {"documents": None})
    with pytest.raises(InputError, match="MP782"):
        Measure(name="pearson", level="document")(PERFECT, plain)


class TestBasis:
    """How much stands behind a value, counted by hand in HUMAN and RANKED."""

    @pytest.mark.parametrize(
        ("measure", "pairs"),
        [
            (Measure(name="pearson"), None),
            # Ten scores have 45 pairs; segments with 3, 3, 2 and 2 scores have 3 + 3 + 1 + 1.
            (Measure(name="acc-eq"), 45),
            (Measure(name="acc-eq", group_by="segment"), 8),
            (Measure(name="acc-eq", group_by="system"), 3 + 6 + 3),
            # Of those eight, A and B tie in the second segment.
            (Measure(name="tau"), 7),
            (Measure(name="darr", threshold=2), 5),
            (Measure(name="system-accuracy"), 3),
        ],
    )
    def test_of_scores(self, measure: Measure, pairs: int | None) -> None:
        assert measure.basis(judged()) == Basis(systems=3, segments=4, judged=10, pairs=pairs)

    def test_of_rankings(self) -> None:
        # Two of three pairs are decided in the first ranking, and the only one in each of the others.
        assert Measure(name="tau").basis(RANKED) == Basis(3, 2, 5, 4)
        assert Measure(name="tau", variant="human-ties").basis(RANKED) == Basis(3, 2, 5, 5)


class TestUndefined:
    def reason(self, measure: Measure, metric: JudgedScores = PERFECT) -> str:
        column = agreement_column(judged(), measure, [metric], resamples=0)
        assert np.isnan(column.value[0])
        return column.reasons[0]

    def test_a_threshold_that_no_difference_reaches(self) -> None:
        said = self.reason(Measure(name="darr"))
        assert "differ by 25 points (scores go from -1 to 4); give a smaller threshold" in said

    def test_scores_that_are_all_the_same(self) -> None:
        same = scores(np.ones((3, 4)))
        assert "all scores are the same" in self.reason(Measure(name="pearson"), same)

    def test_no_scores_at_a_level(self) -> None:
        nothing = scores(np.full((3, 4), NAN))
        assert "no scores at segment level" in self.reason(Measure(name="pearson"), nothing)
        assert "no scores at system level" in self.reason(
            Measure(name="pearson", level="system"), nothing
        )

    def test_a_language_that_a_metric_does_not_know(self) -> None:
        finnish = replace(judged(), language_pair="en-fi")
        table = agreement_table(
            [judged(), finnish], ["tesla-m", "chrf"], resamples=0, check_language=False
        )
        (said,) = table.undefined()
        assert said.startswith("tesla-m on made-up en-fi: ")
        assert [column.reasons[1] for column in table.columns] == ["", ""]
        assert table.to_dict()["columns"][1]["reasons"][0] in said


def test_a_metric_has_the_signatures_that_it_ran_by() -> None:
    chinese = replace(judged(), language_pair="en-zh")
    table = agreement_table(
        [judged(), chinese], ["bleu", "chrf"], resamples=0, check_language=False
    )
    found = table.signatures()
    assert [["tok:13a" in one, "tok:zh" in one] for one in found["bleu"]] == [[1, 0], [0, 1]]
    assert len(found["chrf"]) == 1
    content = table.to_dict()
    assert content["metrics"][0]["signature"] is None
    assert content["metrics"][1]["signature"] == content["columns"][0]["signatures"][1]
    lines = signature_lines(table)
    assert lines[0].startswith("de-en: bleu|")
    assert lines[1].startswith("en-zh: bleu|")
    assert lines[2].startswith("chrf|")
