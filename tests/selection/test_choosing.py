"""The chosen candidate is the one with the highest expected score that loops in Python find."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase import select
from metaphrase.metrics import create
from metaphrase.selection import Candidates, Chooser, Selection, probabilities
from oracle import selection as oracle
from oracle.written_scores import WrittenScores

CANDIDATES = [
    "The cat sat on the mat.",
    "A cat sat on the mat.",
    "the cat sits on a mat",
    "The cat sat on the mat.",
    "Dogs bark.",
    "",
]
SAMPLES = ["The cat sat on a mat.", "A cat sat on the mat.", "", "The cat sat on a mat."]
WEIGHTS = [0.1, 0.4, 0.05, 0.2, 0.25, 0.0]
METRICS = ["chrf", "bleu", "ter", "accord", "nist"]
line = st.lists(st.sampled_from("the a cat dog sat on mat .".split()), max_size=6).map(" ".join)
weight = st.sampled_from([0.0, 0.25, 1.0, 7.0, 1e-9])


def without_concatenations(utilities: Sequence[float], found: Selection) -> list[float]:
    """What is other candidates put together is not measured; test_concatenations.py says which those are."""
    return [math.nan if i in found.concatenated else value for i, value in enumerate(utilities)]


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("leave_self_out", [False, True])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["equal", "weighted"])
def test_utilities_are_weighted_means_of_single_scores(
    name: str, leave_self_out: bool, weights: list[float] | None
) -> None:
    metric = create(name)
    found = select(CANDIDATES, metric, weights=weights, leave_self_out=leave_self_out)
    wanted = oracle.expected_scores(
        metric, CANDIDATES, weights=weights, leave_self_out=leave_self_out
    )
    assert found.utilities == pytest.approx(wanted, rel=1e-12)
    assert found.order.tolist() == oracle.best_first(
        found.utilities.tolist(), rises=metric.higher_is_better
    )
    assert found.text == CANDIDATES[found.index]
    assert found.by_metric.tolist() == [found.utilities.tolist()]


@settings(max_examples=40)
@given(data=st.data(), lines=st.lists(line, min_size=1, max_size=5))
@pytest.mark.parametrize("leave_self_out", [False, True])
def test_any_candidates_with_any_weights(
    leave_self_out: bool, data: st.DataObject, lines: list[str]
) -> None:
    weights = [data.draw(weight) for _ in lines]
    if not any(weights):
        weights[0] = 1.0
    chrf = create("chrf")
    found = select(lines, chrf, weights=weights, leave_self_out=leave_self_out)
    wanted = oracle.expected_scores(chrf, lines, weights=weights, leave_self_out=leave_self_out)
    assert found.utilities == pytest.approx(
        without_concatenations(wanted, found), rel=1e-9, nan_ok=True
    )


@pytest.mark.parametrize("name", METRICS)
def test_samples_may_be_others_than_the_candidates(name: str) -> None:
    metric = create(name)
    weights = [1.0, 2.0, 0.5, 3.0]
    wanted = oracle.expected_scores(metric, CANDIDATES, SAMPLES, weights)
    for leave_self_out in (False, True):
        found = select(
            CANDIDATES, metric, samples=SAMPLES, weights=weights, leave_self_out=leave_self_out
        )
        assert found.utilities == pytest.approx(wanted, rel=1e-12)
        assert (found.pairs, found.possible) == (5 * 3, 5 * 3)


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("references", [["The cat sat on a mat."], SAMPLES[:3]])
def test_references_give_the_oracle(name: str, references: list[str]) -> None:
    """Of several references the metric makes what it always does; samples and weights say nothing."""
    metric = create(name)
    found = select(CANDIDATES, metric, references=references, weights=WEIGHTS)
    distinct = list(dict.fromkeys(CANDIDATES))
    rows = oracle.statistics(metric, *((text, *references) for text in distinct))
    scores = dict(zip(distinct, metric.segment_score(rows).tolist(), strict=True))
    wanted = [scores[text] for text in CANDIDATES]
    assert found.utilities.tolist() == wanted
    assert found.order.tolist() == oracle.best_first(wanted, rises=metric.higher_is_better)
    assert (found.pairs, found.possible) == (5 * len(references), 5 * len(references))


def test_log_probabilities_are_weights() -> None:
    shares = [0.5, 0.2, 0.1, 0.1, 0.06, 0.04]
    found = select(CANDIDATES, "chrf", weights=probabilities(np.log(shares)))
    assert found.utilities == pytest.approx(select(CANDIDATES, "chrf", weights=shares).utilities)


@pytest.mark.parametrize("unit", [1e300, 1e-300, 2.0])
def test_the_unit_of_weights_does_not_matter(unit: float) -> None:
    scaled = [weight * unit for weight in WEIGHTS]
    for options in ({}, {"leave_self_out": True}, {"aggregate": True}, {"confidence": 0.9}):
        one, other = (select(CANDIDATES, "chrf", weights=w, **options) for w in (WEIGHTS, scaled))
        assert other.utilities == pytest.approx(one.utilities, rel=1e-12)
        assert other.order.tolist() == one.order.tolist()


def test_what_has_next_to_no_weight_counts_if_there_is_nothing_else() -> None:
    """The first has nearly all probability; without it the others are as they would be by themselves."""
    weights = [1.0, 2e-40, 1e-40]
    found = select(CANDIDATES[:3], "chrf", weights=weights, leave_self_out=True)
    wanted = oracle.expected_scores(
        create("chrf"), CANDIDATES[:3], weights=weights, leave_self_out=True
    )
    assert found.utilities == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("options", [{}, {"leave_self_out": True}, {"confidence": 0.9}])
@pytest.mark.parametrize("name", METRICS[:-1])
def test_one_candidate_is_chosen_and_compared_with_itself(
    name: str, options: dict[str, object]
) -> None:
    metric = create(name)
    for text in ("The cat sat.", ""):
        found = select([text], metric, **options)
        assert (found.index, found.text, found.n_best(3)) == (0, text, [0])
        assert found.utilities.tolist() == [oracle.score(metric, text, text)]


def test_a_candidate_without_itself_has_its_copies() -> None:
    chrf = create("chrf")
    both = oracle.score(chrf, "a cat", "the cat"), oracle.score(chrf, "the cat", "a cat")
    found = select(["a cat", "the cat", "a cat"], chrf, leave_self_out=True)
    assert found.utilities == pytest.approx([(100 + both[0]) / 2, both[1], (100 + both[0]) / 2])
    copies = select(["a cat", "a cat"], chrf, leave_self_out=True)
    assert copies.utilities.tolist() == [100.0, 100.0]
    # The copies have weights of their own: what is left differs.
    weighted = select(["a cat", "the cat", "a cat"], chrf, weights=[1, 1, 3], leave_self_out=True)
    assert weighted.utilities == pytest.approx([(300 + both[0]) / 4, both[1], (100 + both[0]) / 2])


def test_only_weights_can_leave_nothing_but_oneself() -> None:
    found = select(["a cat", "the cat"], "chrf", weights=[1.0, 0.0], leave_self_out=True)
    assert found.utilities[0] == 100.0
    assert found.utilities[1] == oracle.score(create("chrf"), "the cat", "a cat")


def test_duplicates_cost_nothing_and_count_fully() -> None:
    again = [*CANDIDATES, *CANDIDATES[:2], CANDIDATES[0]]
    found = select(again, "chrf")
    assert (found.pairs, found.possible) == (25, 25)
    assert found.utilities == pytest.approx(oracle.expected_scores(create("chrf"), again))
    counted = select(list(dict.fromkeys(again)), "chrf", weights=[4, 2, 1, 1, 1])
    assert found.utilities[[0, 1, 2, 4, 5]].tolist() == counted.utilities.tolist()


def test_equal_candidates_are_ordered_by_position() -> None:
    found = select(["b c", "x", "a b", "b c", "y", "a b"], "chrf:char_order=1")
    utilities = found.utilities.tolist()
    assert utilities[0] == utilities[2] == utilities[3] == utilities[5]
    assert found.order.tolist() == [0, 2, 3, 5, 1, 4]
    assert found.n_best(6) == [0, 2, 1, 4]
    falling = select(["b c", "x", "a b", "b c", "y", "a b"], "ter")
    assert falling.order.tolist() == oracle.best_first(falling.utilities.tolist(), rises=False)


@settings(max_examples=50)
@given(
    lines=st.lists(line, min_size=2, max_size=9, unique=True),
    seed=st.integers(0, 100),
)
def test_the_order_of_samples_does_not_change_a_bit(lines: list[str], seed: int) -> None:
    random = np.random.default_rng(seed)
    weights, order = random.random(len(lines)), random.permutation(len(lines))
    one = select(lines, "chrf", samples=lines, weights=weights)
    other = select(lines, "chrf", samples=[lines[i] for i in order], weights=weights[order])
    assert np.array_equal(one.utilities, other.utilities, equal_nan=True)


def test_an_n_best_list_has_each_text_once() -> None:
    found = select(CANDIDATES, "chrf")
    best = found.n_best(10)
    assert [CANDIDATES[i] for i in best] == list(
        dict.fromkeys(CANDIDATES[i] for i in found.order.tolist())
    )
    assert len(best) == 5
    assert found.n_best(2) == best[:2]
    assert repr(found).startswith(f"<Selection {found.index + 1} of 6 by chrf: ")


@pytest.mark.parametrize(
    "options",
    [
        {"metrics": ["accord", "ter", "chrf"]},
        {"metrics": ["chrf"], "leave_self_out": True},
        {"metrics": ["bleu"], "aggregate": True},
        {"metrics": ["ter"], "confidence": 0.9},
        {"metrics": ["ter"], "shortlist": 2},
        {"metrics": ["nist"]},
    ],
    ids=lambda options: " ".join(map(str, options)),
)
def test_neither_threads_nor_company_change_a_bit(
    options: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ragged batch is its sentences one by one, in pieces of any size."""
    sentences = [CANDIDATES, ["one"], CANDIDATES[1:4] * 7, SAMPLES, [""], CANDIDATES[::-1]]
    alone = [select(texts, threads=1, **options).utilities.tobytes() for texts in sentences]
    for texts, pairs in ((2_048, 1 << 20), (3, 5)):
        monkeypatch.setattr("metaphrase.selection.choosing._TEXTS", texts)
        monkeypatch.setattr("metaphrase.selection.choosing._PAIRS", pairs)
        for threads in (1, 3):
            batch = select(sentences, threads=threads, **options)
            assert [one.utilities.tobytes() for one in batch] == alone
            assert [one.candidates.name for one in batch] == list("123456")


