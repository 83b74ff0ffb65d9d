"""Judgements become losses: a row for each translation, beside its score or what was preferred to it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from metaphrase.corpus.judgements import JudgedText, Judgements, JudgementsBuilder, Ranking
from metaphrase.errors import InputError
from metaphrase.learning.accord.data import JudgedLosses, Untrained, judged_losses
from metaphrase.metrics.comparison import compare_pair

REFERENCE = "The cat sat on the mat."
HYPOTHESES = ["The cat sat on a mat.", "A dog sat.", "The cat sat on the mat.", ""]
METRIC = Untrained()


def losses(hypothesis: str, reference: str = REFERENCE) -> np.ndarray:
    return METRIC.losses(compare_pair(METRIC, hypothesis, reference), 0, METRIC.families)[0]


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
    found = judged_losses(judgements([70.0, 40.0, 100.0, None]), METRIC)
    assert not found.is_ranked
    assert (found.name, found.language_pair) == ("set", "de-en")
    # Mean 70, standard deviation √((0 + 900 + 900) / 3) = √600.
    np.testing.assert_allclose(found.human, [0.0, -30 / 600**0.5, 30 / 600**0.5])
    assert found.losses.tolist() == [losses(one).tolist() for one in HYPOTHESES[:3]]


def test_a_place_is_the_share_of_scores_below() -> None:
    found = judged_losses(judgements([70.0, 40.0, 100.0, 70.0]), METRIC)
    # Of four, 40 has none below and itself, of which half counts; 70 has 40, and half of two.
    assert found.place.tolist() == [50.0, 12.5, 87.5, 50.0]


def test_rows_know_their_system_and_segment() -> None:
    builder = JudgementsBuilder("set", "de-en")
    for system, segment, score in (("a", "1", 1.0), ("b", "1", 2.0), ("b", "2", 3.0)):
        text = JudgedText(f"{system} {segment}", (REFERENCE,))
        builder.judge(builder.place(system, "", segment, text), score)
    found = judged_losses(builder.build(), METRIC)
    assert list(zip(found.system.tolist(), found.segment.tolist(), strict=True)) == [
        (0, 0),
        (1, 0),
        (1, 1),
    ]
    assert found.references == {REFERENCE}


def test_preferences_are_losses_of_the_worse_less_those_of_the_better() -> None:
    # System 3 is better than 1, which is as good as 2: two preferences.
    found = judged_losses(judgements([None] * 3, (2, 2, 1)), METRIC)
    assert found.is_ranked
    assert found.count == 2
    assert found.texts.tolist() == [losses(one).tolist() for one in HYPOTHESES[:3]]
    assert found.better.tolist() == [2, 2]
    assert sorted(found.worse.tolist()) == [0, 1]
    best, *others = losses(HYPOTHESES[2]), losses(HYPOTHESES[0]), losses(HYPOTHESES[1])
    expected = [(other - best).tolist() for other in others]
    assert sorted(found.losses.tolist()) == sorted(expected)
    assert (found.losses >= 0).all()


def test_a_ranked_place_is_the_share_of_comparisons_won() -> None:
    # Systems 1 and 2 tie with each other, which is half a win, and lose against 3.
    assert judged_losses(judgements([None] * 3, (2, 2, 1)), METRIC).place.tolist() == [25, 25, 100]
    # The other judge saw the first two only, and preferred the second.
    found = judged_losses(judgements([None] * 3, (2, 2, 1), (2, 1)), METRIC)
    assert found.place == pytest.approx([100 * 0.5 / 3, 100 * 1.5 / 3, 100])


def test_the_same_text_is_never_better_than_itself() -> None:
    builder = JudgementsBuilder("set", "de-en")
    for system, hypothesis in enumerate((*HYPOTHESES[:2], HYPOTHESES[0])):
        builder.place(str(system), "", "1", JudgedText(hypothesis, (REFERENCE,)))
    builder.rankings.append(Ranking(0, "judge", (0, 1, 2), (1, 2, 3), (0, 1, 2)))
    found = judged_losses(builder.build(), METRIC)
    pairs = list(zip(found.better.tolist(), found.worse.tolist(), strict=True))
    assert sorted(pairs) == [(0, 1), (1, 2)]


def test_every_judge_counts() -> None:
    once = judged_losses(judgements([None] * 2, (1, 2)), METRIC)
    found = judged_losses(judgements([None] * 2, (1, 2), (2, 1), (1, 2)), METRIC)
    (row,) = once.losses.tolist()
    assert sorted(found.losses.tolist()) == sorted([row, [-value for value in row], row])


def test_several_references_count_by_their_mean() -> None:
    references = (REFERENCE, "A cat was sitting on the mat.")
    found = judged_losses(judgements([1.0, 2.0], references=references), METRIC)
    for row, hypothesis in zip(found.losses, HYPOTHESES, strict=False):
        expected = np.mean([losses(hypothesis, reference) for reference in references], axis=0)
        np.testing.assert_allclose(row, expected, atol=1e-15)


def test_progress_counts_the_translations() -> None:
    seen: list[int] = []
    judged_losses(judgements([1.0, 2.0, 3.0]), METRIC, progress=seen.append)
    assert seen == [3]


@pytest.mark.parametrize("lang", ["en", "de", "xx"])
def test_a_row_has_all_losses_of_the_language(lang: str) -> None:
    metric = Untrained(lang=lang)
    found = judged_losses(judgements([1.0, 2.0]), metric)
    assert found.losses.shape == (2, len(metric.loss_names))


def test_threads_do_not_matter() -> None:
    one, many = (judged_losses(judgements([1.0, 2.0, 3.0]), METRIC, threads=n) for n in (1, 3))
    assert one.texts.tolist() == many.texts.tolist()


def test_an_empty_reference_is_refused() -> None:
    with pytest.raises(InputError, match="MP105"):
        judged_losses(judgements([1.0, 2.0], references=("",)), METRIC)


def made_up(human: np.ndarray | None) -> JudgedLosses:
    """Four systems' translations of nine segments, whose only loss is a number of their own."""
    system, segment = np.divmod(np.arange(36), 9)
    pairs = [
        (i, j) for i in range(36) for j in range(36) if segment[i] == segment[j] and i % 7 > j % 7
    ]
    better, worse = np.array(pairs if human is None else [], dtype=np.int64).reshape(-1, 2).T
    texts, place = np.arange(36.0)[:, None], np.arange(36.0) * 2
    return JudgedLosses("set", "de-en", texts, place, system, segment, human, better, worse)


