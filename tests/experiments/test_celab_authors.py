"""The golden file of the authors' program: a pair in other symbols is the same program, and has no text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("experiments.celab_authors", reason="a source distribution has no experiments")

from experiments.celab_authors import GOLDEN, SYMBOLS, recoded

from oracle import covering as oracle

tokens = st.lists(st.sampled_from("买雨伞上班工作"), min_size=1, max_size=9)
words = st.text("买雨伞上班工作天", min_size=1, max_size=3)


@settings(max_examples=60)
@given(
    reference=tokens,
    hypothesis=tokens,
    sets=st.lists(st.lists(words, min_size=1, max_size=3), max_size=5),
    seed=st.integers(0, 9),
)
def test_a_recoded_pair_has_the_score_of_the_pair(
    reference: list[str], hypothesis: list[str], sets: list[list[str]], seed: int
) -> None:
    case = recoded(reference, hypothesis, sets, seed=seed)
    expected = oracle.celab(reference, hypothesis, [(1.0, one) for one in sets])
    found = oracle.celab(
        case["reference"], case["hypothesis"], [(1.0, one) for one in case["synonyms"]]
    )
    assert found == pytest.approx(expected, abs=1e-9)


def test_tokens_of_several_characters_are_refused() -> None:
    with pytest.raises(ValueError, match="several characters"):
        recoded(["500", "元"], ["5"], [], seed=0)


def test_the_golden_file_has_symbols_only() -> None:
    cases = json.loads(GOLDEN.read_text("utf-8"))["cases"]
    assert len(cases) == 10
    for case in cases:
        texts = [case["reference"], case["hypothesis"], *(w for s in case["synonyms"] for w in s)]
        assert set("".join(texts)) <= set(SYMBOLS)
