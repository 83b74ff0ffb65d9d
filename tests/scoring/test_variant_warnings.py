"""Metrics that compare bytes warn of typographic variants, once a run."""

from __future__ import annotations

import pytest

from metaphrase import Corpus, score
from metaphrase.scoring import Scores

TYPED = ["The man can’t open it.", "It is plain.", "She said “yes” to it."]
PLAIN = ["The man can't open it.", "It is plain.", 'She said "yes" to it.']


def scored(*metrics: str) -> Scores:
    corpus = Corpus({"typed": TYPED, "plain": PLAIN}, [PLAIN])
    return score(corpus.pieces(2), list(metrics))


def test_one_warning_names_metrics_systems_and_lines() -> None:
    with pytest.warns(UserWarning, match="MP585") as caught:
        scores = scored("bleu", "tesla-m", "chrf", "cobalt:released")
    assert len(caught) == 1
    (warning,) = scores.warnings
    assert "bleu, chrf, cobalt:released compare bytes" in warning
    assert "2 lines of typed (1, 3)." in warning
    assert "plain" not in warning.partition("`")[0]


def test_metrics_that_normalise_have_nothing_to_warn_of() -> None:
    scores = scored("tesla-m", "cobalt", "maxsim")
    assert scores.warnings == ()
    for metric in ("tesla-m", "cobalt", "maxsim"):
        assert scores.values(system="typed", metric=metric) == [1.0]


def test_the_same_text_is_analysed_as_given_and_normalised() -> None:
    """cobalt and cobalt:released share an analyser, and not their texts."""
    with pytest.warns(UserWarning, match="MP585"):
        together = scored("cobalt", "cobalt:released")
    with pytest.warns(UserWarning, match="MP585"):
        alone = scored("cobalt:released")
    released = alone.values(system="typed", metric="cobalt:released")
    assert together.values(system="typed", metric="cobalt:released") == released
    assert together.values(system="typed", metric="cobalt") == [1.0]
    assert released[0] < 1.0


def test_the_same_variants_on_both_sides_cost_nothing() -> None:
    corpus = Corpus({"typed": TYPED}, [TYPED])
    assert score(corpus, ["bleu", "chrf"]).warnings == ()
