"""The shipped recogniser of names on sentences that leave no doubt."""

from __future__ import annotations

import pickle

import pytest

from metaphrase.analysis.builtin import BuiltinAnalyser
from metaphrase.analysis.builtin.labeller import Chunker, EntityRecogniser


def names(text: str) -> list[str]:
    """Maximal runs of one type, as metrics read the column."""
    batch = BuiltinAnalyser.shipped("en").analyse([text], ["tag"])
    sentence = EntityRecogniser.default().add_to(batch)[0]
    found: list[str] = []
    before = "O"
    for form, kind in zip(sentence.form, sentence.column("entity"), strict=True):
        if kind != "O":
            found[-1:] = (
                [f"{found[-1]} {form}"] if kind == before else [*found[-1:], f"{kind} {form}"]
            )
        before = kind
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He lives in London.", ["LOCATION London"]),
        ("Mr. John Smith arrived yesterday.", ["PERSON John Smith"]),
        (
            "Tom met Mary in the United States.",
            ["PERSON Tom", "PERSON Mary", "LOCATION United States"],
        ),
        ("The dog barked at the cat.", []),
        ("", []),
    ],
)
def test_plain_names_are_found(text: str, expected: list[str]) -> None:
    assert names(text) == expected


def test_cells_are_bare_types() -> None:
    assert set(EntityRecogniser.default().names) == {"PERSON", "ORGANIZATION", "LOCATION", "O"}


def test_chunks_and_entities_go_together() -> None:
    batch = BuiltinAnalyser.shipped("en").analyse(["Mary left Rome."], ["tag"])
    both = Chunker.default().add_to(EntityRecogniser.default().add_to(batch))
    other = EntityRecogniser.default().add_to(Chunker.default().add_to(batch))
    assert list(both) == list(other)


def test_the_shipped_models_differ_and_do_not_travel() -> None:
    recogniser = EntityRecogniser.default()
    assert recogniser.fingerprint != Chunker.default().fingerprint
    assert pickle.loads(pickle.dumps(recogniser)) is recogniser