def test_sentences_of_a_batch_may_have_different_columns() -> None:
    given_columns = {
        "samples": [SAMPLES, ["x", "one"], ["the cat"]],
        "weights": [[1, 2, 3, 4], [0.5, 0.5], [1e300]],
    }
    texts = [CANDIDATES, ["one"], ["a", ""]]
    batch = select(texts, "chrf", **given_columns)
    for i, found in enumerate(batch):
        one = select(
            texts[i], "chrf", **{name: column[i] for name, column in given_columns.items()}
        )
        assert found.utilities.tolist() == one.utilities.tolist()
    mixed = select(
        [Candidates(texts=["a", "b"], references=["b"]), Candidates(texts=["a"])], "chrf"
    )
    assert [one.text for one in mixed] == ["b", "a"]


def test_sentences_are_taken_as_they_come() -> None:
    """What is not yet needed is not yet read."""
    taken = []

    def endless() -> object:
        while True:
            taken.append(1)
            yield Candidates(texts=[f"a {len(taken)}", "b"] * 5)

    chosen = Chooser(metrics=[create("chrf")]).choose(endless())
    assert next(chosen).text == "a 1"
    assert len(taken) <= 2_048
    assert list(Chooser(metrics=[create("chrf")]).choose([])) == []


@pytest.mark.parametrize("name", ["bleu", "chrf", "chrf++", "nist"])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["equal", "weighted"])
def test_aggregation_scores_the_sum_of_statistics(
    name: str, weights: Sequence[float] | None
) -> None:
    metric = create(name)
    found = select(CANDIDATES, metric, weights=weights, aggregate=True)
    wanted = oracle.aggregated_scores(metric, CANDIDATES, CANDIDATES, weights or [1.0] * 6)
    assert found.utilities == pytest.approx(wanted, rel=1e-9)
    assert (found.pairs, found.possible) == (0, 25)


