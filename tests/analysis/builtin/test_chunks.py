"""The shipped chunker on sentences that leave no doubt."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from metaphrase.analysis.builtin import BuiltinAnalyser
from metaphrase.analysis.builtin.labeller import Chunker
from metaphrase.analysis.sentence import Batch


def analysed(*texts: str) -> Batch:
    return BuiltinAnalyser.shipped("en").analyse(texts, ["tag"])


def chunks(text: str) -> list[str]:
    """Written ``[NP the dog] [VP barked]``; words outside chunks are left out."""
    sentence = Chunker.default().add_to(analysed(text))[0]
    found: list[str] = []
    for form, cell in zip(sentence.form, sentence.column("chunk"), strict=True):
        if cell.startswith("B-"):
            found.append(f"{cell[2:]} {form}")
        elif cell.startswith("I-"):
            found[-1] += f" {form}"
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The old man slept.", ["NP The old man", "VP slept"]),
        (
            "She has been waiting for a new car.",
            ["NP She", "VP has been waiting", "PP for", "NP a new car"],
        ),
        (
            "The company's profits fell sharply.",
            ["NP The company", "NP 's profits", "VP fell", "ADVP sharply"],
        ),
        (
            "the prime minister wants to reduce taxes",
            ["NP the prime minister", "VP wants to reduce", "NP taxes"],
        ),
    ],
)
def test_plain_sentences_fall_into_base_phrases(text: str, expected: list[str]) -> None:
    assert chunks(text) == expected


def test_labels_are_those_of_conll_2000() -> None:
    names = Chunker.default().names
    assert {"B-NP", "I-NP", "B-VP", "I-VP", "B-PP", "B-ADVP", "B-ADJP", "B-SBAR", "O"} < set(names)
    assert all(name == "O" or name[:2] in {"B-", "I-"} for name in names)


def test_the_batch_keeps_what_it_had() -> None:
    before = analysed("Dogs bark.", "", "NP")  # a word that reads like a label shares its string
    after = Chunker.default().add_to(before)
    assert after.columns.keys() - before.columns.keys() == {"chunk"}
    assert [row.form for row in after] == [row.form for row in before]
    assert len(set(after.strings)) == len(after.strings)
    assert after.columns["chunk"].dtype == np.int32
    assert before.columns.keys() == {"form", "start", "end", "tag"}


def test_the_shipped_model_is_read_once_and_does_not_travel() -> None:
    chunker = Chunker.default()
    assert chunker is Chunker.default()
    assert pickle.loads(pickle.dumps(chunker)) is chunker
    assert len(pickle.dumps(chunker)) < 200
    assert chunker.fingerprint.endswith(".1")
