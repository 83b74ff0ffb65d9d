"""When a metric is right about an error, how that is averaged, and what becomes of texts that it refuses."""

from __future__ import annotations

import numpy as np
import pytest

from metaphrase.errors import MetaphraseError
from metaphrase.probing import Challenge, Probed, distinct_texts, probe
from metaphrase.scoring import MetricInfo


def item(kind: str = "k", severity: str = "minor", number: int = 1, **texts: str) -> Challenge:
    given = {"reference": f"r{number}", "good": "g", "bad": "b"} | texts
    return Challenge(kind=kind, severity=severity, id=str(number), **given)


def probed(
    good: list[float], bad: list[float], items: list[Challenge], higher: bool = True
) -> Probed:
    info = MetricInfo("m", "m|1", higher, (0.0, 1.0))
    return Probed(tuple(items), (info,), np.array([good]), np.array([bad]), resamples=200)


FOUR = [item(number=number) for number in (1, 2, 3, 4)]


class TestVerdicts:
    def test_a_tie_is_not_right_and_counted_apart(self) -> None:
        result = probed([1, 1, 1, 0], [0, 0, 1, 1], FOUR)
        (kind,) = result.kinds
        seen = result.seen("m", kind)
        assert (seen.right, seen.tied, seen.wrong, seen.items) == (2, 1, 1, 4)
        assert (seen.accuracy, seen.ties) == (0.5, 0.25)
        assert seen.low < 0.5 < seen.high

    def test_lower_is_better_for_some(self) -> None:
        result = probed([1, 1, 1, 0], [0, 0, 1, 1], FOUR, higher=False)
        assert result.right("m").tolist() == [False, False, False, True]

    def test_failures_come_worst_first_and_ties_last(self) -> None:
        result = probed([0.5, 0.5, 0.5, 0.9], [0.5, 0.6, 0.9, 0.1], FOUR)
        found = result.failures("m", result.kinds[0], 9)
        assert [(one.item.id, one.is_tie) for one in found] == [
            ("3", False),
            ("2", False),
            ("1", True),
        ]
        assert len(result.failures("m", result.kinds[0], 1)) == 1

    def test_kinds_go_by_severity_worst_first(self) -> None:
        items = [item("a", "odd"), item("b", "minor"), item("c", "critical"), item("a", "odd", 2)]
        result = probed([1, 1, 1, 1], [0, 0, 0, 0], items)
        assert [(kind.name, kind.severity) for kind in result.kinds] == [
            ("c", "critical"),
            ("b", "minor"),
            ("a", "odd"),
        ]


class TestMeans:
    def test_kinds_count_alike(self) -> None:
        items = [item("a", number=1), item("b", number=1), item("b", number=2), item("b", number=3)]
        result = probed([1, 1, 0, 0], [0, 0, 1, 1], items)
        mean = result.mean("m")
        assert mean.accuracy == pytest.approx((1 + 1 / 3) / 2)
        assert mean.kinds == 2

    def test_sentences_are_drawn_with_all_of_their_errors(self) -> None:
        """Of two sentences, one of which is always right, a resample has both or one of them twice."""
        items = [item(kind, number=number) for kind in "abc" for number in (1, 2)]
        draws = probed([1, 0] * 3, [0, 1] * 3, items).mean("m").draws
        assert set(draws.tolist()) == {0.0, 0.5, 1.0}

    def test_without_an_id_the_reference_is_the_sentence(self) -> None:
        one = Challenge(kind="a", reference="r", good="g", bad="b")
        other = Challenge(kind="b", reference="r", good="g", bad="c")
        assert one.sentence == other.sentence != item().sentence

    def test_the_same_seed_gives_the_same_interval(self) -> None:
        items = [item(number=number) for number in range(1, 30)]
        good = [float(number % 3 > 0) for number in range(1, 30)]
        runs = [probed(good, [0.5] * 29, items).mean("m").interval for _ in range(2)]
        assert runs[0] == runs[1]


class TestProbing:
    def test_each_text_is_scored_once(self) -> None:
        items = [item(bad=bad, reference="r") for bad in ("x", "y", "x")]
        assert [text for text, _, _ in distinct_texts(items)] == ["g", "x", "y"]

    def test_metrics_are_asked_for_both_translations(self) -> None:
        """BLEU and TER see a swap; chrF without spaces and with order 1 counts letters only."""
        items = [item(reference="the cat sat", good="the cat sat", bad="cat the sat")]
        result = probe(items, ["ter", "chrf:char_order=1"], check_language=False)
        assert result.right("ter").tolist() == [True]
        assert result.tied(result.metrics[1].name).tolist() == [True]

    def test_what_a_metric_refuses_is_left_out_for_all(self) -> None:
        items = [item(number=1), item(number=2, bad="word " * 11, reference="word")]
        with pytest.warns(UserWarning, match="MP518"):
            result = probe(items, ["chrf", "ter:longest=10"], check_language=False, on_error="skip")
        assert result.left_out == 1
        assert [one.id for one in result.items] == ["1"]
        ((refusal, refused),) = result.refusals
        assert (refusal.code, refused.id) == ("MP518", "2")

    def test_a_set_of_which_nothing_is_left(self) -> None:
        items = [item(number=2, bad="word " * 11, reference="word")]
        with (
            pytest.warns(UserWarning, match="MP518"),
            pytest.raises(MetaphraseError, match="MP965"),
        ):
            probe(items, ["ter:longest=10"], check_language=False, on_error="skip")

    def test_nothing_to_probe_with(self) -> None:
        with pytest.raises(MetaphraseError, match="MP760"):
            probe([], ["chrf"])

    def test_another_language_is_warned_of(self) -> None:
        text = "Der Hund schläft unter dem Tisch, und es regnet heute wieder den ganzen Tag."
        items = [
            item(number=n, reference=f"{text} {n}", good=text, bad=f"{text} Ja {n}.")
            for n in range(6)
        ]
        with pytest.warns(UserWarning, match="MP580"):
            assert probe(items, ["chrf"]).warnings

    def test_notebooks_show_the_table(self) -> None:
        html = probe([item(kind="<b>")], ["bleu"], check_language=False)._repr_html_()
        assert "<td" in html
        assert "&lt;b&gt;" in html
        assert "<b>" not in html.replace("<b>1 item", "")

    def test_json_has_all_numbers(self) -> None:
        items = [item(number=1), item(number=2, severity="critical")]
        record = probe(items, ["bleu"], check_language=False).to_dict(examples=1)
        assert [kind["severity"] for kind in record["kinds"]] == ["critical", "minor"]
        assert [mean["severity"] for mean in record["means"]] == ["critical", "minor", None]
        # Neither "g" nor "b" is in the reference: a tie.
        assert record["kinds"][0]["metrics"]["bleu"]["tied"] == 1
        assert record["kinds"][0]["metrics"]["bleu"]["failures"][0]["bad"] == "b"
