"""Options are declared once: what is said of them is enough for people, signatures and strangers."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from metaphrase.errors import OptionError
from metaphrase.metrics import available, create
from metaphrase.options import Option, option, options, same_as, shared

DECLARED = [
    pytest.param(one, id=f"{name}:{one.name}")
    for name, metric in available().items()
    for one in options(metric).values()
]


@pytest.mark.parametrize("one", DECLARED)
def test_everything_that_can_be_chosen_is_explained(one: Option) -> None:
    assert one.meaning
    if one.name != "features" and not callable(one.choices):
        for choice in one.choices:
            assert f"``{choice}``" in one.meaning


def test_texts_that_the_server_takes_though_they_are_no_choice_name_no_files() -> None:
    free = {
        f"{name}:{one.name}"
        for name, metric in available().items()
        for one in options(metric).values()
        if one.kind.startswith(("str", "tuple")) and not one.choices and not one.may_name_a_file
        if one.name != "lang"
    }
    assert free == {
        "bleu:tokenize",
        "celab:function_words",
        "celab:line_types",
        "celab:similarity",
        "meteor:modules",
        "nist:tokenize",
        "tesla-m:function_tags",
        "tesla:without",
    }


REFUSED = {
    "MP506": "cobalt:delta=nan pbe:beta=nan",
    "MP507": "cobalt:opposite=both cobalt:pairs=many cobalt:penalty=some cobalt:weights=mine "
    "maxsim:matching=greedy meteor:task=best meteor:text=tokens pbe:document_penalty=none "
    "pbe:similarity=cilin pbe:term=letter pbe:weights=idf ppda:references=worst "
    "tesla-m:features=ms4 tesla-m:tagset=brown",
    "MP508": "bleu:smooth_method=add-k:smooth_value=-1 celab:function_weight=-0.5 "
    "celab:hypothesis_weight=-1 celab:level=6 celab:order=5 chrf:beta=-1 chrf:char_order=0 "
    "chrf:char_order=1001 chrf:word_order=-2 chrf:word_order=1001 cobalt:alpha=1.5 cobalt:beta=-1 "
    "cobalt:theta=2 maxsim:alpha=2 nist:orders=0 pbe:alpha=-0.1 pbe:ngram+topic:iterations=0 "
    "pbe:ngram+topic:seed=4294967296 pbe:ngram+topic:topics=0 pbe:theta=1.1 ter:longest=0 "
    "tesla-m:alpha=1.5 tesla-m:function_divisor=0",
}


@pytest.mark.parametrize(
    ("specification", "code"),
    [(one, code) for code, specifications in REFUSED.items() for one in specifications.split()],
)
def test_what_is_not_declared_is_refused(specification: str, code: str) -> None:
    with pytest.raises(OptionError, match=code):
        create(specification)


@dataclass(frozen=True)
class Cut:
    depth: int = option(3, "how deep", low=1, high=9)
    side: str = option("left", "``left`` or ``right``", choices=("left", "right"))
    plain: float = 0.5


@dataclass(frozen=True)
class Surgery:
    depth: int = same_as(Cut, "depth", signed="d")
    plain: float = 7.0


def test_an_option_of_two_classes_is_one() -> None:
    assert Surgery().depth == 3
    assert options(Surgery)["depth"].limits == "from 1 to 9"
    assert options(Surgery)["depth"].key == "d"
    assert shared(Cut, Surgery(depth=5), side="right") == Cut(depth=5, side="right")


def test_results_call_a_metric_by_its_options_and_files_by_their_names() -> None:
    # Whether score or meta asks.
    for specification in (
        "bleu",
        "bleu:lowercase=yes",
        "meteor:paraphrases=none",
        "cobalt:released",
    ):
        assert create(specification).label == create(specification).specification == specification
    metric = create("celab:dictionary=none:function_weight=0.5:order=2")
    assert metric.label == metric.specification
    vectors = create("cobalt:vectors=file:/a/b/mine.npy")
    assert vectors.label == "cobalt:vectors=mine.npy"
    assert vectors.specification == "cobalt:vectors=file:/a/b/mine.npy"
