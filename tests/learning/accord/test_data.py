"""Judgements become losses: one row a score, or one a preference."""

from __future__ import annotations

import numpy as np
import pytest

from metaphrase.corpus.judgements import JudgedText, Judgements, JudgementsBuilder, Ranking
from metaphrase.errors import InputError
from metaphrase.learning.accord.data import judged_losses
from metaphrase.metrics.accord.features import LOSSES
from metaphrase.metrics.accord.metric import Accord
from metaphrase.metrics.comparison import compare_pair

REFERENCE = "The cat sat on the mat."
HYPOTHESES = ["The cat sat on a mat.", "A dog sat.", "The cat sat on the mat.", ""]


def losses(hypothesis: str, reference: str = REFERENCE) -> np.ndarray:
    metric = Accord()
    return metric.losses(compare_pair(metric, hypothesis, reference), 0)[0]


def judgements(
    scores: list[float | None],
    *rankings: tuple[int, ...],
    references: tuple[str, ...] = (REFERENCE,),
) -> Judgements:
    """One segment, a system for each hypothesis, with scores or ranks."""
    builder = JudgementsBuilder("set", "de-en")
    for system, (hypothesis, score) in enumerate(zip(HYPOTHESES, scores, strict=False)):
        cell = builder.place(f"system {system}", "", "1", JudgedText(hypothesis, references))
        if score is not None:
            builder.judge(cell, score)
    for judge, ranks in enumerate(rankings):
        systems = tuple(range(len(ranks)))
        builder.rankings.append(Ranking(0, str(judge), systems, ranks, systems))
    return builder.build()


def test_scores_are_standardised_beside_their_losses() -> None:
    found = judged_losses(judgements([70.0, 40.0, 100.0, None]), Accord())
    assert not found.is_ranked
    assert (found.name, found.language_pair) == ("set", "de-en")
    # Mean 70, standard deviation √((0 + 900 + 900) / 3) = √600.
    np.testing.assert_allclose(found.human, [0.0, -30 / 600**0.5, 30 / 600**0.5])
    assert found.losses.tolist() == [losses(one).tolist() for one in HYPOTHESES[:3]]


def test_preferences_are_losses_of_the_worse_less_those_of_the_better() -> None:
    # System 3 is better than 1, which is as good as 2: two preferences.
    found = judged_losses(judgements([None] * 3, (2, 2, 1)), Accord())
    assert found.is_ranked
    best, *others = losses(HYPOTHESES[2]), losses(HYPOTHESES[0]), losses(HYPOTHESES[1])
    expected = [(other - best).tolist() for other in others]
    assert sorted(found.losses.tolist()) == sorted(expected)
    assert (found.losses >= 0).all()


def test_every_judge_counts() -> None:
    once = judged_losses(judgements([None] * 2, (1, 2)), Accord())
    found = judged_losses(judgements([None] * 2, (1, 2), (2, 1), (1, 2)), Accord())
    (row,) = once.losses.tolist()
    assert sorted(found.losses.tolist()) == sorted([row, [-value for value in row], row])


def test_several_references_count_by_their_mean() -> None:
    references = (REFERENCE, "A cat was sitting on the mat.")
    found = judged_losses(judgements([1.0, 2.0], references=references), Accord())
    for row, hypothesis in zip(found.losses, HYPOTHESES, strict=False):
        expected = np.mean([losses(hypothesis, reference) for reference in references], axis=0)
        np.testing.assert_allclose(row, expected, atol=1e-15)


def test_progress_counts_the_translations() -> None:
    seen: list[int] = []
    judged_losses(judgements([1.0, 2.0, 3.0]), Accord(), progress=seen.append)
    assert seen == [3]


def test_a_row_has_all_losses() -> None:
    assert judged_losses(judgements([1.0, 2.0]), Accord()).losses.shape == (2, len(LOSSES))


@pytest.mark.parametrize(
    "judged",
    [
        judgements([50.0, 50.0, 50.0]),
        judgements([0.1 + 0.2, 0.3]),
        judgements([50.0]),
        judgements([None, None]),
        judgements([]),
        judgements([None, None], (1, 1)),
    ],
    ids=["constant", "rounded", "one", "unscored", "empty", "ties"],
)
def test_nothing_can_be_learnt_where_nothing_differs(judged: Judgements) -> None:
    with pytest.raises(InputError, match=r"MP844.*set de-en"):
        judged_losses(judged, Accord())