@pytest.mark.parametrize("human", [None, np.arange(36.0) - 17.5], ids=["ranked", "scored"])
def test_some_segments_keep_what_was_said_about_them(human: np.ndarray | None) -> None:
    whole = made_up(human)
    chosen = np.arange(9) % 3 == 1
    some, rest = whole.of_segments(chosen), whole.of_segments(~chosen)
    for part, segments in ((some, {1, 4, 7}), (rest, {0, 2, 3, 5, 6, 8})):
        assert set(part.segment.tolist()) == segments
        rows = part.texts[:, 0].astype(int)
        assert part.place.tolist() == (rows * 2).tolist()
        assert part.system.tolist() == (rows // 9).tolist()
        assert part.segment.tolist() == (rows % 9).tolist()
        if human is not None:
            assert part.human.tolist() == human[rows].tolist()
    # The same preferences between the same texts, all of them on one side or the other.
    before = {(i, j) for i, j in zip(whole.better.tolist(), whole.worse.tolist(), strict=True)}
    after = {
        (int(part.texts[i, 0]), int(part.texts[j, 0]))
        for part in (some, rest)
        for i, j in zip(part.better, part.worse, strict=True)
    }
    assert after == before
    assert some.count + rest.count == whole.count


def test_sets_share_texts_if_more_than_one_in_a_hundred_are_in_both() -> None:
    def having(*references: range) -> JudgedLosses:
        texts = frozenset(str(number) for some in references for number in some)
        return replace(made_up(None), references=texts)

    small, large = having(range(200)), having(range(198, 1000))
    # Two of 200.
    assert not small.shares_texts_with(large)
    larger = having(range(197, 1000))
    assert small.shares_texts_with(larger)
    assert larger.shares_texts_with(small)
    assert not having().shares_texts_with(having())


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
        judged_losses(judged, METRIC)
