"""Metrics are found by name, made with options, and a wrong name or option says what is right."""

from __future__ import annotations

import pytest

from metaphrase.errors import OptionError
from metaphrase.metrics import Metric, available, create, register
from metaphrase.metrics.tesla_m import TeslaM


def test_step_one_has_these_metrics() -> None:
    assert {"tesla-m", "bleu", "chrf", "chrf++", "ter"} <= set(available())


def test_options_are_read_by_their_type() -> None:
    metric = create("tesla-m:alpha=0.5:lowercase=no:function_tags=DT,IN:function_divisor=4")
    assert metric == TeslaM(
        alpha=0.5, lowercase=False, function_tags=("DT", "IN"), function_divisor=4
    )


def test_a_value_may_contain_colons() -> None:
    assert create("tesla-m:analyser=spacy:some_name:alpha=0.5").analyser == "spacy:some_name"


def test_defaults_reach_only_metrics_that_have_the_option() -> None:
    assert create("bleu", lang="zh", analyser="spacy:x").lang == "zh"
    assert create("tesla-m:lang=en", analyser="spacy:x").analyser == "spacy:x"


@pytest.mark.parametrize(
    ("specification", "code", "hint"),
    [
        ("tesla_m", "MP504", "'tesla-m'"),
        ("comet", "MP504", "bleu"),
        ("tesla-m:alpa=1", "MP501", "'alpha'"),
        ("tesla-m:alpha", "MP505", "option=value"),
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

    with pytest.raises(ValueError, match="tesla-m"):
        register(Other)
