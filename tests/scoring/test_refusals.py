"""A segment that a metric refuses is left out of its scores, as if the corpus did not have it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaphrase import Corpus, Scores, score
from metaphrase.errors import InputError, OptionError
from metaphrase.metrics import Metric, create
from metaphrase.report import score_json, score_tsv
from metaphrase.scoring import count_wins, resample
from scoring.refusing import MARK, Troublesome, refusing
from small_metrics import NAMES, small

METRICS = [
    *map(small, NAMES),
    create("pbe:tfidf"),
]
every_metric = pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.label)

LEVELS = ("system", "document", "segment")
WORDS = "the cat sat on a mat , and dogs were running to the old house in the rain .".split()


def sentences(seed: int, count: int) -> list[str]:
    chance = np.random.default_rng(seed)
    return [" ".join(chance.choice(WORDS, size=chance.integers(3, 10))) for _ in range(count)]


def corpus_of(segments: int, marks: dict[tuple[str, int], str]) -> Corpus:
    columns = {
        name: sentences(seed, segments) for seed, name in enumerate(("one", "two", "reference"))
    }
    for (column, row), mark in marks.items():
        columns[column][row] += f" {mark}"
    reference = columns.pop("reference")
    documents = [f"document {row // 3}" for row in range(segments)]
    return Corpus(columns, [reference], documents=documents)


def assert_as_without(skipping: Scores, corpus: Corpus, metric: Metric, rows: list[int]) -> None:
    """``skipping`` has, but for gaps, the scores of a corpus without ``rows``."""
    kept = [row for row in range(len(corpus)) if row not in rows]
    expected = score(
        corpus.select(kept), [metric], levels=LEVELS, keep_statistics=True, check_language=False
    )
    label = metric.label
    assert skipping.kept(label).nonzero()[0].tolist() == kept
    documents = list(skipping.documents)
    places = [documents.index(name) for name in expected.documents]
    for one, other in zip(skipping.systems, expected.systems, strict=True):
        assert one.system == other.system
        assert one.segment[label][kept].tolist() == other.segment[label].tolist()
        assert one.statistics[label][kept].tolist() == other.statistics[label].tolist()
        assert np.isnan(one.segment[label][rows]).all()
        assert np.isnan(one.statistics[label][rows]).all()
        assert one.document[label][places].tolist() == other.document[label].tolist()
        assert np.isnan(np.delete(one.document[label], places)).all()


@every_metric
@pytest.mark.parametrize(("threads", "size"), [(1, 40), (2, 7), (1, 1)])
def test_scores_are_those_of_the_corpus_without_it(metric: Metric, threads: int, size: int) -> None:
    marks = {("one", 4): MARK, ("two", 4): MARK, ("two", 5): MARK, ("reference", 30): MARK}
    marks |= {("one", row): MARK for row in (9, 10, 11)}  # a whole document
    corpus = corpus_of(40, marks)
    wrapped = refusing(metric)
    with pytest.warns(UserWarning, match="6 of 40 segments"):
        found = score(
            corpus.pieces(size),
            [wrapped],
            levels=LEVELS,
            threads=threads,
            keep_statistics=True,
            check_language=False,
            on_error="skip",
        )
    assert_as_without(found, corpus, metric, [4, 5, 9, 10, 11, 30])
    assert found.metrics[0].skipped == 6
    assert found.metrics[0].signature.endswith("|skipped:6")


@pytest.mark.filterwarnings("ignore:.*segments refused")
@settings(max_examples=30)
@given(
    st.sets(st.integers(0, 24), max_size=24), st.integers(1, 30), st.sampled_from(["one", "two"])
)
def test_whichever_segments_are_refused(rows: set[int], size: int, system: str) -> None:
    corpus = corpus_of(25, {(system, row): MARK for row in rows})
    for metric in (create("bleu"), create("nist")):
        found = score(
            corpus.pieces(size),
            [refusing(metric)],
            levels=LEVELS,
            keep_statistics=True,
            check_language=False,
            on_error="skip",
        )
        assert_as_without(found, corpus, metric, sorted(rows))
        assert {one.system for one in found.refusals} <= {system}


@every_metric
def test_a_metric_alone_leaves_out_the_same(metric: Metric) -> None:
    corpus = corpus_of(12, {("one", 4): MARK, ("reference", 9): MARK})
    given = corpus.systems["one"], corpus.references
    documents = corpus.documents
    wrapped = refusing(metric)
    with pytest.raises(InputError, match="MP551"):
        wrapped.corpus_score(*given, documents=documents)
    with pytest.warns(UserWarning, match=r"2 of 12 segments refused \(MP551\)"):
        found = wrapped.corpus_score(*given, documents=documents, on_error="skip")
    rest = corpus.select([row for row in range(12) if row not in (4, 9)])
    kept = rest.systems["one"], rest.references
    expected = metric.corpus_score(*kept, documents=rest.documents)
    assert (found.score, found.prediction) == (expected.score, expected.prediction)
    assert (found.skipped, str(found.signature)) == (2, f"{expected.signature}|skipped:2")
    assert [(one.segment, one.code) for one in found.refusals] == [(4, "MP551"), (9, "MP551")]
    with pytest.warns(UserWarning, match="2 of 12 segments"):
        scores = wrapped.segment_scores(*given, documents=documents, on_error="skip")
    assert np.isnan(scores).nonzero()[0].tolist() == [4, 9]
    assert (
        scores[~np.isnan(scores)].tolist()
        == metric.segment_scores(*kept, documents=rest.documents).tolist()
    )


def test_a_metric_alone_that_refuses_everything_is_an_error() -> None:
    with pytest.raises(InputError, match="MP965"):
        Troublesome().corpus_score(["raise it"], [["a"]], on_error="skip")
    with pytest.raises(OptionError, match="MP967"):
        Troublesome().corpus_score(["a"], [["a"]], on_error="ignore")  # type: ignore[arg-type]


def test_it_says_which_segment_of_which_system_and_why() -> None:
    corpus = Corpus(
        {"old": ["a b", "raise it", "c"], "new": ["a", "b", "memory nan"]}, [["a", "b", "c"]]
    )
    with pytest.warns(UserWarning, match=r"troublesome: 2 of 3 segments refused \(MP526, MP966\)"):
        found = score(corpus, [Troublesome()], check_language=False, on_error="skip")
    assert [(one.segment, one.system, one.code) for one in found.refusals] == [
        (1, "old", "MP526"),
        (2, "new", "MP966"),
    ]
    assert "ValueError: this is too much" in str(found.refusals[0])
    assert found.systems[0].system["troublesome"] == 2


def test_what_is_no_number_is_refused_too() -> None:
    corpus = Corpus({"mine": ["a b", "nan"]}, [["a", "b"]])
    with pytest.warns(UserWarning, match="refused"):
        found = score(corpus, [Troublesome()], check_language=False, on_error="skip")
    assert [one.code for one in found.refusals] == ["MP524"]
    assert found.systems[0].system["troublesome"] == 2


def test_a_reference_concerns_all_systems() -> None:
    corpus = corpus_of(5, {("reference", 3): MARK})
    with pytest.warns(UserWarning, match="refused"):
        found = score(corpus, [refusing(create("ter"))], on_error="skip", check_language=False)
    assert [(one.segment, one.system) for one in found.refusals] == [(3, None)]


def test_other_metrics_keep_the_segment() -> None:
    corpus = corpus_of(5, {("one", 3): MARK})
    with pytest.warns(UserWarning, match="refused"):
        found = score(
            corpus, [refusing(create("ter")), "chrf"], on_error="skip", check_language=False
        )
    alone = score(corpus, ["chrf"], check_language=False)
    assert found.systems[0].system["chrf"] == alone.systems[0].system["chrf"]
    assert [info.skipped for info in found.metrics] == [1, 0]


def test_texts_that_an_analyser_does_not_know(tmp_path) -> None:
    path = tmp_path / "parsed.conllu"
    path.write_text(
        "# text = a cat\n"
        "1\ta\ta\tDET\tDT\t_\t2\tdet\t_\tNER=O\n"
        "2\tcat\tcat\tNOUN\tNN\t_\t0\troot\t_\tNER=O\n\n",
        encoding="utf-8",
    )
    corpus = Corpus({"mine": ["a cat", "a dog", "a cat"]}, [["a cat", "a cat", "a cat"]])
    metrics = [create(f"{name}:analyser=conllu:{path}") for name in ("tesla-m", "cobalt")]
    with pytest.warns(UserWarning, match="refused"):
        found = score(corpus, metrics, on_error="skip", levels=["segment"], check_language=False)
    assert [(one.metric, one.segment, one.code) for one in found.refusals] == [
        ("tesla-m", 1, "MP280"),
        ("cobalt", 1, "MP280"),
    ]
    assert found.systems[0].segment["cobalt"][[0, 2]].tolist() == [1.0, 1.0]


def test_a_metric_that_refuses_everything_is_an_error() -> None:
    corpus = Corpus({"mine": ["raise a", "raise b"]}, [["a", "b"]])
    with pytest.raises(InputError, match=r"MP965.*all 2 segments.*segment 1 of mine: \[MP526\]"):
        score(corpus, [Troublesome()], on_error="skip", check_language=False)


def test_by_default_the_first_refusal_ends_the_run() -> None:
    corpus = corpus_of(5, {("one", 3): MARK})
    with pytest.raises(InputError, match="MP551"):
        score(corpus, [refusing(create("ter"))], check_language=False)


def test_a_fault_of_the_file_still_ends_it() -> None:
    corpus = Corpus({"mine": ["a", "b"]}, [["a", "b"]], documents=["d", " "])
    with pytest.raises(InputError, match="MP516"):
        score(corpus, ["pbe:tfidf"], on_error="skip", check_language=False)


def test_only_two_rules_exist() -> None:
    with pytest.raises(OptionError, match="MP967"):
        score(corpus_of(2, {}), ["ter"], on_error="ignore")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "test", ["approximate-randomisation", "sacrebleu-bootstrap", "sacrebleu-randomisation"]
)
def test_systems_are_tested_on_the_same_segments(test) -> None:
    metric = create("chrf")
    corpus = corpus_of(60, {("one", 3): MARK, ("two", 50): MARK})
    kept = [row for row in range(60) if row not in (3, 50)]
    with pytest.warns(UserWarning, match="refused"):
        found = score(
            corpus, [refusing(metric)], keep_statistics=True, check_language=False, on_error="skip"
        )
    expected = score(corpus.select(kept), [metric], keep_statistics=True, check_language=False)
    tested = [
        [system.resampled["chrf"] for system in resample(scores, [metric], test=test).systems]
        for scores in (found, expected)
    ]
    assert tested[0] == tested[1]


def test_nobody_wins_what_was_refused() -> None:
    metric = create("chrf")
    corpus = corpus_of(20, {("one", 3): MARK})
    levels = ["system", "segment"]
    with pytest.warns(UserWarning, match="refused"):
        found = score(
            corpus, [refusing(metric)], levels=levels, check_language=False, on_error="skip"
        )
    kept = corpus.select([row for row in range(20) if row != 3])
    expected = count_wins(score(kept, [metric], levels=levels, check_language=False))
    for one, other in zip(count_wins(found).systems, expected.systems, strict=True):
        assert one.wins == other.wins


def test_outputs_have_gaps_and_counts() -> None:
    corpus = corpus_of(6, {("one", 3): MARK, ("one", 4): MARK, ("one", 5): MARK})
    with pytest.warns(UserWarning, match="refused"):
        found = score(
            corpus, [refusing(create("ter"))], levels=LEVELS, check_language=False, on_error="skip"
        )
    content = found.to_dict()
    assert content["metrics"][0]["skipped"] == 3
    assert content["refusals"][0] == {
        "metric": "ter",
        "segment": 4,
        "system": "one",
        "code": "MP551",
        "message": "a text is marked.",
    }
    two = content["systems"][1]
    assert two["segments"][3]["scores"] == {"ter": None}
    assert [one["skipped"] for one in two["documents"]] == [{}, {"ter": 3}]
    assert two["documents"][1]["scores"] == {"ter": None}
    assert "NaN" not in score_json(found)
    rows = [line.split("\t") for line in score_tsv(found)]
    assert rows[0][14] == "skipped"
    assert [row[14] for row in rows if row[0] == "system"] == ["3", "3"]
    assert [row[5] for row in rows if row[0] == "segment"][3:6] == ["", "", ""]
