"""Options are declared once: what is said of them is enough for people, signatures and strangers."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from metaphrase.errors import OptionError
from metaphrase.metrics import available
from metaphrase.options import Option, check_options, option, options, same_as, shared

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
        "tesla-m:function_tags",
        "tesla:without",
    }


@dataclass(frozen=True)
class Cut:
    depth: int = option(3, "how deep", low=1, high=9)
    side: str = option("left", "``left`` or ``right``", choices=("left", "right"))
    plain: float = 0.5


@dataclass(frozen=True)
class Surgery:
    depth: int = same_as(Cut, "depth", signed="d")
    plain: float = 7.0


@pytest.mark.parametrize(
    ("chosen", "code"),
    [(Cut(depth=0), "MP508"), (Cut(side="top"), "MP507"), (Cut(plain="x"), "MP506")],  # type: ignore[arg-type]
)
def test_what_is_not_declared_is_refused(chosen: Cut, code: str) -> None:
    with pytest.raises(OptionError, match=code):
        check_options(chosen)
    with pytest.raises(OptionError, match="MP404"):
        check_options(chosen, code="MP404")


def test_an_option_of_two_classes_is_one() -> None:
    assert Surgery().depth == 3
    assert options(Surgery)["depth"].limits == "from 1 to 9"
    assert options(Surgery)["depth"].key == "d"
    assert shared(Cut, Surgery(depth=5), side="right") == Cut(depth=5, side="right")
