"""What the paper and its program print of TESLA-CELAB, computed by the covering kernel."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase.matching import SpanLexicon, SpanSentences, covering, covering_trace, transport
from oracle import covering as oracle

F = 0.25
UMBRELLA = [["雨伞", "伞"]]
# METRICS 4.5: the pairs that ship with the program, in other symbols (experiments/celab_authors.py).
PROGRAM = json.loads(
    (Path(__file__).parents[1] / "golden" / "celab_program.json").read_text("utf-8")
)


def pack(*sentences: str) -> SpanSentences:
    strings = sorted({*"".join(sentences)})
    return SpanSentences(
        np.cumsum([0, *map(len, sentences)]),
        np.array([strings.index(t) for tokens in sentences for t in tokens], dtype=np.int32),
        strings,
    )


def score(
    reference: str, hypothesis: str, sets: Sequence[Sequence[str]], *, released: bool = False
) -> float:
    found = covering(
        pack(reference, hypothesis),
        hypothesis_rows=[1],
        reference_rows=[0],
        lexicon=SpanLexicon((1.0, words) for words in sets),
        released=released,
    )
    covered = found.covered_reference + F * found.covered_hypothesis
    return float((covered / (found.total_reference + F * found.total_hypothesis))[0])


def matching(edges: np.ndarray) -> float:
    """The largest sum of weights with at most 1 for each span: the program of 3.1 and 3.2."""
    plan = transport(
        (edges[:, 0], edges[:, 1], np.ones(len(edges))),
        np.ones(edges[:, 0].max() + 1),
        np.ones(edges[:, 1].max() + 1),
    )
    return plan.value


class TestTheUmbrella:
    """The paper's example: reference 买雨伞, candidate 买伞, of 6 and 3 spans."""

    @pytest.fixture
    def matches(self) -> np.ndarray:
        lexicon = SpanLexicon((1.0, words) for words in UMBRELLA)
        sentences = pack("买雨伞", "买伞")
        return covering_trace(sentences, hypothesis_row=1, reference_row=0, lexicon=lexicon).matches

    def test_basic_matching_of_figure_2(self, matches: np.ndarray) -> None:
        # Section 3.1: 2, so that recall is 2/6 and precision 2/3.
        assert matching(matches[matches[:, 2] == 1]) == 2.0

    def test_phrase_matching_of_figure_3(self, matches: np.ndarray) -> None:
        # Section 3.2: 买雨伞 = 买伞 is the third, so that recall is 3/6 and precision 3/3.
        assert len(matches) == 4
        assert matching(matches) == 3.0

    def test_covered_matching_of_figure_4(self) -> None:
        # Section 3.3: all spans are covered; without synonyms the same pair has METRICS 4.5's 0.370370.
        assert score("买雨伞", "买伞", UMBRELLA) == 1.0
        assert score("买雨伞", "买伞", []) == pytest.approx(0.370370, abs=1e-6)


class TestTheAuthorsProgram:
    @pytest.mark.parametrize("case", PROGRAM["cases"])
    @pytest.mark.parametrize("released", [True, False])
    def test_its_ten_scores(self, case: dict, released: bool) -> None:
        # METRICS 4.5. The restriction of its search for phrases (4.3) changes none of the ten.
        found = score(case["reference"], case["hypothesis"], case["synonyms"], released=released)
        assert found == pytest.approx(case["score"], abs=PROGRAM["tolerance"])

    def test_four_of_the_ten_hang_on_synonyms(self) -> None:
        # Otherwise they would show little of the dictionary's part.
        without = [score(case["reference"], case["hypothesis"], []) for case in PROGRAM["cases"]]
        differ = [
            found != pytest.approx(case["score"], abs=PROGRAM["tolerance"])
            for found, case in zip(without, PROGRAM["cases"], strict=True)
        ]
        assert sum(differ) == 4


@settings(max_examples=60)
@given(
    reference=st.text("甲乙丙丁", min_size=1, max_size=9),
    hypothesis=st.text("甲乙丙丁", min_size=1, max_size=9),
    sets=st.lists(
        st.lists(st.text("甲乙丙丁", min_size=1, max_size=3), min_size=2, max_size=3), max_size=4
    ),
    names=st.permutations("xyzw"),
    released=st.booleans(),
)
def test_other_symbols_change_nothing(
    reference: str, hypothesis: str, sets: list[list[str]], names: list[str], released: bool
) -> None:
    # METRICS 4.5: it is why the ten pairs can be given in symbols.
    renaming = str.maketrans("甲乙丙丁", "".join(names))
    renamed = [[word.translate(renaming) for word in words] for words in sets]
    found = score(
        reference.translate(renaming), hypothesis.translate(renaming), renamed, released=released
    )
    assert found == pytest.approx(score(reference, hypothesis, sets, released=released), abs=1e-12)
    expected = oracle.celab(reference, hypothesis, [(1.0, w) for w in sets], released=released)
    assert found == pytest.approx(expected, abs=1e-9)
