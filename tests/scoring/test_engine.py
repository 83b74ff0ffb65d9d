"""Scoring a corpus: levels, streaming, documents, the one shape of a result."""

from __future__ import annotations

import json

import pytest

from metaphrase import Bleu, Corpus, TeslaM, score
from metaphrase.errors import InputError, OptionError
from metaphrase.scoring.engine import labelled_metrics

HYPOTHESES = ["A cat sat.", "Dogs run.", "It rains."]
REFERENCES = ["The cat sat.", "The dogs are running.", "It rained."]
CORPUS = Corpus({"s": HYPOTHESES}, [REFERENCES], documents=["d1", "d2", "d1"])


def test_documents_are_sums_of_their_segments_in_order_of_appearance() -> None:
    scores = score(CORPUS, ["bleu", "tesla-m"], levels=["document"])
    assert dict(scores.documents) == {"d1": 2, "d2": 1}
    first = [HYPOTHESES[0], HYPOTHESES[2]], [[REFERENCES[0], REFERENCES[2]]]
    for metric in (Bleu(), TeslaM()):
        values = scores.values(system="s", metric=metric.name, level="document")
        assert values[0] == metric.corpus_score(*first).score


def test_a_document_may_be_spread_over_pieces() -> None:
    whole = score(CORPUS, ["tesla-m"], levels=["document"]).to_dict()
    assert score(CORPUS.pieces(1), ["tesla-m"], levels=["document"]).to_dict() == whole


def test_the_json_form_has_the_same_keys_for_every_question() -> None:
    questions = [
        {},
        {"metrics": ["bleu"], "levels": ["system"]},
        {"metrics": ["bleu", "chrf"], "levels": ["segment"]},
        {"metrics": ["tesla-m"], "levels": ["system", "document", "segment"]},
    ]
    answers = [score(CORPUS, **question).to_dict() for question in questions]
    assert len({tuple(answer) for answer in answers}) == 1
    assert len({tuple(answer["systems"][0]) for answer in answers}) == 1
    assert answers == json.loads(json.dumps(answers))


def test_segments_know_their_documents() -> None:
    result = score(CORPUS, ["bleu"], levels=["segment"]).to_dict()
    segments = result["systems"][0]["segments"]
    assert [s["document"] for s in segments] == ["d1", "d2", "d1"]
    assert [s["segment"] for s in segments] == [1, 2, 3]


def test_progress_is_told_after_each_piece() -> None:
    told: list[int] = []
    score(CORPUS.pieces(2), ["bleu"], progress=told.append)
    assert told == [2, 3]


def test_progress_is_told_within_a_large_corpus() -> None:
    told: list[int] = []
    score(Corpus({"s": HYPOTHESES * 1000}, [REFERENCES * 1000]), ["chrf"], progress=told.append)
    assert len(told) > 1
    assert told == sorted(told)
    assert told[-1] == 3000


def test_the_best_system_depends_on_the_direction_of_the_metric() -> None:
    corpus = Corpus({"good": REFERENCES, "bad": HYPOTHESES}, [REFERENCES])
    scores = score(corpus, ["bleu", "ter"])
    assert scores.best("bleu") == scores.best("ter") == ("good",)


def test_equal_systems_are_equally_good() -> None:
    corpus = Corpus({"one": HYPOTHESES, "two": HYPOTHESES}, [REFERENCES])
    assert score(corpus, ["bleu"]).best("bleu") == ("one", "two")


def test_one_metric_with_two_sets_of_options_has_two_columns() -> None:
    scores = score(CORPUS, ["tesla-m", "tesla-m:alpha=0.5", "bleu"])
    assert [info.name for info in scores.metrics] == ["tesla-m", "tesla-m:alpha=0.5", "bleu"]
    expected = TeslaM(alpha=0.5).corpus_score(HYPOTHESES, [REFERENCES]).score
    assert scores.values(system="s", metric="tesla-m:alpha=0.5") == [expected]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"metrics": []}, "MP514"),
        ({"metrics": ["bleu", "bleu"]}, "MP515"),
        ({"metrics": ["bleu"], "levels": ["paragraph"]}, "MP512"),
        ({"metrics": ["bleu"], "levels": []}, "MP512"),
        ({"metrics": ["nonsense"]}, "MP504"),
        ({"metrics": None}, "MP514"),
        ({"metrics": [None]}, "MP514"),
        ({"metrics": ["bleu"], "levels": [1]}, "MP512"),
        ({"metrics": ["bleu"], "threads": 0}, "MP519"),
        ({"metrics": ["bleu"], "threads": 2.0}, "MP519"),
    ],
)
def test_a_wrong_question_is_a_coded_error(arguments: dict, code: str) -> None:
    with pytest.raises(OptionError) as caught:
        score(CORPUS, **arguments)
    assert caught.value.code == code


def test_document_scores_need_documents() -> None:
    with pytest.raises(InputError, match="MP516"):
        score(Corpus({"s": HYPOTHESES}, [REFERENCES]), ["bleu"], levels=["document"])


def test_document_scores_need_the_document_of_every_segment() -> None:
    documents = ["a", *[""] * (len(HYPOTHESES) - 1)]
    corpus = Corpus({"s": HYPOTHESES}, [REFERENCES], documents=documents)
    with pytest.raises(InputError, match=r"MP516.*segment 2"):
        score(corpus.pieces(1), ["bleu"], levels=["document"])
    assert score(corpus, ["bleu"]).segments == len(HYPOTHESES)


def test_nothing_to_score_is_an_error() -> None:
    with pytest.raises(InputError, match="MP513"):
        score([], ["bleu"])


def test_pieces_must_belong_together() -> None:
    others = [
        Corpus({"t": HYPOTHESES}, [REFERENCES], documents=["d"] * 3),
        Corpus({"s": HYPOTHESES}, [REFERENCES]),
    ]
    for other in others:
        with pytest.raises(InputError, match="MP517"):
            score([CORPUS, other], ["bleu"])


@pytest.mark.parametrize("thing", [None, {"s": HYPOTHESES}, HYPOTHESES])
def test_only_a_corpus_can_be_scored(thing: object) -> None:
    with pytest.raises(InputError, match="MP513"):
        score(thing, ["bleu"])


def test_a_level_may_be_given_alone() -> None:
    assert score(CORPUS, "bleu", levels="segment").to_dict()["systems"][0]["segments"]


def test_one_metric_in_two_languages_is_two_metrics() -> None:
    labels = labelled_metrics(["tesla-m:lang=de", "tesla-m:lang=fr"], "en")
    assert list(labels) == ["tesla-m:lang=de", "tesla-m:lang=fr"]