@settings(max_examples=40)
@given(data=st.data(), lines=st.lists(line, min_size=1, max_size=5))
@pytest.mark.parametrize("name", ["chrf++", "bleu:smooth_method=floor"])
def test_any_candidates_aggregated(name: str, data: st.DataObject, lines: list[str]) -> None:
    samples = data.draw(st.lists(line, min_size=1, max_size=4))
    weights = [data.draw(st.sampled_from([0.25, 1.0, 7.0])) for _ in samples]
    metric = create(name)
    found = select(lines, metric, samples=samples, weights=weights, aggregate=True)
    wanted = oracle.aggregated_scores(metric, lines, samples, weights)
    expected = without_concatenations(wanted, found)
    assert found.utilities == pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True)


def test_with_one_sample_aggregation_changes_nothing() -> None:
    for name in ("bleu", "chrf", "chrf++", "nist"):
        one, other = (
            select(CANDIDATES, name, samples=SAMPLES[:1], aggregate=aggregate)
            for aggregate in (True, False)
        )
        assert one.utilities == pytest.approx(other.utilities, rel=1e-12)


def test_metrics_of_any_size_are_added_up() -> None:
    """Scores of 10¹² and of 10⁻³⁰ have means, too."""
    for size in (1e12, 1e-30, 1e-290, 1.0):
        texts = [f"{size * value!r}" for value in (1.0, 3.0, 2.0)]
        found = select(texts, WrittenScores())
        assert found.utilities == pytest.approx([size, 3 * size, 2 * size], rel=1e-12, abs=0)
        assert found.order.tolist() == [1, 2, 0]
        found = select(texts, WrittenScores(), leave_self_out=True)
        assert found.utilities == pytest.approx([size, 3 * size, 2 * size], rel=1e-12, abs=0)
        assert select(texts, WrittenScores(falls=True)).order.tolist() == [0, 2, 1]
    assert select(["-5", "-7", "0"], WrittenScores()).utilities.tolist() == [-5.0, -7.0, 0.0]


def test_ten_thousand_candidates_are_no_trouble() -> None:
    random = np.random.default_rng(1)
    words = np.array("the a cat dog sat lay on under mat rug . , quickly very".split())
    texts = [" ".join(words[random.integers(0, 14, 12)]) for _ in range(9_000)]
    texts += [texts[0]] * 1_000
    found = select(texts, "chrf", aggregate=True)
    assert found.text == texts[0]
    assert not np.isnan(found.utilities).any()
    with_samples = select(texts, "chrf", samples=texts[:20])
    assert with_samples.pairs == len(set(texts)) * 20
    assert select(["a b"] * 10_000, "accord", leave_self_out=True).pairs == 1
