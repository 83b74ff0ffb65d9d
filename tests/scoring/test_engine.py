"""Scoring a corpus: levels, streaming, documents, the one shape of a result."""

from __future__ import annotations

import json

import pytest

from metaphrase import Bleu, Corpus, TeslaM, score
from metaphrase.errors import InputError, OptionError

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
    assert score(CORPUS.chunks(1), ["tesla-m"], levels=["document"]).to_dict() == whole


def test_the_json_form_has_the_same_keys_for_every_question() -> None:
    questions = [
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
    score(CORPUS.chunks(2), ["bleu"], progress=told.append)
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
    assert [scores.best(metric) for metric in scores.metrics] == ["good", "good"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"metrics": []}, "MP514"),
        ({"metrics": ["bleu", "bleu"]}, "MP515"),
        ({"metrics": ["bleu"], "levels": ["paragraph"]}, "MP512"),
        ({"metrics": ["bleu"], "levels": []}, "MP512"),
        ({"metrics": ["nonsense"]}, "MP504"),
    ],
)
def test_a_wrong_question_is_a_coded_error(arguments: dict, code: str) -> None:
    with pytest.raises(OptionError) as caught:
        score(CORPUS, **arguments)
    assert caught.value.code == code


def test_document_scores_need_documents() -> None:
    with pytest.raises(InputError, match="MP516"):
        score(Corpus({"s": HYPOTHESES}, [REFERENCES]), ["bleu"], levels=["document"])


def test_nothing_to_score_is_an_error() -> None:
    with pytest.raises(InputError, match="MP513"):
        score([], ["bleu"])


def test_pieces_must_belong_together() -> None:
    other = Corpus({"t": HYPOTHESES}, [REFERENCES])
    with pytest.raises(InputError, match="MP517"):
        score([CORPUS, other], ["bleu"])
