"""Metrics are found by name, made with options, and a wrong name or option says what is right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from metaphrase.errors import OptionError
from metaphrase.metrics import Metric, available, create, register
from metaphrase.metrics.tesla_m.metric import TeslaM


def test_step_one_has_these_metrics() -> None:
    assert {"tesla-m", "bleu", "chrf", "chrf++", "ter"} <= set(available())


def test_options_are_read_by_their_type() -> None:
    metric = create("tesla-m:alpha=0.5:lowercase=no:function_tags=DT,IN:function_divisor=4")
    assert metric == TeslaM(
        alpha=0.5, lowercase=False, function_tags=("DT", "IN"), function_divisor=4
    )


def test_a_value_may_contain_colons() -> None:
    assert create("tesla-m:analyser=spacy:some_name:alpha=0.5").analyser == "spacy:some_name"  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["a|b.model", "a\u00adb", "a\rb", "\ue000"])
def test_a_metric_with_a_file_of_any_name_is_found_again_by_its_specification(name: str) -> None:
    metric = create(f"accord:model={name}")
    assert create(metric.specification) == metric
    assert metric.label.isprintable()


def test_defaults_reach_only_metrics_that_have_the_option() -> None:
    assert create("bleu", lang="zh", analyser="spacy:x").lang == "zh"
    assert create("tesla-m:lang=en", analyser="spacy:x").analyser == "spacy:x"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("specification", "code", "hint"),
    [
        ("tesla_m", "MP504", "'tesla-m'"),
        ("yisi", "MP504", "bleu"),
        ("tesla-m:alpa=1", "MP501", "'alpha'"),
        ("chrf:case", "MP505", "option=value"),
        ("tesla-m:alpha", "MP560", "option=value"),  # it has variants
        ("cobalt:paper:released", "MP505", "one variant"),
        ("bleu:paper", "MP505", "no variants"),
        ("tesla-m:alpha=much", "MP506", "a number"),
        ("tesla-m:lowercase=perhaps", "MP506", "yes or no"),
    ],
)
def test_a_wrong_specification_is_a_coded_error(specification: str, code: str, hint: str) -> None:
    with pytest.raises(OptionError) as caught:
        create(specification)
    assert caught.value.code == code
    assert hint in str(caught.value)


def test_a_name_can_be_taken_only_once() -> None:
    class Other(Metric):
        name = "tesla-m"

    with pytest.raises(OptionError, match=r"MP523.*tesla-m"):
        register(Other)


class TestVariants:
    """``NAME:VARIANT`` is a name for several options."""

    @pytest.fixture(autouse=True)
    def registered(self, own_registry: None) -> None:
        register(Loud)

    def test_a_variant_stands_for_its_options(self) -> None:
        assert create("loud:very") == Loud(volume=9, echo="long")
        assert create("loud:a+b") == Loud(echo="a")

    def test_options_may_follow_and_come_first(self) -> None:
        assert create("loud:very:volume=3") == Loud(volume=3, echo="long")
        assert create("loud:very", volume=2) == Loud(volume=9, echo="long")

    def test_a_metric_says_which_variant_it_is(self) -> None:
        for specification in ("loud", "loud:very", "loud:very:volume=3", "loud:volume=9"):
            assert create(specification).specification == specification
        assert Loud(volume=9, echo="long").specification == "loud:very"

    @pytest.mark.parametrize(
        ("specification", "hint"),
        [("loud:vary", "loud:very"), ("loud:", "very, a+b"), ("loud:quiet", "option=value")],
    )
    def test_an_unknown_variant_is_a_coded_error(self, specification: str, hint: str) -> None:
        with pytest.raises(OptionError, match="MP560") as caught:
            create(specification)
        assert hint in str(caught.value)


@dataclass(frozen=True, kw_only=True)
class Loud(TeslaM):
    name: ClassVar[str] = "loud"
    variants: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "very": {"volume": 9, "echo": "long"},
        "a+b": {"echo": "a"},
    }

    volume: int = 1
    echo: str = "none"
