"""What ``NAME:paper`` replaces of its paper, and where the defaults of ``NAME`` differ from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from metaphrase.arrays import FloatArray
from metaphrase.metrics import Comparison, Metric, available
from metaphrase.metrics.published import PAPER, RELEASED, Difference, is_paper, substituted
from metaphrase.options import option, options

PAPERS = [name for name, kind in available().items() if PAPER in kind.variants]
SUBSTITUTED = (
    Difference(
        part="parser",
        published="their parser",
        here="our parser",
        when=lambda metric: metric.lang == "en",
    ),
    Difference(part="words", published="theirs", here="ours", in_program=True),
)


@dataclass(frozen=True, kw_only=True)
class Small(Metric):
    """A metric with a paper."""

    name: ClassVar[str] = "small"
    variants: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        PAPER: {"limit": 3, "words": "shipped", "normalise": False},
        RELEASED: {"limit": 5},
    }
    substituted: ClassVar[tuple[Difference, ...]] = SUBSTITUTED

    limit: int = option(10, "how many count")
    words: str = option("none", "a list of words")

    def statistics(self, comparison: Comparison, *, threads: int = 1) -> FloatArray:
        return np.zeros((len(comparison.hypotheses), 2))


def parts(metric: Metric) -> list[str]:
    return [one.part for one in substituted(metric)]


class TestSubstituted:
    def test_a_paper_variant_says_what_it_replaces(self) -> None:
        assert parts(Small(normalise=False, limit=3, words="shipped")) == ["parser", "words"]

    def test_an_option_that_was_given_is_not_replaced(self) -> None:
        given = Small(normalise=False, limit=3, words="file:theirs.txt")
        assert is_paper(given)
        assert parts(given) == ["parser"]

    def test_nothing_in_the_place_of_a_resource_is_not_the_papers(self) -> None:
        assert parts(Small(normalise=False, limit=3, words="none")) == ["parser", "words"]

    def test_what_was_chosen_otherwise_is_not_the_papers(self) -> None:
        assert parts(Small(normalise=False, limit=4, words="shipped")) == [
            "parser",
            "words",
            "limit",
        ]

    def test_a_part_may_be_of_some_configurations_alone(self) -> None:
        assert parts(Small(normalise=False, limit=3, words="shipped", lang="de")) == ["words"]

    def test_the_program_has_some_of_the_same_parts(self) -> None:
        assert parts(Small(limit=5)) == ["words"]

    def test_other_configurations_replace_nothing(self) -> None:
        assert parts(Small()) == []

    def test_the_signature_names_the_parts(self) -> None:
        assert "|substituted:parser,words|" in str(
            Small(normalise=False, limit=3, words="shipped").signature()
        )
        assert "substituted" not in str(Small().signature())


@pytest.mark.parametrize("name", PAPERS)
def test_departures_are_the_options_in_which_default_and_paper_differ(name: str) -> None:
    kind = available()[name]
    known = options(kind)
    differ = {
        option for option, value in kind.variants[PAPER].items() if value != known[option].default
    }
    assert {one.part for one in kind.departures} == differ
    assert all(one.why for one in kind.departures)
