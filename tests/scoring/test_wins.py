"""Segments won, counted over systems."""

from __future__ import annotations

import numpy as np
import pytest

from metaphrase import Corpus, score
from metaphrase.errors import InputError, OptionError
from metaphrase.scoring import count_wins
from metaphrase.statistics.wins import wins

TABLE = np.array([[0.5, 0.2, 0.9, 0.1], [0.5, 0.3, 0.1, 0.1], [0.4, 0.1, 0.2, 0.1]])


def test_ties_count_for_every_system_that_has_the_best_score() -> None:
    assert wins(TABLE).tolist() == [3 / 4, 3 / 4, 1 / 4]


def test_or_they_are_shared() -> None:
    shares = wins(TABLE, ties="share")
    assert shares == pytest.approx([(1 / 2 + 1 + 1 / 3) / 4, (1 / 2 + 1 + 1 / 3) / 4, 1 / 12])
    assert shares.sum() == pytest.approx(1.0)


def test_a_segment_counts_for_the_systems_that_have_a_text_of_it() -> None:
    nan = np.nan
    table = np.array([[0.5, nan, 0.2, nan], [0.4, 0.1, 0.2, nan], [nan, 0.3, 0.1, nan], [nan] * 4])
    np.testing.assert_allclose(wins(table), [1.0, 1 / 3, 1 / 2, nan])
    np.testing.assert_allclose(wins(table, ties="share"), [3 / 4, 1 / 6, 1 / 2, nan])


CORPUS = Corpus({"good": ["a cat", "a dog"], "mixed": ["a cat", "no fish"]}, [["a cat", "a dog"]])


def test_they_are_counted_for_every_metric_whichever_direction_is_better() -> None:
    scores = count_wins(score(CORPUS, ["chrf", "ter"], levels=["system", "segment"]))
    assert [dict(system.wins) for system in scores.systems] == [
        {"chrf": 1.0, "ter": 1.0},
        {"chrf": 0.5, "ter": 0.5},
    ]
    assert scores.to_dict()["systems"][1]["wins"] == {"chrf": 0.5, "ter": 0.5}


def test_they_need_segment_scores_and_a_rule_that_exists() -> None:
    with pytest.raises(InputError, match="MP533"):
        count_wins(score(CORPUS, ["chrf"]))
    with pytest.raises(OptionError, match="MP532"):
        count_wins(score(CORPUS, ["chrf"], levels=["segment"]), ties="toss a coin")
