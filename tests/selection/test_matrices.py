"""``pairwise``: one sentence or a ragged batch, each score that of ``segment_scores``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import metaphrase
from metaphrase import pairwise
from metaphrase.errors import InputError, OptionError
from metaphrase.metrics import create
from oracle import selection as oracle

CANDIDATES = ["The cat sat.", "A cat sat down.", "", "The cat sat.", "Cats sit"]
REFERENCES = ["The cat sat.", "Dogs bark!", "  ", "A cat sat down."]


@pytest.mark.parametrize("name", ["chrf", "bleu", "ter", "accord", "tesla-m"])
def test_a_score_is_that_of_the_pair(name: str) -> None:
    metric = create(name)
    found = pairwise(metric, CANDIDATES, REFERENCES)
    assert found.dtype == np.float64
    assert found.tolist() == [[oracle.score(metric, c, r) for r in REFERENCES] for c in CANDIDATES]
    assert pairwise(name, CANDIDATES, REFERENCES, threads=3).tolist() == found.tolist()


def test_references_are_the_candidates_unless_there_are_others() -> None:
    found = pairwise("chrf", CANDIDATES)
    assert found.tolist() == pairwise("chrf", CANDIDATES, CANDIDATES).tolist()
    assert found.shape == (5, 5)


@pytest.mark.parametrize("name", ["chrf", "nist", "accord"])
def test_a_batch_is_its_sentences_one_by_one(name: str) -> None:
    """However many candidates and references each of them has, and even if it has none."""
    own = [CANDIDATES, [], ["one"], REFERENCES[:2], ["one", "two"]]
    other = [REFERENCES, ["x"], [], CANDIDATES, ["one"]]
    batch = pairwise(name, own, other)
    assert [matrix.shape for matrix in batch] == [(5, 4), (0, 1), (1, 0), (2, 5), (2, 1)]
    for matrix, one, others in zip(batch, own, other, strict=True):
        assert matrix.tolist() == pairwise(name, one, others).tolist()
    assert pairwise(name, own)[3].tolist() == pairwise(name, own[3]).tolist()


def test_nothing_has_no_scores() -> None:
    assert pairwise("chrf", []).shape == (0, 0)
    assert pairwise("chrf", [], ["a"]).shape == (0, 1)
    assert pairwise("chrf", ["a"], []).shape == (1, 0)
    assert [matrix.shape for matrix in pairwise("accord", [[], []])] == [(0, 0), (0, 0)]


def test_the_language_is_that_of_the_metric() -> None:
    chinese = pairwise("bleu", ["国境なき医師団"], ["国境なき医師"], lang="zh")
    assert chinese[0, 0] > pairwise("bleu", ["国境なき医師団"], ["国境なき医師"])[0, 0] == 0
    tuples: Any = (("a b", "b"), ("b",))
    assert pairwise(create("bleu", lang="zh"), *tuples).shape == (2, 1)


def test_texts_that_come_again_are_the_same() -> None:
    """Also for NIST, whose n-grams tell what they tell in distinct texts."""
    for name in ("chrf", "nist"):
        once = pairwise(name, CANDIDATES[:3], REFERENCES)
        again = pairwise(name, CANDIDATES[:3] * 2, REFERENCES * 2)
        assert again.tolist() == np.tile(once, (2, 2)).tolist()


@pytest.mark.parametrize(
    ("mistake", "code"),
    [
        (lambda: pairwise("chrf", "a text"), "MP107"),
        (lambda: pairwise("chrf", ["a"], "a text"), "MP107"),
        (lambda: pairwise("chrf", None), "MP107"),
        (lambda: pairwise("chrf", {"a"}), "MP107"),
        (lambda: pairwise("chrf", [["a"]], [{"a"}]), "MP107.*set"),
        (lambda: pairwise("chrf", ["a"], 5), "MP107"),
        (lambda: pairwise("chrf", ["a"], [["a"]]), "MP107"),
        (lambda: pairwise("chrf", ["a", ["b"]]), "MP107"),
        (lambda: pairwise("chrf", [["a"]], [["a"], ["b"]]), "MP855"),
        (lambda: pairwise("chrf", ["a"], threads=0), "MP519"),
        (lambda: pairwise("chrff", ["a"]), "MP504"),
        (lambda: pairwise(metaphrase.Chrf, ["a"]), "MP514"),
        (lambda: pairwise(None, ["a"]), "MP514"),
        (lambda: pairwise("chrf", [["a"], [None]]), "MP103.*candidate 1 of sentence 2"),
        (lambda: pairwise("chrf", [["a"]], [["b", "\ud800"]]), "MP106.*reference 2 of sentence 1"),
        (lambda: pairwise("chrf", [["a"], None]), "MP107"),
    ],
)
def test_mistakes_are_coded_errors(mistake: Callable[[], object], code: str) -> None:
    with pytest.raises((InputError, OptionError), match=code):
        mistake()
