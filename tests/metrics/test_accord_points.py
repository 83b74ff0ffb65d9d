"""accord:mqm: the same penalties read as the points that raters of MQM would give."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from metaphrase import Corpus, create, score
from metaphrase.errors import OptionError
from metaphrase.metrics.accord.features import count_words
from metaphrase.metrics.accord.metric import Accord
from metaphrase.trained.accord_model import ErrorPoints
from oracle.accord_cases import (
    HYPOTHESES,
    PAIRS,
    REFERENCES,
    comparison,
    losses,
    segment,
    small_accord,
)

WEIGHTS = {"w1r": 8.0, "c1p": 3.0, "edit extra": 4.0}
POINTS = ErrorPoints(rate=0.25, length=0.5)
PER_SEGMENT, PER_WORDS, PLAIN = (
    small_accord(WEIGHTS, points=POINTS, counted=counted)
    for counted in ("segment", "words", "none")
)


def words(text: str) -> int:
    return int(count_words([text])[0])


def expected(hypothesis: str, reference: str) -> float:
    """rate · words^length · sum of weighted penalties, one pair at a time."""
    found = losses(hypothesis, reference)
    total = sum(weight * found[name] for name, weight in WEIGHTS.items())
    return float(0.25 * max(words(reference), 1) ** 0.5 * total)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("— … !", 0),
        ("The cat sat, didn't it?", 6),
        ("He was 12%", 3),
        ("他去了北京。", 5),
    ],
)
def test_words_are_counted_without_signs(text: str, count: int) -> None:
    assert words(text) == count


@pytest.mark.parametrize(("hypothesis", "reference"), PAIRS)
def test_points_are_what_the_definition_says(hypothesis: str, reference: str) -> None:
    found = PER_SEGMENT.statistics(comparison(PER_SEGMENT, [hypothesis], [reference]))
    assert found[0, 0] == pytest.approx(expected(hypothesis, reference), rel=1e-12)


@settings(max_examples=60, deadline=None)
@given(segment, segment)
def test_they_are_never_negative_and_add_up(hypothesis: str, reference: str) -> None:
    explanation = PER_SEGMENT.explain(hypothesis, reference)
    assert explanation.score >= 0
    assert all(points >= 0 for points in explanation.summands.values())
    assert sum(explanation.summands.values()) == pytest.approx(explanation.score, abs=1e-9)
    assert not explanation.higher_is_better


def test_a_translation_that_is_its_reference_has_none() -> None:
    for text in REFERENCES:
        assert PER_SEGMENT.sentence_score(text, [text]).score == 0.0


def test_the_more_points_the_lower_the_percentile() -> None:
    # Beside one reference both read the same sum.
    reference = REFERENCES[0]
    texts = ["A new plan was announced.", "The new government announced plan Tuesday.", "Plan", ""]
    points = PER_SEGMENT.segment_scores(texts, [[reference] * len(texts)])
    scores = PLAIN.segment_scores(texts, [[reference] * len(texts)])
    assert (np.argsort(points) == np.argsort(-scores)).all()


def test_the_same_share_of_a_longer_text_costs_more() -> None:
    short, long = PER_SEGMENT.segment_scores(
        ["a b x d", "a b x d a b x d a b x d"], [["a b c d", "a b c d a b c d a b c d"]]
    )
    assert short < long < 3 * short


def test_a_system_has_their_mean_or_their_number_in_1000_words() -> None:
    kept = [0, 1, 2]
    texts, references = ([side[k] for k in kept] for side in (HYPOTHESES, REFERENCES))
    points = [expected(*pair) for pair in zip(texts, references, strict=True)]
    found = PER_SEGMENT.corpus_score(texts, [references])
    assert found.score == pytest.approx(np.mean(points))
    assert not found.higher_is_better
    count = sum(map(words, references))
    assert PER_WORDS.corpus_score(texts, [references]).score == pytest.approx(
        1000 * sum(points) / count
    )


def test_points_of_1000_words_are_explained_as_such() -> None:
    explanation = PER_WORDS.explain(HYPOTHESES[0], REFERENCES[0])
    once = PER_SEGMENT.explain(HYPOTHESES[0], REFERENCES[0])
    assert explanation.score == pytest.approx(once.score * 1000 / words(REFERENCES[0]))
    assert sum(explanation.summands.values()) == pytest.approx(explanation.score)


def test_the_reference_with_the_fewest_points_counts() -> None:
    references = ["The weather is fine.", "A cat sat there.", "The cat sat."]
    found = PER_SEGMENT.sentence_score("The cat sat there.", references).score
    assert found == min(
        PER_SEGMENT.sentence_score("The cat sat there.", [one]).score for one in references
    )


def test_a_variant_stands_for_points_of_segments() -> None:
    assert create("accord:mqm") == Accord(points="segment")
    assert create("accord:mqm:encoder=shipped") == Accord(points="segment", encoder="shipped")
    assert Accord(points="segment").label == "accord:mqm"
    assert create("accord:points=words").label == "accord:points=words"
    assert Accord.higher_is_better
    assert not Accord(points="words").higher_is_better
    assert (Accord().bounds, Accord(points="segment").bounds) == ((0, 100), (0, float("inf")))


def test_signatures_say_what_points_are_made_of() -> None:
    assert "|points:segment,0.25*words^0.5|" in str(PER_SEGMENT.signature(1))
    assert "|points:words,0.25*words^0.5|" in str(PER_WORDS.signature(1))
    assert "points" not in str(PLAIN.signature(1))


def test_no_interval_is_given_for_points() -> None:
    metric = Accord(points="segment")
    assert metric.sentence_score("A cat.", ["The cat."]).prediction is None
    assert Accord().sentence_score("A cat.", ["The cat."]).prediction is not None


def test_a_model_that_knows_no_points_says_so() -> None:
    metric = small_accord(WEIGHTS, counted="segment")
    with pytest.raises(OptionError, match=r"MP845.*does not know what its penalties are worth"):
        metric.sentence_score("a", ["b"])
    with pytest.raises(OptionError, match="MP845"):
        metric.signature(1)


def test_unknown_words_for_points_are_refused() -> None:
    with pytest.raises(OptionError, match="segment"):
        Accord(points="document")


def test_every_model_that_ships_knows_what_points_are() -> None:
    for lang in ("en", "de", "fr", "es", "cs", "zh", "mul"):
        one, other = Accord(lang=lang, points="segment").segment_scores(
            ["12 3 4 5 6", "12 3 4 7 8"], [["12 3 4 5 6"] * 2]
        )
        assert one == 0.0 < other


# What judgements hardly have must cost points, too: what protects the weights of accord protects these.
def test_what_is_broken_has_more_points_than_a_fair_translation() -> None:
    reference = (
        "The committee approved the budget for 2019 after a debate that lasted nearly 9 hours."
    )
    fair = "The committee passed the 2019 budget after debating it for almost 9 hours."
    broken = [
        "",
        " ".join([reference] * 5),
        "hours debate 9 the nearly for lasted 2019 committee The a budget that after approved.",
        "Police arrested 14 people near the harbour.",
    ]
    points = Accord(points="segment").segment_scores([fair, *broken], [[reference] * 5])
    assert points[0] < points[1:].min()


def test_results_say_that_fewer_are_better() -> None:
    corpus = Corpus({"one": ["A cat sat."], "other": ["The dog."]}, [["The cat sat."]])
    found = score(corpus, ["accord:mqm"])
    assert [info.higher_is_better for info in found.metrics] == [False]
