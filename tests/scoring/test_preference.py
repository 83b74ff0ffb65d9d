"""Which of two systems raters would prefer, in words and in numbers."""

from __future__ import annotations

from dataclasses import replace
from math import nan

import numpy as np
import pytest

from metaphrase import Accord, Bleu, Corpus, Scores, score
from metaphrase.scoring.preference import preference_lines, preference_sentence, preferred
from metaphrase.trained.preference_table import PreferenceTable

TABLE = PreferenceTable(
    name="test",
    models=(),
    calibrated_on="a test",
    segments=3.0,
    differences=(1.0, 2.0),
    probabilities=(0.6, 0.8),
)
CORPUS = Corpus(
    {
        "old": ["A dog sat.", "It rains today.", "Yes."],
        "new": ["A cat sat.", "It rained today.", "Yes."],
    },
    [["A cat sat.", "It rained today.", "Yes."]],
    documents=["d", "d", "e"],
)


@pytest.fixture(scope="module")
def scores() -> Scores:
    return score(CORPUS, ["accord", "bleu"], levels=["system", "document", "segment"])


def test_the_sentence_is_one_for_all() -> None:
    assert preference_sentence("a", 0.8349, "WMT") == (
        "raters would prefer a with probability 0.83 (calibrated on WMT)"
    )
    assert preference_sentence(None, 0.5, "WMT").startswith("raters would prefer either with")


def test_the_one_that_scores_higher_is_preferred() -> None:
    # Of one segment 3 counts 3/√(1 + 3) = 1.5, half-way from 0.6 to 0.8.
    found = preferred(TABLE, "m", (10.0, 13.0), ("a", "b"))
    assert found is not None
    assert (found.preferred, found.other, found.difference) == ("b", "a", 3.0)
    assert found.probability == pytest.approx(0.7)
    lower = preferred(TABLE, "m", (10.0, 13.0), ("a", "b"), higher_is_better=False)
    assert lower is not None
    assert lower.preferred == "a"
    assert preferred(None, "m", (1.0, 2.0), ("a", "b")) is None
    assert preferred(TABLE, "m", (nan, 2.0), ("a", "b")) is None


def test_scores_know_it_at_every_level(scores: Scores) -> None:
    accord = Accord()
    for level, counts in {"system": [3], "document": [2, 1], "segment": [1, 1, 1]}.items():
        new, old = (scores.values(system=s, metric="accord", level=level) for s in ("new", "old"))
        expected = [
            accord.preference(by, count) for by, count in zip(new - old, counts, strict=True)
        ]
        found = scores.preference("new", "old", metric="accord", level=level)
        assert found is not None
        assert found.tolist() == expected
        back = scores.preference("old", "new", metric="accord", level=level)
        assert back is not None
        assert np.array_equal(back, np.where(found == 0.5, 0.5, 1.0 - found))
    assert scores.preference("new", "old", metric="bleu") is None


def test_json_and_text_say_it(scores: Scores) -> None:
    (record,) = scores.to_dict()["preferences"]
    assert (record["metric"], record["preferred"], record["other"]) == ("accord", "new", "old")
    (line,) = preference_lines(scores)
    assert line.startswith("accord: raters would prefer new with probability 0.")


def test_of_one_system_or_many_no_line_is_said(scores: Scores) -> None:
    alone = replace(scores, systems=scores.systems[:1])
    assert not list(preference_lines(alone))
    three = replace(scores, systems=(*scores.systems, replace(scores.systems[0], name="third")))
    assert not list(preference_lines(three))
    pairs = [(one["preferred"], one["other"]) for one in three.to_dict()["preferences"]]
    assert pairs == [("new", "old"), ("old", "third")]


def test_only_what_was_measured_is_known() -> None:
    assert Accord().preference(5.0) is not None
    assert Accord(lang="de").preferences is Accord(lang="fi").preferences
    assert Accord(points="segment").preference(5.0) is None
    assert Bleu().preference(5.0) is None
