"""What further references change, and how it is shown."""

from __future__ import annotations

import pytest

import metaphrase
from metaphrase.corpus import Corpus
from metaphrase.errors import InputError
from metaphrase.report.terminal.reference_effect_view import (
    reference_effect_tsv,
    reference_effect_view,
)
from metaphrase.scoring import reference_effect, score

SEGMENTS = [["a cat sat on it", "the cat was there"], ["a dog", "dogs", "one dog"], ["yes"]]
CORPUS = Corpus(
    {"one": ["a cat sat", "a dog", "no"], "two": ["the cat was there", "one dog", "no"]},
    segment_references=SEGMENTS,
)


def test_each_column_is_the_score_with_so_many_references() -> None:
    effect = reference_effect(CORPUS, ["bleu", "ter"])
    for count in (1, 2, 3):
        alone = Corpus(dict(CORPUS.systems), segment_references=[own[:count] for own in SEGMENTS])
        scores = score(alone, ["bleu", "ter"])
        for row, system in enumerate(scores.systems):
            for place, info in enumerate(scores.metrics):
                assert effect.scores[info.name][row, count - 1] == system.system[info.name]
                assert effect.signatures[info.name][count - 1] == scores.metrics[place].signature
    assert effect.having == (3, 2, 1)


def test_ranks_and_changed_places() -> None:
    effect = reference_effect(CORPUS, ["ter"])
    # By hand, edits: "one" 2 + 0 + 1, with more references the same; "two" 4 + 1 + 1, then 0 + 1 + 1,
    # then 0 + 0 + 1.
    assert effect.ranks("ter").tolist() == [[1, 2, 2], [2, 1, 1]]
    assert effect.reordered("ter") == [("one", "two")]
    text = "\n".join(map(str, reference_effect_view(effect)))
    assert "1 of 1 pair of systems changes places: one and two" in text
    assert "3 have reference 1, 2 have reference 2, 1 have reference 3" in text


def test_equal_scores_share_a_rank() -> None:
    corpus = Corpus({"a": ["x"], "b": ["x"], "c": ["z"]}, [["x"], ["y"]])
    effect = reference_effect(corpus, ["ter"])
    assert effect.ranks("ter").tolist() == [[1, 1], [1, 1], [3, 3]]
    assert effect.reordered("ter") == []


def test_tsv_has_a_row_for_each_step() -> None:
    rows = [line.split("\t") for line in reference_effect_tsv(reference_effect(CORPUS, ["ter"]))]
    assert rows[0] == ["metric", "system", "references", "segments", "score", "change", "rank"]
    assert [row[:4] for row in rows[1:4]] == [["ter", "one", str(k), str(4 - k)] for k in (1, 2, 3)]
    assert len(rows) == 1 + 2 * 3


def test_one_reference_is_an_error() -> None:
    for references in ([["x"]], [["x"], [None]]):
        with pytest.raises(InputError) as raised:
            reference_effect(Corpus({"a": ["x"]}, references), ["ter"])
        assert raised.value.code == "MP116"


def test_progress_ends_with_the_number_of_segments() -> None:
    done: list[int] = []
    reference_effect(CORPUS, ["ter"], progress=done.append)
    assert done == sorted(done)
    assert done[-1] == len(CORPUS)


def test_it_is_public() -> None:
    assert metaphrase.scoring.reference_effect is reference_effect
