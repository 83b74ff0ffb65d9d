"""Several metrics, shortlists by a cheap one, and what is refused."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import metaphrase
from metaphrase import select
from metaphrase.errors import InputError, OptionError
from metaphrase.metrics import create
from metaphrase.selection import Candidates, Chooser
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
MIXED = ["chrf", "ter", "accord"]


@pytest.mark.parametrize("shares", [None, [1.0, 1.0, 1.0], [0.5, 2.0, 0.0], [1e308, 1e308, 1e307]])
@pytest.mark.parametrize("leave_self_out", [False, True])
def test_metrics_are_mixed_by_standard_scores(
    shares: list[float] | None, leave_self_out: bool
) -> None:
    """TER with the opposite sign: of the mixture, higher is better."""
    found = select(CANDIDATES, MIXED, shares=shares, leave_self_out=leave_self_out)
    parts = [1.0] * 3 if shares is None else [share / max(shares) for share in shares]
    wanted = np.zeros(6)
    for name, share, row in zip(MIXED, parts, found.by_metric, strict=True):
        metric = create(name)
        scores = oracle.expected_scores(metric, CANDIDATES, leave_self_out=leave_self_out)
        assert row == pytest.approx(scores, rel=1e-12)
        sign = 1 if metric.higher_is_better else -1
        wanted += sign * share * np.array(oracle.standard_scores(scores)) / sum(parts)
    assert found.utilities == pytest.approx(wanted, abs=1e-9)
    assert found.order.tolist() == oracle.best_first(found.utilities.tolist())
    assert "chrf ter accord" in repr(found)


def test_a_metric_alone_keeps_its_scale() -> None:
    assert (
        select(CANDIDATES, ["ter"]).utilities.tolist()
        == select(CANDIDATES, "ter").utilities.tolist()
    )
    best = select(CANDIDATES, "ter")
    assert best.utilities[best.index] == min(best.utilities)


def test_metrics_that_see_no_difference_have_no_say() -> None:
    """Not even one of rounding, which standard scores would blow up: 0.1 + 0.2 is not 0.3."""
    rounded = [f"{0.1 + 0.2!r}", "0.3", "0.3"]
    found = select(rounded, [WrittenScores(), create("chrf")], shares=[9, 1])
    chrf = select(rounded, "chrf")
    assert found.by_metric[0].tolist() == [0.1 + 0.2, 0.3, 0.3]
    assert found.order.tolist() == chrf.order.tolist()
    assert select(["a", "a", "a"], MIXED).utilities.tolist() == [0.0, 0.0, 0.0]
    # The mean of three times 0.1 is not 0.1.
    same = select(["0.1", "0.10", "0.100"], [WrittenScores(), WrittenScores()])
    assert same.utilities.tolist() == [0.0, 0.0, 0.0]
    assert same.order.tolist() == [0, 1, 2]


def test_one_candidate_has_no_standard_score_but_zero() -> None:
    assert select(["a"], MIXED).utilities.tolist() == [0.0]


@pytest.mark.parametrize("by", ["chrf", "ter"])
@pytest.mark.parametrize("leave_self_out", [False, True])
def test_a_shortlist_has_the_best_by_the_cheap_metric(by: str, leave_self_out: bool) -> None:
    options = {"leave_self_out": leave_self_out}
    whole = select(CANDIDATES, "accord", **options)
    found = select(CANDIDATES, "accord", shortlist=2, shortlist_by=by, **options)
    best = select(CANDIDATES, by, **options).n_best(2)
    looked_at = [CANDIDATES[i] in {CANDIDATES[j] for j in best} for i in range(6)]
    assert (~np.isnan(found.utilities)).tolist() == looked_at
    assert found.utilities[looked_at].tolist() == whole.utilities[looked_at].tolist()
    assert (found.pairs, found.possible) == (2 * 5, 5 * 5)
    assert found.order[sum(looked_at) :].tolist() == np.flatnonzero(~np.array(looked_at)).tolist()
    assert len(found.n_best(6)) == 2


def test_a_shortlist_longer_than_the_candidates_changes_nothing() -> None:
    for size in (5, 6, 100):
        found = select([CANDIDATES, ["one"]], "chrf", shortlist=size)
        assert found[0].utilities.tolist() == select(CANDIDATES, "chrf").utilities.tolist()
    short, _ = select([CANDIDATES, ["one"]], "chrf", shortlist=1)
    assert (~np.isnan(short.utilities)).sum() == 2  # the text that comes twice


def test_metrics_are_mixed_within_the_shortlist() -> None:
    found = select(CANDIDATES, MIXED, shortlist=3)
    looked_at = ~np.isnan(found.utilities)
    assert looked_at.sum() == 4
    assert np.average(found.utilities[looked_at]) == pytest.approx(0.0, abs=1e-12)
    assert np.isnan(found.by_metric[:, ~looked_at]).all()


def test_a_shortlist_for_oracles_looks_at_the_references() -> None:
    references = ["Dogs bark!"]
    found = select(CANDIDATES, "accord", references=references, shortlist=1)
    assert found.text == "Dogs bark."
    assert found.pairs == 1


def test_aggregates_have_shortlists_too() -> None:
    found = select(CANDIDATES, "bleu", aggregate=True, shortlist=2)
    whole = select(CANDIDATES, "bleu", aggregate=True)
    looked_at = ~np.isnan(found.utilities)
    assert found.utilities[looked_at].tolist() == whole.utilities[looked_at].tolist()


@pytest.mark.parametrize("wrong", ["nan", "inf", "-inf"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"leave_self_out": True},
        {"confidence": 0.9},
        {"references": ["1"]},
        {"shortlist": 1, "shortlist_by": WrittenScores()},
    ],
    ids=str,
)
def test_a_score_that_is_no_number_is_an_error(wrong: str, options: dict[str, object]) -> None:
    metric = "chrf" if "shortlist" in options else WrittenScores()
    with pytest.raises(InputError, match=f"MP743.*written gives a score of {wrong}"):
        select(["1", wrong, "2"], metric, **options)


CHRF = create("chrf")


@pytest.mark.parametrize(
    ("mistake", "code"),
    [
        (lambda: select([], "chrf"), "MP850"),
        (lambda: select([["a"], []], "chrf"), "MP850.*sentence 2 has no candidate"),
        (lambda: select(["a"], "chrf", samples=[]), "MP850"),
        (lambda: select(["a"], "chrf", references=[]), "MP850.*no reference"),
        (lambda: select([["a"], ["b"]], "chrf", references=[["a"], []]), "MP850.*sentence 2"),
        (lambda: select(["a", "b"], "chrf", weights=[1, float("nan")]), "MP851"),
        (lambda: select([["a"], ["b"]], "chrf", weights=[[1], [0]]), "MP851.*sentence 2"),
        (lambda: select(["a"], "ter", aggregate=True), "MP852"),
        (lambda: select(["a"], ["chrf", "accord"], aggregate=True), "MP852"),
        (lambda: select("a text", "chrf"), "MP107"),
        (lambda: select(None, "chrf"), "MP107"),
        (lambda: select(5, "chrf"), "MP107"),
        (lambda: select((text for text in ["a", "b"]), "chrf"), "MP107"),
        (lambda: select((texts for texts in [["a"], ["b"]]), "chrf"), "MP107.*one by one"),
        (lambda: select({"a": 1}, "chrf"), "MP107"),
        (lambda: select({"a", "b"}, "chrf"), "MP107"),
        (lambda: select(["a"], "chrf", samples={"a"}), "MP107.*set"),
        (lambda: select([["a"]], "chrf", samples={0: ["a"]}), "MP855.*1 sentences"),
        (lambda: select(["a", ["b"]], "chrf"), "MP107"),
        (lambda: select(["a", None], "chrf"), "MP1"),
        (lambda: select([["a", 5]], "chrf"), "MP103.*candidate 2 of sentence 1"),
        (lambda: select(["a", "\udfff"], "chrf"), "MP106.*candidate 2"),
        (lambda: select([["a"], ["b"]], "chrf", samples=[["a"]]), "MP855.*2 sentences"),
        (lambda: select([["a"], ["b"]], "chrf", weights=5), "MP855.*2 sentences"),
        (lambda: select([["a"], ["b"]], "chrf", references="ab"), "MP855.*2 sentences"),
        (lambda: select([["a"], ["b"]], "chrf", references=["a", "b"]), "MP107"),
        (lambda: select(Candidates(texts=["a"]), "chrf", weights=[1]), "MP853.*weights along"),
        (lambda: select(["a"], []), "MP514"),
        (lambda: select(["a"], "chrff"), "MP504"),
        (lambda: select(["a"], 5), "MP514"),
        (lambda: select(["a"], metaphrase.Chrf), "MP514"),
        (lambda: select(["a"], ["chrf", None]), "MP514"),
        (lambda: select(["a"], "accord", shortlist=1, shortlist_by=None), "MP514"),
        (lambda: select(["a"], "chrf", threads=0), "MP519"),
        (lambda: select(["a"], "chrf", beam=5), "MP853.*'beam'"),
        (lambda: select(["a"], "chrf", shortlist=0), "MP847"),
        (lambda: select(["a"], "chrf", shortlist=True), "MP847"),
        (lambda: select(["a"], "chrf", shortlist=2.0), "MP847"),
        (lambda: select(["a"], MIXED, shares=[1.0]), "MP848"),
        (lambda: select(["a"], MIXED, shares=[1.0, -1.0, 1.0]), "MP848"),
        (lambda: select(["a"], MIXED, shares=[1.0, float("nan"), 1.0]), "MP848"),
        (lambda: select(["a"], MIXED, shares=[0.0, 0.0, 0.0]), "MP848.*are 0"),
        (lambda: select(["a"], MIXED, shares=["a", "b", "c"]), "MP848"),
        (lambda: select(["a"], MIXED, shares=2.0), "MP848"),
        (lambda: select(["a"], "bleu", aggregate=True, leave_self_out=True), "MP839"),
        (lambda: select(["a"], "chrf").n_best(0), "MP847"),
        (lambda: select(["a"], "chrf").n_best(-1), "MP847"),
        (lambda: select(["a"], "chrf").n_best("1"), "MP847"),
        (lambda: Chooser(metrics=["chrf"]), "MP514"),
        (lambda: Chooser(metrics=[CHRF], threads=0), "MP519"),
        (lambda: next(Chooser(metrics=[CHRF]).choose([["a"]])), "MP107"),
    ],
)
def test_mistakes_are_coded_errors(mistake: Callable[[], object], code: str) -> None:
    with pytest.raises((InputError, OptionError), match=rf"(?s){code}"):
        mistake()
